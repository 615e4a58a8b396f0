//! A reply as this API sends it.

#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text, Value};
use record::{Block, InputClass, Message, Proof, ProofKind, Rest, StopKind, ToolUse};
use wire::gemini::events::ending;

use super::API;
use crate::encode::{CannotCarry, answered, frame, input_tokens, native_word, pieces};
use crate::response::Members;

/// The body of a reply.
pub(crate) fn body(message: &Message, id: &str) -> Result<Raw, CannotCarry> {
    let said = Said::of(message, id)?;
    let parts: Vec<Raw> = parts(message)?.iter().map(Part::whole).collect();
    Ok(said.chunk(&parts, true))
}

/// The chunks of a reply.
pub(crate) fn stream(message: &Message, id: &str) -> Result<Vec<u8>, CannotCarry> {
    let said = Said::of(message, id)?;
    let mut out = Vec::new();
    for part in parts(message)?.iter().flat_map(Part::pieces) {
        frame(&mut out, None, said.chunk(&[part], false).as_str());
    }
    frame(&mut out, None, said.chunk(&[], true).as_str());
    Ok(out)
}

/// What stands beside the parts of a reply.
struct Said {
    members: Members,
    /// Of a message that came over another dialect: the id and the model it goes by.
    made_up: Option<(String, Text)>,
    usage: Option<Raw>,
    /// Why it ended; `None` where that is what was wrong with the prompt.
    finish_reason: Option<Text>,
}

impl Said {
    fn of(message: &Message, id: &str) -> Result<Said, CannotCarry> {
        let members = Members::of(message.response.as_ref(), API);
        let (api, model) = answered(message);
        let is_own = api.is_some_and(|api| api.as_str() == API);
        let usage = members.get("usageMetadata").cloned().or_else(|| usage(message));
        let feedback = members.get("promptFeedback").map(Raw::doc).unwrap_or_default();
        let blocked = feedback.root().get("blockReason").and_then(Value::to_text);
        let finish_reason = Some(finish_reason(message)?).filter(|_| {
            let native = message.stop.as_ref().and_then(|stop| stop.native.as_ref());
            blocked.is_none() || blocked.as_ref() != native
        });
        let made_up = (!is_own).then(|| (id.to_owned(), model));
        Ok(Said { members, made_up, usage, finish_reason })
    }

    fn chunk(&self, parts: &[Raw], is_last: bool) -> Raw {
        let mut object = Object::new();
        let (mut content, mut candidate) = (Object::new(), Object::new());
        content.raw("parts", &Array::of(parts)).string("role", "model");
        candidate.raw("content", &content.finish());
        if is_last {
            if let Some(finish_reason) = &self.finish_reason {
                candidate.text("finishReason", finish_reason);
            }
            let doc = self.members.get("candidate").map(Raw::doc).unwrap_or_default();
            for (name, value) in doc.root().members() {
                candidate.raw(&name.as_str().unwrap_or_default(), &Raw::of(value));
            }
        }
        candidate.number("index", 0);
        object.raw("candidates", &Array::of([&candidate.finish()]));
        if is_last {
            object.optional_raw("usageMetadata", self.usage.as_ref());
        }
        if let Some((id, model)) = &self.made_up {
            object.text("modelVersion", model).string("responseId", id);
        }
        let beside = ["usageMetadata", "candidate"];
        for (name, value) in self.members.iter().filter(|(name, _)| !beside.contains(name)) {
            object.raw(name, value);
        }
        object.finish()
    }
}

fn usage(message: &Message) -> Option<Raw> {
    let usage = message.usage.as_ref()?;
    let prompt = input_tokens(usage);
    let mut object = Object::new();
    object
        .number("promptTokenCount", prompt)
        .number("candidatesTokenCount", usage.output_tokens)
        .number("totalTokenCount", prompt.saturating_add(usage.output_tokens))
        .number("cachedContentTokenCount", usage.cache_read_input_tokens);
    Some(object.finish())
}

fn finish_reason(message: &Message) -> Result<Text, CannotCarry> {
    if message.interrupted {
        return Err(CannotCarry::Cut);
    }
    let Some(stop) = &message.stop else { return Ok("STOP".into()) };
    if let Some(native) = native_word(API, message, ending) {
        return Ok(native.clone());
    }
    match stop.kind {
        StopKind::Stop | StopKind::ToolCalls => Ok("STOP".into()),
        StopKind::MaxTokens => Ok("MAX_TOKENS".into()),
        StopKind::Aborted | StopKind::Error => Err(CannotCarry::Cut),
    }
}

