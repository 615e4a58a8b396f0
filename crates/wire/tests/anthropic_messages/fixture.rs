//! The fixtures of the Anthropic Messages linter: one JSON line each.
//!
//! `body` is the request without what a line leaves out: `max_tokens` is 64 and the model
//! `claude-sonnet-4-5`, unless `model` says otherwise (null: none). `{{png 10x20}}` stands for the
//! base64 of an image of that size; `{{png 10x20 5000}}` for one padded to 5,000 bytes of base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use json::{Doc, Value};
use wire::anthropic_messages::lint::{LintOptions, Platform, lint};
use wire::{Finding, Severity};

/// One line of a fixture file.
pub struct Fixture {
    pub name: String,
    pub rule: String,
    pub severity: Severity,
    pub path: Option<String>,
    pub message: Option<String>,
    pub body: String,
    betas: Vec<String>,
    platform: Platform,
}

impl Fixture {
    /// What the linter says about it.
    pub fn findings(&self) -> Vec<Finding> {
        let betas: Vec<&str> = self.betas.iter().map(String::as_str).collect();
        let options = LintOptions { betas: &betas, platform: self.platform, model: None };
        lint(self.body.as_bytes(), &options)
    }
}

/// The bodies that are refused, or doubtful.
pub fn refused() -> Vec<Fixture> {
    read(include_str!("refused.jsonl"))
}

/// The bodies that are accepted, each close to breaking its rule.
pub fn accepted() -> Vec<Fixture> {
    read(include_str!("accepted.jsonl"))
}

fn read(lines: &str) -> Vec<Fixture> {
    lines.lines().map(fixture).collect()
}

fn fixture(line: &str) -> Fixture {
    let line = images(line);
    let doc = Doc::parse_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let row = doc.root();
    let text = |key| row.get_str(key).map(std::borrow::Cow::into_owned);
    let warning = row.get("warning").and_then(Value::as_bool) == Some(true);
    let betas = row.get("betas").into_iter().flat_map(|betas| betas.items());
    Fixture {
        name: text("name").expect("a name"),
        rule: text("rule").expect("a rule"),
        severity: if warning { Severity::Warning } else { Severity::Error },
        path: text("path"),
        message: text("message"),
        body: body(row),
        betas: betas.filter_map(|beta| beta.as_str().map(|beta| beta.into_owned())).collect(),
        platform: match row.get_str("platform").as_deref() {
            None => Platform::ClaudeApi,
            Some("bedrock") => Platform::Bedrock,
            Some("google_cloud") => Platform::GoogleCloud,
            Some(other) => panic!("no platform {other}"),
        },
    }
}

fn body(row: Value<'_, '_>) -> String {
    let body = row.get("body").expect("a body");
    let mut out = String::from("{");
    match row.get("model") {
        None => out.push_str("\"model\":\"claude-sonnet-4-5\","),
        Some(model) if model.is_null() => {}
        Some(model) => out.push_str(&format!("\"model\":{},", model.raw())),
    }
    if body.get("max_tokens").is_none() {
        out.push_str("\"max_tokens\":64,");
    }
    out + &body.raw()[1..]
}

fn images(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((inside, tail)) = after.split_once("}}").filter(|(inside, _)| is_image(inside))
        else {
            out.push_str(before);
            out.push_str("{{");
            rest = after;
            continue;
        };
        out.push_str(before);
        out.push_str(&image(inside));
        rest = tail;
    }
    out + rest
}

fn is_image(inside: &str) -> bool {
    ["png ", "jpeg ", "gif ", "webp "].iter().any(|kind| inside.starts_with(kind))
}

/// Base64 of a header that says the size, padded with zeros where a length is asked for.
fn image(inside: &str) -> String {
    let mut words = inside.split(' ');
    let kind = words.next().expect("a kind");
    let (width, height) = words.next().and_then(|size| size.split_once('x')).expect("a size");
    let (width, height): (u32, u32) = (width.parse().expect("px"), height.parse().expect("px"));
    let mut bytes = match kind {
        "png" => png(width, height),
        "jpeg" => jpeg(width as u16, height as u16),
        "gif" => gif(width as u16, height as u16),
        _ => webp(width as u16, height as u16),
    };
    if let Some(length) = words.next() {
        let length: usize = length.parse().expect("a length");
        bytes.resize(length / 4 * 3, 0);
    }
    STANDARD.encode(bytes)
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let header: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR";
    [header, &width.to_be_bytes(), &height.to_be_bytes(), &[8, 6, 0, 0, 0, 0, 0, 0, 0]].concat()
}

fn gif(width: u16, height: u16) -> Vec<u8> {
    [&b"GIF89a"[..], &width.to_le_bytes(), &height.to_le_bytes(), &[0, 0, 0, 0x3b]].concat()
}

fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let frame: &[u8] = &[0xff, 0xd8, 0xff, 0xc0, 0, 11, 8];
    let tail: &[u8] = &[1, 1, 0x11, 0, 0xff, 0xd9];
    [frame, &height.to_be_bytes(), &width.to_be_bytes(), tail].concat()
}

fn webp(width: u16, height: u16) -> Vec<u8> {
    let head: &[u8] = b"RIFF\x1e\0\0\0WEBPVP8 \x12\0\0\0\0\0\0\x9d\x01\x2a";
    [head, &width.to_le_bytes(), &height.to_le_bytes(), &[0; 8]].concat()
}
