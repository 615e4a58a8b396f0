//! Logs of Codex from before it kept rollouts: a message, a call or a result a line, without ids.
//!
//! A call goes with the calls before it to one reply; a result answers the first that has none.

use json::{Kind, Object, Raw, Text, Value};
use record::{Block, Input, Rest, ResultPart, Role, ToolResult, ToolUse};

use super::message::{line_of, reply, returned, said, text};
use super::rows::{Piece, Row};
use super::session::Session;
use super::{Harness, New, no_document};
use crate::Format;
use crate::chain::Line;
use crate::error::ExportError;
use crate::openai_chat;
use crate::report::Place;

/// The dialect it was served over.
const API: &str = "openai_responses";

pub(super) const HARNESS: Harness = Harness {
    format: Format::CodexLegacy,
    is_line,
    is_document: super::never,
    line,
    document: no_document,
    list: &[],
    write: |rows| Ok(rows.iter().map(lines).collect::<Result<Vec<_>, _>>()?.concat()),
    new: New::Lines(super::nothing_before),
};

fn is_line(line: Value<'_, '_>) -> bool {
    let has = |name: &str| line.get(name).is_some();
    let string = |name: &str| line.get(name).is_some_and(|value| value.kind() == Kind::String);
    let kind = line.get_str("type");
    match kind.as_deref() {
        None => string("timestamp") && string("content") && has("role") && string("model"),
        Some("tool_call") => string("timestamp") && has("function") && has("arguments"),
        Some("tool_result") => string("timestamp") && has("name") && has("result"),
        Some(_) => false,
    }
}

fn line(session: &mut Session, line: Value<'_, '_>, place: Place) -> Option<usize> {
    let row = line_of(None, text(line, "timestamp"), place);
    if let Some(model) = text(line, "model") {
        session.platform = openai_chat::platform_of(&model).unwrap_or_default().into();
        session.model = model;
    }
    let step = session.step.take();
    match (text(line, "type").as_deref(), text(line, "role").as_deref()) {
        (Some("tool_call"), _) => return called(session, line, step, row),
        (Some("tool_result"), _) => {
            let told = line.get("result").map(|result| {
                result.to_text().unwrap_or_else(|| Raw::compact(result).as_str().into())
            });
            let result = ToolResult {
                tool_use_id: Text::default(),
                tool_name: text(line, "name").unwrap_or_default(),
                content: told.map(ResultPart::Text).into_iter().collect(),
                is_error: false,
                rest: Rest::default(),
            };
            session.row(returned(result), row);
        }
        (None, Some(role)) => spoken(session, line, role, row),
        (kind, _) => {
            session.keep_aside(&format!("line {}", kind.unwrap_or_default()), row);
        }
    }
    None
}

fn spoken(session: &mut Session, line: Value<'_, '_>, role: &str, row: Line) {
    let blocks: Vec<Block> = text(line, "content").map(Block::text).into_iter().collect();
    match role {
        "user" => session.row(said(blocks), row),
        "system" => session.system(text(line, "content").unwrap_or_default(), row),
        "assistant" => {
            let reply = reply(blocks, &session.issuer(API));
            let node = session.row(reply, row);
            session.step = Some(node);
            node
        }
        _ => session.unread("message", row),
    };
}

fn called(
    session: &mut Session,
    line: Value<'_, '_>,
    step: Option<usize>,
    row: Line,
) -> Option<usize> {
    let written = line.get("arguments");
    let call = Block::ToolUse(ToolUse {
        id: Text::default(),
        name: line.get("function").and_then(|function| text(function, "name")).unwrap_or_default(),
        input: match written.and_then(Value::to_text) {
            Some(words) => Input::new(words),
            None => written.map_or_else(|| Input::new(Text::default()), Input::of_value),
        },
        proof: None,
        rest: Rest::default(),
    });
    if let Some(node) = step {
        session.add(node, call);
        session.step = Some(node);
        return Some(node);
    }
    let reply = reply(vec![call], &session.issuer(API));
    session.step = Some(session.row(reply, row));
    None
}

fn lines(row: &Row<'_>) -> Result<Vec<Raw>, ExportError> {
    let opening = || {
        let mut line = Object::new();
        line.string("timestamp", row.entry.time.as_deref().unwrap_or(""));
        line
    };
    let (mut calls, mut results, mut said) = (Vec::new(), Vec::new(), false);
    for piece in row.pieces()? {
        match piece {
            Piece::Text(_) => said = true,
            Piece::Thought(_) | Piece::Opaque(_) => {}
            Piece::Image(_) => return row.refuse("an image"),
            Piece::Call(call) => {
                let (mut line, mut function) = (opening(), Object::new());
                function.text("name", &call.name);
                line.string("type", "tool_call").raw("function", &function.finish());
                calls.push(line.text("arguments", call.input.text()).finish());
            }
            Piece::Result(result) => {
                let mut line = opening();
                line.string("type", "tool_result").text("name", &result.tool_name);
                results.push(line.string("result", &row.told_of(result)?).finish());
            }
        }
    }
    let mut lines = results;
    if said || calls.is_empty() && lines.is_empty() {
        let role = match row.message.role {
            Role::System => "system",
            Role::Assistant => "assistant",
            Role::User | Role::Tool => "user",
        };
        lines.push(opening().string("role", role).string("content", &row.words()?).finish());
    }
    lines.extend(calls);
    Ok(lines)
}
