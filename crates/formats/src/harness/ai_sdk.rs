//! Messages of the AI SDK: a list of model messages (what was sent), or of UI messages (what a page
//! shows, results inside their calls), alone or under `messages`.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Kind, Object, Raw, Text, Value};
use record::{
    Block, Image, ImageSource, Input, OpaqueBlock, Reasoning, Rest, ResultPart, Role, ToolResult,
    ToolUse,
};

use super::message::{is_long, line_of, reply, returned, said, text};
use super::rows::{Piece, Row};
use super::session::Session;
use super::{Harness, New, no_lines};
use crate::Format;
use crate::anthropic::write::input_of;
use crate::chain::Line;
use crate::error::ExportError;
use crate::openai_chat;
use crate::places::Places;
use crate::report::Place;
use crate::rest::typed;
use crate::source::one_line;

/// The dialect is not said; nothing in its messages is read as signed.
const API: &str = "ai_sdk";

pub(super) const HARNESS: Harness = Harness {
    format: Format::AiSdk,
    is_line: super::never,
    is_document: |root| list_of(root).is_some_and(|list| list.items().any(is_message)),
    line: no_lines,
    document,
    list: &[&["messages"], &[]],
    write: |rows| Ok(rows.iter().map(messages).collect::<Result<Vec<_>, _>>()?.concat()),
    new: New::Document(|_| Array::new().finish()),
};

fn list_of<'d, 't>(root: Value<'d, 't>) -> Option<Value<'d, 't>> {
    let list = if root.kind() == Kind::Array { root } else { root.get("messages")? };
    (list.kind() == Kind::Array).then_some(list)
}

/// Whether a message has a shape that no API has.
fn is_message(message: Value<'_, '_>) -> bool {
    let role = message.get_str("role");
    if !matches!(role.as_deref(), Some("user" | "assistant" | "system" | "tool")) {
        return false;
    }
    let parts = |name: &str| message.get(name).into_iter().flat_map(Value::items);
    let shown = parts("parts").into_iter().any(|part| part.get("type").is_some());
    shown
        || parts("content").into_iter().any(|part| {
            matches!(part.get_str("type").as_deref(), Some("tool-call" | "tool-result"))
        })
}

fn document(session: &mut Session, root: Value<'_, '_>, places: &mut Places<'_>) {
    for (at, message) in list_of(root).into_iter().flat_map(Value::items).enumerate() {
        let id = text(message, "id").unwrap_or_else(|| format!("messages.{at}").into());
        read(session, message, line_of(Some(id), None, places.of(message)));
    }
}

fn read(session: &mut Session, message: Value<'_, '_>, line: Line) {
    let place = line.place;
    let parts = message.get("parts").or_else(|| message.get("content"));
    let Some(parts) = parts.filter(|parts| !is_long(*parts)) else {
        session.unread("message", line);
        return;
    };
    let mut blocks: Vec<Block> = parts.to_text().map(Block::text).into_iter().collect();
    let (mut results, mut later): (Vec<ToolResult>, Vec<Value<'_, '_>>) = (Vec::new(), Vec::new());
    let is_reply = message.get("role").is_some_and(|role| role.is_str("assistant"));
    for part in parts.items() {
        // Earlier versions hold a shown call in a member of its part.
        let part = part.get("toolInvocation").unwrap_or(part);
        let kind = text(part, "type").unwrap_or_else(|| "dynamic-tool".into());
        match &*kind {
            "step-start" if is_reply && !results.is_empty() => later.push(part),
            // What follows the results of a step is another reply.
            _ if !later.is_empty() => later.push(part),
            "step-start" => {}
            _ => {
                blocks.extend(block(session, part, &kind, place));
                results.extend(result(part, &kind));
            }
        }
    }
    let id = line.id.clone().unwrap_or_default();
    let time = line.time.clone();
    let row = match message.get_str("role").as_deref() {
        Some("assistant") => Some(reply(blocks, &session.issuer(API))),
        Some("user") => Some(said(blocks)),
        Some("system") => {
            let texts: Vec<&str> =
                blocks.iter().filter_map(Block::as_text).map(|text| text.text.as_str()).collect();
            let words = texts.join("\n").into();
            session.system(words, line);
            return;
        }
        Some("tool") => None,
        Some(_) | None => {
            session.unread("message", line);
            return;
        }
    };
    if let Some(row) = row {
        session.row(row, line);
    }
    for (at, result) in results.into_iter().enumerate() {
        let id = format!("{id}:result.{at}").into();
        session.row(returned(result), line_of(Some(id), time.clone(), place));
    }
    steps(session, &later, &id, place);
}

