//! The events of a streamed reply into chunks.

use std::collections::BTreeMap;
use std::sync::Arc;

use json::{Array, Doc, Kind, Object, Raw, Text, Value};
use record::{Block, Issuer, OpaqueBlock, ProofKind, Rest};
use wire::anthropic_messages::events::{Delta, Event, event};
use wire::frames::Frame;

use super::block::{self, proof};
use super::end::{Whole, failure};
use crate::chunk::{BlockType, Chunk, End, Failure, STREAM_CUT};
use crate::finding::FindingKind;
use crate::growing::Growing;
use crate::reply::StreamError;
use crate::stream::{Sink, named};

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
        rest: Rest,
        citations: Vec<Raw>,
    },
    Thinking {
        rest: Rest,
        signature: Growing,
    },
    Call {
        rest: Rest,
        input: Raw,
        has_deltas: bool,
    },
    /// Only its provider reads it.
    Native {
        kind: Text,
        start: Raw,
        input: Growing,
        more: BTreeMap<Text, Raw>,
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
        let Some(doc) = sink.object(frame) else { return Ok(()) };
        match event(doc.root()) {
            Event::MessageStart(message) => {
                let model = message.get("model").and_then(Value::to_text).unwrap_or_default();
                self.issuer = named(&self.issuer, model);
                self.whole.take(message, sink)
            }
            Event::BlockStart { index, block } => self.start(index, block, sink),
            Event::BlockDelta { index, delta } => self.delta(index, delta, sink),
            Event::BlockStop { index } => self.stop(index, sink),
            Event::MessageDelta(event) => {
                if let Some(delta) = event.get("delta") {
                    self.whole.take(delta, sink)?;
                }
                if let Some(usage) = event.get("usage") {
                    self.whole.usage(usage, sink)?;
                }
                self.whole.beside(event, sink)
            }
            Event::MessageStop(event) => {
                self.is_over = true;
                self.whole.beside(event, sink)?;
                self.whole.finish(sink)
            }
            Event::Error(root) => {
                self.is_over = true;
                sink.fail(failure(root))
            }
            Event::Ping => Ok(()),
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

    /// The stream is over. Without a stop reason it was cut; a `message_stop` that is missing after
    /// one says nothing more.
    pub(crate) fn end(&mut self, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        if std::mem::replace(&mut self.is_over, true) {
            return Ok(());
        }
        if self.whole.has_ended() {
            sink.report(FindingKind::MalformedStream, || "no message_stop".into());
            return self.whole.finish(sink);
        }
        sink.fail(Failure::of(STREAM_CUT, "the stream ended before the reply did"))
    }

    fn start(
        &mut self,
        index: u64,
        block: Value<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        if self.open.contains_key(&index) {
            sink.report(FindingKind::MalformedStream, || {
                format!("a second start of block {index}")
            });
            return Ok(());
        }
        let kind = block.get("type").and_then(Value::to_text).unwrap_or_default();
        let text = |name: &str| block.get(name).and_then(Value::to_text);
        let begin = |kind| Chunk::BlockStart { index, kind };
        sink.hold(block.raw().len())?;
        let open = match kind.as_str() {
            "text" => {
                sink.chunk(begin(BlockType::Text))?;
                if let Some(text) = text("text").filter(|text| !text.is_empty()) {
                    sink.chunk(Chunk::TextDelta { index, text })?;
                }
                Open::Text { rest: block::text_rest(block), citations: Vec::new() }
            }
            "thinking" => {
                sink.chunk(begin(BlockType::Reasoning))?;
                if let Some(text) = text("thinking").filter(|text| !text.is_empty()) {
                    sink.chunk(Chunk::ReasoningDelta { index, text })?;
                }
                let mut signature = Growing::default();
                signature.push(&text("signature").unwrap_or_default());
                Open::Thinking { rest: block::thinking_rest(block), signature }
            }
            "tool_use" => {
                sink.chunk(begin(BlockType::ToolCall))?;
                let arguments = Text::default();
                let (id, name) = (text("id"), text("name"));
                sink.chunk(Chunk::ToolCallDelta { index, id, name, arguments })?;
                let input = block.get("input").map_or_else(|| Object::new().finish(), Raw::compact);
                Open::Call { rest: block::call_rest(block), input, has_deltas: false }
            }
            _ => {
                sink.chunk(begin(BlockType::Other(kind.clone())))?;
                let (start, input) = (Raw::one_line(block), Growing::default());
                Open::Native { kind, start, input, more: BTreeMap::new() }
            }
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
        match (delta, self.open.get_mut(&index)) {
            // Deltas of a block that never began open it (what they say of it counts).
            (Delta::Text(text), _) => sink.chunk(Chunk::TextDelta { index, text }),
            (Delta::Thinking(text), _) => sink.chunk(Chunk::ReasoningDelta { index, text }),
            (Delta::InputJson(piece), Some(Open::Native { input, .. })) => {
                sink.hold(piece.len())?;
                input.push(&piece);
                Ok(())
            }
            (Delta::InputJson(arguments), open) => {
                if let Some(Open::Call { has_deltas, .. }) = open {
                    *has_deltas |= !arguments.is_empty();
                }
                let (id, name) = (None, None);
                sink.chunk(Chunk::ToolCallDelta { index, id, name, arguments })
            }
            (Delta::Signature(piece), Some(Open::Thinking { signature, .. })) => {
                sink.hold(piece.len())?;
                signature.push(&piece);
                Ok(())
            }
            (Delta::Citation(citation), Some(Open::Text { citations, .. })) => {
                sink.hold(citation.raw().len())?;
                citations.push(Raw::one_line(citation));
                Ok(())
            }
            (Delta::Compaction(delta), Some(Open::Native { more, .. })) => {
                sink.hold(delta.raw().len())?;
                for (name, value) in delta.members() {
                    let name = name.to_text().unwrap_or_default();
                    if name.as_str() != "type" && !value.is_null() {
                        more.insert(name, Raw::one_line(value));
                    }
                }
                Ok(())
            }
            (Delta::Unknown(kind), _) => {
                sink.report(FindingKind::Unknown, || format!("a delta `{kind}`"));
                Ok(())
            }
            (Delta::Signature(_) | Delta::Citation(_) | Delta::Compaction(_), _) => {
                sink.report(FindingKind::MalformedStream, || {
                    format!("a delta for block {index}, which takes none of its kind")
                });
                Ok(())
            }
        }
    }

    fn stop(&mut self, index: u64, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        let issuer = &self.issuer;
        let end = match self.open.remove(&index) {
            Some(Open::Text { rest, citations }) => {
                End::Sealed { proof: None, rest: with_citations(rest, citations) }
            }
            Some(Open::Thinking { rest, signature }) => {
                let signature = Some(signature.into_text()).filter(|text| !text.is_empty());
                let sealed = signature.map(|signature| Raw::string(&signature));
                let proof = sealed.map(|sealed| proof(ProofKind::Signature, sealed, issuer));
                End::Sealed { proof, rest }
            }
            Some(Open::Call { rest, input, has_deltas }) => {
                // No arguments are an empty object on this wire.
                if !has_deltas {
                    let arguments = input.as_str().into();
                    let (id, name) = (None, None);
                    sink.chunk(Chunk::ToolCallDelta { index, id, name, arguments })?;
                }
                End::Sealed { proof: None, rest }
            }
            Some(Open::Native { kind, start, input, more }) => {
                End::Block(native(kind, &start, input, more, issuer))
            }
            // The block was opened by its deltas, or never.
            None => End::Sealed { proof: None, rest: Rest::NONE },
        };
        sink.chunk(Chunk::BlockEnd { index, end })
    }
}

/// Citations that came as deltas stand after those the text began with.
fn with_citations(mut rest: Rest, citations: Vec<Raw>) -> Rest {
    if citations.is_empty() {
        return rest;
    }
    let mut all = Array::new();
    let first = rest.get("citations").cloned();
    for citation in first.iter().map(Raw::doc) {
        for citation in citation.root().items() {
            all.raw(&Raw::of(citation));
        }
    }
    for citation in &citations {
        all.raw(citation);
    }
    rest.remove("citations");
    rest.push("citations".into(), all.finish());
    rest
}

/// A block that only its provider reads, as a body would hold it. Arguments that are cut are kept
/// beside it, and then nobody reads it.
fn native(
    kind: Text,
    start: &Raw,
    input: Growing,
    more: BTreeMap<Text, Raw>,
    issuer: &Arc<Issuer>,
) -> Block {
    let doc = start.doc();
    let input = input.into_text();
    let parsed = Doc::parse_str(&input).ok();
    let parsed = parsed.as_ref().map(Doc::root).filter(|root| root.kind() == Kind::Object);
    let replaces =
        |name: &Text| (name.as_str() == "input" && parsed.is_some()) || more.contains_key(name);
    if input.is_empty() && more.is_empty() {
        return block::block(doc.root(), issuer).unwrap_or_else(|| unread(kind, start.clone()));
    }
    let mut object = Object::new();
    for (name, value) in doc.root().members() {
        let name = name.to_text().unwrap_or_default();
        if !replaces(&name) {
            object.raw(&name, &Raw::of(value));
        }
    }
    if let Some(input) = parsed {
        object.raw("input", &Raw::compact(input));
    }
    for (name, value) in &more {
        object.raw(name, value);
    }
    if parsed.is_none() && !input.is_empty() {
        object.text("partial_json", &input);
        return unread(kind, object.finish());
    }
    let whole = object.finish();
    let read = block::block(whole.doc().root(), issuer);
    read.unwrap_or_else(|| unread(kind, whole))
}

fn unread(kind: Text, raw: Raw) -> Block {
    Block::Opaque(OpaqueBlock { kind, raw, proof: None })
}
