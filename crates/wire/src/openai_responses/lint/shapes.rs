//! What items are made of: their type, their members, and what those hold.

use json::{Kind, Value};

use super::items::{Item, SHAPES};
use super::{Body, Verdict};
use crate::report::{Fill, one_of};
use crate::takes::Takes;

/// Roles of a message.
const ROLES: &[&str] = &["assistant", "system", "developer", "user"];

///
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    for item in &body.items {
        let Some(shape) = item.shape else {
            unknown(item, verdict);
            continue;
        };
        for name in shape.required.iter().filter(|name| item.value.get(name).is_none()) {
            let path = item.path(&format!(".{name}"));
            let rule = if item.kind == "program" { "R-010" } else { "R-036" };
            let words = format!("Missing required parameter: '{path}'.");
            verdict.say(rule, path, item.value.offset(), words);
        }
        members(body, item, shape.members, verdict);
        match &*item.kind {
            "message" => message(body, item, verdict),
            "reasoning" => reasoning(body, item, verdict),
            "compaction" if item.get("encrypted_content").is_none() => {
                let path = item.path(".encrypted_content");
                verdict.add("R-048", path, item.value.offset(), &[]);
            }
            "program" if item.get("fingerprint").is_none() => {
                verdict.add("R-010", item.path(".fingerprint"), item.value.offset(), &[]);
            }
            "function_call" => string(item, "arguments", verdict),
            "custom_tool_call" => string(item, "input", verdict),
            _ => {}
        }
    }
}

///
fn unknown(item: &Item<'_, '_>, verdict: &mut Verdict) {
    let path = item.path(".type");
    if item.kind.is_empty() {
        let words = format!("Missing required parameter: '{path}'.");
        return verdict.say("R-039", path, item.value.offset(), words);
    }
    let kinds: Vec<&str> = SHAPES.iter().map(|shape| shape.kind).collect();
    let fill: Fill<'_> = &[("kind", &item.kind), ("known", &one_of(&kinds))];
    verdict.add("R-039", path, item.value.offset(), fill);
}

///
fn members(body: &Body<'_, '_>, item: &Item<'_, '_>, known: &[&str], verdict: &mut Verdict) {
    if known.is_empty() {
        return;
    }
    for (key, value) in item.value.members() {
        let name = key.as_str().unwrap_or_default();
        if !known.contains(&&*name) {
            let path = item.path(&format!(".{name}"));
            verdict.unless(body.platform.unknown_members, "R-040", path, value.offset(), &[]);
        }
    }
}

fn message(body: &Body<'_, '_>, item: &Item<'_, '_>, verdict: &mut Verdict) {
    let at = item.value.offset();
    if item.get("type").is_none() {
        verdict.unless(body.platform.untyped_messages, "R-045", item.path(".type"), at, &[]);
    }
    if let Some(role) = item.text("role").filter(|role| !ROLES.contains(&&**role)) {
        let fill: Fill<'_> = &[("kind", &role), ("known", &one_of(ROLES))];
        verdict.add("R-039", item.path(".role"), at, fill);
    }
}

fn reasoning(body: &Body<'_, '_>, item: &Item<'_, '_>, verdict: &mut Verdict) {
    let at = item.value.offset();
    if item.get("summary").is_none_or(|summary| summary.kind() != Kind::Array) {
        verdict.add("R-023", item.path(".summary"), at, &[]);
    }
    let len = item.get("content").into_iter().flat_map(Value::items).count();
    if len > 0 {
        let takes = body.platform.reasoning_text;
        verdict.unless(takes, "R-024", item.path(".content"), at, &[("len", &len)]);
    }
    if let Some(sealed) = item.get("encrypted_content").filter(|sealed| sealed.is_str("")) {
        let path = item.path(".encrypted_content");
        verdict.add("R-027", path, sealed.offset(), &[("start", &"")]);
    }
}

///
fn string(item: &Item<'_, '_>, name: &str, verdict: &mut Verdict) {
    let Some(value) = item.value.get(name) else { return };
    if value.kind() != Kind::String {
        let fill: Fill<'_> = &[("actual", &named(value.kind()))];
        verdict.unless(Takes::No, "R-037", item.path(&format!(".{name}")), value.offset(), fill);
    }
}

/// The kind of a value, as errors name it.
pub(super) fn named(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "a boolean",
        Kind::Number => "a number",
        Kind::String => "a string",
        Kind::Array => "an array",
        Kind::Object => "an object",
    }
}
