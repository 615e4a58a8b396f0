//! A reply as this API and its vendors send it.

#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{Block, Message, ProofKind, Reasoning, Rest, StopKind, TextBlock, ToolUse};
use wire::openai_chat::events::{DONE, ending};

use super::API;
use super::message::{DETAILS, FREEFORM, KEY, PART};
use crate::encode::{CannotCarry, answered, frame, input_tokens, native_word, pieces};
use crate::response::Members;

/// The key of a thought that came over another dialect.
const KEY_DEFAULT: &str = "reasoning_content";

/// The body of a reply.
pub(crate) fn body(message: &Message, id: &str) -> Result<Raw, CannotCarry> {
    let members = Members::of(message.response.as_ref(), API);
    let mut choice = Object::new();
    choice.number("index", 0).raw("message", &message_of(message)?);
    choice.raw("finish_reason", &finish_reason(message)?);
    extend(&mut choice, &members);
    let mut object = head(&members, message, id, "chat.completion");
    object.raw("choices", &Array::of([&choice.finish()]));
    object.raw("usage", &usage(&members, message));
    Ok(object.finish())
}

/// The chunks of a reply.
pub(crate) fn stream(message: &Message, id: &str) -> Result<Vec<u8>, CannotCarry> {
    let members = Members::of(message.response.as_ref(), API);
    let finish_reason = finish_reason(message)?;
    let mut out = Vec::new();
    let mut send = |delta: Raw, end: Option<&Raw>| {
        let mut choice = Object::new();
        choice.number("index", 0).raw("delta", &delta);
        choice.raw("finish_reason", end.unwrap_or(&null()));
        if end.is_some() {
            extend(&mut choice, &members);
        }
        let mut chunk = head(&members, message, id, "chat.completion.chunk");
        chunk.raw("choices", &Array::of([&choice.finish()]));
        frame(&mut out, None, chunk.finish().as_str());
    };
    let mut first = Object::new();
    first.string("role", "assistant").string("content", "");
    send(first.finish(), None);
    for delta in deltas(message)? {
        send(delta, None);
    }
    let rest = with_rest(Object::new(), &message.rest, &[]);
    send(rest, Some(&finish_reason));
    let mut last = head(&members, message, id, "chat.completion.chunk");
    last.raw("choices", &Array::new().finish()).raw("usage", &usage(&members, message));
    frame(&mut out, None, last.finish().as_str());
    frame(&mut out, None, DONE);
    Ok(out)
}

/// What stands beside the choices.
fn head(members: &Members, message: &Message, id: &str, kind: &str) -> Object {
    let mut object = Object::new();
    if members.get("id").is_none() {
        object.string("id", id);
    }
    object.string("object", kind);
    if members.get("created").is_none() {
        object.number("created", 0);
    }
    if members.get("model").is_none() {
        object.text("model", &answered(message).1);
    }
    let beside = |name: &str| !["usage", "choice"].contains(&name);
    for (name, value) in members.iter().filter(|(name, _)| beside(name)) {
        object.raw(name, value);
    }
    object
}

/// Adds what the choice had beside its message.
fn extend(choice: &mut Object, members: &Members) {
    let doc = members.get("choice").map(Raw::doc).unwrap_or_default();
    for (name, value) in doc.root().members() {
        choice.raw(&name.as_str().unwrap_or_default(), &Raw::of(value));
    }
}

fn usage(members: &Members, message: &Message) -> Raw {
    if let Some(usage) = members.get("usage") {
        return usage.clone();
    }
    let Some(usage) = &message.usage else { return null() };
    let input = input_tokens(usage);
    let mut details = Object::new();
    details
        .number("cached_tokens", usage.cache_read_input_tokens)
        .number("cache_write_tokens", usage.cache_creation_input_tokens);
    let mut object = Object::new();
    object
        .number("prompt_tokens", input)
        .number("completion_tokens", usage.output_tokens)
        .number("total_tokens", input.saturating_add(usage.output_tokens))
        .raw("prompt_tokens_details", &details.finish());
    object.finish()
}

fn finish_reason(message: &Message) -> Result<Raw, CannotCarry> {
    let Some(stop) = message.stop.as_ref().filter(|_| !message.interrupted) else {
        let calls = message.blocks.iter().any(|block| block.as_tool_use().is_some());
        return match message.interrupted {
            true => Err(CannotCarry::Cut),
            false => Ok(Raw::string(&if calls { "tool_calls" } else { "stop" }.into())),
        };
    };
    if let Some(native) = native_word(API, message, ending) {
        return Ok(Raw::string(native));
    }
    let is_own = answered(message).0.is_some_and(|api| api.as_str() == API);
    let is_cut = matches!(stop.kind, StopKind::Aborted | StopKind::Error);
    if is_own && stop.native.is_none() && !is_cut {
        return Ok(null());
    }
    let word = match stop.kind {
        StopKind::Stop => "stop",
        StopKind::ToolCalls => "tool_calls",
        StopKind::MaxTokens => "length",
        StopKind::Aborted | StopKind::Error => return Err(CannotCarry::Cut),
    };
    Ok(Raw::string(&word.into()))
}

