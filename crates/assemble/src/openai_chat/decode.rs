//! The chunks of a streamed reply into ours.
//!
//! This wire numbers only calls, so blocks are numbered here, as they are first seen. What may
//! still come for a block comes up to the end, so all are closed there, but for parts of a content,
//! which stand one after the other.

use std::sync::Arc;

use json::{Kind, Raw, Value};
use record::{Block, Issuer};
use wire::frames::Frame;
use wire::openai_chat::events::{self, DONE, filled};
use wire::openai_chat::streams::{self, FinishReasons, Stream};

use super::calls::Calls;
use super::content::Content;
use super::end::{Whole, failure};
use super::message;
use super::thought::Thought;
use crate::chunk::{BlockType, Chunk, End, Failure, STREAM_CUT};
use crate::finding::FindingKind;
use crate::reply::StreamError;
use crate::stream::{Sink, named};

/// Reads the chunks of one reply.
#[derive(Debug)]
pub(crate) struct Decoder {
    /// Who answers.
    pub(crate) issuer: Arc<Issuer>,
    stream: Stream,
    next_block: u64,
    content: Content,
    thought: Thought,
    calls: Calls,
    whole: Whole,
    is_over: bool,
}

impl Decoder {
    pub(crate) fn new(issuer: Arc<Issuer>) -> Decoder {
        Decoder {
            stream: streams::stream(&issuer.platform),
            issuer,
            next_block: 0,
            content: Content::default(),
            thought: Thought::default(),
            calls: Calls::default(),
            whole: Whole::default(),
            is_over: false,
        }
    }

    /// Reads a frame.
    pub(crate) fn frame(
        &mut self,
        frame: &Frame<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        if self.is_over {
            sink.report(FindingKind::MalformedStream, || "a frame after the end".into());
            return Ok(());
        }
        if frame.data.trim() == DONE {
            return self.finish(sink);
        }
        match sink.object(frame) {
            Some(doc) => self.chunk(&events::Chunk::new(doc.root()), sink),
            None => Ok(()),
        }
    }

    /// The stream is over. Without a finish reason and without `[DONE]` it was cut.
    pub(crate) fn end(&mut self, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        if self.is_over {
            return Ok(());
        }
        if self.whole.has_ended() {
            return self.finish(sink);
        }
        self.close(sink)?;
        self.is_over = true;
        sink.fail(Failure::of(STREAM_CUT, "the stream ended before the reply did"))
    }

    fn finish(&mut self, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        self.is_over = true;
        let has_calls = self.close(sink)?;
        let may_lack = self.stream.finish_reasons == FinishReasons::MayLack;
        if has_calls && !self.whole.has_ended() && !may_lack {
            sink.report(FindingKind::MalformedStream, || {
                "the reply has calls and ended without a finish reason".into()
            });
        }
        std::mem::take(&mut self.whole).finish(self.stream, has_calls, sink)
    }

    fn chunk(
        &mut self,
        chunk: &events::Chunk<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        if let Some(error) = chunk.error() {
            if self.whole.has_ended() {
                sink.report(FindingKind::MalformedStream, || {
                    format!("an error after the finish: {}", failure(error).message)
                });
            } else {
                self.is_over = true;
                return sink.fail(failure(error));
            }
        }
        if self.issuer.model.is_empty() {
            let model = chunk.root.get("model").and_then(Value::to_text).unwrap_or_default();
            self.issuer = named(&self.issuer, model);
        }
        if chunk.has_other_choices {
            sink.report(FindingKind::Unknown, || "more than one choice".into());
        }
        if self.whole.has_ended() && chunk.delta.is_some_and(says) {
            sink.report(FindingKind::MalformedStream, || {
                "something was said after the finish reason, and stands in the reply".into()
            });
        }
        self.whole.take(chunk, sink)?;
        match chunk.delta {
            Some(delta) => self.delta(delta, sink),
            None => Ok(()),
        }
    }

