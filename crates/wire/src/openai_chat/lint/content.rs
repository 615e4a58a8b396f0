//! What messages hold: content where it has to be, parts where they are taken, and nothing empty.

use json::{Kind, Value};

use super::Body;
use super::conversation::{Message, Role, kind, named};
use super::verdict::Verdict;
use crate::openai_chat::vendors::{Form, ReasoningKey, Takes, Vendor, Wording};
use crate::report::Fill;

/// C-011 to C-013, C-015, C-016, K-005, K-030, L-3 and M-5.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    for message in &body.messages {
        match message.role {
            Role::Assistant => assistant(&body.vendor, message, verdict),
            Role::System | Role::Developer | Role::User | Role::Tool => {
                other(&body.vendor, message, verdict);
            }
            // A result of the deprecated form may be null.
            Role::Function | Role::Other => continue,
        }
        parts(&body.vendor, message, verdict);
    }
}

/// Whether anything but content makes the message one.
fn says_otherwise(message: &Message<'_, '_>) -> bool {
    ["refusal", "audio", "function_call"].iter().any(|key| message.get(key).is_some())
}

fn assistant(vendor: &Vendor, message: &Message<'_, '_>, verdict: &mut Verdict) {
    let content = message.value.get("content");
    let at = content.unwrap_or(message.value).offset();
    let path = message.path(".content");
    if message.has_calls() {
        let fill: Fill<'_> = &[("actual", &"null")];
        match content {
            None => verdict.unless(vendor.no_content, "K-030", path, at, fill),
            Some(null) if null.is_null() => {
                verdict.unless(vendor.null_content, "K-030", path, at, fill);
            }
            Some(content) => typed(message, content, "C-011", verdict),
        }
        return;
    }
    match content {
        _ if says_otherwise(message) => {}
        Some(content) if !content.is_null() => {
            typed(message, content, "C-011", verdict);
            if is_empty(content) && !message.has_flag(vendor.prefill_key) {
                let rule = if vendor.wording == Wording::Mistral { "M-5" } else { "C-011" };
                let fill: Fill<'_> = &[("actual", &"nothing"), ("n", &message.index)];
                verdict.unless(vendor.empty_assistant, rule, path, at, fill);
            }
        }
        Some(_) | None => {
            verdict.refuse("C-011", path, at, &[("actual", &"null"), ("n", &message.index)]);
        }
    }
}

fn other(vendor: &Vendor, message: &Message<'_, '_>, verdict: &mut Verdict) {
    let path = message.path(".content");
    // A system message that only brings tools says nothing (K-004).
    if message.role.instructs() && message.get("tools").is_some() {
        return;
    }
    // Nor does one that shows (O-5).
    if vendor.form == Form::Ollama && message.get("images").is_some() {
        return;
    }
    match message.get("content") {
        None => {
            let at = message.value.get("content").unwrap_or(message.value).offset();
            verdict.refuse("C-012", path, at, &[("actual", &"null")]);
        }
        Some(content) => {
            typed(message, content, "C-012", verdict);
            if content.is_str("") {
                let fill: Fill<'_> = &[("actual", &"nothing")];
                verdict.unless(vendor.empty_text, "C-012", path, content.offset(), fill);
            }
        }
    }
}

/// A string or an array.
fn typed(message: &Message<'_, '_>, content: Value<'_, '_>, rule: &str, verdict: &mut Verdict) {
    if !matches!(content.kind(), Kind::String | Kind::Array) {
        let path = message.path(".content");
        verdict.refuse(rule, path, content.offset(), &[("actual", &named(content.kind()))]);
    }
}

fn is_empty(content: Value<'_, '_>) -> bool {
    content.is_str("")
        || content.kind() == Kind::Array
            && content.items().next().is_some()
            && content.items().all(|part| part.get("text").is_some_and(|text| text.is_str("")))
}

fn parts(vendor: &Vendor, message: &Message<'_, '_>, verdict: &mut Verdict) {
    let Some(content) = message.get("content").filter(|c| c.kind() == Kind::Array) else { return };
    let path = message.path(".content");
    if content.items().next().is_none() && vendor.form == Form::Completions {
        // With calls beside it, nothing is missing.
        let takes = if message.has_calls() { vendor.empty_lists } else { Takes::No };
        return verdict.unless(takes, "C-013", path, content.offset(), &[]);
    }
    let takes = match message.role {
        Role::User | Role::System | Role::Developer => vendor.parts_user,
        Role::Assistant => vendor.parts_assistant,
        Role::Tool => vendor.parts_tool,
        Role::Function | Role::Other => Takes::Yes,
    };
    // An image cannot stand anywhere else: whether it is taken is C-018.
    let only_text = content.items().all(|part| kind(part) == "text");
    let rule = match vendor.form {
        Form::Completions => "K-005",
        Form::Ollama => "O-1",
    };
    if only_text || message.role != Role::User || vendor.form == Form::Ollama {
        verdict.unless(takes, rule, path, content.offset(), &[]);
    }
    for (index, part) in message.parts() {
        one(vendor, message, index, part, verdict);
    }
}

fn one(
    vendor: &Vendor,
    message: &Message<'_, '_>,
    index: usize,
    part: Value<'_, '_>,
    verdict: &mut Verdict,
) {
    let kind = kind(part);
    let path = message.path(&format!(".content[{index}]"));
    let role = message.role.as_str();
    let fill: Fill<'_> = &[("kind", &kind), ("role", &role)];
    let (rule, takes) = match (message.role, &*kind) {
        (_, "text") => return text(message, index, part, verdict),
        // Judged with the other media.
        (Role::User, "image_url" | "file" | "input_audio" | "document_url" | "video_url")
        | (_, "image_url") => return,
        (Role::User, _) => ("L-3", Takes::No),
        (Role::Assistant, "refusal") => ("C-015", vendor.refusal),
        (Role::Assistant, "thinking")
            if vendor.reasoning_key == Some(ReasoningKey::ThinkingPart) =>
        {
            return;
        }
        (Role::Assistant, _) => ("C-015", Takes::No),
        _ => ("C-016", Takes::No),
    };
    verdict.unless(takes, rule, path, part.offset(), fill);
}

/// C-013 for a part: a text that is a string.
fn text(message: &Message<'_, '_>, index: usize, part: Value<'_, '_>, verdict: &mut Verdict) {
    let path = message.path(&format!(".content[{index}].text"));
    match part.get("text") {
        Some(text) if text.is_str("") => {
            let words = format!("Invalid '{path}': empty string.");
            verdict.say(Takes::Doubtful, "C-013", path, text.offset(), words);
        }
        Some(text) if text.kind() == Kind::String => {}
        Some(_) | None => {
            let words = format!("Missing required parameter: '{path}'.");
            verdict.say(Takes::No, "C-013", path, part.offset(), words);
        }
    }
}
