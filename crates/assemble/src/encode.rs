//! A reply as its provider would have sent it, as a stream or as a body.
//!
//! A message that came over a dialect comes back over it equal: `assemble(encode(m)) == m`, but for
//! white space between the tokens of arguments, and the order of speech and calls, which a body of
//! Chat Completions or of Ollama does not tell.
//! Another dialect's message is said as far as this one can: its proofs and what only its provider
//! reads stay behind, and [`left_out`] names them.

#![deny(clippy::wildcard_enum_match_arm)]

use std::borrow::Cow;
use std::fmt;

use json::{Doc, Raw, Text};
use record::{Block, InputClass, Message, Proof, ProofKind, Rest, Source, Usage};
use wire::ending::Ending;

use crate::response::Members;
use crate::stream::Dialect;
use crate::{
    anthropic_messages, bedrock_converse, gemini, ollama_chat, openai_chat, openai_responses,
};

/// Why a message cannot be sent over a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotCarry {
    /// The reply never ended, or ended in a way that this dialect has no word for.
    Cut,
    /// A block that this dialect has no form for.
    Block {
        /// Which one.
        index: usize,
        /// What it is.
        what: &'static str,
    },
}

impl fmt::Display for CannotCarry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CannotCarry::Cut => f.write_str(
                "the reply was cut, failed or was refused, and has no word here for that",
            ),
            CannotCarry::Block { index, what } => {
                write!(f, "block {index} is {what}, which no reply of this dialect holds")
            }
        }
    }
}

impl std::error::Error for CannotCarry {}

/// The body; `id` names the response where the message does not.
pub fn body(dialect: Dialect, message: &Message, id: &str) -> Result<Raw, CannotCarry> {
    let message = &*sayable(dialect, message);
    check_arguments(message)?;
    match dialect {
        Dialect::AnthropicMessages => anthropic_messages::encode::body(message, id),
        Dialect::OpenAiChat => openai_chat::encode::body(message, id),
        Dialect::OpenAiResponses => openai_responses::encode::body(message, id),
        Dialect::Gemini => gemini::encode::body(message, id),
        Dialect::BedrockConverse => bedrock_converse::encode::body(message),
        Dialect::OllamaChat => ollama_chat::encode::body(message),
    }
}

/// The bytes of an event stream; `id` names the response where the message does not.
pub fn stream(dialect: Dialect, message: &Message, id: &str) -> Result<Vec<u8>, CannotCarry> {
    let message = &*sayable(dialect, message);
    check_arguments(message)?;
    match dialect {
        Dialect::AnthropicMessages => anthropic_messages::encode::stream(message, id),
        Dialect::OpenAiChat => openai_chat::encode::stream(message, id),
        Dialect::OpenAiResponses => openai_responses::encode::stream(message, id),
        Dialect::Gemini => gemini::encode::stream(message, id),
        Dialect::BedrockConverse => bedrock_converse::encode::stream(message),
        Dialect::OllamaChat => ollama_chat::encode::stream(message),
    }
}

/// What a dialect cannot say of a message that came over another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut<'m> {
    /// A block of this kind, which only its provider reads.
    Native(&'m Text),
    /// A thought without words.
    Thought,
    /// The signature of a block whose words are said.
    Signature,
}

/// What [`body`] and [`stream`] leave out of a message, block by block.
pub fn left_out(dialect: Dialect, message: &Message) -> Vec<LeftOut<'_>> {
    if is_own(dialect, message) {
        return Vec::new();
    }
    let signed = |proof: &Option<Box<Proof>>| {
        let is_lost = proof.as_ref().is_some_and(|proof| {
            proof.kind != ProofKind::ItemId && proof.issuer.api.as_str() != dialect.name()
        });
        is_lost.then_some(LeftOut::Signature)
    };
    let blocks = message.blocks.iter().filter_map(|block| match block {
        Block::Opaque(opaque) => {
            (!is_sayable(dialect, block)).then_some(LeftOut::Native(&opaque.kind))
        }
        Block::Reasoning(_) if !is_sayable(dialect, block) => Some(LeftOut::Thought),
        Block::Reasoning(thought) => signed(&thought.proof),
        Block::Text(text) => signed(&text.proof),
        Block::ToolUse(call) => signed(&call.proof),
        Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => None,
    });
    blocks.collect()
}

/// A message as far as a dialect can say it: what came over another one goes without what only that
/// one's provider reads, and without the members that only it has.
fn sayable(dialect: Dialect, message: &Message) -> Cow<'_, Message> {
    if is_own(dialect, message) {
        return Cow::Borrowed(message);
    }
    let mut message = message.clone();
    message.blocks.retain(|block| is_sayable(dialect, block));
    // Where nobody says over which dialect it came, its members may be this one's.
    if answered(&message).0.is_none() {
        return Cow::Owned(message);
    }
    message.rest = Rest::NONE;
    for block in &mut message.blocks {
        match block {
            Block::Text(text) => text.rest = Rest::NONE,
            Block::Reasoning(thought) => thought.rest = Rest::NONE,
            Block::ToolUse(call) => {
                let is_freeform = is_freeform(&call.rest);
                call.rest = if is_freeform { freeform(dialect) } else { Rest::NONE };
            }
            Block::Opaque(_) | Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => {}
        }
    }
    Cow::Owned(message)
}

