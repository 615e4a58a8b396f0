//! The linter: what the API, and the family's server behind it, would say about a request body,
//! without sending it.
//!
//! Works on bytes and shares no code with what writes requests. Each module judges one concern;
//! [`rules`](super::rules) holds the words, [`models`] who takes what. Judged is what a body shows.
#![deny(clippy::wildcard_enum_match_arm)]

mod cache;
mod content;
mod conversation;
mod media;
mod order;
mod pairing;
mod params;
mod reasoning;
mod shapes;

use std::borrow::Cow;

use json::{Doc, Kind, Value};

use super::models::{self, Model};
use super::rules::RULES;
use crate::anthropic_messages::models as claude;
use crate::finding::Finding;
use crate::report::Report;
use crate::surrogates;
use crate::takes::Takes;
use conversation::{Message, Turn};

/// What a body does not say about itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct LintOptions<'a> {
    /// The model, which stands in the address; goes before a body's `modelId`, which clients' own
    /// files have.
    pub model: Option<&'a str>,
}

/// A body being judged.
struct Body<'d, 't> {
    root: Value<'d, 't>,
    messages: Vec<Message<'d, 't>>,
    turns: Vec<Turn>,
    model: &'static Model,
    /// The row of its own API, where the model is one of Claude's.
    claude: Option<&'static claude::Model>,
}

impl<'d, 't> Body<'d, 't> {
    fn new(root: Value<'d, 't>, options: &LintOptions<'t>) -> Body<'d, 't> {
        let named = options.model.map(Cow::Borrowed);
        let model_name = named.or_else(|| root.get_str("modelId")).unwrap_or_default();
        let model = models::model(&model_name);
        let messages = conversation::read(root.get("messages"));
        Body {
            root,
            turns: conversation::turns(&messages),
            messages,
            model,
            claude: model.claude.then(|| models::claude_model(&model_name)),
        }
    }

    /// The member of the root, unless it is null.
    fn param(&self, name: &str) -> Option<Value<'d, 't>> {
        self.root.get(name).filter(|value| !value.is_null())
    }

    /// What only Claude refuses.
    fn unless_claude(&self) -> Takes {
        if self.model.claude {
            Takes::No
        } else if self.model.is_unknown() {
            Takes::Doubtful
        } else {
            Takes::Yes
        }
    }
}

/// Every rule the body breaks, in the order in which the API looks: reading, schema, media, roles
/// and emptiness, pairs, what a reply ends with, signatures, what the model can do.
///
/// What a family is not known to take gives a warning, what it is known to refuse an error.
///
/// ```
/// use wire::bedrock_converse::lint::{LintOptions, lint};
/// let body = br#"{"messages":[{"role":"user","content":[{"text":" "}]}]}"#;
/// let options = LintOptions { model: Some("us.anthropic.claude-opus-5-5") };
/// assert_eq!(lint(body, &options)[0].rule, "B-005");
/// ```
pub fn lint(body: &[u8], options: &LintOptions<'_>) -> Vec<Finding> {
    let mut report = Report::new(RULES);
    match Doc::parse(body) {
        Err(error) => {
            let what = error.to_string();
            let what = what.split(" at byte ").next().unwrap_or_default();
            unreadable(what, error.offset, &mut report);
        }
        Ok(doc) => {
            if let Some((offset, what)) = surrogates::lone(body) {
                unreadable(what, offset, &mut report);
            }
            judge(&Body::new(doc.root(), options), &mut report);
        }
    }
    report.finish()
}

/// B-025 for a body that is no JSON.
fn unreadable(what: &str, offset: usize, report: &mut Report) {
    let words = format!("The request body is not valid JSON: {what} (byte {offset})");
    report.say("B-025", String::new(), offset, words);
}

fn judge(body: &Body<'_, '_>, report: &mut Report) {
    shapes::check(body, report);
    if body.root.kind() != Kind::Object {
        return;
    }
    content::check(body, report);
    media::check(body, report);
    order::check(body, report);
    pairing::check(body, report);
    reasoning::check(body, report);
    cache::check(body, report);
    params::check(body, report);
}
