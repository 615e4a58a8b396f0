//! Sessions of Factory's droid: the lines of its store, a tree by `parentId` with the blocks of the
//! Anthropic API; and the events that it prints, each a message, a call or a result.

use json::{Kind, Raw, Text, Value};
use record::{Block, Entry, Input, Rest, ResultPart, ToolResult, ToolUse, Usage};

use super::message::{line_of, reply, returned, said, text};
use super::rows::{Row, Rows};
use super::session::Session;
use super::shapes::anthropic_message;
use super::{Harness, New, no_document};
use crate::chain::{Line, Link};
use crate::error::ExportError;
use crate::report::Place;
use crate::{Format, anthropic, instant};

/// Lines of the store that were never shown to a model.
const BOOKKEEPING: [&str; 5] =
    ["session_start", "session_settings", "agent_turn_outcome", "todo_state", "system"];

pub(super) const HARNESS: Harness = Harness {
    format: Format::Droid,
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
    let session = has("sessionId") || has("session_id");
    match line.get_str("type").as_deref() {
        Some("session_start") => has("id"),
        Some("message") if has("message") => {
            let blocks = line.get("message").and_then(|message| message.get("content"));
            let kinds = blocks.into_iter().flat_map(Value::items);
            let is_call = |block: Value<'_, '_>| {
                matches!(block.get_str("type").as_deref(), Some("tool_use" | "tool_result"))
            };
            has("id") && kinds.into_iter().any(is_call)
        }
        Some("message") => session && has("role") && has("text"),
        Some("tool_call") => session && has("toolName") && has("parameters"),
        Some("tool_result") => session && has("value"),
        Some("completion") => session && has("finalText"),
        Some(_) | None => false,
    }
}

fn line(session: &mut Session, line: Value<'_, '_>, place: Place) -> Option<usize> {
    let time = line.get("timestamp").and_then(instant::text_of);
    let mut row = line_of(text(line, "id"), time, place);
    row.link = Link::of(line.get("parentId"));
    let kind = text(line, "type").unwrap_or_default();
    match &*kind {
        "message" => match line.get("message") {
            Some(message) => stored(session, message, row),
            None => printed(session, line, row),
        },
        "tool_call" => return called(session, line, row),
        "tool_result" => result(session, line, row),
        "completion" => completion(session, line, row),
        kind => {
            about(session, line);
            if BOOKKEEPING.contains(&kind) {
                session.aside(kind.into(), row)
            } else {
                session.keep_aside(&format!("line {kind}"), row)
            }
        }
    };
    None
}

fn about(session: &mut Session, line: Value<'_, '_>) {
    let title = text(line, "title").filter(|title| !title.is_empty());
    session.title = title.map(|title| title.as_str().to_owned()).or(session.title.take());
    session.model = text(line, "model").unwrap_or(std::mem::take(&mut session.model));
}

/// A message of the store.
fn stored(session: &mut Session, message: Value<'_, '_>, mut line: Line) -> usize {
    if session.is_duplicate(&mut line) {
        return session.aside("message".into(), line);
    }
    if text(message, "visibility").is_some_and(|who| &*who == "user_only") {
        return session.keep_aside("a message for the person alone", line);
    }
    let issuer = session.issuer(anthropic::block::API);
    let blocks =
        message.get("content").and_then(|content| session.anthropic(content, &issuer, line.place));
    match (message.get_str("role").as_deref(), blocks) {
        (Some("user"), Some(blocks)) => session.row(said(blocks), line),
        (Some("assistant"), Some(blocks)) => session.row(reply(blocks, &issuer), line),
        _ => session.unread("message", line),
    }
}

/// A message that was printed.
fn printed(session: &mut Session, line: Value<'_, '_>, row: Line) -> usize {
    let Some(words) = text(line, "text") else { return session.unread("message", row) };
    let blocks = vec![Block::text(words)];
    session.step = None;
    match line.get_str("role").as_deref() {
        Some("user") => session.row(said(blocks), row),
        Some("assistant") => {
            let issuer = session.issuer(anthropic::block::API);
            let node = session.row(reply(blocks, &issuer), row);
            session.step = Some(node);
            node
        }
        Some(_) | None => session.unread("message", row),
    }
}

