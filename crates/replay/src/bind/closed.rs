//! What closed rounds leave behind: per id, the gaps that stand and the call answered last.

use std::sync::Arc;

use json::Text;
use record::Entry;

use super::round::{BoundCall, call_in, call_of};
use crate::fold::{Grown, View};
use crate::read::Row;
use crate::rewind::key;

/// The calls of one id in closed rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosedCalls {
    /// Position and block of one of them: its id is theirs.
    one: (u32, u32),
    /// Place in [`Grown::gaps`] of the nearest whose gap stands.
    gap: Option<u32>,
    /// The one that was answered last.
    answered: Option<Answered>,
}

/// A call that has a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answered {
    /// Position of its row.
    pub(crate) row: u32,
    /// Position and block of its result.
    pub(crate) result: (u32, u32),
    /// It, or another of its id in its round, is retracted.
    pub(crate) retracted: bool,
}

/// A call of a closed round whose gap stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosedGap {
    /// Position and block of the call.
    pub(crate) call: (u32, u32),
    pub(crate) retracted: bool,
    /// Place of the next of this id: a later one of its round, else the nearest earlier one.
    next: Option<u32>,
}

/// The key of an id in [`Grown::calls`]: the first from its hash on that is no other id's.
fn key_of(path: &[Arc<Entry>], grown: &Grown, id: &Text) -> u64 {
    let mut key = key(id);
    while let Some(ClosedCalls { one: (row, block), .. }) = grown.calls.get(key)
        && call_of(path, *row, *block).is_none_or(|call| call.id != *id)
    {
        key = key.wrapping_add(1);
    }
    key
}

/// Takes in the calls of a round.
pub(crate) fn close(view: View<'_>, grown: &mut Grown, row: &Row, calls: &[BoundCall]) {
    // From the last on: of one id, the first comes out first.
    for call in calls.iter().rev() {
        let Some(declared) = call_in(&row.entry, call.block) else { continue };
        let key = key_of(view.path, grown, &declared.id);
        let one = (row.index, call.block);
        let known = grown.calls.get(key).copied();
        let mut closed = known.unwrap_or(ClosedCalls { one, gap: None, answered: None });
        match (call.result(), &mut closed.answered) {
            (Some(_), Some(later)) if later.row == row.index => later.retracted |= call.retracted,
            (Some(result), answered) => {
                let retracted = call.retracted;
                *answered = Some(Answered { row: row.index, result, retracted });
            }
            (None, _) => {
                let next = closed.gap.replace(grown.gaps.len() as u32);
                grown.gaps.push(ClosedGap { call: one, retracted: call.retracted, next });
            }
        }
        grown.calls.insert(key, closed);
    }
}

/// The nearest call of this id whose gap stands; `result` answers it from here on.
pub(crate) fn take_gap(
    view: View<'_>,
    grown: &mut Grown,
    id: &Text,
    result: (u32, u32),
) -> Option<ClosedGap> {
    let key = key_of(view.path, grown, id);
    let closed = *grown.calls.get(key)?;
    let gap = *grown.gaps.get(closed.gap? as usize)?;
    let answered = Answered { row: gap.call.0, result, retracted: gap.retracted };
    let answered = Some(answered);
    grown.calls.insert(key, ClosedCalls { gap: gap.next, answered, ..closed });
    Some(gap)
}

/// The call of this id that was answered last.
pub(crate) fn answered(view: View<'_>, grown: &Grown, id: &Text) -> Option<Answered> {
    grown.calls.get(key_of(view.path, grown, id))?.answered
}
