//! A person's row: text, images and documents on the user's side.

#![deny(clippy::wildcard_enum_match_arm)]

use json::Raw;
use record::blank::is_blank;
use record::{Block, BlockRef, OpaqueBlock, Role};

use super::anthropic_messages::native::{is_user_block, wire_form};
use super::bedrock_converse::native::is_of_family;
use super::conversation::is_retracted;
use super::openai_chat::user::is_native;
use super::openai_responses::native::file;
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
                    let written = match own_part(view, opaque) {
                        Some(own) => self.part_of_user(view, grown, row, index, &own),
                        None => self.attachment(view, grown, row, index, opaque),
                    };
                    if !written {
                        self.opaque_note(view, grown, row, index, &opaque.kind);
                    }
                }
            }
        }
    }

    /// Writes a part of the target's own form on the user's side, if it may stand there.
    pub(super) fn part_of_user(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        index: u32,
        part: &Raw,
    ) -> bool {
        match view.dialect {
            Dialect::BedrockConverse(_) => {
                return self.converse_part(view, grown, row, index, part);
            }
            Dialect::OpenAiChat(chat) => self.chat_part(view, chat, grown),
            Dialect::AnthropicMessages(_) | Dialect::OpenAiResponses(_) | Dialect::Gemini(_) => {
                self.begin(view, grown, Role::User);
            }
        }
        self.pages.push(part.as_str().as_bytes());
        if matches!(view.dialect, Dialect::AnthropicMessages(_)) {
            self.end_markable();
        }
        true
    }

    /// A result that goes with its retracted call; the call's note stands for both.
    pub(crate) fn gone(&mut self, entry: &record::Entry, block: u32, call: Option<BlockRef>) {
        self.edited.extend(call);
        self.mark_edited(entry, block);
        self.change(ChangeKind::Redacted, Some(entry), Some(block));
    }
}

/// A part on the user's side that goes to the target as it came.
fn own_part(view: View<'_>, part: &OpaqueBlock) -> Option<Raw> {
    let goes = match view.dialect {
        Dialect::AnthropicMessages(_) => {
            return is_user_block(view, part).then(|| wire_form(part));
        }
        Dialect::OpenAiResponses(_) => return file(view, part),
        Dialect::OpenAiChat(chat) => is_native(view, chat, part),
        Dialect::Gemini(gemini) => gemini.is_user_part(part),
        Dialect::BedrockConverse(to) => is_of_family(view, to, part),
    };
    goes.then(|| part.raw.clone())
}
