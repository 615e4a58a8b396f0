//! The fixtures of the linter: one JSON line each.
//!
//! The platform is the Gemini API and the model `gemini-3-pro-preview` unless a line says
//! otherwise. `{{png}}` stands for the base64 of a small image, `"{{declarations N}}"` for an array
//! of that many declarations.

use json::{Doc, Value};
use wire::gemini::lint::{LintOptions, lint};
use wire::gemini::platforms::{Platform, platform};
use wire::{Finding, Severity};

/// A PNG of one pixel.
pub const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk\
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
    model: String,
}

impl Fixture {
    /// What the linter says about it.
    pub fn findings(&self) -> Vec<Finding> {
        let options = LintOptions { platform: self.platform, model: Some(&self.model) };
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

fn fixture(line: &str) -> Fixture {
    let line = filled(line);
    let doc = Doc::parse_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let row = doc.root();
    let text = |key| row.get_str(key).map(std::borrow::Cow::into_owned);
    let warning = row.get("warning").and_then(Value::as_bool) == Some(true);
    Fixture {
        name: text("name").expect("a name"),
        rule: text("rule").expect("a rule"),
        severity: if warning { Severity::Warning } else { Severity::Error },
        path: text("path"),
        message: text("message"),
        body: row.get("body").expect("a body").raw().to_owned(),
        platform: platform(text("platform").as_deref().unwrap_or("google")),
        model: text("model").unwrap_or_else(|| "gemini-3-pro-preview".to_owned()),
    }
}

fn filled(line: &str) -> String {
    let mut line = line.replace("{{png}}", PNG);
    for count in [128, 129] {
        let list: Vec<String> = (0..count).map(|n| format!(r#"{{"name":"t{n}"}}"#)).collect();
        let list = format!("[{}]", list.join(","));
        line = line.replace(&format!("\"{{{{declarations {count}}}}}\""), &list);
    }
    line
}
