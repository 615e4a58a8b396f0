//! Which block may stand in a message of which role, and what an error result may hold.

use json::Kind as JsonKind;

use super::Body;
use super::conversation::{Block, Kind, Role};
use crate::report::{Fill, Report};

///
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    let conversation = &body.conversation;
    let first = conversation.messages.first();
    if let Some(first) = first.filter(|first| first.role == Role::Assistant) {
        report.add("A-007", "messages.0".to_owned(), first.value.offset(), &[]);
    }
    for block in conversation.all() {
        let role = conversation.messages.get(block.message).map(|message| message.role);
        match role {
            Some(Role::User) => in_user(block, report),
            Some(Role::Assistant) => in_assistant(block, report),
            Some(Role::System) => in_system(block, report),
            Some(Role::Other) | None => {}
        }
        if block.kind == Kind::ToolResult {
            error_is_text(block, report);
        }
    }
}

fn in_user(block: &Block<'_, '_>, report: &mut Report) {
    match block.kind {
        Kind::ToolUse => only_in("A-034", block, "assistant", report),
        Kind::Thinking | Kind::RedactedThinking => only_in("A-050", block, "assistant", report),
        Kind::ServerToolUse | Kind::ServerResult | Kind::McpToolUse | Kind::McpToolResult => {
            only_in("A-102", block, "assistant", report);
        }
        Kind::ToolAddition | Kind::ToolRemoval => only_in("A-075", block, "system", report),
        Kind::Text
        | Kind::Image
        | Kind::Document
        | Kind::SearchResult
        | Kind::ContainerUpload
        | Kind::ToolResult
        | Kind::Compaction
        | Kind::Fallback
        | Kind::Other => {}
    }
}

fn in_assistant(block: &Block<'_, '_>, report: &mut Report) {
    match block.kind {
        Kind::ToolResult => only_in("A-034", block, "user", report),
        Kind::ToolAddition | Kind::ToolRemoval => only_in("A-075", block, "system", report),
        Kind::Image | Kind::Document | Kind::SearchResult | Kind::ContainerUpload => {
            let tags = "'text', 'thinking', 'redacted_thinking', 'tool_use', 'server_tool_use'";
            let fill: Fill<'_> = &[("kind", &block.tag()), ("tags", &tags)];
            report.add("A-098", block.path(), block.value.offset(), fill);
        }
        Kind::Text
        | Kind::Thinking
        | Kind::RedactedThinking
        | Kind::ToolUse
        | Kind::ServerToolUse
        | Kind::ServerResult
        | Kind::McpToolUse
        | Kind::McpToolResult
        | Kind::Compaction
        | Kind::Fallback
        | Kind::Other => {}
    }
}

fn in_system(block: &Block<'_, '_>, report: &mut Report) {
    match block.kind {
        Kind::Text | Kind::ToolAddition | Kind::ToolRemoval => {}
        Kind::Image
        | Kind::Document
        | Kind::SearchResult
        | Kind::ContainerUpload
        | Kind::Thinking
        | Kind::RedactedThinking
        | Kind::ToolUse
        | Kind::ToolResult
        | Kind::ServerToolUse
        | Kind::ServerResult
        | Kind::McpToolUse
        | Kind::McpToolResult
        | Kind::Compaction
        | Kind::Fallback
        | Kind::Other => {
            let words = format!(
                "messages.{}: role 'system' supports text, tool_addition, and tool_removal blocks \
                 only",
                block.message
            );
            report.say("A-074", block.path(), block.value.offset(), words);
        }
    }
}

fn only_in(rule: &str, block: &Block<'_, '_>, role: &str, report: &mut Report) {
    let (path, tag) = (block.path(), block.tag());
    let words = format!("{path}: {tag} blocks can only be in {role} messages");
    report.say(rule, path, block.value.offset(), words);
}

/// with `is_error` every block of the content is text.
fn error_is_text(block: &Block<'_, '_>, report: &mut Report) {
    let is_error = block.value.get("is_error").and_then(json::Value::as_bool);
    let content = block.value.get("content").filter(|value| value.kind() == JsonKind::Array);
    let (Some(true), Some(content)) = (is_error, content) else { return };
    let other =
        content.items().find(|item| !item.get("type").is_some_and(|tag| tag.is_str("text")));
    if let Some(other) = other {
        report.add("A-037", format!("{}.tool_result", block.path()), other.offset(), &[]);
    }
}
