//! Blocks only this provider can read: server tools and their results, documents, search results.
//!
//! They go back verbatim to the platform that issued them, with keys the request schema knows
//! and with their other half in the same turn. Else a note names them.

use std::collections::{BTreeMap, BTreeSet};

use json::Text;
use record::{Block, Message, OpaqueBlock, ProofKind, StopKind, ToolUse};

use super::native_shape;
use crate::fold::View;
use crate::project::conversation::is_retracted;
use crate::read::Row;
use crate::target::ANTHROPIC_MESSAGES;

/// What becomes of an opaque block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::project) enum Native {
    /// It goes back as it came.
    Verbatim,
    /// It goes back as it came and waits for its result: the provider paused the turn, or
    /// waits for results of ours.
    Paused,
    /// A note names it.
    Note,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// A server tool's call.
    Call,
    /// A server tool's result.
    Result,
    /// The user's side, and inside results.
    User,
}

/// Where blocks of a kind may stand.
fn side(kind: &str) -> Option<Side> {
    match kind {
        "server_tool_use" => Some(Side::Call),
        "document" | "search_result" => Some(Side::User),
        "web_search_tool_result"
        | "web_fetch_tool_result"
        | "code_execution_tool_result"
        | "bash_code_execution_tool_result"
        | "text_editor_code_execution_tool_result" => Some(Side::Result),
        // A found tool has to be among the request's tools, which no row can promise.
        _ => None,
    }
}

/// Whether the block is of this provider and of a shape the request schema has.
fn is_wellformed(view: View<'_>, block: &OpaqueBlock) -> bool {
    let Some(proof) = &block.proof else { return false };
    proof.kind == ProofKind::Native
        && proof.issuer.api.as_str() == ANTHROPIC_MESSAGES
        && proof.issuer.platform == view.target.to.platform
        && !block.raw.has_lone_surrogate()
        && native_shape::is_known(block.raw.doc().root())
}

/// What becomes of each opaque block of a reply.
pub(in crate::project) struct Verdicts(BTreeMap<u32, Native>);

/// A server tool's call or result that is whole by itself.
struct Half {
    index: u32,
    side: Side,
    id: String,
    /// The server call from whose code it was made.
    caller: Option<Text>,
}

impl Verdicts {
    /// Those of these blocks that go back as they came.
    pub(in crate::project) fn verbatim(blocks: impl IntoIterator<Item = u32>) -> Verdicts {
        Verdicts(blocks.into_iter().map(|index| (index, Native::Verbatim)).collect())
    }

    /// `resumes` are the calls the row answers for a turn that its provider had paused.
    pub(in crate::project) fn new(
        view: View<'_>,
        row: &Row,
        message: &Message,
        resumes: &[Text],
    ) -> Verdicts {
        let halves = halves(view, message);
        let split = message.blocks.iter().position(|block| matches!(block, Block::ToolResult(_)));
        let split = split.unwrap_or(message.blocks.len());
        let stands = |index: u32| (index as usize) < split && !is_retracted(view, row, index);
        let resumes: BTreeSet<&str> = resumes.iter().map(Text::as_str).collect();
        let unpaired = if is_paused(view, row, message) { Native::Paused } else { Native::Note };
        // A call has one result, the first that comes after it, and an id is one call's.
        let mut verdicts = BTreeMap::new();
        let mut calls: BTreeMap<&str, Option<u32>> =
            resumes.iter().map(|call| (*call, None)).collect();
        let mut answered: BTreeSet<&str> = BTreeSet::new();
        for Half { index, side, id, .. } in halves.iter().filter(|half| stands(half.index)) {
            match (side, calls.get(id.as_str())) {
                (Side::Call, None) => {
                    calls.insert(id, Some(*index));
                    verdicts.insert(*index, unpaired);
                }
                (Side::Result, Some(call)) if answered.insert(id) => {
                    verdicts.insert(*index, Native::Verbatim);
                    verdicts.extend(call.map(|call| (call, Native::Verbatim)));
                }
                (Side::Call | Side::Result | Side::User, _) => {}
            }
        }
        let mut verdicts = Verdicts(verdicts);
        verdicts.without_callers_gone(&halves, &resumes);
        verdicts
    }

    /// what was called from code goes back beside the call that ran the code, or not at all.
    fn without_callers_gone(&mut self, halves: &[Half], open: &BTreeSet<&str>) {
        let mut present = open.clone();
        let mut gone: BTreeSet<&str> = BTreeSet::new();
        for Half { index, side, id, caller } in halves {
            let Some(verdict) = self.0.get(index) else { continue };
            let missing = caller.as_ref().is_some_and(|id| !present.contains(id.as_str()));
            if missing || *verdict == Native::Note {
                gone.insert(id);
            } else if *side == Side::Call {
                present.insert(id);
            }
        }
        for Half { index, id, .. } in halves.iter().filter(|half| gone.contains(half.id.as_str())) {
            if !open.contains(id.as_str()) {
                self.0.insert(*index, Native::Note);
            }
        }
    }

