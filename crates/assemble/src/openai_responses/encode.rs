//! A reply as this API sends it.

use json::{Array, Object, Raw, Text};
use record::{Message, StopKind};
use wire::openai_responses::events::ending;

use super::API;
use super::outgoing::{Item, items};
use crate::encode::{CannotCarry, answered, frame, input_tokens, native_word};
use crate::response::Members;

/// The body of a reply.
pub(crate) fn body(message: &Message, id: &str) -> Result<Raw, CannotCarry> {
    let ended = ended(message)?;
    let items: Vec<Raw> = items(message)?.iter().map(Item::whole).collect();
    Ok(response(message, id, &ended, &items))
}

/// The events of a reply.
pub(crate) fn stream(message: &Message, id: &str) -> Result<Vec<u8>, CannotCarry> {
    let ended = ended(message)?;
    let items = items(message)?;
    let begun = Ended { status: "in_progress", reason: None };
    let mut events = Events { out: Vec::new(), sent: 0 };
    for kind in ["response.created", "response.in_progress"] {
        let mut event = Object::new();
        event.raw("response", &response(message, id, &begun, &[]));
        events.send(kind, event);
    }
    for (item, index) in items.iter().zip(0u64..) {
        item.send(index, &mut events);
    }
    let all: Vec<Raw> = items.iter().map(Item::whole).collect();
    let mut event = Object::new();
    event.raw("response", &response(message, id, &ended, &all));
    events.send(&format!("response.{}", ended.status), event);
    Ok(events.out)
}

/// The events so far.
pub(super) struct Events {
    out: Vec<u8>,
    sent: u64,
}

impl Events {
    /// Sends the next event.
    pub(super) fn send(&mut self, kind: &str, mut event: Object) {
        event.string("type", kind).number("sequence_number", self.sent);
        self.sent += 1;
        frame(&mut self.out, Some(kind), event.finish().as_str());
    }
}

/// How a reply ended.
struct Ended {
    status: &'static str,
    /// Why it is incomplete.
    reason: Option<Text>,
}

fn ended(message: &Message) -> Result<Ended, CannotCarry> {
    let completed = Ended { status: "completed", reason: None };
    if message.interrupted {
        return Err(CannotCarry::Cut);
    }
    let Some(stop) = &message.stop else { return Ok(completed) };
    match (stop.kind, native_word(API, message, ending)) {
        (_, Some(native)) if native.as_str() == "completed" => Ok(completed),
        // A status, and no reason for it.
        (_, Some(native)) if native.as_str() == "incomplete" => {
            Ok(Ended { status: "incomplete", reason: None })
        }
        (_, Some(native)) => Ok(Ended { status: "incomplete", reason: Some(native.clone()) }),
        (StopKind::Stop | StopKind::ToolCalls, None) => Ok(completed),
        (StopKind::MaxTokens, None) => {
            Ok(Ended { status: "incomplete", reason: Some("max_output_tokens".into()) })
        }
        (StopKind::Aborted | StopKind::Error, None) => Err(CannotCarry::Cut),
    }
}

fn response(message: &Message, id: &str, ended: &Ended, output: &[Raw]) -> Raw {
    let members = Members::of(message.response.as_ref(), API);
    let is_over = ended.status != "in_progress";
    let mut object = Object::new();
    if members.get("id").is_none() {
        object.string("id", id);
    }
    if members.get("object").is_none() {
        object.string("object", "response");
    }
    object.string("status", ended.status);
    let (api, model) = answered(message);
    if api.is_none_or(|api| api.as_str() != API) {
        object.text("model", &model);
    }
    // What was asked for is not known here; clients read these.
    object.string("tool_choice", "auto").raw("tools", &Array::new().finish());
    object.bool("parallel_tool_calls", true);
    let of_its_end = ["usage", "incomplete_details"];
    for (name, value) in members.iter().filter(|(name, _)| !of_its_end.contains(name)) {
        object.raw(name, value);
    }
    if is_over {
        let details = ended.reason.as_ref().map(|reason| {
            let mut details = Object::new();
            details.text("reason", reason);
            details.finish()
        });
        let details = members.get("incomplete_details").or(details.as_ref());
        object.optional_raw("incomplete_details", details.filter(|_| ended.reason.is_some()));
        object.optional_raw("usage", usage(&members, message).as_ref());
    }
    object.raw("output", &Array::of(output));
    object.finish()
}

fn usage(members: &Members, message: &Message) -> Option<Raw> {
    if let Some(usage) = members.get("usage") {
        return Some(usage.clone());
    }
    let usage = message.usage.as_ref()?;
    let input = input_tokens(usage);
    let (mut of_input, mut of_output, mut object) = (Object::new(), Object::new(), Object::new());
    of_input.number("cached_tokens", usage.cache_read_input_tokens);
    of_input.number("cache_write_tokens", usage.cache_creation_input_tokens);
    of_output.number("reasoning_tokens", 0);
    object
        .number("input_tokens", input)
        .raw("input_tokens_details", &of_input.finish())
        .number("output_tokens", usage.output_tokens)
        .raw("output_tokens_details", &of_output.finish())
        .number("total_tokens", input.saturating_add(usage.output_tokens));
    Some(object.finish())
}
