//! The fixtures of the linter: one JSON line each.
//!
//! `platform` is `openai` unless a line says otherwise; a name in no row is nobody's. `{{png}}`
//! stands for the base64 of a small image, `"{{tools N}}"` for an array of that many tools.

use json::{Doc, Value};
use wire::openai_responses::lint::{LintOptions, lint};
use wire::openai_responses::platforms::{Platform, UNKNOWN, platform};
use wire::{Finding, Severity};

/// A PNG of one pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk\
    +M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// One line of a fixture file.
pub struct Fixture {
    pub name: String,
    pub rule: String,
    pub severity: Severity,
    pub path: Option<String>,
    pub message: Option<String>,
    pub body: String,
    platform: &'static Platform,
}

impl Fixture {
    /// What the linter says about it.
    pub fn findings(&self) -> Vec<Finding> {
        lint(self.body.as_bytes(), &LintOptions { platform: self.platform, model: None })
    }
}

/// The bodies that are refused, or doubtful.
pub fn refused() -> Vec<Fixture> {
    include_str!("refused.jsonl").lines().map(fixture).collect()
}

/// The bodies that are accepted, each close to breaking its rule.
pub fn accepted() -> Vec<Fixture> {
    include_str!("accepted.jsonl").lines().map(fixture).collect()
}

fn fixture(line: &str) -> Fixture {
    let line = filled(line);
    let doc = Doc::parse_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let row = doc.root();
    let text = |key| row.get_str(key).map(std::borrow::Cow::into_owned);
    let warning = row.get("warning").and_then(Value::as_bool) == Some(true);
    let name = text("platform").unwrap_or_else(|| "openai".to_owned());
    Fixture {
        name: text("name").expect("a name"),
        rule: text("rule").expect("a rule"),
        severity: if warning { Severity::Warning } else { Severity::Error },
        path: text("path"),
        message: text("message"),
        body: row.get("body").expect("a body").raw().to_owned(),
        platform: platform(&name).unwrap_or(&UNKNOWN),
    }
}

fn filled(line: &str) -> String {
    let mut line = line.replace("{{png}}", PNG);
    for count in [128, 129] {
        let tools: Vec<String> = (0..count)
            .map(|n| format!(r#"{{"type":"function","name":"t{n}","parameters":{{}}}}"#))
            .collect();
        let list = format!("[{}]", tools.join(","));
        line = line.replace(&format!("\"{{{{tools {count}}}}}\""), &list);
    }
    line
}
