//! Parameters of a request: in a fixed order ahead of everything else.

use std::borrow::Cow;

use json::{Array, Object, Raw, Text};
use wire::openai_chat::lint::{LintOptions, lint};
use wire::openai_chat::models::Effort;
use wire::openai_chat::vendors::{AskToThink, Takes};

use super::Chat;
use crate::fold::Closed;
use crate::now::{Parameters, ThinkingChoice};
use crate::project::head::Head;
use crate::project::parameters::{Written, adjusted, chosen, open, without_refused};
use crate::wording;

/// Parameters this writer places itself, or that would not be what the record says.
const OWN: &[&str] =
    &["model", "max_tokens", "max_completion_tokens", "messages", "tools", "functions"];

/// Ollama's parameters of sampling, and the most tokens among them.
const OPTIONS: &str = "options";
const NUM_PREDICT: &str = "num_predict";

/// Parameters that are no part of the prompt. Any other is taken to be, one that is not known
/// included.
const NO_PROMPT: &[&str] = &[
    "max_tokens",
    "max_completion_tokens",
    "metadata",
    "keep_alive",
    "options",
    "stop",
    "stream",
    "stream_options",
    "temperature",
    "top_p",
    "top_k",
    "frequency_penalty",
    "presence_penalty",
    "seed",
    "random_seed",
    "n",
    "logprobs",
    "top_logprobs",
    "logit_bias",
    "user",
    "store",
    "service_tier",
    "prediction",
    "safety_identifier",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
];

/// Writes the parameters of a request to the model of this name.
pub(in crate::project) fn write(
    chat: &Chat,
    name: &str,
    asked: &Parameters,
    closed: &Closed,
    head: &Head,
) -> Written {
    let mut changes = Vec::new();
    let has_tools = !head.tools.is_empty();
    let wanted = match asked.thinking {
        ThinkingChoice::AsRecorded => closed.last_turn_thinks.filter(|thinks| *thinks),
        ThinkingChoice::On => Some(true),
        ThinkingChoice::Off => Some(false),
    };
    // Tools and reasoning exclude each other at some models (C-025); calls without the reasoning
    // that is due are taken where thinking is off (K-020). Either is a loss, asked for or not,
    // unless thinking was to be off.
    let no_effort = has_tools && chat.vendor.serves_openai && refuses_both(chat);
    let turned_off = (no_effort || closed.lacks_reasoning) && wanted != Some(false);
    let mut thinking = wanted.and_then(|thinks| thinking(chat, thinks));
    if wanted.is_some() && thinking.is_none() && asked.thinking != ThinkingChoice::AsRecorded {
        changes.push(adjusted("thinking"));
    }
    if no_effort {
        thinking = Some(("reasoning_effort", Raw::string(&"none".into())));
    } else if closed.lacks_reasoning {
        thinking = self::thinking(chat, false);
    }
    let mut own: Vec<(&str, Raw)> = Vec::new();
    let mut asked = Cow::Borrowed(asked);
    if chat.is_ollama() {
        own.extend(options(&mut asked).map(|options| ("options", options)));
    } else if let Some(max) = asked.max_tokens {
        let classic = chat.vendor.max_completion_tokens != Takes::Yes;
        let key = if classic { "max_tokens" } else { "max_completion_tokens" };
        own.push((key, Raw::number(max.max(1))));
    }
    own.extend(thinking);
    if has_stand_in(chat, head) {
        own.push(("tool_choice", Raw::string(&"none".into())));
    }
    let is_own = |name: &str| OWN.contains(&name) || own.iter().any(|(own, _)| *own == name);
    let chosen = chosen(&asked, is_own, &mut changes);
    let refused = |bytes: &[u8], chosen: &[(&str, &Raw)]| refused(chat, bytes, &head.tools, chosen);
    let (says, prompt) = without_refused(name, &own, chosen, NO_PROMPT, &mut changes, refused);
    Written { bytes: open(&says), says, prompt, betas: Vec::new(), changes, turned_off }
}

