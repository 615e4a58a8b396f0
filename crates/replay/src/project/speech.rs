//! Replies as every dialect tells them: whose turn it is, and what is said after results.

#![deny(clippy::wildcard_enum_match_arm)]

use record::blank::is_blank;
use record::{Block, BlockRef, Fill, GapWording, Message, Source};

use super::conversation::is_retracted;
use super::{Conversation, Dialect};
use crate::bind::BoundCall;
use crate::fold::{Grown, View};
use crate::read::Row;
use crate::report::ChangeKind;

impl Conversation {
    /// Writes a reply's declaration and gives its calls. Text from block `split` on waits for the
    /// results.
    pub(crate) fn reply(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        split: u32,
    ) -> Vec<BoundCall> {
        self.lost_beside(view, row);
        match view.dialect {
            Dialect::OpenAiChat(_) => self.held_reply(view, grown, row, split),
            Dialect::BedrockConverse(to) if to.holds_rounds() => {
                self.held_reply(view, grown, row, split)
            }
            Dialect::AnthropicMessages(_) | Dialect::BedrockConverse(_) => {
                self.blocks_reply(view, grown, row, split)
            }
            Dialect::OpenAiResponses(to) => self.responses_reply(view, to, grown, row, split),
            Dialect::Gemini(gemini) => self.gemini_reply(view, gemini, grown, row, split),
        }
    }

    /// A stand-in is a fill from the request on that first has it.
    pub(super) fn gap_fill(
        &mut self,
        view: View<'_>,
        reply: &Row,
        block: u32,
        wording: &GapWording,
    ) {
        let call = BlockRef { row: reply.entry.id.clone(), block };
        if !view.edits.gaps.contains_key(&call) {
            self.fills.push(Fill::Gap { call, wording: wording.clone() });
        }
    }

    /// Writes the answer of every call of a round.
    pub(crate) fn results(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        reply: &Row,
        calls: &[BoundCall],
    ) {
        match view.dialect {
            Dialect::OpenAiChat(_) => self.held_results(view, grown, reply, calls),
            Dialect::BedrockConverse(to) if to.holds_rounds() => {
                self.held_results(view, grown, reply, calls);
            }
            Dialect::AnthropicMessages(_) | Dialect::BedrockConverse(_) => {
                self.blocks_results(view, grown, reply, calls);
            }
            Dialect::OpenAiResponses(to) => self.responses_results(view, to, grown, reply, calls),
            Dialect::Gemini(gemini) => self.gemini_results(view, gemini, grown, reply, calls),
        }
    }

    /// The text of an old row that holds a whole turn, after its first result.
    pub(crate) fn speech_after_results(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        from: u32,
    ) {
        let Some(message) = row.entry.message() else { return };
        self.row = row.index;
        for (block, index) in message.blocks.iter().zip(0u32..).skip(from as usize) {
            let Block::Text(text) = block else { continue };
            if is_retracted(view, row, index) {
                continue;
            }
            if is_blank(&text.text) {
                self.change(ChangeKind::BlankText, Some(&row.entry), Some(index));
                continue;
            }
            let text = self.told_text(view, &text.text, &row.entry, index);
            self.speech(view, grown, text);
            self.written_reply = Some(row.entry.id.clone());
        }
        self.reply_is_written(&row.entry);
    }

    /// Whether the running turn has thinking, as far as this dialect's own replies say.
    pub(super) fn note_turn(&mut self, view: View<'_>, message: &Message) {
        let native = match &message.source {
            Some(Source::Model { api, .. }) => *api == view.target.to.dialect,
            Some(
                Source::User | Source::Tool { .. } | Source::Runtime { .. } | Source::Other(_),
            )
            | None => false,
        };
        if native {
            self.turn_thinks |=
                message.blocks.iter().any(|block| matches!(block, Block::Reasoning(_)));
            self.last_turn_thinks = Some(self.turn_thinks);
        }
    }

    /// A person spoke: the next reply begins a turn.
    pub(super) fn turn_begins(&mut self) {
        self.turn_thinks = false;
        self.turn_start = None;
    }
}

/// The block from which on a reply's texts wait for its results.
pub(super) fn first_result(message: &Message) -> u32 {
    let is_result = |block: &Block| matches!(block, Block::ToolResult(_));
    message.blocks.iter().position(is_result).unwrap_or(message.blocks.len()) as u32
}
