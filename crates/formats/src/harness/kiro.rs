//! Conversations of Kiro: a document of turns, each what the person's side said and what the
//! assistant answered; and the lines its newer versions keep, a message or the results of one each.

use json::{Array, Kind, Object, Raw, Text, Value};
use record::{Block, Input, Rest, ResultPart, Role, ToolResult, ToolUse};

use super::message::{is_long, line_of, reply, said, text};
use super::rows::{Piece, Row, Rows};
use super::session::Session;
use super::{Harness, New};
use crate::anthropic::write::input_of;
use crate::chain::Line;
use crate::error::ExportError;
use crate::places::Places;
use crate::report::Place;
use crate::{Format, instant};

/// The dialect the harness speaks to its own service; nothing in its files is signed.
const API: &str = "kiro";

pub(super) const HARNESS: Harness = Harness {
    format: Format::Kiro,
    is_line,
    is_document,
    line,
    document,
    list: &[&["history"]],
    write,
    new: New::Document(|_| {
        let mut document = Object::new();
        document.string("conversation_id", "").raw("history", &Array::new().finish());
        document.finish()
    }),
};

fn is_line(line: Value<'_, '_>) -> bool {
    let kind = line.get_str("kind");
    line.get("data").is_some_and(|data| data.kind() == Kind::Object)
        && line.get("version").is_some()
        && matches!(kind.as_deref(), Some("Prompt" | "AssistantMessage" | "ToolResults"))
}

fn is_document(root: Value<'_, '_>) -> bool {
    let history = root.get("history").filter(|history| history.kind() == Kind::Array);
    history.is_some() && root.get("conversation_id").is_some()
}

fn document(session: &mut Session, root: Value<'_, '_>, places: &mut Places<'_>) {
    let model = root.get("model_info").and_then(|model| text(model, "model_id"));
    session.model = model.or_else(|| text(root, "model")).unwrap_or_default();
    session.platform = "kiro".into();
    for (at, turn) in root.get("history").into_iter().flat_map(Value::items).enumerate() {
        let at = |side: &str| Some(format!("history.{at}.{side}").into());
        if let Some(user) = turn.get("user") {
            let time = user.get("timestamp").and_then(instant::text_of);
            asked(session, user, line_of(at("user"), time, places.of(user)));
        }
        if let Some(assistant) = turn.get("assistant").filter(|reply| !reply.is_null()) {
            answered(session, assistant, line_of(at("assistant"), None, places.of(assistant)));
        }
    }
}

fn asked(session: &mut Session, user: Value<'_, '_>, line: Line) {
    let Some(content) = user.get("content").filter(|content| !content.is_null()) else { return };
    let of = |name: &str| content.get(name);
    let holder = of("Prompt").or_else(|| of("ToolUseResults")).or_else(|| of("CancelledToolUses"));
    let Some(holder) = holder else {
        session.unread("what the user said", line);
        return;
    };
    let mut blocks: Vec<Block> = holder
        .get("tool_use_results")
        .into_iter()
        .flat_map(Value::items)
        .map(|result| Block::ToolResult(stored_result(result)))
        .collect();
    let prompt = text(holder, "prompt").filter(|prompt| !prompt.is_empty());
    blocks.extend(prompt.map(Block::text));
    if user.get("images").is_some_and(|images| images.items().next().is_some()) {
        session.chain.report.keep_aside("images of a prompt", line.place);
    }
    if !blocks.is_empty() {
        session.row(said(blocks), line);
    }
}

fn stored_result(result: Value<'_, '_>) -> ToolResult {
    let told = |part: Value<'_, '_>| {
        let json = part.get("Json").map(|json| Raw::compact(json).as_str().into());
        text(part, "Text").or(json).map(ResultPart::Text)
    };
    let parts = result.get("content").into_iter().flat_map(Value::items);
    ToolResult {
        tool_use_id: text(result, "tool_use_id").unwrap_or_default(),
        tool_name: Text::default(),
        content: parts.filter_map(told).collect(),
        is_error: text(result, "status").is_some_and(|status| &*status == "Error"),
        rest: Rest::default(),
    }
}

