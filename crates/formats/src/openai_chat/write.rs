//! A record written as a request body.
#![deny(clippy::wildcard_enum_match_arm)]

use assemble::openai_chat::encode;
use assemble::openai_chat::message::{KEY, PART};
use json::{Array, Object, Raw, Text};
use record::{Block, Entry, Image, Message, Reasoning, Record, ResultPart, Role, ToolResult};
use wire::openai_chat::vendors::Form;

use super::image::url_of;
use super::{document, format, ollama, tools};
use crate::error::ExportError;
use crate::failure;
use crate::handoff;
use crate::origin;
use crate::rest::{typed, with_rest};
use crate::written::{Written, begin};

/// The dialect's name in issuers.
const API: &str = assemble::openai_chat::API;

/// Writes the main branch as a body; the document it came from where it is unchanged.
pub(crate) fn export(record: &Record, form: Form) -> Result<Vec<u8>, ExportError> {
    if let Some(document) = origin::unchanged_document(record, format(form), document(form)) {
        return Ok(document);
    }
    let write = match form {
        Form::Completions => messages_of,
        Form::Ollama => ollama::messages_of,
    };
    let written = Written::of(record, write, handoff::message)?;
    Ok(body_of(&written, form).as_str().as_bytes().to_vec())
}

fn body_of(written: &Written, form: Form) -> Raw {
    let mut object = begin(written.sent_over(form.api()));
    let tools = written.head.as_ref().and_then(tools::written);
    object.optional_raw("tools", tools.as_ref());
    let mut messages = Array::new();
    for text in written.system() {
        let mut message = Object::new();
        message.string("role", "system").text("content", text);
        messages.raw(&message.finish());
    }
    for message in written.messages() {
        messages.raw(message);
    }
    object.raw("messages", &messages.finish());
    object.finish()
}

/// The messages of a row: one, and one for each result. Results that stand before all else in the
/// row go before its message, as a result has to follow its call at once.
pub(crate) fn messages_of(entry: &Entry, message: &Message) -> Result<Vec<Raw>, ExportError> {
    let cannot = |what: &'static str| ExportError::CannotCarry { entry: entry.id.clone(), what };
    let mut parts = Vec::new();
    let (mut calls, mut results, mut leading) = (Array::new(), Vec::new(), 0);
    let mut thoughts = Object::new();
    let (mut has_calls, mut has_thoughts, mut refusal) = (false, false, None);
    for block in &message.blocks {
        match block {
            Block::Text(text) if text.rest.get(PART).is_some() => refusal = Some(&text.text),
            Block::Text(text) => parts.push(text_part(&text.text)),
            Block::Image(image) => parts.push(image_part(entry, image)?),
            Block::ToolUse(call) => {
                calls.raw(&encode::call_of(call));
                has_calls = true;
            }
            Block::ToolResult(result) => {
                results.push(result_of(entry, result)?);
                if parts.is_empty() && !has_calls && !has_thoughts && refusal.is_none() {
                    leading = results.len();
                }
            }
            Block::Reasoning(thought) => has_thoughts |= reasoning(&mut thoughts, thought),
            Block::SystemChange(_) => return Err(cannot("a change of tools or system text")),
            Block::Opaque(block) if !origin::may_be_of(block, API) => {}
            Block::Opaque(block) => parts.push(block.raw.clone()),
        }
    }
    let has_own = !parts.is_empty() || has_calls || has_thoughts || refusal.is_some();
    if !has_own && !results.is_empty() {
        return Ok(results);
    }
    let mut object = Object::new();
    object.string("role", role_of(message.role));
    object.optional_string("name", message.author.as_deref());
    match (message.blocks.as_slice(), parts.as_slice()) {
        (_, []) => object.raw("content", &null()),
        ([.., Block::Text(text)] | [Block::Text(text), ..], [_]) => {
            object.text("content", &text.text)
        }
        (_, parts) => object.raw("content", &Array::of(parts)),
    };
    for (key, value) in thoughts.finish().doc().root().members() {
        object.raw(&key.as_str().unwrap_or_default(), &Raw::of(value));
    }
    object.optional_string("refusal", refusal.map(|text| text.as_str()));
    if has_calls {
        object.raw("tool_calls", &calls.finish());
    }
    results.insert(leading, with_rest(object, &message.rest, &[]));
    Ok(results)
}

pub(super) fn role_of(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}

fn null() -> Raw {
    Raw::parse("null").unwrap_or_else(|_| Object::new().finish())
}

fn text_part(text: &Text) -> Raw {
    let mut part = typed("text");
    part.text("text", text);
    part.finish()
}

fn image_part(entry: &Entry, image: &Image) -> Result<Raw, ExportError> {
    let Some(url) = url_of(image) else {
        let what = "an image whose bytes are elsewhere";
        return Err(ExportError::CannotCarry { entry: entry.id.clone(), what });
    };
    let mut inner = Object::new();
    inner.text("url", &url);
    let mut part = typed("image_url");
    part.raw("image_url", &with_rest(inner, &image.rest, &[]));
    Ok(part.finish())
}

/// A thought goes back under the key it came under; one of another API has no place here.
fn reasoning(out: &mut Object, thought: &Reasoning) -> bool {
    let proof = thought.proof.as_deref().filter(|proof| &*proof.issuer.api == API);
    let details = proof.filter(|proof| proof.kind.as_str() == "reasoning_details");
    let details = details.map(|proof| &proof.sealed);
    let details = details.or(thought.rest.get("reasoning_details"));
    let key = thought.rest.get(KEY).and_then(|key| key.doc().root().to_text());
    if let Some(key) = &key {
        out.text(key, &thought.reasoning);
    }
    out.optional_raw("reasoning_details", details);
    key.is_some() || details.is_some()
}

fn result_of(entry: &Entry, result: &ToolResult) -> Result<Raw, ExportError> {
    let mut object = Object::new();
    object.string("role", "tool").text("tool_call_id", &result.tool_use_id);
    match &*failure::told(result) {
        [] => object.string("content", ""),
        [ResultPart::Text(text)] => object.text("content", text),
        content => {
            let mut parts = Array::new();
            for part in content {
                parts.raw(&match part {
                    ResultPart::Text(text) => text_part(text),
                    ResultPart::Image(image) => image_part(entry, image)?,
                    ResultPart::Opaque(block) if !origin::may_be_of(block, API) => continue,
                    ResultPart::Opaque(block) => block.raw.clone(),
                });
            }
            object.raw("content", &parts.finish())
        }
    };
    Ok(with_rest(object, &result.rest, &[]))
}