    fn delta(&mut self, delta: Value<'_, '_>, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        let next = &mut self.next_block;
        self.thought.take(delta, next, sink)?;
        if says(delta) || filled(delta, "function_call").is_some() {
            self.thought.settle(next, sink)?;
        }
        match delta.get("content") {
            Some(content) if content.kind() == Kind::String => {
                let text = content.to_text().unwrap_or_default();
                self.content.said(text, false, &self.issuer, next, sink)?;
            }
            Some(content) => {
                for part in content.items() {
                    self.content.part(part, &self.issuer, next, sink)?;
                }
            }
            None => {}
        }
        if let Some(text) = delta.get("refusal").and_then(Value::to_text) {
            self.content.said(text, true, &self.issuer, next, sink)?;
        }
        for piece in delta.get("tool_calls").into_iter().flat_map(Value::items) {
            self.call(piece, sink)?;
        }
        if let Some(function) = filled(delta, "function_call")
            && !message::is_hollow(function)
        {
            self.old_call(function, sink)?;
        }
        self.whole.beside(&message::beside(delta, &message::KNOWN), sink)
    }

    fn call(&mut self, piece: Value<'_, '_>, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        let Some(function) = message::function_of(piece) else {
            if filled(piece, "index").is_some() || filled(piece, "id").is_some() {
                return self.call_piece(piece, None, sink);
            }
            let index = new_block(&mut self.next_block);
            let kind = piece.get("type").and_then(Value::to_text).unwrap_or_default();
            let block = Block::Opaque(message::native(kind, piece, &self.issuer));
            return sink.chunk(Chunk::BlockEnd { index, end: End::Block(block) });
        };
        self.call_piece(piece, Some(function), sink)
    }

    fn call_piece(
        &mut self,
        piece: Value<'_, '_>,
        function: Option<Value<'_, '_>>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let placed = self.calls.place(piece, self.stream.calls, self.next_block);
        let held = self.calls.beside(placed.at, piece);
        sink.hold(held)?;
        let Some(call) = self.calls.get(placed.at) else { return Ok(()) };
        let index = call.block;
        if placed.is_new {
            self.next_block += 1;
            let kind = if call.is_freeform { BlockType::FreeformCall } else { BlockType::ToolCall };
            sink.chunk(Chunk::BlockStart { index, kind })?;
        }
        let id = filled(piece, "id").and_then(Value::to_text);
        let name = function.and_then(|function| function.get("name")).and_then(Value::to_text);
        let arguments = function.and_then(message::arguments_of);
        let arguments = arguments.map(|input| input.text().clone()).unwrap_or_default();
        sink.chunk(Chunk::ToolCallDelta { index, id, name, arguments })
    }

    /// The form that calls had before there could be several.
    fn old_call(
        &mut self,
        function: Value<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        self.call_piece(function, Some(function), sink)
    }

    /// Closes what is open; whether there are calls.
    fn close(&mut self, sink: &mut Sink<'_>) -> Result<bool, StreamError> {
        self.content.close(&self.issuer, sink)?;
        self.thought.close(&self.issuer, &mut self.next_block, sink)?;
        let calls = std::mem::take(&mut self.calls).into_list();
        let has_calls = !calls.is_empty();
        for call in calls {
            let signed = call.signed.as_ref().map(Raw::doc);
            let proof =
                signed.as_ref().and_then(|doc| message::call_proof(doc.root(), &self.issuer));
            let index = call.block;
            let end = End::Sealed { proof, rest: call.into_rest() };
            sink.chunk(Chunk::BlockEnd { index, end })?;
        }
        Ok(has_calls)
    }
}

/// Whether a delta adds to what is said or to the calls.
fn says(delta: Value<'_, '_>) -> bool {
    let is_said = |name: &str| {
        filled(delta, name).is_some_and(|said| match said.kind() {
            Kind::String => !said.is_str(""),
            Kind::Array | Kind::Object => said.items().next().is_some(),
            Kind::Null | Kind::Bool | Kind::Number => false,
        })
    };
    ["content", "refusal", "tool_calls"].into_iter().any(is_said)
}

/// The number of the next block.
pub(super) fn new_block(next: &mut u64) -> u64 {
    let block = *next;
    *next += 1;
    block
}
