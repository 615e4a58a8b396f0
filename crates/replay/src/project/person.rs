//! A person's row: text, images and documents on the user's side.

#![deny(clippy::wildcard_enum_match_arm)]

use record::blank::is_blank;
use record::{Block, BlockRef, Role};

use super::conversation::is_retracted;
use super::{Conversation, Dialect};
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
                    if message.role == Role::Tool {
                        self.change(ChangeKind::ToolText, Some(&row.entry), Some(index));
                    } else {
                        self.turn_begins();
                    }
                    let text = self.told_text(view, &text.text, &row.entry, index);
                    self.user_text(view, grown, &[text]);
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
                    let written = match view.dialect {
                        Dialect::AnthropicMessages(_) => self.anthropic_native(view, grown, opaque),
                        Dialect::OpenAiChat(chat) => self.chat_native(view, chat, grown, opaque),
                        Dialect::OpenAiResponses(_) => self.responses_part(view, grown, opaque),
                        Dialect::Gemini(gemini) => self.gemini_native(view, gemini, grown, opaque),
                        Dialect::BedrockConverse(to) => {
                            self.converse_native(view, to, grown, row, opaque)
                        }
                    };
                    if !written {
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
}
