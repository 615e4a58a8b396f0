//! The events of a streamed reply, and how replies end (sections 2.13 and 2.14 of the rule book).
//!
//! In: the data of a frame, parsed. Out: what it says, with the values left where they stand. What
//! this build has no name for is [`Event::Unknown`]; a known event without what it needs is
//! [`Event::Malformed`].

use json::{Kind, Text, Value};

use crate::ending::Ending;

/// One event.
#[derive(Clone, Debug)]
pub enum Event<'d, 't> {
    /// `message_start`: the message without its content.
    MessageStart(Value<'d, 't>),
    /// `content_block_start`
    BlockStart {
        /// Which block.
        index: u64,
        /// The block, as far as it is known.
        block: Value<'d, 't>,
    },
    /// `content_block_delta`
    BlockDelta {
        /// Which block.
        index: u64,
        /// What is added to it.
        delta: Delta<'d, 't>,
    },
    /// `content_block_stop`
    BlockStop {
        /// Which block.
        index: u64,
    },
    /// `message_delta`: the whole event; `delta` and `usage` are members of it.
    MessageDelta(Value<'d, 't>),
    /// `message_stop`: the whole event; Bedrock writes its own counts beside.
    MessageStop(Value<'d, 't>),
    /// `ping`
    Ping,
    /// `error`, which may come after the reply has begun.
    Error(Value<'d, 't>),
    /// An event of this name.
    Unknown(Text),
    /// An event of this name without what it needs.
    Malformed(Text),
}

/// What is added to a block.
#[derive(Clone, Debug)]
pub enum Delta<'d, 't> {
    /// `text_delta`
    Text(Text),
    /// `thinking_delta`
    Thinking(Text),
    /// `signature_delta`
    Signature(Text),
    /// `input_json_delta`
    InputJson(Text),
    /// `citations_delta`
    Citation(Value<'d, 't>),
    /// `compaction_delta`: the whole delta.
    Compaction(Value<'d, 't>),
    /// A delta of this type.
    Unknown(Text),
}

/// Reads an event.
pub fn event<'d, 't>(root: Value<'d, 't>) -> Event<'d, 't> {
    let name = root.get("type").and_then(Value::to_text).unwrap_or_default();
    let index = root.get("index").and_then(Value::as_u64);
    let object = |name: &str| root.get(name).filter(|value| value.kind() == Kind::Object);
    let read = match name.as_str() {
        "message_start" => object("message").map(Event::MessageStart),
        "content_block_start" => index
            .zip(object("content_block"))
            .map(|(index, block)| Event::BlockStart { index, block }),
        "content_block_delta" => {
            let delta = object("delta").and_then(delta);
            index.zip(delta).map(|(index, delta)| Event::BlockDelta { index, delta })
        }
        "content_block_stop" => index.map(|index| Event::BlockStop { index }),
        "message_delta" => Some(Event::MessageDelta(root)),
        "message_stop" => Some(Event::MessageStop(root)),
        "ping" => Some(Event::Ping),
        "error" => Some(Event::Error(root)),
        // Proxies pass on an error's body as it is.
        "" if object("error").is_some() => Some(Event::Error(root)),
        _ => Some(Event::Unknown(name.clone())),
    };
    read.unwrap_or(Event::Malformed(name))
}

fn delta<'d, 't>(delta: Value<'d, 't>) -> Option<Delta<'d, 't>> {
    let kind = delta.get("type").and_then(Value::to_text)?;
    let text = |name: &str| delta.get(name).and_then(Value::to_text);
    match kind.as_str() {
        "text_delta" => text("text").map(Delta::Text),
        "thinking_delta" => text("thinking").map(Delta::Thinking),
        "signature_delta" => text("signature").map(Delta::Signature),
        "input_json_delta" => text("partial_json").map(Delta::InputJson),
        "citations_delta" => delta.get("citation").map(Delta::Citation),
        "compaction_delta" => Some(Delta::Compaction(delta)),
        _ => Some(Delta::Unknown(kind)),
    }
}

/// How replies end. A word that is not here is a stop.
pub const ENDINGS: [(&str, Ending); 8] = [
    ("end_turn", Ending::Stop),
    ("stop_sequence", Ending::Stop),
    ("pause_turn", Ending::Stop),
    ("compaction", Ending::Stop),
    ("tool_use", Ending::ToolCalls),
    ("max_tokens", Ending::MaxTokens),
    ("model_context_window_exceeded", Ending::MaxTokens),
    ("refusal", Ending::Refused),
];

/// What a stop reason comes to; `None` where it is not known.
pub fn ending(stop_reason: &str) -> Option<Ending> {
    ENDINGS.iter().find(|(word, _)| *word == stop_reason).map(|(_, ending)| *ending)
}
