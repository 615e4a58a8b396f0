//! What an assistant turn begins and ends with, and what is seen of a signature from outside.

use super::Body;
use super::conversation::{Block, Kind, Role, Turn};
use crate::report::{Fill, Report};

///
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    for turn in body.conversation.turns.iter().filter(|turn| turn.role == Role::Assistant) {
        ends(body, turn, report);
    }
    for block in body.conversation.all().iter().filter(|block| block.kind.is_thinking()) {
        signed(block, report);
    }
    if body.param_type("thinking").as_deref() == Some("enabled") {
        begins(body, report);
    }
}

/// refused at the end of a turn; within a turn that goes on, doubtful.
fn ends(body: &Body<'_, '_>, turn: &Turn, report: &mut Report) {
    let messages = body.conversation.messages.get(turn.messages.clone()).unwrap_or_default();
    let ends = messages.iter().filter_map(|message| {
        body.conversation.blocks(&message.blocks).last().filter(|block| block.kind.is_thinking())
    });
    for block in ends {
        let is_last = body.conversation.blocks(&turn.blocks).last().map(Block::path);
        let add = if is_last == Some(block.path()) { Report::add } else { Report::warn };
        let fill: Fill<'_> = &[("n", &block.message), ("kind", &block.tag())];
        add(report, "A-010", format!("messages.{}", block.message), block.value.offset(), fill);
    }
}

/// A-053, as far as no key is needed: nothing verifies an empty signature.
fn signed(block: &Block<'_, '_>, report: &mut Report) {
    let plain = block.kind == Kind::Thinking;
    let (key, kind) = if plain { ("signature", "thinking") } else { ("data", "redacted_thinking") };
    if let Some(proof) = block.value.get(key).filter(|proof| proof.is_str("")) {
        let path = block.path();
        let words = format!("{path}: Invalid `{key}` in `{kind}` block");
        report.say("A-053", path, proof.offset(), words);
    }
}

/// in manual mode the running tool turn, and a prefill, begin with thinking.
///
/// Without interleaving the model thinks at the start of the turn only, so either the first or the
/// latest assistant message of the running turn will do.
fn begins(body: &Body<'_, '_>, report: &mut Report) {
    let conversation = &body.conversation;
    let mut running: Vec<&Block<'_, '_>> = Vec::new();
    for turn in conversation.turns.iter().rev() {
        let blocks = conversation.blocks(&turn.blocks);
        match turn.role {
            Role::Assistant => running.extend(blocks.first()),
            Role::User if blocks.iter().any(|block| block.kind == Kind::ToolResult) => {}
            Role::User => break,
            Role::System | Role::Other => {}
        }
    }
    let (Some(latest), Some(first)) = (running.first(), running.last()) else { return };
    if first.kind.is_thinking() || latest.kind.is_thinking() {
        return;
    }
    let lenient = body.model.thinking_adaptive;
    let add = if lenient { Report::warn } else { Report::add };
    add(report, "A-051", latest.path(), latest.value.offset(), &[("kind", &latest.tag())]);
}
