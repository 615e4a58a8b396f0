//! A record written as a neutral history.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{
    Block, Entry, Fact, Head, Image, ImageSource, InputClass, Message, ProofKind, Reasoning,
    Record, ResultPart, Role, Source, ToolResult, ToolUse,
};

use super::{APIS, DOCUMENT};
use crate::Format;
use crate::error::ExportError;
use crate::origin;
use crate::rest::{typed, with_rest};

const FORMAT: Format = Format::NeutralHistory;

/// Writes lines: those the record came from, then one for each entry of the main branch without.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    if let Some(document) = origin::unchanged_document(record, FORMAT, DOCUMENT) {
        return Ok(document);
    }
    let format = FORMAT.name();
    let mut out = origin::lines(record, format);
    for entry in record.branch_path("main") {
        if origin::of(&entry, format).is_some() {
            continue;
        }
        if let Some(line) = line_of(&entry)? {
            origin::end_line(&mut out);
            out.extend_from_slice(line.as_str().as_bytes());
            out.push(b'\n');
        }
    }
    if out.is_empty() { Err(ExportError::NothingToWrite) } else { Ok(out) }
}

fn line_of(entry: &Entry) -> Result<Option<Raw>, ExportError> {
    match &entry.fact {
        Fact::Head(head) => Ok(Some(header_of(head))),
        Fact::Message(message) => message_of(entry, message).map(Some),
        Fact::Compaction(_) => {
            let (entry, what) = (entry.id.clone(), "a compaction");
            Err(ExportError::CannotCarry { entry, what })
        }
        Fact::CallStarted(_) | Fact::Sent(_) | Fact::Retracted(_) | Fact::Opaque(_) => Ok(None),
    }
}

fn header_of(head: &Head) -> Raw {
    let head = head.head.as_deref().cloned().unwrap_or_default();
    let mut object = Object::new();
    object.string("kind", "header").number("v", 1).string("name", "");
    object.string("system", &head.system.iter().map(Text::as_str).collect::<Vec<_>>().join("\n"));
    object.raw("tools", &Array::of(head.tools.iter().map(record::ToolDefinition::wire)));
    object.finish()
}

fn message_of(entry: &Entry, message: &Message) -> Result<Raw, ExportError> {
    let mut object = Object::new();
    if let [Block::SystemChange(change)] = message.blocks.as_slice() {
        object.string("kind", "tools");
        object.raw("added", &Array::of(change.define_tools.iter().map(|tool| tool.wire())));
        object.raw("removed", &Array::of_strings(change.remove_tools.iter().map(Text::as_str)));
        return Ok(object.finish());
    }
    object.string("kind", "msg").string("role", role_of(message.role));
    if let Some(Source::Model { platform, api, model, .. }) = &message.source {
        let theirs = APIS.iter().find(|(ours, _)| *ours == api.as_str());
        object.text("provider", platform);
        object.string("api", theirs.map_or(api.as_str(), |(_, theirs)| theirs));
        object.text("model", model);
    }
    if let Some(native) = message.stop.as_ref().and_then(|stop| stop.native.as_ref()) {
        object.text("stop", native);
    }
    let mut blocks = Array::new();
    for block in &message.blocks {
        blocks.raw(&block_of(entry, block)?);
    }
    object.raw("blocks", &blocks.finish());
    Ok(with_rest(object, &message.rest, &[]))
}

fn role_of(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}

fn block_of(entry: &Entry, block: &Block) -> Result<Raw, ExportError> {
    Ok(match block {
        Block::Text(text) => {
            let mut object = typed("text");
            object.text("text", &text.text);
            with_rest(object, &text.rest, &[])
        }
        Block::ToolUse(call) => call_of(call),
        Block::ToolResult(result) => result_of(entry, result)?,
        Block::Reasoning(thought) => reasoning_of(thought),
        Block::Image(image) => image_of(entry, image)?,
        Block::SystemChange(_) => {
            let (entry, what) = (entry.id.clone(), "a change of the head among other blocks");
            return Err(ExportError::CannotCarry { entry, what });
        }
        Block::Opaque(block) => block.raw.clone(),
    })
}

fn call_of(call: &ToolUse) -> Raw {
    let mut object = typed("tool_use");
    object.text("id", &call.id).text("name", &call.name);
    match (call.input.class(), Raw::parse(call.input.text())) {
        (InputClass::Object, Ok(raw)) => object.raw("input", &raw),
        (InputClass::Object | InputClass::Empty | InputClass::Malformed, _) => {
            object.text("input_raw", call.input.text())
        }
    };
    with_rest(object, &call.rest, &[])
}

fn reasoning_of(thought: &Reasoning) -> Raw {
    let mut object = typed("reasoning");
    object.text("text", &thought.reasoning);
    if let Some(proof) = thought.proof.as_deref() {
        let name = match &proof.kind {
            ProofKind::Signature | ProofKind::Redacted | ProofKind::Encrypted => {
                proof.kind.as_str()
            }
            ProofKind::ItemId => "id",
            ProofKind::Native | ProofKind::Other(_) => "proof",
        };
        object.raw(name, &proof.sealed);
    }
    object.optional_raw("id", thought.rest.get("id"));
    object.finish()
}

fn result_of(entry: &Entry, result: &ToolResult) -> Result<Raw, ExportError> {
    let mut parts = Array::new();
    for part in &result.content {
        parts.raw(&match part {
            ResultPart::Text(text) => {
                let mut object = typed("text");
                object.text("text", text);
                object.finish()
            }
            ResultPart::Image(image) => image_of(entry, image)?,
            ResultPart::Opaque(block) => block.raw.clone(),
        });
    }
    let mut object = typed("tool_result");
    object.text("call_id", &result.tool_use_id).text("name", &result.tool_name);
    object.bool("is_error", result.is_error).raw("content", &parts.finish());
    Ok(with_rest(object, &result.rest, &[]))
}

fn image_of(entry: &Entry, image: &Image) -> Result<Raw, ExportError> {
    let ImageSource::Base64(data) = image.source() else {
        let what = "an image whose bytes are elsewhere";
        return Err(ExportError::CannotCarry { entry: entry.id.clone(), what });
    };
    let mut object = typed("image");
    object.text("media_type", image.media_type()).text("data", data);
    Ok(with_rest(object, &image.rest, &[]))
}