/// Ollama's `options`: the caller's, and the most tokens (O-6). They are taken out of what was
/// asked.
fn options(asked: &mut Cow<'_, Parameters>) -> Option<Raw> {
    let is_options = |(name, _): &(Text, Raw)| name.as_str() == OPTIONS;
    let at = asked.extra.iter().position(is_options);
    if at.is_none() && asked.max_tokens.is_none() {
        return None;
    }
    let chosen = at.map(|at| asked.to_mut().extra.remove(at).1);
    let doc = chosen.as_ref().map(Raw::doc);
    let mut options = Object::new();
    for (name, value) in doc.iter().flat_map(|doc| doc.root().members()) {
        let name = name.as_str().unwrap_or_default();
        if name != NUM_PREDICT || asked.max_tokens.is_none() {
            options.raw(&name, &Raw::compact(value));
        }
    }
    if let Some(max) = asked.max_tokens {
        options.raw(NUM_PREDICT, &Raw::number(max.max(1)));
    }
    Some(options.finish())
}

/// Whether the one tool is the one that does nothing (K-032).
fn has_stand_in(chat: &Chat, head: &Head) -> bool {
    let name = chat.name_of(wording::STAND_IN_TOOL);
    matches!(head.tools.as_slice(), [one] if one.as_str() == name)
}

/// Whether the model refuses function tools while it reasons, and can be asked not to (C-025). One
/// in no row may not know of an effort at all, and is asked nothing.
fn refuses_both(chat: &Chat) -> bool {
    chat.model.tools_while_reasoning != Takes::Yes && chat.model.effort == Effort::OrNone
}

/// What asks the model to think, or not to, in the vendor's form.
pub(super) fn thinking(chat: &Chat, thinks: bool) -> Option<(&'static str, Raw)> {
    let word = if thinks { "enabled" } else { "disabled" };
    Some(match chat.vendor.ask_to_think? {
        AskToThink::Effort => {
            let effort = match (chat.model.effort, thinks) {
                (Effort::Always | Effort::OrNone, true) => "medium",
                (Effort::OrNone, false) => "none",
                (Effort::Always, false) | (Effort::Never, _) => return None,
            };
            ("reasoning_effort", Raw::string(&effort.into()))
        }
        AskToThink::Thinking if chat.model.always_thinks && !thinks => return None,
        AskToThink::Thinking => ("thinking", switched(word)),
        AskToThink::EnableThinking => ("enable_thinking", Raw::bool(thinks)),
        AskToThink::Reasoning => ("reasoning", flag("enabled", thinks)),
        AskToThink::Think => ("think", Raw::bool(thinks)),
        AskToThink::Template => ("chat_template_kwargs", flag("enable_thinking", thinks)),
    })
}

fn switched(word: &str) -> Raw {
    let mut object = Object::new();
    object.string("type", word);
    object.finish()
}

fn flag(name: &str, value: bool) -> Raw {
    let mut object = Object::new();
    object.raw(name, &Raw::bool(value));
    object.finish()
}

/// Asks the rule book about the parameters alone. Gives one of the caller's that is refused, or
/// that is not known to be taken.
fn refused(chat: &Chat, bytes: &[u8], tools: &[Text], chosen: &[(&str, &Raw)]) -> Option<usize> {
    if chosen.is_empty() {
        return None;
    }
    let mut body = bytes.to_vec();
    let mut list = Array::new();
    for tool in tools {
        let mut function = Object::new();
        function.text("name", tool).raw("parameters", &Object::new().finish());
        let mut one = Object::new();
        one.string("type", "function").raw("function", &function.finish());
        list.raw(&one.finish());
    }
    if !tools.is_empty() {
        body.extend_from_slice(br#","tools":"#);
        body.extend_from_slice(list.finish().as_str().as_bytes());
    }
    body.extend_from_slice(br#","messages":[{"role":"user","content":"."}]}"#);
    let options = LintOptions { vendor: &chat.vendor, model: None };
    lint(&body, &options).iter().find_map(|finding| {
        let place = |name: &str| chosen.iter().position(|(known, _)| *known == name);
        match finding.path.split(['.', '[']).next().unwrap_or_default() {
            // A body that cannot be read has no path.
            "" => Some(chosen.len() - 1),
            name => place(name),
        }
    })
}
