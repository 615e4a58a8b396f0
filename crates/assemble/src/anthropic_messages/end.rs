//! How a reply ended, what it cost, and what is kept of the response beside its content.

use json::{Text, Value};
use record::Usage;
use wire::anthropic_messages::events;
use wire::ending::Ending;

use super::API;
use crate::chunk::{Chunk, Failure, Finish, FinishReason};
use crate::finding::FindingKind;
use crate::reply::StreamError;
use crate::response::Members;
use crate::stream::{Sink, failure_of};

/// Members of a message that its row has fields for.
const KNOWN: [&str; 6] = ["type", "role", "model", "content", "stop_reason", "usage"];

/// What the events say of the reply as a whole.
#[derive(Debug, Default)]
pub(super) struct Whole {
    members: Members,
    usage: Members,
    stop_reason: Option<Text>,
}

impl Whole {
    /// Takes the members of a message, or of what is added to it.
    pub(super) fn take(
        &mut self,
        message: Value<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let stop_reason = message.get("stop_reason").and_then(Value::to_text);
        self.stop_reason = stop_reason.or(self.stop_reason.take());
        let held = self.members.take(message, &[&KNOWN]);
        sink.hold(held)?;
        match message.get("usage") {
            Some(usage) => self.usage(usage, sink),
            None => Ok(()),
        }
    }

    /// Takes the usage up to here: what it does not name stays as it was.
    pub(super) fn usage(
        &mut self,
        usage: Value<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let held = self.usage.take(usage, &[]);
        sink.hold(held)?;
        self.tokens().map_or(Ok(()), |usage| sink.chunk(Chunk::Usage(usage)))
    }

    /// Members of the last event that are no part of the message but belong to it.
    pub(super) fn beside(
        &mut self,
        event: Value<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let held = self.members.take(event, &[&["type", "delta", "usage"]]);
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
            Ending::Failed => FinishReason::Error(Failure::of("error", "the provider failed")),
        };
        self.members.set_object("usage", &self.usage);
        let response = Some(self.members.finish(API));
        sink.finish(Finish { reason, native, response, ..Finish::default() })
    }

    fn tokens(&self) -> Option<Usage> {
        let count = |name: &str| self.usage.get(name).and_then(|count| count.as_str().parse().ok());
        self.usage.iter().next()?;
        Some(Usage {
            input_tokens: count("input_tokens").unwrap_or(0),
            output_tokens: count("output_tokens").unwrap_or(0),
            cache_creation_input_tokens: count("cache_creation_input_tokens").unwrap_or(0),
            cache_read_input_tokens: count("cache_read_input_tokens").unwrap_or(0),
        })
    }
}

/// What an error event or an error body says.
pub(super) fn failure(root: Value<'_, '_>) -> Failure {
    let error = root.get("error").unwrap_or(root);
    let request_id = root.get("request_id").and_then(Value::to_text);
    Failure { request_id, ..failure_of(error, &["type"]) }
}
