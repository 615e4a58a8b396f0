//! A reply as this API sends it.

#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{Block, InputClass, Message, Proof, ProofKind, Reasoning, Rest, StopKind, ToolUse};
use wire::anthropic_messages::events::ending;

use super::API;
use crate::encode::{CannotCarry, answered, frame, native_word, pieces};
use crate::response::Members;

/// The body of a reply.
pub(crate) fn body(message: &Message, id: &str) -> Result<Raw, CannotCarry> {
    let mut content = Array::new();
    for (block, index) in message.blocks.iter().zip(0..) {
        content.raw(&block_of(block, index)?);
    }
    let mut object = Object::new();
    head(&mut object, message, id, &[]);
    object.raw("content", &content.finish());
    object.text("stop_reason", &stop_reason(message)?);
    Ok(object.finish())
}

/// Members of a message that its stream gives at the end, with the reason why it ended, and beside
/// it: clients take them from there.
const IN_THE_DELTA: [&str; 3] = ["stop_sequence", "stop_details", "container"];
const BESIDE_THE_DELTA: [&str; 1] = ["context_management"];

/// The events of a reply.
pub(crate) fn stream(message: &Message, id: &str) -> Result<Vec<u8>, CannotCarry> {
    let stop_reason = stop_reason(message)?;
    let mut out = Vec::new();
    let mut start = Object::new();
    head(&mut start, message, id, &[&IN_THE_DELTA[..], &BESIDE_THE_DELTA].concat());
    start.raw("content", &Array::new().finish());
    let mut event = typed("message_start");
    event.raw("message", &start.finish());
    send(&mut out, "message_start", &event);
    for (block, index) in message.blocks.iter().zip(0..) {
        send_block(&mut out, block, index)?;
    }
    let members = Members::of(message.response.as_ref(), API);
    let mut delta = Object::new();
    delta.text("stop_reason", &stop_reason);
    for name in IN_THE_DELTA {
        delta.optional_raw(name, members.get(name));
    }
    let mut event = typed("message_delta");
    event.raw("delta", &delta.finish()).raw("usage", &usage(message));
    for name in BESIDE_THE_DELTA {
        event.optional_raw(name, members.get(name));
    }
    send(&mut out, "message_delta", &event);
    send(&mut out, "message_stop", &typed("message_stop"));
    Ok(out)
}

fn send(out: &mut Vec<u8>, event: &str, data: &Object) {
    frame(out, Some(event), data.finish().as_str());
}

fn typed(kind: &str) -> Object {
    let mut object = Object::new();
    object.string("type", kind);
    object
}

/// Everything of a message but its content, its end, and these members.
fn head(object: &mut Object, message: &Message, id: &str, but: &[&str]) {
    let members = Members::of(message.response.as_ref(), API);
    if members.get("id").is_none() {
        object.string("id", id);
    }
    object.string("type", "message").string("role", "assistant");
    object.text("model", &answered(message).1);
    for (name, value) in members.iter() {
        if name != "usage" && !but.contains(&name) {
            object.raw(name, value);
        }
    }
    object.raw("usage", &usage(message));
}

fn usage(message: &Message) -> Raw {
    let members = Members::of(message.response.as_ref(), API);
    if let Some(usage) = members.get("usage") {
        return usage.clone();
    }
    let usage = message.usage.clone().unwrap_or_default();
    let mut object = Object::new();
    object
        .number("input_tokens", usage.input_tokens)
        .number("cache_creation_input_tokens", usage.cache_creation_input_tokens)
        .number("cache_read_input_tokens", usage.cache_read_input_tokens)
        .number("output_tokens", usage.output_tokens);
    object.finish()
}

/// The API's word for how the reply ended.
fn stop_reason(message: &Message) -> Result<Text, CannotCarry> {
    let Some(stop) = message.stop.as_ref().filter(|_| !message.interrupted) else {
        let calls = message.blocks.iter().any(|block| block.as_tool_use().is_some());
        return match message.interrupted {
            true => Err(CannotCarry::Cut),
            false => Ok(if calls { "tool_use" } else { "end_turn" }.into()),
        };
    };
    if let Some(native) = native_word(API, message, ending) {
        return Ok(native.clone());
    }
    match stop.kind {
        StopKind::Stop => Ok("end_turn".into()),
        StopKind::ToolCalls => Ok("tool_use".into()),
        StopKind::MaxTokens => Ok("max_tokens".into()),
        StopKind::Aborted | StopKind::Error => Err(CannotCarry::Cut),
    }
}

