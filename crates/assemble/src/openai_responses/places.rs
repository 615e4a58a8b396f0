//! Where the items of a reply stand: by their index, or by their id where a host leaves it out.

use std::collections::BTreeMap;

use json::{Text, Value};
use wire::openai_responses::events::At;

/// The places taken so far.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// By the id of the item, the last one it had.
    by_id: BTreeMap<Text, u64>,
    next: u64,
}

impl Places {
    /// The place of an item; one that nothing places gets the next.
    pub(super) fn of_item(&mut self, index: Option<u64>, item: Value<'_, '_>) -> u64 {
        let name = |name: &str| item.get(name)?.to_text().filter(|name| !name.is_empty());
        // Where an item has no id, events name it by the id of its call.
        let id = name("id").or_else(|| name("call_id"));
        self.take(index, id)
    }

    /// The place that an event names.
    pub(super) fn of(&mut self, at: At) -> u64 {
        match at {
            At::Index(index) => self.take(Some(index), None),
            At::Id(id) => self.take(None, Some(id)),
        }
    }

    fn take(&mut self, index: Option<u64>, id: Option<Text>) -> u64 {
        let known = || self.by_id.get(id.as_ref()?).copied();
        let place = index.or_else(known).unwrap_or(self.next);
        self.next = self.next.max(place.saturating_add(1));
        if let Some(id) = id {
            self.by_id.insert(id, place);
        }
        place
    }
}