    /// What becomes of the opaque block at `index`.
    pub(in crate::project) fn of(&self, index: u32) -> Native {
        self.0.get(&index).copied().unwrap_or(Native::Note)
    }
}

/// The server tools' calls and results of a reply.
fn halves(view: View<'_>, message: &Message) -> Vec<Half> {
    let half = |(block, index): (&Block, u32)| match block {
        Block::Opaque(block) => {
            let (side, name) = match side(&block.kind)? {
                Side::Call => (Side::Call, "id"),
                Side::Result => (Side::Result, "tool_use_id"),
                Side::User => return None,
            };
            let doc = block.raw.doc();
            let id = doc.root().get_str(name)?.into_owned();
            let caller = doc.root().get("caller").and_then(native_shape::called_by);
            is_wellformed(view, block).then_some(Half { index, side, id, caller })
        }
        Block::Text(_)
        | Block::ToolUse(_)
        | Block::ToolResult(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_) => None,
    };
    message.blocks.iter().zip(0u32..).filter_map(half).collect()
}

/// Whether its provider is still to go on with the turn: it paused it, or waits for results of
/// calls that stand in it as well.
fn is_paused(view: View<'_>, row: &Row, message: &Message) -> bool {
    if view.edits.is_pause_abandoned(row.index) || message.interrupted {
        return false;
    }
    let is_result = |block: &Block| matches!(block, Block::ToolResult(_));
    let stop = message.stop.as_ref();
    let native = stop.and_then(|stop| stop.native.as_deref());
    if message
        .blocks
        .iter()
        .zip(0u32..)
        .any(|(block, at)| matches!(block, Block::ToolUse(_)) && !is_retracted(view, row, at))
    {
        let cut = stop.is_some_and(|stop| !stop.dropped_calls.is_empty());
        let waits = stop.is_none_or(|stop| stop.kind == StopKind::ToolCalls);
        return waits && !cut && !message.blocks.iter().any(is_result);
    }
    native == Some("pause_turn")
}

/// The id of a server tool's call.
pub(in crate::project) fn call_id(block: &OpaqueBlock) -> Text {
    block.raw.doc().root().get("id").and_then(|id| id.to_text()).unwrap_or_default()
}

/// Whether a reply goes on with the turn that waits on these server calls, and which of them it
/// leaves open: it answers all, or what it calls is called from the code of one that stays open.
pub(in crate::project) fn goes_on(
    view: View<'_>,
    row: &Row,
    message: &Message,
    split: u32,
    calls: &[Text],
) -> Option<Vec<Text>> {
    if calls.is_empty() {
        return None;
    }
    let halves = halves(view, message);
    let answers = halves.iter().filter(|half| {
        half.side == Side::Result && half.index < split && !is_retracted(view, row, half.index)
    });
    let answered: BTreeSet<&str> = answers.map(|half| half.id.as_str()).collect();
    let open: Vec<Text> =
        calls.iter().filter(|call| !answered.contains(call.as_str())).cloned().collect();
    let left: BTreeSet<&str> = open.iter().map(Text::as_str).collect();
    let calls_on = |(block, at): (&Block, u32)| match block {
        Block::ToolUse(call) if !is_retracted(view, row, at) => {
            caller_of(call).is_some_and(|(id, _)| left.contains(id.as_str()))
        }
        Block::Text(_)
        | Block::ToolUse(_)
        | Block::ToolResult(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => false,
    };
    let goes_on = open.is_empty() || message.blocks.iter().zip(0u32..).any(calls_on);
    goes_on.then_some(open)
}

/// The server call from whose code a call was made, and how the block says so.
pub(in crate::project) fn caller_of(call: &ToolUse) -> Option<(Text, &json::Raw)> {
    let caller = call.rest.get("caller")?;
    Some((native_shape::called_by(caller.doc().root())?, caller))
}

/// Whether an opaque block may stand on the user's side as it is.
pub(in crate::project) fn is_user_block(view: View<'_>, block: &OpaqueBlock) -> bool {
    side(&block.kind) == Some(Side::User) && is_wellformed(view, block)
}

/// The block as it goes on the wire: its own text, cache marks taken out.
pub(in crate::project) fn wire_form(block: &OpaqueBlock) -> json::Raw {
    let doc = block.raw.doc();
    if doc.root().get("cache_control").is_none() {
        return block.raw.clone();
    }
    let mut object = json::Object::new();
    for (key, value) in doc.root().members() {
        if let Some(key) = key.as_str().filter(|key| key != "cache_control") {
            object.raw(&key, &json::Raw::of(value));
        }
    }
    object.finish()
}