/// The steps of a shown message after its first.
fn steps(session: &mut Session, parts: &[Value<'_, '_>], id: &str, place: Place) {
    let is_start = |part: &Value<'_, '_>| part.get("type").is_some_and(|t| t.is_str("step-start"));
    for (at, step) in parts.split(is_start).filter(|step| !step.is_empty()).enumerate() {
        let (mut blocks, mut results) = (Vec::new(), Vec::new());
        for part in step {
            let kind = text(*part, "type").unwrap_or_default();
            blocks.extend(block(session, *part, &kind, place));
            results.extend(result(*part, &kind));
        }
        let id = format!("{id}:step.{}", at + 1);
        let reply = reply(blocks, &session.issuer(API));
        session.row(reply, line_of(Some(id.as_str().into()), None, place));
        for (at, result) in results.into_iter().enumerate() {
            let line = line_of(Some(format!("{id}:result.{at}").into()), None, place);
            session.row(returned(result), line);
        }
    }
}

/// The tool of a shown call: in its type, or beside it.
fn tool_of(part: Value<'_, '_>, kind: &str) -> Option<Text> {
    match kind {
        "dynamic-tool" | "tool-call" | "tool-result" | "tool-error" => text(part, "toolName"),
        kind => kind.strip_prefix("tool-").map(Text::from),
    }
}

fn block(session: &mut Session, part: Value<'_, '_>, kind: &str, place: Place) -> Option<Block> {
    let read = match kind {
        "text" => text(part, "text").map(Block::text),
        "reasoning" => text(part, "text").or_else(|| text(part, "reasoning")).map(|reasoning| {
            Block::Reasoning(Reasoning { reasoning, proof: None, rest: Rest::default() })
        }),
        "file" | "image" => image(session, part, place).map(Block::Image),
        "tool-result" | "tool-error" | "source-url" | "source-document" => return None,
        kind if kind.starts_with("data-") => return None,
        kind => tool_of(part, kind).and_then(|name| call(part, name)),
    };
    Some(read.unwrap_or_else(|| {
        session.unread_block(kind, place);
        Block::Opaque(OpaqueBlock { kind: kind.into(), raw: one_line(part), proof: None })
    }))
}

fn call(part: Value<'_, '_>, name: Text) -> Option<Block> {
    let input = part.get("input").or_else(|| part.get("args"));
    Some(Block::ToolUse(ToolUse {
        id: text(part, "toolCallId")?,
        name,
        input: input.map_or_else(|| Input::new(Text::default()), Input::of_value),
        proof: None,
        rest: Rest::default(),
    }))
}

/// An image: its bytes, or where it is.
fn image(session: &mut Session, part: Value<'_, '_>, place: Place) -> Option<Image> {
    let text = |name: &str| text(part, name);
    let media_type = text("mediaType").or_else(|| text("mimeType")).unwrap_or_default();
    let data = text("url").or_else(|| text("data")).or_else(|| text("image"))?;
    if !media_type.is_empty() && !media_type.starts_with("image/") {
        return None;
    }
    let report = &mut session.chain.report;
    if data.contains(':') {
        return Some(openai_chat::image_of(&data, part, &KNOWN_OF_IMAGES, report, place));
    }
    let media_type = if media_type.is_empty() { "image/png".into() } else { media_type };
    let image = Image::new(media_type, ImageSource::Base64(data));
    Some(crate::picture::read(image, part, &KNOWN_OF_IMAGES, report, place))
}

const KNOWN_OF_IMAGES: [&str; 6] = ["url", "data", "image", "mediaType", "mimeType", "filename"];

