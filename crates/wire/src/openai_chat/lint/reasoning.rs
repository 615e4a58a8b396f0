//! Reasoning that has to come back, and reasoning that meets tools.

use json::{Kind, Value};

use super::Body;
use super::conversation::{Message, kind};
use super::verdict::Verdict;
use crate::openai_chat::vendors::{AskToThink, ReasoningKey, Takes};
use crate::report::Fill;

/// C-025 and K-020.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    tools_while_reasoning(body, verdict);
    if is_off(body) {
        return;
    }
    let Some(key) = body.vendor.reasoning_key else { return };
    for message in body.messages.iter().filter(|message| message.has_calls()) {
        due(body, message, key, verdict);
    }
}

/// Whether the request asks for no thinking in the form its vendor reads.
fn is_off(body: &Body<'_, '_>) -> bool {
    let says_no = |name: &str, key: &str| {
        let flag = body.param(name).and_then(|object| object.get(key));
        flag.and_then(Value::as_bool) == Some(false)
    };
    match body.vendor.ask_to_think {
        Some(AskToThink::Effort) => {
            body.param("reasoning_effort").is_some_and(|effort| effort.is_str("none"))
        }
        Some(AskToThink::Thinking) => {
            let kind = body.param("thinking").and_then(|thinking| thinking.get("type"));
            kind.is_some_and(|kind| kind.is_str("disabled"))
        }
        Some(AskToThink::EnableThinking) => {
            body.param("enable_thinking").and_then(Value::as_bool) == Some(false)
        }
        Some(AskToThink::Think) => body.param("think").and_then(Value::as_bool) == Some(false),
        Some(AskToThink::Reasoning) => says_no("reasoning", "enabled"),
        Some(AskToThink::Template) => says_no("chat_template_kwargs", "enable_thinking"),
        None => false,
    }
}

/// K-020.
fn due(body: &Body<'_, '_>, message: &Message<'_, '_>, key: ReasoningKey, verdict: &mut Verdict) {
    let takes = match own(message, key) {
        None => body.vendor.calls_without_reasoning,
        Some(reasoning) if body.vendor.calls_without_reasoning != Takes::Yes => {
            let empty = reasoning.is_str("") || reasoning.raw() == "[]";
            if empty { body.vendor.reasoning_empty } else { Takes::Yes }
        }
        Some(_) => Takes::Yes,
    };
    let path = message.path(&format!(".{}", key.as_str()));
    verdict.unless(takes, "K-020", path, message.value.offset(), &[("n", &message.index)]);
}

/// The reasoning under the vendor's key.
fn own<'d, 't>(message: &Message<'d, 't>, key: ReasoningKey) -> Option<Value<'d, 't>> {
    match key {
        ReasoningKey::ReasoningContent | ReasoningKey::Reasoning | ReasoningKey::Thinking => {
            message.get(key.as_str())
        }
        // A gateway reads the plain text as well.
        ReasoningKey::ReasoningDetails => {
            message.get(key.as_str()).or_else(|| message.get("reasoning"))
        }
        ReasoningKey::ThinkingPart => {
            message.parts().map(|(_, part)| part).find(|part| kind(*part) == "thinking")
        }
    }
}

/// C-025.
fn tools_while_reasoning(body: &Body<'_, '_>, verdict: &mut Verdict) {
    if !body.vendor.serves_openai {
        return;
    }
    let tools = body.param("tools").filter(|tools| tools.kind() == Kind::Array);
    let function = tools.and_then(|tools| tools.items().find(|tool| kind(*tool) == "function"));
    let effort = body.param("reasoning_effort").and_then(Value::as_str);
    let reasons = effort.map_or(body.model.reasons_when_omitted, |effort| effort != "none");
    if let (Some(tool), true) = (function, reasons) {
        let path = "reasoning_effort".to_owned();
        let fill: Fill<'_> = &[("model", &body.model_name)];
        verdict.unless(body.model.tools_while_reasoning, "C-025", path, tool.offset(), fill);
    }
}
