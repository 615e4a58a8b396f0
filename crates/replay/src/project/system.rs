//! System texts: ahead of the conversation, inside it where the model takes that, else as notes.

#![deny(clippy::wildcard_enum_match_arm)]

use json::Text;
use record::blank::is_blank;
use record::{Block, Role, SystemChange};

use super::conversation::is_retracted;
use super::evidence::EvidenceKind;
use super::{Chat, Conversation, Dialect};
use crate::declare::Declare;
use crate::fold::{Grown, View};
use crate::principal::is_principal_block;
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording;

impl Conversation {
    /// Writes, floats or leads with what a system row says.
    pub(crate) fn system(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        declare: &mut Declare,
        row: &Row,
    ) {
        let Some(message) = row.entry.message() else { return };
        self.row = row.index;
        self.redaction_notes(view, grown, row, message);
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if is_retracted(view, row, index) {
                continue;
            }
            match block {
                Block::Text(text) => {
                    self.system_text(view, grown, declare, row, index, &text.text);
                }
                Block::SystemChange(change) => {
                    self.system_change(view, grown, declare, row, index, change);
                }
                Block::Image(image) => self.image(view, grown, row, index, 0, image),
                Block::Reasoning(_) => {
                    self.change(ChangeKind::ThinkingWithheld, Some(&row.entry), Some(index));
                }
                Block::ToolUse(_) => {
                    self.note(view, grown, &wording::opaque("tool_use"));
                    self.change(ChangeKind::CallMisplaced, Some(&row.entry), Some(index));
                }
                Block::ToolResult(_) => {
                    self.evidence(view, grown, row, index, EvidenceKind::Orphan);
                }
                Block::Opaque(opaque) => {
                    self.opaque_note(view, grown, row, index, &opaque.kind);
                }
            }
        }
    }

    fn system_text(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        declare: &mut Declare,
        row: &Row,
        block: u32,
        text: &Text,
    ) {
        if is_blank(text) {
            return self.change(ChangeKind::BlankText, Some(&row.entry), Some(block));
        }
        if is_principal_block(text) {
            return self.change(ChangeKind::StalePrincipal, Some(&row.entry), Some(block));
        }
        if self.is_empty() {
            if text.has_lone_surrogate() {
                self.change(ChangeKind::SurrogateReplaced, Some(&row.entry), Some(block));
            }
            declare.leading_system(text.clone());
            return;
        }
        match view.dialect {
            // An earlier one that was sent still ends the array; this one follows it.
            Dialect::AnthropicMessages(model) if model.system_mid_history => {
                self.floats.push((row.clone(), block));
            }
            Dialect::OpenAiChat(chat) if self.takes_system(chat) => {
                self.operator_text(view, grown, row, block, text);
            }
            // Anywhere, whatever the model.
            Dialect::OpenAiResponses(_) => self.operator_text(view, grown, row, block, text),
            Dialect::AnthropicMessages(_)
            | Dialect::OpenAiChat(_)
            | Dialect::Gemini(_)
            | Dialect::BedrockConverse(_) => {
                self.system_note(view, grown, row, block, text);
            }
        }
    }

    /// A system text in a message of the operator's own.
    fn operator_text(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        block: u32,
        text: &Text,
    ) {
        let text = self.told_text(view, text, &row.entry, block);
        self.begin(view, grown, Role::System);
        self.write_text(view, &[text]);
    }

    /// Whether the operator may speak here (K-002).
    fn takes_system(&self, chat: &Chat) -> bool {
        let after = if self.rounds.holds() { Some(Role::Tool) } else { self.chat.spoken };
        after.is_some_and(|role| chat.takes_system_after(role))
    }

    fn system_note(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        block: u32,
        text: &Text,
    ) {
        self.change(ChangeKind::SystemNoted, Some(&row.entry), Some(block));
        let text = self.told_text(view, text, &row.entry, block);
        self.user_text(view, grown, &[wording::SYSTEM_NOTE, text]);
    }

    /// A declared change: its tools join this view's head, its texts are system texts.
    pub(super) fn system_change(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        declare: &mut Declare,
        row: &Row,
        block: u32,
        change: &SystemChange,
    ) {
        if !change.define_tools.is_empty() || !change.remove_tools.is_empty() {
            self.change(ChangeKind::ChangeFolded, Some(&row.entry), Some(block));
        }
        for text in &change.add_system {
            if is_blank(text) {
                self.change(ChangeKind::BlankText, Some(&row.entry), Some(block));
            } else if self.is_empty() {
                declare.leading_system(text.clone());
            } else {
                self.system_note(view, grown, row, block, text);
            }
        }
    }

    /// Writes the system messages that wait for their place, one message each.
    pub(crate) fn push_floats(&mut self, view: View<'_>, grown: &mut Grown) {
        self.floats_named = 0;
        for (row, block) in std::mem::take(&mut self.floats) {
            let message = row.entry.message();
            let Some(Block::Text(text)) = message.and_then(|m| m.blocks.get(block as usize)) else {
                continue;
            };
            self.fresh = true;
            self.open_block(view, grown, Role::System);
            let text = self.told_text(view, &text.text, &row.entry, block);
            self.write_text(view, &[text]);
        }
    }
}
