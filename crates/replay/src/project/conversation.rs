//! The conversation being written, once, block by block, in whatever dialect.
//!
//! In: replies, results, person's rows, system texts and notes, in wire order. Out: pages of bytes
//! whose order is legal by construction. What a dialect writes is its own; what has been said, what
//! stands open and what is reported is kept here for all of them.
//!
//! **Invariants.** No text of ours stands in an assistant message. What was sent is never merged
//! into: after [`Conversation::sent`] every block begins a new message, unless the target refuses
//! neighbours of one role.

use json::Text;
use record::{BlockRef, Entry, EntryId, Fill, Role};
use wire::body::Ending;
use wire::pages::{Bytes, Pages};

use super::rounds::Rounds;
use super::{Dialect, openai_chat};
use crate::digest::End;
use crate::fold::{Closing, Grown, View};
use crate::read::Row;
use crate::report::{Change, ChangeKind, MovedReason, Unit};
use crate::wording;

/// The conversation array being written. Small: what grows is in pages or in [`Grown`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Conversation {
    pub(super) pages: Pages,
    /// Role of the last message; it is closed when the next one begins.
    pub(super) open: Option<Role>,
    /// What is open in it.
    ending: Ending,
    /// The last message was sent: the next block begins a new one.
    pub(super) fresh: bool,
    pub(super) messages: u64,
    /// Blocks of the last message.
    pub(super) blocks: u64,
    /// Offset of the end of the last block that can carry a cache breakpoint.
    breakpoint: Option<u64>,
    /// The same, as it was when the last request left.
    told_breakpoint: Option<u64>,
    /// The same, one request earlier.
    told_before: Option<u64>,
    /// Something stored was said.
    pub(super) said: bool,
    /// The last reply's row, once all of it is written.
    pub(super) last_reply: Option<EntryId>,
    /// A reply's row of which something is written.
    pub(super) written_reply: Option<EntryId>,
    /// The next assistant message must not merge with this one.
    pub(super) separate: bool,
    /// The last reply waits for its provider to go on.
    pub(crate) paused: Option<u32>,
    /// The server calls it waits for.
    pub(super) paused_calls: Vec<Text>,
    /// The reply that goes on with a paused one, and the server calls that one waited for.
    pub(super) resumed: Option<(u32, Vec<Text>)>,
    /// The tools it waits for.
    pub(crate) paused_tools: Vec<Text>,
    /// The turn that waits for its provider waits for results of ours as well.
    pub(super) paused_calls_of_ours: bool,
    /// Results are being written: a turn that waits for its provider waits for them as well.
    pub(super) answering: bool,
    /// The running turn's first reply.
    pub(crate) turn_start: Option<u32>,
    pub(super) ends_with_results: bool,
    pub(super) starts_with_thinking: bool,
    /// The message, counted from 1, that the last run of assistant messages begins with.
    pub(super) turn_message: u64,
    /// System texts with no place yet, or whose place is the end.
    pub(super) floats: Vec<(Row, u32)>,
    /// The floats were sent where they stand.
    floats_told: bool,
    /// A reply stands between their place and where they will be.
    floats_passed: bool,
    /// How many of them are named as floated: each is once.
    pub(super) floats_named: usize,
    /// What was sent and stands in another form or place since, because of what followed it.
    pub(crate) demoted: Option<(Unit, MovedReason)>,
    /// A note is due about the last reply.
    pub(super) notes_due: bool,
    /// Fills that no `sent` has carried yet.
    pub(crate) fills: Vec<Fill>,
    /// Runs of rows whose thoughts are left out because their prefix is not known.
    pub(crate) unproven: Vec<(u32, u32)>,
    /// The last row whose thought crosses, though it may end a message and go unsaid.
    pub(super) last_thought: Option<u32>,
    /// Whether the running turn has a thought.
    pub(super) turn_thinks: bool,
    pub(crate) last_turn_thinks: Option<bool>,
    /// Row at work.
    pub(super) row: u32,
    /// First row that is not written as an imported request would have had it.
    pub(crate) deviates_from: Option<u32>,
    changes: Vec<Change>,
    /// Edited blocks whose place is that of the next block written.
    pub(super) edited: Vec<BlockRef>,
    pub(super) thoughts_out: Vec<u32>,
    /// The row whose texts stand in the open user message, where a row has one of its own.
    pub(super) open_row: Option<u32>,
    pub(super) rounds: Rounds,
    /// Documents on the wire (B-017).
    pub(super) documents: Vec<String>,
    /// What Chat Completions needs besides.
    pub(super) chat: openai_chat::State,
}

impl Conversation {
    /// Reports a change; `entry` is the row's.
    pub(crate) fn change(&mut self, kind: ChangeKind, entry: Option<&Entry>, block: Option<u32>) {
        self.change_with(kind, entry, block, None);
    }

