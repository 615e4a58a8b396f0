//! Calls and results of client tools, judged on merged turns.

use std::borrow::Cow;
use std::collections::HashSet;

use super::conversation::{Block, Conversation, Kind, Role, Turn};
use crate::report::{Fill, Report};

/// Ids, asked for membership only.
type Ids<'t> = HashSet<Cow<'t, str>>;

///
pub(super) fn check(conversation: &Conversation<'_, '_>, report: &mut Report) {
    let mut earlier = Ids::new();
    let mut previous: Option<&Turn> = None;
    for (index, turn) in conversation.turns.iter().enumerate() {
        match turn.role {
            Role::Assistant => {
                let blocks = conversation.blocks(&turn.blocks);
                let next = conversation.turns.get(index + 1);
                let next = next.filter(|next| next.role == Role::User);
                let answer = next.map(|next| conversation.blocks(&next.blocks));
                unique_calls(blocks, &mut earlier, report);
                closes_turn(blocks, report);
                answered(blocks, answer.unwrap_or_default(), report);
            }
            Role::User => {
                let calls = previous.filter(|turn| turn.role == Role::Assistant);
                let calls = calls.map(|turn| conversation.blocks(&turn.blocks));
                expected(conversation.blocks(&turn.blocks), calls.unwrap_or_default(), report);
            }
            Role::System | Role::Other => {}
        }
        previous = Some(turn);
    }
}

/// The blocks that are calls of client tools.
fn calls<'b, 'd, 't>(blocks: &'b [Block<'d, 't>]) -> impl Iterator<Item = &'b Block<'d, 't>> {
    blocks.iter().filter(|block| block.kind == Kind::ToolUse)
}

/// A-033 for calls: an id once per turn; of an earlier turn it was accepted.
fn unique_calls<'t>(blocks: &[Block<'_, 't>], earlier: &mut Ids<'t>, report: &mut Report) {
    let mut here = Ids::new();
    for call in calls(blocks) {
        let id = call.id();
        let offset = call.value.get("id").unwrap_or(call.value).offset();
        if !here.insert(id.clone()) {
            report.add("A-033", call.path(), offset, &[]);
        } else if earlier.contains(&id) {
            report.warn("A-033", call.path(), offset, &[]);
        }
    }
    earlier.extend(here);
}

/// after the first call no text and no media; what only a provider writes stays where it
/// was received.
fn closes_turn(blocks: &[Block<'_, '_>], report: &mut Report) {
    let Some(first) = blocks.iter().position(|block| block.kind == Kind::ToolUse) else { return };
    let after = blocks.get(first..).unwrap_or_default();
    let Some(at) = after.iter().position(|block| block.kind.is_text_or_media()) else { return };
    let (before, rest) = after.split_at(at);
    let ids: Vec<Cow<'_, str>> = calls(before).map(Block::id).collect();
    if let (Some(call), Some(block)) = (before.first(), rest.first()) {
        let fill: Fill<'_> = &[("n", &call.message), ("ids", &ids.join(", "))];
        report.add("A-029", block.path(), block.value.offset(), fill);
    }
}

/// every call is answered by the results the next turn begins with.
fn answered(blocks: &[Block<'_, '_>], answer: &[Block<'_, '_>], report: &mut Report) {
    let is_result = |block: &&Block<'_, '_>| block.kind == Kind::ToolResult;
    let first: Ids<'_> = answer.iter().take_while(is_result).map(Block::id).collect();
    let all: Ids<'_> = answer.iter().filter(is_result).map(Block::id).collect();
    let (late, missing): (Vec<_>, Vec<_>) = calls(blocks)
        .filter(|call| !first.contains(&call.id()))
        .partition(|call| all.contains(&call.id()));
    for (rule, calls) in [("A-030", missing), ("A-031", late)] {
        if let Some(call) = calls.first() {
            let ids: Vec<Cow<'_, str>> =
                calls.iter().map(|call: &&Block<'_, '_>| call.id()).collect();
            let path = format!("messages.{}", call.message);
            let fill: Fill<'_> = &[("n", &call.message), ("ids", &ids.join(", "))];
            report.add(rule, path, call.value.offset(), fill);
        }
    }
}

/// every result answers a call of the turn before, once.
fn expected(blocks: &[Block<'_, '_>], before: &[Block<'_, '_>], report: &mut Report) {
    let results = blocks.iter().filter(|block| block.kind == Kind::ToolResult);
    let mut open: Option<Ids<'_>> = None;
    let mut seen = Ids::new();
    for result in results {
        let open = open.get_or_insert_with(|| calls(before).map(Block::id).collect());
        let id = result.id();
        let offset = result.value.get("tool_use_id").unwrap_or(result.value).offset();
        if !open.contains(&id) {
            let server = id.starts_with("srvtoolu_");
            let rule = if server { "A-102" } else { "A-032" };
            report.add(rule, result.path(), offset, &[("id", &id)]);
        } else if !seen.insert(id.clone()) {
            let path = result.path();
            let words = format!(
                "{path}: each tool_use must have a single result. Found multiple `tool_result` \
                 blocks with id: {id}"
            );
            report.say("A-033", path, offset, words);
        }
    }
}
