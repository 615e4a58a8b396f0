//! Rounds that are told as they come, and rounds that wait for what follows them.
//!
//! Where a target takes no words of the user's side behind results, in the same turn or at once
//! (K-042, B-014), a round is not written before it is known what follows: a round that the user's
//! side follows is told as a record of actions. So is one that a target does not take as calls at
//! all.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;

use json::Text;
use record::blank::is_blank;
use record::{Block, Message, Role};

use super::conversation::is_retracted;
use super::notes::{has_notes, retracted_calls};
use super::openai_chat::refuses_round;
use super::speech::first_result;
use super::{Conversation, Dialect};
use crate::bind::BoundCall;
use crate::fold::{Grown, View};
use crate::read::Row;
use crate::report::{ChangeKind, MovedReason, Unit};

/// A round that is not written yet.
#[derive(Clone, Debug)]
struct Held {
    reply: Row,
    calls: Vec<BoundCall>,
    /// It was sent, as calls and results.
    told: bool,
}

/// The rounds of a conversation.
#[derive(Clone, Debug, Default)]
pub(super) struct Rounds {
    /// Rounds whose form hangs on what follows them: no words of the model stand between.
    held: Vec<Held>,
    /// A call stands on the wire as a call (K-032, B-009).
    pub(super) has_calls: bool,
}

impl Rounds {
    /// Whether a round waits for what follows it.
    pub(super) fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// What was held has left.
    pub(super) fn sent(&mut self) {
        self.held.iter_mut().for_each(|held| held.told = true);
    }
}

