//! A whole body into chunks.

use std::sync::Arc;

use json::{Kind, Value};
use record::{Block, Issuer, OpaqueBlock};

use super::block;
use super::end::{Whole, failure};
use crate::chunk::{Chunk, End, Failure, MALFORMED_STREAM};
use crate::finding::FindingKind;
use crate::reply::StreamError;
use crate::stream::{Sink, named};

/// Reads a body; gives who answered.
pub(crate) fn read(
    root: Value<'_, '_>,
    issuer: Arc<Issuer>,
    sink: &mut Sink<'_>,
) -> Result<Arc<Issuer>, StreamError> {
    if root.get("type").is_some_and(|kind| kind.is_str("error")) || root.get("error").is_some() {
        sink.fail(failure(root))?;
        return Ok(issuer);
    }
    let Some(content) = root.get("content").filter(|content| content.kind() == Kind::Array) else {
        sink.fail(Failure::of(MALFORMED_STREAM, "the body has no content"))?;
        return Ok(issuer);
    };
    let issuer = named(&issuer, root.get("model").and_then(Value::to_text).unwrap_or_default());
    for (value, index) in content.items().zip(0u64..) {
        let block = block::block(value, &issuer).unwrap_or_else(|| {
            let kind = value.get("type").and_then(Value::to_text).unwrap_or_default();
            sink.report(FindingKind::MalformedStream, || {
                format!("block {index} has another shape than its type `{kind}`")
            });
            Block::Opaque(OpaqueBlock { kind, raw: json::Raw::one_line(value), proof: None })
        });
        sink.chunk(Chunk::BlockEnd { index, end: End::Block(block) })?;
    }
    let mut whole = Whole::default();
    whole.take(root, sink)?;
    whole.finish(sink)?;
    Ok(issuer)
}
