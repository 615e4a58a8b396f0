//! A round: the calls of one reply, their answers, and what waits behind them.

use std::sync::Arc;

use json::Text;
use record::{Block, BlockRef, Entry, GapWording, ToolUse};

use crate::fold::View;
use crate::project::anthropic_messages::evidence::EvidenceKind;
use crate::read::Row;
use crate::read::edits::Edits;

/// Above this many calls a round is searched by a sorted index.
const INDEX_ABOVE: usize = 16;

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
    /// Key of the id as stored.
    pub(crate) key: u64,
    /// The id on the wire, where it is not the stored one.
    pub(crate) wire_id: Option<Text>,
    pub(crate) answer: Answer,
    /// A `call_started` names it.
    pub(crate) started: bool,
    /// The stand-in that was told for it.
    pub(crate) told: Option<GapWording>,
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
    /// A result that is left out: the same came before.
    Duplicate(Row, u32),
    /// A result that went with its retracted call.
    Gone(Row, u32),
}

#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) row: Row,
    pub(crate) calls: Vec<BoundCall>,
    pub(crate) behind: Vec<Behind>,
    /// Call indices by key, for a round with many calls.
    index: Vec<(u64, u32)>,
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
        let mut index: Vec<(u64, u32)> = Vec::new();
        if calls.len() > INDEX_ABOVE {
            index.extend(calls.iter().zip(0u32..).map(|(call, at)| (call.key, at)));
            index.sort_unstable();
        }
        let open = calls.iter().filter(|call| call.told.is_none()).count();
        Round { row, calls, behind: Vec::new(), index, open }
    }

    /// Indices of the calls with this key, in call order.
    fn with_key(&self, key: u64) -> Vec<usize> {
        if self.index.is_empty() {
            let calls = self.calls.iter().enumerate();
            return calls.filter(|(_, call)| call.key == key).map(|(at, _)| at).collect();
        }
        let start = self.index.partition_point(|(known, _)| *known < key);
        let from = self.index.get(start..).unwrap_or_default();
        from.iter().take_while(|(known, _)| *known == key).map(|(_, at)| *at as usize).collect()
    }

    /// The first call of this key that waits for a result; it counts as answered from here on.
    pub(crate) fn unanswered(&mut self, key: u64) -> Option<&mut BoundCall> {
        let at = self.with_key(key).into_iter().find(|at| {
            self.calls
                .get(*at)
                .is_some_and(|call| call.told.is_none() && matches!(call.answer, Answer::Open))
        })?;
        self.open = self.open.saturating_sub(1);
        self.calls.get_mut(at)
    }

    /// A call of this key whose stand-in was told before its result came.
    pub(crate) fn told_gap(&mut self, key: u64) -> Option<&mut BoundCall> {
        let at = self.with_key(key).into_iter().find(|at| {
            self.calls
                .get(*at)
                .is_some_and(|call| call.told.is_some() && matches!(call.answer, Answer::Open))
        })?;
        self.calls.get_mut(at)
    }

    /// The result that answered a call of this key.
    pub(crate) fn answer_of(&self, key: u64) -> Option<(Row, u32)> {
        self.with_key(key).into_iter().rev().find_map(|at| match &self.calls.get(at)?.answer {
            Answer::Result(row, block) | Answer::LateAfterGap(row, block) => {
                Some((row.clone(), *block))
            }
            Answer::Open | Answer::Gap(_) => None,
        })
    }

    /// Whether every call is answered.
    pub(crate) fn is_complete(&self) -> bool {
        self.open == 0
    }

    /// Whether rows of somebody stand between the calls and what comes now.
    pub(crate) fn has_rows_behind(&self) -> bool {
        self.behind.iter().any(|item| match item {
            Behind::Person(_) | Behind::System(_) | Behind::Evidence(..) => true,
            Behind::Speech(..)
            | Behind::Notes(..)
            | Behind::Duplicate(..)
            | Behind::Gone(..) => false,
        })
    }

    pub(crate) fn call_started(&mut self, call: &BlockRef) {
        if call.row == self.row.entry.id {
            let started = self.calls.iter_mut().find(|bound| bound.block == call.block);
            if let Some(started) = started {
                started.started = true;
            }
        }
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

/// The call at this position and block of the path.
pub(crate) fn call_of(path: &[Arc<Entry>], row: u32, block: u32) -> Option<&ToolUse> {
    match path.get(row as usize)?.message()?.blocks.get(block as usize)? {
        Block::ToolUse(call) => Some(call),
        Block::Text(_)
        | Block::ToolResult(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => None,
    }
}
