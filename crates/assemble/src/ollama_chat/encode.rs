//! A reply as this API sends it.

#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{Block, InputClass, Message, StopKind, ToolUse};
use wire::ollama_chat::events::ending;

use super::{API, THINKING};
use crate::encode::{CannotCarry, answered, input_tokens, native_word, pieces};
use crate::response::Members;

/// The body of a reply.
pub(crate) fn body(message: &Message) -> Result<Raw, CannotCarry> {
    let is_own = is_own(message);
    let mut said = Object::new();
    let (mut content, mut thinking, mut calls) = (String::new(), String::new(), Vec::new());
    for (block, index) in message.blocks.iter().zip(0..) {
        match part(block, index, is_own)? {
            Part::Text(text) => content.push_str(text),
            Part::Thought(text) => thinking.push_str(text),
            Part::Call(call) => calls.push(call),
            Part::None => {}
        }
    }
    said.string("role", "assistant").string("content", &content);
    if !thinking.is_empty() {
        said.string(THINKING, &thinking);
    }
    if !calls.is_empty() {
        said.raw("tool_calls", &Array::of(&calls));
    }
    for (name, value) in message.rest.iter() {
        said.raw(name, value);
    }
    last(message, &said.finish())
}

/// The lines of a reply.
pub(crate) fn stream(message: &Message) -> Result<Vec<u8>, CannotCarry> {
    let is_own = is_own(message);
    let mut lines = Vec::new();
    let empty = Text::default();
    for (block, index) in message.blocks.iter().zip(0..) {
        match part(block, index, is_own)? {
            Part::Text(text) => {
                lines.extend(pieces(text).iter().map(|piece| said(piece, &[])));
            }
            Part::Thought(text) => {
                let thought = |piece: &Text| said(&empty, &[(THINKING, Raw::string(piece))]);
                lines.extend(pieces(text).iter().map(thought));
            }
            Part::Call(call) => lines.push(said(&empty, &[("tool_calls", Array::of([&call]))])),
            Part::None => {}
        }
    }
    let mut out = Vec::new();
    for line in &lines {
        let mut chunk = head(message);
        chunk.raw("message", line).bool("done", false);
        push(&mut out, &chunk.finish());
    }
    let rest: Vec<(&str, Raw)> =
        message.rest.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    push(&mut out, &last(message, &said(&empty, &rest))?);
    Ok(out)
}

/// Whether the message came over this API.
fn is_own(message: &Message) -> bool {
    answered(message).0.is_some_and(|api| api.as_str() == API)
}

fn push(out: &mut Vec<u8>, line: &Raw) {
    out.extend_from_slice(line.as_str().as_bytes());
    out.push(b'\n');
}

fn said(content: &Text, more: &[(&str, Raw)]) -> Raw {
    let mut object = Object::new();
    object.string("role", "assistant").text("content", content);
    for (name, value) in more {
        object.raw(name, value);
    }
    object.finish()
}

/// What a chunk begins with.
fn head(message: &Message) -> Object {
    let members = Members::of(message.response.as_ref(), API);
    let mut object = Object::new();
    match members.get("model") {
        Some(model) => object.raw("model", model),
        None => object.text("model", &answered(message).1),
    };
    object.optional_raw("created_at", members.get("created_at"));
    object
}

/// The last chunk.
fn last(message: &Message, said: &Raw) -> Result<Raw, CannotCarry> {
    let done_reason = done_reason(message)?;
    let members = Members::of(message.response.as_ref(), API);
    let mut object = head(message);
    object.raw("message", said);
    if let Some(done_reason) = &done_reason {
        object.text("done_reason", done_reason);
    }
    object.bool("done", true);
    let in_head = ["model", "created_at"];
    for (name, value) in members.iter().filter(|(name, _)| !in_head.contains(name)) {
        object.raw(name, value);
    }
    let counted = members.get("eval_count").is_some() || members.get("prompt_eval_count").is_some();
    if let Some(usage) = message.usage.as_ref().filter(|_| !counted) {
        object.number("prompt_eval_count", input_tokens(usage));
        object.number("eval_count", usage.output_tokens);
    }
    Ok(object.finish())
}

fn done_reason(message: &Message) -> Result<Option<Text>, CannotCarry> {
    if message.interrupted {
        return Err(CannotCarry::Cut);
    }
    let Some(stop) = &message.stop else { return Ok(Some("stop".into())) };
    if is_own(message) && stop.native.is_none() {
        return Ok(None);
    }
    if let Some(native) = native_word(API, message, ending) {
        return Ok(Some(native.clone()));
    }
    match stop.kind {
        StopKind::Stop | StopKind::ToolCalls => Ok(Some("stop".into())),
        StopKind::MaxTokens => Ok(Some("length".into())),
        StopKind::Aborted | StopKind::Error => Err(CannotCarry::Cut),
    }
}

/// What a block is on this wire.
enum Part<'m> {
    Text(&'m Text),
    Thought(&'m Text),
    Call(Raw),
    None,
}

fn part(block: &Block, index: usize, is_own: bool) -> Result<Part<'_>, CannotCarry> {
    let cannot = |what| CannotCarry::Block { index, what };
    match block {
        Block::Text(text) => Ok(Part::Text(&text.text)),
        Block::Reasoning(thought) => Ok(Part::Thought(&thought.reasoning)),
        Block::ToolUse(call) => called(call, is_own)
            .map(Part::Call)
            .ok_or_else(|| cannot("a call whose arguments are no object")),
        // What only another API reads stays behind.
        Block::Opaque(_) => Ok(Part::None),
        Block::ToolResult(_) => Err(cannot("a result")),
        Block::Image(_) => Err(cannot("an image")),
        Block::SystemChange(_) => Err(cannot("a change of the head")),
    }
}

/// A call; `None` where its arguments are none this API could have sent.
fn called(call: &ToolUse, is_own: bool) -> Option<Raw> {
    let (mut function, mut object) = (Object::new(), Object::new());
    function.text("name", &call.name);
    match call.input.class() {
        InputClass::Empty => {}
        InputClass::Object | InputClass::Malformed => {
            function.raw("arguments", &Raw::parse(call.input.text()).ok()?);
        }
    }
    if !call.id.is_empty() {
        object.text("id", &call.id);
    }
    object.raw("function", &function.finish());
    for (name, value) in call.rest.iter().filter(|_| is_own) {
        object.raw(name, value);
    }
    Some(object.finish())
}
