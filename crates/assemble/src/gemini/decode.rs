//! The chunks of a streamed reply into ours.
//!
//! Nothing ends a stream of this wire but that it is over, so the reply ends there, if a reason was
//! given by then.

use std::sync::Arc;

use json::{Raw, Text, Value};
use record::{Block, Issuer, OpaqueBlock, Proof, Rest};
use wire::frames::Frame;
use wire::gemini::events::{self, PartialArg, filled, will_continue};

use super::arguments::{self, Arguments};
use super::end::{Whole, failure};
use super::part::{self, Part};
use crate::chunk::{BlockType, Chunk, End, Failure, STREAM_CUT};
use crate::finding::FindingKind;
use crate::named::Named;
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
    call: Option<OpenCall>,
    whole: Whole,
    is_over: bool,
}

#[derive(Debug)]
struct Open {
    block: u64,
    is_thought: bool,
}

/// A call that comes in pieces, and has not ended.
#[derive(Debug)]
struct OpenCall {
    block: u64,
    name: Text,
    arguments: Arguments,
    proof: Option<Box<Proof>>,
    rest: Named<Raw>,
}

impl OpenCall {
    /// Whether a piece of this name is of this call.
    fn goes_on_with(&self, name: &Text) -> bool {
        name.is_empty() || self.name == *name
    }
}

impl Decoder {
    pub(crate) fn new(issuer: Arc<Issuer>) -> Decoder {
        let (open, call, whole) = (None, None, Whole::default());
        Decoder { issuer, next_block: 0, open, call, whole, is_over: false }
    }

    /// Reads a frame.
    pub(crate) fn frame(
        &mut self,
        frame: &Frame<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        match sink.object(frame) {
            Some(doc) => self.chunk(&events::Chunk::new(doc.root()), sink),
            None => Ok(()),
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
        if let Some(call) = filled(value, "functionCall") {
            let name = call.get("name").and_then(Value::to_text).unwrap_or_default();
            let says_so = part::is_piece(call);
            let is_piece = match self.call.as_ref().is_some_and(|open| open.goes_on_with(&name)) {
                true => says_so || !part::has_arguments(call),
                false => says_so && !name.is_empty(),
            };
            if is_piece {
                return self.piece_of_call(value, call, name, sink);
            }
        }
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

    /// A call begins or goes on. One that another interrupts stays cut.
    fn piece_of_call(
        &mut self,
        part: Value<'_, '_>,
        call: Value<'_, '_>,
        name: Text,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let mut written = String::new();
        let before = self.call.take().filter(|open| open.goes_on_with(&name));
        let mut open = match before {
            Some(open) => open,
            None => {
                self.close(sink)?;
                (self.whole.has_calls, self.whole.has_content) = (true, true);
                let (block, kind) = (self.new_block(), BlockType::ToolCall);
                sink.chunk(Chunk::BlockStart { index: block, kind })?;
                written.push_str(arguments::BEGIN);
                let (arguments, rest) = (Arguments::default(), Named::default());
                OpenCall { block, name: name.clone(), arguments, proof: None, rest }
            }
        };
        open.proof = part::signature(part, &self.issuer).or(open.proof);
        for (name, value) in part::call_rest(part).iter() {
            sink.hold(name.len() + value.as_str().len())?;
            open.rest.set(name, value.clone());
        }
        let pieces = call.get("partialArgs").into_iter().flat_map(Value::items);
        // Nobody says how arguments that come at once go with those that come in pieces.
        let at_once = part::has_arguments(call).then_some(None);
        for piece in pieces.map(PartialArg::read).chain(at_once) {
            if !open.arguments.write(piece, &mut written) {
                sink.report(FindingKind::MalformedStream, || {
                    format!("a piece that the arguments of the call `{}` cannot hold", open.name)
                });
            }
        }
        let is_whole = !will_continue(call);
        if is_whole {
            open.arguments.end(&mut written);
        }
        let (index, id) = (open.block, call.get("id").and_then(Value::to_text));
        let (name, arguments) = (Some(name), written.into());
        sink.chunk(Chunk::ToolCallDelta { index, id, name, arguments })?;
        if !is_whole {
            self.call = Some(open);
            return Ok(());
        }
        let end = End::Sealed { proof: open.proof, rest: open.rest.into_rest() };
        sink.chunk(Chunk::BlockEnd { index, end })
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
            return std::mem::take(&mut self.whole).finish(self.next_block > 0, sink);
        }
        sink.fail(Failure::of(STREAM_CUT, "the stream ended before the reply did"))
    }
}
