//! Sessions of Hermes: one document of messages as Chat Completions writes them, or the same
//! messages a line each, after a line about the session.

use json::{Kind, Object, Raw, Value};
use record::Block;

use super::message::{line_of, text};
use super::rows::{Row, Rows};
use super::session::Session;
use super::shapes::chat_messages;
use super::{Harness, New};
use crate::chain::Line;
use crate::error::ExportError;
use crate::openai_chat::Tools;
use crate::places::Places;
use crate::report::Place;
use crate::{Format, instant};

pub(super) const HARNESS: Harness = Harness {
    format: Format::Hermes,
    is_line: |line| line.get("role").is_some_and(|role| role.is_str("session_meta")),
    is_document: |root| {
        let has = |name: &str| root.get(name).is_some();
        let list = root.get("messages").is_some_and(|list| list.kind() == Kind::Array);
        list && has("session_id") && has("session_start")
    },
    line,
    document,
    list: &[&["messages"]],
    write: |rows| Ok(rows.iter().map(messages).collect::<Result<Vec<_>, _>>()?.concat()),
    new: New::Document(new),
};

fn line(session: &mut Session, line: Value<'_, '_>, place: Place) -> Option<usize> {
    let row = line_of(None, line.get("timestamp").and_then(instant::text_of), place);
    if line.get("role").is_some_and(|role| role.is_str("session_meta")) {
        about(session, line, row);
    } else {
        read(session, line, row);
    }
    None
}

fn document(session: &mut Session, root: Value<'_, '_>, places: &mut Places<'_>) {
    about(session, root, line_of(Some("head".into()), None, places.of(root)));
    for (at, message) in root.get("messages").into_iter().flat_map(Value::items).enumerate() {
        let time = message.get("timestamp").and_then(instant::text_of);
        let id = format!("messages.{at}").into();
        read(session, message, line_of(Some(id), time, places.of(message)));
    }
}

/// The model and the head of a session.
fn about(session: &mut Session, about: Value<'_, '_>, line: Line) {
    session.model = text(about, "model").unwrap_or_default();
    let mut tools = Tools::default();
    for tool in about.get("tools").into_iter().flat_map(Value::items) {
        tools.take(tool);
    }
    let system = text(about, "system_prompt").filter(|prompt| !prompt.is_empty());
    if system.is_some() || !tools.definitions.is_empty() {
        session.head_of(system.into_iter().collect(), tools.definitions, line);
    } else {
        session.aside("session_meta".into(), line);
    }
}

fn read(session: &mut Session, value: Value<'_, '_>, line: Line) {
    let Some(mut message) = session.chat_message(value, line.place) else {
        session.unread("message", line);
        return;
    };
    if let [Block::ToolResult(result)] = message.blocks.as_mut_slice() {
        result.is_error = value.get("finish_reason").is_some_and(|reason| reason.is_str("error"));
        result.tool_name =
            text(value, "tool_name").unwrap_or(std::mem::take(&mut result.tool_name));
    }
    session.chat_row(message, line);
}

fn messages(row: &Row<'_>) -> Result<Vec<Raw>, ExportError> {
    if row.is_head() { Ok(Vec::new()) } else { chat_messages(row) }
}

fn new(rows: &Rows<'_>) -> Raw {
    let first = rows.first();
    let mut document = Object::new();
    document.string("session_id", first.map_or("", |row| row.entry.id.as_str()));
    document.string("session_start", first.and_then(|row| row.entry.time.as_deref()).unwrap_or(""));
    document.optional_string("system_prompt", rows.system_text().as_deref());
    document.raw("messages", &json::Array::new().finish());
    document.finish()
}
