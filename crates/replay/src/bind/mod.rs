//! Bind: calls and their results, by position.
//!
//! In: rows in causal order. Out: to `project`, one declaration per assistant row, its results
//! directly after it in call order, and everything that was stored between them behind them. A
//! result binds to the open round only; once a reply or a `sent` has closed it, the gap stays as it
//! was told and a later result is evidence at its own place.

mod closed;
mod round;

use std::collections::BTreeMap;
use std::sync::Arc;

use record::{Block, BlockRef, Entry, EntryId, Message, Role, ToolResult};

use crate::declare::Declare;
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::evidence::EvidenceKind;
use crate::read::Row;
use crate::report::ChangeKind;
use closed::Answered;
use round::{Behind, Round};

pub(crate) use closed::{ClosedCalls, ClosedGap};
pub(crate) use round::{Answer, BoundCall, call_in, call_of};

/// The state of binding: at most one round is open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bind {
    round: Option<Round>,
    /// Dispatched calls of replies that still wait for their turn: their blocks by the reply.
    started: BTreeMap<EntryId, Vec<u32>>,
    /// A line of what the record was loaded from was lost: nothing is known not to have run.
    damaged: bool,
}

/// What binding works on.
pub(crate) struct On<'a> {
    pub(crate) view: View<'a>,
    pub(crate) grown: &'a mut Grown,
    pub(crate) declare: &'a mut Declare,
    pub(crate) conversation: &'a mut Conversation,
}

impl Bind {
    /// Takes a row in causal order.
    pub(crate) fn row(&mut self, on: &mut On<'_>, row: Row) {
        let Some(message) = row.entry.message() else { return };
        if message.kind == Some(record::MessageKind::CompactBoundary) {
            return;
        }
        match message.role {
            Role::Assistant => {
                while let Some(round) = &mut self.round {
                    if round.holds_back(message) {
                        return round.push_behind(Behind::Reply(row));
                    }
                    self.close_round(on);
                }
                self.reply(on, &row, message);
            }
            Role::User | Role::Tool => {
                let has_results =
                    message.blocks.iter().any(|block| matches!(block, Block::ToolResult(_)));
                if has_results {
                    let first = message.blocks.first();
                    if !matches!(first, Some(Block::ToolResult(_))) {
                        self.behind(on, Behind::Hoisted(row.clone()));
                    }
                    self.results(on, &row, message, 0);
                }
                if message.blocks.iter().any(|block| !matches!(block, Block::ToolResult(_))) {
                    self.behind(on, Behind::Person(row));
                }
            }
            Role::System => self.behind(on, Behind::System(row)),
        }
    }

    fn reply(&mut self, on: &mut On<'_>, row: &Row, message: &Message) {
        let first_result =
            message.blocks.iter().position(|block| matches!(block, Block::ToolResult(_)));
        let split = first_result.unwrap_or(message.blocks.len()) as u32;
        let calls = on.conversation.reply(on.view, on.grown, row, split);
        if !calls.is_empty() {
            let mut round = Round::new(row.clone(), calls, on.view.edits);
            for block in self.started.remove(&row.entry.id).into_iter().flatten() {
                round.call_started(&BlockRef { row: row.entry.id.clone(), block });
            }
            self.round = Some(round);
        }
        if first_result.is_some() {
            self.results(on, row, message, split);
            self.behind(on, Behind::Speech(row.clone(), split));
        }
        if on.conversation.take_notes_due() {
            self.behind(on, Behind::Notes(row.clone(), split));
        }
    }

    fn results(&mut self, on: &mut On<'_>, row: &Row, message: &Message, from: u32) {
        for (block, index) in message.blocks.iter().zip(0u32..).skip(from as usize) {
            if let Block::ToolResult(result) = block {
                self.result(on, row, index, result);
            }
        }
        self.close_if_complete(on);
    }

    fn close_if_complete(&mut self, on: &mut On<'_>) {
        if self.round.as_ref().is_some_and(Round::is_complete) {
            self.close_round(on);
        }
    }

    /// Binds a result to the nearest call of its id that has none.
    fn result(&mut self, on: &mut On<'_>, row: &Row, block: u32, result: &ToolResult) {
        let id = &result.tool_use_id;
        if let Some(round) = &mut self.round {
            if round.waits_for(id) {
                return round.push_behind(Behind::Result(row.clone(), block));
            }
            let reply = round.row.index;
            if let Some(call) = round.take_unanswered(id) {
                let at = (reply, call.block);
                let (late, retracted) = (call.told.is_some(), call.retracted);
                call.answer = if late {
                    Answer::LateAfterGap(row.clone(), block)
                } else {
                    Answer::Result(row.clone(), block)
                };
                if late || retracted {
                    self.late(on, row, block, at, retracted);
                } else if round.has_rows_behind {
                    let entry = Some(&*row.entry);
                    on.conversation.change(ChangeKind::ResultHoisted, entry, Some(block));
                }
                return;
            }
        }
        if let Some(gap) = closed::take_gap(on.view, on.grown, id, (row.index, block)) {
            return self.late(on, row, block, gap.call, gap.retracted);
        }
        let answered = self.round.as_ref().and_then(|round| round.answered(id));
        let answered = answered.or_else(|| closed::answered(on.view, on.grown, id));
        self.behind(
            on,
            match answered {
                None => match on.view.edits.retracted_call_of((row.index, block)) {
                    Some(call) => Behind::Gone(row.clone(), block, Some(call)),
                    None => Behind::Evidence(row.clone(), block, EvidenceKind::Orphan),
                },
                Some(Answered { retracted: true, .. }) => Behind::Gone(row.clone(), block, None),
                Some(Answered { result: at, .. }) if is_same(on.view, at, result) => {
                    Behind::Duplicate(row.clone(), block)
                }
                Some(_) => Behind::Evidence(row.clone(), block, EvidenceKind::Second),
            },
        );
    }

