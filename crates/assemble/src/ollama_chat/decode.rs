//! The chunks of a streamed reply into ours.

use std::sync::Arc;

use json::{Text, Value};
use record::{Issuer, Rest};
use wire::frames::Frame;
use wire::ollama_chat::events;

use super::THINKING;
use super::end::Whole;
use crate::chunk::{BlockType, Chunk, End, Failure, STREAM_CUT};
use crate::finding::FindingKind;
use crate::openai_chat::message::{self, came_under};
use crate::reply::StreamError;
use crate::stream::{Sink, failure_of, named};

/// Members of a message that blocks are read from.
const KNOWN: [&str; 4] = ["role", "content", THINKING, "tool_calls"];

/// Reads the chunks of one reply.
#[derive(Debug)]
pub(crate) struct Decoder {
    /// Who answers.
    pub(crate) issuer: Arc<Issuer>,
    next_block: u64,
    /// The text that is being said or thought: its block, and whether it is thought.
    open: Option<(u64, bool)>,
    whole: Whole,
    is_over: bool,
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
            return sink.fail(failure_of(error, &["code", "type"]));
        }
        if self.issuer.model.is_empty() {
            let model = chunk.root.get("model").and_then(Value::to_text).unwrap_or_default();
            self.issuer = named(&self.issuer, model);
        }
        self.whole.take(chunk.root, sink)?;
        if let Some(message) = chunk.message {
            let text = |name: &str| message.get(name).and_then(Value::to_text).unwrap_or_default();
            self.piece(true, text(THINKING), sink)?;
            self.piece(false, text("content"), sink)?;
            for call in message::calls(message, &self.issuer) {
                self.close(sink)?;
                self.whole.has_calls = true;
                let index = self.new_block();
                sink.chunk(Chunk::BlockEnd { index, end: End::Block(call) })?;
            }
            self.whole.beside(&message::beside(message, &KNOWN), sink)?;
        }
        if chunk.is_done {
            self.is_over = true;
            self.close(sink)?;
            return std::mem::take(&mut self.whole).finish(chunk.done_reason(), sink);
        }
        Ok(())
    }

    /// Something is said or thought.
    fn piece(
        &mut self,
        is_thought: bool,
        text: Text,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        if text.is_empty() {
            return Ok(());
        }
        let index = match self.open {
            Some((block, is_of)) if is_of == is_thought => block,
            Some(_) | None => {
                self.close(sink)?;
                let block = self.new_block();
                self.open = Some((block, is_thought));
                let kind = if is_thought { BlockType::Reasoning } else { BlockType::Text };
                sink.chunk(Chunk::BlockStart { index: block, kind })?;
                block
            }
        };
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
        let Some((index, is_thought)) = self.open.take() else { return Ok(()) };
        let rest = if is_thought { came_under(THINKING) } else { Rest::NONE };
        sink.chunk(Chunk::BlockEnd { index, end: End::Sealed { proof: None, rest } })
    }

    /// The stream is over. Without its last chunk it was cut.
    pub(crate) fn end(&mut self, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        if std::mem::replace(&mut self.is_over, true) {
            return Ok(());
        }
        self.close(sink)?;
        sink.fail(Failure::of(STREAM_CUT, "the stream ended before the reply did"))
    }
}
