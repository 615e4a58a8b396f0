//! What is looked up on a path: where entries stand, which results there are, and which call each
//! of them answers.

#![deny(clippy::wildcard_enum_match_arm)]

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use json::Text;
use record::{Block, BlockRef, Entry, EntryId};

/// The position of an entry on the path, searched from its end.
fn position(path: &[Arc<Entry>], id: &EntryId) -> Option<u32> {
    path.iter().rposition(|entry| entry.id == *id).map(|at| at as u32)
}

/// Positions of entries on a path: searched from its end, by a map once there are many to find.
pub(crate) struct Positions<'p> {
    path: &'p [Arc<Entry>],
    looked_up: Cell<u32>,
    map: OnceCell<BTreeMap<&'p EntryId, u32>>,
}

impl<'p> Positions<'p> {
    /// Look-ups after which a map is worth its making.
    const SEARCHES_MAX: u32 = 16;

    pub(crate) fn new(path: &'p [Arc<Entry>]) -> Positions<'p> {
        Positions { path, looked_up: Cell::new(0), map: OnceCell::new() }
    }

    pub(crate) fn of(&self, id: &EntryId) -> Option<u32> {
        self.looked_up.set(self.looked_up.get() + 1);
        if self.looked_up.get() <= Self::SEARCHES_MAX {
            return position(self.path, id);
        }
        let map = self.map.get_or_init(|| {
            self.path.iter().zip(0u32..).map(|(entry, at)| (&entry.id, at)).collect()
        });
        map.get(id).copied()
    }
}

/// Results and the calls they answer, of some ids, by position alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    /// How much of the path is read, and for how many ids.
    read: (usize, usize),
    /// Calls without a result, by id.
    open: BTreeMap<Text, Vec<BlockRef>>,
    /// Calls by the row and block of their result.
    of: BTreeMap<(u32, u32), BlockRef>,
}

impl Answers {
    /// The call that the result at this row and block answers.
    pub(super) fn call_of(&self, result: (u32, u32)) -> Option<&BlockRef> {
        self.of.get(&result)
    }

    /// Reads on to the end of the path; from its start, where there are more ids than before.
    pub(super) fn read(&mut self, path: &[Arc<Entry>], ids: &BTreeSet<Text>) {
        if self.read.1 != ids.len() {
            *self = Answers::default();
        }
        let from = std::mem::replace(&mut self.read, (path.len(), ids.len())).0;
        for (entry, row) in path.iter().zip(0u32..).skip(from) {
            let blocks = entry.message().into_iter().flat_map(|message| &message.blocks);
            for (block, index) in blocks.zip(0u32..) {
                match block {
                    Block::ToolUse(call) if ids.contains(&call.id) => {
                        let at = BlockRef { row: entry.id.clone(), block: index };
                        self.open.entry(call.id.clone()).or_default().push(at);
                    }
                    Block::ToolResult(result) => {
                        let call = self.open.get_mut(&result.tool_use_id).and_then(Vec::pop);
                        self.of.extend(call.map(|call| ((row, index), call)));
                    }
                    Block::ToolUse(_)
                    | Block::Text(_)
                    | Block::Reasoning(_)
                    | Block::Image(_)
                    | Block::SystemChange(_)
                    | Block::Opaque(_) => {}
                }
            }
        }
    }
}

/// Positions of results on a path by the id of their call, ascending.
#[derive(Default)]
pub(super) struct Results<'p>(OnceCell<BTreeMap<&'p Text, Vec<u32>>>);

impl<'p> Results<'p> {
    pub(super) fn of(&self, path: &'p [Arc<Entry>], id: &Text) -> &[u32] {
        let all = self.0.get_or_init(|| {
            let mut all: BTreeMap<&Text, Vec<u32>> = BTreeMap::new();
            for (entry, at) in path.iter().zip(0u32..) {
                let blocks = entry.message().into_iter().flat_map(|message| &message.blocks);
                for result in blocks.filter_map(Block::as_tool_result) {
                    all.entry(&result.tool_use_id).or_default().push(at);
                }
            }
            all
        });
        all.get(id).map_or(&[], Vec::as_slice)
    }
}
