//! A whole body into chunks.

use std::sync::Arc;

use json::{Kind, Value};
use record::Issuer;
use wire::openai_responses::events::filled;

use super::end::{UNFINISHED, Whole, failure};
use super::items::Items;
use crate::chunk::{Failure, MALFORMED_STREAM, NOT_FINISHED};
use crate::reply::StreamError;
use crate::stream::{Sink, named};

/// Reads a body; gives who answered.
pub(crate) fn read(
    root: Value<'_, '_>,
    mut issuer: Arc<Issuer>,
    sink: &mut Sink<'_>,
) -> Result<Arc<Issuer>, StreamError> {
    let output = root.get("output").filter(|output| output.kind() == Kind::Array);
    let Some(output) = output else {
        let failure = filled(root, "error").map(|_| failure(root));
        let without = || Failure::of(MALFORMED_STREAM, "the body has no output");
        sink.fail(failure.unwrap_or_else(without))?;
        return Ok(issuer);
    };
    if issuer.model.is_empty() {
        issuer = named(&issuer, root.get("model").and_then(Value::to_text).unwrap_or_default());
    }
    let status = root.get_str("status").unwrap_or_default();
    if UNFINISHED.contains(&&*status) {
        let words = format!("the response is `{status}`: it has not ended");
        sink.fail(Failure::of(NOT_FINISHED, words))?;
        return Ok(issuer);
    }
    let mut items = Items::default();
    for (item, index) in output.items().zip(0u64..) {
        items.done(Some(index), item, &issuer, sink)?;
    }
    let mut whole = Whole::default();
    whole.take(root, sink)?;
    // It came whole, where it does not say otherwise.
    whole.ended("completed");
    whole.finish(items.has_calls(), sink)?;
    Ok(issuer)
}
