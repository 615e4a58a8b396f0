//! A whole body into chunks.

use std::sync::Arc;

use json::{Kind, Raw, Value};
use record::{Block, Issuer, OpaqueBlock};
use wire::openai_chat::events::{self, filled};
use wire::openai_chat::streams;

use super::end::{Whole, failure};
use super::message;
use crate::chunk::{BlockType, Chunk, End, Failure, MALFORMED_STREAM};
use crate::finding::FindingKind;
use crate::reply::StreamError;
use crate::stream::{Sink, named};

/// Reads a body; gives who answered.
pub(crate) fn read(
    root: Value<'_, '_>,
    mut issuer: Arc<Issuer>,
    sink: &mut Sink<'_>,
) -> Result<Arc<Issuer>, StreamError> {
    let chunk = events::Chunk::new(root);
    let message = chunk.choice.and_then(|choice| filled(choice, "message"));
    let Some(message) = message else {
        // A filter may leave nothing of a message but why there is none.
        if chunk.finish_reason().is_some() {
            let mut whole = Whole::default();
            whole.take(&chunk, sink)?;
            let issuer =
                named(&issuer, root.get("model").and_then(Value::to_text).unwrap_or_default());
            whole.finish(streams::stream(&issuer.platform), false, sink)?;
            return Ok(issuer);
        }
        let words = "the body has no choice with a message";
        let failure = chunk.error().or_else(|| filled(root, "message").map(|_| root)).map(failure);
        sink.fail(failure.unwrap_or_else(|| Failure::of(MALFORMED_STREAM, words)))?;
        return Ok(issuer);
    };
    if issuer.model.is_empty() {
        issuer = named(&issuer, root.get("model").and_then(Value::to_text).unwrap_or_default());
    }
    if chunk.has_other_choices {
        sink.report(FindingKind::Unknown, || "more than one choice".into());
    }
    let calls = message::calls(message, &issuer);
    let has_calls = !calls.is_empty();
    let blocks = message::thoughts(message, &issuer)
        .into_iter()
        .chain(content(message, &issuer))
        .chain(calls);
    for (block, index) in blocks.zip(0u64..) {
        let freeform = |call: &record::ToolUse| call.rest.get(message::FREEFORM).is_some();
        if block.as_tool_use().is_some_and(freeform) {
            sink.chunk(Chunk::BlockStart { index, kind: BlockType::FreeformCall })?;
        }
        sink.chunk(Chunk::BlockEnd { index, end: End::Block(block) })?;
    }
    let mut whole = Whole::default();
    whole.take(&chunk, sink)?;
    whole.beside(&message::beside(message, &message::KNOWN), sink)?;
    whole.finish(streams::stream(&issuer.platform), has_calls, sink)?;
    Ok(issuer)
}

fn content(message: Value<'_, '_>, issuer: &Arc<Issuer>) -> Vec<Block> {
    let mut blocks = Vec::new();
    match message.get("content") {
        Some(content) if content.kind() == Kind::String => {
            let text = content.to_text().unwrap_or_default();
            blocks.extend((!text.is_empty()).then(|| Block::text(text)));
        }
        Some(content) => blocks.extend(content.items().map(|part| self::part(part, issuer))),
        None => {}
    }
    let refusal = message.get("refusal").and_then(Value::to_text);
    let refusal = refusal.filter(|refusal| !refusal.is_empty());
    blocks.extend(refusal.map(|text| message::refusal(text, record::Rest::NONE)));
    blocks
}

fn part(part: Value<'_, '_>, issuer: &Arc<Issuer>) -> Block {
    let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
    match kind.as_str() {
        "text" | "refusal" | "thinking" => message::part(part, issuer).unwrap_or_else(|| {
            Block::Opaque(OpaqueBlock { kind, raw: Raw::one_line(part), proof: None })
        }),
        _ => Block::Opaque(message::native(kind, part, issuer)),
    }
}
