//! Results: of declared calls, of none, once more, late.

use json::Text;
use record::{Block, Message, Rest, ResultPart, Role, Source, ToolResult};

use crate::generate::Gen;
use crate::tag::Tag;
use crate::text::{self, blank, sized};
use crate::{image, opaque};

impl Gen {
    /// A result of a declared call, or of none.
    pub(crate) fn any_result(&mut self) -> ToolResult {
        let known = self.rng.below(self.calls.len() + 1);
        let Some(call) = self.calls.get(known).cloned() else {
            self.tags.add(Tag::OrphanResult);
            let id = self.call_id();
            return self.result(id, "grep".into());
        };
        match &call.answer {
            Some(same) if self.rng.one_in(2) => {
                self.tags.add(Tag::SecondSameResult);
                same.clone()
            }
            Some(_) => {
                self.tags.add(Tag::SecondDifferentResult);
                self.result(call.id, call.name)
            }
            None => {
                if self.sends.last().is_some_and(|(number, ..)| *number > call.row) {
                    self.tags.add(Tag::LateResult);
                } else {
                    self.tags.add(Tag::FarResult);
                }
                let result = self.result(call.id, call.name);
                self.calls[known].answer = Some(result.clone());
                result
            }
        }
    }

    pub(crate) fn stray_result(&mut self) {
        let result = self.any_result();
        self.result_row(result);
    }

    /// Appends the row of a result.
    pub(crate) fn result_row(&mut self, result: ToolResult) {
        let call_id = result.tool_use_id.clone();
        let mut blocks = vec![Block::ToolResult(result)];
        if self.rng.one_in(30) {
            self.tags.add(Tag::ToolText);
            let text = Block::text(self.text());
            blocks.insert(self.rng.below(2), text);
        }
        let role = if self.rng.one_in(6) { Role::User } else { Role::Tool };
        let mut message = Message::new(role, blocks);
        message.source = Some(Source::Tool { call_id });
        self.row(message);
    }

    pub(crate) fn result(&mut self, id: Text, name: Text) -> ToolResult {
        let mut content = Vec::new();
        match self.rng.weighted(&[70, 8, 8, 6, 3, 3, 2]) {
            0 => content.push(ResultPart::Text(self.text())),
            1 => {
                self.tags.add(Tag::EmptyResult);
                if self.rng.one_in(2) {
                    content.push(ResultPart::Text(blank(&mut self.rng)));
                }
            }
            2 => {
                content.push(ResultPart::Text(self.text()));
                self.result_image(&mut content);
            }
            3 => self.result_image(&mut content),
            4 => {
                content.push(ResultPart::Text(self.text()));
                content.push(ResultPart::Text(blank(&mut self.rng)));
                content.push(ResultPart::Text(self.text()));
            }
            5 => {
                let number = self.mark();
                let part = match self.rng.below(2) {
                    0 => opaque::document(&mut self.rng, &mut self.tags, number),
                    _ => opaque::unknown(&mut self.rng, &mut self.tags, number),
                };
                content.push(ResultPart::Opaque(part));
            }
            _ => {
                self.tags.add(Tag::LargeResult);
                let mark = text::marker(self.mark());
                let times = sized(&mut self.rng, 1500, &mut self.budget);
                content.push(ResultPart::Text(format!("{mark}{}", "line\n".repeat(times)).into()));
            }
        }
        let is_error = self.rng.one_in(6);
        if is_error {
            self.tags.add(Tag::ErrorResult);
            if content.iter().any(|part| matches!(part, ResultPart::Image(_))) {
                self.tags.add(Tag::ErrorImage);
            }
        }
        let tool_name = if self.rng.one_in(8) { "".into() } else { name };
        ToolResult { tool_use_id: id, tool_name, content, is_error, rest: Rest::default() }
    }

    fn result_image(&mut self, content: &mut Vec<ResultPart>) {
        for _ in 0..1 + self.rng.below(2) {
            self.images += 1;
            let number = self.mark();
            let image = image::image(&mut self.rng, &mut self.tags, number);
            content.push(ResultPart::Image(image));
        }
    }
}
