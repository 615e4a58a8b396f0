//! A round: the calls of one reply, their answers, and what waits behind them.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use json::Text;
use record::{Block, BlockRef, Entry, GapWording, Message, ToolUse};

use super::closed::Answered;
use crate::fold::View;
use crate::project::evidence::EvidenceKind;
use crate::read::Row;
use crate::read::edits::Edits;
use crate::rewind::key;

/// What answers a call.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// Nothing yet.
    Open,
    /// A stand-in.
    Gap(GapWording),
    /// A result.
    Result(Row, u32),
    /// A stand-in was told; this came later and is evidence.
    LateAfterGap(Row, u32),
}

/// A call of a round, as it stands on the wire.
#[derive(Clone, Debug)]
pub(crate) struct BoundCall {
    /// Block of the reply.
    pub(crate) block: u32,
    /// The id on the wire, where it is not the stored one.
    pub(crate) wire_id: Option<Text>,
    pub(crate) answer: Answer,
    /// A `call_started` names it.
    pub(crate) started: bool,
    /// The stand-in that was told for it.
    pub(crate) told: Option<GapWording>,
    /// Neither it nor its result is written.
    pub(crate) retracted: bool,
}

impl BoundCall {
    /// A call that nothing is known of yet.
    pub(crate) fn open(block: u32, wire_id: Option<Text>, retracted: bool) -> BoundCall {
        BoundCall { block, wire_id, answer: Answer::Open, started: false, told: None, retracted }
    }

    /// Position and block of its result.
    pub(crate) fn result(&self) -> Option<(u32, u32)> {
        match &self.answer {
            Answer::Result(row, block) | Answer::LateAfterGap(row, block) => {
                Some((row.index, *block))
            }
            Answer::Open | Answer::Gap(_) => None,
        }
    }
}

/// The calls of one id in a round.
#[derive(Clone, Debug)]
struct SameId {
    /// One of them: its id is theirs.
    one: u32,
    /// Places in [`Round::by_id`] of those without a result.
    unanswered: Range<u32>,
    /// The one that was answered last.
    answered: Option<u32>,
    /// One of them is retracted.
    retracted: bool,
}

/// Something that stands behind a round's results.
#[derive(Clone, Debug)]
pub(crate) enum Behind {
    Person(Row),
    System(Row),
    Evidence(Row, u32, EvidenceKind),
    /// The text of a reply after its first result, from this block on.
    Speech(Row, u32),
    /// Runtime notes about a reply.
    Notes(Row, u32),
    /// Another agent's reply: its turn comes when this round is closed.
    Reply(Row),
    /// A result that may be such a reply's.
    Result(Row, u32),
    /// A row whose results stand before its texts.
    Hoisted(Row),
    /// A compaction that cannot be applied.
    PairInvalid(Arc<Entry>),
    /// A result that is left out: the same came before.
    Duplicate(Row, u32),
    /// A result that went with its retracted call, which is named where it is not in the view.
    Gone(Row, u32, Option<BlockRef>),
}

#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) row: Row,
    /// Ascending by block.
    pub(crate) calls: Vec<BoundCall>,
    behind: Vec<Behind>,
    /// Rows of somebody stand between the calls and what comes now.
    pub(crate) has_rows_behind: bool,
    /// Keys of the calls of replies that wait.
    held: BTreeSet<u64>,
    /// Indices of calls by id; of one id, first those whose stand-in was not told.
    by_id: Vec<u32>,
    /// Ascending by id.
    same_ids: Vec<SameId>,
    open: usize,
}

impl Round {
    pub(crate) fn new(row: Row, mut calls: Vec<BoundCall>, edits: &Edits) -> Round {
        if !edits.gaps.is_empty() {
            for call in &mut calls {
                let at = BlockRef { row: row.entry.id.clone(), block: call.block };
                call.told = edits.gaps.get(&at).cloned();
            }
        }
        let mut sorted: Vec<(Option<&Text>, bool, u32)> = calls
            .iter()
            .zip(0u32..)
            .map(|(call, at)| (id_of(&row.entry, call), call.told.is_some(), at))
            .collect();
        sorted.sort_unstable();
        let mut same_ids: Vec<SameId> = Vec::new();
        let mut before = None;
        for ((id, _, at), place) in sorted.iter().zip(0u32..) {
            let retracted = calls.get(*at as usize).is_some_and(|call| call.retracted);
            match same_ids.last_mut().filter(|_| before == Some(id)) {
                Some(same) => {
                    same.unanswered.end = place + 1;
                    same.retracted |= retracted;
                }
                None => same_ids.push(SameId {
                    one: *at,
                    unanswered: place..place + 1,
                    answered: None,
                    retracted,
                }),
            }
            before = Some(id);
        }
        let by_id = sorted.iter().map(|(_, _, at)| *at).collect();
        let open = calls.iter().filter(|call| call.told.is_none()).count();
        Round {
            row,
            calls,
            behind: Vec::new(),
            has_rows_behind: false,
            held: BTreeSet::new(),
            by_id,
            same_ids,
            open,
        }
    }

