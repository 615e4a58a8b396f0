//! Messages that LangChain dumped: a list of them, alone or under `messages`, each in one of three
//! envelopes (`data`, `kwargs`, none), told apart by its type.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Kind, Object, Raw, Text, Value};
use record::{Block, Input, Rest, ResultPart, Role, ToolResult, ToolUse, Usage};

use super::message::{line_of, reply, result_part, returned, said, text};
use super::rows::{Piece, Row};
use super::session::Session;
use super::{Harness, New, no_lines};
use crate::Format;
use crate::anthropic::write::input_of;
use crate::chain::Line;
use crate::error::ExportError;
use crate::openai_chat::{self, API};
use crate::places::Places;
use crate::rest::typed;

/// Its names of those who speak, and the classes of its messages.
const KINDS: [(&str, Role); 10] = [
    ("human", Role::User),
    ("ai", Role::Assistant),
    ("system", Role::System),
    ("tool", Role::Tool),
    ("HumanMessage", Role::User),
    ("AIMessage", Role::Assistant),
    ("SystemMessage", Role::System),
    ("ToolMessage", Role::Tool),
    ("AIMessageChunk", Role::Assistant),
    ("HumanMessageChunk", Role::User),
];

pub(super) const HARNESS: Harness = Harness {
    format: Format::LangChain,
    is_line: super::never,
    is_document: |root| list_of(root).is_some_and(|list| list.items().any(|m| opened(m).is_some())),
    line: no_lines,
    document,
    list: &[&["messages"], &["values", "messages"], &[]],
    write: |rows| Ok(rows.iter().map(messages).collect::<Result<Vec<_>, _>>()?.concat()),
    new: New::Document(|_| Array::new().finish()),
};

fn list_of<'d, 't>(root: Value<'d, 't>) -> Option<Value<'d, 't>> {
    let values = root.get("values").unwrap_or(root);
    let list = if root.kind() == Kind::Array { root } else { values.get("messages")? };
    (list.kind() == Kind::Array).then_some(list)
}

/// Who speaks, and what holds the members of the message.
fn opened<'d, 't>(message: Value<'d, 't>) -> Option<(Role, Value<'d, 't>)> {
    let kind = message.get_str("type")?;
    let role = |name: &str| KINDS.iter().find(|(kind, _)| *kind == name).map(|(_, role)| *role);
    if &*kind == "constructor" {
        let class = message.get("id")?.items().last()?.as_str()?;
        return Some((role(&class)?, message.get("kwargs")?));
    }
    let inside = message.get("data").unwrap_or(message);
    // Items of other APIs have a type as well, and a role.
    let is_own = message.get("role").is_none() && inside.get("content").is_some();
    role(&kind).filter(|_| is_own).map(|role| (role, inside))
}

fn document(session: &mut Session, root: Value<'_, '_>, places: &mut Places<'_>) {
    for (at, message) in list_of(root).into_iter().flat_map(Value::items).enumerate() {
        let place = places.of(message);
        let Some((role, inside)) = opened(message) else {
            session.unread("message", line_of(None, None, place));
            continue;
        };
        let id = text(inside, "id").filter(|id| !id.is_empty());
        let id = id.unwrap_or_else(|| format!("messages.{at}").into());
        read(session, role, inside, line_of(Some(id), None, place));
    }
}

fn read(session: &mut Session, role: Role, message: Value<'_, '_>, line: Line) {
    let about = message.get("response_metadata");
    let model = about.and_then(|about| text(about, "model_name").or_else(|| text(about, "model")));
    session.platform = model.as_deref().and_then(openai_chat::platform_of).unwrap_or("").into();
    session.model = model.unwrap_or_default();
    let anthropic = session.model.starts_with("claude");
    let issuer = session.issuer(if anthropic { crate::anthropic::block::API } else { API });
    let content = message.get("content").filter(|content| !content.is_null());
    let Some(content) = content.map(|content| self::content(session, content, &issuer, line.place))
    else {
        session.unread("message", line);
        return;
    };
    let Some(mut blocks) = content else {
        session.unread("message", line);
        return;
    };
    match role {
        Role::System => {
            let texts: Vec<&str> =
                blocks.iter().filter_map(Block::as_text).map(|text| text.text.as_str()).collect();
            session.system(texts.join("\n").into(), line);
        }
        Role::User => {
            session.row(said(blocks), line);
        }
        Role::Assistant => {
            // Content in blocks names the calls as well.
            let named: Vec<Text> =
                blocks.iter().filter_map(Block::as_tool_use).map(|call| call.id.clone()).collect();
            let calls = message.get("tool_calls").into_iter().flat_map(Value::items).map(call);
            let broken = message.get("invalid_tool_calls");
            let broken = broken.into_iter().flat_map(Value::items).map(call);
            blocks.extend(
                calls.chain(broken).filter(|call| !named.contains(&call.id)).map(Block::ToolUse),
            );
            let mut reply = reply(blocks, &issuer);
            reply.usage = message.get("usage_metadata").and_then(usage);
            session.row(reply, line);
        }
        Role::Tool => {
            let result = ToolResult {
                tool_use_id: text(message, "tool_call_id").unwrap_or_default(),
                tool_name: text(message, "name").unwrap_or_default(),
                content: blocks.into_iter().filter_map(result_part).collect(),
                is_error: message.get("status").is_some_and(|status| status.is_str("error")),
                rest: Rest::default(),
            };
            session.row(returned(result), line);
        }
    }
}

