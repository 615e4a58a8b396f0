//! The one decision: which blocks of a reply are kept. What is stored, what is run and what
//! surfaces show in the end all read its result.

#![deny(clippy::wildcard_enum_match_arm)]

use record::{Block, blank::is_blank};

use crate::emitted::Emitted;

/// What became of a reply, as far as keeping goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It is finished: all of it.
    Whole,
    /// It was cut: all of it but its calls, closed or not, for the model never saw what would
    /// have come after them.
    WithoutCalls,
    /// Somebody interrupted it: what was said and thought. Nothing was dispatched.
    Spoken,
}

/// Whether a block is kept. A call that names no tool is none that could be run, and one that was
/// cut none that should be.
pub(crate) fn keep(emitted: &Emitted, kept: Kept) -> bool {
    let is_spoken = match &emitted.block {
        Block::ToolUse(call) => {
            return kept == Kept::Whole && !emitted.cut && !call.name.is_empty();
        }
        Block::Text(text) => !is_blank(&text.text),
        Block::Reasoning(thought) => !is_blank(&thought.reasoning),
        Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) | Block::Opaque(_) => false,
    };
    is_spoken || kept != Kept::Spoken
}
