//! A whole body into chunks.

use std::sync::Arc;

use json::{Kind, Raw, Value};
use record::{Block, Issuer, OpaqueBlock};
use wire::bedrock_converse::events::only;

use super::block;
use super::end::{Whole, failure};
use crate::chunk::{Chunk, End, Failure, MALFORMED_STREAM};
use crate::finding::FindingKind;
use crate::reply::StreamError;
use crate::stream::Sink;

/// Reads a body; gives who answered.
pub(crate) fn read(
    root: Value<'_, '_>,
    issuer: Arc<Issuer>,
    sink: &mut Sink<'_>,
) -> Result<Arc<Issuer>, StreamError> {
    let message = root.get("output").and_then(|output| output.get("message"));
    let content = message.and_then(|message| message.get("content"));
    let Some(content) = content.filter(|content| content.kind() == Kind::Array) else {
        let is_error = root.get("message").is_some_and(|message| message.kind() == Kind::String);
        let without = Failure::of(MALFORMED_STREAM, "the body has no message");
        sink.fail(if is_error { failure("error", root) } else { without })?;
        return Ok(issuer);
    };
    for (value, index) in content.items().zip(0u64..) {
        let block = block::block(value, &issuer).unwrap_or_else(|| {
            let kind = only(value).map(|(kind, _)| kind).unwrap_or_default();
            sink.report(FindingKind::MalformedStream, || {
                format!("block {index} has another shape than its name `{kind}`")
            });
            Block::Opaque(OpaqueBlock { kind, raw: Raw::one_line(value), proof: None })
        });
        sink.chunk(Chunk::BlockEnd { index, end: End::Block(block) })?;
    }
    let mut whole = Whole::default();
    whole.take(root, sink)?;
    whole.finish(sink)?;
    Ok(issuer)
}
