//! Transcripts of Cursor: a message a line, of a role and the blocks of the Anthropic API.
//!
//! Calls have no ids. A result names one, and its call is the first before it that has none.

use json::{Kind, Object, Raw, Text, Value};
use record::{Block, Input, Rest, ToolResult, ToolUse};

use super::message::{is_long, line_of, reply, said, text};
use super::rows::Row;
use super::session::Session;
use super::shapes::anthropic_content;
use super::{Harness, New, no_document};
use crate::error::ExportError;
use crate::report::Place;
use crate::{Format, anthropic};

pub(super) const HARNESS: Harness = Harness {
    format: Format::Cursor,
    is_line,
    is_document: super::never,
    line,
    document: no_document,
    list: &[],
    write: |rows| Ok(rows.iter().map(message).collect::<Result<Vec<_>, _>>()?.concat()),
    new: New::Lines(super::nothing_before),
};

fn is_line(line: Value<'_, '_>) -> bool {
    let content = line.get("message").and_then(|message| message.get("content"));
    matches!(line.get_str("role").as_deref(), Some("user" | "assistant"))
        && line.get("type").is_none()
        && content.is_some_and(|content| matches!(content.kind(), Kind::Array | Kind::String))
}

fn line(session: &mut Session, line: Value<'_, '_>, place: Place) -> Option<usize> {
    let row = line_of(None, None, place);
    let content = line.get("message").and_then(|message| message.get("content"));
    let mut issuer = session.issuer(anthropic::block::API);
    std::sync::Arc::make_mut(&mut issuer).model = text(line, "model").unwrap_or_default();
    let blocks: Option<Vec<Block>> = match content {
        Some(content) if content.kind() == Kind::Array && !is_long(content) => content
            .items()
            .map(|block| {
                call(block)
                    .or_else(|| result(session, block, place))
                    .or_else(|| session.anthropic_block(block, &issuer, place))
            })
            .collect(),
        Some(content) => session.anthropic(content, &issuer, place),
        None => None,
    };
    match (line.get_str("role").as_deref(), blocks) {
        (Some("user"), Some(blocks)) => session.row(said(blocks), row),
        (Some("assistant"), Some(blocks)) => session.row(reply(blocks, &issuer), row),
        _ => session.unread("line", row),
    };
    None
}

fn call(block: Value<'_, '_>) -> Option<Block> {
    if !matches!(&*block.get_str("type")?, "tool_use" | "tool_call" | "tool-call") {
        return None;
    }
    let input = block.get("input").or_else(|| block.get("args"));
    Some(Block::ToolUse(ToolUse {
        id: text(block, "id").unwrap_or_default(),
        name: text(block, "name")?,
        input: input.map_or_else(|| Input::new(Text::default()), Input::of_value),
        proof: None,
        rest: Rest::default(),
    }))
}

fn result(session: &mut Session, block: Value<'_, '_>, place: Place) -> Option<Block> {
    if !matches!(&*block.get_str("type")?, "tool_result" | "tool-result") {
        return None;
    }
    let content = block.get("content").or_else(|| block.get("output"));
    Some(Block::ToolResult(ToolResult {
        tool_use_id: text(block, "tool_use_id").unwrap_or_default(),
        tool_name: text(block, "name").unwrap_or_default(),
        content: session.anthropic_result(content, place)?,
        is_error: block.get("is_error").and_then(Value::as_bool).unwrap_or(false),
        rest: Rest::default(),
    }))
}

fn message(row: &Row<'_>) -> Result<Vec<Raw>, ExportError> {
    let role = match row.message.role {
        record::Role::User | record::Role::Tool => "user",
        record::Role::Assistant => "assistant",
        record::Role::System if row.is_head() => return Ok(Vec::new()),
        record::Role::System => return row.refuse("a system message"),
    };
    let Some(content) = anthropic_content(row)? else { return Ok(Vec::new()) };
    let (mut message, mut line) = (Object::new(), Object::new());
    message.raw("content", &content);
    line.string("role", role).raw("message", &message.finish());
    Ok(vec![line.finish()])
}
