//! Messages in the shapes of the APIs: read by the readers of those APIs, written by their writers.
#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use assemble::openai_chat::message::PART;
use json::{Array, Object, Raw, Value};
use record::{Block, Issuer, Message, Proof, ProofKind, Rest, ResultPart, Role};

use super::message::is_long;
use super::rows::{Piece, Row};
use super::session::Session;
use crate::anthropic::block::BlockReader;
use crate::anthropic::write::{input_of, message_of};
use crate::chain::Line;
use crate::error::ExportError;
use crate::gemini_cli::{By, PartReader};
use crate::openai_chat::{self, MessageReader, messages_of};
use crate::report::Place;

/// Members of a block that an API gave it.
const OF_AN_API: [&str; 3] = ["citations", "caller", PART];

impl Session {
    /// Content as the Anthropic API writes it.
    pub(super) fn anthropic(
        &mut self,
        content: Value<'_, '_>,
        issuer: &Arc<Issuer>,
        place: Place,
    ) -> Option<Vec<Block>> {
        if is_long(content) {
            return None;
        }
        let (issuer, names) = (Arc::clone(issuer), &mut self.names);
        let report = &mut self.chain.report;
        let blocks = BlockReader { issuer, names, report, place }.content(content)?;
        Some(blocks.into_iter().map(bare).collect())
    }

    /// One block as the Anthropic API writes it.
    pub(super) fn anthropic_block(
        &mut self,
        block: Value<'_, '_>,
        issuer: &Arc<Issuer>,
        place: Place,
    ) -> Option<Block> {
        let (issuer, names) = (Arc::clone(issuer), &mut self.names);
        let report = &mut self.chain.report;
        Some(bare(BlockReader { issuer, names, report, place }.block(block)))
    }

    /// The content of a result as the Anthropic API writes it; nothing where there is none.
    pub(super) fn anthropic_result(
        &mut self,
        content: Option<Value<'_, '_>>,
        place: Place,
    ) -> Option<Vec<ResultPart>> {
        let issuer = self.issuer(crate::anthropic::block::API);
        let (names, report) = (&mut self.names, &mut self.chain.report);
        let mut reader = BlockReader { issuer, names, report, place };
        content.map_or(Some(Vec::new()), |content| reader.result_content(content))
    }

    /// Content as the Gemini API writes it.
    pub(super) fn parts(
        &mut self,
        content: Value<'_, '_>,
        by: By,
        issuer: &Arc<Issuer>,
        place: Place,
    ) -> Option<Vec<Block>> {
        if is_long(content) {
            return None;
        }
        let issuer = Arc::clone(issuer);
        PartReader { by, issuer, report: &mut self.chain.report, place }.content(content)
    }

    /// A message of Chat Completions. The instructions before the conversation are its head.
    pub(super) fn chat(&mut self, value: Value<'_, '_>, line: Line) -> usize {
        match self.chat_message(value, line.place) {
            Some(message) => self.chat_row(message, line),
            None => self.unread("message", line),
        }
    }

    /// The same, to be completed before it is a row.
    pub(super) fn chat_message(&mut self, value: Value<'_, '_>, place: Place) -> Option<Message> {
        let mut issuer = self.issuer(openai_chat::API);
        if issuer.platform.is_empty()
            && let Some(platform) = openai_chat::platform_of(&issuer.model)
        {
            Arc::make_mut(&mut issuer).platform = platform.into();
        }
        let (names, report) = (&mut self.names, &mut self.chain.report);
        let mut message = MessageReader { issuer, names, report, place }.message(value)?;
        message.rest = Rest::default();
        message.blocks = message.blocks.into_iter().map(bare).collect();
        Some(message)
    }

    /// Content of Chat Completions alone.
    pub(super) fn chat_content(
        &mut self,
        content: Value<'_, '_>,
        place: Place,
    ) -> Option<Vec<Block>> {
        let issuer = self.issuer(openai_chat::API);
        let (names, report) = (&mut self.names, &mut self.chain.report);
        MessageReader { issuer, names, report, place }.content(Some(content))
    }

