//! The items of a reply so far. An item counts as its end gives it; one that has none is what was
//! streamed of it, without a proof.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use json::{Array, Doc, Object, Raw, Text, Value};
use record::{Block, Issuer, Rest, TextBlock};
use wire::openai_responses::events::{At, Delta};

use super::item::{self, ItemType};
use super::places::Places;
use crate::chunk::{BlockType, Chunk, End};
use crate::finding::FindingKind;
use crate::reply::StreamError;
use crate::stream::Sink;

/// The items, by their place in the reply; and the number of the next block.
#[derive(Debug, Default)]
pub(super) struct Items {
    by_index: BTreeMap<u64, Item>,
    places: Places,
    next_block: u64,
    has_calls: bool,
}

#[derive(Debug)]
enum Item {
    Open(Open),
    /// It has ended; the block of its call, where it is one.
    Done(Option<u64>),
}

/// An item that has begun.
#[derive(Debug)]
struct Open {
    is: ItemType,
    /// As it was added.
    added: Option<Raw>,
    /// Its blocks, by part; a part that is a refusal is marked.
    parts: BTreeMap<u64, (u64, bool)>,
    /// The part of a thought that is being written.
    thought: Option<(Delta, u64)>,
    /// Of which parts something came.
    heard: BTreeSet<(Delta, u64)>,
    /// Its arguments are all there.
    is_said: bool,
}

impl Open {
    fn has_arguments(&self) -> bool {
        [Delta::Arguments, Delta::Freeform].iter().any(|of| self.heard.contains(&(*of, 0)))
    }
}

