//! A record written as a request body, and its messages as the API writes them.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{
    Block, Entry, Image, ImageSource, Input, InputClass, Message, ProofKind, Reasoning, Record,
    ResultPart, Role, Source, ToolDefinition, ToolResult,
};
use wire::anthropic_messages::typed_tools::is_typed_tool;

use super::DOCUMENT;
use super::block::API;
use crate::Format;
use crate::error::ExportError;
use crate::handoff;
use crate::origin;
use crate::rest::{typed, with_rest};
use crate::written::{Written, parameters};

const FORMAT: Format = Format::AnthropicMessages;

/// Writes the main branch as a body; the document it came from where it is unchanged.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    if let Some(document) = origin::unchanged_document(record, FORMAT, DOCUMENT) {
        return Ok(document);
    }
    let write = |entry: &Entry, message: &Message| message_of(entry, message, &[]);
    let written = Written::of(record, write, handoff::message)?;
    Ok(body_of(&written).as_str().as_bytes().to_vec())
}

fn body_of(written: &Written) -> Raw {
    let mut object = Object::new();
    if let Some(sent) = &written.sent {
        if !sent.target.model.is_empty() {
            object.text("model", &sent.target.model);
        }
        // The parameters of another API mean nothing here.
        let ours = (&*sent.target.dialect == API).then(|| parameters(sent));
        for (name, value) in ours.into_iter().flatten() {
            object.raw(&name, &value);
        }
    }
    let head = written.head.as_ref().and_then(|head| head.head.as_deref());
    let tools = head.map_or(&[][..], |head| &head.tools);
    let is_own = |tool: &&ToolDefinition| tool.typed().is_none_or(|kind| is_typed_tool(&kind));
    let tools: Vec<_> = tools.iter().filter(is_own).map(ToolDefinition::wire).collect();
    if !tools.is_empty() {
        object.raw("tools", &Array::of(tools));
    }
    let blocks: Vec<Raw> = written.system().map(text_block).collect();
    if !blocks.is_empty() {
        object.raw("system", &Array::of(&blocks));
    }
    object.raw("messages", &Array::of(written.messages()));
    object.finish()
}

/// A message as the API writes it, with more members after role and content; `None` where it holds
/// nothing the API would take.
pub(crate) fn message_of(
    entry: &Entry,
    message: &Message,
    more: &[(&str, &Text)],
) -> Result<Option<Raw>, ExportError> {
    let blocks =
        message.blocks.iter().filter_map(|block| block_of(entry, message, block).transpose());
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
    for (name, value) in more {
        object.text(name, value);
    }
    Ok(Some(object.finish()))
}

/// A block; `None` for what another API issued, which this one would refuse.
fn block_of(entry: &Entry, message: &Message, block: &Block) -> Result<Option<Raw>, ExportError> {
    Ok(Some(match block {
        Block::Text(text) => {
            let mut object = typed("text");
            object.text("text", &text.text);
            with_rest(object, &text.rest, &[])
        }
        Block::ToolUse(call) => {
            let mut object = typed("tool_use");
            object.text("id", &call.id).text("name", &call.name);
            object.raw("input", &input_of(&call.input));
            with_rest(object, &call.rest, &[])
        }
        Block::ToolResult(result) => result_of(entry, result)?,
        Block::Reasoning(thought) => return Ok(reasoning_of(message, thought)),
        Block::Image(image) => image_of(entry, image)?,
        Block::SystemChange(_) => {
            let (entry, what) = (entry.id.clone(), "a change of tools or system text");
            return Err(ExportError::CannotCarry { entry, what });
        }
        Block::Opaque(block) if !origin::may_be_of(block, API) => return Ok(None),
        Block::Opaque(block) => block.raw.clone(),
    }))
}

fn text_block(text: &Text) -> Raw {
    let mut object = typed("text");
    object.text("text", text);
    object.finish()
}

/// Arguments as an object; what is none is kept readable inside one.
pub(crate) fn input_of(input: &Input) -> Raw {
    match (input.class(), Raw::parse(input.text())) {
        (InputClass::Object, Ok(raw)) => raw,
        (InputClass::Empty, _) => Object::new().finish(),
        (InputClass::Object | InputClass::Malformed, _) => {
            let mut object = Object::new();
            object.text("_unparsed_arguments", input.text());
            object.finish()
        }
    }
}

/// A thought that is this API's own: any other would be refused, and with it the whole session.
fn reasoning_of(message: &Message, thought: &Reasoning) -> Option<Raw> {
    let proof = thought.proof.as_deref();
    let is_own = match (proof, &message.source) {
        (Some(proof), _) => &*proof.issuer.api == API,
        // It came without a signature, and is given back so.
        (None, Some(Source::Model { api, .. })) => &**api == API,
        (None, _) => false,
    };
    if !is_own {
        return None;
    }
    let sealed = |kind: ProofKind| proof.filter(|proof| proof.kind == kind).map(|p| &p.sealed);
    if let Some(data) = sealed(ProofKind::Redacted) {
        let mut object = typed("redacted_thinking");
        object.raw("data", data);
        return Some(with_rest(object, &thought.rest, &[]));
    }
    let mut object = typed("thinking");
    object.text("thinking", &thought.reasoning);
    match sealed(ProofKind::Signature) {
        Some(signature) => object.raw("signature", signature),
        None => object.string("signature", ""),
    };
    Some(with_rest(object, &thought.rest, &[]))
}

fn result_of(entry: &Entry, result: &ToolResult) -> Result<Raw, ExportError> {
    let mut object = typed("tool_result");
    object.text("tool_use_id", &result.tool_use_id);
    if let [ResultPart::Text(text)] = result.content.as_slice() {
        object.text("content", text);
    } else {
        let mut parts = Array::new();
        for part in &result.content {
            parts.raw(&match part {
                ResultPart::Text(text) => text_block(text),
                ResultPart::Image(image) => image_of(entry, image)?,
                ResultPart::Opaque(block) if !origin::may_be_of(block, API) => continue,
                ResultPart::Opaque(block) => block.raw.clone(),
            });
        }
        object.raw("content", &parts.finish());
    }
    if result.is_error {
        object.bool("is_error", true);
    }
    Ok(with_rest(object, &result.rest, &[]))
}

fn image_of(entry: &Entry, image: &Image) -> Result<Raw, ExportError> {
    let mut source = Object::new();
    match image.source() {
        ImageSource::Base64(data) => {
            source.string("type", "base64");
            source.text("media_type", image.media_type()).text("data", data);
        }
        ImageSource::Url(url) => {
            source.string("type", "url").text("url", url);
        }
        ImageSource::File(file) => {
            source.string("type", "file").text("file_id", file);
        }
        ImageSource::Blob(_) => {
            let what = "an image whose bytes are in a store";
            return Err(ExportError::CannotCarry { entry: entry.id.clone(), what });
        }
    }
    let mut object = typed("image");
    object.raw("source", &source.finish());
    Ok(with_rest(object, &image.rest, &[]))
}
