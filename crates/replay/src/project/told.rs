//! Rounds told as a record of actions: for targets without tools, and where a target takes no words
//! of the user's side after a result (K-042, B-014), none of the model's beside a call (B-014),
//! only one call of a reply (C-029), or no call without its reasoning (K-020).
//!
//! What a model did is told about it, in the third person and on the user's side, so that it can be
//! taken neither for speech nor for a call. What was written by others is set in, so that no line
//! of it can begin an item.

use record::{InputClass, ToolUse};

use super::Conversation;
use super::output::{Answered, ImagesStand, Output, answered};
use crate::bind::{BoundCall, call_in};
use crate::fold::{Grown, View};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording;

/// What lines after an item's first begin with.
const INDENT: &str = "    ";

/// What breaks a line.
const LINE_BREAKS: [char; 7] = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

impl Conversation {
    /// A round as a record: the reply's own words, then what was called and what came of it.
    pub(super) fn told(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        reply: &Row,
        calls: &[BoundCall],
    ) {
        self.reply_message(view, grown, reply, &[]);
        let mut record = wording::ACTIONS.to_owned();
        let mut behind = Vec::new();
        for call in calls.iter().filter(|call| !call.retracted) {
            let Some(declared) = call_in(&reply.entry, call.block) else { continue };
            self.change(ChangeKind::CallTold, Some(&reply.entry), Some(call.block));
            record.push_str(&wording::called(&name_of(declared)));
            record.push_str(&set_in(input_of(declared)));
            match answered(call) {
                Some(Answered::Result(row, block, result)) => {
                    self.row = row.index;
                    self.change(ChangeKind::ResultTold, Some(&row.entry), Some(block));
                    let (tool, stand) = (&declared.name, ImagesStand::Behind);
                    let Output { pieces, .. } =
                        self.output(view, row, block, result, tool, stand, &mut behind);
                    let came = if result.is_error { wording::CAME_ERROR } else { wording::CAME };
                    record.push_str(came);
                    record.push_str(&set_in(&pieces.concat()));
                }
                Some(Answered::Gap(words)) => {
                    self.change(ChangeKind::GapFilled, Some(&reply.entry), Some(call.block));
                    record.push_str(wording::CAME_NOT);
                    record.push_str(wording::gap(words));
                }
                None => {}
            }
        }
        self.row = reply.index;
        self.apart();
        self.user_text(view, grown, &[&record]);
        self.images_behind(view, grown, behind);
        self.apart();
    }
}

fn name_of(call: &ToolUse) -> String {
    let name = if call.name.is_empty() { wording::UNNAMED } else { call.name.as_str() };
    set_in(name)
}

fn input_of(call: &ToolUse) -> &str {
    match call.input.class() {
        InputClass::Empty => "{}",
        InputClass::Object | InputClass::Malformed => call.input.text(),
    }
}

/// A text whose every line after the first is set in, whatever breaks lines.
fn set_in(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(LINE_BREAKS) {
        let sign = rest.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        let (line, tail) = rest.split_at(at + sign);
        out.push_str(line);
        if !(line.ends_with('\r') && tail.starts_with('\n')) {
            out.push_str(INDENT);
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}