fn message_of(message: &Message) -> Result<Raw, CannotCarry> {
    let (mut texts, mut parts) = (Vec::new(), Vec::new());
    let (mut thoughts, mut calls) = (Vec::new(), Vec::new());
    let mut refusal = None;
    let mut only_texts = true;
    for (block, index) in message.blocks.iter().zip(0..) {
        match block {
            Block::Text(text) if is_refusal(text) => refusal = Some(&text.text),
            Block::Text(text) => {
                texts.push(&text.text);
                only_texts &= text.rest.is_empty();
                parts.push(text_part(text, &text.text));
            }
            Block::Reasoning(thought) if is_part(thought) => {
                only_texts = false;
                parts.push(thinking_part(thought, &thought.reasoning, true));
            }
            Block::Reasoning(thought) => thoughts.extend(thought_members(thought)),
            Block::ToolUse(call) => calls.push(call_of(call)),
            Block::Opaque(block) => {
                only_texts = false;
                parts.push(block.raw.clone());
            }
            Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => {
                return Err(cannot(block, index));
            }
        }
    }
    let mut object = Object::new();
    object.string("role", "assistant");
    let is_own = answered(message).0.is_some_and(|api| api.as_str() == API);
    match texts.as_slice() {
        [] if only_texts => object.raw("content", &null()),
        [text] if only_texts => object.text("content", text),
        // Only a vendor whose content is a list tells two texts apart, as a stream does not.
        texts if only_texts && !is_own => {
            let said: String = texts.iter().map(|text| text.as_str()).collect();
            object.string("content", &said)
        }
        _ => object.raw("content", &Array::of(&parts)),
    };
    for (name, value) in &thoughts {
        object.raw(name, value);
    }
    if let Some(refusal) = refusal {
        object.text("refusal", refusal);
    }
    if !calls.is_empty() {
        object.raw("tool_calls", &Array::of(&calls));
    }
    Ok(with_rest(object, &message.rest, &[]))
}

/// What the chunks of a reply add, one by one.
fn deltas(message: &Message) -> Result<Vec<Raw>, CannotCarry> {
    let has_parts = message.blocks.iter().any(|block| match block {
        Block::Text(text) => !is_refusal(text) && !text.rest.is_empty(),
        Block::Reasoning(thought) => is_part(thought),
        Block::Opaque(_) => true,
        Block::ToolUse(_) | Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => {
            false
        }
    });
    let mut deltas = Vec::new();
    let mut calls = 0u64;
    for (block, index) in message.blocks.iter().zip(0..) {
        match block {
            Block::Text(text) if is_refusal(text) => {
                deltas.extend(pieces(&text.text).iter().map(|piece| member("refusal", piece)));
            }
            Block::Text(text) if has_parts => {
                let parts = pieces(&text.text);
                let parts = parts.iter().map(|piece| text_part(text, piece));
                deltas.extend(parts.map(|part| content(&part)));
            }
            Block::Text(text) => {
                deltas.extend(pieces(&text.text).iter().map(|piece| member("content", piece)));
            }
            Block::Reasoning(thought) if is_part(thought) => {
                let parts = pieces(&thought.reasoning);
                let parts = parts.iter().map(|piece| thinking_part(thought, piece, false));
                deltas.extend(parts.map(|part| content(&part)));
                deltas.push(content(&thinking_part(thought, &Text::default(), true)));
            }
            Block::Reasoning(thought) => {
                for (name, value) in thought_members(thought) {
                    let text = value.doc().root().to_text();
                    let pieces = text.filter(|_| name.as_str() != "encrypted_content");
                    match pieces {
                        Some(text) => deltas.extend(pieces_of(&name, &text)),
                        None => deltas.push(with_member(&name, &value)),
                    }
                }
            }
            Block::ToolUse(call) => {
                deltas.extend(call_deltas(call, calls));
                calls += 1;
            }
            Block::Opaque(block) => deltas.push(content(&block.raw)),
            Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => {
                return Err(cannot(block, index));
            }
        }
    }
    Ok(deltas)
}

