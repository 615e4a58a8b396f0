//! Session logs of DeepSeek Harness (`dsh`): a line about the session, then an event a line, of
//! which messages and results are what a model is shown.
//!
//! An event that replaces others names them: a person's side one is a compaction, and what it does
//! not name is kept. Its files are compressed; it is the log inside that is read.
#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use json::{Array, Kind, Object, Raw, Text, Value};
use record::{
    Block, Entry, EntryId, Input, Issuer, OpaqueBlock, Reasoning, Rest, ResultPart, Role,
    ToolResult, ToolUse, Usage,
};

use super::message::{is_long, line_of, reply, result_part, returned, said, text, told};
use super::rows::{Piece, Row, Rows};
use super::session::Session;
use super::{Harness, New, no_document};
use crate::chain::Line;
use crate::error::ExportError;
use crate::openai_chat::API;
use crate::report::Place;
use crate::rest::typed;
use crate::source::one_line;
use crate::{Format, instant};

pub(super) const HARNESS: Harness = Harness {
    format: Format::DeepSeekHarness,
    is_line,
    is_document: super::never,
    line,
    document: no_document,
    list: &[],
    write,
    new: New::Lines(header),
};

fn is_line(line: Value<'_, '_>) -> bool {
    let has = |name: &str| line.get(name).is_some();
    let kind = line.get_str("type").unwrap_or_default();
    match &*kind {
        "session" => has("createdAt") && has("version"),
        kind => kind.contains('/') && has("seq") && has("data"),
    }
}

fn line(session: &mut Session, line: Value<'_, '_>, place: Place) -> Option<usize> {
    let kind = text(line, "type").unwrap_or_default();
    let id = line.get("seq").map(|seq| seq.raw().into());
    let row = line_of(id, line.get("time").and_then(instant::text_of), place);
    let Some(data) = line.get("data") else {
        session.aside(kind, row);
        return None;
    };
    let message = data.get("message").unwrap_or(data);
    match &*kind {
        "user/message" => asked(session, line, message, row),
        "assistant/message" if replaced(line).is_some() => {
            session.keep_aside("a reply in place of others", row);
        }
        "assistant/message" => answered(session, data, message, row),
        "tool/result" => result(session, message, row),
        "tool/call" => return called(session, data, row),
        "request/header" => {
            let config = data.get("header").and_then(|header| header.get("config"));
            session.platform = config.and_then(|c| text(c, "provider")).unwrap_or_default();
            session.model = config.and_then(|config| text(config, "model")).unwrap_or_default();
            session.aside(kind, row);
        }
        "session/title" => {
            session.title = text(data, "title").map(|title| title.as_str().to_owned());
            session.aside(kind, row);
        }
        _ => {
            session.aside(kind, row);
        }
    }
    None
}

/// The events in whose place one stands.
fn replaced(event: Value<'_, '_>) -> Option<Vec<Text>> {
    let replaces = event.get("surfaceOp").is_some_and(|op| op.kind() == Kind::Object);
    let seqs = event.get("sourceEventSeqs").into_iter().flat_map(Value::items);
    replaces.then(|| seqs.map(|seq| seq.raw().into()).collect())
}

fn asked(session: &mut Session, event: Value<'_, '_>, message: Value<'_, '_>, row: Line) {
    let Some(blocks) = content(session, message, row.place) else {
        session.unread("message", row);
        return;
    };
    if let Some(replaced) = replaced(event) {
        let words: Vec<&str> =
            blocks.iter().filter_map(Block::as_text).map(|text| text.text.as_str()).collect();
        let handoff = words.join("\n").into();
        let messages = session.messages().into_iter().map(|(_, entry)| entry.id.clone());
        let is_replaced = |id: &EntryId| replaced.iter().any(|seq| seq.as_str() == id.as_str());
        let kept = messages.filter(|id| !is_replaced(id)).collect();
        session.compaction(Some(handoff), kept, row);
        return;
    }
    let source = message.get("source").and_then(|source| text(source, "kind"));
    match source.filter(|kind| &**kind != "user") {
        Some(kind) => session.row(told(blocks, &kind), row),
        None => session.row(said(blocks), row),
    };
}

