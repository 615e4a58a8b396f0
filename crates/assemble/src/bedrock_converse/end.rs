//! How a reply ended, what it cost, and what is kept of the response beside its content.

use json::{Kind, Raw, Text, Value};
use record::Usage;
use wire::bedrock_converse::events::{self, PADDING};
use wire::ending::Ending;

use super::API;
use crate::chunk::{Chunk, Failure, Finish, FinishReason};
use crate::finding::FindingKind;
use crate::reply::StreamError;
use crate::response::Members;
use crate::stream::{Sink, failure_of};

/// Members of a body or an event that its row has fields for.
const KNOWN: [&str; 4] = ["output", "stopReason", "usage", PADDING];

/// What the events say of the reply as a whole.
#[derive(Debug, Default)]
pub(super) struct Whole {
    members: Members,
    usage: Option<Raw>,
    stop_reason: Option<Text>,
}

impl Whole {
    /// Takes the members of a body, or of an event at the end of a stream.
    pub(super) fn take(
        &mut self,
        of: Value<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let stop_reason = of.get("stopReason").and_then(Value::to_text);
        self.stop_reason = stop_reason.or(self.stop_reason.take());
        let mut held = self.members.take(of, &[&KNOWN]);
        if let Some(usage) = of.get("usage").filter(|usage| usage.kind() == Kind::Object) {
            held += usage.raw().len();
            self.usage = Some(Raw::one_line(usage));
            sink.chunk(Chunk::Usage(tokens(usage)))?;
        }
        sink.hold(held)
    }

    /// Whether it is known how the reply ended.
    pub(super) fn has_ended(&self) -> bool {
        self.stop_reason.is_some()
    }

    /// Ends the reply.
    pub(super) fn finish(&mut self, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        let native = self.stop_reason.take();
        let ending = native.as_deref().map(|word| (word, events::ending(word)));
        if let Some((word, None)) = ending {
            sink.report(FindingKind::Unknown, || format!("the stop reason `{word}`"));
        }
        let reason = match ending.and_then(|(_, ending)| ending).unwrap_or(Ending::Stop) {
            Ending::Stop => FinishReason::Stop,
            Ending::ToolCalls => FinishReason::ToolCalls,
            Ending::MaxTokens => FinishReason::MaxTokens,
            Ending::Refused => FinishReason::Refused,
            Ending::Failed => {
                let code = native.as_deref().unwrap_or("error");
                FinishReason::Error(Failure::of(code, "the model's answer was no reply"))
            }
        };
        if let Some(usage) = self.usage.take() {
            self.members.set("usage", usage);
        }
        let response = Some(self.members.finish(API));
        sink.finish(Finish { reason, native, response, ..Finish::default() })
    }
}

fn tokens(usage: Value<'_, '_>) -> Usage {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
    Usage {
        input_tokens: count("inputTokens"),
        output_tokens: count("outputTokens"),
        cache_creation_input_tokens: count("cacheWriteInputTokens"),
        cache_read_input_tokens: count("cacheReadInputTokens"),
    }
}

/// What an exception of this name says.
pub(super) fn failure(name: &str, error: Value<'_, '_>) -> Failure {
    let status = error.get("originalStatusCode").and_then(Value::as_u64);
    Failure { code: name.into(), status, ..failure_of(error, &[]) }
}
