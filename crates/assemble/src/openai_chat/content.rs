//! The content of a reply and its refusal: one text, or parts one after the other.

use std::sync::Arc;

use json::{Raw, Text, Value};
use record::jsonl::rest_of;
use record::{Block, Issuer, OpaqueBlock, ProofKind};

use super::decode::new_block;
use super::message;
use crate::chunk::{BlockType, Chunk, End};
use crate::growing::Growing;
use crate::named::Named;
use crate::reply::StreamError;
use crate::stream::Sink;

/// What is being written.
#[derive(Debug, Default)]
pub(super) struct Content {
    text: Option<OpenText>,
    /// A thought as a part of the content.
    part: Option<OpenPart>,
}

#[derive(Debug)]
struct OpenText {
    block: u64,
    is_refusal: bool,
    rest: Named<Raw>,
}

#[derive(Debug)]
struct OpenPart {
    block: u64,
    signature: Growing,
    is_signed: bool,
    rest: Named<Raw>,
}

impl Content {
    /// Takes a piece of the content, or of a refusal. One without text begins nothing.
    pub(super) fn said(
        &mut self,
        text: Text,
        is_refusal: bool,
        issuer: &Arc<Issuer>,
        next: &mut u64,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        if text.is_empty() {
            return Ok(());
        }
        let index = self.text_block(is_refusal, issuer, next, sink)?;
        sink.chunk(Chunk::TextDelta { index, text })
    }

    /// The block that text goes to.
    fn text_block(
        &mut self,
        is_refusal: bool,
        issuer: &Arc<Issuer>,
        next: &mut u64,
        sink: &mut Sink<'_>,
    ) -> Result<u64, StreamError> {
        self.close_part(issuer, sink)?;
        if let Some(open) = &self.text
            && open.is_refusal == is_refusal
        {
            return Ok(open.block);
        }
        self.close_text(sink)?;
        let block = new_block(next);
        self.text = Some(OpenText { block, is_refusal, rest: Named::default() });
        sink.chunk(Chunk::BlockStart { index: block, kind: BlockType::Text })?;
        Ok(block)
    }

    fn close_text(&mut self, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        let Some(open) = self.text.take() else { return Ok(()) };
        let mut rest = open.rest.into_rest();
        if open.is_refusal {
            rest.push(message::PART.into(), Raw::string(&"refusal".into()));
        }
        let end = End::Sealed { proof: None, rest };
        sink.chunk(Chunk::BlockEnd { index: open.block, end })
    }

    /// Takes a part of a content that is a list (Mistral).
    pub(super) fn part(
        &mut self,
        part: Value<'_, '_>,
        issuer: &Arc<Issuer>,
        next: &mut u64,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        let text = |name: &str| part.get(name).and_then(Value::to_text);
        let (said, is_refusal) = match kind.as_str() {
            "text" => (text("text"), false),
            "refusal" => (text("refusal"), true),
            "thinking" => return self.thinking(part, next, sink),
            _ => (None, false),
        };
        let Some(text) = said else {
            self.close_part(issuer, sink)?;
            self.close_text(sink)?;
            let index = new_block(next);
            let block = Block::Opaque(match kind.as_str() {
                "text" | "refusal" => OpaqueBlock { kind, raw: Raw::one_line(part), proof: None },
                _ => message::native(kind, part, issuer),
            });
            return sink.chunk(Chunk::BlockEnd { index, end: End::Block(block) });
        };
        let index = self.text_block(is_refusal, issuer, next, sink)?;
        if let Some(open) = &mut self.text {
            for (name, value) in rest_of(part, &["text", "refusal", "cache_control"]).iter() {
                sink.hold(name.len() + value.as_str().len())?;
                open.rest.set(name, value.clone());
            }
        }
        sink.chunk(Chunk::TextDelta { index, text })
    }

    fn thinking(
        &mut self,
        part: Value<'_, '_>,
        next: &mut u64,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        self.close_text(sink)?;
        if self.part.is_none() {
            let block = new_block(next);
            let (signature, rest) = (Growing::default(), Named::default());
            self.part = Some(OpenPart { block, signature, is_signed: false, rest });
            sink.chunk(Chunk::BlockStart { index: block, kind: BlockType::Reasoning })?;
        }
        let Some(open) = &mut self.part else { return Ok(()) };
        if let Some(sealed) = message::signature_of(part).and_then(Value::to_text) {
            sink.hold(sealed.len())?;
            open.signature.push(&sealed);
            open.is_signed = true;
        }
        for (name, value) in message::thinking_rest(part).iter() {
            sink.hold(name.len() + value.as_str().len())?;
            open.rest.set(name, value.clone());
        }
        let (index, text) = (open.block, message::thinking_text(part));
        sink.chunk(Chunk::ReasoningDelta { index, text })
    }

    fn close_part(&mut self, issuer: &Arc<Issuer>, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        let Some(open) = self.part.take() else { return Ok(()) };
        let signature = open.is_signed.then(|| Raw::string(&open.signature.into_text()));
        let proof =
            signature.map(|sealed| message::sealed_by(issuer, ProofKind::Signature, sealed));
        let rest = message::in_a_part(open.rest.into_rest());
        let end = End::Sealed { proof, rest };
        sink.chunk(Chunk::BlockEnd { index: open.block, end })
    }

    /// Closes what is open.
    pub(super) fn close(
        &mut self,
        issuer: &Arc<Issuer>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        self.close_part(issuer, sink)?;
        self.close_text(sink)
    }
}
