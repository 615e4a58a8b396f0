//! The chunks of a streamed reply into ours.
//!
//! Nothing ends a stream of this wire but that it is over, so the reply ends there, if a reason was
//! given by then.

use std::sync::Arc;

use json::{Doc, Kind, Raw, Text, Value};
use record::{Block, Issuer, OpaqueBlock, Rest};
use wire::frames::Frame;
use wire::gemini::events;

use super::end::{Whole, failure};
use super::part::{self, Part};
use crate::chunk::{BlockType, Chunk, End, Failure, STREAM_CUT};
use crate::finding::FindingKind;
use crate::reply::{StreamError, is_hollow};
use crate::stream::{Sink, named};

/// Reads the chunks of one reply.
#[derive(Debug)]
pub(crate) struct Decoder {
    /// Who answers.
    pub(crate) issuer: Arc<Issuer>,
    next_block: u64,
    /// The text that is being said or thought.
    open: Option<Open>,
    whole: Whole,
    is_over: bool,
}

#[derive(Debug)]
struct Open {
    block: u64,
    is_thought: bool,
}

impl Decoder {
    pub(crate) fn new(issuer: Arc<Issuer>) -> Decoder {
        Decoder { issuer, next_block: 0, open: None, whole: Whole::default(), is_over: false }
    }

    /// Reads a frame.
    pub(crate) fn frame(
        &mut self,
        frame: &Frame<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        match Doc::parse_str(&frame.data) {
            Ok(doc) if doc.root().kind() == Kind::Object => {
                self.chunk(&events::Chunk::new(doc.root()), sink)
            }
            // Torn where the stream ends: that it ended is what is told then.
            Err(_) if !frame.ended => Ok(()),
            Ok(_) | Err(_) => {
                sink.report(FindingKind::MalformedStream, || {
                    format!("a frame of {} bytes that is no JSON object", frame.data.len())
                });
                Ok(())
            }
        }
    }

    /// Reads a chunk.
    pub(super) fn chunk(
        &mut self,
        chunk: &events::Chunk<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        if self.is_over {
            sink.report(FindingKind::MalformedStream, || "a frame after the end".into());
            return Ok(());
        }
        if let Some(error) = chunk.error() {
            self.is_over = true;
            return sink.fail(failure(error));
        }
        if self.issuer.model.is_empty() {
            let model = chunk.root.get("modelVersion").and_then(Value::to_text);
            self.issuer = named(&self.issuer, model.unwrap_or_default());
        }
        if chunk.has_other_candidates {
            sink.report(FindingKind::Unknown, || "more than one candidate".into());
        }
        self.whole.take(chunk, sink)?;
        for part in chunk.parts() {
            self.part(part, sink)?;
        }
        Ok(())
    }

    fn part(&mut self, value: Value<'_, '_>, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        let read = part::part(value, &self.issuer).unwrap_or_else(|| {
            sink.report(FindingKind::MalformedStream, || {
                format!("a part of {} bytes of another shape than its name", value.raw().len())
            });
            let kind = events::data(value).map(|(name, _)| name).unwrap_or_default();
            let (raw, proof) = (Raw::one_line(value), None);
            Part::Whole(Block::Opaque(OpaqueBlock { kind, raw, proof }))
        });
        match read {
            Part::Piece { is_thought, text } => self.piece(is_thought, text, sink),
            Part::Whole(block) => {
                self.close(sink)?;
                self.whole.has_calls |= block.as_tool_use().is_some();
                self.whole.has_content |= block.as_reasoning().is_none() && !is_hollow(&block);
                let index = self.new_block();
                sink.chunk(Chunk::BlockEnd { index, end: End::Block(block) })
            }
            Part::Empty => Ok(()),
        }
    }

    /// Something is said or thought.
    fn piece(
        &mut self,
        is_thought: bool,
        text: Text,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        self.whole.has_content |= !is_thought;
        if self.open.as_ref().is_none_or(|open| open.is_thought != is_thought) {
            self.close(sink)?;
            let block = self.new_block();
            self.open = Some(Open { block, is_thought });
            let kind = if is_thought { BlockType::Reasoning } else { BlockType::Text };
            sink.chunk(Chunk::BlockStart { index: block, kind })?;
        }
        let Some(Open { block: index, .. }) = self.open else { return Ok(()) };
        sink.chunk(match is_thought {
            true => Chunk::ReasoningDelta { index, text },
            false => Chunk::TextDelta { index, text },
        })
    }

    fn new_block(&mut self) -> u64 {
        let block = self.next_block;
        self.next_block += 1;
        block
    }

    fn close(&mut self, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let end = End::Sealed { proof: None, rest: Rest::NONE };
        sink.chunk(Chunk::BlockEnd { index: open.block, end })
    }

    /// The stream is over. Without a reason it was cut.
    pub(crate) fn end(&mut self, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        if std::mem::replace(&mut self.is_over, true) {
            return Ok(());
        }
        self.close(sink)?;
        if self.whole.has_ended() {
            return std::mem::take(&mut self.whole).finish(sink);
        }
        sink.fail(Failure::of(STREAM_CUT, "the stream ended before the reply did"))
    }
}
