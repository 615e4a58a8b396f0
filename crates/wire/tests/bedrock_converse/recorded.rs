//! Recorded traffic: what was accepted gives no error, what was refused for its history does.
//!
//! Recordings are not part of the repository. `STENOGRAPH_SHARED` names the directory that holds
//! `corpus/streams`; without it nothing is judged, and the test says so.

use std::path::{Path, PathBuf};

use json::{Doc, Value};
use wire::bedrock_converse::lint::{LintOptions, lint};
use wire::{Finding, Severity};

/// Answers that say nothing about the history.
const NOT_THE_HISTORY: &[&str] = &["The provided model identifier is invalid."];

#[derive(Default)]
struct Tally {
    accepted: usize,
    warnings: usize,
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
    let mut tally = Tally::default();
    for file in &files {
        judge(file, &mut tally);
    }
    let Tally { accepted, warnings, refused, wrong } = tally;
    println!("{accepted} accepted bodies with {warnings} warnings, {refused} refused bodies");
    assert!(accepted > 0 && refused > 0, "no Converse bodies below {shared}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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

/// The model in the address of a Converse request.
fn model_of(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("/model/")?;
    let (model, call) = rest.split_once('/')?;
    call.starts_with("converse").then(|| model.replace("%3A", ":").replace("%2F", "/"))
}

fn judge(file: &Path, tally: &mut Tally) {
    let text = std::fs::read(file).expect("a recording");
    let Ok(doc) = Doc::parse(&text) else { return };
    let exchanges = doc.root().get("exchanges");
    for exchange in exchanges.into_iter().flat_map(Value::items) {
        let (Some(request), Some(response)) = (exchange.get("request"), exchange.get("response"))
        else {
            continue;
        };
        let model = request.get_str("url").and_then(|url| model_of(&url));
        let (Some(model), Some(body)) = (model, request.get("body")) else { continue };
        let findings = lint(body.raw().as_bytes(), &LintOptions { model: Some(&model) });
        let (errors, warnings): (Vec<&Finding>, Vec<&Finding>) =
            findings.iter().partition(|finding| finding.severity == Severity::Error);
        let file = file.file_name().expect("a name").display();
        match response.get("status").and_then(Value::as_u64) {
            Some(200) => {
                tally.accepted += 1;
                tally.warnings += warnings.len();
                tally.wrong.extend(errors.iter().map(|error| format!("{file}: {error:?}")));
                for warning in warnings {
                    println!("{model} {} {}", warning.rule, warning.message);
                }
            }
            Some(400) if !other_reason(response) => {
                tally.refused += 1;
                if errors.is_empty() {
                    tally.wrong.push(format!("{file}: refused, nothing found"));
                }
            }
            Some(_) | None => {}
        }
    }
}

fn other_reason(response: Value<'_, '_>) -> bool {
    let message = response.get("body").and_then(|body| body.get_str("message"));
    message.is_some_and(|message| NOT_THE_HISTORY.contains(&&*message))
}