fn block_of(block: &Block, index: usize) -> Result<Raw, CannotCarry> {
    let cannot = |what| CannotCarry::Block { index, what };
    match block {
        Block::Text(text) => {
            let mut object = typed("text");
            object.text("text", &text.text);
            Ok(with_rest(object, &text.rest))
        }
        Block::Reasoning(thought) => Ok(thought_of(thought)),
        Block::ToolUse(call) => {
            let mut object = called(call);
            let input = match call.input.class() {
                InputClass::Empty => Object::new().finish(),
                InputClass::Object | InputClass::Malformed => Raw::parse(call.input.text())
                    .map_err(|_| cannot("a call whose arguments are no JSON"))?,
            };
            object.raw("input", &input);
            Ok(with_rest(object, &call.rest))
        }
        Block::Opaque(block) => Ok(block.raw.clone()),
        Block::ToolResult(_) => Err(cannot("a result")),
        Block::Image(_) => Err(cannot("an image")),
        Block::SystemChange(_) => Err(cannot("a change of the head")),
    }
}

fn called(call: &ToolUse) -> Object {
    let mut object = typed("tool_use");
    object.text("id", &call.id).text("name", &call.name);
    object
}

fn with_rest(mut object: Object, rest: &Rest) -> Raw {
    for (name, value) in rest.iter() {
        object.raw(name, value);
    }
    object.finish()
}

/// What seals a thought of this API.
fn sealed(proof: Option<&Proof>, kind: &ProofKind) -> Option<Raw> {
    let own = proof.filter(|proof| proof.issuer.api.as_str() == API && proof.kind == *kind);
    own.map(|proof| proof.sealed.clone())
}

fn thought_of(thought: &Reasoning) -> Raw {
    let proof = thought.proof.as_deref();
    if let Some(data) = sealed(proof, &ProofKind::Redacted) {
        let mut object = typed("redacted_thinking");
        object.raw("data", &data);
        return with_rest(object, &thought.rest);
    }
    let mut object = typed("thinking");
    object.text("thinking", &thought.reasoning);
    let signature = sealed(proof, &ProofKind::Signature);
    object.raw("signature", &signature.unwrap_or_else(|| Raw::string(&Text::default())));
    with_rest(object, &thought.rest)
}

/// Sends a block: what can come in pieces does.
fn send_block(out: &mut Vec<u8>, block: &Block, index: usize) -> Result<(), CannotCarry> {
    let empty = Text::default();
    let (start, deltas) = match block {
        Block::Text(text) => {
            let mut start = typed("text");
            start.text("text", &empty);
            (with_rest(start, &text.rest), deltas("text_delta", "text", &text.text))
        }
        Block::Reasoning(thought) => {
            let proof = thought.proof.as_deref();
            if sealed(proof, &ProofKind::Redacted).is_some() {
                (thought_of(thought), Vec::new())
            } else {
                let mut start = typed("thinking");
                start.text("thinking", &empty).text("signature", &empty);
                let mut sent = deltas("thinking_delta", "thinking", &thought.reasoning);
                if let Some(signature) = sealed(proof, &ProofKind::Signature) {
                    let mut delta = typed("signature_delta");
                    delta.raw("signature", &signature);
                    sent.push(delta.finish());
                }
                (with_rest(start, &thought.rest), sent)
            }
        }
        Block::ToolUse(call) => {
            let mut start = called(call);
            start.raw("input", &Object::new().finish());
            let sent = deltas("input_json_delta", "partial_json", call.input.text());
            (with_rest(start, &call.rest), sent)
        }
        Block::Opaque(_) | Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => {
            (block_of(block, index)?, Vec::new())
        }
    };
    let at = |kind: &str| {
        let mut event = typed(kind);
        event.number("index", index as u64);
        event
    };
    let mut event = at("content_block_start");
    event.raw("content_block", &start);
    send(out, "content_block_start", &event);
    for delta in &deltas {
        let mut event = at("content_block_delta");
        event.raw("delta", delta);
        send(out, "content_block_delta", &event);
    }
    send(out, "content_block_stop", &at("content_block_stop"));
    Ok(())
}

fn deltas(kind: &str, name: &str, text: &Text) -> Vec<Raw> {
    let delta = |piece: &Text| {
        let mut delta = typed(kind);
        delta.text(name, piece);
        delta.finish()
    };
    pieces(text).iter().map(delta).collect()
}
