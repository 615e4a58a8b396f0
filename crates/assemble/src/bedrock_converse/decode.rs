//! The events of a streamed reply into chunks.
//!
//! Usage comes after the stop, so the reply ends where the stream does.

use std::collections::BTreeMap;
use std::sync::Arc;

use json::{Array, Doc, Object, Raw, Text, Value};
use record::{Block, Issuer, OpaqueBlock, ProofKind, Rest};
use wire::bedrock_converse::events::{Delta, Event, event, joined};
use wire::frames::Frame;

use super::block;
use super::end::{Whole, failure};
use crate::chunk::{BlockType, Chunk, End, Failure, STREAM_CUT};
use crate::finding::FindingKind;
use crate::growing::Growing;
use crate::reply::StreamError;
use crate::stream::Sink;

/// Reads the events of one reply.
#[derive(Debug)]
pub(crate) struct Decoder {
    /// Who answers.
    pub(crate) issuer: Arc<Issuer>,
    open: BTreeMap<u64, Open>,
    whole: Whole,
    is_over: bool,
}

/// A block that has begun and not ended: what of it is no delta of a chunk.
#[derive(Debug)]
enum Open {
    Text {
        citations: Vec<Raw>,
    },
    Thought {
        signature: Growing,
        redacted: Vec<Text>,
    },
    Call {
        rest: Rest,
    },
    /// Only the service reads it.
    Native {
        kind: Text,
        start: Raw,
        input: Growing,
        returned: Vec<Raw>,
        more: Vec<(Text, Raw)>,
    },
}

impl Decoder {
    pub(crate) fn new(issuer: Arc<Issuer>) -> Decoder {
        Decoder { issuer, open: BTreeMap::new(), whole: Whole::default(), is_over: false }
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
        let Some(doc) = sink.object(frame) else { return Ok(()) };
        if frame.is_exception {
            return self.exception(&frame.event, doc.root(), sink);
        }
        match event(&frame.event, doc.root()) {
            Event::MessageStart => Ok(()),
            Event::BlockStart { index, kind, block } => self.start(index, kind, block, sink),
            Event::BlockDelta { index, delta } => self.delta(index, delta, sink),
            Event::BlockStop { index } => self.stop(index, sink),
            Event::MessageStop(event) | Event::Metadata(event) => self.whole.take(event, sink),
            Event::Unknown(name) if name.ends_with("Exception") => {
                let error = doc.root().get(&name).unwrap_or(doc.root());
                self.exception(&name, error, sink)
            }
            Event::Unknown(name) => {
                sink.report(FindingKind::Unknown, || format!("the event `{name}`"));
                Ok(())
            }
            Event::Malformed(name) => {
                sink.report(FindingKind::MalformedStream, || {
                    format!("an event `{name}` without what it needs")
                });
                Ok(())
            }
        }
    }

    fn exception(
        &mut self,
        name: &str,
        error: Value<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let failure = failure(name, error);
        if self.whole.has_ended() {
            sink.report(FindingKind::MalformedStream, || {
                format!("an error after the stop: {}", failure.message)
            });
            return Ok(());
        }
        self.is_over = true;
        sink.fail(failure)
    }

    /// The stream is over. Without a stop reason it was cut.
    pub(crate) fn end(&mut self, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        if std::mem::replace(&mut self.is_over, true) {
            return Ok(());
        }
        if !self.whole.has_ended() {
            return sink.fail(Failure::of(STREAM_CUT, "the stream ended before the reply did"));
        }
        // What never ended is cut: it is kept, and nobody reads it.
        for (index, open) in std::mem::take(&mut self.open) {
            if let Open::Native { kind, .. } = &open {
                let (kind, raw) = (kind.clone(), open.whole());
                let block = Block::Opaque(OpaqueBlock { kind, raw, proof: None });
                sink.chunk(Chunk::BlockEnd { index, end: End::Block(block) })?;
            }
        }
        self.whole.finish(sink)
    }

    fn start(
        &mut self,
        index: u64,
        kind: Text,
        value: Value<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        if self.open.contains_key(&index) {
            sink.report(FindingKind::MalformedStream, || {
                format!("a second start of block {index}")
            });
            return Ok(());
        }
        sink.hold(value.raw().len())?;
        let begin = |kind| Chunk::BlockStart { index, kind };
        let is_call = kind.as_str() == "toolUse" && !block::is_own_tool(value);
        let open = if is_call {
            sink.chunk(begin(BlockType::ToolCall))?;
            let text = |name: &str| value.get(name).and_then(Value::to_text);
            let (id, name, arguments) = (text("toolUseId"), text("name"), Text::default());
            sink.chunk(Chunk::ToolCallDelta { index, id, name, arguments })?;
            Open::Call { rest: block::call_rest(value) }
        } else {
            sink.chunk(begin(BlockType::Other(kind.clone())))?;
            let (input, returned, more) = (Growing::default(), Vec::new(), Vec::new());
            Open::Native { kind, start: Raw::one_line(value), input, returned, more }
        };
        self.open.insert(index, open);
        Ok(())
    }

