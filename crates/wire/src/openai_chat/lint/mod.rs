//! The linter: what a vendor would say about a request body, without sending it.
//!
//! Works on bytes and shares no code with what writes requests. Each module judges one concern;
//! [`rules`](super::rules) holds the words, [`vendors`] who takes what. Judged is
//! what a body shows of the conversation, the tools and the parameters that depend on them.
#![deny(clippy::wildcard_enum_match_arm)]

mod calls;
mod content;
mod conversation;
mod keys;
mod media;
mod ollama;
mod order;
mod pairing;
mod params;
mod reasoning;
mod tools;
mod verdict;

use std::borrow::Cow;

use json::{Doc, Kind, Value};

use super::models::{self, Model};
use super::vendors::{self, Form, Vendor};
use crate::finding::Finding;
use crate::surrogates;
use conversation::Message;
use verdict::Verdict;

/// What a body does not say about itself.
#[derive(Clone, Copy, Debug)]
pub struct LintOptions<'a> {
    /// Who it is sent to.
    pub vendor: &'a Vendor,
    /// The model, where it stands in the address; goes before the body's.
    pub model: Option<&'a str>,
}

impl Default for LintOptions<'_> {
    /// A host nobody knows.
    fn default() -> Self {
        LintOptions { vendor: &vendors::UNKNOWN, model: None }
    }
}

/// A body being judged.
struct Body<'d, 't> {
    root: Value<'d, 't>,
    messages: Vec<Message<'d, 't>>,
    /// The vendor's row with what the model changes.
    vendor: Vendor,
    model: &'static Model,
    model_name: Cow<'t, str>,
}

impl<'d, 't> Body<'d, 't> {
    fn new(root: Value<'d, 't>, options: &LintOptions<'t>) -> Body<'d, 't> {
        let named = options.model.map(Cow::Borrowed);
        let model_name = named.or_else(|| root.get_str("model")).unwrap_or_default();
        let model = models::model(&model_name, options.vendor.serves_openai);
        Body {
            root,
            messages: conversation::read(root.get("messages")),
            vendor: options.vendor.with(model),
            model,
            model_name,
        }
    }

    /// Whether messages have the form of Ollama's native API.
    fn is_ollama(&self) -> bool {
        self.vendor.form == Form::Ollama
    }

    /// The member of the root, unless it is null.
    fn param(&self, name: &str) -> Option<Value<'d, 't>> {
        self.root.get(name).filter(|value| !value.is_null())
    }
}

/// Every rule the body breaks, in the order in which a server looks: reading, schema, media, roles
/// and emptiness, pairs, what the model can do.
///
/// What a vendor is not known to take gives a warning, what it is known to refuse an error.
///
/// ```
/// use wire::openai_chat::{lint::{LintOptions, lint}, vendors::vendor};
/// let body = br#"{"model":"m","messages":[{"role":"user","content":"hi"},
///     {"role":"tool","tool_call_id":"a","content":"x"}]}"#;
/// let options = LintOptions { vendor: vendor("groq").ok_or("no row")?, model: None };
/// assert_eq!(lint(body, &options)[0].rule, "C-002");
/// # Ok::<(), &str>(())
/// ```
pub fn lint(body: &[u8], options: &LintOptions<'_>) -> Vec<Finding> {
    let mut verdict = Verdict::new(options.vendor.wording);
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
    verdict.finish()
}

/// G-10.
fn unreadable(what: &str, offset: usize, verdict: &mut Verdict) {
    verdict.refuse("G-10", String::new(), offset, &[("what", &what), ("at", &offset)]);
}

fn judge(body: &Body<'_, '_>, verdict: &mut Verdict) {
    conversation::check(body, verdict);
    if body.root.kind() != Kind::Object {
        return;
    }
    keys::check(body, verdict);
    content::check(body, verdict);
    calls::check(body, verdict);
    media::check(body, verdict);
    order::check(body, verdict);
    if body.is_ollama() {
        ollama::check(body, verdict);
    } else {
        pairing::check(body, verdict);
    }
    reasoning::check(body, verdict);
    tools::check(body, verdict);
    params::check(body, verdict);
}
