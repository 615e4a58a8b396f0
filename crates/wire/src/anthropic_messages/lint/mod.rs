//! The linter: what the provider would say about a request body, without sending it.
//!
//! Works on bytes and shares no code with what writes requests. Each module judges one concern;
//! [`rules`](super::rules) holds the words. Judged is what a body shows: whether a signature
//! verifies or a prefix is unchanged is for the issuer to say.
#![deny(clippy::wildcard_enum_match_arm)]

mod cache;
mod conversation;
mod emptiness;
mod limits;
mod media;
mod pairing;
mod params;
mod parse;
mod placement;
mod schema;
mod server_tools;
mod shapes;
mod system;
mod thinking;
mod tools;

use std::borrow::Cow;
use std::collections::HashSet;

use json::{Doc, Kind, Value};

use super::models::{self, Model};
use super::rules::RULES;
use crate::finding::Finding;
use crate::report::Report;
use conversation::Conversation;

/// Where a body is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Platform {
    /// The Claude API itself.
    #[default]
    ClaudeApi,
    /// Amazon Bedrock.
    Bedrock,
    /// Google Cloud.
    GoogleCloud,
}

/// What a body does not say about itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct LintOptions<'a> {
    /// The betas of the `anthropic-beta` header; those of the body count too.
    pub betas: &'a [&'a str],
    /// Where the body goes.
    pub platform: Platform,
    /// The model, where it stands in the address; goes before the body's.
    pub model: Option<&'a str>,
}

/// A body being judged.
struct Body<'d, 't> {
    root: Value<'d, 't>,
    conversation: Conversation<'d, 't>,
    model: &'static Model,
    model_name: Cow<'t, str>,
    platform: Platform,
    betas: Vec<Cow<'t, str>>,
    /// The names that `tools` declares.
    tool_names: HashSet<Cow<'t, str>>,
}

impl<'d, 't> Body<'d, 't> {
    fn new(root: Value<'d, 't>, options: &LintOptions<'t>) -> Body<'d, 't> {
        let named = options.model.map(Cow::Borrowed);
        let model_name = named.or_else(|| root.get_str("model")).unwrap_or_default();
        let own = root.get("anthropic_beta").into_iter().flat_map(|list| list.items());
        let tools = root.get("tools").into_iter().flat_map(|list| list.items());
        let sent = options.betas.iter().map(|beta| Cow::Borrowed(*beta));
        Body {
            root,
            conversation: Conversation::read(root.get("messages")),
            model: models::model(&model_name),
            model_name,
            platform: options.platform,
            betas: sent.chain(own.filter_map(|beta| beta.as_str())).collect(),
            tool_names: tools.filter_map(|tool| tool.get_str("name")).collect(),
        }
    }

    fn has_beta(&self, prefix: &str) -> bool {
        self.betas.iter().any(|beta| beta.starts_with(prefix))
    }

    /// The member of the root, unless it is null.
    fn param(&self, name: &str) -> Option<Value<'d, 't>> {
        self.root.get(name).filter(|value| !value.is_null())
    }

    /// The `type` of an object parameter.
    fn param_type(&self, name: &str) -> Option<Cow<'t, str>> {
        self.param(name)?.get_str("type")
    }
}

/// Every rule the body breaks, in the order in which the provider looks: reading, schema, media,
/// roles and emptiness, pairs, final thinking, signatures, what the model can do.
///
/// A body of a model that is in no row is judged by the strictest one; what only that row forbids
/// is then a warning.
///
/// ```
/// use wire::anthropic_messages::lint::{LintOptions, lint};
/// let body = br#"{"model":"claude-opus-5-5","max_tokens":99,
///     "messages":[{"role":"user","content":[{"type":"text","text":""}]}]}"#;
/// let findings = lint(body, &LintOptions::default());
/// assert_eq!(findings[0].rule, "A-020");
/// assert_eq!(findings[0].path, "messages.0.content.0");
/// ```
pub fn lint(body: &[u8], options: &LintOptions<'_>) -> Vec<Finding> {
    let mut report = Report::new(RULES);
    parse::size(body, &mut report);
    match Doc::parse(body) {
        Err(error) => parse::refused(body, error, &mut report),
        Ok(doc) => {
            parse::surrogates(body, &doc, &mut report);
            judge(&Body::new(doc.root(), options), options, &mut report);
        }
    }
    report.finish()
}

/// Whether a request body has a member of this name.
pub fn is_parameter(name: &str) -> bool {
    shapes::BODY.fields.iter().flat_map(|group| group.iter()).any(|field| field.name == name)
}

fn judge(body: &Body<'_, '_>, options: &LintOptions<'_>, report: &mut Report) {
    schema::Walk::new(report, &body.betas).value(
        body.root,
        schema::Is::Object(&shapes::BODY),
        "A-003",
    );
    if body.root.kind() != Kind::Object {
        return;
    }
    params::check(body, options, report);
    tools::check(body, report);
    media::check(body, report);
    placement::check(body, report);
    emptiness::check(body, report);
    system::check(body, report);
    cache::check(body, report);
    pairing::check(&body.conversation, report);
    server_tools::check(body, report);
    thinking::check(body, report);
}
