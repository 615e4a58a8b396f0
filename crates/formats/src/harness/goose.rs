//! Sessions of Goose: a line about the session, then a message a line; newer versions export one
//! document of them.
//!
//! Calls and results are blocks of their own kinds, each with the outcome of reading or running it.
//! A message that is not for the model (a compaction replaced it) stands beside the path.
#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use json::{Array, Kind, Object, Raw, Value};
use record::{
    Block, Entry, Image, ImageSource, Input, Issuer, OpaqueBlock, Proof, ProofKind, Reasoning,
    Rest, ResultPart, Role, ToolResult, ToolUse,
};

use super::message::{is_long, line_of, reply, said, text};
use super::rows::{Piece, Row};
use super::session::Session;
use super::{Harness, New};
use crate::error::ExportError;
use crate::places::Places;
use crate::report::Place;
use crate::rest::typed;
use crate::source::one_line;
use crate::{Format, anthropic, instant, picture};

pub(super) const HARNESS: Harness = Harness {
    format: Format::Goose,
    is_line,
    is_document: |root| is_list(root.get("conversation")) && root.get("working_dir").is_some(),
    line,
    document,
    list: &[&["conversation"]],
    write: |rows| rows.iter().filter(|row| !row.is_head()).map(message).collect(),
    new: New::Lines(header),
};

fn is_list(value: Option<Value<'_, '_>>) -> bool {
    value.is_some_and(|value| value.kind() == Kind::Array)
}

fn is_line(line: Value<'_, '_>) -> bool {
    let has = |name: &str| line.get(name).is_some();
    if has("working_dir") {
        return has("message_count") || has("description");
    }
    let counted = line.get("created").is_some_and(|created| created.kind() == Kind::Number);
    counted && has("role") && is_list(line.get("content"))
}

fn line(session: &mut Session, line: Value<'_, '_>, place: Place) -> Option<usize> {
    if line.get("role").is_none() {
        about(session, line);
        session.aside("session".into(), line_of(None, None, place));
        return None;
    }
    read(session, line, place);
    None
}

fn document(session: &mut Session, root: Value<'_, '_>, places: &mut Places<'_>) {
    about(session, root);
    for message in root.get("conversation").into_iter().flat_map(Value::items) {
        read(session, message, places.of(message));
    }
}

fn about(session: &mut Session, session_line: Value<'_, '_>) {
    let title = text(session_line, "description").or_else(|| text(session_line, "name"));
    let title = title.filter(|title| !title.is_empty());
    session.title = title.map(|title| title.as_str().to_owned()).or(session.title.take());
}

fn read(session: &mut Session, message: Value<'_, '_>, place: Place) -> usize {
    let time = message.get("created").and_then(instant::text_of);
    let line = line_of(text(message, "id"), time, place);
    let visible = message.get("metadata").and_then(|about| about.get("agentVisible")?.as_bool());
    if visible == Some(false) {
        return session.keep_aside("a message that is not for the model", line);
    }
    let role = text(message, "role").unwrap_or_default();
    let content = message.get("content").filter(|content| content.kind() == Kind::Array);
    let Some(content) = content.filter(|content| !is_long(*content)) else {
        return session.unread("message", line);
    };
    let issuer = session.issuer("anthropic_messages");
    let blocks = content.items().filter_map(|block| self::block(session, block, &issuer, place));
    let blocks: Vec<Block> = blocks.collect();
    match &*role {
        "assistant" => session.row(reply(blocks, &issuer), line),
        "user" => session.row(said(blocks), line),
        _ => session.unread("message", line),
    }
}

/// A block; `None` for what was said to the person alone.
fn block(
    session: &mut Session,
    block: Value<'_, '_>,
    issuer: &Arc<Issuer>,
    place: Place,
) -> Option<Block> {
    let kind = text(block, "type").unwrap_or_default();
    let read = match &*kind {
        "text" => text(block, "text").map(Block::text),
        "image" => image(session, block, place).map(Block::Image),
        "toolRequest" | "frontendToolRequest" => call(block),
        "toolResponse" => Some(Block::ToolResult(result(session, block, place))),
        "thinking" | "redactedThinking" => thought(block, issuer),
        "reasoning" => text(block, "text").map(|reasoning| {
            Block::Reasoning(Reasoning { reasoning, proof: None, rest: Rest::default() })
        }),
        "contextLengthExceeded"
        | "summarizationRequested"
        | "conversationCompacted"
        | "systemNotification"
        | "toolConfirmationRequest"
        | "actionRequired" => {
            session.chain.report.keep_aside(&format!("block {kind}"), place);
            return None;
        }
        _ => None,
    };
    Some(read.unwrap_or_else(|| {
        session.unread_block(&kind, place);
        Block::Opaque(OpaqueBlock { kind, raw: one_line(block), proof: None })
    }))
}

fn image(session: &mut Session, value: Value<'_, '_>, place: Place) -> Option<Image> {
    let image = Image::new(text(value, "mimeType")?, ImageSource::Base64(text(value, "data")?));
    let known = ["mimeType", "data", "annotations"];
    Some(picture::read(image, value, &known, &mut session.chain.report, place))
}

fn call(block: Value<'_, '_>) -> Option<Block> {
    let call = block.get("toolCall")?;
    let call = call.get("value").unwrap_or(call);
    let input = call.get("arguments").filter(|input| !input.is_null());
    Some(Block::ToolUse(ToolUse {
        id: text(block, "id")?,
        name: text(call, "name")?,
        input: input.map_or_else(|| Input::new("".into()), Input::of_value),
        proof: None,
        rest: Rest::default(),
    }))
}

