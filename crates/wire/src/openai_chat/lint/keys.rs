//! The keys of messages: which are documented, and who takes others.

use json::Value;

use super::Body;
use super::conversation::{Message, Role};
use super::verdict::Verdict;
use crate::openai_chat::vendors::{Form, ReasoningKey, Takes, Vendor};
use crate::report::Fill;

/// Keys that hold reasoning at some vendor (K-022).
pub(super) const REASONING_KEYS: &[&str] =
    &["reasoning_content", "reasoning", "reasoning_details", "reasoning_text", "thinking"];

/// Keys of an assistant message that OpenAI has (K-031).
const OPENAI_KEYS: &[&str] = &["refusal", "audio", "function_call", "annotations"];

/// Characters of a `name` (C-021).
const NAME_CHARS_MAX: usize = 64;

/// C-021, C-024, K-004, K-013, K-021, K-022, K-031 and P-07.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    for message in &body.messages {
        for (key, value) in message.value.members() {
            let name = key.as_str().unwrap_or_default();
            // An unset key is as good as none, but for OpenAI's own (K-031).
            if value.is_null() && !OPENAI_KEYS.contains(&&*name) {
                continue;
            }
            one(body, message, &name, value, verdict);
        }
        marks(&body.vendor, message, verdict);
    }
}

fn one(
    body: &Body<'_, '_>,
    message: &Message<'_, '_>,
    key: &str,
    value: Value<'_, '_>,
    verdict: &mut Verdict,
) {
    let vendor = &body.vendor;
    let role = message.role;
    let known = match key {
        "role" | "content" => true,
        "tool_calls" => role == Role::Assistant,
        "tool_call_id" => role == Role::Tool,
        "images" => vendor.form == Form::Ollama,
        "tool_name" => vendor.form == Form::Ollama && role == Role::Tool,
        _ => vendor.prefill_key == Some(key) && role == Role::Assistant,
    };
    if known || role == Role::Other {
        return;
    }
    let (takes, rule) = if REASONING_KEYS.contains(&key) {
        return reasoning(vendor, message, key, value, verdict);
    } else if OPENAI_KEYS.contains(&key) && role == Role::Assistant {
        (vendor.refusal, "K-031")
    } else if key == "name" && role == Role::Tool {
        (vendor.tool_message_name, "K-013")
    } else if key == "name" {
        name(vendor, message, value, verdict);
        return;
    } else if key == "tools" && role.instructs() {
        (vendor.tools_in_system, "K-004")
    } else if key == "cache_control" {
        (vendor.cache_marks, "P-07")
    } else {
        (vendor.unknown_keys, "C-024")
    };
    refuse(takes, rule, message, key, value, verdict);
}

fn refuse(
    takes: Takes,
    rule: &str,
    message: &Message<'_, '_>,
    key: &str,
    value: Value<'_, '_>,
    verdict: &mut Verdict,
) {
    let role = message.role.as_str();
    let path = message.path(&format!(".{key}"));
    let fill: Fill<'_> = &[("key", &key), ("n", &message.index), ("role", &role)];
    verdict.unless(takes, rule, path, value.offset(), fill);
}

/// K-021 where another key is refused, K-022 where it is ignored.
fn reasoning(
    vendor: &Vendor,
    message: &Message<'_, '_>,
    key: &str,
    value: Value<'_, '_>,
    verdict: &mut Verdict,
) {
    let own = vendor.reasoning_key.filter(|_| message.role == Role::Assistant);
    if own.is_some_and(|own| own.as_str() == key) {
        return;
    }
    let details = message.get(ReasoningKey::ReasoningDetails.as_str()).is_some();
    match (vendor.unknown_keys, own) {
        // A gateway reads both; one of them is enough.
        (Takes::Yes, Some(ReasoningKey::ReasoningDetails)) if !details => {}
        (Takes::Yes, _) => refuse(Takes::Doubtful, "K-022", message, key, value, verdict),
        (takes, _) => refuse(takes, "K-021", message, key, value, verdict),
    }
}

/// C-021.
fn name(vendor: &Vendor, message: &Message<'_, '_>, value: Value<'_, '_>, verdict: &mut Verdict) {
    let path = message.path(".name");
    let text = value.as_str().unwrap_or_default();
    let odd = |sign: char| sign.is_whitespace() || "<|\\/>".contains(sign);
    let fits = !text.is_empty() && text.chars().count() <= NAME_CHARS_MAX && !text.contains(odd);
    let takes = if fits { vendor.message_name } else { Takes::No };
    verdict.unless(takes, "C-021", path, value.offset(), &[]);
}

/// P-07 for parts.
fn marks(vendor: &Vendor, message: &Message<'_, '_>, verdict: &mut Verdict) {
    for (index, part) in message.parts() {
        if let Some(mark) = part.get("cache_control").filter(|mark| !mark.is_null()) {
            let path = message.path(&format!(".content[{index}]"));
            verdict.unless(vendor.cache_marks, "P-07", path, mark.offset(), &[]);
        }
    }
}
