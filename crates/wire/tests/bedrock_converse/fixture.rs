//! The fixtures of the linter: one JSON line each.
//!
//! The model is a Claude unless a line says otherwise. `{{png 10x20}}` stands for the base64 of an
//! image of that size, `{{png 10x20 5000}}` for one padded to so many characters, `{{zeros 5000}}`
//! for so many of base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use json::{Doc, Value};
use wire::bedrock_converse::lint::{LintOptions, lint};
use wire::{Finding, Severity};

const CLAUDE: &str = "anthropic.claude-sonnet-4-5-20250929-v1:0";

/// One line of a fixture file.
pub struct Fixture {
    pub name: String,
    pub rule: String,
    pub severity: Severity,
    pub path: Option<String>,
    pub message: Option<String>,
    pub body: String,
    model: String,
}

impl Fixture {
    /// What the linter says about it.
    pub fn findings(&self) -> Vec<Finding> {
        lint(self.body.as_bytes(), &LintOptions { model: Some(&self.model) })
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
        model: text("model").unwrap_or_else(|| CLAUDE.to_owned()),
    }
}

fn filled(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let known = ["png ", "jpeg ", "zeros "];
        let inside = after
            .split_once("}}")
            .filter(|(inside, _)| known.iter().any(|word| inside.starts_with(word)));
        out.push_str(before);
        match inside {
            Some((inside, tail)) => {
                out.push_str(&STANDARD.encode(bytes(inside)));
                rest = tail;
            }
            None => {
                out.push_str("{{");
                rest = after;
            }
        }
    }
    out + rest
}

/// A header that says its size, padded with zeros where a length of base64 is asked for.
fn bytes(inside: &str) -> Vec<u8> {
    let mut words = inside.split(' ');
    let kind = words.next().expect("a kind");
    let mut out = Vec::new();
    if kind != "zeros" {
        let (width, height) = words.next().and_then(|size| size.split_once('x')).expect("a size");
        let (width, height): (u32, u32) = (width.parse().expect("px"), height.parse().expect("px"));
        out = if kind == "png" { png(width, height) } else { jpeg(width as u16, height as u16) };
    }
    if let Some(length) = words.next() {
        let length: usize = length.parse().expect("a length");
        out.resize(length / 4 * 3, 0);
    }
    out
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let header: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR";
    [header, &width.to_be_bytes(), &height.to_be_bytes(), &[8, 6, 0, 0, 0, 0, 0, 0, 0]].concat()
}

fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let frame: &[u8] = &[0xff, 0xd8, 0xff, 0xc0, 0, 11, 8];
    let tail: &[u8] = &[1, 1, 0x11, 0, 0xff, 0xd9];
    [frame, &height.to_be_bytes(), &width.to_be_bytes(), tail].concat()
}