/// Whether a message came over this dialect.
fn is_own(dialect: Dialect, message: &Message) -> bool {
    answered(message).0.is_some_and(|api| api.as_str() == dialect.name())
}

/// Whether a dialect has words for a block of a message that came over another one.
fn is_sayable(dialect: Dialect, block: &Block) -> bool {
    let is_of = |proof: &Option<Box<Proof>>| {
        proof.as_ref().is_some_and(|proof| proof.issuer.api.as_str() == dialect.name())
    };
    match block {
        Block::Opaque(block) => is_of(&block.proof),
        Block::Reasoning(thought) => !thought.reasoning.is_empty() || is_of(&thought.proof),
        Block::Text(_)
        | Block::ToolUse(_)
        | Block::ToolResult(_)
        | Block::Image(_)
        | Block::SystemChange(_) => true,
    }
}

/// Who reads arguments that are no JSON takes the reply for one that was cut, and so do we.
fn check_arguments(message: &Message) -> Result<(), CannotCarry> {
    for (index, block) in message.blocks.iter().enumerate() {
        let Some(call) = block.as_tool_use().filter(|call| !is_freeform(&call.rest)) else {
            continue;
        };
        let is_json = match call.input.class() {
            InputClass::Empty | InputClass::Object => true,
            InputClass::Malformed => Doc::parse_str(call.input.text()).is_ok(),
        };
        if !is_json {
            return Err(CannotCarry::Block { index, what: "a call whose arguments are no JSON" });
        }
    }
    Ok(())
}

/// A call of a tool that takes any text.
const CUSTOM_CALL: &str = "custom_tool_call";

/// Whether a call says that its tool takes any text, as either API that has such tools says it.
fn is_freeform(rest: &Rest) -> bool {
    let item = rest.get(openai_responses::item::ITEM).map(Raw::doc).unwrap_or_default();
    item.root().is_str(CUSTOM_CALL) || rest.get(openai_chat::message::FREEFORM).is_some()
}

/// How a dialect says so, if it has such tools.
fn freeform(dialect: Dialect) -> Rest {
    let (name, value) = match dialect {
        Dialect::OpenAiChat => (openai_chat::message::FREEFORM, "text"),
        Dialect::OpenAiResponses => (openai_responses::item::ITEM, CUSTOM_CALL),
        Dialect::AnthropicMessages
        | Dialect::Gemini
        | Dialect::BedrockConverse
        | Dialect::OllamaChat => return Rest::NONE,
    };
    let mut rest = Rest::default();
    rest.push(name.into(), Raw::string(&value.into()));
    rest
}

/// Characters of a delta.
const PIECE_CHARS: usize = 24;

/// A text in the pieces in which it is streamed; none of an empty one.
pub(crate) fn pieces(text: &Text) -> Vec<Text> {
    if text.has_lone_surrogate() {
        return vec![text.clone()];
    }
    let mut pieces = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let at = rest.char_indices().nth(PIECE_CHARS).map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at(at);
        pieces.push(piece.into());
        rest = after;
    }
    pieces
}

/// Writes a frame.
pub(crate) fn frame(out: &mut Vec<u8>, event: Option<&str>, data: &str) {
    if let Some(event) = event {
        out.extend_from_slice(format!("event: {event}\n").as_bytes());
    }
    out.extend_from_slice(format!("data: {data}\n\n").as_bytes());
}

/// Who answered: the dialect and the model.
pub(crate) fn answered(message: &Message) -> (Option<&Text>, Text) {
    match &message.source {
        Some(Source::Model { api, model, .. }) => (Some(api), model.clone()),
        Some(Source::User | Source::Tool { .. } | Source::Runtime { .. } | Source::Other(_))
        | None => (None, Text::default()),
    }
}

/// The API's own word for how the reply ended: one that it has, or one that it was read from it
/// with. What else stands there is a harness's word, and no provider's.
pub(crate) fn native_word<'m>(
    api: &str,
    message: &'m Message,
    ending: fn(&str) -> Option<Ending>,
) -> Option<&'m Text> {
    let is_own = answered(message).0.is_some_and(|of| of.as_str() == api);
    let word = message.stop.as_ref()?.native.as_ref().filter(|_| is_own)?;
    (ending(word).is_some() || Members::was_kept(message.response.as_ref(), api)).then_some(word)
}

/// All input tokens.
pub(crate) fn input_tokens(usage: &Usage) -> u64 {
    let cached = usage.cache_creation_input_tokens.saturating_add(usage.cache_read_input_tokens);
    usage.input_tokens.saturating_add(cached)
}
