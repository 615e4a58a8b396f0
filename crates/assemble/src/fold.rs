//! The fold: chunks in, one message out.
//!
//! A reply is what its chunks say, in the order in which its blocks were first seen. What comes out
//! of turn is ignored and reported; what is over a limit ends the stream by name.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeMap;

use json::Text;
use record::limits::BLOCKS_MAX;
use record::{Block, Input, Reasoning, Rest, TextBlock, ToolUse, Usage};

use crate::chunk::{BlockType, Chunk, End, Finish};
use crate::emitted::{Blocks, Emitted};
use crate::finding::{FindingKind, Findings};
use crate::growing::Growing;
use crate::limits::MESSAGE_BYTES_MAX;
use crate::live::Live;
use crate::reply::StreamError;

/// A reply in the making.
#[derive(Debug, Default)]
pub struct Assembler {
    slots: Vec<Slot>,
    by_index: BTreeMap<u64, usize>,
    bytes: usize,
    pub(crate) usage: Option<Usage>,
    pub(crate) finish: Option<Finish>,
    pub(crate) findings: Findings,
}

/// A block in the making.
#[derive(Debug)]
struct Slot {
    index: u64,
    partial: Partial,
    end: Option<End>,
}

#[derive(Debug)]
enum Partial {
    Text(Growing),
    Reasoning(Growing),
    Call { id: Text, name: Text, arguments: Growing, freeform: bool },
    Other(Text),
}

impl Partial {
    fn of(kind: BlockType) -> Partial {
        match kind {
            BlockType::Text => Partial::Text(Growing::default()),
            BlockType::Reasoning => Partial::Reasoning(Growing::default()),
            BlockType::ToolCall => Partial::call(false),
            BlockType::FreeformCall => Partial::call(true),
            BlockType::Other(kind) => Partial::Other(kind),
        }
    }

    fn call(freeform: bool) -> Partial {
        let (id, name, arguments) = (Text::default(), Text::default(), Growing::default());
        Partial::Call { id, name, arguments, freeform }
    }
}

impl Assembler {
    /// Takes a chunk; what it adds is shown to `live`.
    pub fn take(
        &mut self,
        chunk: Chunk,
        live: &mut dyn FnMut(Live<'_>),
    ) -> Result<(), StreamError> {
        if self.finish.is_some() {
            self.malformed(|| "a chunk after the finish".into());
            return Ok(());
        }
        match chunk {
            Chunk::BlockStart { index, kind } => {
                self.slot(index, || Partial::of(kind))?;
            }
            Chunk::TextDelta { index, text } => self.text(index, &text, live)?,
            Chunk::ReasoningDelta { index, text } => self.reasoning(index, &text, live)?,
            Chunk::ToolCallDelta { index, id, name, arguments } => {
                self.call(index, id, name, &arguments, live)?;
            }
            Chunk::BlockEnd { index, end } => self.end(index, end, live)?,
            Chunk::Usage(usage) => self.usage = Some(usage),
            Chunk::Finish(finish) => self.finish = Some(finish),
        }
        Ok(())
    }

    /// Whether the stream has finished: nothing that follows changes anything.
    pub fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Counts bytes that are held for the message.
    pub(crate) fn hold(&mut self, bytes: usize) -> Result<(), StreamError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MESSAGE_BYTES_MAX {
            return Err(StreamError::MessageTooLarge { limit: MESSAGE_BYTES_MAX });
        }
        Ok(())
    }

    pub(crate) fn malformed(&mut self, detail: impl FnOnce() -> String) {
        self.findings.add(FindingKind::MalformedStream, detail);
    }

    /// What was said or thought in a block so far.
    pub(crate) fn said(&self, index: u64) -> Option<&str> {
        match &self.slots.get(*self.by_index.get(&index)?)?.partial {
            Partial::Text(text) | Partial::Reasoning(text) => Some(text.as_str()),
            Partial::Call { .. } | Partial::Other(_) => None,
        }
    }

    /// A call as it stands: its id, its tool and its arguments.
    pub(crate) fn called(&self, index: u64) -> Option<(&Text, &Text, &str)> {
        let slot = self.slots.get(*self.by_index.get(&index)?)?;
        match (&slot.end, &slot.partial) {
            (Some(End::Block(block)), _) => {
                let call = block.as_tool_use()?;
                Some((&call.id, &call.name, call.input.text().as_str()))
            }
            (_, Partial::Call { id, name, arguments, .. }) => Some((id, name, arguments.as_str())),
            (_, Partial::Text(_) | Partial::Reasoning(_) | Partial::Other(_)) => None,
        }
    }

    /// The place of a block, which is opened where it was not seen before.
    fn slot(&mut self, index: u64, open: impl FnOnce() -> Partial) -> Result<usize, StreamError> {
        if let Some(at) = self.by_index.get(&index) {
            return Ok(*at);
        }
        if self.slots.len() == BLOCKS_MAX {
            return Err(StreamError::TooManyBlocks { limit: BLOCKS_MAX });
        }
        let at = self.slots.len();
        self.by_index.insert(index, at);
        self.slots.push(Slot { index, partial: open(), end: None });
        Ok(at)
    }