fn answered(session: &mut Session, assistant: Value<'_, '_>, line: Line) {
    let holder = assistant.get("ToolUse").or_else(|| assistant.get("Response"));
    let Some(holder) = holder else {
        session.unread("what the assistant said", line);
        return;
    };
    let words = text(holder, "content").filter(|words| !words.is_empty());
    let mut blocks: Vec<Block> = words.map(Block::text).into_iter().collect();
    for call in holder.get("tool_uses").into_iter().flat_map(Value::items) {
        blocks.push(Block::ToolUse(ToolUse {
            id: text(call, "id").unwrap_or_default(),
            name: text(call, "name").unwrap_or_default(),
            input: call.get("args").map_or_else(|| Input::new(Text::default()), Input::of_value),
            proof: None,
            rest: Rest::default(),
        }));
    }
    let reply = reply(blocks, &session.issuer(API));
    session.row(reply, line);
}

fn line(session: &mut Session, line: Value<'_, '_>, place: Place) -> Option<usize> {
    let data = line.get("data");
    let id = data.and_then(|data| text(data, "message_id"));
    let row = line_of(id, None, place);
    let kind = text(line, "kind").unwrap_or_default();
    let content = data.and_then(|data| data.get("content"));
    let content = content.filter(|content| !is_long(*content));
    if let (Some(handoff), "Compaction") = (data.and_then(|data| text(data, "summary")), &*kind) {
        session.compaction(Some(handoff), Vec::new(), row);
        return None;
    }
    let blocks: Option<Vec<Block>> = content.map(|content| {
        content.items().filter_map(|block| self::block(session, block, place)).collect()
    });
    match (&*kind, blocks) {
        ("Prompt" | "ToolResults", Some(blocks)) => session.row(said(blocks), row),
        ("AssistantMessage", Some(blocks)) => {
            let issuer = session.issuer(API);
            session.row(reply(blocks, &issuer), row)
        }
        _ => session.keep_aside(&format!("line {kind}"), row),
    };
    None
}

/// A block of a newer version: its kind, and what it holds.
fn block(session: &mut Session, block: Value<'_, '_>, place: Place) -> Option<Block> {
    let data = block.get("data")?;
    Some(match &*block.get_str("kind")? {
        "text" => Block::text(data.to_text()?),
        "toolUse" => Block::ToolUse(ToolUse {
            id: text(data, "toolUseId").unwrap_or_default(),
            name: text(data, "name")?,
            input: data.get("input").map_or_else(|| Input::new(Text::default()), Input::of_value),
            proof: None,
            rest: Rest::default(),
        }),
        "toolResult" => {
            let told = |part: Value<'_, '_>| {
                let data = part.get("data")?;
                let json = || Raw::compact(data).as_str().into();
                Some(ResultPart::Text(data.to_text().unwrap_or_else(json)))
            };
            let parts = data.get("content").into_iter().flat_map(Value::items);
            Block::ToolResult(ToolResult {
                tool_use_id: text(data, "toolUseId").unwrap_or_default(),
                tool_name: Text::default(),
                content: parts.filter_map(told).collect(),
                is_error: text(data, "status").is_some_and(|status| &*status == "error"),
                rest: Rest::default(),
            })
        }
        kind => {
            session.unread_block(kind, place);
            return None;
        }
    })
}

fn write(rows: &Rows<'_>) -> Result<Vec<Raw>, ExportError> {
    if rows.are_lines() {
        return rows.iter().map(written_line).collect();
    }
    let mut turns = Vec::new();
    let mut user: Option<Raw> = None;
    let mut results = Array::new();
    let mut has_results = false;
    for row in rows.iter() {
        if row.is_head() {
            continue;
        }
        if row.message.role != Role::Assistant {
            for piece in row.pieces()? {
                match piece {
                    Piece::Result(result) => {
                        results.raw(&written_result(row, result)?);
                        has_results = true;
                    }
                    Piece::Text(_) => {}
                    Piece::Call(_) | Piece::Thought(_) | Piece::Image(_) | Piece::Opaque(_) => {
                        return row.refuse("an image, or a block that no prompt has");
                    }
                }
            }
            let words = row.words()?;
            if row.message.role == Role::System {
                return row.refuse("a system message");
            }
            if !words.is_empty() {
                let asked = prompt(&words, std::mem::take(&mut results), has_results);
                turns.extend(user.replace(asked).map(|user| turn(&user, None)));
                has_results = false;
            }
            continue;
        }
        if has_results {
            let told = told(&std::mem::take(&mut results));
            turns.extend(user.replace(told).map(|user| turn(&user, None)));
            has_results = false;
        }
        let user = user.take().unwrap_or_else(said_nothing);
        turns.push(turn(&user, Some(&written_reply(row)?)));
    }
    if has_results {
        let told = told(&results);
        turns.extend(user.replace(told).map(|user| turn(&user, None)));
    }
    turns.extend(user.map(|user| turn(&user, None)));
    Ok(turns)
}

