//! Recorded traffic: what was accepted gives no error, what was refused for its history does. And
//! failures people reported: each is named.
//!
//! Recordings are not part of the repository. `STENOGRAPH_SHARED` names the directory that holds
//! `corpus/streams` and `cases`; without it nothing is judged, and the test says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use json::{Doc, Value};
use wire::openai_responses::lint::{LintOptions, lint};
use wire::openai_responses::platforms::{OPENAI, Platform, UNKNOWN, platform};
use wire::{Finding, Severity};

/// Codes of refusals that say nothing about the history.
const NOT_THE_HISTORY: &[&str] = &["model_not_found"];

/// Refusals of a platform that this table has no row for.
const OF_OTHERS: &[&str] = &["api.deepseek.com"];

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
    assert!(!tally.accepted.is_empty(), "no accepted Responses body below {shared}");
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

/// The host of an address.
fn host(url: &str) -> &str {
    let after = url.split_once("//").map_or(url, |(_, after)| after);
    after.split('/').next().unwrap_or_default()
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
        let url = request.get_str("url").unwrap_or_default();
        let body = request.get("body").filter(|body| body.get("input").is_some());
        let (true, Some(body)) = (url.contains("/responses"), body) else { continue };
        let row: &Platform = platform(host(&url)).unwrap_or(&UNKNOWN);
        let options = LintOptions { platform: row, model: None };
        let findings = lint(body.raw().as_bytes(), &options);
        let (errors, warnings): (Vec<&Finding>, Vec<&Finding>) =
            findings.iter().partition(|finding| finding.severity == Severity::Error);
        let file = file.file_name().expect("a name").display();
        match response.get("status").and_then(Value::as_u64) {
            Some(200) => {
                let seen = tally.accepted.entry(row.name).or_default();
                seen.0 += 1;
                seen.1 += warnings.len();
                let wrong = errors.iter().map(|error| format!("{} {file}: {error:?}", row.name));
                tally.wrong.extend(wrong);
                for warning in warnings {
                    println!("{} {} {}", row.name, warning.rule, warning.message);
                }
            }
            Some(400) if !other_reason(response) && !OF_OTHERS.contains(&host(&url)) => {
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
    let error = response.get("body").and_then(|body| body.get("error"));
    let code = error.and_then(|error| error.get_str("code"));
    code.is_some_and(|code| NOT_THE_HISTORY.contains(&&*code))
}

/// What was reported as the cause of a failure, and the rule that names it. A body does not show
/// that it is too large for a gateway, nor that what is sealed is another's.
const CAUSES: &[(&str, &str)] = &[
    ("id-too-long", "R-033"),
    ("unsupported-media", "C-017"),
    ("bad-item-id", "R-031"),
    ("dangling-reasoning", "R-020"),
    ("reasoning-pair-id-lost", "R-020"),
    ("message-without-reasoning", "R-021"),
    ("reference-not-stored", "R-025"),
    ("orphan-call", "R-001"),
];

const NOT_IN_THE_BODY: &[&str] = &["body-too-large", "foreign-compaction"];

#[test]
fn reported_failures_are_named() {
    let Ok(shared) = std::env::var("STENOGRAPH_SHARED") else {
        println!("not run: STENOGRAPH_SHARED is not set");
        return;
    };
    let mut files = Vec::new();
    json_files(&Path::new(&shared).join("cases"), &mut files);
    let mut named = 0;
    for file in &files {
        let text = std::fs::read(file).expect("a case");
        let doc = Doc::parse(&text).expect("a case is JSON");
        let case = doc.root();
        let own = case.get_str("format").as_deref() == Some("openai-responses");
        let Some(items) = case.get("messages").filter(|_| own) else { continue };
        let cause = case.get_str("diagnosis").expect("a diagnosis");
        if NOT_IN_THE_BODY.contains(&&*cause) {
            continue;
        }
        let stores = case.get("request").and_then(|request| request.get("store"));
        let stores = stores.and_then(Value::as_bool).unwrap_or(true);
        let body = format!(r#"{{"model":"gpt-5.5","store":{stores},"input":{}}}"#, items.raw());
        let findings = lint(body.as_bytes(), &LintOptions { platform: &OPENAI, model: None });
        let rule = CAUSES.iter().find(|(known, _)| *known == cause).map(|(_, rule)| *rule);
        let rule = rule.unwrap_or_else(|| panic!("no rule for {cause}: {findings:?}"));
        assert!(findings.iter().any(|finding| finding.rule == rule), "{cause}: {findings:?}");
        named += 1;
    }
    println!("{named} reported failures named");
    assert!(named > 0, "no case of this format below {shared}");
}
