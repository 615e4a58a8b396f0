//! Recorded traffic: what was accepted gives no error, what was refused for its content does.
//!
//! Recordings are not part of the repository. `STENOGRAPH_SHARED` names the directory that holds
//! `corpus/streams`; without it nothing is judged, and the test says so.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

use std::path::{Path, PathBuf};

use json::Doc;
use wire::anthropic_messages::lint::{LintOptions, lint};
use wire::{Finding, Severity};

/// Recordings keep no headers, so every beta counts as sent.
const BETAS: &[&str] = &[
    "advisor-tool-",
    "compact-2026-01-12",
    "context-management-2025-06-27",
    "mcp-client-2025-11-20",
    "mid-conversation-tool-changes-2026-07-01",
    "mid-conversation-output-config-2026-07-01",
    "mid-conversation-system-clear-at-2026-08-21",
    "thinking-binding-controls-2026-08-01",
];

struct Tally {
    accepted: usize,
    refused: usize,
    wrong: Vec<String>,
}

#[test]
fn recorded_answers_agree_with_the_linter() {
    let Ok(shared) = std::env::var("STENOGRAPH_SHARED") else {
        println!("not run: STENOGRAPH_SHARED is not set");
        return;
    };
    let mut files = Vec::new();
    json_files(&Path::new(&shared).join("corpus/streams"), &mut files);
    files.sort();
    let mut tally = Tally { accepted: 0, refused: 0, wrong: Vec::new() };
    for file in &files {
        judge(file, &mut tally);
    }
    println!("{} accepted bodies, {} refused bodies", tally.accepted, tally.refused);
    assert!(tally.accepted > 0, "no accepted Messages body below {shared}");
    assert!(tally.refused > 0, "no refused Messages body below {shared}");
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}

fn json_files(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("a directory of recordings") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            json_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
}

fn judge(file: &Path, tally: &mut Tally) {
    let text = std::fs::read(file).expect("a recording");
    let Ok(doc) = Doc::parse(&text) else { return };
    let exchanges = doc.root().get("exchanges");
    for exchange in exchanges.into_iter().flat_map(|list| list.items()) {
        let (Some(request), Some(response)) = (exchange.get("request"), exchange.get("response"))
        else {
            continue;
        };
        let messages = request.get_str("url").is_some_and(|url| url.contains("/v1/messages"));
        let body = request.get("body").filter(|body| body.get("messages").is_some());
        let (true, Some(body)) = (messages, body) else { continue };
        let options = LintOptions { betas: BETAS, ..LintOptions::default() };
        let findings = lint(body.raw().as_bytes(), &options);
        let errors: Vec<&Finding> =
            findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
        match response.get("status").and_then(|status| status.as_u64()) {
            Some(200) => {
                tally.accepted += 1;
                let wrong = errors.iter().map(|error| format!("{}: {error:?}", file.display()));
                tally.wrong.extend(wrong);
            }
            Some(400) => {
                tally.refused += 1;
                if errors.is_empty() {
                    tally.wrong.push(format!("{}: refused, nothing found", file.display()));
                }
            }
            Some(_) | None => {}
        }
    }
}