impl Conversation {
    /// Takes a reply and gives its calls; one without calls is written.
    pub(super) fn held_reply(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        split: u32,
    ) -> Vec<BoundCall> {
        let Some(message) = row.entry.message() else { return Vec::new() };
        self.row = row.index;
        self.note_turn(view, message);
        self.notes_due |= has_notes(view, row, message, &BTreeSet::new());
        let has_ids = view.dialect.says_calls() && view.dialect.has_call_ids();
        let mut bound = Vec::new();
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if let Block::ToolUse(call) = block
                && !is_retracted(view, row, index)
            {
                let told_as_call = has_ids.then(|| self.wire_id(view, grown, row, index, &call.id));
                bound.push(BoundCall::open(index, told_as_call.flatten(), false));
            }
        }
        if bound.is_empty() {
            self.reply_message(view, grown, row, &[]);
            if split as usize == message.blocks.len() {
                self.reply_is_written(&row.entry);
            }
        }
        bound.extend(retracted_calls(view, row, message));
        bound.sort_unstable_by_key(|call| call.block);
        bound
    }

    /// Writes a round, or holds it until it is known what follows.
    pub(super) fn held_results(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        reply: &Row,
        calls: &[BoundCall],
    ) {
        let standing = || calls.iter().filter(|call| !call.retracted);
        if standing().next().is_none() {
            return;
        }
        self.gap_fills(view, reply, calls);
        // The tool that stands for those it calls stays, whatever becomes of the round (B-009).
        self.rounds.has_calls |= view.dialect.converse().is_some() && view.dialect.says_calls();
        let follows = view.dialect.takes_user_after_results();
        if !view.dialect.says_calls() {
            self.told(view, grown, reply, calls);
        } else if refuses(view, reply, calls) || !follows && self.has_images_behind(view, calls) {
            let next = if has_words(view, reply) { Role::Assistant } else { Role::User };
            self.settle_rounds(view, grown, next);
            self.told(view, grown, reply, calls);
        } else if follows {
            self.round(view, grown, reply, calls);
        } else {
            if has_words(view, reply) {
                self.settle_rounds(view, grown, Role::Assistant);
            }
            self.said = true;
            let (reply, calls) = (reply.clone(), calls.to_vec());
            self.rounds.held.push(Held { reply, calls, told: false });
        }
    }

    /// Writes the rounds that were held, now that it is known what follows them: the last is told
    /// where that is the user's, and so is each before it that would else be followed by a record.
    pub(super) fn settle_rounds(&mut self, view: View<'_>, grown: &mut Grown, next: Role) {
        let held = std::mem::take(&mut self.rounds.held);
        let wordless = held.iter().rev().take_while(|held| !has_words(view, &held.reply)).count();
        let as_calls = match next {
            Role::User => held.len().saturating_sub(wordless + 1),
            Role::Assistant | Role::System | Role::Tool => held.len(),
        };
        let row = self.row;
        for (at, Held { reply, calls, told }) in held.into_iter().enumerate() {
            if at < as_calls {
                self.round(view, grown, &reply, &calls);
                continue;
            }
            if told && at == as_calls {
                let unit = Unit::Content { message: self.messages, block: 0 };
                self.demoted = Some((unit, MovedReason::Capability));
            }
            self.told(view, grown, &reply, &calls);
        }
        self.row = row;
    }

    /// A round as calls and results.
    fn round(&mut self, view: View<'_>, grown: &mut Grown, reply: &Row, calls: &[BoundCall]) {
        self.reply_message(view, grown, reply, calls);
        self.answers(view, grown, reply, calls);
    }

    /// The texts of a reply before its results, in order, with their blocks; what is not said is
    /// reported here.
    pub(super) fn said_texts<'m>(
        &mut self,
        view: View<'_>,
        row: &Row,
        message: &'m Message,
    ) -> Vec<(u32, &'m Text)> {
        let mut texts = Vec::new();
        let mut called = false;
        // Notes were decided about when the reply was taken.
        let notes_due = self.notes_due;
        let split = first_result(message);
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if is_retracted(view, row, index) {
                self.retracted(row, index, block);
                continue;
            }
            match block {
                Block::Text(_) if index >= split => {}
                Block::Text(text) if is_blank(&text.text) => {
                    self.change(ChangeKind::BlankText, Some(&row.entry), Some(index));
                }
                Block::Text(text) => {
                    if called {
                        self.change(ChangeKind::TextMoved, Some(&row.entry), Some(index));
                    }
                    texts.push((index, &text.text));
                }
                Block::ToolUse(_) => called = true,
                Block::ToolResult(_)
                | Block::Reasoning(_)
                | Block::Image(_)
                | Block::SystemChange(_)
                | Block::Opaque(_) => {}
            }
        }
        self.notes_due = notes_due;
        texts
    }

    /// A reply's message: what it says, and its calls as far as they are said as such.
    pub(super) fn reply_message(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        calls: &[BoundCall],
    ) {
        match view.dialect {
            Dialect::OpenAiChat(chat) => self.chat_message(view, chat, grown, row, calls),
            Dialect::BedrockConverse(_) => self.converse_message(view, grown, row, calls),
            Dialect::AnthropicMessages(_) | Dialect::OpenAiResponses(_) | Dialect::Gemini(_) => {}
        }
    }

    /// The answer of every call of a round.
    fn answers(&mut self, view: View<'_>, grown: &mut Grown, reply: &Row, calls: &[BoundCall]) {
        match view.dialect {
            Dialect::OpenAiChat(chat) => self.chat_answers(view, chat, grown, reply, calls),
            Dialect::BedrockConverse(_) => self.blocks_results(view, grown, reply, calls),
            Dialect::AnthropicMessages(_) | Dialect::OpenAiResponses(_) | Dialect::Gemini(_) => {}
        }
    }
}

/// Whether a target takes no round of these calls as calls, whatever follows it.
fn refuses(view: View<'_>, reply: &Row, calls: &[BoundCall]) -> bool {
    match view.dialect {
        Dialect::OpenAiChat(chat) => refuses_round(view, chat, reply, calls),
        // Words stand beside no call (B-014).
        Dialect::BedrockConverse(_) => has_words(view, reply),
        Dialect::AnthropicMessages(_) | Dialect::OpenAiResponses(_) | Dialect::Gemini(_) => false,
    }
}

/// Whether a reply says something before its results.
fn has_words(view: View<'_>, row: &Row) -> bool {
    let Some(message) = row.entry.message() else { return false };
    let before = message.blocks.iter().zip(0u32..first_result(message));
    before.into_iter().any(|(block, index)| {
        let words = block.as_text().is_some_and(|text| !is_blank(&text.text));
        words && !is_retracted(view, row, index)
    })
}
