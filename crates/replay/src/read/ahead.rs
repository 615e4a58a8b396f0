//! Looking ahead: what the next rows hold is asked of the memory before it is read.
//!
//! A row's text lies at the end of a chain of pointers. Followed row by row, every link is waited
//! for; followed for several rows at once, link by link, the waits are one. This changes no output.

#![deny(clippy::wildcard_enum_match_arm)]

use std::hint::black_box;
use std::sync::Arc;

use record::{Block, Entry, Message, ResultPart};

/// Rows that are looked at together.
pub(crate) const ROWS: usize = 16;

/// Bytes the memory hands out at once.
const LINE_BYTES: usize = 64;

/// Lines of a text that are asked for; what follows in order comes by itself.
const LINES_MAX: usize = 8;

/// Looks at the entries, then at their messages, blocks and texts; at thoughts only where the
/// target has a place for them.
pub(crate) fn look(rows: &[Arc<Entry>], carries_thoughts: bool) {
    let messages = || rows.iter().filter_map(|entry| entry.message());
    let blocks = || messages().flat_map(|message| &message.blocks);
    let mut seen: usize = rows.iter().map(entry).sum();
    seen += messages().map(message).sum::<usize>();
    seen += blocks().map(parts).sum::<usize>();
    seen += blocks().map(|block| texts(block, carries_thoughts)).sum::<usize>();
    black_box(seen);
}

fn entry(entry: &Arc<Entry>) -> usize {
    let id = entry.id.as_str().bytes().next().unwrap_or_default();
    Arc::strong_count(entry) + usize::from(entry.message().is_some()) + usize::from(id)
}

fn message(message: &Message) -> usize {
    let said_by = [message.source.is_some(), message.audience.is_some(), message.kind.is_some()];
    let ended = [message.stop.is_some(), message.interrupted, message.answers.is_some()];
    let known = said_by.into_iter().chain(ended).filter(|known| *known).count();
    message.blocks.len() + known
}

fn parts(block: &Block) -> usize {
    match block {
        Block::ToolResult(result) => result.content.len(),
        Block::Text(_)
        | Block::ToolUse(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => 0,
    }
}

fn texts(block: &Block, carries_thoughts: bool) -> usize {
    match block {
        Block::Text(text) => lines(&text.text),
        Block::ToolUse(call) => lines(&call.id) + lines(&call.name) + lines(call.input.text()),
        Block::ToolResult(result) => {
            lines(&result.tool_use_id) + result.content.iter().map(part).sum::<usize>()
        }
        Block::Reasoning(thought) if carries_thoughts => {
            let sealed = thought.proof.as_ref().map_or(0, |proof| lines(proof.sealed.as_str()));
            lines(&thought.reasoning) + sealed
        }
        Block::Reasoning(_) | Block::Image(_) | Block::SystemChange(_) | Block::Opaque(_) => 0,
    }
}

fn part(part: &ResultPart) -> usize {
    match part {
        ResultPart::Text(text) => lines(text),
        ResultPart::Image(_) | ResultPart::Opaque(_) => 0,
    }
}

fn lines(text: &str) -> usize {
    let firsts = text.as_bytes().iter().step_by(LINE_BYTES).take(LINES_MAX);
    firsts.map(|byte| usize::from(*byte)).sum()
}
