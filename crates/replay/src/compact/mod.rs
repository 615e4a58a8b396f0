//! Compact: which compaction applies, what the view is then, and whether it splits a round.
//!
//! In: the path. Out: the order in which its entries are folded. Always on typed rows; nothing here
//! sees a wire message.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use json::Text;
use record::{Block, BlockRef, Compaction, CompactionKind, Entry, EntryId, Fact, Message, Role};

use crate::read::Reader;
use crate::read::lookup::Positions;
use crate::refusal::Refusal;

/// The compaction that applies to a path.
#[derive(Clone, Debug)]
pub(crate) struct Applied {
    /// Position of its entry.
    pub(crate) at: u32,
    /// Position of the first entry kept verbatim.
    start: u32,
    /// Single rows kept from before `start`.
    retained: BTreeSet<u32>,
}

/// What is folded next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The entry at this position.
    Entry(u32),
    /// The compaction's handoff.
    Handoff,
}

/// The boundary of an entry, if it is one.
pub(crate) fn boundary(entry: &Entry) -> Option<&Compaction> {
    match &entry.fact {
        Fact::Compaction(compaction) if compaction.kind == CompactionKind::Boundary => {
            Some(compaction)
        }
        Fact::Compaction(_)
        | Fact::Message(_)
        | Fact::CallStarted(_)
        | Fact::Head(_)
        | Fact::Sent(_)
        | Fact::Retracted(_)
        | Fact::Opaque(_) => None,
    }
}

/// The newest valid boundary on the path that is not retracted.
pub(crate) fn choose(path: &[Arc<Entry>], retracted: &BTreeSet<EntryId>) -> Option<Applied> {
    let (at, compaction) = path.iter().enumerate().rev().find_map(|(at, entry)| {
        let compaction = boundary(entry)?;
        (compaction.is_valid() && !retracted.contains(&entry.id)).then_some((at as u32, compaction))
    })?;
    let before = path.get(..at as usize).unwrap_or_default();
    let positions = Positions::new(before);
    let start = compaction.retained_from.as_ref().and_then(|id| positions.of(id)).unwrap_or(at);
    let retained = compaction.retained.iter().filter_map(|id| positions.of(id)).collect();
    Some(Applied { at, start, retained })
}

impl Applied {
    /// Whether the entry at this position is replaced by the handoff.
    pub(crate) fn replaces(&self, index: u32) -> bool {
        index < self.start && !self.retained.contains(&index)
    }

    /// The view's order over a whole path: leading system rows, the handoff, what was kept, the
    /// rest.
    ///
    /// Of the replaced part stay, in order, what is no message: heads, changes of the head, and
    /// what is known about calls and damage.
    pub(crate) fn steps(&self, path: &[Arc<Entry>], reader: &Reader) -> Vec<Step> {
        let mut leading = true;
        let (mut ahead, mut behind) = (Vec::new(), vec![Step::Handoff]);
        for (entry, index) in path.iter().zip(0u32..) {
            let step = Step::Entry(index);
            if !self.replaces(index) {
                behind.push(step);
                continue;
            }
            match &entry.fact {
                Fact::Message(message) => {
                    leading &= message.role == Role::System || !reader.sees(message);
                    if leading {
                        ahead.push(step);
                    } else if message.is_change_row() {
                        behind.push(step);
                    }
                }
                Fact::Head(_) | Fact::CallStarted(_) | Fact::Opaque(_) => behind.push(step),
                Fact::Compaction(_) | Fact::Sent(_) | Fact::Retracted(_) => {}
            }
        }
        ahead.append(&mut behind);
        ahead
    }

    /// Refuses a cut that has a call on one side and its result on the other. Gives whether nothing
    /// that may come can change the answer: a reply or a request stands after the boundary.
    ///
    /// A result that would be late anyway is evidence, not half of a round, and nor is what was
    /// retracted; a compaction made by another harness is repaired instead.
    pub(crate) fn check_cut(
        &self,
        path: &[Arc<Entry>],
        reader: &Reader,
        retracted: &BTreeSet<BlockRef>,
    ) -> Result<bool, Refusal> {
        let Some(entry) = path.get(self.at as usize) else { return Ok(true) };
        if boundary(entry).is_none_or(|compaction| compaction.split_as_found) {
            return Ok(true);
        }
        let mut open: BTreeMap<&str, VecDeque<Option<bool>>> = BTreeMap::new();
        let is_out = |row: &Entry, block: u32| {
            !retracted.is_empty() && retracted.contains(&BlockRef { row: row.id.clone(), block })
        };
        let mut author = None;
        let mut closed_after = false;
        for (row, index) in path.iter().zip(0u32..) {
            match &row.fact {
                Fact::Sent(sent) => {
                    if sent.agent == reader.agent || Some(&sent.agent) == author {
                        open.clear();
                        closed_after |= index > self.at;
                    }
                }
                Fact::Message(message) if reader.sees(message) => {
                    let replaced = self.replaces(index);
                    if message.role == Role::Assistant {
                        open.clear();
                        author = message.author.as_ref();
                        closed_after |= index > self.at;
                        for (block, id) in calls(message) {
                            let side = (!is_out(row, block)).then_some(replaced);
                            open.entry(id.as_str()).or_default().push_back(side);
                        }
                    }
                    let split = results(message).any(|(block, id)| {
                        let call = open.get_mut(id.as_str()).and_then(VecDeque::pop_front);
                        !is_out(row, block)
                            && call.flatten().is_some_and(|call_replaced| call_replaced != replaced)
                    });
                    if split {
                        let (compaction, row) = (entry.id.clone(), row.id.clone());
                        return Err(Refusal::CompactionSplitsRound { compaction, row });
                    }
                }
                Fact::Message(_)
                | Fact::CallStarted(_)
                | Fact::Compaction(_)
                | Fact::Head(_)
                | Fact::Retracted(_)
                | Fact::Opaque(_) => {}
            }
        }
        Ok(closed_after)
    }
}

fn calls(message: &Message) -> impl Iterator<Item = (u32, &Text)> {
    (0u32..).zip(&message.blocks).filter_map(|(index, block)| match block {
        Block::ToolUse(call) => Some((index, &call.id)),
        Block::Text(_)
        | Block::ToolResult(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => None,
    })
}

fn results(message: &Message) -> impl Iterator<Item = (u32, &Text)> {
    (0u32..).zip(&message.blocks).filter_map(|(index, block)| match block {
        Block::ToolResult(result) => Some((index, &result.tool_use_id)),
        Block::Text(_)
        | Block::ToolUse(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => None,
    })
}
