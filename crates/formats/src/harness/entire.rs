//! Compact transcripts of Entire: a line for each message of another harness, results inside the
//! calls they answer.
//!
//! Lines of one reply share its id, and are one row.

use json::{Array, Kind, Object, Raw, Text, Value};
use record::{Block, Input, Rest, ResultPart, Role, ToolResult, ToolUse, Usage};

use super::message::{is_long, line_of, reply, returned, said, text};
use super::rows::{Piece, Row, Rows};
use super::session::Session;
use super::{Harness, New, no_document};
use crate::anthropic::write::input_of;
use crate::error::ExportError;
use crate::report::Place;
use crate::rest::typed;
use crate::{Format, anthropic};

pub(super) const HARNESS: Harness = Harness {
    format: Format::EntireCompact,
    is_line: |line| {
        let has = |name: &str| line.get(name).is_some();
        let list = line.get("content").is_some_and(|content| content.kind() == Kind::Array);
        list && has("v") && has("agent") && has("cli_version") && has("type")
    },
    is_document: super::never,
    line,
    document: no_document,
    list: &[],
    write,
    new: New::Lines(super::nothing_before),
};

fn line(session: &mut Session, line: Value<'_, '_>, place: Place) -> Option<usize> {
    let own = text(line, "id");
    let row = line_of(own.clone(), text(line, "ts"), place);
    let content = line.get("content").filter(|content| !is_long(*content));
    let issuer = session.issuer(anthropic::block::API);
    let Some(content) = content else {
        session.unread("line", row);
        return None;
    };
    let blocks: Vec<Block> = content
        .items()
        .filter_map(|part| match part.get_str("type").as_deref() {
            None => text(part, "text").map(Block::text),
            Some("text") => text(part, "text").map(Block::text),
            Some("tool_use") => call(part),
            Some(_) => session.anthropic_block(part, &issuer, place),
        })
        .collect();
    let results: Vec<ToolResult> = content.items().filter_map(result).collect();
    let reply_before = session.step.take().filter(|node| {
        let before = session.chain.nodes.get(*node).map(|node| node.entry.id.as_str());
        own.is_some() && before == own.as_deref()
    });
    let node = match (line.get_str("type").as_deref(), reply_before) {
        (Some("user"), _) => {
            session.row(said(blocks), row);
            return None;
        }
        (Some("assistant"), Some(node)) => {
            blocks.into_iter().for_each(|block| session.add(node, block));
            node
        }
        (Some("assistant"), None) => {
            let mut reply = reply(blocks, &issuer);
            reply.usage = usage(line);
            session.row(reply, row)
        }
        (_, _) => {
            session.keep_aside("line", row);
            return None;
        }
    };
    session.step = Some(node);
    for result in results {
        session.row(returned(result), line_of(None, text(line, "ts"), place));
    }
    reply_before
}

fn call(part: Value<'_, '_>) -> Option<Block> {
    Some(Block::ToolUse(ToolUse {
        id: text(part, "id").unwrap_or_default(),
        name: text(part, "name")?,
        input: part.get("input").map_or_else(|| Input::new(Text::default()), Input::of_value),
        proof: None,
        rest: Rest::default(),
    }))
}

fn result(part: Value<'_, '_>) -> Option<ToolResult> {
    let result = part.get("result").filter(|result| result.kind() == Kind::Object)?;
    let told = result
        .get("output")
        .filter(|output| !output.is_null())
        .map(|output| output.to_text().unwrap_or_else(|| Raw::compact(output).as_str().into()));
    let told = told.filter(|told| !told.is_empty());
    Some(ToolResult {
        tool_use_id: text(part, "id").unwrap_or_default(),
        tool_name: text(part, "name").unwrap_or_default(),
        content: told.map(ResultPart::Text).into_iter().collect(),
        is_error: text(result, "status").is_some_and(|status| &*status == "error"),
        rest: Rest::default(),
    })
}

fn usage(line: Value<'_, '_>) -> Option<Usage> {
    let count = |name: &str| line.get(name).and_then(Value::as_u64);
    let input_tokens = count("input_tokens")?;
    let output_tokens = count("output_tokens").unwrap_or(0);
    Some(Usage { input_tokens, output_tokens, ..Usage::default() })
}

fn write(rows: &Rows<'_>) -> Result<Vec<Raw>, ExportError> {
    let mut lines = Vec::new();
    // Calls whose result is in their line.
    let mut told: Vec<&ToolResult> = Vec::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_head()) {
        let mut content = Array::new();
        for piece in row.pieces()? {
            content.raw(&match piece {
                Piece::Text(said) => text_of(row, &said.text),
                Piece::Image(image) => {
                    let mut source = typed("base64");
                    source.text("media_type", image.media_type());
                    source.text("data", row.bytes_of(image)?);
                    let mut part = typed("image");
                    part.raw("source", &source.finish());
                    part.finish()
                }
                Piece::Call(call) => {
                    let result = rows.result_of(at, call);
                    told.extend(result);
                    call_of(row, call, result)?
                }
                Piece::Result(result) if told.iter().any(|known| std::ptr::eq(*known, result)) => {
                    continue;
                }
                Piece::Result(_) => return row.refuse("a result away from its call"),
                // Transcripts leave thoughts out.
                Piece::Thought(_) => continue,
                Piece::Opaque(raw) => raw.clone(),
            });
        }
        let content = content.finish();
        let kind = match row.message.role {
            Role::User | Role::Tool if content.as_str() == "[]" => continue,
            Role::User | Role::Tool => "user",
            Role::Assistant => "assistant",
            Role::System => return row.refuse("a system message"),
        };
        let mut line = Object::new();
        line.number("v", 1).string("agent", "stenograph").string("cli_version", "");
        line.string("type", kind).optional_string("ts", row.entry.time.as_deref());
        if row.message.role == Role::Assistant {
            line.string("id", row.entry.id.as_str());
        }
        lines.push(line.raw("content", &content).finish());
    }
    Ok(lines)
}

fn text_of(row: &Row<'_>, words: &Text) -> Raw {
    let mut part = Object::new();
    if row.message.role == Role::Assistant {
        part = typed("text");
    }
    part.text("text", words);
    part.finish()
}

fn call_of(row: &Row<'_>, call: &ToolUse, result: Option<&ToolResult>) -> Result<Raw, ExportError> {
    let mut part = typed("tool_use");
    part.text("id", &call.id).text("name", &call.name).raw("input", &input_of(&call.input));
    if let Some(result) = result {
        let mut object = Object::new();
        object.string("output", &row.output_of(result)?);
        object.string("status", if result.is_error { "error" } else { "success" });
        part.raw("result", &object.finish());
    }
    Ok(part.finish())
}
