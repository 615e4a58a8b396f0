//! A whole body into chunks: one chunk, or a list of them.

use std::sync::Arc;

use json::{Kind, Value};
use record::Issuer;
use wire::gemini::events;

use super::decode::Decoder;
use crate::chunk::{Failure, MALFORMED_STREAM};
use crate::reply::StreamError;
use crate::stream::Sink;

/// Reads a body; gives who answered.
pub(crate) fn read(
    root: Value<'_, '_>,
    issuer: Arc<Issuer>,
    sink: &mut Sink<'_>,
) -> Result<Arc<Issuer>, StreamError> {
    let one = (root.kind() == Kind::Object).then_some(root);
    let is_chunk = |chunk: &events::Chunk<'_, '_>| {
        chunk.candidate.is_some() || chunk.error().is_some() || chunk.block_reason().is_some()
    };
    let chunks = || one.into_iter().chain(root.items()).map(events::Chunk::new);
    if !chunks().any(|chunk| is_chunk(&chunk)) {
        sink.fail(Failure::of(MALFORMED_STREAM, "the body has no candidate"))?;
        return Ok(issuer);
    }
    let mut decoder = Decoder::new(issuer);
    for chunk in chunks() {
        decoder.chunk(&chunk, sink)?;
    }
    decoder.end(sink)?;
    Ok(decoder.issuer)
}