/// What a call returned: a part of its own, or the end of a shown call.
fn result(part: Value<'_, '_>, kind: &str) -> Option<ToolResult> {
    let error = text(part, "errorText").or_else(|| text(part, "error"));
    let state = text(part, "state").unwrap_or_default();
    let output = part.get("output").or_else(|| part.get("result"));
    let own = matches!(kind, "tool-result" | "tool-error");
    if !own && !matches!(&*state, "output-available" | "output-error" | "result") {
        return None;
    }
    let kind_of_output = output.filter(|_| own).and_then(|output| text(output, "type"));
    let failed = kind_of_output.as_ref().is_some_and(|kind| kind.starts_with("error"));
    let value = match &kind_of_output {
        Some(_) => output.and_then(|output| output.get("value")),
        None => output,
    };
    let marked = part.get("isError").and_then(Value::as_bool) == Some(true);
    let is_error = failed || marked || error.is_some() || kind == "tool-error";
    let content = match (kind_of_output.as_deref(), value) {
        (Some("content"), Some(parts)) => parts.items().map(content_part).collect(),
        (_, Some(value)) => {
            let told = value.to_text();
            let told = told.unwrap_or_else(|| Raw::compact(value).as_str().into());
            if told.is_empty() { Vec::new() } else { vec![ResultPart::Text(told)] }
        }
        (_, None) => error.map(ResultPart::Text).into_iter().collect(),
    };
    Some(ToolResult {
        tool_use_id: text(part, "toolCallId")?,
        tool_name: tool_of(part, kind)?,
        content,
        is_error,
        rest: Rest::default(),
    })
}

fn content_part(part: Value<'_, '_>) -> ResultPart {
    let media_type = text(part, "mediaType").filter(|kind| kind.starts_with("image/"));
    match (text(part, "text"), media_type.zip(text(part, "data"))) {
        (Some(told), _) => ResultPart::Text(told),
        (None, Some((media_type, data))) => {
            ResultPart::Image(Image::new(media_type, ImageSource::Base64(data)))
        }
        (None, None) => {
            let kind = text(part, "type").unwrap_or_default();
            ResultPart::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
        }
    }
}

/// A row as model messages: its results are one of their own.
fn messages(row: &Row<'_>) -> Result<Vec<Raw>, ExportError> {
    let (mut content, mut results) = (Array::new(), Array::new());
    for piece in row.pieces()? {
        match piece {
            Piece::Text(said) => {
                let mut part = typed("text");
                content.raw(&part.text("text", &said.text).finish());
            }
            Piece::Thought(thought) => {
                let mut part = typed("reasoning");
                content.raw(&part.text("text", &thought.reasoning).finish());
            }
            Piece::Image(image) => {
                let Some(url) = openai_chat::url_of(image) else {
                    return row.refuse("an image whose bytes are elsewhere");
                };
                let mut part = typed("image");
                part.text("image", &url).text("mediaType", image.media_type());
                content.raw(&part.finish());
            }
            Piece::Call(call) => {
                let mut part = typed("tool-call");
                part.text("toolCallId", &call.id).text("toolName", &call.name);
                content.raw(&part.raw("input", &input_of(&call.input)).finish());
            }
            Piece::Result(result) => {
                let mut part = typed("tool-result");
                part.text("toolCallId", &result.tool_use_id).text("toolName", &result.tool_name);
                results.raw(&part.raw("output", &output(row, result)?).finish());
            }
            Piece::Opaque(raw) => {
                content.raw(raw);
            }
        }
    }
    let message = |role: &str, content: &Raw| {
        let mut message = Object::new();
        message.string("role", role).raw("content", content);
        message.finish()
    };
    let (content, results) = (content.finish(), results.finish());
    let mut written = Vec::new();
    if results.as_str() != "[]" {
        written.push(message("tool", &results));
    }
    let role = match row.message.role {
        Role::System => {
            written.push(message("system", &Raw::string(&row.words()?.into())));
            return Ok(written);
        }
        Role::Assistant => "assistant",
        Role::User | Role::Tool => "user",
    };
    if content.as_str() != "[]" || role == "assistant" {
        written.push(message(role, &content));
    }
    Ok(written)
}

fn output(row: &Row<'_>, result: &ToolResult) -> Result<Raw, ExportError> {
    let text = |part: &ResultPart| matches!(part, ResultPart::Text(_));
    if result.content.iter().all(text) {
        let mut output = typed(if result.is_error { "error-text" } else { "text" });
        return Ok(output.string("value", &result.output()).finish());
    }
    if result.is_error {
        return row.refuse("a failed call with more than text");
    }
    let mut parts = Array::new();
    for part in &result.content {
        parts.raw(&match part {
            ResultPart::Text(told) => {
                let mut part = typed("text");
                part.text("text", told).finish()
            }
            ResultPart::Image(image) => {
                let mut part = typed("media");
                part.text("data", row.bytes_of(image)?);
                part.text("mediaType", image.media_type()).finish()
            }
            ResultPart::Opaque(block) => block.raw.clone(),
        });
    }
    let mut output = typed("content");
    Ok(output.raw("value", &parts.finish()).finish())
}
