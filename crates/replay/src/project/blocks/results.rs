//! A round's results: first in the user message after the calls, in call order.

use json::{Raw, Text};
use record::blank::is_blank;
use record::{ResultPart, Role, ToolResult};
use wire::takes::Takes;

use crate::bind::{Answer, BoundCall, call_of, result_at};
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::anthropic_messages::native;
use crate::project::attachment::anthropic_in_result;
use crate::project::bedrock_converse::{Converse, native as converse};
use crate::project::conversation::{at, is_retracted};
use crate::project::image::{media_type, unseen_reason};
use crate::project::output::{Behind, ImagesStand};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording::{self, UnseenReason};

impl Conversation {
    /// Writes the answer of every call of a round.
    pub(in crate::project) fn blocks_results(
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
                    if view.dialect.images_stand(result.is_error) == ImagesStand::Behind {
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
        for Behind { row, block, nth, image, label } in moved {
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
        self.write_result(view, id, wording::gap(words), true);
        self.change(ChangeKind::GapFilled, Some(&reply.entry), Some(call.block));
        // A round that was held has its fills.
        if !view.dialect.holds_rounds() {
            self.gap_fill(view, reply, call.block, words);
        }
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
            return self.write_result(view, id, &text, result.is_error);
        }
        self.begin(view, grown, Role::User);
        let written = view.dialect.converse().map(|_| converse::as_written(result));
        let written = written.unwrap_or_default();
        let plain = !matches!(written.first(), Some(Some(_)));
        match result.content.as_slice() {
            [ResultPart::Text(text)] if !is_blank(text) && plain => {
                let text = self.told_text(view, text, &row.entry, block);
                self.write_result(view, id, text, result.is_error);
            }
            _ => self.parts(view, grown, (row, block), result, id, &written),
        }
    }

    /// A result of several parts, or of none; `written` has those that stand as the API wrote them.
    fn parts(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        (row, block): (&Row, u32),
        result: &ToolResult,
        id: &Text,
        written: &[Option<Raw>],
    ) {
        let mut first = true;
        for (part, nth) in result.content.iter().zip(0u32..) {
            let unseen = match part {
                ResultPart::Image(image) => unseen_reason(view, row, block, nth, image),
                ResultPart::Text(_) | ResultPart::Opaque(_) => None,
            };
            let stands = match part {
                ResultPart::Text(text) => {
                    let blank = is_blank(text);
                    if blank && result.content.len() > 1 {
                        self.change(ChangeKind::BlankText, Some(&row.entry), Some(block));
                    }
                    !blank
                }
                // An error result holds text only: what can be seen stands after the
                // results.
                ResultPart::Image(_) => {
                    view.dialect.images_stand(result.is_error) != ImagesStand::Behind
                        || unseen.is_some()
                }
                ResultPart::Opaque(_) => true,
            };
            if !stands {
                continue;
            }
            if first {
                self.open_result(view, id);
            } else {
                self.pages.push(b",");
            }
            let written = written.get(nth as usize).and_then(Option::as_ref);
            self.part(view, grown, (row, block, nth), result, (unseen, written), first);
            first = false;
        }
        let has_images = result.content.iter().any(|part| matches!(part, ResultPart::Image(_)));
        if first && has_images && view.dialect.converse().is_some() {
            self.write_result(view, id, wording::IMAGE_BEHIND, result.is_error);
        } else if first {
            self.change(ChangeKind::ResultEmpty, Some(&row.entry), Some(block));
            self.write_result(view, id, wording::NO_OUTPUT, result.is_error);
        } else {
            self.close_result(view, result.is_error);
        }
        if has_images {
            self.image_stands(grown, row);
        }
    }

    fn part(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        (row, block, nth): (&Row, u32, u32),
        result: &ToolResult,
        (unseen, written): (Option<UnseenReason>, Option<&Raw>),
        first: bool,
    ) {
        let Some(part) = result.content.get(nth as usize) else { return };
        let tells_error = result.is_error && first;
        match (part, unseen) {
            (ResultPart::Text(text), _) => {
                // An error that the status does not say is said in words.
                let says = |to: &&Converse| !tells_error || to.model.status == Takes::Yes;
                let converse = view.dialect.converse().filter(says);
                if let Some(json) = converse.and(written) {
                    return self.pages.push(json.as_str().as_bytes());
                }
                let text = self.told_text(view, text, &row.entry, block);
                self.result_text(view, text, tells_error);
            }
            (ResultPart::Image(image), Some(reason)) => {
                if reason == UnseenReason::SizeLimit {
                    grown.edited.push((at(row, block), self.unit()));
                }
                self.report_unseen(row, block, reason);
                let words = wording::unseen(&media_type(image), reason);
                self.result_text(view, &words, tells_error);
            }
            (ResultPart::Image(image), None) => self.seen(view, grown, row, block, nth, image),
            (ResultPart::Opaque(opaque), _) => {
                let own = view.dialect.converse().is_none() && native::is_user_block(view, opaque);
                let form = match own {
                    true => Some(native::wire_form(opaque)),
                    false => anthropic_in_result(view, opaque),
                };
                match form.filter(|_| !result.is_error) {
                    Some(form) => self.pages.push(form.as_str().as_bytes()),
                    None => {
                        let words = self.opaque_in_result(row, block, opaque);
                        self.result_text(view, &words, tells_error);
                    }
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
    moved: &mut Vec<Behind<'r>>,
) {
    if is_retracted(view, row, block) || view.edits.cleared.contains(&at(row, block)) {
        return;
    }
    for (part, nth) in result.content.iter().zip(0u32..) {
        if let ResultPart::Image(image) = part
            && unseen_reason(view, row, block, nth, image).is_none()
        {
            let label = wording::image_label(tool, &result.tool_use_id);
            moved.push(Behind { row, block, nth, image, label });
        }
    }
}