fn turn(user: &Raw, assistant: Option<&Raw>) -> Raw {
    let mut turn = Object::new();
    turn.raw("user", user);
    match assistant {
        Some(assistant) => turn.raw("assistant", assistant),
        None => turn.raw("assistant", &crate::source::null()),
    };
    turn.finish()
}

fn holding(content: &Raw) -> Raw {
    let mut user = Object::new();
    user.raw("content", content);
    user.finish()
}

fn said_nothing() -> Raw {
    holding(&crate::source::null())
}

fn prompt(words: &str, results: Array, has_results: bool) -> Raw {
    let (mut inner, mut content) = (Object::new(), Object::new());
    inner.string("prompt", words);
    if has_results {
        inner.raw("tool_use_results", &results.finish());
    }
    content.raw(if has_results { "CancelledToolUses" } else { "Prompt" }, &inner.finish());
    holding(&content.finish())
}

fn told(results: &Array) -> Raw {
    let (mut inner, mut content) = (Object::new(), Object::new());
    inner.raw("tool_use_results", &results.finish());
    content.raw("ToolUseResults", &inner.finish());
    holding(&content.finish())
}

fn written_result(row: &Row<'_>, result: &ToolResult) -> Result<Raw, ExportError> {
    let (mut part, mut object) = (Object::new(), Object::new());
    part.string("Text", &row.output_of(result)?);
    object.text("tool_use_id", &result.tool_use_id).raw("content", &Array::of([&part.finish()]));
    object.string("status", if result.is_error { "Error" } else { "Success" });
    Ok(object.finish())
}

fn written_reply(row: &Row<'_>) -> Result<Raw, ExportError> {
    let mut calls = Array::new();
    let mut called = false;
    for piece in row.pieces()? {
        match piece {
            Piece::Call(call) => {
                let mut object = Object::new();
                object.text("id", &call.id).text("name", &call.name);
                object.raw("args", &input_of(&call.input));
                calls.raw(&object.finish());
                called = true;
            }
            Piece::Text(_) | Piece::Thought(_) => {}
            Piece::Result(_) | Piece::Image(_) | Piece::Opaque(_) => {
                return row.refuse("a block that no reply has");
            }
        }
    }
    let (mut inner, mut reply) = (Object::new(), Object::new());
    inner.string("message_id", row.entry.id.as_str()).string("content", &row.words()?);
    if called {
        inner.raw("tool_uses", &calls.finish());
    }
    reply.raw(if called { "ToolUse" } else { "Response" }, &inner.finish());
    Ok(reply.finish())
}

/// A row as newer versions keep it.
fn written_line(row: &Row<'_>) -> Result<Raw, ExportError> {
    let of_kind = |kind: &str, data: &Raw| {
        let mut block = Object::new();
        block.string("kind", kind).raw("data", data);
        block.finish()
    };
    let mut content = Array::new();
    for piece in row.pieces()? {
        content.raw(&match piece {
            Piece::Text(said) => of_kind("text", &Raw::string(&said.text)),
            Piece::Call(call) => {
                let mut data = Object::new();
                data.text("toolUseId", &call.id).text("name", &call.name);
                data.raw("input", &input_of(&call.input));
                of_kind("toolUse", &data.finish())
            }
            Piece::Result(result) => {
                let told = of_kind("text", &Raw::string(&row.output_of(result)?.into()));
                let mut data = Object::new();
                data.text("toolUseId", &result.tool_use_id).raw("content", &Array::of([&told]));
                data.string("status", if result.is_error { "error" } else { "success" });
                of_kind("toolResult", &data.finish())
            }
            Piece::Thought(_) => continue,
            Piece::Image(_) | Piece::Opaque(_) => return row.refuse("an image"),
        });
    }
    let kind = match row.message.role {
        Role::User => "Prompt",
        Role::Tool => "ToolResults",
        Role::Assistant => "AssistantMessage",
        Role::System => return row.refuse("a system message"),
    };
    let (mut data, mut line) = (Object::new(), Object::new());
    data.string("message_id", row.entry.id.as_str()).raw("content", &content.finish());
    line.string("version", "v1").string("kind", kind).raw("data", &data.finish());
    Ok(line.finish())
}