    fn delta(
        &mut self,
        index: u64,
        delta: Delta<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        if !self.open.contains_key(&index)
            && let Some((open, kind)) = opened_by(&delta)
        {
            sink.chunk(Chunk::BlockStart { index, kind })?;
            self.open.insert(index, open);
        }
        match (delta, self.open.get_mut(&index)) {
            (Delta::Text(text), _) => return sink.chunk(Chunk::TextDelta { index, text }),
            (Delta::Reasoning(text), _) => {
                return sink.chunk(Chunk::ReasoningDelta { index, text });
            }
            (Delta::Input(piece), Some(Open::Native { input, .. })) => {
                sink.hold(piece.len())?;
                input.push(&piece);
            }
            (Delta::Input(arguments), _) => {
                let (id, name) = (None, None);
                return sink.chunk(Chunk::ToolCallDelta { index, id, name, arguments });
            }
            (Delta::Citation(citation), Some(Open::Text { citations })) => {
                sink.hold(citation.raw().len())?;
                citations.push(Raw::one_line(citation));
            }
            (Delta::Signature(piece), Some(Open::Thought { signature, .. })) => {
                sink.hold(piece.len())?;
                signature.push(&piece);
            }
            (Delta::Redacted(piece), Some(Open::Thought { redacted, .. })) => {
                sink.hold(piece.len())?;
                redacted.push(piece);
            }
            (Delta::ToolResult(parts), Some(Open::Native { returned, .. })) => {
                sink.hold(parts.raw().len())?;
                returned.extend(parts.items().map(Raw::one_line));
            }
            (Delta::Members(_, members), Some(Open::Native { more, .. })) => {
                sink.hold(members.raw().len())?;
                for (name, value) in members.members() {
                    more.push((name.to_text().unwrap_or_default(), Raw::one_line(value)));
                }
            }
            (Delta::Unknown(kind), _) => {
                sink.report(FindingKind::Unknown, || format!("a delta `{kind}`"));
            }
            (
                Delta::Citation(_)
                | Delta::Signature(_)
                | Delta::Redacted(_)
                | Delta::ToolResult(_)
                | Delta::Members(..),
                _,
            ) => {
                sink.report(FindingKind::MalformedStream, || {
                    format!("a delta for block {index}, which takes none of its kind")
                });
            }
        }
        Ok(())
    }

    fn stop(&mut self, index: u64, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        let issuer = &self.issuer;
        let end = match self.open.remove(&index) {
            Some(Open::Text { citations }) => {
                let mut rest = Rest::default();
                if !citations.is_empty() {
                    rest.push(block::CITATIONS.into(), Array::of(&citations));
                }
                End::Sealed { proof: None, rest }
            }
            Some(Open::Thought { signature, redacted }) => {
                let signature = Some(signature.into_text()).filter(|text| !text.is_empty());
                let sealed = match signature {
                    Some(signature) => Some((ProofKind::Signature, signature)),
                    None if redacted.is_empty() => None,
                    None => Some((ProofKind::Redacted, joined(&redacted))),
                };
                let proof =
                    sealed.map(|(kind, text)| block::proof(kind, Raw::string(&text), issuer));
                End::Sealed { proof, rest: Rest::NONE }
            }
            Some(Open::Call { rest }) => End::Sealed { proof: None, rest },
            Some(open @ Open::Native { .. }) => {
                let raw = open.whole();
                let doc = raw.doc();
                let read = block::block(doc.root(), issuer);
                End::Block(read.unwrap_or_else(|| {
                    Block::Opaque(OpaqueBlock {
                        kind: Text::default(),
                        raw: raw.clone(),
                        proof: None,
                    })
                }))
            }
            // Some models end a block in which there was nothing.
            None => return Ok(()),
        };
        sink.chunk(Chunk::BlockEnd { index, end })
    }
}

/// The block that a delta opens where none has begun: only calls and what the service reads begin
/// by themselves.
fn opened_by(delta: &Delta<'_, '_>) -> Option<(Open, BlockType)> {
    match delta {
        Delta::Text(_) | Delta::Citation(_) => {
            Some((Open::Text { citations: Vec::new() }, BlockType::Text))
        }
        Delta::Reasoning(_) | Delta::Signature(_) | Delta::Redacted(_) => {
            let (signature, redacted) = (Growing::default(), Vec::new());
            Some((Open::Thought { signature, redacted }, BlockType::Reasoning))
        }
        Delta::Input(_) => Some((Open::Call { rest: Rest::NONE }, BlockType::ToolCall)),
        Delta::ToolResult(_) | Delta::Members(..) | Delta::Unknown(_) => None,
    }
}

impl Open {
    /// A block that only the service reads, as a body would hold it.
    fn whole(self) -> Raw {
        let Open::Native { kind, start, input, returned, more } = self else {
            return Object::new().finish();
        };
        let mut object = Object::new();
        for (name, value) in start.doc().root().members() {
            object.raw(&name.as_str().unwrap_or_default(), &Raw::one_line(value));
        }
        for (name, value) in &more {
            object.raw(name, value);
        }
        let input = input.into_text();
        match Doc::parse_str(&input) {
            Ok(doc) => {
                object.raw("input", &Raw::compact(doc.root()));
            }
            Err(_) if input.is_empty() => {}
            Err(_) => {
                object.text("partial_json", &input);
            }
        }
        if !returned.is_empty() {
            object.raw("content", &Array::of(&returned));
        }
        block::of_kind(&kind, &object.finish())
    }
}