    fn text(
        &mut self,
        index: u64,
        text: &Text,
        live: &mut dyn FnMut(Live<'_>),
    ) -> Result<(), StreamError> {
        let block = self.slot(index, || Partial::of(BlockType::Text))?;
        self.hold(text.len())?;
        match self.slots.get_mut(block) {
            Some(Slot { partial: Partial::Text(growing), end: None, .. }) => {
                growing.push(text);
                live(Live::Speech { block, text });
            }
            _ => self.malformed(|| format!("a text delta for block {index}, which takes none")),
        }
        Ok(())
    }

    fn reasoning(
        &mut self,
        index: u64,
        text: &Text,
        live: &mut dyn FnMut(Live<'_>),
    ) -> Result<(), StreamError> {
        let block = self.slot(index, || Partial::of(BlockType::Reasoning))?;
        self.hold(text.len())?;
        match self.slots.get_mut(block) {
            Some(Slot { partial: Partial::Reasoning(growing), end: None, .. }) => {
                growing.push(text);
                live(Live::Thought { block, text });
            }
            _ => {
                self.malformed(|| format!("a reasoning delta for block {index}, which takes none"))
            }
        }
        Ok(())
    }

    fn call(
        &mut self,
        index: u64,
        new_id: Option<Text>,
        new_name: Option<Text>,
        piece: &Text,
        live: &mut dyn FnMut(Live<'_>),
    ) -> Result<(), StreamError> {
        let block = self.slot(index, || Partial::of(BlockType::ToolCall))?;
        let beside = [&new_id, &new_name].into_iter().flatten().map(|text| text.len());
        self.hold(piece.len() + beside.sum::<usize>())?;
        match self.slots.get_mut(block) {
            Some(Slot {
                partial: Partial::Call { id, name, arguments, .. }, end: None, ..
            }) => {
                keep_first(id, new_id);
                keep_first(name, new_name);
                arguments.push(piece);
                live(Live::Call { block, id, name, arguments: piece });
            }
            _ => {
                self.malformed(|| format!("a tool-call delta for block {index}, which takes none"))
            }
        }
        Ok(())
    }

    fn end(
        &mut self,
        index: u64,
        end: End,
        live: &mut dyn FnMut(Live<'_>),
    ) -> Result<(), StreamError> {
        self.hold(weight(&end))?;
        let block = match (&end, self.by_index.get(&index)) {
            (_, Some(at)) => *at,
            (End::Block(_), None) => self.slot(index, || Partial::Other(Text::default()))?,
            (End::Sealed { .. } | End::Cut, None) => {
                self.malformed(|| format!("the end of block {index}, which never began"));
                return Ok(());
            }
        };
        match self.slots.get_mut(block) {
            Some(slot) if slot.end.is_none() => {
                if let End::Block(of) = &end {
                    live(Live::Whole { block, of });
                }
                slot.end = Some(end);
                live(Live::Closed { block });
            }
            _ => self.malformed(|| format!("a second end of block {index}")),
        }
        Ok(())
    }

    /// The kind of a block that was begun and can only be whole, and has not ended.
    pub(crate) fn unfinished(&self) -> Option<&Text> {
        self.slots.iter().find_map(|slot| match (&slot.partial, &slot.end) {
            (Partial::Other(kind), None) => Some(kind),
            _ => None,
        })
    }

    /// The blocks. One that has no end is built from its deltas; one that only its end could give
    /// is none.
    pub(crate) fn take_blocks(&mut self) -> Blocks {
        self.by_index.clear();
        Blocks::new(std::mem::take(&mut self.slots).into_iter().filter_map(Slot::built).collect())
    }
}

impl Slot {
    fn built(self) -> Option<Emitted> {
        let (index, cut) = (self.index, matches!(self.end, Some(End::Cut)));
        let closed = self.end.is_some() && !cut;
        let freeform = matches!(self.partial, Partial::Call { freeform: true, .. });
        let (proof, rest) = match self.end {
            Some(End::Block(block)) => {
                return Some(Emitted { index, closed, freeform, cut, block });
            }
            Some(End::Sealed { proof, rest }) => (proof, rest),
            Some(End::Cut) | None => (None, Rest::NONE),
        };
        let block = match self.partial {
            Partial::Text(text) => Block::Text(TextBlock { text: text.into_text(), proof, rest }),
            Partial::Reasoning(text) => {
                Block::Reasoning(Reasoning { reasoning: text.into_text(), proof, rest })
            }
            Partial::Call { id, name, arguments, .. } => {
                let input = Input::new(arguments.into_text());
                Block::ToolUse(ToolUse { id, name, input, proof, rest })
            }
            Partial::Other(_) => return None,
        };
        Some(Emitted { index, closed, freeform, cut, block })
    }
}

fn keep_first(known: &mut Text, new: Option<Text>) {
    if known.is_empty()
        && let Some(new) = new
    {
        *known = new;
    }
}

/// Bytes that an end brings along.
fn weight(end: &End) -> usize {
    let sealed = |proof: &Option<Box<record::Proof>>| {
        proof.as_ref().map_or(0, |proof| proof.sealed.as_str().len())
    };
    match end {
        End::Sealed { proof, rest } => sealed(proof) + rest_weight(rest),
        End::Block(block) => match block {
            Block::Text(text) => text.text.len() + sealed(&text.proof) + rest_weight(&text.rest),
            Block::Reasoning(thought) => {
                thought.reasoning.len() + sealed(&thought.proof) + rest_weight(&thought.rest)
            }
            Block::ToolUse(call) => {
                call.input.text().len() + sealed(&call.proof) + rest_weight(&call.rest)
            }
            Block::Opaque(block) => block.raw.as_str().len(),
            // No model emits these.
            Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => 0,
        },
        End::Cut => 0,
    }
}

fn rest_weight(rest: &Rest) -> usize {
    rest.iter().map(|(name, value)| name.len() + value.as_str().len()).sum()
}
