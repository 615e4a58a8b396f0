//! Compactions: what replaced the history, as far as it can be read.

use std::collections::{BTreeSet, HashMap};

use json::{Text, Value, canonical};
use record::blank::is_blank;
use record::{Compaction, CompactionKind, EntryId, Fact, FindingKind};

use super::rollout::{Rollout, hash};
use crate::report::Place;
use crate::rest::rest_of;

impl Rollout {
    /// A compaction: its summary, and the messages it kept of those that stood before it.
    pub(super) fn compacted(
        &mut self,
        payload: Value<'_, '_>,
        time: Option<Text>,
        place: Place,
    ) -> usize {
        self.response = None;
        let handoff = payload.get("message").and_then(Value::to_text);
        let handoff = handoff.filter(|text| !is_blank(text));
        if handoff.is_none() {
            let detail = "a compaction whose summary is sealed or empty applies nothing";
            self.report.add(FindingKind::CompactionPairInvalid, place, detail);
        }
        let compaction = Compaction {
            kind: CompactionKind::Boundary,
            continuation: None,
            handoff_by_user: handoff.is_some(),
            handoff,
            retained_from: None,
            retained: self.retained(payload),
            split_as_found: true,
            cleared: Vec::new(),
            rest: rest_of(payload, &["message"]),
        };
        self.view(Fact::Compaction(Box::new(compaction)), time, place)
    }

    /// The messages on the path that stand again in the new history, the latest of equal ones.
    fn retained(&self, payload: Value<'_, '_>) -> Vec<EntryId> {
        let items = payload.get("replacement_history").into_iter().flat_map(Value::items);
        let mut kept = BTreeSet::new();
        let mut taken: HashMap<u64, usize> = HashMap::new();
        for content in items.filter_map(|item| item.get("content")) {
            let content = hash(&canonical::of(content));
            let entries = self.said_in.get(&content).map_or(&[][..], Vec::as_slice);
            let taken = taken.entry(content).or_default();
            *taken += 1;
            kept.extend(entries.len().checked_sub(*taken).and_then(|at| entries.get(at).copied()));
        }
        kept.into_iter().filter_map(|at| Some(self.entries.get(at)?.id.clone())).collect()
    }
}
