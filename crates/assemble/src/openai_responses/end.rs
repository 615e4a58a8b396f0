//! How a reply ended, what it cost, and what is kept of the response beside its items.

use json::{Kind, Raw, Text, Value};
use record::Usage;
use wire::ending::Ending;
use wire::openai_responses::events::{self, ECHOED, filled};

use super::API;
use crate::chunk::{Chunk, Failure, Finish, FinishReason};
use crate::finding::FindingKind;
use crate::reply::StreamError;
use crate::response::Members;
use crate::stream::{Sink, failure_of};

/// Members of a response that its row has fields for.
const KNOWN: [&str; 5] = ["output", "output_text", "status", "usage", "error"];

/// Statuses of a response that is still made.
pub(super) const UNFINISHED: [&str; 2] = ["queued", "in_progress"];

/// What the events say of the reply as a whole.
#[derive(Debug, Default)]
pub(super) struct Whole {
    members: Members,
    usage: Option<Raw>,
    /// The status, or why the reply is incomplete.
    word: Option<Text>,
    failure: Option<Failure>,
}

impl Whole {
    /// Takes a response as far as it is known.
    pub(super) fn take(
        &mut self,
        response: Value<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        // Its own name says nothing; another does (a compaction).
        let is_response = response.get("object").is_some_and(|name| name.is_str("response"));
        let object = is_response.then_some("object");
        let mut held = self.members.take(response, &[&KNOWN, &ECHOED, object.as_slice()]);
        if let Some(usage) = response.get("usage").filter(|usage| usage.kind() == Kind::Object) {
            held += usage.raw().len();
            self.usage = Some(Raw::one_line(usage));
        }
        let reason = filled(response, "incomplete_details")
            .and_then(|details| details.get("reason"))
            .and_then(Value::to_text);
        let status = response.get("status").and_then(Value::to_text);
        let status = status.filter(|status| !UNFINISHED.contains(&&**status));
        self.word = reason.or(status).or(self.word.take());
        self.failure = filled(response, "error").map(|_| failure(response));
        sink.hold(held)
    }

    /// The stream says that it ended so; what the response says of it counts before that.
    pub(super) fn ended(&mut self, status: &str) {
        self.word.get_or_insert_with(|| status.into());
    }

    /// Ends the reply.
    pub(super) fn finish(
        &mut self,
        has_calls: bool,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let native = self.word.take();
        let ending = native.as_deref().map(|word| (word, events::ending(word)));
        if let Some((word, None)) = ending {
            sink.report(FindingKind::Unknown, || format!("the status `{word}`"));
        }
        let reason = match ending.and_then(|(_, ending)| ending).unwrap_or(Ending::Stop) {
            Ending::Stop if has_calls => FinishReason::ToolCalls,
            Ending::Stop => FinishReason::Stop,
            Ending::ToolCalls => FinishReason::ToolCalls,
            Ending::MaxTokens => FinishReason::MaxTokens,
            Ending::Refused => FinishReason::Refused,
            Ending::Failed => {
                let code = native.as_deref().unwrap_or("error").to_owned();
                let of_status = || Failure::of(&code, "the response ended without a reply");
                FinishReason::Error(self.failure.take().unwrap_or_else(of_status))
            }
        };
        if let Some(usage) = self.usage.take() {
            sink.chunk(Chunk::Usage(tokens(usage.doc().root())))?;
            self.members.set("usage", usage);
        }
        let response = Some(self.members.finish(API));
        sink.finish(Finish { reason, native, response, ..Finish::default() })
    }
}

/// Tokens: this API counts what was cached among the input.
fn tokens(usage: Value<'_, '_>) -> Usage {
    let count = |of: Value<'_, '_>, name: &str| of.get(name).and_then(Value::as_u64).unwrap_or(0);
    let details = filled(usage, "input_tokens_details");
    let within = |name: &str| details.map_or(0, |details| count(details, name));
    let (cached, written) = (within("cached_tokens"), within("cache_write_tokens"));
    let input = count(usage, "input_tokens");
    Usage {
        input_tokens: input.saturating_sub(cached).saturating_sub(written),
        output_tokens: count(usage, "output_tokens"),
        cache_creation_input_tokens: written,
        cache_read_input_tokens: cached,
    }
}

/// What an error says: an event, a response that failed, or a body in its place.
pub(super) fn failure(root: Value<'_, '_>) -> Failure {
    let error = filled(root, "error").unwrap_or(root);
    let of = if error.kind() == Kind::Object { &["code", "type"][..] } else { &[] };
    failure_of(error, of)
}
