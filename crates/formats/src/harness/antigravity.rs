//! Trajectories of Antigravity: a step a line, told apart by its type.
//!
//! A step of the planner is a reply; what a tool did is a step of the tool's own type, without a
//! name for the call it answers: it answers the first that has no result. A checkpoint takes the
//! place of what came before.

use json::{Array, Object, Raw, Text, Value};
use record::{Block, Input, Reasoning, Rest, ResultPart, Role, ToolResult, ToolUse};

use super::message::{line_of, reply, returned, said, text, told};
use super::rows::{Piece, Row, Rows};
use super::session::Session;
use super::{Harness, New, no_document};
use crate::Format;
use crate::anthropic::write::input_of;
use crate::error::ExportError;
use crate::report::Place;

/// The dialect its models are spoken to in; nothing in its files is signed.
const API: &str = "gemini";

pub(super) const HARNESS: Harness = Harness {
    format: Format::Antigravity,
    is_line: |line| {
        let has = |name: &str| line.get(name).is_some();
        has("step_index") && has("type") && has("source")
    },
    is_document: super::never,
    line,
    document: no_document,
    list: &[],
    write,
    new: New::Lines(super::nothing_before),
};

fn line(session: &mut Session, line: Value<'_, '_>, place: Place) -> Option<usize> {
    let row = line_of(None, text(line, "created_at"), place);
    let words = text(line, "content").filter(|words| !words.is_empty());
    let kind = text(line, "type").unwrap_or_default();
    match (&*kind, words) {
        ("USER_INPUT", Some(words)) => session.row(said(vec![Block::text(words)]), row),
        ("PLANNER_RESPONSE", words) => {
            let issuer = session.issuer(API);
            session.row(reply(blocks(line, words), &issuer), row)
        }
        ("CHECKPOINT", words) => session.compaction(words, Vec::new(), row),
        ("SYSTEM_MESSAGE" | "EPHEMERAL_MESSAGE", Some(words)) => {
            session.row(told(vec![Block::text(words)], &kind), row)
        }
        ("CONVERSATION_HISTORY", _) => session.aside(kind, row),
        (_, words) if line.get("source").is_some_and(|source| source.is_str("MODEL")) => {
            let result = ToolResult {
                tool_use_id: Text::default(),
                tool_name: Text::default(),
                content: words.map(ResultPart::Text).into_iter().collect(),
                is_error: line.get("status").is_some_and(|status| status.is_str("ERROR")),
                rest: Rest::default(),
            };
            let node = session.row(returned(result), row);
            name_after(session, node, &kind);
            node
        }
        (kind, _) => session.keep_aside(&format!("step {kind}"), row),
    };
    None
}

/// A result that answers no call is one of the tool its type names.
fn name_after(session: &mut Session, node: usize, kind: &str) {
    let message = session.message_of(node);
    if let Some(Block::ToolResult(result)) = message.and_then(|m| m.blocks.first_mut())
        && result.tool_name.is_empty()
    {
        result.tool_name = kind.to_ascii_lowercase().into();
    }
}

fn blocks(line: Value<'_, '_>, words: Option<Text>) -> Vec<Block> {
    let thinking = text(line, "thinking").filter(|thinking| !thinking.is_empty());
    let thought = thinking.map(|reasoning| {
        Block::Reasoning(Reasoning { reasoning, proof: None, rest: Rest::default() })
    });
    let calls = line.get("tool_calls").into_iter().flat_map(Value::items).map(|call| {
        Block::ToolUse(ToolUse {
            id: Text::default(),
            name: text(call, "name").unwrap_or_default(),
            input: call.get("args").map_or_else(|| Input::new(Text::default()), Input::of_value),
            proof: None,
            rest: Rest::default(),
        })
    });
    thought.into_iter().chain(words.map(Block::text)).chain(calls).collect()
}

fn write(rows: &Rows<'_>) -> Result<Vec<Raw>, ExportError> {
    let mut lines = Vec::new();
    let before = rows.items_before();
    for row in rows.iter().filter(|row| !row.is_head()) {
        let mut thinking = Vec::new();
        let mut calls = Array::new();
        let mut alone = true;
        for piece in row.pieces()? {
            match piece {
                Piece::Result(result) => {
                    let status = if result.is_error { "ERROR" } else { "DONE" };
                    let mut step = step(before + lines.len(), row, "MODEL", "GENERIC", status);
                    step.string("content", &row.output_of(result)?);
                    lines.push(step.finish());
                    continue;
                }
                Piece::Text(_) => {}
                Piece::Thought(thought) => thinking.push(thought.reasoning.as_str()),
                Piece::Call(call) => {
                    let mut object = Object::new();
                    object.text("name", &call.name).raw("args", &input_of(&call.input));
                    calls.raw(&object.finish());
                }
                Piece::Image(_) | Piece::Opaque(_) => return row.refuse("an image"),
            }
            alone = false;
        }
        if alone && !row.message.blocks.is_empty() {
            continue;
        }
        let (source, kind) = match row.message.role {
            Role::Assistant => ("MODEL", "PLANNER_RESPONSE"),
            Role::User | Role::Tool => ("USER_EXPLICIT", "USER_INPUT"),
            Role::System => return row.refuse("a system message"),
        };
        let mut step = step(before + lines.len(), row, source, kind, "DONE");
        if !thinking.is_empty() {
            step.string("thinking", &thinking.join("\n\n"));
        }
        step.string("content", &row.words()?);
        let calls = calls.finish();
        if calls.as_str() != "[]" {
            step.raw("tool_calls", &calls);
        }
        lines.push(step.finish());
    }
    Ok(lines)
}

fn step(index: usize, row: &Row<'_>, source: &str, kind: &str, status: &str) -> Object {
    let mut step = Object::new();
    step.number("step_index", index as u64).string("source", source).string("type", kind);
    step.string("status", status).optional_string("created_at", row.entry.time.as_deref());
    step
}
