//! The chunks of a streamed reply, and how replies end (sections 5.1 and 6 of the rule book).
//!
//! In: the data of a frame. Out: what it says, with the values left where they stand. What differs
//! between vendors is a row of [`super::streams`].

use json::{Kind, Text, Value};

use crate::ending::Ending;
pub use crate::member::filled;

/// The data that ends a stream.
pub const DONE: &str = "[DONE]";

/// Keys of a message or a delta that hold reasoning as a string, the first that is filled counts.
pub const REASONING_KEYS: [&str; 3] = ["reasoning_content", "reasoning", "reasoning_text"];

/// Members that say nothing about the reply: padding, and what is repeated elsewhere.
pub const IGNORED: [&str; 6] =
    ["obfuscation", "logprobs", "token_ids", "prompt_token_ids", "prompt_text", "channel"];

/// One chunk.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'d, 't> {
    /// The whole of it.
    pub root: Value<'d, 't>,
    /// The first choice, if it has one; the only one that is a reply.
    pub choice: Option<Value<'d, 't>>,
    /// What the choice adds.
    pub delta: Option<Value<'d, 't>>,
    /// There are other choices, which were not asked for.
    pub has_other_choices: bool,
}

impl<'d, 't> Chunk<'d, 't> {
    /// Reads a chunk.
    pub fn new(root: Value<'d, 't>) -> Chunk<'d, 't> {
        let choices = || root.get("choices").into_iter().flat_map(Value::items);
        let is_first = |choice: &Value<'_, '_>| {
            filled(*choice, "index").is_none_or(|index| index.as_u64() == Some(0))
        };
        let choice = choices().find(is_first);
        let delta = choice.and_then(|choice| filled(choice, "delta"));
        Chunk { root, choice, delta, has_other_choices: choices().any(|other| !is_first(&other)) }
    }

    /// An error that came in place of a reply or in the middle of it (K-045).
    pub fn error(&self) -> Option<Value<'d, 't>> {
        let of_minimax = filled(self.root, "base_resp")
            .filter(|base| base.get("status_code").is_some_and(|code| code.as_u64() != Some(0)));
        let of_groq = self.root.get("x_groq").and_then(|groq| filled(groq, "error"));
        let of_groq = of_groq.filter(|error| !error.is_str(""));
        filled(self.root, "error").or(of_minimax).or(of_groq).or_else(|| self.unwrapped_error())
    }

    /// An error that is the whole chunk (Mistral, vLLM).
    fn unwrapped_error(&self) -> Option<Value<'d, 't>> {
        let is_error = self.root.get("object").is_some_and(|object| object.is_str("error"));
        is_error.then_some(self.root)
    }

    /// The stop reason, once there is one.
    pub fn finish_reason(&self) -> Option<Text> {
        let reason = self.choice?.get("finish_reason")?.to_text()?;
        (!reason.is_empty()).then_some(reason)
    }

    /// The usage, wherever this vendor puts it; each is the whole up to here.
    pub fn usage(&self) -> Option<Value<'d, 't>> {
        let object = |value: &Value<'_, '_>| value.kind() == Kind::Object;
        let in_choice = self.choice.and_then(|choice| choice.get("usage")).filter(object);
        let of_groq = self.root.get("x_groq").and_then(|groq| groq.get("usage")).filter(object);
        self.root.get("usage").filter(object).or(in_choice).or(of_groq)
    }
}

/// How replies end. A word that is not here ends what is said, and no call is run on it.
pub const ENDINGS: [(&str, Ending); 23] = [
    ("stop", Ending::Stop),
    ("end", Ending::Stop),
    ("eos", Ending::Stop),
    ("eos_token", Ending::Stop),
    ("end_turn", Ending::Stop),
    ("stop_sequence", Ending::Stop),
    ("COMPLETE", Ending::Stop),
    ("tool_calls", Ending::ToolCalls),
    ("tool_use", Ending::ToolCalls),
    ("TOOL_CALL", Ending::ToolCalls),
    ("function_call", Ending::ToolCalls),
    ("length", Ending::MaxTokens),
    ("max_tokens", Ending::MaxTokens),
    ("MAX_TOKENS", Ending::MaxTokens),
    ("model_length", Ending::MaxTokens),
    ("model_context_window_exceeded", Ending::MaxTokens),
    ("content_filter", Ending::Refused),
    ("sensitive", Ending::Refused),
    ("refusal", Ending::Refused),
    ("error", Ending::Failed),
    // vLLM's engine stopped on the way.
    ("abort", Ending::Failed),
    ("network_error", Ending::Failed),
    ("insufficient_system_resource", Ending::Failed),
];

/// What a finish reason comes to; `None` where it is not known.
pub fn ending(finish_reason: &str) -> Option<Ending> {
    ENDINGS.iter().find(|(word, _)| *word == finish_reason).map(|(_, ending)| *ending)
}
