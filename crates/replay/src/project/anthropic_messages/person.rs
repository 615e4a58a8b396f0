//! A person's row: text, images and documents on the user's side.

#![deny(clippy::wildcard_enum_match_arm)]

use record::blank::is_blank;
use record::{Block, BlockRef, Message, Role as RowRole};
use wire::anthropic_messages::request::{self, Role};

use super::native;
use super::{Conversation, is_retracted};
use crate::declare::Declare;
use crate::fold::{Grown, View};
use crate::principal::is_principal_block;
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording;

impl Conversation {
    /// Writes what a user or tool row says besides results.
    pub(crate) fn person(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        declare: &mut Declare,
        row: &Row,
    ) {
        let Some(message) = row.entry.message() else { return };
        self.row = row.index;
        let runtime = matches!(message.source, Some(record::Source::Runtime { .. }));
        self.redaction_notes(view, grown, row, message);
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if is_retracted(view, row, index) {
                continue;
            }
            match block {
                Block::Text(text) if runtime && is_principal_block(&text.text) => {
                    self.change(ChangeKind::StalePrincipal, Some(&row.entry), Some(index));
                }
                Block::Text(text) => {
                    if is_blank(&text.text) {
                        self.change(ChangeKind::BlankText, Some(&row.entry), Some(index));
                        continue;
                    }
                    if message.role == RowRole::Tool {
                        self.change(ChangeKind::ToolText, Some(&row.entry), Some(index));
                    } else {
                        self.turn_begins();
                    }
                    self.begin(view, grown, Role::User);
                    let text = self.told_text(&text.text, &row.entry, index);
                    request::text(&mut self.pages, text);
                    self.end_markable();
                }
                Block::Image(image) => self.image(view, grown, row, index, 0, image),
                Block::Reasoning(_) => {
                    self.change(ChangeKind::ThinkingWithheld, Some(&row.entry), Some(index));
                }
                Block::ToolUse(_) => {
                    self.note(view, grown, &wording::opaque("tool_use"));
                    self.change(ChangeKind::CallMisplaced, Some(&row.entry), Some(index));
                }
                Block::ToolResult(_) => {}
                Block::SystemChange(change) => {
                    self.system_change(view, grown, declare, row, index, change);
                }
                Block::Opaque(opaque) => {
                    if native::is_user_block(view, opaque) {
                        self.begin(view, grown, Role::User);
                        self.pages.push(native::wire_text(opaque).as_bytes());
                        self.end_markable();
                    } else {
                        self.opaque_note(view, grown, row, index, &opaque.kind);
                    }
                }
            }
        }
    }

    /// A result that goes with its retracted call; the call's note stands for both.
    pub(crate) fn gone(&mut self, entry: &record::Entry, block: u32, call: Option<BlockRef>) {
        self.edited.extend(call);
        self.mark_edited(entry, block);
        self.change(ChangeKind::Redacted, Some(entry), Some(block));
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
                Block::ToolResult(_) if message.role == RowRole::System => Some("a result"),
                Block::Reasoning(_) | Block::ToolResult(_) => None,
            };
            let what = what.filter(|_| is_retracted(view, row, index));
            if let Some(what) = what {
                if message.role != RowRole::Assistant {
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
