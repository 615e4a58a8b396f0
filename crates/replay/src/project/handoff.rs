//! A compaction's handoff: the pair that stands for what it replaced.

use record::Entry;
use record::blank::is_blank;
use record::compaction::CONTINUATION_DEFAULT;

use super::Conversation;
use crate::compact::boundary;
use crate::fold::{Grown, View};
use crate::report::ChangeKind;

impl Conversation {
    /// Writes the handoff of a boundary that applies.
    pub(crate) fn handoff(&mut self, view: View<'_>, grown: &mut Grown, entry: &Entry) {
        let Some(compaction) = boundary(entry) else { return };
        let Some(handoff) = &compaction.handoff else { return };
        self.change(ChangeKind::Compacted, Some(entry), None);
        if compaction.handoff_by_user {
            let text = self.told_text(view, handoff, entry, 0);
            self.user_text(view, grown, &[text]);
            return;
        }
        let continuation = compaction.continuation.as_ref().filter(|text| !is_blank(text));
        let continuation = continuation.map_or(CONTINUATION_DEFAULT, |text| text.as_str());
        self.user_text(view, grown, &[continuation]);
        let text = self.told_text(view, handoff, entry, 0);
        self.speech(view, grown, text);
        self.last_reply = Some(entry.id.clone());
        self.separate = true;
    }
}