fn answered(session: &mut Session, data: Value<'_, '_>, message: Value<'_, '_>, row: Line) {
    let source = message.get("source").unwrap_or(message);
    let or = |name: &str, known: &Text| text(source, name).unwrap_or_else(|| known.clone());
    let (platform, model) = (or("provider", &session.platform), or("model", &session.model));
    let issuer = Arc::new(Issuer { platform, account: None, api: API.into(), model });
    let Some(blocks) = content(session, message, row.place) else {
        session.unread("message", row);
        return;
    };
    let mut reply = reply(blocks, &issuer);
    reply.usage = data.get("usage").or_else(|| message.get("usage")).and_then(usage);
    session.step = Some(session.row(reply, row));
}

/// A call as it was dispatched: it is in its reply already, or it is added there.
fn called(session: &mut Session, data: Value<'_, '_>, row: Line) -> Option<usize> {
    let call = call(data);
    let known = call.as_ref().is_some_and(|call| session.names.contains_key(&call.id));
    match (call, session.step) {
        (Some(call), Some(node)) if !known => {
            session.add(node, Block::ToolUse(call));
            Some(node)
        }
        _ => {
            session.aside("tool/call".into(), row);
            None
        }
    }
}

fn result(session: &mut Session, message: Value<'_, '_>, row: Line) {
    let inside = message.get("content").and_then(|content| content.items().next());
    let inside = inside.filter(|part| part.get("toolCallId").is_some()).unwrap_or(message);
    let Some(blocks) = content(session, inside, row.place) else {
        session.unread("result", row);
        return;
    };
    let result = ToolResult {
        tool_use_id: text(inside, "toolCallId").unwrap_or_default(),
        tool_name: text(inside, "toolName").unwrap_or_default(),
        content: blocks.into_iter().filter_map(result_part).collect(),
        is_error: inside.get("isError").and_then(Value::as_bool).unwrap_or(false),
        rest: Rest::default(),
    };
    session.row(returned(result), row);
}

/// The content of a message or a result: a text, or parts.
fn content(session: &mut Session, message: Value<'_, '_>, place: Place) -> Option<Vec<Block>> {
    let content = message.get("content").or_else(|| message.get("result"))?;
    if let Some(words) = content.to_text() {
        let words = Some(words).filter(|words| !words.is_empty());
        return Some(words.map(Block::text).into_iter().collect());
    }
    if content.kind() != Kind::Array || is_long(content) {
        return None;
    }
    Some(content.items().map(|part| self::part(session, part, place)).collect())
}

fn part(session: &mut Session, part: Value<'_, '_>, place: Place) -> Block {
    let kind = text(part, "type").unwrap_or_default();
    let read = match &*kind {
        "text" => text(part, "text").map(Block::text),
        "reasoning" => text(part, "text").map(|reasoning| {
            Block::Reasoning(Reasoning { reasoning, proof: None, rest: Rest::default() })
        }),
        "tool-call" => call(part).map(Block::ToolUse),
        _ => None,
    };
    read.unwrap_or_else(|| {
        session.unread_block(&kind, place);
        Block::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
    })
}

fn call(value: Value<'_, '_>) -> Option<ToolUse> {
    let one = |names: [&str; 3]| names.iter().find_map(|name| value.get(name));
    let written = one(["arguments", "input", "args"]);
    let input = match written.and_then(Value::to_text) {
        Some(words) => Input::new(words),
        None => written.map_or_else(|| Input::new(Text::default()), Input::of_value),
    };
    Some(ToolUse {
        id: one(["toolCallId", "callId", "id"])?.to_text()?,
        name: one(["toolName", "name", "tool"])?.to_text()?,
        input,
        proof: None,
        rest: Rest::default(),
    })
}

