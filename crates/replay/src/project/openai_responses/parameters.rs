//! Parameters of a request: in a fixed order ahead of everything else.

use json::{Array, Object, Raw, Text};
use wire::openai_chat::models::Effort;
use wire::openai_responses::lint::{LintOptions, lint};
use wire::takes::Takes;

use super::Responses;
use crate::fold::Closed;
use crate::now::{Parameters, ThinkingChoice};
use crate::project::head::Head;
use crate::project::parameters::{Written, adjusted, chosen, open, without_refused};

/// Parameters this writer places itself, or that would have the server add what the record does
/// not hold.
const OWN: &[&str] = &[
    "model",
    "store",
    "include",
    "input",
    "instructions",
    "tools",
    "max_output_tokens",
    "previous_response_id",
    "conversation",
    "prompt",
];

/// Parameters that are no part of the prompt. Any other is taken to be, one that is not known
/// included.
const NO_PROMPT: &[&str] = &[
    "include",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "stream",
    "stream_options",
    "temperature",
    "top_p",
    "top_logprobs",
    "user",
    "background",
    "truncation",
    "service_tier",
    "safety_identifier",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
];

/// The fewest output tokens that can be asked for (R-042).
const OUTPUT_TOKENS_MIN: u64 = 16;

/// What gives thoughts that can be sent back where nothing is stored (R-025).
const SEALED: &str = "reasoning.encrypted_content";

/// Writes the parameters of a request to the model of this name.
pub(in crate::project) fn write(
    to: &Responses,
    name: &str,
    asked: &Parameters,
    closed: &Closed,
    head: &Head,
) -> Written {
    let mut changes = Vec::new();
    let mut own: Vec<(&str, Raw)> = vec![("store", Raw::bool(to.store))];
    if !to.store && to.model.reasons == Takes::Yes {
        own.push(("include", Array::of_strings([SEALED])));
    }
    if to.platform.unstreamed != Takes::Yes {
        own.push(("stream", Raw::bool(true)));
    }
    if let Some(max) = asked.max_tokens {
        if to.platform.limits == Takes::Yes {
            own.push(("max_output_tokens", Raw::number(max.max(OUTPUT_TOKENS_MIN))));
        }
        if to.platform.limits != Takes::Yes || max < OUTPUT_TOKENS_MIN {
            changes.push(adjusted("max_output_tokens"));
        }
    }
    let wanted = match asked.thinking {
        ThinkingChoice::AsRecorded => closed.last_turn_thinks.filter(|thinks| *thinks),
        ThinkingChoice::On => Some(true),
        ThinkingChoice::Off => Some(false),
    };
    let effort = wanted.and_then(|thinks| effort(to, thinks));
    if wanted.is_some() && effort.is_none() && asked.thinking != ThinkingChoice::AsRecorded {
        changes.push(adjusted("thinking"));
    }
    // A caller that says how much says whether.
    let is_chosen = asked.extra.iter().any(|(name, _)| name.as_str() == "reasoning");
    own.extend(effort.filter(|_| !is_chosen).map(|effort| ("reasoning", effort)));
    let is_own = |name: &str| OWN.contains(&name) || own.iter().any(|(own, _)| *own == name);
    let chosen = chosen(asked, is_own, &mut changes);
    let refused = |bytes: &[u8], chosen: &[(&str, &Raw)]| refused(to, bytes, &head.tools, chosen);
    let (says, prompt) = without_refused(name, &own, chosen, NO_PROMPT, &mut changes, refused);
    Written { bytes: open(&says), says, prompt, betas: Vec::new(), changes, turned_off: false }
}

/// What asks the model to think, or not to.
fn effort(to: &Responses, thinks: bool) -> Option<Raw> {
    let effort = match (to.model.effort, thinks) {
        (Effort::Always | Effort::OrNone, true) => "medium",
        (Effort::OrNone, false) => "none",
        (Effort::Always, false) | (Effort::Never, _) => return None,
    };
    let mut object = Object::new();
    object.string("effort", effort);
    Some(object.finish())
}

/// Asks the rule book about the parameters alone. Gives one of the caller's that is refused, or
/// that is not known to be taken.
fn refused(to: &Responses, bytes: &[u8], tools: &[Text], chosen: &[(&str, &Raw)]) -> Option<usize> {
    if chosen.is_empty() {
        return None;
    }
    let mut body = bytes.to_vec();
    let mut list = Array::new();
    for tool in tools {
        let mut function = Object::new();
        function
            .string("type", "function")
            .text("name", tool)
            .raw("parameters", &Object::new().finish())
            .raw("strict", &Raw::bool(false));
        list.raw(&function.finish());
    }
    if !tools.is_empty() {
        body.extend_from_slice(br#","tools":"#);
        body.extend_from_slice(list.finish().as_str().as_bytes());
    }
    body.extend_from_slice(br#","instructions":".","input":"."}"#);
    let options = LintOptions { platform: to.platform, model: None };
    lint(&body, &options).iter().find_map(|finding| {
        let place = |name: &str| chosen.iter().position(|(known, _)| *known == name);
        match finding.path.split(['.', '[']).next().unwrap_or_default() {
            // A body that cannot be read has no path.
            "" => Some(chosen.len() - 1),
            name => place(name),
        }
    })
}
