//! Results that are not told as they were: retracted, or cleared by a microcompaction.

use record::{ResultPart, ToolResult};

use super::Conversation;
use super::conversation::{at, is_retracted};
use super::image::media_type;
use crate::fold::View;
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording::{self, UnseenReason};

impl Conversation {
    /// Whether a microcompaction clears a result: only where that makes it shorter.
    pub(super) fn is_cleared(
        &self,
        view: View<'_>,
        row: &Row,
        block: u32,
        result: &ToolResult,
    ) -> bool {
        if view.edits.cleared.is_empty() || !view.edits.cleared.contains(&at(row, block)) {
            return false;
        }
        let has_images = result.content.iter().any(|part| matches!(part, ResultPart::Image(_)));
        let bytes = result.output().len();
        has_images || bytes > wording::cleared(bytes, result.is_error).len()
    }

    /// What stands for a result that was retracted or cleared, if it was, reported.
    pub(super) fn replaced(
        &mut self,
        view: View<'_>,
        row: &Row,
        block: u32,
        result: &ToolResult,
    ) -> Option<String> {
        let (kind, text) = if is_retracted(view, row, block) {
            (ChangeKind::Redacted, wording::redacted("a result"))
        } else if self.is_cleared(view, row, block, result) {
            (ChangeKind::Cleared, cleared_text(result))
        } else {
            return None;
        };
        self.mark_edited(&row.entry, block);
        self.change(kind, Some(&row.entry), Some(block));
        Some(text)
    }
}

/// What stands for a cleared result: its marker, and one for each of its images.
pub(super) fn cleared_text(result: &ToolResult) -> String {
    let mut text = wording::cleared(result.output().len(), result.is_error);
    for part in &result.content {
        if let ResultPart::Image(image) = part {
            text.push('\n');
            text.push_str(&wording::unseen(&media_type(image), UnseenReason::Cleared));
        }
    }
    text
}
