//! Compactions: what replaced the history, as far as it can be read.

use std::collections::{HashMap, HashSet};

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
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        for (content, entry) in &self.said {
            places.entry(*content).or_default().push(*entry);
        }
        let items = payload.get("replacement_history").into_iter().flat_map(Value::items);
        let contents = items.filter_map(|item| item.get("content"));
        let kept: HashSet<usize> = contents
            .filter_map(|content| places.get_mut(&hash(&canonical::of(content)))?.pop())
            .collect();
        let said = self.said.iter().filter(|(_, entry)| kept.contains(entry));
        said.filter_map(|(_, entry)| Some(self.entries.get(*entry)?.id.clone())).collect()
    }
}