/// A call belongs to the reply before it, as long as no result came in between.
fn called(session: &mut Session, line: Value<'_, '_>, row: Line) -> Option<usize> {
    let Some(name) = text(line, "toolName").or_else(|| text(line, "toolId")) else {
        session.unread("tool_call", row);
        return None;
    };
    let call = Block::ToolUse(ToolUse {
        id: text(line, "toolCallId").or_else(|| text(line, "id")).unwrap_or_default(),
        name,
        input: line.get("parameters").map_or_else(|| Input::new(Text::default()), Input::of_value),
        proof: None,
        rest: Rest::default(),
    });
    if let Some(node) = session.step {
        session.add(node, call);
        return Some(node);
    }
    let issuer = session.issuer(anthropic::block::API);
    let node = session.row(reply(vec![call], &issuer), row);
    session.step = Some(node);
    None
}

fn result(session: &mut Session, line: Value<'_, '_>, row: Line) -> usize {
    session.step = None;
    let told = line.get("value").map(|value| match value.to_text() {
        Some(text) => text,
        None => Raw::compact(value).as_str().into(),
    });
    let told = told.filter(|text| !text.is_empty());
    let result = ToolResult {
        tool_use_id: text(line, "toolCallId").or_else(|| text(line, "id")).unwrap_or_default(),
        tool_name: Text::default(),
        content: told.map(ResultPart::Text).into_iter().collect(),
        is_error: line.get("isError").and_then(Value::as_bool).unwrap_or(false),
        rest: Rest::default(),
    };
    session.row(returned(result), row)
}

/// The last words of a run, which newer versions have printed as a message before.
fn completion(session: &mut Session, line: Value<'_, '_>, row: Line) -> usize {
    let said = session.step.take().and_then(|node| session.message_of(node)).map(|reply| {
        reply.blocks.iter().filter_map(Block::as_text).map(|text| text.text.clone()).collect()
    });
    let said: Vec<Text> = said.unwrap_or_default();
    let words = text(line, "finalText").filter(|words| !words.is_empty());
    let Some(words) = words.filter(|words| !said.contains(words)) else {
        return session.aside("completion".into(), row);
    };
    let issuer = session.issuer(anthropic::block::API);
    let mut reply = reply(vec![Block::text(words)], &issuer);
    reply.usage = line.get("usage").and_then(usage);
    session.row(reply, row)
}

fn usage(usage: Value<'_, '_>) -> Option<Usage> {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
    (usage.kind() == Kind::Object).then(|| Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        cache_creation_input_tokens: count("cache_creation_input_tokens"),
        cache_read_input_tokens: count("cache_read_input_tokens"),
    })
}

fn header(first: &Entry) -> Vec<Raw> {
    let mut header = crate::rest::typed("session_start");
    header.string("id", &format!("session:{}", first.id)).string("title", "");
    header.number("version", 2).string("cwd", "");
    vec![header.finish()]
}

fn write(rows: &Rows<'_>) -> Result<Vec<Raw>, ExportError> {
    let mut lines = Vec::new();
    let mut parent = rows.after().map(str::to_owned);
    for row in rows.iter() {
        if let Some(message) = message(row)? {
            let mut line = crate::rest::typed("message");
            line.string("id", row.entry.id.as_str());
            line.optional_string("timestamp", row.entry.time.as_deref());
            line.raw("message", &message).optional_string("parentId", parent.as_deref());
            lines.push(line.finish());
            parent = Some(row.entry.id.as_str().to_owned());
        }
    }
    Ok(lines)
}

fn message(row: &Row<'_>) -> Result<Option<Raw>, ExportError> {
    match row.message.role {
        record::Role::System if row.is_head() => Ok(None),
        record::Role::System => row.refuse("a system message"),
        record::Role::User | record::Role::Assistant | record::Role::Tool => anthropic_message(row),
    }
}
