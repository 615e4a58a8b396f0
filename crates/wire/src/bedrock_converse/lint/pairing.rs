//! Calls and what answers them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use json::{Kind as JsonKind, Value};

use super::Body;
use super::conversation::{Block, Kind, Role, Turn};
use crate::report::{Fill, Report};

/// B-007 to B-009.
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    let mut open: Option<&Turn> = None;
    for turn in &body.turns {
        match turn.role {
            Role::Assistant => {
                unanswered(body, open, &BTreeSet::new(), report);
                misplaced(body, turn, report);
                open = Some(turn);
            }
            Role::User => answers(body, open.take(), turn, report),
            Role::System | Role::Other => {
                unanswered(body, open.take(), &BTreeSet::new(), report);
            }
        }
    }
    unanswered(body, open, &BTreeSet::new(), report);
    tools(body, report);
}

/// Results in a reply, which only the service's own tools have; calls that share an id.
fn misplaced(body: &Body<'_, '_>, turn: &Turn, report: &mut Report) {
    let mut ids = BTreeSet::new();
    for block in turn.blocks(&body.messages) {
        if block.is_result() {
            let words = "toolResult blocks can only be in user messages".to_owned();
            report.say("B-007", block.path(), block.value.offset(), words);
        } else if block.kind == Kind::ToolUse && !ids.insert(block.id()) {
            let words = format!("{}: `tool_use` ids must be unique", block.path());
            report.say("B-007", block.path(), block.value.offset(), words);
        }
    }
}

/// What a user's turn answers of the turn before it.
fn answers(body: &Body<'_, '_>, open: Option<&Turn>, turn: &Turn, report: &mut Report) {
    let calls = open.into_iter().flat_map(|turn| turn.blocks(&body.messages));
    let calls: BTreeSet<Cow<'_, str>> =
        calls.filter(|block| block.is_call()).map(Block::id).collect();
    let mut answered = BTreeSet::new();
    let mut other = None;
    for block in turn.blocks(&body.messages) {
        if block.kind == Kind::ToolUse {
            let words = "toolUse blocks can only be in assistant messages".to_owned();
            report.say("B-007", block.path(), block.value.offset(), words);
        }
        if !block.is_result() {
            if block.kind != Kind::CachePoint {
                other = other.or(Some(block));
            }
            continue;
        }
        if !calls.contains(&block.id()) || !answered.insert(block.id()) {
            let words = format!(
                "The number of toolResult blocks at messages.{}.content exceeds the number of \
                 toolUse blocks of previous turn.",
                block.message
            );
            report.say("B-007", block.path(), block.value.offset(), words);
        } else if let Some(before) = other.take() {
            let path = format!("messages.{}", block.message);
            let fill: Fill<'_> = &[("count", &calls.len())];
            report.unless(body.unless_claude(), "B-008", path, before.value.offset(), fill);
        }
    }
    unanswered(body, open, &answered, report);
}

/// B-007 for calls that the next turn does not answer.
fn unanswered(
    body: &Body<'_, '_>,
    open: Option<&Turn>,
    answered: &BTreeSet<Cow<'_, str>>,
    report: &mut Report,
) {
    let Some(turn) = open else { return };
    let missing: Vec<&Block<'_, '_>> = turn
        .blocks(&body.messages)
        .filter(|block| block.is_call() && !answered.contains(&block.id()))
        .collect();
    let Some(first) = missing.first() else { return };
    let ids: Vec<Cow<'_, str>> = missing.iter().map(|block| block.id()).collect();
    let ids = ids.join(", ");
    let fill: Fill<'_> = &[("next", &turn.messages.end), ("ids", &ids)];
    report.add("B-007", first.path(), first.value.offset(), fill);
}

/// B-009.
fn tools(body: &Body<'_, '_>, report: &mut Report) {
    let is_tool = |block: &&Block<'_, '_>| matches!(block.kind, Kind::ToolUse | Kind::ToolResult);
    let first = body.messages.iter().flat_map(|message| &message.blocks).find(is_tool);
    let tools = body.param("toolConfig").and_then(|config| config.get("tools"));
    let has = |tools: Value<'_, '_>| {
        tools.kind() == JsonKind::Array && tools.items().any(|t| t.get("cachePoint").is_none())
    };
    if let Some(block) = first.filter(|_| !tools.is_some_and(has)) {
        report.add("B-009", block.path(), block.value.offset(), &[]);
    }
}
