//! How a reply ended, what it cost, and what is kept of the response beside its message.

use json::{Raw, Text, Value};
use record::{Rest, Usage};
use wire::ending::Ending;
use wire::ollama_chat::events;

use super::API;
use crate::chunk::{Chunk, Failure, Finish, FinishReason};
use crate::finding::FindingKind;
use crate::named::Named;
use crate::openai_chat::message::has_media;
use crate::reply::StreamError;
use crate::response::Members;
use crate::stream::Sink;

/// Members of a chunk that its row has fields for.
const KNOWN: [&str; 4] = ["message", "done", "done_reason", "error"];

/// What the chunks say of the reply as a whole.
#[derive(Debug, Default)]
pub(super) struct Whole {
    members: Members,
    /// Members of the message beside its content.
    rest: Named<Raw>,
    /// There is a call.
    pub(super) has_calls: bool,
}

impl Whole {
    /// Takes what stands beside the message.
    pub(super) fn take(
        &mut self,
        root: Value<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let held = self.members.take(root, &[&KNOWN]);
        sink.hold(held)
    }

    /// Takes the members of a message that no block is read from.
    pub(super) fn beside(&mut self, rest: &Rest, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        for (name, value) in rest.iter().filter(|(_, value)| value.as_str() != "null") {
            sink.hold(name.len() + value.as_str().len())?;
            self.rest.set(name, value.clone());
        }
        Ok(())
    }

    /// Ends the reply.
    pub(super) fn finish(
        self,
        native: Option<Text>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let ending = native.as_deref().map(|word| (word, events::ending(word)));
        if let Some((word, None)) = ending {
            sink.report(FindingKind::Unknown, || format!("the reason `{word}`"));
        }
        let reason = match ending.and_then(|(_, ending)| ending).unwrap_or(Ending::Stop) {
            Ending::Stop | Ending::ToolCalls if self.has_calls => FinishReason::ToolCalls,
            Ending::Stop | Ending::ToolCalls => FinishReason::Stop,
            Ending::MaxTokens => FinishReason::MaxTokens,
            Ending::Refused => FinishReason::Refused,
            Ending::Failed => FinishReason::Error(Failure::of("error", "the model failed")),
        };
        let count = |name: &str| -> Option<u64> { self.members.get(name)?.as_str().parse().ok() };
        let (input, output) = (count("prompt_eval_count"), count("eval_count"));
        if input.or(output).is_some() {
            sink.chunk(Chunk::Usage(Usage {
                input_tokens: input.unwrap_or(0),
                output_tokens: output.unwrap_or(0),
                ..Usage::default()
            }))?;
        }
        let response = Some(self.members.finish(API));
        let rest = self.rest.into_rest();
        let has_media = has_media(&rest);
        sink.finish(Finish { reason, native, response, rest, has_media, ..Finish::default() })
    }
}