    pub(super) fn chat_row(&mut self, message: Message, line: Line) -> usize {
        let words = |block: &Block| block.as_text().map(|text| text.text.clone());
        let texts: Option<Vec<_>> = message.blocks.iter().map(words).collect();
        match texts.filter(|_| message.role == Role::System && !self.has_spoken()) {
            Some(texts) => self.head_of(texts, Vec::new(), line),
            None => self.row(message, line),
        }
    }
}

/// A block without what its harness wrote beside it: that is in the file, and no API takes it.
fn bare(mut block: Block) -> Block {
    let rest = match &mut block {
        Block::Text(text) => &mut text.rest,
        Block::ToolUse(call) => &mut call.rest,
        Block::ToolResult(result) => &mut result.rest,
        Block::Image(image) => &mut image.rest,
        Block::Reasoning(_) | Block::SystemChange(_) | Block::Opaque(_) => return block,
    };
    let kept = rest.iter().filter(|(name, _)| OF_AN_API.contains(&name.as_str()));
    let mut own = Rest::default();
    kept.for_each(|(name, value)| own.push(name.clone(), value.clone()));
    *rest = own;
    block
}

/// A row as the Anthropic API writes it; `None` where it holds nothing that API would take.
pub(super) fn anthropic_message(row: &Row<'_>) -> Result<Option<Raw>, ExportError> {
    message_of(row.entry, &row.message, &[])
}

/// Its content alone.
pub(super) fn anthropic_content(row: &Row<'_>) -> Result<Option<Raw>, ExportError> {
    let message = anthropic_message(row)?;
    Ok(message.and_then(|message| message.doc().root().get("content").map(Raw::of)))
}

/// A row as messages of Chat Completions: one, and one for each result.
pub(super) fn chat_messages(row: &Row<'_>) -> Result<Vec<Raw>, ExportError> {
    messages_of(row.entry, &row.message)
}

/// The content of a row as the Gemini API writes it.
pub(super) fn gemini_parts(row: &Row<'_>) -> Result<Raw, ExportError> {
    let mut parts = Array::new();
    for piece in row.pieces()? {
        let mut part = Object::new();
        match piece {
            Piece::Text(text) => sign(part.text("text", &text.text), text.proof.as_deref()),
            Piece::Thought(thought) => {
                part.text("text", &thought.reasoning).bool("thought", true);
                sign(&mut part, thought.proof.as_deref());
            }
            Piece::Call(call) => {
                let mut function = Object::new();
                function.text("id", &call.id).text("name", &call.name);
                function.raw("args", &input_of(&call.input));
                part.raw("functionCall", &function.finish());
                sign(&mut part, call.proof.as_deref());
            }
            Piece::Image(image) => {
                part.raw("inlineData", &inline(image.media_type(), row.bytes_of(image)?));
            }
            Piece::Result(result) => {
                let mut response = Object::new();
                let name = if result.is_error { "error" } else { "output" };
                response.string(name, &result.output());
                let response =
                    result.rest.get("functionResponse").cloned().unwrap_or(response.finish());
                let mut answer = Object::new();
                answer.text("id", &result.tool_use_id).text("name", &result.tool_name);
                answer.raw("response", &response);
                let images = result.content.iter().filter_map(|part| match part {
                    ResultPart::Image(image) => Some(image),
                    ResultPart::Text(_) | ResultPart::Opaque(_) => None,
                });
                let mut shown = Array::new();
                for image in images.clone() {
                    let mut part = Object::new();
                    part.raw("inlineData", &inline(image.media_type(), row.bytes_of(image)?));
                    shown.raw(&part.finish());
                }
                if images.count() > 0 {
                    answer.raw("parts", &shown.finish());
                }
                part.raw("functionResponse", &answer.finish());
            }
            Piece::Opaque(raw) => {
                parts.raw(raw);
                continue;
            }
        }
        parts.raw(&part.finish());
    }
    Ok(parts.finish())
}

fn inline(media_type: &json::Text, data: &json::Text) -> Raw {
    let mut object = Object::new();
    object.text("mimeType", media_type).text("data", data);
    object.finish()
}

fn sign(part: &mut Object, proof: Option<&Proof>) {
    let proof = proof.filter(|proof| {
        proof.kind == ProofKind::Signature && proof.issuer.api.as_str() == crate::gemini_cli::API
    });
    part.optional_raw("thoughtSignature", proof.map(|proof| &proof.sealed));
}
