//! Calls one by one: their shape, their ids, their names and their arguments.

use json::{Doc, Kind, Value};

use super::Body;
use super::conversation::{Message, Role, named};
use super::verdict::Verdict;
use crate::openai_chat::vendors::{Form, Takes, Vendor};
use crate::report::Fill;

/// C-005, C-007, C-008, C-010, K-010 and M-4.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let vendor = &body.vendor;
    for message in &body.messages {
        if message.role == Role::Tool {
            let path = message.path(".tool_call_id");
            if vendor.form == Form::Completions {
                required(message.value, "tool_call_id", &path, verdict);
            }
            if let Some(answers) = message.get("tool_call_id") {
                id(vendor, answers, path, verdict);
            }
        } else if message.role == Role::Assistant {
            list(vendor, message, verdict);
            for (index, call) in message.calls() {
                one(vendor, call, &message.path(&format!(".tool_calls[{index}]")), verdict);
            }
        }
    }
}

/// C-007.
fn list(vendor: &Vendor, message: &Message<'_, '_>, verdict: &mut Verdict) {
    let path = message.path(".tool_calls");
    let Some(calls) = message.get("tool_calls") else { return };
    if calls.kind() != Kind::Array {
        wrong_type("C-007", path, calls, "an array of objects", verdict);
    } else if calls.items().next().is_none() {
        verdict.unless(vendor.empty_lists, "C-007", path, calls.offset(), &[]);
    }
}

fn one(vendor: &Vendor, call: Value<'_, '_>, path: &str, verdict: &mut Verdict) {
    if call.kind() != Kind::Object {
        return wrong_type("C-008", path.to_owned(), call, "an object", verdict);
    }
    if vendor.form == Form::Completions {
        required(call, "id", &format!("{path}.id"), verdict);
    }
    if let Some(value) = call.get("id").filter(|id| !id.is_null()) {
        id(vendor, value, format!("{path}.id"), verdict);
    }
    let (key, body_key) = match call.get("custom") {
        Some(_) => ("custom", "input"),
        None => ("function", "arguments"),
    };
    let Some(function) = call.get(key).filter(|function| function.kind() == Kind::Object) else {
        let value = call.get(key);
        let path = format!("{path}.{key}");
        return missing_or_wrong(value, call, path, "an object", verdict);
    };
    match function.get("name") {
        Some(value) if value.kind() == Kind::String => {
            let called = call.get_str("id").unwrap_or_default();
            name(vendor, value, format!("{path}.{key}.name"), &called, verdict);
        }
        value => {
            missing_or_wrong(value, function, format!("{path}.{key}.name"), "a string", verdict);
        }
    }
    let path = format!("{path}.{key}.{body_key}");
    match function.get(body_key) {
        Some(_) if vendor.form == Form::Ollama => {}
        Some(value) if value.kind() == Kind::String => {
            if key == "function" {
                arguments(vendor, call, value, path, verdict);
            }
        }
        value => missing_or_wrong(value, function, path, "a string", verdict),
    }
}

/// C-008 for a key that has to be there.
fn required(value: Value<'_, '_>, key: &str, path: &str, verdict: &mut Verdict) {
    let found = value.get(key);
    if !found.is_some_and(|found| found.kind() == Kind::String) {
        missing_or_wrong(found, value, path.to_owned(), "a string", verdict);
    }
}

fn missing_or_wrong(
    value: Option<Value<'_, '_>>,
    parent: Value<'_, '_>,
    path: String,
    expected: &str,
    verdict: &mut Verdict,
) {
    match value {
        Some(value) => wrong_type("C-008", path, value, expected, verdict),
        None => {
            let words = format!("Missing required parameter: '{path}'.");
            verdict.say(Takes::No, "C-008", path, parent.offset(), words);
        }
    }
}

fn wrong_type(
    rule: &str,
    path: String,
    value: Value<'_, '_>,
    expected: &str,
    verdict: &mut Verdict,
) {
    let actual = named(value.kind());
    let words =
        format!("Invalid type for '{path}': expected {expected}, but got {actual} instead.");
    verdict.say(Takes::No, rule, path, value.offset(), words);
}

/// C-005 where a vendor bounds the length, M-4 where it fixes it.
fn id(vendor: &Vendor, value: Value<'_, '_>, path: String, verdict: &mut Verdict) {
    let Some(id) = value.as_str() else { return };
    let grammar = &vendor.ids;
    if grammar.allows(&id) {
        return;
    }
    let takes = if id.is_empty() { Takes::No } else { grammar.others };
    let len = id.chars().count();
    let max = grammar.max_len.unwrap_or_default();
    if grammar.exact_len.is_some() {
        verdict.unless(takes, "M-4", path, value.offset(), &[("id", &id)]);
    } else if id.is_empty() {
        let words = format!("Invalid '{path}': empty string.");
        verdict.say(takes, "C-005", path, value.offset(), words);
    } else {
        let fill: Fill<'_> = &[("max", &max), ("len", &len)];
        verdict.unless(takes, "C-005", path, value.offset(), fill);
    }
}

/// C-010, for a call or a definition.
pub(super) fn name(
    vendor: &Vendor,
    value: Value<'_, '_>,
    path: String,
    id: &str,
    verdict: &mut Verdict,
) {
    let name = value.as_str().unwrap_or_default();
    if !vendor.tool_names.allows(&name) {
        let takes = if name.is_empty() { Takes::No } else { vendor.tool_names.others };
        let fill: Fill<'_> = &[("name", &name), ("id", &id)];
        verdict.unless(takes, "C-010", path, value.offset(), fill);
    }
}

/// K-010.
fn arguments(
    vendor: &Vendor,
    call: Value<'_, '_>,
    value: Value<'_, '_>,
    path: String,
    verdict: &mut Verdict,
) {
    let text = value.as_str().unwrap_or_default();
    let takes = match Doc::parse_str(&text) {
        Ok(doc) if doc.root().kind() == Kind::Object => return,
        Ok(_) => vendor.arguments_not_object,
        Err(_) => vendor.arguments_not_json,
    };
    let id = call.get_str("id").unwrap_or_default();
    verdict.unless(takes, "K-010", path, value.offset(), &[("id", &id)]);
}

/// C-029.
pub(super) fn parallel(body: &Body<'_, '_>, message: &Message<'_, '_>, verdict: &mut Verdict) {
    if let Some((_, second)) = message.calls().nth(1).filter(|_| message.has_calls()) {
        let path = message.path(".tool_calls");
        verdict.unless(body.vendor.parallel_calls, "C-029", path, second.offset(), &[]);
    }
}
