//! Sessions of Cline and of Roo: one document of messages with the blocks of the Anthropic API.
//!
//! Newer versions of Cline have an object with a list; earlier ones, and Roo, the list alone
//! (`api_conversation_history.json`), each message with its time. A message that a summary or a
//! truncation of Roo stands for is beside the path, as long as that is in the file.

use std::collections::HashSet;
use std::sync::Arc;

use json::{Kind, Object, Raw, Text, Value};
use record::{Block, Image, ImageSource, Issuer, Reasoning, Rest, ResultPart, ToolResult, Usage};

use super::message::{is_long, line_of, reply, said, text};
use super::rows::{Row, Rows};
use super::session::Session;
use super::shapes::anthropic_message;
use super::{Harness, New, no_lines};
use crate::chain::Line;
use crate::error::ExportError;
use crate::places::Places;
use crate::report::Place;
use crate::{Format, anthropic, instant, picture};

pub(super) const HARNESS: Harness = Harness {
    format: Format::Cline,
    is_line: super::never,
    is_document,
    line: no_lines,
    document,
    list: &[&["messages"], &[]],
    write: |rows| Ok(rows.iter().map(message).collect::<Result<Vec<_>, _>>()?.concat()),
    new: New::Document(new),
};

fn is_document(root: Value<'_, '_>) -> bool {
    let has = |name: &str| root.get(name).is_some();
    if root.kind() != Kind::Array {
        let list = root.get("messages").is_some_and(|list| list.kind() == Kind::Array);
        return list && has("sessionId") && has("agent") && has("updated_at");
    }
    let counted = |m: Value<'_, '_>| m.get("ts").is_some_and(|ts| ts.kind() == Kind::Number);
    let told = |m: Value<'_, '_>| m.get("modelInfo").is_some_and(|of| of.kind() == Kind::Object);
    let is_message = |m: Value<'_, '_>| m.get("role").is_some() && m.get("content").is_some();
    root.items().any(|message| (counted(message) || told(message)) && is_message(message))
}

fn document(session: &mut Session, root: Value<'_, '_>, places: &mut Places<'_>) {
    if let Some(prompt) = text(root, "system_prompt") {
        let place = places.of(root.get("system_prompt").unwrap_or(root));
        session.system(prompt, line_of(Some("system_prompt".into()), None, place));
    }
    let list = if root.kind() == Kind::Array { Some(root) } else { root.get("messages") };
    let messages = || list.into_iter().flat_map(Value::items);
    let replacing: HashSet<Text> = messages()
        .flat_map(|message| {
            let summary = message.get("isSummary").and_then(Value::as_bool) == Some(true);
            let summary = text(message, "condenseId").filter(|_| summary);
            let marker = message.get("isTruncationMarker").and_then(Value::as_bool) == Some(true);
            [summary, text(message, "truncationId").filter(|_| marker)]
        })
        .flatten()
        .collect();
    for (at, message) in messages().enumerate() {
        let id = text(message, "id").unwrap_or_else(|| format!("messages.{at}").into());
        let time = message.get("ts").and_then(instant::text_of);
        let line = line_of(Some(id), time, places.of(message));
        let replaced = ["condenseParent", "truncationParent"]
            .iter()
            .any(|name| text(message, name).is_some_and(|parent| replacing.contains(&parent)));
        if replaced {
            session.keep_aside("a message that a summary stands for", line);
        } else {
            read(session, message, line);
        }
    }
}

fn read(session: &mut Session, message: Value<'_, '_>, line: Line) -> usize {
    let about = message.get("modelInfo");
    // Its own file and what it exports name these otherwise.
    let own =
        |names: [&str; 2]| names.iter().find_map(|name| text(about?, name)).unwrap_or_default();
    let (platform, model) = (own(["provider", "providerId"]), own(["id", "modelId"]));
    let issuer = Issuer { platform, account: None, api: anthropic::block::API.into(), model };
    let issuer = Arc::new(issuer);
    let blocks = match message.get("content") {
        Some(content) if content.kind() == Kind::Array && !is_long(content) => {
            content.items().map(|block| self::block(session, block, &issuer, line.place)).collect()
        }
        Some(content) => session.anthropic(content, &issuer, line.place),
        None if message.get("text").is_some() => thought(message).map(|thought| vec![thought]),
        None => None,
    };
    let Some(mut blocks) = blocks else { return session.unread("message", line) };
    match message.get_str("role").as_deref() {
        Some("assistant") => {
            if let Some(thought) = thought_beside(message) {
                blocks.insert(0, thought);
            }
            let mut reply = reply(blocks, &issuer);
            reply.usage = message.get("metrics").and_then(usage);
            session.row(reply, line)
        }
        Some("user") => session.row(said(blocks), line),
        Some(_) | None => session.unread("message", line),
    }
}

