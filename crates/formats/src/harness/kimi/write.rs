//! Rows as lines of the wire file.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{Image, ResultPart, Role, ToolResult};

use crate::anthropic::write::input_of;
use crate::error::ExportError;
use crate::harness::rows::{Piece, Row, Rows};
use crate::rest::typed;
use crate::{instant, openai_chat};

pub(super) fn write(rows: &Rows<'_>) -> Result<Vec<Raw>, ExportError> {
    let mut lines = Vec::new();
    for row in rows.iter() {
        match row.message.role {
            Role::System if row.is_head() => {
                let mut line = typed("config.update");
                line.string("systemPrompt", &row.words()?);
                lines.push(at_time(line, row));
            }
            Role::System => return row.refuse("a system message"),
            Role::User | Role::Tool => written_user(row, &mut lines)?,
            Role::Assistant => written_step(row, &mut lines)?,
        }
    }
    Ok(lines)
}

fn at_time(mut line: Object, row: &Row<'_>) -> Raw {
    line.number("time", instant::milliseconds(row.entry.time.as_deref()));
    line.finish()
}

fn event_line(event: &Object, row: &Row<'_>) -> Raw {
    let mut line = typed("context.append_loop_event");
    line.raw("event", &event.finish());
    at_time(line, row)
}

fn written_user(row: &Row<'_>, lines: &mut Vec<Raw>) -> Result<(), ExportError> {
    let mut content = Array::new();
    for piece in row.pieces()? {
        match piece {
            Piece::Result(result) => {
                let (mut event, mut value) = (typed("tool.result"), Object::new());
                value.raw("output", &output(row, result)?);
                if result.is_error {
                    value.bool("isError", true);
                }
                event.text("toolCallId", &result.tool_use_id).raw("result", &value.finish());
                lines.push(event_line(&event, row));
            }
            Piece::Text(_) | Piece::Image(_) | Piece::Opaque(_) => {
                content.raw(&written_part(row, &piece)?);
            }
            Piece::Call(_) | Piece::Thought(_) => return row.refuse("a call away from a reply"),
        }
    }
    let content = content.finish();
    if content.as_str() != "[]" {
        let (mut message, mut origin) = (Object::new(), Object::new());
        origin.string("kind", "user");
        message.string("role", "user").raw("content", &content);
        message.raw("toolCalls", &Array::new().finish()).raw("origin", &origin.finish());
        let mut line = typed("context.append_message");
        line.raw("message", &message.finish());
        lines.push(at_time(line, row));
    }
    Ok(())
}

fn written_step(row: &Row<'_>, lines: &mut Vec<Raw>) -> Result<(), ExportError> {
    let step = row.entry.id.as_str();
    let mut begin = typed("step.begin");
    lines.push(event_line(begin.string("uuid", step), row));
    for piece in row.pieces()? {
        let event = match &piece {
            Piece::Call(call) => {
                let mut event = typed("tool.call");
                event.string("stepUuid", step).text("toolCallId", &call.id);
                event.text("name", &call.name).raw("args", &input_of(&call.input));
                event
            }
            Piece::Text(_) | Piece::Thought(_) | Piece::Image(_) | Piece::Opaque(_) => {
                let mut event = typed("content.part");
                event.string("stepUuid", step).raw("part", &written_part(row, &piece)?);
                event
            }
            Piece::Result(_) => return row.refuse("a result inside a reply"),
        };
        lines.push(event_line(&event, row));
    }
    let mut end = typed("step.end");
    lines.push(event_line(end.string("uuid", step), row));
    Ok(())
}

fn output(row: &Row<'_>, result: &ToolResult) -> Result<Raw, ExportError> {
    if let [ResultPart::Text(told)] = result.content.as_slice() {
        return Ok(Raw::string(told));
    }
    let mut parts = Array::new();
    for part in &result.content {
        parts.raw(&match part {
            ResultPart::Text(words) => text_part(words),
            ResultPart::Image(image) => image_part(row, image)?,
            ResultPart::Opaque(block) => block.raw.clone(),
        });
    }
    Ok(parts.finish())
}

fn written_part(row: &Row<'_>, piece: &Piece<'_>) -> Result<Raw, ExportError> {
    Ok(match piece {
        Piece::Text(said) => text_part(&said.text),
        Piece::Thought(thought) => {
            let mut part = typed("think");
            part.text("think", &thought.reasoning);
            part.finish()
        }
        Piece::Image(image) => image_part(row, image)?,
        Piece::Opaque(raw) => (*raw).clone(),
        Piece::Call(_) | Piece::Result(_) => return row.refuse("a call among parts"),
    })
}

fn text_part(words: &Text) -> Raw {
    let mut part = typed("text");
    part.text("text", words);
    part.finish()
}

fn image_part(row: &Row<'_>, image: &Image) -> Result<Raw, ExportError> {
    let Some(url) = openai_chat::url_of(image) else {
        return row.refuse("an image whose bytes are elsewhere");
    };
    let (mut part, mut holder) = (typed("image_url"), Object::new());
    holder.text("url", &url);
    part.raw("imageUrl", &holder.finish());
    Ok(part.finish())
}
