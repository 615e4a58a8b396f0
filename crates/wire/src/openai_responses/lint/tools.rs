//! Tool definitions, and the choice among them.

use json::{Kind, Value};

use super::{Body, Verdict};

/// Tools of a request.
const TOOLS_MAX: usize = 128;

/// Characters of a tool's name.
const NAME_CHARS_MAX: usize = 64;

/// C-010, C-026, C-027 and K-035.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    for item in body.items.iter().filter(|item| item.kind.ends_with("_call")) {
        if let Some(written) = item.get("name").filter(|_| item.kind != "mcp_call") {
            name(written, item.path(".name"), verdict);
        }
    }
    let tools = body.param("tools").filter(|tools| tools.kind() == Kind::Array);
    let found = body.items.iter().any(|item| item.kind == "additional_tools");
    let Some(tools) = tools else {
        for choice in ["tool_choice", "parallel_tool_calls"] {
            if let Some(value) = body.param(choice).filter(|_| !found && !body.goes_on) {
                verdict.add("C-026", choice.to_owned(), value.offset(), &[]);
            }
        }
        return;
    };
    let len = tools.items().count();
    if len > TOOLS_MAX {
        verdict.add("C-027", "tools".to_owned(), tools.offset(), &[("len", &len)]);
    }
    for (index, tool) in tools.items().enumerate() {
        definition(tool, index, verdict);
    }
}

fn definition(tool: Value<'_, '_>, index: usize, verdict: &mut Verdict) {
    let path = format!("tools[{index}]");
    let kind = tool.get_str("type").unwrap_or_default();
    if !matches!(&*kind, "function" | "custom") {
        return;
    }
    match tool.get("name") {
        Some(written) => name(written, format!("{path}.name"), verdict),
        None => {
            let words = format!("Missing required parameter: '{path}.name'.");
            verdict.say("C-010", format!("{path}.name"), tool.offset(), words);
        }
    }
    let parameters = tool.get("parameters").map(Value::kind);
    if kind == "function" && !matches!(parameters, Some(Kind::Object | Kind::Null)) {
        verdict.add("K-035", format!("{path}.parameters"), tool.offset(), &[]);
    }
}

/// C-010.
fn name(written: Value<'_, '_>, path: String, verdict: &mut Verdict) {
    let text = written.as_str().unwrap_or_default();
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let len = text.chars().count();
    if text.is_empty() || !text.bytes().all(word) {
        verdict.add("C-010", path, written.offset(), &[]);
    } else if len > NAME_CHARS_MAX {
        let words = format!(
            "Invalid '{path}': string too long. Expected a string with maximum length \
             {NAME_CHARS_MAX}, but got a string with length {len} instead."
        );
        verdict.say("C-010", path, written.offset(), words);
    }
}
