//! Recorded traffic: what was accepted gives no error, what was refused for its history does.
//!
//! Recordings are not part of the repository. `STENOGRAPH_SHARED` names the directory that holds
//! `corpus/streams`; without it nothing is judged, and the test says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use json::{Doc, Value};
use wire::gemini::lint::{LintOptions, lint};
use wire::gemini::platforms::{GEMINI_API, Platform, VERTEX};
use wire::{Finding, Severity};

/// Words of refusals that say nothing about the history: what cannot be fetched.
const NOT_THE_HISTORY: &[&str] = &["Cannot fetch content from the provided URL"];

#[derive(Default)]
struct Tally {
    /// Accepted bodies and warnings on them, by platform.
    accepted: BTreeMap<&'static str, (usize, usize)>,
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
    println!("accepted bodies and warnings: {:?}; {} refused", tally.accepted, tally.refused);
    assert!(!tally.accepted.is_empty(), "no accepted Gemini body below {shared}");
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

/// The platform and the model of an address.
fn addressed(url: &str) -> Option<(&'static Platform, &str)> {
    let (host, model) = url.split_once("/models/")?;
    let platform = if host.contains("aiplatform") { &VERTEX } else { &GEMINI_API };
    Some((platform, model.split(':').next().unwrap_or(model)))
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
        let url = request.get_str("url").unwrap_or_default();
        let body = request.get("body").filter(|body| body.get("contents").is_some());
        let (Some((platform, model)), Some(body)) = (addressed(&url), body) else { continue };
        let options = LintOptions { platform, model: Some(model) };
        let findings = lint(body.raw().as_bytes(), &options);
        let (errors, warnings): (Vec<&Finding>, Vec<&Finding>) =
            findings.iter().partition(|finding| finding.severity == Severity::Error);
        match response.get("status").and_then(Value::as_u64) {
            Some(200) => {
                let seen = tally.accepted.entry(platform.name).or_default();
                seen.0 += 1;
                seen.1 += warnings.len();
                let file = file.file_name().expect("a name").display();
                let wrong = errors.iter().map(|error| format!("{file} {model}: {error:?}"));
                tally.wrong.extend(wrong);
                for warning in warnings {
                    println!("{file} {model} {} {}", warning.rule, warning.path);
                }
            }
            Some(400) if !other_reason(response) => {
                tally.refused += 1;
                if errors.is_empty() {
                    tally.wrong.push(format!("{}: refused, nothing found", file.display()));
                }
            }
            Some(_) | None => {}
        }
    }
}

fn other_reason(response: Value<'_, '_>) -> bool {
    let error = response.get("body").and_then(|body| body.get("error"));
    let words = error.and_then(|error| error.get_str("message")).unwrap_or_default();
    NOT_THE_HISTORY.iter().any(|reason| words.contains(reason))
}
