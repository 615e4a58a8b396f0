//! A round's results: one tool message for each call, in call order, directly after the calls.

use json::Text;
use record::{ResultPart, Role, ToolResult, ToolUse};
use wire::body::Ending;
use wire::openai_chat::request;

use super::Chat;
use crate::bind::{BoundCall, call_in};
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::output::{Answered, Behind, ImagesStand, Inside, Output, answered, error_mark};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording;

impl Conversation {
    /// Writes the answer of every call of a round.
    pub(in crate::project) fn chat_answers(
        &mut self,
        view: View<'_>,
        chat: &Chat,
        grown: &mut Grown,
        reply: &Row,
        calls: &[BoundCall],
    ) {
        let mut behind = Vec::new();
        for call in calls.iter().filter(|call| !call.retracted) {
            let Some(declared) = call_in(&reply.entry, call.block) else { continue };
            let id = call.wire_id.as_ref().unwrap_or(&declared.id);
            match answered(call) {
                Some(Answered::Result(row, block, result)) => {
                    self.row = row.index;
                    let result = (row, block, result);
                    self.chat_result(view, chat, grown, result, id, declared, &mut behind);
                }
                Some(Answered::Gap(words)) => {
                    self.row = reply.index;
                    self.chat_tool(chat, grown, id, declared);
                    request::content(&mut self.pages, &[wording::ERROR, wording::gap(words)]);
                    self.change(ChangeKind::GapFilled, Some(&reply.entry), Some(call.block));
                }
                None => {}
            }
        }
        self.row = reply.index;
        self.images_behind(view, grown, behind);
    }

    /// Begins a tool message up to its content.
    fn chat_tool(&mut self, chat: &Chat, grown: &mut Grown, id: &Text, declared: &ToolUse) {
        self.next_message(grown, Role::Tool, Ending::Message);
        self.ends_with_results = true;
        if chat.is_ollama() {
            let name = chat.name_of(&declared.name);
            request::open_result_of(&mut self.pages, &name, false);
        } else {
            request::open_result(&mut self.pages, id, false);
        }
        self.mark_units(grown);
    }

    #[allow(clippy::too_many_arguments, reason = "what a result is, and where it goes")]
    fn chat_result<'r>(
        &mut self,
        view: View<'_>,
        chat: &Chat,
        grown: &mut Grown,
        (row, block, result): (&'r Row, u32, &'r ToolResult),
        id: &Text,
        declared: &ToolUse,
        behind: &mut Vec<Behind<'r>>,
    ) {
        let stand = view.dialect.images_stand(result.is_error);
        let Output { pieces, inside, .. } =
            self.output(view, row, block, result, &declared.name, stand, behind);
        self.chat_tool(chat, grown, id, declared);
        let told = error_mark(result, &pieces);
        let pieces: Vec<&str> =
            told.into_iter().chain(pieces.iter().map(|piece| &**piece)).collect();
        if inside.is_empty() {
            request::content(&mut self.pages, &pieces);
        } else if stand == ImagesStand::Beside {
            request::content(&mut self.pages, &pieces);
            request::open_images(&mut self.pages);
            for (Inside { nth, image, .. }, count) in inside.into_iter().zip(0u32..) {
                self.pages.push(if count == 0 { b"" } else { b"," });
                self.seen(view, grown, row, block, nth, image);
            }
            request::close_images(&mut self.pages);
        } else {
            let ahead = usize::from(told.is_some());
            request::open_parts(&mut self.pages);
            let (mut from, mut first) = (0, true);
            for Inside { at, nth, image } in inside {
                let words = pieces.get(from..at + ahead).unwrap_or_default();
                if !words.is_empty() {
                    request::text(&mut self.pages, words, first);
                    first = false;
                }
                self.pages.push(if first { b"" } else { b"," });
                self.seen(view, grown, row, block, nth, image);
                (from, first) = (at + ahead, false);
            }
            let words = pieces.get(from..).unwrap_or_default();
            if !words.is_empty() {
                request::text(&mut self.pages, words, false);
            }
            request::close_parts(&mut self.pages);
        }
        if result.content.iter().any(|part| matches!(part, ResultPart::Image(_))) {
            self.image_stands(grown, row);
        }
    }
}
