//! How a reply ended, what it cost, and what is kept of the response beside its content.

use json::{Array, Doc, Kind, Raw, Text, Value};
use record::{Rest, Usage};
use wire::ending::Ending;
use wire::openai_chat::events::{self, IGNORED, filled};
use wire::openai_chat::streams::{ReasoningTokens, Stream};

use super::API;
use super::message::{AUDIO, has_media};
use super::pieces::Pieces;
use crate::chunk::{Chunk, Failure, Finish, FinishReason};
use crate::finding::FindingKind;
use crate::named::Named;
use crate::reply::StreamError;
use crate::response::Members;
use crate::stream::{Sink, failure_of};

/// Members of a chunk or a body that are no part of what is kept.
const ROOT: [&str; 5] = ["object", "choices", "usage", "x_groq", "error"];
/// Members of a choice that its row has fields for.
const CHOICE: [&str; 5] = ["index", "delta", "message", "finish_reason", "usage"];

/// What the chunks say of the reply as a whole.
#[derive(Debug, Default)]
pub(super) struct Whole {
    members: Members,
    choice: Members,
    /// Members of the message, piece by piece.
    rest: Named<Vec<Raw>>,
    usage: Option<Raw>,
    finish_reason: Option<Text>,
}

impl Whole {
    /// Takes what stands beside the choices and beside the first one's content.
    pub(super) fn take(
        &mut self,
        chunk: &events::Chunk<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let mut held = self.members.take(chunk.root, &[&ROOT, &IGNORED]);
        if let Some(choice) = chunk.choice {
            held += self.choice.take(choice, &[&CHOICE, &IGNORED]);
        }
        if let Some(usage) = chunk.usage() {
            held += usage.raw().len();
            self.usage = Some(Raw::one_line(usage));
        }
        if let Some(reason) = chunk.finish_reason()
            && self.finish_reason.is_none()
        {
            self.finish_reason = Some(reason);
        }
        sink.hold(held)
    }

    /// Takes the members of a message that no block is read from.
    pub(super) fn beside(&mut self, rest: &Rest, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        for (name, value) in rest.iter() {
            if value.as_str() == "null" || IGNORED.contains(&name.as_str()) {
                continue;
            }
            sink.hold(name.len() + value.as_str().len())?;
            match self.rest.get_mut(name) {
                Some(pieces) => pieces.push(value.clone()),
                None => self.rest.set(name, vec![value.clone()]),
            }
        }
        Ok(())
    }

    /// Whether it is known how the reply ended.
    pub(super) fn has_ended(&self) -> bool {
        self.finish_reason.is_some()
    }

    /// Ends the reply.
    pub(super) fn finish(
        mut self,
        stream: Stream,
        has_calls: bool,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let native = self.finish_reason;
        let ending = native.as_deref().map(|word| (word, events::ending(word)));
        if let Some((word, None)) = ending {
            sink.report(FindingKind::Unknown, || format!("the finish reason `{word}`"));
        }
        // Nobody knows whether a call was whole where nobody knows why the reply ended.
        let unknown = if has_calls { Ending::Refused } else { Ending::Stop };
        let reason = match ending.map(|(_, ending)| ending.unwrap_or(unknown)) {
            Some(Ending::Stop) => FinishReason::Stop,
            Some(Ending::ToolCalls) => FinishReason::ToolCalls,
            Some(Ending::MaxTokens) => FinishReason::MaxTokens,
            Some(Ending::Refused) => FinishReason::Refused,
            Some(Ending::Failed) => {
                let code = native.clone().unwrap_or_default();
                let message = "the vendor ended the stream with an error".into();
                FinishReason::Error(Failure { code, message, ..Failure::default() })
            }
            None if has_calls => FinishReason::ToolCalls,
            None => FinishReason::Stop,
        };
        if let Some(usage) = &self.usage {
            let usage = tokens(usage.doc().root(), stream.reasoning_tokens);
            sink.chunk(Chunk::Usage(usage))?;
        }
        self.members.set_object("choice", &self.choice);
        if let Some(usage) = self.usage {
            self.members.set("usage", usage);
        }
        let response = Some(self.members.finish(API));
        let mut rest = Rest::default();
        for (name, pieces) in self.rest.into_list() {
            if let Some(value) = joined(&name, &pieces) {
                rest.push(name, value);
            }
        }
        let has_media = has_media(&rest);
        sink.finish(Finish { reason, native, response, rest, has_media, envelope: None })
    }
}

/// Members of spoken audio that come in pieces.
const OF_AUDIO: [&str; 2] = ["data", "transcript"];

/// Pieces of lists as one list, of spoken audio as one object; of anything else the last.
fn joined(name: &Text, pieces: &[Raw]) -> Option<Raw> {
    let docs: Vec<Doc<'_>> = pieces.iter().map(Raw::doc).collect();
    let are_all = |kind: Kind| docs.iter().all(|doc| doc.root().kind() == kind);
    if docs.len() > 1 && name.as_str() == AUDIO && are_all(Kind::Object) {
        let mut audio = Pieces::default();
        docs.iter().for_each(|doc| audio.take(doc.root(), &OF_AUDIO));
        return Some(audio.finish());
    }
    if docs.len() == 1 || !are_all(Kind::Array) {
        return pieces.last().cloned();
    }
    let items: Vec<Raw> = docs.iter().flat_map(|doc| doc.root().items()).map(Raw::of).collect();
    Some(Array::of(&items))
}

/// Tokens: this API counts what was cached among the input.
fn tokens(usage: Value<'_, '_>, reasoning: ReasoningTokens) -> Usage {
    let count = |of: Value<'_, '_>, name: &str| of.get(name).and_then(Value::as_u64);
    let input = filled(usage, "prompt_tokens_details");
    let within = |name: &str| input.and_then(|details| count(details, name));
    let prompt = count(usage, "prompt_tokens").unwrap_or(0);
    let cached = within("cached_tokens")
        .or_else(|| count(usage, "prompt_cache_hit_tokens"))
        .or_else(|| count(usage, "cached_tokens"))
        .unwrap_or(0);
    let written = within("cache_write_tokens").unwrap_or(0);
    let output = count(usage, "completion_tokens").unwrap_or(0);
    let beside = match reasoning {
        ReasoningTokens::Within => 0,
        ReasoningTokens::Beside => {
            let details = filled(usage, "completion_tokens_details");
            details.and_then(|details| count(details, "reasoning_tokens")).unwrap_or(0)
        }
    };
    Usage {
        input_tokens: prompt.saturating_sub(cached).saturating_sub(written),
        output_tokens: output.saturating_add(beside),
        cache_creation_input_tokens: written,
        cache_read_input_tokens: cached,
    }
}

/// What an error says that came in place of a reply.
pub(super) fn failure(error: Value<'_, '_>) -> Failure {
    let of = if error.kind() == Kind::Object { &["code", "type", "status_code"][..] } else { &[] };
    failure_of(error, of)
}