/// A block: of the API, or one of Cline's own.
fn block(
    session: &mut Session,
    block: Value<'_, '_>,
    issuer: &Arc<Issuer>,
    place: Place,
) -> Option<Block> {
    let own = match block.get_str("type").as_deref() {
        // A file that was attached: the model is given its text.
        Some("file") => text(block, "content").map(Block::text),
        Some("reasoning") => thought(block),
        Some("image") => image(session, block, place),
        Some("tool_result") => told_result(block),
        Some(_) | None => None,
    };
    own.or_else(|| session.anthropic_block(block, issuer, place))
}

/// An image as Cline's own blocks hold it.
fn image(session: &mut Session, block: Value<'_, '_>, place: Place) -> Option<Block> {
    let image = Image::new(text(block, "mediaType")?, ImageSource::Base64(text(block, "data")?));
    let report = &mut session.chain.report;
    Some(Block::Image(picture::read(image, block, &["mediaType", "data"], report, place)))
}

/// A result whose content is some value of a tool: told as it is written.
fn told_result(block: Value<'_, '_>) -> Option<Block> {
    let content = block.get("content").filter(|content| content.kind() == Kind::Array)?;
    if content.items().all(|part| part.get("type").is_some()) {
        return None;
    }
    Some(Block::ToolResult(ToolResult {
        tool_use_id: text(block, "tool_use_id")?,
        tool_name: text(block, "name").unwrap_or_default(),
        content: vec![ResultPart::Text(Raw::compact(content).as_str().into())],
        is_error: block.get("is_error").and_then(Value::as_bool).unwrap_or(false),
        rest: Rest::default(),
    }))
}

fn thought(value: Value<'_, '_>) -> Option<Block> {
    let reasoning = text(value, "text")?;
    Some(Block::Reasoning(Reasoning { reasoning, proof: None, rest: Rest::default() }))
}

/// What a vendor of Chat Completions thought, which Roo keeps beside the blocks.
fn thought_beside(message: Value<'_, '_>) -> Option<Block> {
    let reasoning = text(message, "reasoning_content").filter(|thought| !thought.is_empty())?;
    Some(Block::Reasoning(Reasoning { reasoning, proof: None, rest: Rest::default() }))
}

/// What was read counts what came from the cache, and what was written to it.
fn usage(metrics: Value<'_, '_>) -> Option<Usage> {
    let count = |name: &str| metrics.get(name).and_then(Value::as_u64);
    let (read, written) = (count("cacheReadTokens"), count("cacheWriteTokens"));
    let (read, written) = (read.unwrap_or(0), written.unwrap_or(0));
    Some(Usage {
        input_tokens: count("inputTokens")?.saturating_sub(read).saturating_sub(written),
        output_tokens: count("outputTokens").unwrap_or(0),
        cache_creation_input_tokens: written,
        cache_read_input_tokens: read,
    })
}

fn message(row: &Row<'_>) -> Result<Vec<Raw>, ExportError> {
    if row.message.role == record::Role::System {
        return if row.is_head() { Ok(Vec::new()) } else { row.refuse("a system message") };
    }
    let Some(written) = anthropic_message(row)? else { return Ok(Vec::new()) };
    let mut object = Object::new();
    object.string("id", row.entry.id.as_str());
    for (name, value) in written.doc().root().members() {
        object.raw(&name.as_str().unwrap_or_default(), &Raw::of(value));
    }
    object.number("ts", instant::milliseconds(row.entry.time.as_deref()));
    Ok(vec![object.finish()])
}

fn new(rows: &Rows<'_>) -> Raw {
    let mut document = Object::new();
    document.number("version", 1).string("updated_at", "").string("agent", "lead");
    document.string("sessionId", rows.first().map_or("", |row| row.entry.id.as_str()));
    document.raw("messages", &json::Array::new().finish());
    document.optional_string("system_prompt", rows.system_text().as_deref());
    document.finish()
}