    /// Puts a result that does not stand with its call behind the round, unless that is retracted.
    fn late(&mut self, on: &mut On<'_>, row: &Row, block: u32, call: (u32, u32), retracted: bool) {
        let late = || Behind::Evidence(row.clone(), block, EvidenceKind::Late { call });
        self.behind(on, if retracted { Behind::Gone(row.clone(), block, None) } else { late() });
    }

    /// Reports a compaction that cannot be applied, in its place.
    pub(crate) fn pair_invalid(&mut self, on: &mut On<'_>, entry: &Arc<Entry>) {
        self.behind(on, Behind::PairInvalid(Arc::clone(entry)));
    }

    /// Puts something behind the open round, or says it at once where none is open.
    fn behind(&mut self, on: &mut On<'_>, item: Behind) {
        match &mut self.round {
            Some(round) => round.push_behind(item),
            None => say(on, item),
        }
    }

    /// Closes everything that is open, and what opens behind it.
    pub(crate) fn close(&mut self, on: &mut On<'_>) {
        while self.round.is_some() {
            self.close_round(on);
        }
        self.started.clear();
    }

    /// Closes the open round: every call gets its result or its stand-in, then what waited behind.
    /// Another agent's round may be open after it.
    pub(crate) fn close_round(&mut self, on: &mut On<'_>) {
        let Some(mut round) = self.round.take() else { return };
        round.settle_gaps(on.view, self.damaged);
        on.conversation.results(on.view, on.grown, &round.row, &round.calls);
        closed::close(on.view, on.grown, &round.row, &round.calls);
        for item in round.take_behind() {
            match item {
                Behind::Reply(row) => self.row(on, row),
                Behind::Result(row, block) => {
                    if let Some(result) = result_at(&row, block) {
                        self.result(on, &row, block, result);
                    }
                    self.close_if_complete(on);
                }
                item @ (Behind::Person(_)
                | Behind::System(_)
                | Behind::Evidence(..)
                | Behind::Speech(..)
                | Behind::Notes(..)
                | Behind::Hoisted(_)
                | Behind::PairInvalid(_)
                | Behind::Duplicate(..)
                | Behind::Gone(..)) => self.behind(on, item),
            }
        }
    }

    /// A call was dispatched.
    pub(crate) fn call_started(&mut self, call: &BlockRef) {
        let known = self.round.as_mut().is_some_and(|round| round.call_started(call));
        if !known {
            self.started.entry(call.row.clone()).or_default().push(call.block);
        }
    }

    /// A damaged line was kept on the path.
    pub(crate) fn damaged_line(&mut self) {
        self.damaged = true;
    }

    /// Whether the open round is a reply of this agent's.
    pub(crate) fn is_round_of(&self, agent: &str) -> bool {
        self.round.as_ref().is_some_and(|round| round.is_of(agent))
    }
}

fn say(on: &mut On<'_>, item: Behind) {
    let On { view, grown, declare, conversation } = on;
    match item {
        // Bound when they are taken out, not said.
        Behind::Reply(_) | Behind::Result(..) => {}
        Behind::Hoisted(row) => {
            conversation.change(ChangeKind::ResultHoisted, Some(&row.entry), None);
        }
        Behind::Person(row) => conversation.person(*view, grown, declare, &row),
        Behind::System(row) => conversation.system(*view, grown, declare, &row),
        Behind::Evidence(row, block, kind) => {
            conversation.evidence(*view, grown, &row, block, kind);
        }
        Behind::Speech(row, from) => conversation.speech_after_results(*view, grown, &row, from),
        Behind::PairInvalid(entry) => {
            conversation.change(ChangeKind::CompactionPairInvalid, Some(&entry), None);
        }
        Behind::Duplicate(row, block) => {
            conversation.change(ChangeKind::ResultDuplicate, Some(&row.entry), Some(block));
        }
        Behind::Gone(row, block, call) => conversation.gone(&row.entry, block, call),
        Behind::Notes(row, split) => conversation.notes(*view, grown, &row, split),
    }
}

/// The result at this block of a row.
pub(crate) fn result_at(row: &Row, block: u32) -> Option<&ToolResult> {
    match row.entry.message()?.blocks.get(block as usize)? {
        Block::ToolResult(result) => Some(result),
        Block::Text(_)
        | Block::ToolUse(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => None,
    }
}

/// Whether the result at a position and block of the path says the same.
fn is_same(view: View<'_>, (row, block): (u32, u32), result: &ToolResult) -> bool {
    let earlier = view.path.get(row as usize).and_then(|entry| entry.message());
    let earlier = earlier.and_then(|message| message.blocks.get(block as usize)?.as_tool_result());
    earlier.is_some_and(|earlier| {
        earlier.is_error == result.is_error && earlier.content == result.content
    })
}
