//! The linter: what Google would say about a request body, without sending it.
//!
//! Works on bytes and shares no code with what writes requests. Each module judges one concern;
//! [`rules`](super::rules) holds the words, [`platforms`](super::platforms) and [`models`] who
//! takes what. Members are read in camel case and in snake case, as the server reads them.
#![deny(clippy::wildcard_enum_match_arm)]

mod contents;
mod media;
mod order;
mod pairing;
mod params;
mod parts;
mod schema;
mod shapes;
mod signatures;
mod tools;
mod verdict;

use json::{Doc, Kind, Value};

use super::models::{self, Model};
use super::platforms::{GEMINI_API, Platform};
use crate::finding::Finding;
use crate::surrogates;
use contents::Content;
use shapes::member;
use verdict::Verdict;

/// What a body does not say about itself.
#[derive(Clone, Copy, Debug)]
pub struct LintOptions<'a> {
    /// Who it is sent to.
    pub platform: &'a Platform,
    /// The model, which stands in the address; goes before the body's.
    pub model: Option<&'a str>,
}

impl Default for LintOptions<'_> {
    /// The Gemini API, and a model nobody knows.
    fn default() -> Self {
        LintOptions { platform: &GEMINI_API, model: None }
    }
}

/// A body being judged.
struct Body<'d, 't> {
    root: Value<'d, 't>,
    contents: Vec<Content<'d, 't>>,
    platform: &'t Platform,
    model: &'static Model,
    bytes: usize,
}

impl<'d, 't> Body<'d, 't> {
    fn new(root: Value<'d, 't>, options: &LintOptions<'t>, bytes: usize) -> Body<'d, 't> {
        let own = root.get_str("model");
        let name = options.model.or(own.as_deref()).unwrap_or_default();
        let contents = contents::read(root.get("contents"));
        let (platform, model) = (options.platform, models::model(name));
        Body { root, contents, platform, model, bytes }
    }

    /// The member of the root, unless it is null.
    fn param(&self, name: &str) -> Option<Value<'d, 't>> {
        member(self.root, name)
    }

    /// The functions that are declared, with the place of each.
    fn declarations(&self) -> impl Iterator<Item = (usize, usize, Value<'d, 't>)> {
        let tools = self.param("tools").into_iter().flat_map(Value::items).enumerate();
        tools.flat_map(|(tool, value)| {
            let list = member(value, "functionDeclarations").into_iter().flat_map(Value::items);
            list.enumerate().map(move |(index, value)| (tool, index, value))
        })
    }
}

/// Every rule the body breaks, in the order in which a server looks: reading, schema, media, roles
/// and emptiness, pairs, signatures, what the model can do.
///
/// What is not known to be taken gives a warning, what is known to be refused an error.
///
/// ```
/// use wire::gemini::lint::{LintOptions, lint};
/// let body = br#"{"contents":[{"role":"user","parts":[{"text":"hi"}]},
///     {"role":"model","parts":[{"functionCall":{"name":"ls","args":{}}}]},
///     {"role":"user","parts":[{"text":"stop"}]}]}"#;
/// let findings = lint(body, &LintOptions { model: Some("gemini-2.5-pro"), ..Default::default() });
/// assert_eq!(findings[0].rule, "G-011");
/// ```
pub fn lint(body: &[u8], options: &LintOptions<'_>) -> Vec<Finding> {
    let mut verdict = Verdict::new();
    match Doc::parse(body) {
        Err(error) => {
            let what = error.to_string();
            let what = what.split(" at byte ").next().unwrap_or_default();
            unreadable(what, error.offset, &mut verdict);
        }
        Ok(doc) => {
            if let Some((offset, what)) = surrogates::lone(body) {
                unreadable(what, offset, &mut verdict);
            }
            judge(&Body::new(doc.root(), options, body.len()), &mut verdict);
        }
    }
    verdict.finish()
}

/// G-10.
fn unreadable(what: &str, offset: usize, verdict: &mut Verdict) {
    verdict.refuse("G-10", String::new(), offset, &[("what", &what), ("at", &offset)]);
}

fn judge(body: &Body<'_, '_>, verdict: &mut Verdict) {
    contents::check(body, verdict);
    if body.root.kind() != Kind::Object {
        return;
    }
    shapes::check(body, verdict);
    parts::check(body, verdict);
    media::check(body, verdict);
    order::check(body, verdict);
    pairing::check(body, verdict);
    signatures::check(body, verdict);
    tools::check(body, verdict);
    params::check(body, verdict);
}
