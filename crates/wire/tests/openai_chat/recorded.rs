//! Recorded traffic: what was accepted gives no error, what was refused for its history does. And
//! failures people reported: each is named.
//!
//! Recordings are not part of the repository. `STENOGRAPH_SHARED` names the directory that holds
//! `corpus/streams` and `cases`; without it nothing is judged, and the test says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use json::{Doc, Value};
use wire::openai_chat::lint::{LintOptions, lint};
use wire::openai_chat::vendors::{UNKNOWN, Vendor, vendor};
use wire::{Finding, Severity};

/// The row of a host.
const HOSTS: &[(&str, &str)] = &[
    ("api.cerebras.ai", "cerebras"),
    ("api.deepseek.com", "deepseek"),
    ("api.groq.com", "groq"),
    ("api.mistral.ai", "mistral"),
    ("api.openai.com", "openai"),
    (".openai.azure.com", "azure"),
    ("api.z.ai", "zai"),
    ("openrouter.ai", "openrouter"),
    ("localhost:11434", "ollama"),
    ("//ollama.com", "ollama"),
];

/// Codes of refusals that say nothing about the history: the model's own call, a missing model.
const NOT_THE_HISTORY: &[&str] = &["tool_use_failed", "model_not_found"];

#[derive(Default)]
struct Tally {
    /// Accepted bodies and warnings on them, by vendor.
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
    assert!(!tally.accepted.is_empty(), "no accepted chat body below {shared}");
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

fn row(url: &str) -> (&'static str, &'static Vendor) {
    let host = HOSTS.iter().find(|(host, _)| url.contains(host));
    host.map_or(("", &UNKNOWN), |(_, name)| (*name, vendor(name).expect("a row")))
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
        let body = request.get("body").filter(|body| body.get("messages").is_some());
        let (true, Some(body)) = (url.contains("/chat/completions"), body) else { continue };
        let (name, vendor) = row(&url);
        let findings = lint(body.raw().as_bytes(), &LintOptions { vendor, model: None });
        let (errors, warnings): (Vec<&Finding>, Vec<&Finding>) =
            findings.iter().partition(|finding| finding.severity == Severity::Error);
        match response.get("status").and_then(Value::as_u64) {
            Some(200) => {
                let seen = tally.accepted.entry(name).or_default();
                seen.0 += 1;
                seen.1 += warnings.len();
                let file = file.file_name().expect("a name").display();
                let wrong = errors.iter().map(|error| format!("{name} {file}: {error:?}"));
                tally.wrong.extend(wrong);
                for warning in warnings {
                    println!("{name} {} {}", warning.rule, warning.message);
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
    let code = error.and_then(|error| error.get_str("code"));
    code.is_some_and(|code| NOT_THE_HISTORY.contains(&&*code))
}

/// What was reported as the cause of a failure, and the rule that names it.
const CAUSES: &[(&str, &str)] = &[
    ("orphan-result", "C-002"),
    ("duplicate-id-different-calls", "C-006"),
    ("duplicate-id-other-turn", "K-011"),
    ("empty-id", "M-4"),
    ("invalid-arguments", "K-010"),
    ("missing-reasoning-content", "K-020"),
];

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
        let vendor = match case.get_str("target").as_deref() {
            Some("openai-chat") => &UNKNOWN,
            Some("deepseek-chat") => vendor("deepseek").expect("a row"),
            Some(_) | None => continue,
        };
        let own = case.get_str("format").as_deref() == Some("openai-chat");
        let Some(messages) = case.get("messages").filter(|_| own) else { continue };
        let options = LintOptions { vendor, model: None };
        let body = format!("{{\"messages\":{}}}", messages.raw());
        let findings = lint(body.as_bytes(), &options);
        let cause = case.get_str("diagnosis").expect("a diagnosis");
        let rule = CAUSES.iter().find(|(known, _)| *known == cause).map(|(_, rule)| *rule);
        let rule = rule.unwrap_or_else(|| panic!("no rule for {cause}: {findings:?}"));
        assert!(findings.iter().any(|finding| finding.rule == rule), "{cause}: {findings:?}");
        named += 1;
    }
    println!("{named} reported failures named");
    assert!(named > 0, "no case of this format below {shared}");
}
