//! Bind: calls and their results, by position.
//!
//! In: rows in causal order. Out: to `project`, one declaration per assistant row, its results
//! directly after it in call order, and everything that was stored between them behind them. A
//! result binds to the open round only; once a reply or a `sent` has closed it, the gap stays as it
//! was told and a later result is evidence at its own place.

mod round;

use record::{Block, BlockRef, Message, Role, ToolResult};

use crate::declare::Declare;
use crate::fold::{Grown, View};
use crate::project::anthropic_messages::Conversation;
use crate::project::anthropic_messages::evidence::EvidenceKind;
use crate::read::Row;
use crate::report::ChangeKind;
use crate::rewind::key;
use round::{Behind, Round};

pub(crate) use round::{Answer, BoundCall, call_of};

/// A call of a closed round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallInfo {
    /// Position of its row.
    row: u32,
    block: u32,
    /// Position and block of its result; `None` while its gap stands.
    answer: Option<(u32, u32)>,
}

/// The state of binding: at most one round is open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bind {
    round: Option<Round>,
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
            Role::Assistant => self.reply(on, &row, message),
            Role::User | Role::Tool => {
                let has_results =
                    message.blocks.iter().any(|block| matches!(block, Block::ToolResult(_)));
                if has_results {
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
        self.close(on);
        let first_result =
            message.blocks.iter().position(|block| matches!(block, Block::ToolResult(_)));
        let split = first_result.unwrap_or(message.blocks.len()) as u32;
        let calls = on.conversation.reply(on.view, on.grown, row, split);
        if !calls.is_empty() {
            self.round = Some(Round::new(row.clone(), calls, on.view.edits));
        }
        if first_result.is_some() {
            self.results(on, row, message, split);
            self.behind(on, Behind::Speech(row.clone(), split));
        }
        if on.conversation.has_notes(on.view, row) {
            self.behind(on, Behind::Notes(row.clone(), split));
        }
    }

    fn results(&mut self, on: &mut On<'_>, row: &Row, message: &Message, from: u32) {
        for (block, index) in message.blocks.iter().zip(0u32..).skip(from as usize) {
            if let Block::ToolResult(result) = block {
                self.result(on, row, index, result);
            }
        }
        if self.round.as_ref().is_some_and(Round::is_complete) {
            self.close(on);
        }
    }

    fn result(&mut self, on: &mut On<'_>, row: &Row, block: u32, result: &ToolResult) {
        let key = key(&result.tool_use_id);
        if let Some(round) = &mut self.round {
            if let Some(call) = round.unanswered(key) {
                call.answer = Answer::Result(row.clone(), block);
                if round.has_rows_behind() {
                    on.conversation.change(
                        ChangeKind::ResultHoisted,
                        Some(&row.entry),
                        Some(block),
                    );
                }
                return;
            }
            if let Some((earlier, at)) = round.answer_of(key) {
                let same = result_at(&earlier, at).is_some_and(|earlier| is_same(earlier, result));
                return self.second(on, row, block, same);
            }
            if let Some(call) = round.told_gap(key) {
                call.answer = Answer::LateAfterGap(row.clone(), block);
                return self.behind(on, Behind::Evidence(row.clone(), block, EvidenceKind::Late));
            }
        }
        if on.view.edits.retracted_calls.contains(&key) {
            return self.behind(on, Behind::Gone(row.clone(), block));
        }
        match on.grown.calls.get(key).copied() {
            None => self.behind(on, Behind::Evidence(row.clone(), block, EvidenceKind::Orphan)),
            Some(info) => match info.answer {
                None => {
                    let info = CallInfo { answer: Some((row.index, block)), ..info };
                    on.grown.calls.insert(key, info);
                    self.behind(on, Behind::Evidence(row.clone(), block, EvidenceKind::Late));
                }
                Some((at, index)) => {
                    let earlier = on.view.path.get(at as usize).and_then(|entry| entry.message());
                    let earlier = earlier.and_then(|message| message.blocks.get(index as usize));
                    let same = matches!(earlier, Some(Block::ToolResult(earlier)) if is_same(earlier, result));
                    self.second(on, row, block, same);
                }
            },
        }
    }

    fn second(&mut self, on: &mut On<'_>, row: &Row, block: u32, same: bool) {
        if same {
            self.behind(on, Behind::Duplicate(row.clone(), block));
        } else {
            self.behind(on, Behind::Evidence(row.clone(), block, EvidenceKind::Second));
        }
    }

    /// Puts something behind the open round, or says it at once where none is open.
    fn behind(&mut self, on: &mut On<'_>, item: Behind) {
        match &mut self.round {
            Some(round) => round.behind.push(item),
            None => say(on, item),
        }
    }

    /// Closes the open round: every call gets its result or its stand-in, then what waited behind.
    pub(crate) fn close(&mut self, on: &mut On<'_>) {
        let Some(mut round) = self.round.take() else { return };
        round.settle_gaps(on.view, self.damaged);
        on.conversation.results(on.view, on.grown, &round.row, &round.calls);
        for call in &round.calls {
            let answer = match &call.answer {
                Answer::Result(row, block) | Answer::LateAfterGap(row, block) => {
                    Some((row.index, *block))
                }
                Answer::Open | Answer::Gap(_) => None,
            };
            let info = CallInfo { row: round.row.index, block: call.block, answer };
            on.grown.calls.insert(call.key, info);
        }
        for item in round.behind {
            say(on, item);
        }
    }

    /// A call was dispatched.
    pub(crate) fn call_started(&mut self, call: &BlockRef) {
        if let Some(round) = &mut self.round {
            round.call_started(call);
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
        Behind::Person(row) => conversation.person(*view, grown, declare, &row),
        Behind::System(row) => conversation.system(*view, grown, declare, &row),
        Behind::Evidence(row, block, kind) => {
            let call = match kind {
                EvidenceKind::Late => late_call(*view, grown, &row, block),
                EvidenceKind::Orphan | EvidenceKind::Second => None,
            };
            conversation.evidence(*view, grown, &row, block, kind, call);
        }
        Behind::Speech(row, from) => conversation.speech_after_results(*view, grown, &row, from),
        Behind::Duplicate(row, block) => {
            conversation.change(ChangeKind::ResultDuplicate, Some(&row.entry), Some(block));
        }
        Behind::Gone(row, block) => conversation.gone(&row.entry, block),
        Behind::Notes(row, split) => conversation.notes(*view, grown, &row, split),
    }
}

/// The row and block of the call a late result answers.
fn late_call(view: View<'_>, grown: &Grown, row: &Row, block: u32) -> Option<(u32, u32)> {
    let result = result_at(row, block)?;
    let info = grown.calls.get(key(&result.tool_use_id))?;
    view.path.get(info.row as usize).map(|_| (info.row, info.block))
}

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

fn is_same(left: &ToolResult, right: &ToolResult) -> bool {
    left.is_error == right.is_error && left.content == right.content
}
