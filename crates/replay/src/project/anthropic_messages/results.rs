//! A round's results: first in the user message after the calls, in call order.

use json::Text;
use record::blank::is_blank;
use record::{Image, ResultPart, Role, ToolResult};
use wire::anthropic_messages::request;

use super::native;
use crate::bind::{Answer, BoundCall, call_of, result_at};
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::conversation::{at, is_retracted};
use crate::project::image::{media_type, unseen_reason};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording::{self, UnseenReason};

/// An image that stands after the results instead of inside its own.
struct Moved<'r> {
    row: &'r Row,
    block: u32,
    nth: u32,
    image: &'r Image,
    label: String,
}

impl Conversation {
    /// Writes the answer of every call of a round.
    pub(in crate::project) fn anthropic_results(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        reply: &Row,
        calls: &[BoundCall],
    ) {
        let mut moved = Vec::new();
        self.answering = true;
        for call in calls.iter().filter(|call| !call.retracted) {
            let Some(declared) = call_of(view.path, reply.index, call.block) else { continue };
            let id = call.wire_id.as_ref().unwrap_or(&declared.id);
            match &call.answer {
                Answer::Result(row, block) => {
                    let result = result_at(row, *block);
                    let Some(result) = result else { continue };
                    self.row = row.index;
                    self.result(view, grown, row, *block, result, id);
                    if result.is_error {
                        moved_images(view, row, *block, result, &declared.name, &mut moved);
                    }
                }
                Answer::Gap(words) => self.gap(view, grown, reply, call, words, id),
                Answer::LateAfterGap(..) => {
                    if let Some(words) = &call.told {
                        self.gap(view, grown, reply, call, words, id);
                    }
                }
                Answer::Open => {}
            }
            self.ends_with_results = true;
        }
        self.answering = false;
        for Moved { row, block, nth, image, label } in moved {
            self.change(ChangeKind::ImageMoved, Some(&row.entry), Some(block));
            self.note(view, grown, &label);
            self.image(view, grown, row, block, nth, image);
        }
    }

    fn gap(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        reply: &Row,
        call: &BoundCall,
        words: &record::GapWording,
        id: &Text,
    ) {
        self.begin(view, grown, Role::User);
        request::tool_result_string(&mut self.pages, id, &[wording::gap(words)], true);
        self.end_markable();
        self.change(ChangeKind::GapFilled, Some(&reply.entry), Some(call.block));
        self.gap_fill(view, reply, call.block, words);
    }

    fn result(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        block: u32,
        result: &ToolResult,
        id: &Text,
    ) {
        if let Some(text) = self.replaced(view, row, block, result) {
            self.begin(view, grown, Role::User);
            request::tool_result_string(&mut self.pages, id, &[&text], result.is_error);
            self.end_markable();
            return;
        }
        self.begin(view, grown, Role::User);
        match result.content.as_slice() {
            [ResultPart::Text(text)] if !is_blank(text) => {
                let text = self.told_text(view, text, &row.entry, block);
                request::tool_result_string(&mut self.pages, id, &[text], result.is_error);
            }
            _ => self.parts(view, grown, row, block, result, id),
        }
        self.end_markable();
    }

    /// A result of several parts, or of none.
    fn parts(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        block: u32,
        result: &ToolResult,
        id: &Text,
    ) {
        let mut first = true;
        for (part, nth) in result.content.iter().zip(0u32..) {
            let unseen = match part {
                ResultPart::Image(image) => unseen_reason(view, row, block, nth, image),
                ResultPart::Text(_) | ResultPart::Opaque(_) => None,
            };
            let written = match part {
                ResultPart::Text(text) => {
                    let blank = is_blank(text);
                    if blank && result.content.len() > 1 {
                        self.change(ChangeKind::BlankText, Some(&row.entry), Some(block));
                    }
                    !blank
                }
                // An error result holds text only: what can be seen stands after the
                // results.
                ResultPart::Image(_) => !result.is_error || unseen.is_some(),
                ResultPart::Opaque(_) => true,
            };
            if !written {
                continue;
            }
            if first {
                request::tool_result_open(&mut self.pages, id);
            }
            self.pages.push(if first { b"[" } else { b"," });
            first = false;
            self.part(view, grown, (row, block, nth), part, unseen, result.is_error);
        }
        if first {
            self.change(ChangeKind::ResultEmpty, Some(&row.entry), Some(block));
            let words = [wording::NO_OUTPUT];
            request::tool_result_string(&mut self.pages, id, &words, result.is_error);
        } else {
            self.pages.push(b"]");
            request::tool_result_close(&mut self.pages, result.is_error);
        }
        if result.content.iter().any(|part| matches!(part, ResultPart::Image(_))) {
            self.image_stands(grown, row);
        }
    }

    fn part(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        (row, block, nth): (&Row, u32, u32),
        part: &ResultPart,
        unseen: Option<UnseenReason>,
        is_error: bool,
    ) {
        match (part, unseen) {
            (ResultPart::Text(text), _) => {
                let text = self.told_text(view, text, &row.entry, block);
                request::text(&mut self.pages, text);
            }
            (ResultPart::Image(image), Some(reason)) => {
                if reason == UnseenReason::SizeLimit {
                    grown.edited.push((at(row, block), self.unit()));
                }
                self.report_unseen(row, block, reason);
                request::text(&mut self.pages, &wording::unseen(&media_type(image), reason));
            }
            (ResultPart::Image(image), None) => self.seen(view, grown, row, block, nth, image),
            (ResultPart::Opaque(opaque), _) => {
                if !is_error && native::is_user_block(view, opaque) {
                    self.pages.push(native::wire_text(opaque).as_bytes());
                } else {
                    self.change(ChangeKind::OpaqueNoted, Some(&row.entry), Some(block));
                    request::text(&mut self.pages, &wording::opaque(&opaque.kind));
                }
            }
        }
    }
}

/// The images of an error result that can be seen: they stand after all results.
fn moved_images<'r>(
    view: View<'_>,
    row: &'r Row,
    block: u32,
    result: &'r ToolResult,
    tool: &str,
    moved: &mut Vec<Moved<'r>>,
) {
    if is_retracted(view, row, block) || view.edits.cleared.contains(&at(row, block)) {
        return;
    }
    for (part, nth) in result.content.iter().zip(0u32..) {
        if let ResultPart::Image(image) = part
            && unseen_reason(view, row, block, nth, image).is_none()
        {
            let label = wording::image_label(tool, &result.tool_use_id);
            moved.push(Moved { row, block, nth, image, label });
        }
    }
}
