//! A record written as a request body.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{Block, Entry, Message, Record, Role};

use super::{API, DOCUMENT, tools};
use crate::Format;
use crate::anthropic::write::input_of;
use crate::error::ExportError;
use crate::gemini_cli::write::{image_of, refuse, returned, signed};
use crate::origin;
use crate::rest::with_rest;
use crate::written::{Written, begin};

const FORMAT: Format = Format::Gemini;

/// Writes the main branch as a body; the document it came from where it is unchanged.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    if let Some(document) = origin::unchanged_document(record, FORMAT, DOCUMENT) {
        return Ok(document);
    }
    let written = Written::of(record, contents_of, |by_user, handoff| {
        let part = text_part(handoff).finish();
        content(if by_user { "user" } else { "model" }, [&part]).finish()
    })?;
    Ok(body_of(&written).as_str().as_bytes().to_vec())
}

fn body_of(written: &Written) -> Raw {
    let mut object = begin(written.sent_over(API));
    object.optional_raw("tools", written.head.as_ref().and_then(tools::written).as_ref());
    let parts: Vec<Raw> = written.system().map(|text| text_part(text).finish()).collect();
    if !parts.is_empty() {
        let mut instruction = Object::new();
        instruction.raw("parts", &Array::of(&parts));
        object.raw("systemInstruction", &instruction.finish());
    }
    object.raw("contents", &Array::of(written.messages()));
    object.finish()
}

/// The contents of a row: what functions responded, and what else is said, each its own.
fn contents_of(entry: &Entry, message: &Message) -> Result<Vec<Raw>, ExportError> {
    let (mut parts, mut responses) = (Vec::new(), Vec::new());
    for block in &message.blocks {
        match block {
            Block::Text(text) => {
                parts.push(signed(text_part(&text.text), &text.proof));
            }
            Block::Reasoning(thought) => {
                let mut part = text_part(&thought.reasoning);
                part.bool("thought", true);
                parts.push(signed(part, &thought.proof));
            }
            Block::ToolUse(call) => {
                let mut function = Object::new();
                function.text("id", &call.id).text("name", &call.name);
                function.raw("args", &input_of(&call.input));
                let mut part = Object::new();
                part.raw("functionCall", &function.finish());
                parts.push(signed(part, &call.proof));
            }
            Block::ToolResult(result) => {
                let written = returned(entry, result)?;
                responses.extend(written.doc().root().items().map(Raw::of));
            }
            Block::Image(image) => parts.push(image_of(entry, image)?),
            Block::SystemChange(_) => return refuse(entry, "a change of tools or system text"),
            Block::Opaque(block) if !origin::may_be_of(block, API) => {}
            Block::Opaque(block) => parts.push(block.raw.clone()),
        }
    }
    let role = match message.role {
        Role::System => return refuse(entry, "a system message"),
        Role::User | Role::Tool => "user",
        Role::Assistant => "model",
    };
    let mut contents = Vec::new();
    if !responses.is_empty() {
        contents.push(content("user", &responses).finish());
    }
    if !parts.is_empty() {
        let own = with_rest(content(role, &parts), &message.rest, &[]);
        let first = usize::from(!responses.is_empty() && message.role != Role::Assistant);
        contents.insert(first, own);
    }
    Ok(contents)
}

fn content<'r>(role: &str, parts: impl IntoIterator<Item = &'r Raw>) -> Object {
    let mut object = Object::new();
    object.string("role", role).raw("parts", &Array::of(parts));
    object
}

fn text_part(text: &Text) -> Object {
    let mut part = Object::new();
    part.text("text", text);
    part
}
