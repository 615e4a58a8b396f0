//! The linter: what a platform would say about a request body, without sending it.
//!
//! Works on bytes and shares no code with what writes requests. Each module judges one concern;
//! [`rules`](super::rules) holds the words, [`platforms`] and [`models`] who takes what. Judged is
//! what a body shows of the conversation, the tools and the parameters that depend on them; where
//! it goes on from an earlier response, the rest of the conversation is taken to be in order.
#![deny(clippy::wildcard_enum_match_arm)]

mod content;
mod ids;
mod items;
mod pairing;
mod params;
mod reasoning;
mod shapes;
mod tools;

use std::borrow::Cow;

use json::{Doc, Kind, Value};

use super::models::{self, Model};
use super::platforms::{self, Platform};
use super::rules::RULES;
use crate::finding::Finding;
use crate::report::{Fill, Report};
use crate::surrogates;
use crate::takes::Takes;
use items::Item;

/// What a body does not say about itself.
#[derive(Clone, Copy, Debug)]
pub struct LintOptions<'a> {
    /// Who it is sent to.
    pub platform: &'a Platform,
    /// The model, where it stands in the address; goes before the body's.
    pub model: Option<&'a str>,
}

impl Default for LintOptions<'_> {
    /// The API itself.
    fn default() -> Self {
        LintOptions { platform: &platforms::OPENAI, model: None }
    }
}

/// A body being judged.
struct Body<'d, 't> {
    root: Value<'d, 't>,
    items: Vec<Item<'d, 't>>,
    platform: Platform,
    model: &'static Model,
    /// It goes on from what the server holds.
    goes_on: bool,
    /// The server keeps what it is sent.
    stores: bool,
}

impl<'d, 't> Body<'d, 't> {
    fn new(root: Value<'d, 't>, options: &LintOptions<'t>) -> Body<'d, 't> {
        let named = options.model.map(Cow::Borrowed);
        let model_name = named.or_else(|| root.get_str("model")).unwrap_or_default();
        let set = |name: &str| root.get(name).is_some_and(|value| !value.is_null());
        Body {
            root,
            items: items::read(root.get("input")),
            platform: *options.platform,
            model: models::model(&model_name),
            goes_on: ["previous_response_id", "conversation", "prompt"].into_iter().any(set),
            stores: root.get("store").and_then(Value::as_bool) != Some(false),
        }
    }

    /// The member of the root, unless it is null.
    fn param(&self, name: &str) -> Option<Value<'d, 't>> {
        self.root.get(name).filter(|value| !value.is_null())
    }
}

/// The findings of one body.
struct Verdict(Report);

impl Verdict {
    /// A broken rule.
    fn add(&mut self, rule: &str, path: String, at: usize, fill: Fill<'_>) {
        self.0.add(rule, path, at, fill);
    }

    /// A broken rule, unless it is taken; where that is not known, a warning.
    fn unless(&mut self, takes: Takes, rule: &str, path: String, at: usize, fill: Fill<'_>) {
        self.0.unless(takes, rule, path, at, fill);
    }

    /// A broken rule in other words.
    fn say(&mut self, rule: &str, path: String, at: usize, words: String) {
        self.0.say(rule, path, at, words);
    }
}

/// Every rule the body breaks, in the order in which a server looks.
///
/// ```
/// use wire::openai_responses::lint::{LintOptions, lint};
/// let body = br#"{"model":"m","input":[{"type":"message","role":"user","content":"hi"},
///     {"type":"function_call_output","call_id":"a","output":"x"}]}"#;
/// assert_eq!(lint(body, &LintOptions::default())[0].rule, "R-002");
/// ```
pub fn lint(body: &[u8], options: &LintOptions<'_>) -> Vec<Finding> {
    let mut verdict = Verdict(Report::new(RULES));
    match Doc::parse(body) {
        Err(error) => {
            let what = error.to_string();
            let what = what.split(" at byte ").next().unwrap_or_default();
            unreadable(what, error.offset, &mut verdict);
        }
        Ok(doc) => {
            let broken = surrogates::lone(body);
            let broken = broken.or_else(|| surrogates::nul(body).map(|at| (at, "NUL in string")));
            if let Some((offset, what)) = broken {
                unreadable(what, offset, &mut verdict);
            }
            judge(&Body::new(doc.root(), options), &mut verdict);
        }
    }
    verdict.0.finish()
}

/// G-10.
fn unreadable(what: &str, offset: usize, verdict: &mut Verdict) {
    verdict.add("G-10", String::new(), offset, &[("what", &what), ("at", &offset)]);
}

fn judge(body: &Body<'_, '_>, verdict: &mut Verdict) {
    params::input(body, verdict);
    if body.root.kind() != Kind::Object {
        return;
    }
    shapes::check(body, verdict);
    ids::check(body, verdict);
    content::check(body, verdict);
    pairing::check(body, verdict);
    reasoning::check(body, verdict);
    tools::check(body, verdict);
    params::check(body, verdict);
}
