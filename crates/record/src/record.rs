//! A record in memory: entries in the order they were appended, and the refs.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use json::Text;

use crate::entry::{Entry, EntryId, Fact};
use crate::refs::RefMove;

/// The branch a record has where no ref says otherwise.
pub const BRANCH_DEFAULT: &str = "main";

/// A conversation's entries and refs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Entries in order of appending.
    pub entries: Vec<Arc<Entry>>,
    /// Moves of refs, in order.
    pub refs: Vec<RefMove>,
}

impl Record {
    /// Where a branch points: its last move; for the default branch without one, the last entry.
    pub fn tip(&self, branch: &str) -> Option<&EntryId> {
        let moved = self.refs.iter().rev().find(|moved| moved.branch.as_str() == branch);
        match moved {
            Some(moved) => moved.tip.as_ref(),
            None if branch == BRANCH_DEFAULT => self.entries.last().map(|entry| &entry.id),
            None => None,
        }
    }

    /// The branches that exist, in the order they were first made.
    pub fn branches(&self) -> Vec<&Text> {
        self.tips().into_iter().map(|(branch, _)| branch).collect()
    }

    /// The branches that exist with where they point, in the order they were first made.
    pub fn tips(&self) -> Vec<(&Text, &EntryId)> {
        let mut last: HashMap<&Text, &RefMove> = HashMap::new();
        let mut names = Vec::new();
        for moved in &self.refs {
            if last.insert(&moved.branch, moved).is_none() {
                names.push(&moved.branch);
            }
        }
        let tip = |name| Some((name, last.get(name)?.tip.as_ref()?));
        names.into_iter().filter_map(tip).collect()
    }

    /// The entries from the root to `tip`, in that order; empty where `tip` is not in the record.
    ///
    /// A parent that is missing, or that leads back to an entry already on the path, ends it.
    pub fn path(&self, tip: &EntryId) -> Vec<Arc<Entry>> {
        let index: HashMap<&EntryId, &Arc<Entry>> =
            self.entries.iter().map(|entry| (&entry.id, entry)).collect();
        let mut seen = HashSet::new();
        let mut path = Vec::new();
        let mut next = index.get(tip);
        while let Some(entry) = next {
            if !seen.insert(&entry.id) {
                break;
            }
            path.push(Arc::clone(entry));
            next = entry.parent.as_ref().and_then(|parent| index.get(parent));
        }
        path.reverse();
        path
    }

    /// Every retraction, on whatever branch: it holds wherever what it names is.
    pub fn retractions(&self) -> Vec<Arc<Entry>> {
        let retracts = |entry: &&Arc<Entry>| matches!(entry.fact, Fact::Retracted(_));
        self.entries.iter().filter(retracts).cloned().collect()
    }

    /// The path of a branch.
    pub fn branch_path(&self, branch: &str) -> Vec<Arc<Entry>> {
        self.tip(branch).map_or_else(Vec::new, |tip| self.path(tip))
    }
}
