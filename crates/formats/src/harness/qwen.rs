//! Sessions of Qwen Code: a record a line, a tree by `parentUuid`, with the contents of the Gemini
//! API.
//!
//! Records of one id are one message. A compression holds the history that was sent from then on:
//! its first content is the summary, the last ones are those that were kept.

use std::sync::Arc;

use json::{Object, Raw, Text, Value};
use record::{Block, EntryId, Message, Role, Usage};

use super::message::{line_of, reply, said, text, told};
use super::rows::{Row, Rows};
use super::session::Session;
use super::shapes::gemini_parts;
use super::{Harness, New, no_document};
use crate::Format;
use crate::chain::{Line, Link};
use crate::error::ExportError;
use crate::gemini_cli::By;
use crate::openai_chat::{self, API};
use crate::report::Place;

/// What a system record says that no model is shown.
const BOOKKEEPING: [&str; 7] = [
    "attribution_snapshot",
    "custom_title",
    "rewind",
    "session_artifact_snapshot",
    "slash_command",
    "ui_telemetry",
    "file_history_snapshot",
];

/// Contents of a compressed history that are not of before: the summary, and that it was read.
const OF_COMPRESSION: usize = 2;

pub(super) const HARNESS: Harness = Harness {
    format: Format::Qwen,
    is_line,
    is_document: super::never,
    line,
    document: no_document,
    list: &[],
    write,
    new: New::Lines(super::nothing_before),
};

fn is_line(line: Value<'_, '_>) -> bool {
    let has = |name: &str| line.get(name).is_some();
    let parts = line.get("message").is_some_and(|message| message.get("parts").is_some());
    match line.get_str("type").as_deref() {
        Some("user" | "assistant" | "tool_result") => parts && has("uuid"),
        Some("system") => has("uuid") && has("subtype") && has("systemPayload"),
        Some(_) | None => false,
    }
}

fn line(session: &mut Session, line: Value<'_, '_>, place: Place) -> Option<usize> {
    let mut row = line_of(text(line, "uuid"), text(line, "timestamp"), place);
    row.link = Link::of(line.get("parentUuid"));
    let kind = text(line, "type").unwrap_or_default();
    if &*kind == "system" {
        system(session, line, row);
        return None;
    }
    if let Some(model) = text(line, "model") {
        session.platform = openai_chat::platform_of(&model).unwrap_or_default().into();
        session.model = model;
    }
    let (by, issuer) = match &*kind {
        "assistant" => (By::Model, session.issuer(API)),
        _ => (By::Person, Arc::default()),
    };
    let parts = line.get("message").and_then(|message| message.get("parts"));
    let Some(blocks) = parts.and_then(|parts| session.parts(parts, by, &issuer, place)) else {
        session.unread("record", row);
        return None;
    };
    let known = row.id.as_ref().and_then(|id| session.known(id));
    let subtype = text(line, "subtype");
    let message = match (&*kind, known) {
        ("assistant", Some(node)) => {
            blocks.into_iter().for_each(|block| session.add(node, block));
            complete(session, node, line);
            return Some(node);
        }
        ("user", None) => match subtype {
            Some(subtype) if &*subtype != "mid_turn_user_message" => told(blocks, &subtype),
            Some(_) | None => said(blocks),
        },
        ("assistant", None) => reply(blocks, &issuer),
        ("tool_result", None) => failed(said(blocks), line),
        (_, Some(_)) => {
            session.is_duplicate(&mut row);
            session.aside(kind, row);
            return None;
        }
        (kind, None) => {
            session.keep_aside(&format!("record {kind}"), row);
            return None;
        }
    };
    let node = session.row(message, row);
    complete(session, node, line);
    None
}

/// The model and what it read and wrote, which the last record of a reply says.
fn complete(session: &mut Session, node: usize, line: Value<'_, '_>) {
    let issuer = session.issuer(API);
    let usage = line.get("usageMetadata").and_then(usage);
    let named = line.get("model").is_some();
    if let Some(message) = session.message_of(node).filter(|m| m.role == Role::Assistant) {
        message.usage = usage.or(message.usage.take());
        if named {
            message.source = reply(Vec::new(), &issuer).source;
        }
    }
}

