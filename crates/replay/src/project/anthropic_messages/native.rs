//! Blocks only this provider can read: server tools and their results, documents, search results.
//!
//! They go back verbatim to the platform that issued them, with keys the request schema knows
//! and with their other half in the same turn. Else a note names them.

use json::Text;
use record::{Block, Message, OpaqueBlock, ProofKind};

use super::{is_retracted, native_shape};
use crate::fold::View;
use crate::read::Row;
use crate::target::ANTHROPIC_MESSAGES;

/// What becomes of an opaque block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Native {
    /// It goes back as it came.
    Verbatim,
    /// It goes back as it came and waits for its result: the provider paused the turn.
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
        | "text_editor_code_execution_tool_result"
        | "tool_search_tool_result" => Some(Side::Result),
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

/// What becomes of the opaque block at `index` of a reply; `resumes` are the calls its row answers
/// for a turn that its provider had paused.
pub(super) fn verdict(
    view: View<'_>,
    row: &Row,
    message: &Message,
    index: u32,
    resumes: &[Text],
) -> Native {
    let Some(Block::Opaque(block)) = message.blocks.get(index as usize) else {
        return Native::Note;
    };
    let Some(own) = side(&block.kind) else { return Native::Note };
    if !is_wellformed(view, block) {
        return Native::Note;
    }
    let name = match own {
        Side::Call => "id",
        Side::Result => "tool_use_id",
        Side::User => return Native::Note,
    };
    let doc = block.raw.doc();
    let Some(id) = doc.root().get_str(name) else { return Native::Note };
    if own == Side::Result && resumes.iter().any(|call| *call.as_str() == *id) {
        return Native::Verbatim;
    }
    let split = message.blocks.iter().position(|block| matches!(block, Block::ToolResult(_)));
    let split = split.unwrap_or(message.blocks.len());
    let other = |(at, block): (usize, &Block)| match block {
        Block::Opaque(other) => {
            let (wanted, name) = match own {
                Side::Call => (Side::Result, "tool_use_id"),
                Side::Result | Side::User => (Side::Call, "id"),
            };
            let ordered = if own == Side::Call { at > index as usize } else { at < index as usize };
            ordered
                && at < split
                && !is_retracted(view, row, at as u32)
                && side(&other.kind) == Some(wanted)
                && is_wellformed(view, other)
                && other.raw.doc().root().get(name).is_some_and(|other| other.is_str(&id))
        }
        Block::Text(_)
        | Block::ToolUse(_)
        | Block::ToolResult(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_) => false,
    };
    if message.blocks.iter().enumerate().any(other) {
        return Native::Verbatim;
    }
    // A turn that also waits for results of ours is not paused.
    let calls = message.blocks.iter().any(|block| matches!(block, Block::ToolUse(_)));
    let abandoned = calls || view.edits.abandoned_pauses.contains_key(&row.index);
    let paused = !abandoned
        && message
            .stop
            .as_ref()
            .and_then(|stop| stop.native.as_deref())
            .is_some_and(|native| native == "pause_turn");
    if paused && own == Side::Call { Native::Paused } else { Native::Note }
}

/// The id of a server tool's call.
pub(super) fn call_id(block: &OpaqueBlock) -> Text {
    block.raw.doc().root().get("id").and_then(|id| id.to_text()).unwrap_or_default()
}

/// Whether a reply answers every one of these server calls.
pub(super) fn answers_all(
    view: View<'_>,
    row: &Row,
    message: &Message,
    split: u32,
    calls: &[Text],
) -> bool {
    let answered = |call: &Text| {
        message.blocks.iter().zip(0u32..).any(|(block, index)| match block {
            Block::Opaque(block) => {
                index < split
                    && side(&block.kind) == Some(Side::Result)
                    && !is_retracted(view, row, index)
                    && is_wellformed(view, block)
                    && block.raw.doc().root().get("tool_use_id").is_some_and(|id| id.is_str(call))
            }
            Block::Text(_)
            | Block::ToolUse(_)
            | Block::ToolResult(_)
            | Block::Reasoning(_)
            | Block::Image(_)
            | Block::SystemChange(_) => false,
        })
    };
    !calls.is_empty() && calls.iter().all(answered)
}

/// Whether an opaque block may stand on the user's side as it is.
pub(super) fn is_user_block(view: View<'_>, block: &OpaqueBlock) -> bool {
    side(&block.kind) == Some(Side::User) && is_wellformed(view, block)
}

/// The block as it goes on the wire: its own text, cache marks taken out.
pub(super) fn wire_text(block: &OpaqueBlock) -> String {
    let doc = block.raw.doc();
    if doc.root().get("cache_control").is_none() {
        return block.raw.as_str().to_owned();
    }
    let mut object = json::Object::new();
    for (key, value) in doc.root().members() {
        if let Some(key) = key.as_str().filter(|key| key != "cache_control") {
            object.raw(&key, &json::Raw::of(value));
        }
    }
    object.finish().as_str().to_owned()
}
