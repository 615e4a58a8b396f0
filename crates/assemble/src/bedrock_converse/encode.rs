//! A reply as this API sends it.

#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{Block, InputClass, Message, Proof, ProofKind, Reasoning, StopKind};
use wire::bedrock_converse::events::ending;
use wire::frames::event_stream;

use super::API;
use super::block::{CITATIONS, of_kind};
use crate::encode::{CannotCarry, answered, native_word, pieces};
use crate::response::Members;

/// The member that comes with the stop of a stream; the others come at its end.
const WITH_THE_STOP: &str = "additionalModelResponseFields";

/// The body of a reply.
pub(crate) fn body(message: &Message) -> Result<Raw, CannotCarry> {
    let members = Members::of(message.response.as_ref(), API);
    let mut content = Array::new();
    for block in blocks(message)? {
        content.raw(&block.whole);
    }
    let mut said = Object::new();
    said.string("role", "assistant").raw("content", &content.finish());
    let mut object = Object::new();
    object.raw("output", &of_kind("message", &said.finish()));
    object.text("stopReason", &stop_reason(message)?);
    object.optional_raw("usage", usage(&members, message).as_ref());
    for (name, value) in members.iter().filter(|(name, _)| *name != "usage") {
        object.raw(name, value);
    }
    Ok(object.finish())
}

/// The events of a reply, as a binary event stream.
pub(crate) fn stream(message: &Message) -> Result<Vec<u8>, CannotCarry> {
    let members = Members::of(message.response.as_ref(), API);
    let (blocks, stop_reason) = (blocks(message)?, stop_reason(message)?);
    let mut out = Vec::new();
    let mut event = Object::new();
    event.string("role", "assistant");
    send(&mut out, "messageStart", &event);
    for (block, index) in blocks.iter().zip(0u64..) {
        block.send(&mut out, index);
    }
    let mut event = Object::new();
    event.text("stopReason", &stop_reason);
    event.optional_raw(WITH_THE_STOP, members.get(WITH_THE_STOP));
    send(&mut out, "messageStop", &event);
    let mut event = Object::new();
    event.optional_raw("usage", usage(&members, message).as_ref());
    let with_the_stop = ["usage", WITH_THE_STOP];
    for (name, value) in members.iter().filter(|(name, _)| !with_the_stop.contains(name)) {
        event.raw(name, value);
    }
    send(&mut out, "metadata", &event);
    Ok(out)
}

fn send(out: &mut Vec<u8>, event: &str, payload: &Object) {
    let headers =
        [(":event-type", event), (":content-type", "application/json"), (":message-type", "event")];
    event_stream::write(out, &headers, payload.finish().as_str().as_bytes());
}

fn usage(members: &Members, message: &Message) -> Option<Raw> {
    if let Some(usage) = members.get("usage") {
        return Some(usage.clone());
    }
    let usage = message.usage.as_ref()?;
    let total = usage
        .input_tokens
        .saturating_add(usage.output_tokens)
        .saturating_add(usage.cache_creation_input_tokens)
        .saturating_add(usage.cache_read_input_tokens);
    let mut object = Object::new();
    object
        .number("inputTokens", usage.input_tokens)
        .number("outputTokens", usage.output_tokens)
        .number("totalTokens", total)
        .number("cacheReadInputTokens", usage.cache_read_input_tokens)
        .number("cacheWriteInputTokens", usage.cache_creation_input_tokens);
    Some(object.finish())
}