    pub(super) fn change_with(
        &mut self,
        kind: ChangeKind,
        entry: Option<&Entry>,
        block: Option<u32>,
        detail: Option<Box<str>>,
    ) {
        self.deviates_from = self.deviates_from.or(Some(self.row));
        let row = entry.map(|entry| entry.id.clone());
        self.changes.push(Change { kind, row, block, detail });
    }

    /// Begins a block of a role, with everything that has to stand before it.
    pub(super) fn begin(&mut self, view: View<'_>, grown: &mut Grown, role: Role) {
        self.before(view, grown, role);
        self.open_block(view, grown, role);
    }

    /// Writes everything that has to stand before a block of a role.
    pub(super) fn before(&mut self, view: View<'_>, grown: &mut Grown, role: Role) {
        self.said = true;
        self.settle_rounds(view, grown, role);
        self.told_prompt(view, grown, u32::MAX);
        let resumes = self.resumed.as_ref().is_some_and(|(row, _)| *row == self.row);
        let answers = role == Role::User && self.answering && self.paused_calls_of_ours;
        let stays = answers || (role == Role::Assistant && resumes);
        if let Some(row) = self.paused.filter(|_| !stays) {
            self.give_up_pause(view, grown, row, self.row);
        }
        match role {
            Role::Assistant => {
                let separate = self.separate
                    || match view.dialect {
                        Dialect::OpenAiChat(chat) => !chat.takes_assistants_in_a_row(),
                        Dialect::AnthropicMessages(_)
                        | Dialect::OpenAiResponses(_)
                        | Dialect::Gemini(_)
                        | Dialect::BedrockConverse(_) => false,
                    };
                let alone = self.open.is_none() || (separate && self.is_after_assistant());
                if alone {
                    self.prompt(view, grown);
                    self.change(ChangeKind::ContinueAdded, None, None);
                }
                if self.open == Some(Role::User) {
                    self.push_floats(view, grown);
                    self.floats_told = false;
                    self.floats_passed = false;
                } else {
                    self.float_past();
                }
                self.paused = None;
                self.separate = false;
                self.last_reply = None;
            }
            Role::User => self.float_over(),
            Role::System | Role::Tool => {}
        }
    }

    /// Writes what waits to know what follows it, as it stands while nothing does.
    pub(crate) fn push_tail(&mut self, view: View<'_>, grown: &mut Grown) {
        self.settle_rounds(view, grown, Role::Assistant);
        self.push_floats(view, grown);
    }

    /// A turn that its provider paused is not resumed: at `at` something else came. The fold begins
    /// again, and a note stands for what the turn waited for. Until then all is folded as behind
    /// that note, so that one pass finds all such turns.
    pub(crate) fn give_up_pause(&mut self, view: View<'_>, grown: &mut Grown, row: u32, at: u32) {
        grown.found.pauses.push((row, at));
        self.paused = None;
        self.paused_calls.clear();
        self.paused_calls_of_ours = false;
        self.prompt(view, grown);
    }

    /// Whether system messages would have to stand before a reply that goes on with a turn.
    pub(super) fn floats_before_reply(&self) -> bool {
        self.open == Some(Role::User) && !self.floats.is_empty()
    }

    /// A user message comes before system messages that were sent last: they stand behind it.
    fn float_over(&mut self) {
        if !self.floats_told || self.floats.is_empty() {
            return;
        }
        self.floats_told = false;
        let unit = Unit::Content { message: self.messages, block: 0 };
        self.demoted = Some((unit, MovedReason::DemotedSystemNote));
        self.name_floats();
    }

    /// A reply follows a reply: system messages between them find no place and stand further on.
    fn float_past(&mut self) {
        if self.floats.is_empty() || self.floats_passed {
            return;
        }
        self.floats_passed = true;
        self.name_floats();
    }

    fn name_floats(&mut self) {
        let unnamed = self.floats.get(self.floats_named..).unwrap_or_default().to_vec();
        self.floats_named = self.floats.len();
        for (row, block) in unnamed {
            self.change(ChangeKind::SystemFloated, Some(&row.entry), Some(block));
        }
    }

    /// Begins a block: in the open message where it can, else in a new one.
    pub(super) fn open_block(&mut self, view: View<'_>, grown: &mut Grown, role: Role) {
        match view.dialect {
            Dialect::AnthropicMessages(_) => self.anthropic_block(grown, role),
            Dialect::OpenAiChat(chat) => self.chat_block(view, chat, grown, role),
            Dialect::OpenAiResponses(_) => self.responses_block(grown, role),
            Dialect::Gemini(_) => self.gemini_block(view, grown, role),
            Dialect::BedrockConverse(_) => self.converse_block(view, grown, role),
        }
        self.mark_units(grown);
    }

