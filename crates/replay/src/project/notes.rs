//! Notes about a reply: what could not stand in it, and what became of it, on the user's side.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;

use record::{Block, Message, Role, StopKind};

use super::conversation::is_retracted;
use super::openai_responses::responses_natives;
use super::{Conversation, Dialect};
use crate::bind::BoundCall;
use crate::fold::{Grown, View};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording;

impl Conversation {
    /// Whether runtime notes are due about the reply just written; asked once.
    pub(crate) fn take_notes_due(&mut self) -> bool {
        std::mem::take(&mut self.notes_due)
    }

    /// What could not stand in the reply, and what became of it, on the user side.
    pub(crate) fn notes(&mut self, view: View<'_>, grown: &mut Grown, row: &Row, split: u32) {
        let Some(message) = row.entry.message() else { return };
        self.row = row.index;
        self.redaction_notes(view, grown, row, message);
        let written = match view.dialect {
            Dialect::AnthropicMessages(_) | Dialect::BedrockConverse(_) => {
                self.natives(view, row, message, split)
            }
            Dialect::OpenAiChat(_) => BTreeSet::new(),
            Dialect::OpenAiResponses(to) => responses_natives(view, to, grown, row, message),
            Dialect::Gemini(gemini) => gemini.natives(view, row, message, split),
        };
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if is_retracted(view, row, index) {
                continue;
            }
            match block {
                Block::Image(image) => {
                    let reason = wording::UnseenReason::AssistantImage;
                    self.unseen(view, grown, row, index, image, reason);
                }
                Block::Opaque(opaque) => {
                    if view.edits.is_pause_abandoned(row.index) {
                        self.mark_edited(&row.entry, index);
                    }
                    if !written.contains(&index) {
                        self.opaque_note(view, grown, row, index, &opaque.kind);
                    }
                }
                Block::SystemChange(_) => {
                    self.opaque_note(view, grown, row, index, "system_change");
                }
                Block::Text(_) | Block::ToolUse(_) | Block::ToolResult(_) | Block::Reasoning(_) => {
                }
            }
        }
        self.stop_notes(view, grown, row, message);
    }

    /// A block of a reply that was retracted.
    pub(super) fn retracted(&mut self, row: &Row, index: u32, block: &Block) {
        self.mark_edited(&row.entry, index);
        self.change(ChangeKind::Redacted, Some(&row.entry), Some(index));
        match block {
            Block::Reasoning(_) => {}
            Block::Text(_)
            | Block::ToolUse(_)
            | Block::ToolResult(_)
            | Block::Image(_)
            | Block::SystemChange(_)
            | Block::Opaque(_) => self.notes_due = true,
        }
    }

    /// A block that this build or this target has no form for.
    pub(super) fn opaque_note(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        index: u32,
        kind: &str,
    ) {
        self.note(view, grown, &wording::opaque(kind));
        self.change(ChangeKind::OpaqueNoted, Some(&row.entry), Some(index));
    }

    fn stop_notes(&mut self, view: View<'_>, grown: &mut Grown, row: &Row, message: &Message) {
        let dropped = message.stop.iter().flat_map(|stop| &stop.dropped_calls);
        let names: Vec<&str> = dropped
            .map(|call| if call.name.is_empty() { wording::UNNAMED } else { call.name.as_str() })
            .collect();
        let limit = message.stop.as_ref().is_some_and(|stop| stop.kind == StopKind::MaxTokens);
        if message.interrupted || (!limit && !names.is_empty()) {
            self.note(view, grown, &wording::interrupted(&names));
            self.change(ChangeKind::InterruptedNoted, Some(&row.entry), None);
        } else if !names.is_empty() {
            self.note(view, grown, &wording::dropped_calls(&names));
            self.change(ChangeKind::DroppedCallNoted, Some(&row.entry), None);
        }
    }

    /// One note for each run of retracted text, images and calls.
    pub(super) fn redaction_notes(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        message: &Message,
    ) {
        if view.edits.retracted.is_empty() {
            return;
        }
        let mut told = None;
        for (block, index) in message.blocks.iter().zip(0u32..) {
            let what = match block {
                Block::Text(_) => Some("text"),
                Block::Image(_) => Some("an image"),
                Block::ToolUse(_) => Some("a call"),
                Block::SystemChange(_) | Block::Opaque(_) => Some("content"),
                Block::ToolResult(_) if message.role == Role::System => Some("a result"),
                Block::Reasoning(_) | Block::ToolResult(_) => None,
            };
            let what = what.filter(|_| is_retracted(view, row, index));
            if let Some(what) = what {
                if message.role != Role::Assistant {
                    self.mark_edited(&row.entry, index);
                    self.change(ChangeKind::Redacted, Some(&row.entry), Some(index));
                }
                if told != Some(what) {
                    self.note(view, grown, &wording::redacted(what));
                }
            }
            told = what;
        }
    }
}

/// Whether a reply was cut: some of it never came, or calls in it were never run.
pub(super) fn is_cut(message: &Message) -> bool {
    message.interrupted || message.stop.as_ref().is_some_and(|stop| !stop.dropped_calls.is_empty())
}

/// Whether something about a reply has to be said on the user's side; `written` are its opaque
/// blocks that stand in it.
pub(super) fn has_notes(
    view: View<'_>,
    row: &Row,
    message: &Message,
    written: &BTreeSet<u32>,
) -> bool {
    let noted = |(block, index): (&Block, u32)| match block {
        Block::Reasoning(_) => false,
        Block::Opaque(_) => !written.contains(&index),
        Block::Image(_) | Block::SystemChange(_) => true,
        Block::Text(_) | Block::ToolUse(_) | Block::ToolResult(_) => is_retracted(view, row, index),
    };
    is_cut(message) || message.blocks.iter().zip(0u32..).any(noted)
}

/// The calls of a reply that are not written.
pub(super) fn retracted_calls(view: View<'_>, row: &Row, message: &Message) -> Vec<BoundCall> {
    if view.edits.retracted.is_empty() {
        return Vec::new();
    }
    let calls = message.blocks.iter().zip(0u32..).filter(|(block, index)| {
        matches!(block, Block::ToolUse(_)) && is_retracted(view, row, *index)
    });
    calls.map(|(_, index)| BoundCall::open(index, None, true)).collect()
}