/// Content: a text, or blocks of the API that was spoken to.
fn content(
    session: &mut Session,
    content: Value<'_, '_>,
    issuer: &std::sync::Arc<record::Issuer>,
    place: crate::report::Place,
) -> Option<Vec<Block>> {
    let is_chat = |part: Value<'_, '_>| part.get("image_url").is_some();
    if content.kind() == Kind::Array && content.items().any(is_chat) {
        return session.chat_content(content, place);
    }
    session.anthropic(content, issuer, place)
}

fn call(call: Value<'_, '_>) -> ToolUse {
    let written = call.get("args");
    let input = match written.and_then(Value::to_text) {
        Some(words) => Input::new(words),
        None => written.map_or_else(|| Input::new(Text::default()), Input::of_value),
    };
    ToolUse {
        id: text(call, "id").unwrap_or_default(),
        name: text(call, "name").unwrap_or_default(),
        input,
        proof: None,
        rest: Rest::default(),
    }
}

/// What was read counts what came from the cache and what was written to it.
fn usage(usage: Value<'_, '_>) -> Option<Usage> {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    let details = usage.get("input_token_details");
    let cached = |name: &str| details.and_then(|d| d.get(name)?.as_u64()).unwrap_or(0);
    let (read, written) = (cached("cache_read"), cached("cache_creation"));
    Some(Usage {
        input_tokens: count("input_tokens")?.saturating_sub(read).saturating_sub(written),
        output_tokens: count("output_tokens").unwrap_or(0),
        cache_creation_input_tokens: written,
        cache_read_input_tokens: read,
    })
}

fn messages(row: &Row<'_>) -> Result<Vec<Raw>, ExportError> {
    let (mut content, mut calls, mut written) = (Array::new(), Array::new(), Vec::new());
    for piece in row.pieces()? {
        match piece {
            Piece::Text(said) => {
                content.raw(&text_part(&said.text));
            }
            Piece::Image(image) => {
                content.raw(&image_part(row, image)?);
            }
            Piece::Call(call) => {
                let mut object = Object::new();
                object.text("name", &call.name).raw("args", &input_of(&call.input));
                calls.raw(&object.text("id", &call.id).string("type", "tool_call").finish());
            }
            Piece::Result(result) => written.push(tool_message(row, result)?),
            Piece::Thought(thought) => {
                let signed = thought.proof.as_deref();
                let signed = signed.filter(|p| &*p.issuer.api == crate::anthropic::block::API);
                let mut part = typed("thinking");
                part.text("thinking", &thought.reasoning);
                part.optional_raw("signature", signed.map(|proof| &proof.sealed));
                content.raw(&part.finish());
            }
            Piece::Opaque(raw) => {
                content.raw(raw);
            }
        }
    }
    let content = content.finish();
    let kind = match row.message.role {
        Role::System => "system",
        Role::Assistant => "ai",
        Role::User | Role::Tool if content.as_str() == "[]" => return Ok(written),
        Role::User | Role::Tool => "human",
    };
    let mut data = Object::new();
    data.raw("content", &content).string("id", row.entry.id.as_str());
    let calls = calls.finish();
    if calls.as_str() != "[]" {
        data.raw("tool_calls", &calls);
    }
    if let Some(record::Source::Model { model, .. }) = &row.message.source {
        let mut about = Object::new();
        data.raw("response_metadata", &about.text("model_name", model).finish());
    }
    written.push(enveloped(kind, &data));
    Ok(written)
}

fn enveloped(kind: &str, data: &Object) -> Raw {
    let mut message = typed(kind);
    message.raw("data", &data.finish());
    message.finish()
}

fn tool_message(row: &Row<'_>, result: &ToolResult) -> Result<Raw, ExportError> {
    let mut parts = Array::new();
    for part in &result.content {
        parts.raw(&match part {
            ResultPart::Text(told) => text_part(told),
            ResultPart::Image(image) => image_part(row, image)?,
            ResultPart::Opaque(block) => block.raw.clone(),
        });
    }
    let mut data = Object::new();
    data.raw("content", &parts.finish()).text("tool_call_id", &result.tool_use_id);
    data.text("name", &result.tool_name);
    data.string("status", if result.is_error { "error" } else { "success" });
    Ok(enveloped("tool", &data))
}

fn text_part(words: &Text) -> Raw {
    let mut part = typed("text");
    part.text("text", words);
    part.finish()
}

fn image_part(row: &Row<'_>, image: &record::Image) -> Result<Raw, ExportError> {
    let Some(url) = openai_chat::url_of(image) else {
        return row.refuse("an image whose bytes are elsewhere");
    };
    let (mut inner, mut part) = (Object::new(), typed("image_url"));
    part.raw("image_url", &inner.text("url", &url).finish());
    Ok(part.finish())
}
