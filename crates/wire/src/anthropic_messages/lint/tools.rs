//! Tool definitions, references to them, and toolsets.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use json::{Kind as JsonKind, Value};

use super::conversation::{Block, Kind};
use super::limits::TOOLS_MAX;
use super::{Body, Platform};
use crate::report::{Fill, Report};

/// Models that take the newest computer toolset only.
const NO_COMPUTER_20251124: &[&str] = &["claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-2"];

/// where it concerns tools.
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    let tools = body.param("tools").filter(|tools| tools.kind() == JsonKind::Array);
    let list = || tools.into_iter().flat_map(|tools| tools.items());
    let mut names = HashSet::new();
    for (index, tool) in list().enumerate() {
        let name = tool.get("name").and_then(Value::as_str);
        if name.is_some_and(|name| !names.insert(name)) {
            report.add("A-043", format!("tools.{index}"), tool.offset(), &[]);
        }
        definition(body, index, tool, report);
    }
    if let Some(tools) = tools.filter(|_| list().next().is_some()) {
        deferred(list(), tools.offset(), report);
    }
    if let Some(extra) = list().nth(TOOLS_MAX) {
        let words = format!("tools: List should have at most {TOOLS_MAX} items");
        report.say("A-048", format!("tools.{TOOLS_MAX}"), extra.offset(), words);
    }
    choice(body, report);
    // What a toolset brings is not named in `tools`.
    if !list().any(|tool| tag(tool).contains("toolset")) {
        references(body, report);
    }
    toolset_names(body, report);
}

fn tag<'t>(tool: Value<'_, 't>) -> Cow<'t, str> {
    tool.get_str("type").unwrap_or_default()
}

/// for one definition.
fn definition(body: &Body<'_, '_>, index: usize, tool: Value<'_, '_>, report: &mut Report) {
    let kind = tag(tool);
    let custom = kind.is_empty() || kind == "custom";
    if let Some(schema) = tool.get("input_schema").filter(|_| custom) {
        input_schema(&format!("tools.{index}.custom.input_schema"), schema, report);
    }
    let mark = tool.get("cache_control").filter(|mark| !mark.is_null());
    if let (true, Some(mark)) = (is_deferred(tool), mark) {
        let path = format!("tools.{index}.cache_control");
        let words = format!("{path}: tools with defer_loading cannot have cache_control");
        report.say("A-048", path, mark.offset(), words);
    }
    let refused = NO_COMPUTER_20251124.contains(&body.model.id);
    if refused && kind == "computer_20251124" && body.platform != Platform::Bedrock {
        let fill: Fill<'_> = &[("model", &body.model_name), ("kind", &kind)];
        report.add("A-049", format!("tools.{index}"), tool.offset(), fill);
    }
}

/// A-047, as far as the shape of a schema shows.
fn input_schema(path: &str, schema: Value<'_, '_>, report: &mut Report) {
    if schema.kind() != JsonKind::Object {
        return;
    }
    match schema.get("type") {
        None => {
            let path = format!("{path}.type");
            let words = format!("{path}: Field required");
            report.say("A-047", path, schema.offset(), words);
        }
        Some(kind) if !kind.is_str("object") => {
            let path = format!("{path}.type");
            let words = format!("{path}: Input should be 'object'");
            report.say("A-047", path, kind.offset(), words);
        }
        Some(_) => {}
    }
    for key in ["oneOf", "allOf", "anyOf"] {
        if let Some(union) = schema.get(key) {
            let words = format!(
                "{path}: input_schema does not support oneOf, allOf, or anyOf at the top level"
            );
            report.say("A-047", path.to_owned(), union.offset(), words);
        }
    }
    let properties = schema.get("properties").filter(|value| value.kind() != JsonKind::Object);
    let required = schema.get("required").filter(|value| {
        value.kind() != JsonKind::Array || value.items().any(|name| name.kind() != JsonKind::String)
    });
    for wrong in [properties, required].into_iter().flatten().filter(|value| !value.is_null()) {
        report.add("A-047", path.to_owned(), wrong.offset(), &[]);
    }
}

fn is_deferred(tool: Value<'_, '_>) -> bool {
    tool.get("defer_loading").and_then(Value::as_bool) == Some(true)
}

/// one tool is loaded from the start.
fn deferred<'d, 't>(
    mut tools: impl Iterator<Item = Value<'d, 't>>,
    offset: usize,
    report: &mut Report,
) where
    't: 'd,
{
    if tools.all(is_deferred) {
        report.add("A-048", "tools".to_owned(), offset, &[]);
    }
}

///
fn choice(body: &Body<'_, '_>, report: &mut Report) {
    let Some(choice) = body.param("tool_choice") else { return };
    let some = body.param("tools").is_some_and(|tools| tools.items().next().is_some());
    if !some && body.param("mcp_servers").is_none() {
        return report.add("A-045", "tool_choice".to_owned(), choice.offset(), &[]);
    }
    if body.param_type("tool_choice").as_deref() != Some("tool") {
        return;
    }
    if let Some(name) = choice.get("name").and_then(Value::as_str) {
        let toolset = body.param("tools").into_iter().flat_map(|tools| tools.items());
        let toolset = toolset.into_iter().any(|tool| tag(tool).contains("toolset"));
        if !body.tool_names.contains(&name) && !toolset {
            let words = format!("tool_choice: Tool '{name}' not found in provided tools");
            report.say("A-045", "tool_choice.tool.name".to_owned(), choice.offset(), words);
        }
    }
}

/// a reference names a tool of `tools`.
fn references(body: &Body<'_, '_>, report: &mut Report) {
    for block in body.conversation.all() {
        if !matches!(block.kind, Kind::ToolResult | Kind::ServerResult) {
            continue;
        }
        let Some(content) = block.value.get("content") else { continue };
        let list = content.get("tool_references").unwrap_or(content);
        for (index, item) in list.items().enumerate() {
            if !item.get("type").is_some_and(|tag| tag.is_str("tool_reference")) {
                continue;
            }
            let Some(name) = item.get_str("tool_name") else { continue };
            if !body.tool_names.contains(&name) {
                let path = format!("{}.{}.content.{index}", block.path(), block.tag());
                let words = format!("Tool reference '{name}' not found in available tools");
                report.say("A-048", path, item.offset(), words);
            }
        }
    }
}

/// a result echoes the toolset of its call.
fn toolset_names(body: &Body<'_, '_>, report: &mut Report) {
    let mut toolsets = HashMap::new();
    for block in body.conversation.all() {
        let own = block.value.get_str("toolset_name");
        if block.kind == Kind::ToolUse {
            toolsets.insert(block.id(), own);
        } else if block.kind == Kind::ToolResult {
            match toolsets.get(&block.id()) {
                Some(called) if *called != own => echo(block, report),
                Some(_) | None => {}
            }
        }
    }
}

fn echo(block: &Block<'_, '_>, report: &mut Report) {
    let path = format!("{}.tool_result.toolset_name", block.path());
    let words = format!("{path}: must match the `toolset_name` of the `tool_use` block");
    report.say("A-049", path, block.value.offset(), words);
}
