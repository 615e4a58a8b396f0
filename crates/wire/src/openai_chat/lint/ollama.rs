//! What Ollama's native API has otherwise: arguments that are objects, images beside the content,
//! results that match by order, and parameters of its own.

use std::borrow::Cow;
use std::collections::VecDeque;

use json::{Doc, Kind, Value};

use super::Body;
use super::conversation::{Message, Role};
use super::verdict::Verdict;
use super::{calls, media};
use crate::media::{HEADER_BYTES, decoded, is_base64, media_type};
use crate::openai_chat::vendors::{Takes, Vendor};

/// Parameters that are read.
const PARAMETERS: &[&str] = &[
    "model",
    "messages",
    "tools",
    "stream",
    "format",
    "options",
    "keep_alive",
    "think",
    "truncate",
    "shift",
    "logprobs",
    "top_logprobs",
];

/// C-029, O-2, O-3, O-5 and O-6.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let mut images = 0;
    for message in &body.messages {
        for (index, call) in message.calls().filter(|_| message.role == Role::Assistant) {
            arguments(&body.vendor, message, index, call, verdict);
        }
        let listed = message.get("images").into_iter().flat_map(Value::items).enumerate();
        for (index, value) in listed {
            images += 1;
            image(&body.vendor, message, index, value, verdict);
            media::many(&body.vendor, images, message, value, verdict);
        }
        calls::parallel(body, message, verdict);
    }
    order(body, verdict);
    for (key, value) in body.root.members() {
        let name = key.as_str().unwrap_or_default();
        if !value.is_null() && !PARAMETERS.contains(&&*name) {
            let path = name.into_owned();
            verdict.unless(Takes::Doubtful, "O-6", path, value.offset(), &[]);
        }
    }
}

/// O-2.
fn arguments(
    vendor: &Vendor,
    message: &Message<'_, '_>,
    index: usize,
    call: Value<'_, '_>,
    verdict: &mut Verdict,
) {
    let value = call.get("function").and_then(|function| function.get("arguments"));
    let Some(value) = value.filter(|value| value.kind() != Kind::Object) else { return };
    let is_text = value.as_str().is_some_and(|text| Doc::parse_str(&text).is_err());
    let takes = if is_text { vendor.arguments_not_json } else { vendor.arguments_not_object };
    let path = message.path(&format!(".tool_calls[{index}].function.arguments"));
    verdict.unless(takes, "O-2", path, value.offset(), &[]);
}

/// C-014, C-017, C-018 and O-5.
fn image(
    vendor: &Vendor,
    message: &Message<'_, '_>,
    index: usize,
    value: Value<'_, '_>,
    verdict: &mut Verdict,
) {
    let at = value.offset();
    let path = message.path(&format!(".images[{index}]"));
    media::place(vendor, message, path.clone(), at, verdict);
    let text = value.as_str().unwrap_or_default();
    if text.is_empty() || !is_base64(&text) {
        let odd = |sign: char| !sign.is_ascii_alphanumeric() && !"+/=".contains(sign);
        let byte = text.find(odd).unwrap_or(text.len());
        return verdict.refuse("O-5", path, at, &[("at", &byte)]);
    }
    let header = decoded(text.get(..HEADER_BYTES).unwrap_or(&text));
    if media_type(&header).is_none() {
        verdict.refuse("C-017", path, at, &[]);
    }
}

/// O-3: the calls that wait, by name and in order, and the results that come.
fn order(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let mut waiting: VecDeque<Cow<'_, str>> = VecDeque::new();
    let mut asked: Option<&Message<'_, '_>> = None;
    let mut say = |message: &Message<'_, '_>, rest: &str| {
        let at = message.value.offset();
        verdict.unless(Takes::Doubtful, "O-3", message.path(rest), at, &[]);
    };
    for message in &body.messages {
        if message.role == Role::Tool {
            let named = message.value.get_str("tool_name");
            match waiting.pop_front() {
                None => say(message, ".role"),
                Some(call) if named.is_some_and(|named| named != call) => {
                    say(message, ".tool_name");
                }
                Some(_) => {}
            }
            continue;
        }
        if let Some(asked) = asked.take().filter(|_| !waiting.is_empty()) {
            say(asked, ".tool_calls");
        }
        waiting.clear();
        if message.has_calls() {
            asked = Some(message);
            waiting.extend(message.calls().map(|(_, call)| {
                let name = call.get("function").and_then(|function| function.get_str("name"));
                name.unwrap_or_default()
            }));
        }
    }
    if let Some(asked) = asked.filter(|_| !waiting.is_empty()) {
        say(asked, ".tool_calls");
    }
}