impl Items {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.by_index.len()
    }

    /// Whether there are calls that wait for results.
    pub(super) fn has_calls(&self) -> bool {
        self.has_calls
    }

    fn new_block(&mut self) -> u64 {
        let block = self.next_block;
        self.next_block += 1;
        block
    }

    /// An item begins.
    pub(super) fn added(
        &mut self,
        index: Option<u64>,
        item: Value<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let index = self.places.of_item(index, item);
        if self.by_index.contains_key(&index) {
            sink.report(FindingKind::MalformedStream, || format!("a second start of item {index}"));
            return Ok(());
        }
        sink.hold(item.raw().len())?;
        let is = item::type_of(item);
        self.open(index, is, Some(Raw::one_line(item)), sink)?;
        if let ItemType::Call { .. } = is
            && let Some(Item::Open(open)) = self.by_index.get(&index)
            && let Some((block, _)) = open.parts.get(&0)
        {
            let (id, name) = (Some(item::call_id(item)), item::tool_name(item));
            let arguments = Text::default();
            sink.chunk(Chunk::ToolCallDelta { index: *block, id, name, arguments })?;
        }
        Ok(())
    }

    /// Opens an item. The parts of a message are blocks of their own, and begin by themselves.
    fn open(
        &mut self,
        index: u64,
        is: ItemType,
        added: Option<Raw>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let mut parts = BTreeMap::new();
        let kind = match is {
            ItemType::Message => None,
            ItemType::Reasoning => Some(BlockType::Reasoning),
            ItemType::Call { is_freeform: false } => Some(BlockType::ToolCall),
            ItemType::Call { is_freeform: true } => Some(BlockType::FreeformCall),
            ItemType::Native => {
                let doc = added.as_ref().map(Raw::doc).unwrap_or_default();
                let kind = doc.root().get("type").and_then(Value::to_text);
                Some(BlockType::Other(kind.unwrap_or_default()))
            }
        };
        if let Some(kind) = kind {
            let block = self.new_block();
            parts.insert(0, (block, false));
            sink.chunk(Chunk::BlockStart { index: block, kind })?;
        }
        let (thought, heard) = (None, BTreeSet::new());
        let open = Open { is, added, parts, thought, heard, is_said: false };
        self.by_index.insert(index, Item::Open(open));
        Ok(())
    }

    /// Something is added to an item; one that never began begins with it.
    pub(super) fn delta(
        &mut self,
        at: At,
        (of, part): (Delta, u64),
        text: Text,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let index = self.places.of(at);
        if !self.by_index.contains_key(&index) {
            self.open(index, item_of(of), None, sink)?;
        }
        let next = self.next_block;
        let Some(Item::Open(open)) = self.by_index.get_mut(&index) else {
            let words = || format!("a delta for item {index}, which has ended");
            sink.report(FindingKind::MalformedStream, words);
            return Ok(());
        };
        if !text.is_empty() && open.heard.insert((of, part)) {
            sink.hold(size_of::<(Delta, u64)>())?;
        }
        match of {
            Delta::Text | Delta::Refusal => {
                let is_new = !open.parts.contains_key(&part);
                let (block, _) = *open.parts.entry(part).or_insert((next, of == Delta::Refusal));
                self.next_block += u64::from(is_new);
                sink.chunk(Chunk::TextDelta { index: block, text })
            }
            Delta::Summary | Delta::Reasoning => {
                let (block, _) = *open.parts.entry(0).or_insert((next, false));
                self.next_block += u64::from(block == next);
                let before = open.thought.replace((of, part));
                match before {
                    // A full thought and its summary are one block: what comes first is shown.
                    Some(before @ (kind, _)) if kind != of => {
                        open.thought = Some(before);
                        sink.hold(text.len())
                    }
                    Some((_, before)) if before != part => {
                        let between = item::BETWEEN_PARTS.into();
                        sink.chunk(Chunk::ReasoningDelta { index: block, text: between })?;
                        sink.chunk(Chunk::ReasoningDelta { index: block, text })
                    }
                    Some(_) | None => sink.chunk(Chunk::ReasoningDelta { index: block, text }),
                }
            }
            Delta::Arguments | Delta::Freeform => {
                let (block, _) = *open.parts.entry(0).or_insert((next, false));
                self.next_block += u64::from(block == next);
                let (id, name) = (None, None);
                sink.chunk(Chunk::ToolCallDelta { index: block, id, name, arguments: text })
            }
        }
    }

    /// The whole text of a part, after its deltas. It counts where none came.
    pub(super) fn said(
        &mut self,
        at: At,
        (of, part): (Delta, u64),
        text: Text,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let index = self.places.of(at);
        let is_new = match self.by_index.get(&index) {
            Some(Item::Open(open)) => open.is == item_of(of) && !open.heard.contains(&(of, part)),
            Some(Item::Done(_)) => false,
            None => true,
        };
        if is_new && !text.is_empty() {
            self.delta(At::Index(index), (of, part), text.clone(), sink)?;
        }
        if let Some(Item::Open(open)) = self.by_index.get_mut(&index)
            && let Some((block, _)) = open.parts.get(&0)
        {
            open.is_said = sink.called(*block).is_some_and(|(.., said)| said == text.as_str());
        }
        Ok(())
    }

    /// An item, whole.
    pub(super) fn done(
        &mut self,
        index: Option<u64>,
        item: Value<'_, '_>,
        issuer: &Arc<Issuer>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let index = self.places.of_item(index, item);
        let open = match self.by_index.remove(&index) {
            Some(Item::Done(call)) => {
                self.by_index.insert(index, Item::Done(call));
                let words = || format!("a second end of item {index}");
                sink.report(FindingKind::MalformedStream, words);
                return Ok(());
            }
            Some(Item::Open(open)) => Some(open),
            None => None,
        };
        let is = item::type_of(item);
        self.has_calls |= matches!(is, ItemType::Call { .. });
        let mut streamed = open.map(|open| (open.has_arguments(), open.parts)).unwrap_or_default();
        if streamed.1.is_empty() && is == (ItemType::Call { is_freeform: true }) {
            let block = self.new_block();
            streamed.1.insert(0, (block, false));
            sink.chunk(Chunk::BlockStart { index: block, kind: BlockType::FreeformCall })?;
        }
        let (has_arguments, mut parts) = streamed;
        let mut blocks = item::blocks(item, issuer).unwrap_or_else(|unread| {
            sink.report(FindingKind::MalformedStream, || {
                format!("item {index} has another shape than its type says")
            });
            vec![unread]
        });
        if blocks.is_empty() && parts.is_empty() {
            let (proof, rest) = (item::item_id(item, issuer), item::item_rest(item));
            blocks.push(Block::Text(TextBlock { text: Text::default(), proof, rest }));
        }
        // Some hosts do not count parts from 0: as many as there are now are the same ones.
        if parts.len() == blocks.len() {
            parts = (0..).zip(parts.into_values()).collect();
        }
        let nth = index;
        let mut called = None;
        for (block, part) in blocks.into_iter().zip(0u64..) {
            let index = parts.remove(&part).map_or_else(|| self.new_block(), |(block, _)| block);
            called = block.as_tool_use().map(|_| index).or(called);
            // A host that leaves the arguments out at the end has streamed them.
            let streamed = block.as_tool_use().filter(|call| call.input.text().is_empty());
            let end = match streamed.filter(|_| has_arguments) {
                Some(call) => End::Sealed { proof: call.proof.clone(), rest: call.rest.clone() },
                None => End::Block(block),
            };
            sink.chunk(Chunk::BlockEnd { index, end })?;
        }
        let mut beside = Some(item::item_rest(item)).filter(|_| is == ItemType::Message);
        for (index, is_refusal) in parts.into_values() {
            let mut rest = if is_refusal { item::refused() } else { Rest::NONE };
            item::extend(&mut rest, beside.take().unwrap_or_default());
            let end = End::Sealed { proof: item::item_id(item, issuer), rest };
            sink.chunk(Chunk::BlockEnd { index, end })?;
        }
        self.by_index.insert(nth, Item::Done(called));
        Ok(())
    }

    /// Takes what the response holds at its end and its stream did not.
    pub(super) fn complete(
        &mut self,
        output: Value<'_, '_>,
        issuer: &Arc<Issuer>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let has_more = output.items().count() > self.len();
        self.compare(output, sink);
        for (item, index) in output.items().zip(0u64..) {
            let is_missing = match self.by_index.get(&index) {
                Some(Item::Open(open)) => open.is == item::type_of(item),
                Some(Item::Done(_)) => false,
                None => has_more,
            };
            if is_missing {
                self.done(Some(index), item, issuer, sink)?;
            }
        }
        Ok(())
    }

    /// Reports the calls that the response ends with in other words than their items did: each
    /// stays what it was when it was done.
    fn compare(&self, output: Value<'_, '_>, sink: &mut Sink<'_>) {
        let done = self.by_index.values().filter_map(|item| match item {
            Item::Done(Some(block)) => sink.called(*block),
            Item::Done(None) | Item::Open(_) => None,
        });
        let done: BTreeSet<(Text, Text, String)> =
            done.map(|(id, name, input)| (id.clone(), name.clone(), canonical(input))).collect();
        for (item, index) in output.items().zip(0u64..) {
            let input = item::input(item);
            // A host that leaves the arguments out says nothing else.
            if input.text().is_empty() || !matches!(item::type_of(item), ItemType::Call { .. }) {
                continue;
            }
            let id = item::call_id(item);
            let name = item::tool_name(item).unwrap_or_default();
            let is_done = matches!(self.by_index.get(&index), Some(Item::Done(_)));
            if is_done && !done.contains(&(id.clone(), name, canonical(input.text()))) {
                sink.report(FindingKind::MalformedStream, || {
                    format!("the response ends with another call `{id}` than was done")
                });
            }
        }
    }

    /// Closes the items that have no end. A call of them is run where its arguments are whole, in
    /// a response that is: some hosts end no item.
    pub(super) fn close(
        &mut self,
        is_completed: bool,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        for item in std::mem::take(&mut self.by_index).into_values() {
            let Item::Open(open) = item else { continue };
            let added = open.added.as_ref().map(Raw::doc).unwrap_or_default();
            let added = added.root();
            let has_arguments = open.has_arguments();
            for (index, is_refusal) in open.parts.into_values() {
                let sealed = |rest: Rest| End::Sealed { proof: None, rest };
                let end = match open.is {
                    ItemType::Message if is_refusal => sealed(item::refused()),
                    ItemType::Message => sealed(Rest::NONE),
                    ItemType::Reasoning => {
                        sealed(thought_rest(sink.said(index).unwrap_or_default(), open.thought))
                    }
                    ItemType::Call { is_freeform } => {
                        if !has_arguments {
                            let arguments = item::input(added).text().clone();
                            let (id, name) = (None, None);
                            sink.chunk(Chunk::ToolCallDelta { index, id, name, arguments })?;
                        }
                        let arguments = sink.called(index).map_or("", |(.., arguments)| arguments);
                        let is_json = !is_freeform && Doc::parse_str(arguments).is_ok();
                        let is_whole = is_completed && (open.is_said || is_json);
                        self.has_calls |= is_whole;
                        if is_whole { sealed(item::call_mark(added)) } else { End::Cut }
                    }
                    ItemType::Native => End::Block(item::unread(added)),
                };
                sink.chunk(Chunk::BlockEnd { index, end })?;
            }
        }
        Ok(())
    }
}

/// The item that a delta is part of.
fn item_of(of: Delta) -> ItemType {
    match of {
        Delta::Text | Delta::Refusal => ItemType::Message,
        Delta::Summary | Delta::Reasoning => ItemType::Reasoning,
        Delta::Arguments => ItemType::Call { is_freeform: false },
        Delta::Freeform => ItemType::Call { is_freeform: true },
    }
}

/// One spelling of arguments; those that are no JSON as they are.
fn canonical(arguments: &str) -> String {
    match Doc::parse_str(arguments) {
        Ok(doc) => json::canonical::of(doc.root()),
        Err(_) => arguments.to_owned(),
    }
}

/// The rest of a thought that has no end: its text where its item would hold it.
fn thought_rest(said: &str, of: Option<(Delta, u64)>) -> Rest {
    let (member, kind) = match of {
        Some((Delta::Reasoning, _)) => ("content", "reasoning_text"),
        Some(_) | None => ("summary", "summary_text"),
    };
    let mut parts = Array::new();
    if !said.is_empty() {
        let mut part = Object::new();
        part.string("type", kind).string("text", said);
        parts.raw(&part.finish());
    }
    let mut rest = Rest::default();
    rest.push(member.into(), parts.finish());
    rest
}
