//! The fixtures of the linter: one JSON line each.
//!
//! `vendor` is `openai` and the model `gpt-4.1` unless a line says otherwise. `{{png}}` stands for
//! the base64 of a small image, `"{{tools N}}"` for an array of that many tools.

use json::{Doc, Value};
use wire::openai_chat::lint::{LintOptions, lint};
use wire::openai_chat::vendors::{Vendor, vendor};
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
    vendor: &'static Vendor,
    model: String,
}

impl Fixture {
    /// What the linter says about it.
    pub fn findings(&self) -> Vec<Finding> {
        let options = LintOptions { vendor: self.vendor, model: Some(&self.model) };
        lint(self.body.as_bytes(), &options)
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

/// One body for every field of a row: what it is about, and the body.
pub fn probes() -> Vec<(String, String)> {
    let one = |line: &str| {
        let line = filled(line);
        let doc = Doc::parse_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let sign = doc.root().get_str("sign").expect("a sign").into_owned();
        (sign, doc.root().get("body").expect("a body").raw().to_owned())
    };
    include_str!("probes.jsonl").lines().map(one).collect()
}

fn fixture(line: &str) -> Fixture {
    let line = filled(line);
    let doc = Doc::parse_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let row = doc.root();
    let text = |key| row.get_str(key).map(std::borrow::Cow::into_owned);
    let warning = row.get("warning").and_then(Value::as_bool) == Some(true);
    let name = text("vendor").unwrap_or_else(|| "openai".to_owned());
    Fixture {
        name: text("name").expect("a name"),
        rule: text("rule").expect("a rule"),
        severity: if warning { Severity::Warning } else { Severity::Error },
        path: text("path"),
        message: text("message"),
        body: row.get("body").expect("a body").raw().to_owned(),
        vendor: vendor(&name).unwrap_or_else(|| panic!("no vendor {name}")),
        model: text("model").unwrap_or_else(|| "gpt-4.1".to_owned()),
    }
}

fn filled(line: &str) -> String {
    let mut line = line.replace("{{png}}", PNG);
    for count in [128, 129] {
        let tools: Vec<String> = (0..count)
            .map(|n| {
                format!(r#"{{"type":"function","function":{{"name":"t{n}","parameters":{{}}}}}}"#)
            })
            .collect();
        let list = format!("[{}]", tools.join(","));
        line = line.replace(&format!("\"{{{{tools {count}}}}}\""), &list);
    }
    line
}
