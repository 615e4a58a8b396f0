//! What a reply thought, beside its content: under a key of the delta, or as typed details. Its
//! seal may come last.

use std::collections::BTreeMap;
use std::sync::Arc;

use json::{Raw, Value};
use record::Issuer;
use wire::openai_chat::events::{REASONING_KEYS, filled};

use super::decode::new_block;
use super::details::Details;
use super::message::{self, Seal};
use crate::chunk::{BlockType, Chunk, End};
use crate::growing::Growing;
use crate::reply::StreamError;
use crate::stream::Sink;

/// The thought so far.
#[derive(Debug, Default)]
pub(super) struct Thought {
    open: Option<Open>,
    /// What came under other keys than the thought's own.
    other_keys: BTreeMap<&'static str, Other>,
    details: Details,
    encrypted: Option<Raw>,
    is_settled: bool,
}

/// What came under another key.
#[derive(Debug)]
enum Other {
    /// It may be the same again.
    Held(Growing),
    /// It is a thought of its own, in this block.
    Block(u64),
}

#[derive(Debug)]
struct Open {
    block: u64,
    /// The key its text comes under; `None` where that is in typed details.
    key: Option<&'static str>,
    has_text: bool,
}

impl Thought {
    /// Takes what a delta thinks. The first key that is filled is the thought's own; some hosts
    /// send the same under two.
    pub(super) fn take(
        &mut self,
        delta: Value<'_, '_>,
        next: &mut u64,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        for key in REASONING_KEYS {
            let text = delta.get(key).and_then(Value::to_text);
            let Some(text) = text.filter(|text| !text.is_empty()) else { continue };
            let (index, own) = self.place(Some(key), next, sink)?;
            if own == Some(key) {
                sink.chunk(Chunk::ReasoningDelta { index, text })?;
                continue;
            }
            match self.other_keys.entry(key).or_insert_with(|| Other::Held(Growing::default())) {
                Other::Held(growing) => {
                    sink.hold(text.len())?;
                    growing.push(&text);
                }
                Other::Block(index) => {
                    sink.chunk(Chunk::ReasoningDelta { index: *index, text })?;
                }
            }
        }
        if let Some(details) = filled(delta, message::DETAILS)
            && details.items().next().is_some()
        {
            sink.hold(details.raw().len())?;
            self.details.take(details);
            let text: String = details.items().filter_map(message::detail_text).collect();
            let (index, own) = self.place(None, next, sink)?;
            if own.is_none() && !text.is_empty() {
                sink.chunk(Chunk::ReasoningDelta { index, text: text.into() })?;
                self.open.iter_mut().for_each(|open| open.has_text = true);
            }
        }
        if let Some(sealed) = filled(delta, "encrypted_content") {
            sink.hold(sealed.raw().len())?;
            self.place(None, next, sink)?;
            self.encrypted = Some(Raw::one_line(sealed));
        }
        Ok(())
    }

    /// The thought's block, and the key its text comes under: this one, where none was before.
    fn place(
        &mut self,
        key: Option<&'static str>,
        next: &mut u64,
        sink: &mut Sink<'_>,
    ) -> Result<(u64, Option<&'static str>), StreamError> {
        if let Some(open) = &mut self.open {
            if open.key.is_none() && !open.has_text {
                open.key = key;
            }
            return Ok((open.block, open.key));
        }
        let block = new_block(next);
        self.open = Some(Open { block, key, has_text: false });
        sink.chunk(Chunk::BlockStart { index: block, kind: BlockType::Reasoning })?;
        Ok((block, key))
    }

    /// Something is said after the thought. Where that is the first, what came under other keys
    /// gets its blocks, so that they stand where a body has them.
    pub(super) fn settle(
        &mut self,
        next: &mut u64,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        if self.open.is_none() || std::mem::replace(&mut self.is_settled, true) {
            return Ok(());
        }
        self.part(next, sink)
    }

    /// What came under other keys, and is not the same again, becomes thoughts of their own.
    fn part(&mut self, next: &mut u64, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        let Some(open) = &self.open else { return Ok(()) };
        let mut blocks = vec![open.block];
        for key in REASONING_KEYS {
            let Some(other) = self.other_keys.get_mut(key) else { continue };
            if let Other::Held(growing) = other {
                let is_known =
                    |block: &u64| sink.said(*block).is_some_and(|said| said == growing.as_str());
                if blocks.iter().any(is_known) {
                    continue;
                }
                let (index, text) = (new_block(next), std::mem::take(growing).into_text());
                *other = Other::Block(index);
                sink.chunk(Chunk::BlockStart { index, kind: BlockType::Reasoning })?;
                sink.chunk(Chunk::ReasoningDelta { index, text })?;
            }
            if let Other::Block(block) = other {
                blocks.push(*block);
            }
        }
        Ok(())
    }

    /// Closes it.
    pub(super) fn close(
        &mut self,
        issuer: &Arc<Issuer>,
        next: &mut u64,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        self.part(next, sink)?;
        let Some(open) = self.open.take() else { return Ok(()) };
        let mut rest = open.key.map(message::came_under).unwrap_or_default();
        let details = std::mem::take(&mut self.details).finish();
        let seal = Seal { details, encrypted: self.encrypted.take() };
        let proof = seal.onto(&mut rest, issuer);
        for (key, other) in std::mem::take(&mut self.other_keys) {
            if let Other::Block(index) = other {
                let end = End::Sealed { proof: None, rest: message::came_under(key) };
                sink.chunk(Chunk::BlockEnd { index, end })?;
            }
        }
        sink.chunk(Chunk::BlockEnd { index: open.block, end: End::Sealed { proof, rest } })
    }
}
