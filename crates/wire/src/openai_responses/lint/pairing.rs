//! Calls and outputs.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use json::Value;

use super::items::Item;
use super::{Body, Verdict};
use crate::report::Fill;

/// A call's type, the type of its output, and the member that pairs them.
const PAIRS: &[(&str, &str, &str, &str)] = &[
    ("function_call", "function_call_output", "call_id", "function call"),
    ("custom_tool_call", "custom_tool_call_output", "call_id", "custom tool call"),
    ("computer_call", "computer_call_output", "call_id", "computer call"),
    ("shell_call", "shell_call_output", "call_id", "shell call"),
    ("apply_patch_call", "apply_patch_call_output", "call_id", "apply patch call"),
    ("tool_search_call", "tool_search_output", "call_id", "tool search call"),
    // Its output names it by `id`, or is a function's.
    ("local_shell_call", "local_shell_call_output", "id", "local shell call"),
];

struct Call {
    kind: &'static str,
    named: &'static str,
    path: String,
    at: usize,
    answered: bool,
    may_wait: bool,
}

///
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let mut calls: HashMap<Cow<'_, str>, Call> = HashMap::new();
    let mut order = Vec::new();
    for item in &body.items {
        if let Some((kind, _, _, named)) = PAIRS.iter().find(|pair| pair.0 == item.kind) {
            let Some(id) = item.text("call_id") else { continue };
            let is_async = item.get("async").and_then(Value::as_bool) == Some(true);
            // The provider's own search has its output elsewhere.
            let is_server = item.text("execution").as_deref() == Some("server");
            let call = Call {
                kind,
                named,
                path: item.path(""),
                at: item.value.offset(),
                answered: false,
                may_wait: is_async || is_server,
            };
            order.push(id.clone());
            calls.insert(id, call);
        } else if let Some(pair) = PAIRS.iter().find(|pair| pair.1 == item.kind) {
            output(body, item, (pair.0, pair.2), &mut calls, verdict);
        }
    }
    for id in order {
        let Some(call) = calls.remove(&id).filter(|call| !call.answered && !call.may_wait) else {
            continue;
        };
        let fill: Fill<'_> = &[("kind", &call.named), ("id", &id)];
        verdict.add("R-001", call.path, call.at, fill);
    }
    namespaces(body, verdict);
    approvals(body, verdict);
}

fn output(
    body: &Body<'_, '_>,
    item: &Item<'_, '_>,
    (kind, member): (&str, &str),
    calls: &mut HashMap<Cow<'_, str>, Call>,
    verdict: &mut Verdict,
) {
    let id = item.text("call_id").or_else(|| item.text(member));
    let Some(id) = id.filter(|_| item.text("execution").as_deref() != Some("server")) else {
        return;
    };
    let at = item.value.offset();
    let words = item.kind.replace('_', " ");
    let fill: Fill<'_> = &[("kind", &words), ("id", &id)];
    match calls.get_mut(&*id) {
        None if body.goes_on => {}
        None => verdict.add("R-002", item.path(".call_id"), at, fill),
        Some(call) if call.kind != kind && !is_ours(call.kind, kind) => {
            verdict.add("R-003", item.path(".call_id"), at, fill);
        }
        Some(call) if call.answered => {
            verdict.add("R-005", item.path(".call_id"), at, &[("id", &id)]);
        }
        Some(call) => call.answered = true,
    }
}

/// What runs on our side may be answered as a function is; that was seen to be accepted.
fn is_ours(call: &str, output_of: &str) -> bool {
    matches!(call, "local_shell_call" | "tool_search_call") && output_of == "function_call"
}

/// names that only a namespace has.
fn namespaces(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let declared = body.param("tools").into_iter().flat_map(Value::items);
    let found = body.items.iter().filter_map(|item| item.get("tools")).flat_map(Value::items);
    let (mut inside, mut outside) = (HashSet::new(), HashSet::new());
    for tool in declared.chain(found) {
        if tool.get_str("type").as_deref() == Some("namespace") {
            let tools = tool.get("tools").into_iter().flat_map(Value::items);
            inside.extend(tools.filter_map(|tool| tool.get_str("name")));
        } else {
            outside.extend(tool.get_str("name"));
        }
    }
    for item in body.items.iter().filter(|item| item.kind == "function_call") {
        let Some(name) = item.text("name") else { continue };
        if item.get("namespace").is_none() && inside.contains(&name) && !outside.contains(&name) {
            let path = item.path(".namespace");
            verdict.add("R-008", path, item.value.offset(), &[("name", &name)]);
        }
    }
}

///
fn approvals(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let answered: HashSet<_> =
        body.items.iter().filter_map(|item| item.text("approval_request_id")).collect();
    for item in body.items.iter().filter(|item| item.kind == "mcp_approval_request") {
        let id = item.text("id").unwrap_or_default();
        if !answered.contains(&id) {
            verdict.add("R-009", item.path(".id"), item.value.offset(), &[("id", &id)]);
        }
    }
}