fn result(session: &mut Session, block: Value<'_, '_>, place: Place) -> ToolResult {
    let outcome = block.get("toolResult");
    let value = outcome.and_then(|outcome| outcome.get("value"));
    let error = outcome.and_then(|outcome| text(outcome, "error"));
    let failed = value.and_then(|value| value.get("isError")?.as_bool()).unwrap_or(error.is_some());
    let parts = value.map(|value| value.get("content").unwrap_or(value));
    let mut content = Vec::new();
    for part in parts.into_iter().flat_map(Value::items) {
        let embedded = part.get("resource").and_then(|resource| text(resource, "text"));
        content.push(match (text(part, "text").or(embedded), image(session, part, place)) {
            (Some(text), _) => ResultPart::Text(text),
            (None, Some(image)) => ResultPart::Image(image),
            (None, None) => {
                let kind = text(part, "type").unwrap_or_default();
                ResultPart::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
            }
        });
    }
    content.extend(error.map(ResultPart::Text));
    ToolResult {
        tool_use_id: text(block, "id").unwrap_or_default(),
        tool_name: "".into(),
        content,
        is_error: failed,
        rest: Rest::default(),
    }
}

fn thought(block: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Block> {
    let sealed = |name: &str| {
        let sealed = block.get(name).filter(|sealed| sealed.kind() == Kind::String)?;
        (sealed.raw() != "\"\"").then(|| one_line(sealed))
    };
    let proof = |kind, sealed: Raw| {
        Box::new(Proof { issuer: Arc::clone(issuer), kind, version: 1, sealed })
    };
    let proof = match sealed("data") {
        Some(data) => Some(proof(ProofKind::Redacted, data)),
        None => sealed("signature").map(|sealed| proof(ProofKind::Signature, sealed)),
    };
    let reasoning = text(block, "thinking");
    let reasoning = if proof.is_some() { reasoning.or(Some("".into())) } else { reasoning };
    Some(Block::Reasoning(Reasoning { reasoning: reasoning?, proof, rest: Rest::default() }))
}

fn header(first: &Entry) -> Vec<Raw> {
    let mut header = Object::new();
    header.string("working_dir", "").string("description", first.id.as_str());
    header.number("message_count", 0);
    vec![header.finish()]
}

fn message(row: &Row<'_>) -> Result<Raw, ExportError> {
    let mut content = Array::new();
    for piece in row.pieces()? {
        content.raw(&match piece {
            Piece::Text(said) => {
                let mut block = typed("text");
                block.text("text", &said.text);
                block.finish()
            }
            Piece::Image(image) => {
                let mut block = typed("image");
                block.text("data", row.bytes_of(image)?).text("mimeType", image.media_type());
                block.finish()
            }
            Piece::Thought(thought) => written_thought(thought),
            Piece::Call(call) => {
                let (mut block, mut outcome) = (typed("toolRequest"), Object::new());
                let mut value = Object::new();
                value.text("name", &call.name);
                value.raw("arguments", &anthropic::write::input_of(&call.input));
                outcome.string("status", "success").raw("value", &value.finish());
                block.text("id", &call.id).raw("toolCall", &outcome.finish());
                block.finish()
            }
            Piece::Result(result) => {
                let (mut block, mut outcome) = (typed("toolResponse"), Object::new());
                outcome.string("status", "success").raw("value", &written_result(row, result)?);
                block.text("id", &result.tool_use_id).raw("toolResult", &outcome.finish());
                block.finish()
            }
            Piece::Opaque(raw) => raw.clone(),
        });
    }
    let role = match row.message.role {
        Role::Assistant => "assistant",
        Role::User | Role::Tool => "user",
        Role::System => return row.refuse("a system message"),
    };
    let mut message = Object::new();
    message.string("id", row.entry.id.as_str()).string("role", role);
    message.number("created", instant::milliseconds(row.entry.time.as_deref()) / 1000);
    message.raw("content", &content.finish());
    Ok(message.finish())
}

fn written_thought(thought: &Reasoning) -> Raw {
    let ours = |proof: &&Proof| proof.issuer.api.as_str() == anthropic::block::API;
    let proof = thought.proof.as_deref().filter(ours);
    if let Some(redacted) = proof.filter(|proof| proof.kind == ProofKind::Redacted) {
        let mut block = typed("redactedThinking");
        block.raw("data", &redacted.sealed);
        return block.finish();
    }
    let signature = proof.filter(|proof| proof.kind == ProofKind::Signature);
    let mut block = typed("thinking");
    block.text("thinking", &thought.reasoning);
    match signature {
        Some(proof) => block.raw("signature", &proof.sealed),
        None => block.string("signature", ""),
    };
    block.finish()
}

/// The parts of a result; with its mark where the call failed.
fn written_result(row: &Row<'_>, result: &ToolResult) -> Result<Raw, ExportError> {
    let mut parts = Array::new();
    for part in &result.content {
        parts.raw(&match part {
            ResultPart::Text(told) => {
                let mut part = typed("text");
                part.text("text", told);
                part.finish()
            }
            ResultPart::Image(image) => {
                let mut part = typed("image");
                part.text("data", row.bytes_of(image)?).text("mimeType", image.media_type());
                part.finish()
            }
            ResultPart::Opaque(block) => block.raw.clone(),
        });
    }
    if !result.is_error {
        return Ok(parts.finish());
    }
    let mut value = Object::new();
    value.raw("content", &parts.finish()).bool("isError", true);
    Ok(value.finish())
}
