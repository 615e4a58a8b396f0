//! Calls that the provider answers itself: their pairs, the paused tail, the turn that waits for
//! client tools, advisor, programmatic callers, fallback, MCP.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use json::Value;

use super::Body;
use super::conversation::{Block, Kind, Role, Turn};
use crate::report::{Fill, Report};

/// Open server calls by id, with their place in the order of opening.
type Open<'b, 'd, 't> = HashMap<Cow<'t, str>, &'b Block<'d, 't>>;

///
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    let conversation = &body.conversation;
    let mut open = Open::new();
    let mut called = HashSet::new();
    for (index, turn) in conversation.turns.iter().enumerate() {
        let blocks = conversation.blocks(&turn.blocks);
        match turn.role {
            Role::Assistant => {
                paired(blocks, &mut open, &mut called, report);
                let is_last = index + 1 == conversation.turns.len();
                unresolved(body, turn, is_last, &mut open, report);
                fallback(blocks, report);
            }
            Role::User if !open.is_empty() => results_only(blocks, report),
            Role::User | Role::System | Role::Other => {}
        }
    }
    advisor(body, report);
    mcp_servers(body, report);
}

/// closes what is answered.
fn paired<'b, 'd, 't>(
    blocks: &'b [Block<'d, 't>],
    open: &mut Open<'b, 'd, 't>,
    called: &mut HashSet<Cow<'t, str>>,
    report: &mut Report,
) {
    for block in blocks {
        if block.kind == Kind::ServerToolUse {
            open.insert(block.id(), block);
        }
        if matches!(block.kind, Kind::ServerToolUse | Kind::McpToolUse) {
            called.insert(block.id());
        }
        if matches!(block.kind, Kind::ServerResult | Kind::McpToolResult) {
            open.remove(&block.id());
            if !called.contains(&block.id()) {
                let fill: Fill<'_> = &[("kind", &block.tag()), ("id", &block.id())];
                report.add("A-101", block.path(), block.value.offset(), fill);
            }
        }
        if !matches!(block.kind, Kind::ToolUse | Kind::ServerToolUse) {
            continue;
        }
        let caller = block.value.get("caller").and_then(|caller| caller.get("tool_id"));
        let Some(id) = caller.and_then(Value::as_str) else { continue };
        if !called.contains(&id) {
            report.add("A-107", block.path(), block.value.offset(), &[("id", &id)]);
        }
    }
}

/// a call may stay open in the paused tail, and while client tools run.
fn unresolved<'b, 'd, 't>(
    body: &'b Body<'d, 't>,
    turn: &Turn,
    is_last: bool,
    open: &mut Open<'b, 'd, 't>,
    report: &mut Report,
) {
    let blocks = body.conversation.blocks(&turn.blocks);
    let waits = !is_last && blocks.iter().any(|block| block.kind == Kind::ToolUse);
    if open.is_empty() || waits {
        return;
    }
    // In the order of the calls, which a map does not keep.
    let mut left: Vec<&Block<'d, 't>> = open.drain().map(|(_, block)| block).collect();
    left.sort_by_key(|block| block.value.offset());
    for block in left {
        let tool = block.value.get_str("name").unwrap_or_default();
        if is_last && is_provided(body, &tool) {
            continue;
        }
        let rule = if is_last { "A-103" } else { "A-100" };
        let kind = result_tag(&tool);
        let fill: Fill<'_> = &[("tool", &tool), ("id", &block.id()), ("kind", &kind)];
        report.add(rule, block.path(), block.value.offset(), fill);
    }
}

/// Whether `tools` has what this server call ran on; one tool executes code of every kind.
fn is_provided(body: &Body<'_, '_>, tool: &str) -> bool {
    let name = if tool.ends_with("code_execution") { "code_execution" } else { tool };
    body.tool_names.contains(name)
}

fn result_tag(tool: &str) -> String {
    let name = if tool.starts_with("tool_search_tool_") { "tool_search" } else { tool };
    format!("{name}_tool_result")
}

/// while a server call is open, the user turn holds results only.
fn results_only(blocks: &[Block<'_, '_>], report: &mut Report) {
    if let Some(block) = blocks.iter().find(|block| block.kind != Kind::ToolResult) {
        report.add("A-104", block.path(), block.value.offset(), &[("n", &block.message)]);
    }
}

///
fn fallback(blocks: &[Block<'_, '_>], report: &mut Report) {
    let Some(at) = blocks.iter().rposition(|block| block.kind == Kind::Fallback) else { return };
    for block in blocks.get(..at).unwrap_or_default() {
        let connector = block.kind == Kind::Other && block.tag() == "connector_text";
        if block.kind.is_thinking() || block.kind == Kind::ToolUse || connector {
            report.add("A-108", block.path(), block.value.offset(), &[("kind", &block.tag())]);
        }
    }
}

///
fn advisor(body: &Body<'_, '_>, report: &mut Report) {
    let mut blocks = body.conversation.all().iter();
    let Some(block) = blocks.find(|block| block.tag() == "advisor_tool_result") else { return };
    if !body.tool_names.contains("advisor") {
        report.add("A-106", block.path(), block.value.offset(), &[]);
    }
}

/// MCP blocks come with their servers.
fn mcp_servers(body: &Body<'_, '_>, report: &mut Report) {
    let is_mcp =
        |block: &&Block<'_, '_>| matches!(block.kind, Kind::McpToolUse | Kind::McpToolResult);
    let Some(block) = body.conversation.all().iter().find(is_mcp) else { return };
    let here = body.platform == super::Platform::ClaudeApi;
    if !here {
        report.add("A-109", block.path(), block.value.offset(), &[("kind", &block.tag())]);
    } else if body.param("mcp_servers").is_none() {
        let path = block.path();
        let words = format!("{path}: `{}` blocks require `mcp_servers`", block.tag());
        report.say("A-109", path, block.value.offset(), words);
    }
}
