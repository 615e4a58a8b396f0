//! In which order roles and kinds of blocks stand.

use super::Body;
use super::conversation::{Block, Kind, Message, Role, Turn};
use crate::bedrock_converse::models::Model;
use crate::report::Report;
use crate::takes::Takes;

/// The model that is known to take a text behind a call (B-029).
const TEXT_AFTER_CALLS: &str = "claude-sonnet-4-6";

/// B-001 to B-003, B-006, B-014 and B-029.
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    first(body, report);
    neighbours(body, report);
    for message in body.messages.iter().filter(|message| message.role == Role::Assistant) {
        trailing_thought(body, message, report);
    }
    for turn in &body.turns {
        apart(body, turn, report);
        if turn.role == Role::Assistant {
            calls_last(body, turn, report);
        }
    }
    last(body, report);
}

/// B-001.
fn first(body: &Body<'_, '_>, report: &mut Report) {
    if let Some(message) = body.messages.first().filter(|first| first.role == Role::Assistant) {
        let takes = body.model.assistant_first;
        report.unless(takes, "B-001", "messages.0".to_owned(), message.value.offset(), &[]);
    }
}

/// B-002.
fn neighbours(body: &Body<'_, '_>, report: &mut Report) {
    for pair in body.messages.windows(2) {
        let [one, other] = pair else { continue };
        let speaks = matches!(one.role, Role::User | Role::Assistant);
        if speaks && one.role == other.role {
            let path = format!("messages.{}", other.index);
            let takes = body.model.neighbours;
            report.unless(takes, "B-002", path, other.value.offset(), &[]);
        }
    }
}

/// B-003 for a reply that ends with a thought, or is nothing but thoughts.
fn trailing_thought(body: &Body<'_, '_>, message: &Message<'_, '_>, report: &mut Report) {
    let last = message.said().next_back().filter(|last| last.kind == Kind::Reasoning);
    let Some(last) = last else { return };
    let Model { claude, reasoning, .. } = body.model;
    // Where it is not read at all, that is what is said.
    let takes = match (claude, reasoning) {
        (true, _) => Takes::No,
        (false, Takes::No) => Takes::Yes,
        (false, Takes::Doubtful | Takes::Yes) => Takes::Doubtful,
    };
    report.unless(takes, "B-003", last.path(), last.value.offset(), &[]);
}

/// B-003 and B-006 for what ends the conversation.
fn last(body: &Body<'_, '_>, report: &mut Report) {
    let Some(message) = body.messages.last().filter(|last| last.role == Role::Assistant) else {
        return;
    };
    // Open calls, and a trailing thought, are said to be such.
    let ends = message.said().next_back();
    if message.said().any(Block::is_call) || ends.is_some_and(|end| end.kind == Kind::Reasoning) {
        return;
    }
    let takes = match body.claude {
        Some(claude) if claude.is_unknown() => Takes::Doubtful,
        Some(claude) if claude.prefill => Takes::Yes,
        Some(_) => Takes::No,
        None => body.model.prefill,
    };
    let path = format!("messages.{}", message.index);
    report.unless(takes, "B-003", path, message.value.offset(), &[]);
    let spaced = |block: &&Block<'_, '_>| {
        block.text().is_some_and(|text| text.ends_with(char::is_whitespace))
    };
    if let Some(block) = ends.filter(spaced) {
        report.unless(body.unless_claude(), "B-006", block.path(), block.value.offset(), &[]);
    }
}

/// B-014.
fn apart(body: &Body<'_, '_>, turn: &Turn, report: &mut Report) {
    let blocks = turn.blocks(&body.messages);
    let (has, kind) = match turn.role {
        Role::User => (blocks.clone().any(Block::is_result), "result"),
        Role::Assistant => (blocks.clone().any(Block::is_call), "use"),
        Role::System | Role::Other => return,
    };
    if !has {
        return;
    }
    let path = format!("messages.{}.content", turn.messages.start);
    if let Some(other) = blocks.clone().find(|block| block.is_conversation()) {
        let takes = body.model.text_beside_tools;
        report.unless(takes, "B-014", path.clone(), other.value.offset(), &[("kind", &kind)]);
    }
    let heavy = |block: &&Block<'_, '_>| matches!(block.kind, Kind::Document | Kind::Video);
    if let Some(other) = blocks.clone().find(heavy).filter(|_| body.model.claude) {
        report.add("B-014", path, other.value.offset(), &[("kind", &kind)]);
    }
}

/// B-029.
fn calls_last(body: &Body<'_, '_>, turn: &Turn, report: &mut Report) {
    let mut blocks = turn.blocks(&body.messages).skip_while(|block| !block.is_call());
    if let Some(other) = blocks.find(|block| block.is_conversation()) {
        let tolerant = body.claude.is_some_and(|claude| claude.id == TEXT_AFTER_CALLS);
        let takes = if tolerant { Takes::Doubtful } else { body.unless_claude() };
        report.unless(takes, "B-029", other.path(), other.value.offset(), &[]);
    }
}
