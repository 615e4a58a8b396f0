//! The events of a streamed reply, and how replies end (sections 5.2 and 6 of the rule book).
//!
//! In: the data of a frame, parsed. Out: what it says, with the values left where they stand. Items
//! are told apart by `output_index`, for their ids may change from event to event; some hosts leave
//! it out, and the ids are all there is. What this build has no name for is [`Event::Unknown`]; a
//! known event without what it needs is [`Event::Malformed`].

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
        /// Which item, where the event says it.
        index: Option<u64>,
        /// The item, as far as it is known.
        item: Value<'d, 't>,
    },
    /// `response.output_item.done`: the item as it counts.
    ItemDone {
        /// Which item, where the event says it.
        index: Option<u64>,
        /// The whole item.
        item: Value<'d, 't>,
    },
    /// Something is added to an item.
    Delta {
        /// Which item.
        at: At,
        /// Which of its parts.
        part: u64,
        /// What it is part of.
        of: Delta,
        /// What is added.
        text: Text,
    },
    /// The deltas of a part are over.
    Said {
        /// Which item.
        at: At,
        /// Which of its parts.
        part: u64,
        /// What they were part of.
        of: Delta,
        /// The whole text.
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

/// Which item an event is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// The one at this place.
    Index(u64),
    /// The one of this id, where no place is said.
    Id(Text),
}

/// What a delta is a piece of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// Events of a text: how their names begin, what is added, the member that says which part it is
/// of, and the one that holds the whole text in the end.
const TEXTS: [(&str, Delta, &str, &str); 6] = [
    ("response.output_text", Delta::Text, "content_index", "text"),
    ("response.refusal", Delta::Refusal, "content_index", "refusal"),
    ("response.reasoning_summary_text", Delta::Summary, "summary_index", "text"),
    ("response.reasoning_text", Delta::Reasoning, "content_index", "text"),
    ("response.function_call_arguments", Delta::Arguments, "", "arguments"),
    ("response.custom_tool_call_input", Delta::Freeform, "", "input"),
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

/// Reads an event. `frame` is the name that its frame has; it counts where the data say none.
pub fn event<'d, 't>(root: Value<'d, 't>, frame: &str) -> Event<'d, 't> {
    let own = root.get_str("type");
    // An error in place of an event.
    if own.is_none() && filled(root, "error").is_some() {
        return Event::Error(root);
    }
    let name = own.as_deref().unwrap_or(frame);
    let object = |name: &str| root.get(name).filter(|value| value.kind() == Kind::Object);
    let index = root.get("output_index").and_then(Value::as_u64);
    let item = object("item");
    let end = |status| object("response").map(|response| Event::End { status, response });
    let read = match name {
        "response.created" | "response.queued" | "response.in_progress" => {
            object("response").map(Event::Response)
        }
        "response.completed" => end("completed"),
        "response.incomplete" => end("incomplete"),
        "response.failed" => end("failed"),
        "response.cancelled" => end("cancelled"),
        "response.output_item.added" => item.map(|item| Event::ItemAdded { index, item }),
        "response.output_item.done" => item.map(|item| Event::ItemDone { index, item }),
        "error" => Some(Event::Error(root)),
        _ if text_of(name, ".delta").is_some() => delta(root, name),
        _ if is_progress(name) => Some(said(root, name).unwrap_or(Event::Progress)),
        _ => Some(Event::Unknown(name.into())),
    };
    read.unwrap_or_else(|| Event::Malformed(name.into()))
}

/// The row of an event of a text.
fn text_of(name: &str, end: &str) -> Option<(&'static str, Delta, &'static str, &'static str)> {
    let begin = name.strip_suffix(end)?;
    TEXTS.into_iter().find(|(known, ..)| *known == begin)
}

fn delta<'d, 't>(root: Value<'d, 't>, name: &str) -> Option<Event<'d, 't>> {
    let (_, of, part, _) = text_of(name, ".delta")?;
    let text = root.get("delta")?.to_text()?;
    Some(Event::Delta { at: at(root)?, part: part_of(root, part), of, text })
}

fn said<'d, 't>(root: Value<'d, 't>, name: &str) -> Option<Event<'d, 't>> {
    let (_, of, part, whole) = text_of(name, ".done")?;
    let text = root.get(whole)?.to_text()?;
    Some(Event::Said { at: at(root)?, part: part_of(root, part), of, text })
}

fn part_of(root: Value<'_, '_>, member: &str) -> u64 {
    root.get(member).and_then(Value::as_u64).unwrap_or(0)
}

fn at(root: Value<'_, '_>) -> Option<At> {
    if let Some(index) = root.get("output_index").and_then(Value::as_u64) {
        return Some(At::Index(index));
    }
    let id = root.get("item_id").and_then(Value::to_text);
    id.filter(|id| !id.is_empty()).map(At::Id)
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
