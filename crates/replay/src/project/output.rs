//! What a call returned, as words, and the images that stand among them or behind them: for
//! dialects that write results as text.

use std::borrow::Cow;

use record::blank::is_blank;
use record::{GapWording, Image, OpaqueBlock, ResultPart, ToolResult};

use super::Conversation;
use super::attachment::told_in_result;
use super::conversation::is_retracted;
use super::image::{media_type, unseen_reason};
use crate::bind::{Answer, BoundCall, result_at};
use crate::fold::{Grown, View};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording;

/// What was answered to a call.
pub(in crate::project) enum Answered<'r> {
    Result(&'r Row, u32, &'r ToolResult),
    Gap(&'r GapWording),
}

/// The answer of a call as it is told: a gap that was told stands, whatever came later.
pub(in crate::project) fn answered(call: &BoundCall) -> Option<Answered<'_>> {
    match &call.answer {
        Answer::Result(row, block) => Some(Answered::Result(row, *block, result_at(row, *block)?)),
        Answer::Gap(words) => Some(Answered::Gap(words)),
        Answer::LateAfterGap(..) => call.told.as_ref().map(Answered::Gap),
        Answer::Open => None,
    }
}

/// An image that stands behind the results instead of inside its own.
pub(in crate::project) struct Behind<'r> {
    pub(in crate::project) row: &'r Row,
    pub(in crate::project) block: u32,
    pub(in crate::project) nth: u32,
    pub(in crate::project) image: &'r Image,
    pub(in crate::project) label: String,
}

/// A result's words, and the images that stand among them.
pub(in crate::project) struct Output<'r> {
    pub(in crate::project) pieces: Vec<Cow<'r, str>>,
    pub(in crate::project) inside: Vec<Inside<'r>>,
    /// Parts that stand beside the words as they came.
    pub(in crate::project) natives: Vec<&'r OpaqueBlock>,
}

/// Where a result's images stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::project) enum ImagesStand {
    /// Among its words.
    Among,
    /// Beside them, in the same message (O-5).
    Beside,
    /// In a user message behind all results (C-014).
    Behind,
}

/// An image among a result's words.
pub(in crate::project) struct Inside<'r> {
    /// How many pieces stand before it.
    pub(in crate::project) at: usize,
    pub(in crate::project) nth: u32,
    pub(in crate::project) image: &'r Image,
}

impl Conversation {
    /// A round's stand-ins are fills.
    pub(in crate::project) fn gap_fills(
        &mut self,
        view: View<'_>,
        reply: &Row,
        calls: &[BoundCall],
    ) {
        for call in calls.iter().filter(|call| !call.retracted) {
            if let Answer::Gap(wording) = &call.answer {
                self.gap_fill(view, reply, call.block, wording);
            }
        }
    }

    /// A result as words; its images stand where they are to.
    #[allow(clippy::too_many_arguments, reason = "what a result is, and where it goes")]
    pub(in crate::project) fn output<'r>(
        &mut self,
        view: View<'_>,
        row: &'r Row,
        block: u32,
        result: &'r ToolResult,
        tool: &str,
        stand: ImagesStand,
        behind: &mut Vec<Behind<'r>>,
    ) -> Output<'r> {
        let mut out = Output { pieces: Vec::new(), inside: Vec::new(), natives: Vec::new() };
        if let Some(text) = self.replaced(view, row, block, result) {
            out.pieces.push(text.into());
            return out;
        }
        for (part, nth) in result.content.iter().zip(0u32..) {
            let piece: Cow<'r, str> = match part {
                ResultPart::Text(text) if is_blank(text) => {
                    if result.content.len() > 1 {
                        self.change(ChangeKind::BlankText, Some(&row.entry), Some(block));
                    }
                    continue;
                }
                ResultPart::Text(text) => self.told_text(view, text, &row.entry, block).into(),
                ResultPart::Image(image) => match unseen_reason(view, row, block, nth, image) {
                    Some(reason) => {
                        self.report_unseen_ahead(row, block, reason);
                        wording::unseen(&media_type(image), reason).into()
                    }
                    None if stand != ImagesStand::Behind => {
                        out.inside.push(Inside { at: out.pieces.len(), nth, image });
                        continue;
                    }
                    None => {
                        let label = wording::image_label(tool, &result.tool_use_id);
                        behind.push(Behind { row, block, nth, image, label });
                        wording::IMAGE_BEHIND.into()
                    }
                },
                ResultPart::Opaque(opaque)
                    if stand != ImagesStand::Behind && view.dialect.takes_in_results(opaque) =>
                {
                    out.natives.push(opaque);
                    continue;
                }
                ResultPart::Opaque(opaque) => self.opaque_in_result(row, block, opaque).into(),
            };
            let after_image = stand == ImagesStand::Among
                && out.inside.last().is_some_and(|image| image.at == out.pieces.len());
            if !out.pieces.is_empty() && !after_image {
                out.pieces.push("\n".into());
            }
            out.pieces.push(piece);
        }
        if out.pieces.is_empty() && out.inside.is_empty() && out.natives.is_empty() {
            self.change(ChangeKind::ResultEmpty, Some(&row.entry), Some(block));
            out.pieces.push(wording::NO_OUTPUT.into());
        }
        out
    }

    /// What stands for a part of a result that the target has no form for.
    pub(in crate::project) fn opaque_in_result(
        &mut self,
        row: &Row,
        block: u32,
        part: &OpaqueBlock,
    ) -> String {
        let told = told_in_result(part);
        let kind = if told.is_some() { ChangeKind::FileTold } else { ChangeKind::OpaqueNoted };
        self.change(kind, Some(&row.entry), Some(block));
        told.unwrap_or_else(|| wording::opaque(&part.kind))
    }

    /// Images of results that stand behind all of them, in one user message (C-014).
    pub(in crate::project) fn images_behind(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        behind: Vec<Behind<'_>>,
    ) {
        if behind.is_empty() {
            return;
        }
        for Behind { row, block, nth, image, label } in behind {
            self.change(ChangeKind::ImageMoved, Some(&row.entry), Some(block));
            self.user_text(view, grown, &[&label]);
            self.image(view, grown, row, block, nth, image);
        }
        self.apart();
    }

    /// Whether a round has images that would stand behind its results.
    pub(in crate::project) fn has_images_behind(
        &self,
        view: View<'_>,
        calls: &[BoundCall],
    ) -> bool {
        calls.iter().filter(|call| !call.retracted).any(|call| {
            let Some(Answered::Result(row, block, result)) = answered(call) else { return false };
            let gone = is_retracted(view, row, block) || self.is_cleared(view, row, block, result);
            let seen = |(part, nth): (&ResultPart, u32)| match part {
                ResultPart::Image(image) => unseen_reason(view, row, block, nth, image).is_none(),
                ResultPart::Text(_) | ResultPart::Opaque(_) => false,
            };
            let behind = view.dialect.images_stand(result.is_error) == ImagesStand::Behind;
            behind && !gone && result.content.iter().zip(0u32..).any(seen)
        })
    }
}

/// What goes before an error's words, where they do not say themselves that they are one's.
pub(in crate::project) fn error_mark(
    result: &ToolResult,
    pieces: &[Cow<'_, str>],
) -> Option<&'static str> {
    let says = pieces.first().is_some_and(|piece| piece.starts_with(wording::ERROR_BEGINS));
    (result.is_error && !says).then_some(wording::ERROR)
}
