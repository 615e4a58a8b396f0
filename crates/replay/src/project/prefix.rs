//! Thoughts that go back only under the prefix they were thought under, and those that lost it.

use record::Message;

use super::Conversation;
use crate::fold::View;
use crate::read::Row;
use crate::report::ChangeKind;

/// Whether the row was produced under a prefix that is known to be this one.
pub(super) fn is_proven(view: View<'_>, row: &Row, message: &Message) -> bool {
    view.edits.proven_through.is_some_and(|through| row.index <= through)
        || (row.is_reply
            && message.answers.as_ref().is_some_and(|sent| view.edits.own_sents.contains(sent)))
}

impl Conversation {
    /// Names a thought that the target could read and that has lost its prefix.
    pub(super) fn thought_out(&mut self, view: View<'_>, row: &Row, index: u32) {
        if view.edits.is_thinking_out(row.index) {
            self.thoughts_out.push(row.index);
        } else {
            self.unproven_row(row.index);
        }
        self.change(ChangeKind::ThinkingOut, Some(&row.entry), Some(index));
    }

    fn unproven_row(&mut self, row: u32) {
        let crossing = self.last_thought;
        match self.unproven.last_mut() {
            // A row whose thought crosses is in no run.
            Some(run) if run.1 <= row && crossing.is_none_or(|at| at < run.0) => run.1 = row,
            _ => self.unproven.push((row, row)),
        }
    }
}