    fn same_id(&self, id: &Text) -> Option<usize> {
        let id_at = |at: u32| id_of(&self.row.entry, self.calls.get(at as usize)?);
        self.same_ids.binary_search_by(|same| id_at(same.one).cmp(&Some(id))).ok()
    }

    /// The first call of this id without a result; it counts as answered from here on.
    pub(crate) fn take_unanswered(&mut self, id: &Text) -> Option<&mut BoundCall> {
        let same = self.same_id(id)?;
        let same = self.same_ids.get_mut(same)?;
        let at = *self.by_id.get(same.unanswered.next()? as usize)?;
        same.answered = Some(at);
        let call = self.calls.get_mut(at as usize)?;
        if call.told.is_none() {
            self.open = self.open.saturating_sub(1);
        }
        Some(call)
    }

    /// The last call of this id that was answered.
    pub(crate) fn answered(&self, id: &Text) -> Option<Answered> {
        let same = self.same_ids.get(self.same_id(id)?)?;
        let result = self.calls.get(same.answered? as usize)?.result()?;
        Some(Answered { row: self.row.index, result, retracted: same.retracted })
    }

    /// Puts something behind the results.
    pub(crate) fn push_behind(&mut self, item: Behind) {
        self.has_rows_behind |= match item {
            Behind::Reply(ref row) => {
                let blocks = row.entry.message().into_iter().flat_map(|reply| &reply.blocks);
                self.held.extend(blocks.filter_map(call_key));
                true
            }
            Behind::Person(_) | Behind::System(_) | Behind::Evidence(..) | Behind::Result(..) => {
                true
            }
            Behind::Speech(..)
            | Behind::Notes(..)
            | Behind::PairInvalid(..)
            | Behind::Hoisted(..)
            | Behind::Duplicate(..)
            | Behind::Gone(..) => false,
        };
        self.behind.push(item);
    }

    /// What waited behind the results.
    pub(crate) fn take_behind(&mut self) -> Vec<Behind> {
        std::mem::take(&mut self.behind)
    }

    /// Whether every call is answered.
    pub(crate) fn is_complete(&self) -> bool {
        self.open == 0
    }

    /// Notes that a call was dispatched; whether it is one of this round.
    pub(crate) fn call_started(&mut self, call: &BlockRef) -> bool {
        if call.row != self.row.entry.id {
            return false;
        }
        if let Ok(at) = self.calls.binary_search_by_key(&call.block, |bound| bound.block)
            && let Some(started) = self.calls.get_mut(at)
        {
            started.started = true;
        }
        true
    }

    /// Whether a reply waits for this round to close: it is another agent's.
    pub(crate) fn holds_back(&self, reply: &Message) -> bool {
        let own = self.row.entry.message().and_then(|own| own.author.as_ref());
        own.zip(reply.author.as_ref()).is_some_and(|(own, other)| own != other)
    }

    /// Whether a reply that waits may have made a call of this id.
    pub(crate) fn waits_for(&self, id: &Text) -> bool {
        !self.held.is_empty() && self.held.contains(&key(id))
    }

    pub(crate) fn is_of(&self, agent: &str) -> bool {
        self.row.entry.message().and_then(|message| message.author.as_deref()) == Some(agent)
    }

    /// Gives every unanswered call its stand-in: what was told, or what the record proves.
    pub(crate) fn settle_gaps(&mut self, view: View<'_>, damaged: bool) {
        let runs_logged = self.row.entry.message().is_some_and(|message| message.runs_logged);
        for call in &mut self.calls {
            let told = call.told.take();
            match (&call.answer, told) {
                (Answer::Open, Some(wording)) => call.answer = Answer::Gap(wording),
                // What came late is evidence behind the round; on the wire the gap stands.
                (Answer::LateAfterGap(..), told) => call.told = told,
                (Answer::Open, None) => {
                    let at = BlockRef { row: self.row.entry.id.clone(), block: call.block };
                    let wording = if view.running.contains(&at) {
                        GapWording::Running
                    } else if runs_logged && !call.started && !damaged {
                        GapWording::NotStarted
                    } else {
                        GapWording::Unknown
                    };
                    call.answer = Answer::Gap(wording);
                }
                (Answer::Gap(_) | Answer::Result(..), _) => {}
            }
        }
    }
}

/// The id of a call of this reply.
fn id_of<'e>(reply: &'e Entry, call: &BoundCall) -> Option<&'e Text> {
    call_in(reply, call.block).map(|call| &call.id)
}

fn call_key(block: &Block) -> Option<u64> {
    match block {
        Block::ToolUse(call) => Some(key(&call.id)),
        Block::Text(_)
        | Block::ToolResult(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => None,
    }
}

/// The call at this position and block of the path.
pub(crate) fn call_of(path: &[Arc<Entry>], row: u32, block: u32) -> Option<&ToolUse> {
    call_in(path.get(row as usize)?, block)
}

/// The call at this block of a reply.
pub(crate) fn call_in(reply: &Entry, block: u32) -> Option<&ToolUse> {
    match reply.message()?.blocks.get(block as usize)? {
        Block::ToolUse(call) => Some(call),
        Block::Text(_)
        | Block::ToolResult(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => None,
    }
}