fn usage(usage: Value<'_, '_>) -> Option<Usage> {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    Some(Usage {
        input_tokens: count("inputTokens")?,
        output_tokens: count("outputTokens").unwrap_or(0),
        cache_creation_input_tokens: count("cacheWriteTokens").unwrap_or(0),
        cache_read_input_tokens: count("cacheReadTokens").unwrap_or(0),
    })
}

fn header(first: &Entry) -> Vec<Raw> {
    let mut header = typed("session");
    header.number("version", 0).string("id", first.id.as_str()).string("cwd", "");
    header.number("createdAt", instant::milliseconds(first.time.as_deref()));
    vec![header.finish()]
}

fn write(rows: &Rows<'_>) -> Result<Vec<Raw>, ExportError> {
    let mut events = Vec::new();
    // The line about the session has no number.
    let before = rows.items_before().saturating_sub(1);
    for row in rows.iter().filter(|row| !row.is_head()) {
        let kind = match row.message.role {
            Role::System => return row.refuse("a system message"),
            Role::Assistant => "assistant/message",
            Role::User | Role::Tool => "user/message",
        };
        let mut content = Array::new();
        let mut has_content = row.message.role == Role::Assistant;
        for piece in row.pieces()? {
            match piece {
                Piece::Result(result) => {
                    let message = tool_message(row, result)?;
                    events.push(event(row, before + events.len(), "tool/result", &message));
                    continue;
                }
                Piece::Text(said) => {
                    content.raw(&typed("text").text("text", &said.text).finish());
                }
                Piece::Thought(thought) => {
                    content.raw(&typed("reasoning").text("text", &thought.reasoning).finish());
                }
                Piece::Call(call) => {
                    let mut part = typed("tool-call");
                    part.text("toolCallId", &call.id).text("toolName", &call.name);
                    content.raw(&part.text("arguments", call.input.text()).finish());
                }
                Piece::Opaque(raw) => {
                    content.raw(raw);
                }
                Piece::Image(_) => return row.refuse("an image, whose bytes are in a store there"),
            }
            has_content = true;
        }
        if has_content {
            let message = message(row, &content.finish());
            events.push(event(row, before + events.len(), kind, &message));
        }
    }
    Ok(events)
}

fn message(row: &Row<'_>, content: &Raw) -> Raw {
    let (mut message, mut source) = (Object::new(), Object::new());
    message.string("role", if row.message.role == Role::Assistant { "assistant" } else { "user" });
    message.raw("content", content);
    if let Some(record::Source::Model { platform, model, .. }) = &row.message.source {
        source.string("kind", "model").text("provider", platform).text("model", model);
        message.raw("source", &source.finish());
    }
    message.finish()
}

fn tool_message(row: &Row<'_>, result: &ToolResult) -> Result<Raw, ExportError> {
    let mut content = Array::new();
    for part in &result.content {
        content.raw(&match part {
            ResultPart::Text(told) => typed("text").text("text", told).finish(),
            ResultPart::Opaque(block) => block.raw.clone(),
            ResultPart::Image(_) => {
                return row.refuse("an image, whose bytes are in a store there");
            }
        });
    }
    let mut message = Object::new();
    message.string("role", "tool").text("toolCallId", &result.tool_use_id);
    message.raw("content", &content.finish()).bool("isError", result.is_error);
    Ok(message.finish())
}

fn event(row: &Row<'_>, seq: usize, kind: &str, message: &Raw) -> Raw {
    let (mut event, mut data) = (typed(kind), Object::new());
    event.number("seq", seq as u64);
    event.number("time", instant::milliseconds(row.entry.time.as_deref()));
    event.raw("data", &data.raw("message", message).finish()).string("surfaceOp", "append");
    event.finish()
}
