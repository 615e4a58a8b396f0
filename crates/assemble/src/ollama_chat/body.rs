//! A whole body into chunks.

use std::sync::Arc;

use json::Value;
use record::Issuer;
use wire::ollama_chat::events;

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
    let chunk = events::Chunk::new(root);
    if chunk.message.is_none() && chunk.error().is_none() {
        sink.fail(Failure::of(MALFORMED_STREAM, "the body has no message"))?;
        return Ok(issuer);
    }
    let mut decoder = Decoder::new(issuer);
    decoder.chunk(&chunk, sink)?;
    decoder.end(sink)?;
    Ok(decoder.issuer)
}