    /// What waited for the next block stands there.
    pub(super) fn mark_units(&mut self, grown: &mut Grown) {
        let unit = self.unit();
        grown.edited.extend(self.edited.drain(..).map(|block| (block, unit)));
        grown.thoughts_out.extend(self.thoughts_out.drain(..).map(|row| (row, unit)));
    }

    /// Ends the open message, and counts the one that begins now.
    pub(super) fn next_message(&mut self, grown: &mut Grown, role: Role, ending: Ending) {
        if self.open.is_some() {
            grown.ends.push(self.end());
            self.pages.push(self.ending.of_message().as_bytes());
        }
        if role == Role::Assistant && self.open != Some(Role::Assistant) {
            self.starts_with_thinking = false;
            self.turn_message = self.messages + 1;
        }
        if role == Role::User && self.open != Some(Role::User) {
            self.ends_with_results = false;
        }
        self.messages += 1;
        self.blocks = 1;
        self.open = Some(role);
        if role != Role::System {
            self.chat.spoken = Some(role);
        }
        self.ending = ending;
        self.fresh = false;
        self.chat.begins();
    }

    /// The open message goes on in another of its members.
    pub(super) fn goes_on_as(&mut self, ending: Ending) {
        self.ending = ending;
        self.chat.is_both();
    }

    /// The block begun last.
    pub(super) fn unit(&self) -> Unit {
        Unit::Content {
            message: self.messages.saturating_sub(1),
            block: self.blocks.saturating_sub(1),
        }
    }

    /// Ends a block that can carry a cache breakpoint.
    pub(super) fn end_markable(&mut self) {
        self.breakpoint = Some(self.pages.len());
    }

    /// A continuation prompt of the runtime.
    fn prompt(&mut self, view: View<'_>, grown: &mut Grown) {
        self.apart();
        self.open_block(view, grown, Role::User);
        self.write_text(view, &[wording::CONTINUE]);
        self.apart();
    }

    /// What follows on the user's side does not go on in the row's message.
    pub(super) fn apart(&mut self) {
        self.open_row = None;
    }

    /// A text on the user's side, made of several pieces.
    pub(super) fn user_text(&mut self, view: View<'_>, grown: &mut Grown, pieces: &[&str]) {
        self.begin(view, grown, Role::User);
        self.write_text(view, pieces);
    }

    /// A text of the model.
    pub(super) fn speech(&mut self, view: View<'_>, grown: &mut Grown, text: &str) {
        self.begin(view, grown, Role::Assistant);
        self.write_text(view, &[text]);
    }

    /// The block just begun, as a text.
    pub(super) fn write_text(&mut self, view: View<'_>, pieces: &[&str]) {
        match view.dialect {
            Dialect::AnthropicMessages(_) => self.anthropic_text(pieces),
            Dialect::OpenAiChat(_) => self.chat_text(pieces),
            Dialect::OpenAiResponses(to) => self.responses_text(to, pieces),
            Dialect::Gemini(_) => self.gemini_text(pieces, None),
            Dialect::BedrockConverse(_) => self.converse_text(pieces),
        }
    }

    /// The prompt that was told to stand after the last reply, by the request at `until`.
    fn told_prompt(&mut self, view: View<'_>, grown: &mut Grown, until: u32) {
        let row = self.last_reply.as_ref().filter(|_| self.is_after_assistant());
        let told_at = row.and_then(|row| view.edits.continues.get(row));
        if told_at.is_some_and(|at| *at <= until) {
            self.prompt(view, grown);
            self.change(ChangeKind::ContinueAdded, None, None);
        }
    }

    /// All of this reply that stands in assistant messages is written.
    pub(super) fn reply_is_written(&mut self, entry: &Entry) {
        if let Some(row) = self.written_reply.take_if(|row| *row == entry.id) {
            self.last_reply = Some(row);
        }
    }

    fn is_after_assistant(&self) -> bool {
        self.open == Some(Role::Assistant) && !self.rounds.holds()
    }

