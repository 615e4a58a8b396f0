//! What a person typed while the model was at work: waiting, in order, until it is taken.

use std::collections::{BTreeMap, VecDeque};

use json::Text;

/// The queue of a session. What is still in it at the end was never sent.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// By order of coming: the line's node, and the words.
    waiting: BTreeMap<u64, (usize, Text)>,
    /// Orders by words, so that a long queue is not searched.
    by_text: BTreeMap<Text, VecDeque<u64>>,
    next: u64,
}

impl Queue {
    pub(super) fn add(&mut self, node: usize, text: Text) {
        self.by_text.entry(text.clone()).or_default().push_back(self.next);
        self.waiting.insert(self.next, (node, text));
        self.next += 1;
    }

    /// Takes the first of these words; where none waits, or none are named, the first of all.
    pub(super) fn take(&mut self, text: Option<&Text>) {
        let named = text.and_then(|text| self.by_text.get_mut(text)?.pop_front());
        let order = named.or_else(|| self.waiting.keys().next().copied());
        let Some((_, text)) = order.and_then(|order| self.waiting.remove(&order)) else { return };
        if named.is_none()
            && let Some(orders) = self.by_text.get_mut(&text)
        {
            orders.pop_front();
        }
    }

    /// What is left, in order.
    pub(super) fn into_waiting(self) -> impl Iterator<Item = (usize, Text)> {
        self.waiting.into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_leave_by_name_or_in_order() {
        let mut queue = Queue::default();
        for (node, text) in ["a", "b", "a", "c"].into_iter().enumerate() {
            queue.add(node, text.into());
        }
        queue.take(Some(&"a".into()));
        queue.take(Some(&"never said".into()));
        queue.take(None);
        let left: Vec<(usize, Text)> = queue.into_waiting().collect();
        assert_eq!(left, [(3, "c".into())]);
    }
}