/// A part.
enum Part {
    /// Its text, where it has one, and the members beside it.
    Said { text: Option<Text>, members: Vec<(Text, Raw)> },
    /// As it came.
    Native(Raw),
}

/// The parts of a reply.
fn parts(message: &Message) -> Result<Vec<Part>, CannotCarry> {
    let is_own = answered(message).0.is_some_and(|api| api.as_str() == API);
    let mut parts = Vec::new();
    for (block, index) in message.blocks.iter().zip(0..) {
        let cannot = |what| CannotCarry::Block { index, what };
        let (text, proof, rest) = match block {
            Block::Text(text) => (Some(text.text.clone()), &text.proof, &text.rest),
            Block::Reasoning(thought) => {
                (Some(thought.reasoning.clone()), &thought.proof, &thought.rest)
            }
            Block::ToolUse(call) => (None, &call.proof, &call.rest),
            Block::Opaque(block) => {
                // What only another API reads stays behind.
                let api = block.proof.as_ref().map(|proof| proof.issuer.api.as_str());
                if api.map_or(is_own, |api| api == API) {
                    parts.push(Part::Native(block.raw.clone()));
                }
                continue;
            }
            Block::ToolResult(_) => return Err(cannot("a result")),
            Block::Image(_) => return Err(cannot("an image")),
            Block::SystemChange(_) => return Err(cannot("a change of the head")),
        };
        let mut members = Vec::new();
        if let Block::ToolUse(call) = block {
            let call = function_call(call);
            let what = "a call whose arguments are no object";
            members.push(("functionCall".into(), call.ok_or_else(|| cannot(what))?));
        }
        if block.as_reasoning().is_some() {
            members.push(("thought".into(), Raw::bool(true)));
        }
        members.extend(beside(proof.as_deref(), rest, is_own));
        // Without words and without a seal nothing is said.
        let is_empty = text.as_ref().is_some_and(|text| text.is_empty());
        if !(is_empty && is_plain(&members)) {
            parts.push(Part::Said { text, members });
        }
    }
    Ok(parts)
}

/// What stands beside the data of a part: its signature, and what else its own API said.
fn beside(proof: Option<&Proof>, rest: &Rest, is_own: bool) -> Vec<(Text, Raw)> {
    let own = proof
        .filter(|proof| proof.issuer.api.as_str() == API && proof.kind == ProofKind::Signature);
    let signature = own.map(|proof| ("thoughtSignature".into(), proof.sealed.clone()));
    let rest = rest.iter().filter(|_| is_own).cloned();
    signature.into_iter().chain(rest).collect()
}

/// A call; `None` where its arguments are none this API could have sent.
fn function_call(call: &ToolUse) -> Option<Raw> {
    let mut object = Object::new();
    object.text("name", &call.name);
    match call.input.class() {
        InputClass::Empty => {}
        InputClass::Object | InputClass::Malformed => {
            object.raw("args", &Raw::parse(call.input.text()).ok()?);
        }
    }
    if !call.id.is_empty() {
        object.text("id", &call.id);
    }
    Some(object.finish())
}

impl Part {
    fn whole(&self) -> Raw {
        match self {
            Part::Said { text, members } => said(text.as_ref(), members),
            Part::Native(raw) => raw.clone(),
        }
    }

    /// The part as it is streamed: one that has more than its text comes whole.
    fn pieces(&self) -> Vec<Raw> {
        match self {
            Part::Said { text: Some(text), members } if is_plain(members) => {
                pieces(text).iter().map(|piece| said(Some(piece), members)).collect()
            }
            Part::Said { .. } | Part::Native(_) => vec![self.whole()],
        }
    }
}

/// Whether a part has nothing but its text, said or thought.
fn is_plain(members: &[(Text, Raw)]) -> bool {
    members.iter().all(|(name, _)| name.as_str() == "thought")
}

fn said(text: Option<&Text>, members: &[(Text, Raw)]) -> Raw {
    let mut object = Object::new();
    if let Some(text) = text {
        object.text("text", text);
    }
    for (name, value) in members {
        object.raw(name, value);
    }
    object.finish()
}
