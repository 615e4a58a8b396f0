//! How a reply ended, what it cost, and what is kept of the response beside its parts.

use json::{Kind, Raw, Text, Value};
use record::Usage;
use wire::ending::Ending;
use wire::gemini::events::{self, filled};

use super::API;
use crate::chunk::{Chunk, EMPTY_RESPONSE, Failure, Finish, FinishReason};
use crate::finding::FindingKind;
use crate::reply::StreamError;
use crate::response::Members;
use crate::stream::{Sink, failure_of};

/// Members of a chunk or a body that are no part of what is kept.
const ROOT: [&str; 3] = ["candidates", "usageMetadata", "error"];
/// Members of a candidate that its row has fields for.
const CANDIDATE: [&str; 3] = ["index", "content", "finishReason"];

/// What the chunks say of the reply as a whole.
#[derive(Debug, Default)]
pub(super) struct Whole {
    members: Members,
    candidate: Members,
    usage: Option<Raw>,
    finish_reason: Option<Text>,
    block_reason: Option<Text>,
    /// There is a call.
    pub(super) has_calls: bool,
    /// There is something beside thoughts and empty texts.
    pub(super) has_content: bool,
}

impl Whole {
    /// Takes what stands beside the candidates and beside the first one's content.
    pub(super) fn take(
        &mut self,
        chunk: &events::Chunk<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let mut held = self.members.take(chunk.root, &[&ROOT]);
        if let Some(candidate) = chunk.candidate {
            held += self.candidate.take(candidate, &[&CANDIDATE]);
        }
        let usage = filled(chunk.root, "usageMetadata").filter(|u| u.kind() == Kind::Object);
        if let Some(usage) = usage {
            held += usage.raw().len();
            self.usage = Some(Raw::one_line(usage));
            sink.chunk(Chunk::Usage(tokens(usage)))?;
        }
        self.finish_reason = chunk.finish_reason().or(self.finish_reason.take());
        self.block_reason = chunk.block_reason().or(self.block_reason.take());
        sink.hold(held)
    }

    /// Whether it is known how the reply ended.
    pub(super) fn has_ended(&self) -> bool {
        self.finish_reason.is_some() || self.block_reason.is_some()
    }

    /// Ends the reply, in which there is something or nothing.
    pub(super) fn finish(
        mut self,
        has_blocks: bool,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let reason = match &self.finish_reason {
            Some(word) => self.reason(word, sink),
            None if has_blocks => FinishReason::Refused,
            // The prompt was refused: the model never saw it, and nobody replied.
            None => FinishReason::Error(self.blocked()),
        };
        if let Some(usage) = self.usage {
            self.members.set("usageMetadata", usage);
        }
        self.members.set_object("candidate", &self.candidate);
        let native = self.finish_reason.or(self.block_reason);
        let response = Some(self.members.finish(API));
        sink.finish(Finish { reason, native, response, ..Finish::default() })
    }

    /// What is said of a prompt that was refused.
    fn blocked(&self) -> Failure {
        let feedback = self.members.get("promptFeedback").map(Raw::doc).unwrap_or_default();
        let said = feedback.root().get("blockReasonMessage").and_then(Value::to_text);
        let message = said.unwrap_or_else(|| "the prompt was blocked, and nobody replied".into());
        let code = self.block_reason.clone().unwrap_or_default();
        Failure { code, message, ..Failure::default() }
    }

    fn reason(&self, word: &Text, sink: &mut Sink<'_>) -> FinishReason {
        let ending = events::ending(word);
        if ending.is_none() {
            sink.report(FindingKind::Unknown, || format!("the finish reason `{word}`"));
        }
        match ending.unwrap_or(Ending::Stop) {
            Ending::Stop | Ending::ToolCalls if self.has_calls => FinishReason::ToolCalls,
            Ending::Stop | Ending::ToolCalls if self.has_content => FinishReason::Stop,
            Ending::Stop | Ending::ToolCalls => {
                let words = format!("nothing was said (finish reason `{word}`)");
                FinishReason::Error(Failure::of(EMPTY_RESPONSE, words))
            }
            Ending::MaxTokens => FinishReason::MaxTokens,
            Ending::Refused => FinishReason::Refused,
            Ending::Failed => {
                let said = self.candidate.get("finishMessage").map(Raw::doc).unwrap_or_default();
                let message = said.root().to_text();
                let message = message.unwrap_or_else(|| "the model's answer was no reply".into());
                FinishReason::Error(Failure { code: word.clone(), message, ..Failure::default() })
            }
        }
    }
}

/// Tokens: this API counts what was cached among the prompt, and thoughts beside the candidates.
fn tokens(usage: Value<'_, '_>) -> Usage {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
    let cached = count("cachedContentTokenCount");
    let prompt = count("promptTokenCount").saturating_sub(cached);
    Usage {
        input_tokens: prompt.saturating_add(count("toolUsePromptTokenCount")),
        output_tokens: count("candidatesTokenCount").saturating_add(count("thoughtsTokenCount")),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: cached,
    }
}

/// What an error says that came in place of a reply.
pub(super) fn failure(error: Value<'_, '_>) -> Failure {
    let of = if error.kind() == Kind::Object { &["status", "code"][..] } else { &[] };
    failure_of(error, of)
}
