//! The events of a streamed reply, and how replies end (sections 3.3 and 3.4 of the rule book).
//!
//! In: an event's name and its payload, parsed. Out: what it says, with the values left where they
//! stand. What this build has no name for is [`Event::Unknown`]; a known event without what it
//! needs is [`Event::Malformed`].

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use json::{Kind, Text, Value};

use crate::ending::Ending;
pub use crate::member::filled;

/// The member of every payload that only makes it longer.
pub const PADDING: &str = "p";

/// One event.
#[derive(Clone, Debug)]
pub enum Event<'d, 't> {
    /// `messageStart`
    MessageStart,
    /// `contentBlockStart`: texts and thoughts begin without one.
    BlockStart {
        /// Which block.
        index: u64,
        /// What kind of block: the name of its one member.
        kind: Text,
        /// The block, as far as it is known.
        block: Value<'d, 't>,
    },
    /// `contentBlockDelta`
    BlockDelta {
        /// Which block.
        index: u64,
        /// What is added to it.
        delta: Delta<'d, 't>,
    },
    /// `contentBlockStop`
    BlockStop {
        /// Which block.
        index: u64,
    },
    /// `messageStop`: why the reply ended. Usage is still to come.
    MessageStop(Value<'d, 't>),
    /// `metadata`
    Metadata(Value<'d, 't>),
    /// An event of this name.
    Unknown(Text),
    /// An event of this name without what it needs.
    Malformed(Text),
}

/// What is added to a block.
#[derive(Clone, Debug)]
pub enum Delta<'d, 't> {
    /// `text`
    Text(Text),
    /// `toolUse.input`
    Input(Text),
    /// `reasoningContent.text`
    Reasoning(Text),
    /// `reasoningContent.signature`
    Signature(Text),
    /// `reasoningContent.redactedContent`: bytes, in base64.
    Redacted(Text),
    /// `citation`
    Citation(Value<'d, 't>),
    /// `toolResult`: parts of what a tool of the service returned.
    ToolResult(Value<'d, 't>),
    /// A member of this name that is an object, for a block of the same.
    Members(Text, Value<'d, 't>),
    /// Anything else, by the name of its member.
    Unknown(Text),
}

/// Reads an event. One without a name is an object whose one member is named so, as clients hold
/// it.
pub fn event<'d, 't>(name: &str, root: Value<'d, 't>) -> Event<'d, 't> {
    if name.is_empty() {
        return match only(root) {
            Some((name, value)) if !name.is_empty() => event(&name, value),
            Some(_) | None => Event::Malformed(Text::default()),
        };
    }
    let index = root.get("contentBlockIndex").and_then(Value::as_u64);
    let read = match name {
        "messageStart" => Some(Event::MessageStart),
        "contentBlockStart" => index
            .zip(root.get("start").and_then(only))
            .map(|(index, (kind, block))| Event::BlockStart { index, kind, block }),
        "contentBlockDelta" => index
            .zip(root.get("delta").and_then(delta))
            .map(|(index, delta)| Event::BlockDelta { index, delta }),
        "contentBlockStop" => index.map(|index| Event::BlockStop { index }),
        "messageStop" => Some(Event::MessageStop(root)),
        "metadata" => Some(Event::Metadata(root)),
        _ => Some(Event::Unknown(name.into())),
    };
    read.unwrap_or_else(|| Event::Malformed(name.into()))
}

/// The first member of an object: of what may be one of several things, the one that it is.
pub fn only<'d, 't>(object: Value<'d, 't>) -> Option<(Text, Value<'d, 't>)> {
    let (name, value) = object.members().find(|(name, _)| !name.is_str(PADDING))?;
    Some((name.to_text()?, value))
}

fn delta<'d, 't>(delta: Value<'d, 't>) -> Option<Delta<'d, 't>> {
    let (name, value) = only(delta)?;
    match name.as_str() {
        "text" => value.to_text().map(Delta::Text),
        "toolUse" => value.get("input")?.to_text().map(Delta::Input),
        "reasoningContent" => {
            let (name, value) = only(value)?;
            match name.as_str() {
                "text" => value.to_text().map(Delta::Reasoning),
                "signature" => value.to_text().map(Delta::Signature),
                "redactedContent" => value.to_text().map(Delta::Redacted),
                _ => Some(Delta::Unknown(name)),
            }
        }
        "citation" => Some(Delta::Citation(value)),
        "toolResult" => Some(Delta::ToolResult(value)),
        _ if value.kind() == Kind::Object => Some(Delta::Members(name, value)),
        _ => Some(Delta::Unknown(name)),
    }
}

/// Bytes that come in pieces, each in base64, as one text. A piece that is all of them stays as it
/// was written.
pub fn joined(pieces: &[Text]) -> Text {
    if let [piece] = pieces {
        return piece.clone();
    }
    let decoded: Option<Vec<Vec<u8>>> = pieces.iter().map(|piece| from_base64(piece)).collect();
    match decoded {
        Some(bytes) => STANDARD.encode(bytes.concat()).into(),
        // No base64: what came, one after the other.
        None => pieces.iter().map(|piece| piece.as_str()).collect::<String>().into(),
    }
}

/// What a chunk of `InvokeModelWithResponseStream` holds: an event of the model's own dialect.
/// `None` where it holds none.
pub fn invoked(payload: Value<'_, '_>) -> Option<String> {
    let bytes = from_base64(&payload.get_str("bytes")?)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Bytes that an event, or a recording of a stream, holds in base64.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// How replies end. A word that is not here is a stop.
pub const ENDINGS: [(&str, Ending); 11] = [
    ("end_turn", Ending::Stop),
    ("stop_sequence", Ending::Stop),
    ("pause_turn", Ending::Stop),
    ("tool_use", Ending::ToolCalls),
    ("max_tokens", Ending::MaxTokens),
    ("model_context_window_exceeded", Ending::MaxTokens),
    ("guardrail_intervened", Ending::Refused),
    ("content_filtered", Ending::Refused),
    ("refusal", Ending::Refused),
    ("malformed_tool_use", Ending::Failed),
    ("malformed_model_output", Ending::Failed),
];

/// What a stop reason comes to; `None` where it is not known.
pub fn ending(stop_reason: &str) -> Option<Ending> {
    ENDINGS.iter().find(|(word, _)| *word == stop_reason).map(|(_, ending)| *ending)
}
