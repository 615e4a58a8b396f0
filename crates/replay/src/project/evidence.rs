//! Evidence: results that are bound to no call, told on the user's side.

use record::blank::is_blank;
use record::{Block, ResultPart, ToolResult};

use super::Conversation;
use super::cleared::cleared_text;
use super::conversation::is_retracted;
use crate::bind::call_of;
use crate::fold::{Grown, View};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording;

/// Why a result is evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvidenceKind {
    /// Its call is not in the view.
    Orphan,
    /// Its call's gap was told before it came.
    Late {
        /// Position and block of the call.
        call: (u32, u32),
    },
    /// Its call has another result.
    Second,
}

impl Conversation {
    /// Tells a result that is bound to no call, at its own place.
    pub(crate) fn evidence(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        block: u32,
        kind: EvidenceKind,
    ) {
        let Some(message) = row.entry.message() else { return };
        let Some(Block::ToolResult(result)) = message.blocks.get(block as usize) else { return };
        self.row = row.index;
        self.change(
            match kind {
                EvidenceKind::Orphan => ChangeKind::ResultOrphan,
                EvidenceKind::Late { .. } => ChangeKind::ResultLate,
                EvidenceKind::Second => ChangeKind::ResultSecond,
            },
            Some(&row.entry),
            Some(block),
        );
        let call = match kind {
            EvidenceKind::Late { call } => Some(call),
            EvidenceKind::Orphan | EvidenceKind::Second => None,
        };
        let name = tool_name(view, result, call);
        let late = call.map(|_| wording::late(&result.tool_use_id, &name)).unwrap_or_default();
        let begins = wording::evidence(&name, result.is_error);
        let output = self.evidence_output(view, row, block, result);
        self.note_of(view, grown, &[&late, &begins, &output]);
        if is_retracted(view, row, block) || self.is_cleared(view, row, block, result) {
            return;
        }
        for (part, nth) in result.content.iter().zip(0u32..) {
            match part {
                ResultPart::Image(image) => self.image(view, grown, row, block, nth, image),
                ResultPart::Opaque(opaque) => {
                    self.opaque_note(view, grown, row, block, &opaque.kind);
                }
                ResultPart::Text(_) => {}
            }
        }
    }

    fn evidence_output(
        &mut self,
        view: View<'_>,
        row: &Row,
        block: u32,
        result: &ToolResult,
    ) -> String {
        let output = result.output();
        if is_retracted(view, row, block) {
            self.mark_edited(&row.entry, block);
            self.change(ChangeKind::Redacted, Some(&row.entry), Some(block));
            return wording::redacted("a result");
        }
        if self.is_cleared(view, row, block, result) {
            self.mark_edited(&row.entry, block);
            self.change(ChangeKind::Cleared, Some(&row.entry), Some(block));
            return cleared_text(result);
        }
        let has_lone = |part: &ResultPart| {
            matches!(part, ResultPart::Text(text)
                if text.has_lone_surrogate() || view.dialect.replaces_nul(text))
        };
        if result.content.iter().any(has_lone) {
            self.change(ChangeKind::SurrogateReplaced, Some(&row.entry), Some(block));
        }
        if is_blank(&output) {
            self.change(ChangeKind::ResultEmpty, Some(&row.entry), Some(block));
            return wording::NO_OUTPUT.to_owned();
        }
        output
    }
}

/// The tool's name as the result or its call says it.
fn tool_name(view: View<'_>, result: &ToolResult, call: Option<(u32, u32)>) -> String {
    if !result.tool_name.is_empty() {
        return result.tool_name.as_str().to_owned();
    }
    let named = call.and_then(|(row, block)| call_of(view.path, row, block));
    named.map_or_else(|| wording::UNNAMED.to_owned(), |call| call.name.as_str().to_owned())
}
