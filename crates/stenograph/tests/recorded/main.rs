//! Recorded sessions and public failures, where a checkout has them beside it.
//!
//! The directory is named by `STENOGRAPH_SHARED`; nothing of it is part of the project. Without it
//! these tests say that they did not run.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod cases;
mod chat;
mod gemini;
mod responses;
mod sessions;
mod streams;

use std::path::{Path, PathBuf};

use stenograph::replay::{Prepared, Target};
use stenograph::wire::anthropic_messages::lint::{LintOptions, lint};
use stenograph::wire::bedrock_converse::lint as converse_lint;
use stenograph::wire::finding::Severity;
use stenograph::wire::gemini::{lint as gemini_lint, platforms};
use stenograph::wire::openai_chat::{lint as chat_lint, vendors};
use stenograph::wire::openai_responses::{
    lint as responses_lint, platforms as responses_platforms,
};

/// The directory of recordings, if there is one.
fn shared() -> Option<PathBuf> {
    let dir = std::env::var_os("STENOGRAPH_SHARED").map(PathBuf::from);
    if dir.is_none() {
        println!("did not run: STENOGRAPH_SHARED names no directory of recordings");
    }
    dir
}

/// All files below a directory, sorted.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).expect("a directory of recordings") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What the linter finds in a request that the target would refuse.
fn refused(target: &Target, prepared: &Prepared) -> Vec<String> {
    let bytes = prepared.request.body().to_vec();
    let findings = match target.to.dialect.as_str() {
        "openai_chat" | "ollama_chat" => {
            let vendor = vendors::vendor(&target.to.platform).unwrap_or(&vendors::UNKNOWN);
            chat_lint::lint(&bytes, &chat_lint::LintOptions { vendor, model: None })
        }
        "openai_responses" => {
            let platform = responses_platforms::platform(&target.to.platform);
            let platform = platform.unwrap_or(&responses_platforms::UNKNOWN);
            let options = responses_lint::LintOptions { platform, model: None };
            responses_lint::lint(&bytes, &options)
        }
        "gemini" => {
            let platform = platforms::platform(&target.to.platform);
            let model = Some(target.to.model.as_str());
            gemini_lint::lint(&bytes, &gemini_lint::LintOptions { platform, model })
        }
        "bedrock_converse" => {
            let model = Some(target.to.model.as_str());
            converse_lint::lint(&bytes, &converse_lint::LintOptions { model })
        }
        _ => {
            let options = LintOptions { betas: prepared.request.betas(), ..Default::default() };
            lint(&bytes, &options)
        }
    };
    findings
        .into_iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| format!("{} {}: {}", finding.rule, finding.path, finding.message))
        .collect()
}