/// The API's word for how the reply ended.
fn stop_reason(message: &Message) -> Result<Text, CannotCarry> {
    if message.interrupted {
        return Err(CannotCarry::Cut);
    }
    let Some(stop) = &message.stop else {
        let calls = message.blocks.iter().any(|block| block.as_tool_use().is_some());
        return Ok(if calls { "tool_use" } else { "end_turn" }.into());
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

/// A block, whole, and as it is streamed.
struct Sent {
    whole: Raw,
    start: Option<Raw>,
    deltas: Vec<Raw>,
}

/// The blocks of a reply.
fn blocks(message: &Message) -> Result<Vec<Sent>, CannotCarry> {
    let is_own = answered(message).0.is_some_and(|api| api.as_str() == API);
    let mut blocks = Vec::new();
    for (block, index) in message.blocks.iter().zip(0..) {
        let cannot = |what| CannotCarry::Block { index, what };
        blocks.push(match block {
            Block::Text(text) => {
                let citations = text.rest.get(CITATIONS).filter(|_| is_own);
                let mut deltas = said("text", &text.text);
                let doc = citations.map(Raw::doc).unwrap_or_default();
                let cited = doc.root().items().map(|cited| of_kind("citation", &Raw::of(cited)));
                deltas.extend(cited);
                let text = of_kind("text", &Raw::string(&text.text));
                let whole = match citations {
                    None => text,
                    Some(citations) => {
                        let mut cited = Object::new();
                        cited.raw("content", &Array::of([&text])).raw(CITATIONS, citations);
                        of_kind("citationsContent", &cited.finish())
                    }
                };
                Sent { whole, start: None, deltas }
            }
            Block::Reasoning(thought) => thought_of(thought),
            Block::ToolUse(call) => {
                let (what, mut start) = ("a call whose arguments are no object", Object::new());
                start.text("toolUseId", &call.id).text("name", &call.name);
                for (name, value) in call.rest.iter().filter(|_| is_own) {
                    start.raw(name, value);
                }
                let deltas = said("input", call.input.text()).into_iter();
                let deltas = deltas.map(|delta| of_kind("toolUse", &delta)).collect();
                let of_start = Some(of_kind("toolUse", &start.finish()));
                match call.input.class() {
                    // No arguments are said by none.
                    InputClass::Empty => {}
                    InputClass::Object | InputClass::Malformed => {
                        let input = Raw::parse(call.input.text()).map_err(|_| cannot(what))?;
                        start.raw("input", &input);
                    }
                }
                Sent { whole: of_kind("toolUse", &start.finish()), start: of_start, deltas }
            }
            Block::Opaque(block) => {
                // What only another API reads stays behind.
                let api = block.proof.as_ref().map(|proof| proof.issuer.api.as_str());
                if api.map_or(!is_own, |api| api != API) {
                    continue;
                }
                let (whole, start) = (block.raw.clone(), Some(block.raw.clone()));
                Sent { whole, start, deltas: Vec::new() }
            }
            Block::ToolResult(_) => return Err(cannot("a result")),
            Block::Image(_) => return Err(cannot("an image")),
            Block::SystemChange(_) => return Err(cannot("a change of the head")),
        });
    }
    Ok(blocks)
}

/// A text in pieces; an empty one is a piece as well, for nothing else begins its block.
fn said(name: &str, text: &Text) -> Vec<Raw> {
    let mut pieces = pieces(text);
    if pieces.is_empty() {
        pieces.push(Text::default());
    }
    pieces.iter().map(|piece| of_kind(name, &Raw::string(piece))).collect()
}

fn thought_of(thought: &Reasoning) -> Sent {
    let of_reasoning = |inner: &Raw| of_kind("reasoningContent", inner);
    let proof = thought.proof.as_deref();
    if let Some(sealed) = sealed(proof, &ProofKind::Redacted) {
        let whole = of_reasoning(&of_kind("redactedContent", sealed));
        return Sent { deltas: vec![whole.clone()], whole, start: None };
    }
    let signature = sealed(proof, &ProofKind::Signature);
    let mut text = Object::new();
    text.text("text", &thought.reasoning).optional_raw("signature", signature);
    let whole = of_reasoning(&of_kind("reasoningText", &text.finish()));
    let mut deltas = said("text", &thought.reasoning);
    deltas.extend(signature.map(|signature| of_kind("signature", signature)));
    Sent { whole, start: None, deltas: deltas.iter().map(of_reasoning).collect() }
}

/// What seals a thought of this API.
fn sealed<'p>(proof: Option<&'p Proof>, kind: &ProofKind) -> Option<&'p Raw> {
    let own = proof.filter(|proof| proof.issuer.api.as_str() == API && proof.kind == *kind);
    own.map(|proof| &proof.sealed)
}

impl Sent {
    fn send(&self, out: &mut Vec<u8>, index: u64) {
        let at = || {
            let mut event = Object::new();
            event.number("contentBlockIndex", index);
            event
        };
        if let Some(start) = &self.start {
            let mut event = at();
            event.raw("start", start);
            send(out, "contentBlockStart", &event);
        }
        for delta in &self.deltas {
            let mut event = at();
            event.raw("delta", delta);
            send(out, "contentBlockDelta", &event);
        }
        send(out, "contentBlockStop", &at());
    }
}