/// Whether a call failed is said beside its result.
fn failed(mut message: Message, line: Value<'_, '_>) -> Message {
    let status = line.get("toolCallResult").and_then(|result| text(result, "status"));
    if status.is_some_and(|status| matches!(&*status, "error" | "cancelled")) {
        for block in &mut message.blocks {
            if let Block::ToolResult(result) = block {
                result.is_error = true;
            }
        }
    }
    message
}

fn usage(usage: Value<'_, '_>) -> Option<Usage> {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    let cached = count("cachedContentTokenCount").unwrap_or(0);
    Some(Usage {
        input_tokens: count("promptTokenCount")?.saturating_sub(cached),
        output_tokens: count("candidatesTokenCount").unwrap_or(0),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: cached,
    })
}

fn system(session: &mut Session, line: Value<'_, '_>, row: Line) {
    let payload = line.get("systemPayload");
    let subtype = text(line, "subtype").unwrap_or_default();
    match &*subtype {
        "chat_compression" => {
            let history = payload.and_then(|payload| payload.get("compressedHistory"));
            let contents: Vec<Value<'_, '_>> = history.into_iter().flat_map(Value::items).collect();
            let handoff = contents.first().map(|first| words(*first).into());
            let kept = kept(session, contents.get(OF_COMPRESSION..).unwrap_or_default());
            session.compaction(handoff, kept, row);
        }
        "custom_title" => {
            let title = payload.and_then(|payload| text(payload, "customTitle"));
            session.title = title.map(|title| title.as_str().to_owned());
            session.aside(subtype, row);
        }
        kind if BOOKKEEPING.contains(&kind) => {
            session.aside(subtype, row);
        }
        kind => {
            session.keep_aside(&format!("system {kind}"), row);
        }
    }
}

fn words(content: Value<'_, '_>) -> String {
    let parts = content.get("parts").into_iter().flat_map(Value::items);
    let texts: Vec<Text> = parts.filter_map(|part| text(part, "text")).collect();
    texts.iter().map(Text::as_str).collect::<Vec<_>>().join("\n")
}

/// The last messages of the view, as many as are the same as these contents.
fn kept(session: &Session, contents: &[Value<'_, '_>]) -> Vec<EntryId> {
    let messages = session.messages();
    let pairs = messages.iter().rev().zip(contents.iter().rev());
    let same = pairs.take_while(|((_, entry), content)| {
        let blocks = entry.message().into_iter().flat_map(|message| &message.blocks);
        let texts: Vec<&str> =
            blocks.filter_map(Block::as_text).map(|text| text.text.as_str()).collect();
        texts.join("\n") == words(**content)
    });
    let mut kept: Vec<EntryId> = same.map(|((_, entry), _)| entry.id.clone()).collect();
    kept.reverse();
    kept
}

fn write(rows: &Rows<'_>) -> Result<Vec<Raw>, ExportError> {
    let mut lines = Vec::new();
    let mut parent = rows.after().map(str::to_owned);
    for row in rows.iter().filter(|row| !row.is_head()) {
        lines.push(record(row, parent.as_deref())?);
        parent = Some(row.entry.id.as_str().to_owned());
    }
    Ok(lines)
}

fn record(row: &Row<'_>, parent: Option<&str>) -> Result<Raw, ExportError> {
    let (kind, role) = match row.message.role {
        Role::User => ("user", "user"),
        Role::Tool => ("tool_result", "user"),
        Role::Assistant => ("assistant", "model"),
        Role::System => return row.refuse("a system message"),
    };
    let mut line = Object::new();
    line.string("uuid", row.entry.id.as_str());
    match parent {
        Some(parent) => line.string("parentUuid", parent),
        None => line.raw("parentUuid", &crate::source::null()),
    };
    line.string("sessionId", "").optional_string("timestamp", row.entry.time.as_deref());
    line.string("type", kind).string("cwd", "").string("version", "");
    if let Some(record::Source::Model { model, .. }) = &row.message.source {
        line.text("model", model);
    }
    let mut message = Object::new();
    message.string("role", role).raw("parts", &gemini_parts(row)?);
    line.raw("message", &message.finish());
    Ok(line.finish())
}
