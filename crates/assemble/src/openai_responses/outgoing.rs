//! The items of a reply as this API sends them, whole and in pieces.

#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text, Value};
use record::{Block, Message, Proof, ProofKind, Reasoning, Rest, TextBlock, ToolUse};
use wire::openai_responses::calls::unnamed;

use super::API;
use super::encode::Events;
use super::item::ITEM;
use crate::encode::{CannotCarry, answered, pieces};

/// Members of a text that belong to its part; the others belong to its item.
const OF_A_PART: [&str; 2] = ["annotations", "logprobs"];

/// An item: what comes at once, and what comes in pieces.
pub(super) struct Item {
    /// Members that are there from its start.
    start: Vec<(Text, Raw)>,
    /// Members that come at its end.
    end: Vec<(Text, Raw)>,
    deltas: Deltas,
    /// As it came, where only its provider reads it.
    native: Option<Raw>,
}

enum Deltas {
    None,
    /// Parts of a message: each part, the member its text stands under, and the text.
    Parts(Vec<(Raw, &'static str, Text)>),
    /// Parts of a full thought.
    Thought(Vec<Raw>),
    /// Parts of its summary.
    Summary(Vec<Raw>),
    Arguments {
        event: &'static str,
        member: &'static str,
        text: Text,
    },
}

/// The items of a reply. Parts of one message are blocks that follow each other under its id.
pub(super) fn items(message: &Message) -> Result<Vec<Item>, CannotCarry> {
    let is_own = answered(message).0.is_some_and(|api| api.as_str() == API);
    let mut items = Vec::new();
    let mut blocks = message.blocks.iter().zip(0..).peekable();
    while let Some((block, index)) = blocks.next() {
        let cannot = |what| CannotCarry::Block { index, what };
        let nth = items.len();
        items.push(match block {
            Block::Text(first) => {
                let mut texts = vec![first];
                let id = own(first.proof.as_deref(), &ProofKind::ItemId);
                while let Some((Block::Text(next), _)) = blocks.next_if(|(next, _)| {
                    let proof = next.as_text().and_then(|next| next.proof.as_deref());
                    id.is_some() && own(proof, &ProofKind::ItemId) == id
                }) {
                    texts.push(next);
                }
                let made_up = (!is_own).then(|| format!("msg_{nth}"));
                said(&texts, id, made_up)
            }
            Block::Reasoning(thought) => thought_of(thought, (!is_own).then_some(nth)),
            Block::ToolUse(call) => called(call, (!is_own).then_some(nth))
                .ok_or_else(|| cannot("a call whose arguments are no JSON"))?,
            // What only another API reads stays behind.
            Block::Opaque(block) => {
                let api = block.proof.as_ref().map(|proof| proof.issuer.api.as_str());
                if api.map_or(!is_own, |api| api != API) {
                    continue;
                }
                let native = Some(block.raw.clone());
                Item { start: Vec::new(), end: Vec::new(), deltas: Deltas::None, native }
            }
            Block::ToolResult(_) => return Err(cannot("a result")),
            Block::Image(_) => return Err(cannot("an image")),
            Block::SystemChange(_) => return Err(cannot("a change of the head")),
        });
    }
    Ok(items)
}

/// What is sealed by this API in this way.
fn own<'p>(proof: Option<&'p Proof>, kind: &ProofKind) -> Option<&'p Raw> {
    let own = proof.filter(|proof| proof.issuer.api.as_str() == API && proof.kind == *kind);
    own.map(|proof| &proof.sealed)
}

fn member(name: &str, value: &str) -> (Text, Raw) {
    (name.into(), Raw::string(&value.into()))
}

fn of_rest(rest: &Rest, but: &[&str]) -> Vec<(Text, Raw)> {
    rest.iter().filter(|(name, _)| !but.contains(&name.as_str())).cloned().collect()
}

fn object_of(members: &[(Text, Raw)]) -> Object {
    let mut object = Object::new();
    for (name, value) in members {
        object.raw(name, value);
    }
    object
}

/// The id of an item, its own or one that is made up for a client.
fn id_of(id: Option<&Raw>, made_up: Option<String>) -> Option<(Text, Raw)> {
    let made_up = made_up.map(|id| Raw::string(&id.into()));
    id.cloned().or(made_up).map(|id| ("id".into(), id))
}