    /// Whether nothing is said yet.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_none() && !self.rounds.holds()
    }

    /// A text of ours, on the user side.
    pub(super) fn note(&mut self, view: View<'_>, grown: &mut Grown, text: &str) {
        self.note_of(view, grown, &[text]);
    }

    /// The same, made of several pieces.
    pub(super) fn note_of(&mut self, view: View<'_>, grown: &mut Grown, pieces: &[&str]) {
        self.apart();
        self.user_text(view, grown, pieces);
        self.apart();
    }

    /// The array's last words: a prompt where it would end with the assistant.
    pub(crate) fn finish(&mut self, view: View<'_>, grown: &mut Grown, closing: Closing) {
        match closing {
            Closing::Request | Closing::RequestAsItEnds => {
                self.told_prompt(view, grown, u32::MAX);
            }
            Closing::Told(at) => self.told_prompt(view, grown, at),
            Closing::ToldElsewhere => {}
        }
        if closing == Closing::Request
            && self.said
            && self.is_after_assistant()
            && self.paused.is_none()
        {
            self.prompt(view, grown);
            self.change(ChangeKind::ContinueAdded, None, None);
            if let Some(after) = self.last_reply.clone() {
                self.fills.push(Fill::Continue { after });
            }
        }
        self.mark_units(grown);
    }

    /// What was written has left: to this target, or to another one of the same agent.
    pub(crate) fn sent(&mut self, own: bool) {
        self.fresh = true;
        if !own {
            return;
        }
        if self.told_breakpoint != self.breakpoint {
            self.told_before = self.told_breakpoint;
            self.told_breakpoint = self.breakpoint;
        }
        self.fills.clear();
        self.unproven.clear();
        self.demoted = None;
        self.rounds.sent();
        self.floats_told = !self.floats.is_empty();
    }

    /// The end of the last block.
    pub(crate) fn end(&self) -> End {
        End { messages: self.messages, blocks: self.blocks, bytes: self.pages.len() }
    }

    /// Ends the page being filled; the copy shares every byte.
    pub(crate) fn freeze(&mut self) -> Conversation {
        self.pages.freeze();
        self.clone()
    }

    /// The bytes, once frozen.
    pub(crate) fn bytes(mut self) -> Bytes {
        self.pages.freeze()
    }

    /// Changes since they were last taken.
    pub(crate) fn take_changes(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.changes)
    }

    /// What is open where the bytes end.
    pub(crate) fn ending(&self) -> Ending {
        self.ending
    }

    pub(crate) fn breakpoint(&self) -> Option<u64> {
        self.breakpoint
    }

    /// Where the last request ended; for a retry of it, where the one before did.
    pub(crate) fn told_breakpoint(&self) -> Option<u64> {
        let retry = self.told_breakpoint == self.breakpoint;
        if retry { self.told_before } else { self.told_breakpoint }
    }

    pub(crate) fn has_calls(&self) -> bool {
        self.rounds.has_calls
    }

    pub(crate) fn lacks_reasoning(&self) -> bool {
        self.chat.lacks_reasoning()
    }

    /// Whether the request goes on with a turn: it ends with results, or its provider paused it.
    pub(crate) fn turn_runs(&self) -> bool {
        let answered = matches!(self.open, Some(Role::User | Role::Tool)) && self.ends_with_results;
        answered || (self.is_after_assistant() && self.paused.is_some())
    }

    /// The row written last.
    pub(crate) fn row(&self) -> u32 {
        self.row
    }

    /// Whether system messages would stand where none may: directly after a reply.
    pub(crate) fn floats_after_assistant(&self) -> bool {
        self.is_after_assistant() && !self.floats.is_empty()
    }

    /// The row that waits for its provider, where system messages would stand behind it.
    pub(crate) fn pause_that_floats_follow(&self) -> Option<u32> {
        self.paused.filter(|_| !self.floats.is_empty())
    }

    pub(crate) fn assistant_starts_with_thinking(&self) -> bool {
        self.starts_with_thinking
    }

    pub(crate) fn ends_with_assistant(&self) -> bool {
        self.is_after_assistant() && self.paused.is_none()
    }

    /// Whether nothing that is stored was said.
    pub(crate) fn only_prompts(&self) -> bool {
        !self.said
    }

    /// A text as its wire form, told where that is not all of it.
    pub(super) fn told_text<'t>(
        &mut self,
        view: View<'_>,
        text: &'t Text,
        entry: &Entry,
        block: u32,
    ) -> &'t str {
        if text.has_lone_surrogate() || view.dialect.replaces_nul(text) {
            self.change(ChangeKind::SurrogateReplaced, Some(entry), Some(block));
        }
        text.as_str()
    }

    /// Notes that an edited block stands, or would have stood, where the next block will.
    pub(super) fn mark_edited(&mut self, entry: &Entry, block: u32) {
        self.edited.push(BlockRef { row: entry.id.clone(), block });
    }
}

/// Whether a block was retracted.
pub(super) fn is_retracted(view: View<'_>, row: &Row, block: u32) -> bool {
    !view.edits.retracted.is_empty() && view.edits.retracted.contains(&at(row, block))
}

/// The place of a row's block.
pub(super) fn at(row: &Row, block: u32) -> BlockRef {
    BlockRef { row: row.entry.id.clone(), block }
}
