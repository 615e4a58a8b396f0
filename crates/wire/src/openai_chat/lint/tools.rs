//! Tool definitions, the choice among them, and whether they are there when the history needs them.

use json::{Kind, Value};

use super::Body;
use super::calls;
use super::conversation::Role;
use super::verdict::Verdict;
use crate::openai_chat::vendors::Vendor;
use crate::report::Fill;

/// C-010, C-026, C-027 and K-032 to K-035.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let tools = body.param("tools").filter(|tools| tools.kind() == Kind::Array);
    match tools {
        Some(tools) => list(&body.vendor, tools, verdict),
        None => absent(body, verdict),
    }
    choice(body, verdict);
}

fn list(vendor: &Vendor, tools: Value<'_, '_>, verdict: &mut Verdict) {
    let len = tools.items().count();
    let path = "tools".to_owned();
    if len == 0 {
        let words = "Invalid 'tools': empty array. Expected an array with minimum length 1, but \
                     got an empty array instead.";
        return verdict.say(vendor.empty_lists, "C-027", path, tools.offset(), words.to_owned());
    }
    if let Some(limit) = vendor.tools_max.filter(|limit| len > limit.max) {
        let fill: Fill<'_> = &[("max", &limit.max), ("len", &len)];
        verdict.unless(limit.more, "C-027", path, tools.offset(), fill);
    }
    for (index, tool) in tools.items().enumerate() {
        definition(vendor, index, tool, verdict);
    }
}

fn definition(vendor: &Vendor, index: usize, tool: Value<'_, '_>, verdict: &mut Verdict) {
    let Some(function) = tool.get("function") else { return };
    let path = format!("tools[{index}].function");
    if let Some(name) = function.get("name") {
        calls::name(vendor, name, format!("{path}.name"), "", verdict);
    }
    if !function.get("parameters").is_some_and(|schema| schema.kind() == Kind::Object) {
        let path = format!("{path}.parameters");
        verdict.unless(vendor.no_parameters, "K-035", path, function.offset(), &[]);
    }
    if let Some(strict) = function.get("strict").filter(|strict| strict.as_bool() == Some(true)) {
        let path = format!("{path}.strict");
        verdict.unless(vendor.strict, "K-034", path, strict.offset(), &[]);
    }
}

/// C-026 and K-032.
fn absent(body: &Body<'_, '_>, verdict: &mut Verdict) {
    for name in ["tool_choice", "parallel_tool_calls"] {
        if let Some(value) = body.param(name) {
            verdict.refuse("C-026", name.to_owned(), value.offset(), &[]);
        }
    }
    let called =
        |message: &&super::Message<'_, '_>| message.has_calls() || message.role == Role::Tool;
    if let Some(message) = body.messages.iter().find(called) {
        let at = message.value.offset();
        let takes = body.vendor.calls_without_tools;
        verdict.unless(takes, "K-032", "tools".to_owned(), at, &[]);
    }
}

/// K-033.
fn choice(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let Some(choice) = body.param("tool_choice") else { return };
    let forced = choice.is_str("required") || choice.is_str("any") || choice.kind() == Kind::Object;
    if forced {
        let takes = body.vendor.tool_choice_required;
        verdict.unless(takes, "K-033", "tool_choice".to_owned(), choice.offset(), &[]);
    }
}
