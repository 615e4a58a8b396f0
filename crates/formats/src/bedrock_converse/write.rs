//! A record written as a request body.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{
    Block, Entry, Image, ImageSource, Message, OpaqueBlock, ProofKind, Reasoning, Record,
    ResultPart, Role, TextBlock, ToolResult, ToolUse,
};
use wire::bedrock_converse::CONTENT_AS_WRITTEN;

use super::tools::{self, under};
use super::{API, DOCUMENT};
use crate::Format;
use crate::anthropic::write::input_of;
use crate::error::ExportError;
use crate::handoff;
use crate::origin;
use crate::rest::with_rest;
use crate::written::{Written, parameters};

const FORMAT: Format = Format::BedrockConverse;

/// The member of a body that holds its tools, and how one of them is to be chosen.
const TOOL_CONFIG: &str = "toolConfig";

/// Writes the main branch as a body; the document it came from where it is unchanged.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    if let Some(document) = origin::unchanged_document(record, FORMAT, DOCUMENT) {
        return Ok(document);
    }
    let written = Written::of(record, message_of, handoff::message)?;
    Ok(body_of(&written).as_str().as_bytes().to_vec())
}

fn body_of(written: &Written) -> Raw {
    let mut object = Object::new();
    let ours = written.sent_over(API);
    if let Some(sent) = ours {
        if !sent.target.model.is_empty() {
            object.text("modelId", &sent.target.model);
        }
        let all = parameters(sent).into_iter();
        for (name, value) in all.filter(|(name, _)| name.as_str() != TOOL_CONFIG) {
            object.raw(&name, &value);
        }
    }
    if let Some(tools) = written.head.as_ref().and_then(tools::written) {
        let config = ours.and_then(|sent| sent.rest.get(TOOL_CONFIG));
        object.raw(TOOL_CONFIG, &config_of(config, &tools));
    }
    let system: Vec<Raw> = written.system().map(text_block).collect();
    if !system.is_empty() {
        object.raw("system", &Array::of(&system));
    }
    object.raw("messages", &Array::of(written.messages()));
    object.finish()
}

/// The tools, and what stood beside them.
fn config_of(before: Option<&Raw>, tools: &Raw) -> Raw {
    let mut object = Object::new();
    object.raw("tools", tools);
    if let Some(before) = before {
        for (key, value) in before.doc().root().members() {
            if let Some(key) = key.as_str().filter(|key| key != "tools") {
                object.raw(&key, &Raw::of(value));
            }
        }
    }
    object.finish()
}

/// A message as the API writes it; `None` where it holds nothing the API would take.
fn message_of(entry: &Entry, message: &Message) -> Result<Option<Raw>, ExportError> {
    let blocks = message.blocks.iter().filter_map(|block| block_of(entry, block).transpose());
    let blocks = blocks.collect::<Result<Vec<Raw>, ExportError>>()?;
    if blocks.is_empty() && !message.blocks.is_empty() {
        return Ok(None);
    }
    let mut object = Object::new();
    object.string(
        "role",
        match message.role {
            Role::System => "system",
            Role::User | Role::Tool => "user",
            Role::Assistant => "assistant",
        },
    );
    object.raw("content", &Array::of(&blocks));
    Ok(Some(with_rest(object, &message.rest, &[])))
}

/// A block; `None` for what another API issued, which this one would refuse.
fn block_of(entry: &Entry, block: &Block) -> Result<Option<Raw>, ExportError> {
    Ok(Some(match block {
        Block::Text(text) => text_of(text),
        Block::ToolUse(call) => call_of(call),
        Block::ToolResult(result) => result_of(entry, result)?,
        Block::Reasoning(thought) => return Ok(thought_of(thought)),
        Block::Image(image) => image_of(entry, image)?,
        Block::SystemChange(_) => {
            let (entry, what) = (entry.id.clone(), "a change of tools or system text");
            return Err(ExportError::CannotCarry { entry, what });
        }
        Block::Opaque(block) => return Ok(native_of(block)),
    }))
}

fn text_block(text: &Text) -> Raw {
    let mut object = Object::new();
    object.text("text", text);
    object.finish()
}

/// A text; one that cites holds what it cites beside it.
fn text_of(text: &TextBlock) -> Raw {
    let Some(citations) = text.rest.get("citations") else { return text_block(&text.text) };
    let mut object = Object::new();
    object.raw("content", &Array::of([&text_block(&text.text)]));
    object.raw("citations", citations);
    under("citationsContent", &object.finish())
}

fn call_of(call: &ToolUse) -> Raw {
    let mut object = Object::new();
    object.text("toolUseId", &call.id).text("name", &call.name);
    object.raw("input", &input_of(&call.input));
    under("toolUse", &with_rest(object, &call.rest, &["caller"]))
}

/// A thought of this API's: any other would be refused, and with it the whole session.
fn thought_of(thought: &Reasoning) -> Option<Raw> {
    let proof = thought.proof.as_deref();
    if proof.is_some_and(|proof| &*proof.issuer.api != API) {
        return None;
    }
    let sealed = |kind: ProofKind| proof.filter(|proof| proof.kind == kind).map(|p| &p.sealed);
    let inner = if let Some(content) = sealed(ProofKind::Redacted) {
        let mut object = Object::new();
        object.raw("redactedContent", content);
        with_rest(object, &thought.rest, &[])
    } else {
        let mut object = Object::new();
        object.text("text", &thought.reasoning);
        object.optional_raw("signature", sealed(ProofKind::Signature));
        under("reasoningText", &with_rest(object, &thought.rest, &[]))
    };
    Some(under("reasoningContent", &inner))
}

fn result_of(entry: &Entry, result: &ToolResult) -> Result<Raw, ExportError> {
    let as_written = result.rest.get(CONTENT_AS_WRITTEN);
    let content = match as_written {
        Some(content) => content.clone(),
        None => {
            let mut parts = Array::new();
            for part in &result.content {
                match part {
                    ResultPart::Text(text) => parts.raw(&text_block(text)),
                    ResultPart::Image(image) => parts.raw(&image_of(entry, image)?),
                    ResultPart::Opaque(block) => match native_of(block) {
                        Some(raw) => parts.raw(&raw),
                        None => continue,
                    },
                };
            }
            parts.finish()
        }
    };
    let mut object = Object::new();
    object.text("toolUseId", &result.tool_use_id).raw("content", &content);
    if result.is_error {
        object.string("status", "error");
    }
    Ok(under("toolResult", &with_rest(object, &result.rest, &[CONTENT_AS_WRITTEN])))
}

/// A block of another kind that is of this API's shape: an object with one member.
fn native_of(block: &OpaqueBlock) -> Option<Raw> {
    let is_one = block.raw.doc().root().members().count() == 1;
    (is_one && origin::may_be_of(block, API)).then(|| block.raw.clone())
}

fn image_of(entry: &Entry, image: &Image) -> Result<Raw, ExportError> {
    let ImageSource::Base64(data) = image.source() else {
        let what = "an image whose bytes are elsewhere";
        return Err(ExportError::CannotCarry { entry: entry.id.clone(), what });
    };
    let mut source = Object::new();
    source.text("bytes", data);
    let mut object = Object::new();
    let format = image.media_type().strip_prefix("image/").unwrap_or(image.media_type());
    object.string("format", format).raw("source", &source.finish());
    Ok(under("image", &with_rest(object, &image.rest, &[])))
}
