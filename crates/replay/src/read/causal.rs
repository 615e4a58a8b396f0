//! Causal order: what was stored while a request was under way stands after that request's reply.

use record::{EntryId, Role};

use super::Row;

/// The request under way, and what waits for its reply.
#[derive(Clone, Debug, Default)]
pub(crate) struct Causal {
    under_way: Option<EntryId>,
    waiting: Vec<Row>,
}

impl Causal {
    /// Takes a row in path order and hands on what may follow now, in the order the model saw it.
    pub(crate) fn row(&mut self, mut row: Row, on: &mut Vec<Row>) {
        let Some(message) = row.entry.message() else { return };
        // A reply to another request waits like everything else.
        let answers_another = message.answers.is_some() && message.answers != self.under_way;
        if message.role != Role::Assistant || (answers_another && self.under_way.is_some()) {
            if self.under_way.is_some() {
                self.waiting.push(row);
            } else {
                on.push(row);
            }
            return;
        }
        let is_the_reply = message.answers.is_some() && message.answers == self.under_way;
        self.under_way = None;
        if is_the_reply {
            row.is_reply = true;
            on.push(row);
            on.append(&mut self.waiting);
        } else {
            on.append(&mut self.waiting);
            on.push(row);
        }
    }

    /// A request of this reader leaves: what waited is closed in the order it was stored.
    pub(crate) fn sent(&mut self, id: &EntryId, on: &mut Vec<Row>) {
        on.append(&mut self.waiting);
        self.under_way = Some(id.clone());
    }

    /// Whether anything waits for a reply.
    pub(crate) fn flush(&mut self, on: &mut Vec<Row>) {
        on.append(&mut self.waiting);
    }
}