fn said(texts: &[&TextBlock], id: Option<&Raw>, made_up: Option<String>) -> Item {
    let mut start = vec![member("type", "message"), member("role", "assistant")];
    start.extend(id_of(id, made_up.clone()));
    let mut end = Vec::new();
    let first =
        texts.first().map(|first| of_rest(&first.rest, &[&OF_A_PART[..], &[ITEM]].concat()));
    end.extend(first.unwrap_or_default());
    if made_up.is_some() && !end.iter().any(|(name, _)| name.as_str() == "status") {
        end.push(member("status", "completed"));
    }
    let parts = texts.iter().zip(0..).map(|(text, nth)| {
        let is_refusal = text.rest.get(ITEM).is_some();
        let (kind, name) =
            if is_refusal { ("refusal", "refusal") } else { ("output_text", "text") };
        let mut part = vec![member("type", kind)];
        let is_of_part = |name: &Text| nth > 0 || OF_A_PART.contains(&name.as_str());
        let rest = of_rest(&text.rest, &[ITEM]).into_iter();
        part.extend(rest.filter(|(name, _)| is_of_part(name)));
        if made_up.is_some() && !is_refusal && text.rest.get("annotations").is_none() {
            part.push(("annotations".into(), Array::new().finish()));
        }
        (object_of(&part).finish(), name, text.text.clone())
    });
    Item { start, end, deltas: Deltas::Parts(parts.collect()), native: None }
}

fn thought_of(thought: &Reasoning, made_up: Option<usize>) -> Item {
    let proof = thought.proof.as_deref();
    let encrypted = own(proof, &ProofKind::Encrypted);
    let mut start = vec![member("type", "reasoning")];
    let id = own(proof, &ProofKind::ItemId);
    let made_up = made_up.filter(|_| thought.rest.get("id").is_none());
    start.extend(id_of(id, made_up.map(|nth| format!("rs_{nth}"))));
    start.extend(thought.rest.get("id").map(|id| ("id".into(), id.clone())));
    let mut end = of_rest(&thought.rest, &["id", ITEM]);
    if made_up.is_some() && thought.rest.get("summary").is_none() {
        let mut summary = Array::new();
        if !thought.reasoning.is_empty() {
            let part = [member("type", "summary_text"), member("text", &thought.reasoning)];
            summary.raw(&object_of(&part).finish());
        }
        end.push(("summary".into(), summary.finish()));
    }
    end.extend(encrypted.map(|sealed| ("encrypted_content".into(), sealed.clone())));
    let parts = |member: &str| -> Vec<Raw> {
        let list = end.iter().find(|(name, _)| name.as_str() == member).map(|(_, list)| list.doc());
        list.unwrap_or_default().root().items().map(Raw::of).collect()
    };
    let full = parts("content");
    let deltas = match full.is_empty() {
        true => Deltas::Summary(parts("summary")),
        false => Deltas::Thought(full),
    };
    Item { start, end, deltas, native: None }
}

/// A call; `None` where its item holds a value, and its arguments are none.
fn called(call: &ToolUse, made_up: Option<usize>) -> Option<Item> {
    let kind = call.rest.get(ITEM).and_then(|kind| kind.doc().root().to_text());
    let kind = kind.unwrap_or_else(|| "function_call".into());
    let mut start = vec![("type".into(), Raw::string(&kind))];
    let id = own(call.proof.as_deref(), &ProofKind::ItemId);
    start.extend(id_of(id, made_up.map(|nth| format!("fc_{nth}"))));
    start.push(("call_id".into(), Raw::string(&call.id)));
    let mut end = of_rest(&call.rest, &[ITEM]);
    if made_up.is_some() {
        end.push(member("status", "completed"));
    }
    let text = call.input.text();
    if let Some(row) = unnamed(&kind) {
        let given = Some(text).filter(|text| !text.is_empty()).map(|text| Raw::parse(text));
        end.extend(given.transpose().ok()?.map(|given| {
            let doc = given.doc();
            let (name, value) = row.sent_as(doc.root());
            (name.into(), Raw::of(value))
        }));
        return Some(Item { start, end, deltas: Deltas::None, native: None });
    }
    let (event, name) = match kind.as_str() {
        "custom_tool_call" => ("response.custom_tool_call_input", "input"),
        _ => ("response.function_call_arguments", "arguments"),
    };
    start.push(("name".into(), Raw::string(&call.name)));
    let deltas = Deltas::Arguments { event, member: name, text: text.clone() };
    Some(Item { start, end, deltas, native: None })
}

impl Item {
    /// The item.
    pub(super) fn whole(&self) -> Raw {
        if let Some(native) = &self.native {
            return native.clone();
        }
        let mut object = object_of(&self.start);
        match &self.deltas {
            Deltas::None | Deltas::Thought(_) | Deltas::Summary(_) => {}
            Deltas::Parts(parts) => {
                let parts: Vec<Raw> =
                    parts.iter().map(|(part, name, text)| with(part, name, text)).collect();
                object.raw("content", &Array::of(&parts));
            }
            Deltas::Arguments { member, text, .. } => {
                object.text(member, text);
            }
        }
        for (name, value) in &self.end {
            object.raw(name, value);
        }
        object.finish()
    }