fn cannot(block: &Block, index: usize) -> CannotCarry {
    let what = match block {
        Block::ToolResult(_) => "a result",
        Block::Image(_) => "an image",
        Block::SystemChange(_) => "a change of the head",
        Block::Text(_) | Block::Reasoning(_) | Block::ToolUse(_) | Block::Opaque(_) => "a block",
    };
    CannotCarry::Block { index, what }
}

fn null() -> Raw {
    Raw::parse("null").unwrap_or_else(|_| Object::new().finish())
}

fn with_member(name: &str, value: &Raw) -> Raw {
    let mut object = Object::new();
    object.raw(name, value);
    object.finish()
}

fn member(name: &str, text: &Text) -> Raw {
    with_member(name, &Raw::string(text))
}

fn pieces_of(name: &str, text: &Text) -> Vec<Raw> {
    pieces(text).iter().map(|piece| member(name, piece)).collect()
}

fn content(part: &Raw) -> Raw {
    with_member("content", &Array::of([part]))
}

fn with_rest(mut object: Object, rest: &Rest, but: &[&str]) -> Raw {
    for (name, value) in rest.iter().filter(|(name, _)| !but.contains(&name.as_str())) {
        object.raw(name, value);
    }
    object.finish()
}

fn is_refusal(text: &TextBlock) -> bool {
    text.rest.get(PART).is_some()
}

fn text_part(text: &TextBlock, said: &Text) -> Raw {
    let mut part = Object::new();
    part.string("type", "text").text("text", said);
    with_rest(part, &text.rest, &[])
}

/// Whether a thought stands among the parts of the content.
fn is_part(thought: &Reasoning) -> bool {
    thought.rest.get(KEY).is_some_and(|key| key.doc().root().is_str("content"))
}

fn thinking_part(thought: &Reasoning, said: &Text, with_seal: bool) -> Raw {
    let mut piece = Object::new();
    piece.string("type", "text").text("text", said);
    let mut part = Object::new();
    part.string("type", "thinking").raw("thinking", &Array::of([&piece.finish()]));
    if !with_seal {
        return part.finish();
    }
    let proof = thought.proof.as_ref().filter(|proof| proof.kind == ProofKind::Signature);
    part.optional_raw("signature", proof.map(|proof| &proof.sealed));
    with_rest(part, &thought.rest, &[KEY])
}

/// The members that a thought beside the content stands under.
fn thought_members(thought: &Reasoning) -> Vec<(Text, Raw)> {
    let own = thought.proof.as_ref().filter(|proof| proof.issuer.api.as_str() == API);
    let sealed = |kind: &str| {
        own.filter(|proof| proof.kind.as_str() == kind).map(|proof| proof.sealed.clone())
    };
    let details = sealed(DETAILS).or_else(|| thought.rest.get(DETAILS).cloned());
    let key = thought.rest.get(KEY).and_then(|key| key.doc().root().to_text());
    let key = key.or_else(|| details.is_none().then(|| KEY_DEFAULT.into()));
    let text = key.filter(|_| !thought.reasoning.is_empty());
    let text = text.map(|key| (key, Raw::string(&thought.reasoning)));
    let details = details.map(|details| (Text::from(DETAILS), details));
    let encrypted = sealed("encrypted").map(|sealed| (Text::from("encrypted_content"), sealed));
    text.into_iter().chain(details).chain(encrypted).collect()
}

/// A call as a message holds it.
pub fn call_of(call: &ToolUse) -> Raw {
    let mut object = Object::new();
    object.text("id", &call.id);
    halves(&mut object, call, call.input.text());
    with_rest(object, &call.rest, &[FREEFORM])
}

/// Writes what kind of call it is, its tool and (a piece of) its arguments.
fn halves(object: &mut Object, call: &ToolUse, arguments: &Text) {
    let mut half = Object::new();
    half.text("name", &call.name);
    if call.rest.get(FREEFORM).is_some() {
        half.text("input", arguments);
        object.string("type", "custom").raw("custom", &half.finish());
    } else {
        half.text("arguments", arguments);
        object.string("type", "function").raw("function", &half.finish());
    }
}

/// A call's pieces: the first names it, the others add to its arguments.
fn call_deltas(call: &ToolUse, index: u64) -> Vec<Raw> {
    let mut first = Object::new();
    first.number("index", index).text("id", &call.id);
    halves(&mut first, call, &Text::default());
    let mut sent = vec![with_rest(first, &call.rest, &[FREEFORM])];
    let (half, name) = match call.rest.get(FREEFORM) {
        Some(_) => ("custom", "input"),
        None => ("function", "arguments"),
    };
    for piece in pieces(call.input.text()) {
        let mut next = Object::new();
        next.number("index", index).raw(half, &member(name, &piece));
        sent.push(next.finish());
    }
    sent.iter().map(|call| with_member("tool_calls", &Array::of([call]))).collect()
}
