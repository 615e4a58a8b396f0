//! The events of a streamed reply, and how replies end (sections 5.2 and 6 of the rule book).
//!
//! In: the data of a frame, parsed. Out: what it says, with the values left where they stand. Items
//! are told apart by `output_index`, for their ids may change from event to event. What this build
//! has no name for is [`Event::Unknown`]; a known event without what it needs is
//! [`Event::Malformed`].

use json::{Kind, Text, Value};

use crate::ending::Ending;
pub use crate::member::filled;

/// What some hosts end a stream with, after the last event.
pub const DONE: &str = "[DONE]";

/// One event.
#[derive(Clone, Debug)]
pub enum Event<'d, 't> {
    /// The response as far as it is known: it has begun.
    Response(Value<'d, 't>),
    /// The response as it ended.
    End {
        /// The status that the event's name tells.
        status: &'static str,
        /// The whole response.
        response: Value<'d, 't>,
    },
    /// `response.output_item.added`
    ItemAdded {
        /// Which item.
        index: u64,
        /// The item, as far as it is known.
        item: Value<'d, 't>,
    },
    /// `response.output_item.done`: the item as it counts.
    ItemDone {
        /// Which item.
        index: u64,
        /// The whole item.
        item: Value<'d, 't>,
    },
    /// Something is added to an item.
    Delta {
        /// Which item.
        index: u64,
        /// Which of its parts.
        part: u64,
        /// What it is part of.
        of: Delta,
        /// What is added.
        text: Text,
    },
    /// What the item's end says again, or how far a hosted tool is.
    Progress,
    /// `error`: the stream failed.
    Error(Value<'d, 't>),
    /// An event of this name.
    Unknown(Text),
    /// An event of this name without what it needs.
    Malformed(Text),
}

/// What a delta is a piece of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delta {
    /// `response.output_text.delta`
    Text,
    /// `response.refusal.delta`
    Refusal,
    /// `response.reasoning_summary_text.delta`
    Summary,
    /// `response.reasoning_text.delta`
    Reasoning,
    /// `response.function_call_arguments.delta`
    Arguments,
    /// `response.custom_tool_call_input.delta`
    Freeform,
}

/// Deltas, and the member that says which part they are of.
const DELTAS: [(&str, Delta, &str); 6] = [
    ("response.output_text.delta", Delta::Text, "content_index"),
    ("response.refusal.delta", Delta::Refusal, "content_index"),
    ("response.reasoning_summary_text.delta", Delta::Summary, "summary_index"),
    ("response.reasoning_text.delta", Delta::Reasoning, "content_index"),
    ("response.function_call_arguments.delta", Delta::Arguments, ""),
    ("response.custom_tool_call_input.delta", Delta::Freeform, ""),
];

/// How names of events begin that say nothing an item's end does not say.
const PROGRESS: [&str; 11] = [
    "response.output_text.",
    "response.refusal.",
    "response.reasoning_summary_",
    "response.reasoning_text.",
    "response.content_part.",
    "response.function_call_arguments.",
    "response.custom_tool_call_input.",
    "response.mcp_list_tools.",
    "response.compaction.",
    "response.audio.",
    "keepalive",
];

/// Reads an event.
pub fn event<'d, 't>(root: Value<'d, 't>) -> Event<'d, 't> {
    let name = root.get_str("type").unwrap_or_default();
    let object = |name: &str| root.get(name).filter(|value| value.kind() == Kind::Object);
    let index = root.get("output_index").and_then(Value::as_u64);
    if let Some((_, of, part)) = DELTAS.iter().find(|(known, ..)| *known == name) {
        let part = root.get(part).and_then(Value::as_u64).unwrap_or(0);
        let text = root.get("delta").and_then(Value::to_text);
        let read = index.zip(text).map(|(index, text)| Event::Delta { index, part, of: *of, text });
        return read.unwrap_or_else(|| malformed(root));
    }
    let item = index.zip(object("item"));
    let end = |status| object("response").map(|response| Event::End { status, response });
    let read = match &*name {
        "response.created" | "response.queued" | "response.in_progress" => {
            object("response").map(Event::Response)
        }
        "response.completed" => end("completed"),
        "response.incomplete" => end("incomplete"),
        "response.failed" => end("failed"),
        "response.cancelled" => end("cancelled"),
        "response.output_item.added" => item.map(|(index, item)| Event::ItemAdded { index, item }),
        "response.output_item.done" => item.map(|(index, item)| Event::ItemDone { index, item }),
        "error" => Some(Event::Error(root)),
        _ if is_progress(&name) => Some(Event::Progress),
        _ => Some(Event::Unknown(name_of(root))),
    };
    read.unwrap_or_else(|| malformed(root))
}

fn malformed<'d, 't>(root: Value<'d, 't>) -> Event<'d, 't> {
    Event::Malformed(name_of(root))
}

fn name_of(root: Value<'_, '_>) -> Text {
    root.get("type").and_then(Value::to_text).unwrap_or_default()
}

fn is_progress(name: &str) -> bool {
    let of_a_call = name.strip_prefix("response.").is_some_and(|name| name.contains("_call"));
    of_a_call || PROGRESS.iter().any(|begin| name.starts_with(begin))
}

/// How replies end: by their status, or by the reason that one is incomplete for. A word that is
/// not here is a stop.
pub const ENDINGS: [(&str, Ending); 8] = [
    ("completed", Ending::Stop),
    ("steered", Ending::Stop),
    ("max_messages", Ending::Stop),
    ("max_output_tokens", Ending::MaxTokens),
    ("incomplete", Ending::MaxTokens),
    ("content_filter", Ending::Refused),
    ("failed", Ending::Failed),
    ("cancelled", Ending::Failed),
];

/// What a word of these comes to; `None` where it is not known.
pub fn ending(word: &str) -> Option<Ending> {
    ENDINGS.iter().find(|(known, _)| *known == word).map(|(_, ending)| *ending)
}

/// Members of a response that repeat what was asked for.
pub const ECHOED: [&str; 24] = [
    "background",
    "context_management",
    "frequency_penalty",
    "include",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "parallel_tool_calls",
    "presence_penalty",
    "prompt",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning",
    "safety_identifier",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "truncation",
    "user",
];