    /// Sends it: what can come in pieces does.
    pub(super) fn send(&self, index: u64, events: &mut Events) {
        let id = self.start.iter().find(|(name, _)| name.as_str() == "id").map(|(_, id)| id);
        let at = || {
            let mut event = Object::new();
            event.number("output_index", index).optional_raw("item_id", id);
            event
        };
        let mut event = at();
        event.raw("item", &self.begun());
        events.send("response.output_item.added", event);
        match &self.deltas {
            Deltas::None => {}
            Deltas::Parts(parts) => {
                for ((part, name, text), nth) in parts.iter().zip(0u64..) {
                    send_part(events, &at, (part, name, text), nth);
                }
            }
            Deltas::Thought(parts) => send_thought(events, &at, parts, &OF_CONTENT),
            Deltas::Summary(parts) => send_thought(events, &at, parts, &OF_SUMMARY),
            Deltas::Arguments { event, member, text } => {
                for piece in pieces(text) {
                    let mut delta = at();
                    delta.text("delta", &piece);
                    events.send(&format!("{event}.delta"), delta);
                }
                let mut done = at();
                done.text(member, text);
                events.send(&format!("{event}.done"), done);
            }
        }
        let mut event = at();
        event.raw("item", &self.whole());
        events.send("response.output_item.done", event);
    }

    /// The item as it begins.
    fn begun(&self) -> Raw {
        if let Some(native) = &self.native {
            return native.clone();
        }
        let mut object = object_of(&self.start);
        match &self.deltas {
            Deltas::None => {}
            Deltas::Parts(_) => {
                object.raw("content", &Array::new().finish());
            }
            Deltas::Thought(_) | Deltas::Summary(_) => {
                object.raw("summary", &Array::new().finish());
            }
            Deltas::Arguments { member, .. } => {
                object.string(member, "");
            }
        }
        object.string("status", "in_progress").finish()
    }
}

/// The events of a thought's parts: of the part, of its text, and the member that says which.
const OF_CONTENT: [&str; 3] = ["response.content_part", "response.reasoning_text", "content_index"];
const OF_SUMMARY: [&str; 3] =
    ["response.reasoning_summary_part", "response.reasoning_summary_text", "summary_index"];

/// Sends the parts of a thought.
fn send_thought(
    events: &mut Events,
    at: &dyn Fn() -> Object,
    parts: &[Raw],
    [of_part, of_text, index]: &[&str; 3],
) {
    for (part, nth) in parts.iter().zip(0u64..) {
        let text = part.doc().root().get("text").and_then(Value::to_text).unwrap_or_default();
        let in_part = || {
            let mut event = at();
            event.number(index, nth);
            event
        };
        let mut event = in_part();
        event.raw("part", &with(part, "text", &Text::default()));
        events.send(&format!("{of_part}.added"), event);
        for piece in pieces(&text) {
            let mut delta = in_part();
            delta.text("delta", &piece);
            events.send(&format!("{of_text}.delta"), delta);
        }
        let mut done = in_part();
        done.text("text", &text);
        events.send(&format!("{of_text}.done"), done);
        let mut event = in_part();
        event.raw("part", part);
        events.send(&format!("{of_part}.done"), event);
    }
}

/// Sends a part of a message.
fn send_part(
    events: &mut Events,
    at: &dyn Fn() -> Object,
    (part, name, text): (&Raw, &str, &Text),
    nth: u64,
) {
    let kind = if name == "refusal" { "response.refusal" } else { "response.output_text" };
    let in_part = || {
        let mut event = at();
        event.number("content_index", nth);
        event
    };
    let mut event = in_part();
    event.raw("part", &with(part, name, &Text::default()));
    events.send("response.content_part.added", event);
    for piece in pieces(text) {
        let mut delta = in_part();
        delta.text("delta", &piece);
        if name == "text" {
            delta.raw("logprobs", &Array::new().finish());
        }
        events.send(&format!("{kind}.delta"), delta);
    }
    let mut done = in_part();
    done.text(name, text);
    if name == "text" {
        done.raw("logprobs", &Array::new().finish());
    }
    events.send(&format!("{kind}.done"), done);
    let mut event = in_part();
    event.raw("part", &with(part, name, text));
    events.send("response.content_part.done", event);
}

/// A part with this text in place of its own.
fn with(part: &Raw, name: &str, text: &Text) -> Raw {
    let mut object = Object::new();
    let doc = part.doc();
    for (key, value) in doc.root().members().filter(|(key, _)| !key.is_str(name)) {
        object.raw(&key.as_str().unwrap_or_default(), &Raw::of(value));
    }
    object.text(name, text);
    object.finish()
}
