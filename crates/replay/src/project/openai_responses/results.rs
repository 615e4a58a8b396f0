//! A round's results: one output for each call, in call order, directly behind the reply's items.

use json::{Doc, Kind, Object, Raw, Text, Value};
use record::{InputClass, ResultPart, Role, ToolUse};
use wire::body::Ending;
use wire::openai_responses::request;

use super::items::is_custom;
use super::{ITEM, is_clean, is_from_target, text_in};
use crate::bind::{BoundCall, call_in};
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::conversation::{at, is_retracted};
use crate::project::output::{Answered, Inside, Output, answered, error_mark};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording;

/// The search for tools that runs on our side, as an import names its items.
const TOOL_SEARCH: [&str; 2] = ["tool_search_call", "tool_search_output"];

impl Conversation {
    /// Writes what was returned to every call of a round.
    pub(super) fn responses_outputs(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        reply: &Row,
        calls: &[BoundCall],
    ) {
        for call in calls.iter().filter(|call| !call.retracted) {
            let Some(declared) = call_in(&reply.entry, call.block) else { continue };
            match answered(call) {
                Some(Answered::Result(..)) => {
                    self.responses_output(view, grown, reply, call, declared);
                }
                Some(Answered::Gap(words)) => {
                    self.row = reply.index;
                    self.open_output(grown, call, declared);
                    request::output(&mut self.pages, &[wording::ERROR, wording::gap(words)]);
                    self.change(ChangeKind::GapFilled, Some(&reply.entry), Some(call.block));
                }
                None => {}
            }
        }
        self.row = reply.index;
    }

    /// Begins an output, up to what was returned.
    fn open_output(&mut self, grown: &mut Grown, call: &BoundCall, declared: &ToolUse) {
        self.output_item(grown);
        let id = call.wire_id.as_ref().unwrap_or(&declared.id);
        let first = self.is_first();
        request::open_output(&mut self.pages, is_custom(declared), id, first);
    }

    fn output_item(&mut self, grown: &mut Grown) {
        self.next_message(grown, Role::Tool, Ending::Message);
        self.ends_with_results = true;
        self.mark_units(grown);
    }

    fn responses_output(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        reply: &Row,
        call: &BoundCall,
        declared: &ToolUse,
    ) {
        let Some(Answered::Result(row, block, result)) = answered(call) else { return };
        self.row = row.index;
        if let Some(tools) = searched(view, reply, declared, call) {
            self.output_item(grown);
            let id = call.wire_id.as_ref().unwrap_or(&declared.id);
            let item = tool_search_output(id, &tools);
            let first = self.is_first();
            return request::item(&mut self.pages, item.as_str(), first);
        }
        let (mut behind, stand) = (Vec::new(), view.dialect.images_stand(result.is_error));
        let Output { pieces, inside, .. } =
            self.output(view, row, block, result, &declared.name, stand, &mut behind);
        self.open_output(grown, call, declared);
        let told = error_mark(result, &pieces);
        let pieces: Vec<&str> =
            told.into_iter().chain(pieces.iter().map(|piece| &**piece)).collect();
        if inside.is_empty() {
            request::output(&mut self.pages, &pieces);
        } else {
            self.output_parts(view, grown, (row, block), &pieces, inside, told.is_some());
        }
        if result.content.iter().any(|part| matches!(part, ResultPart::Image(_))) {
            self.image_stands(grown, row);
        }
    }

    /// Words and images of an output, in their order.
    fn output_parts(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        (row, block): (&Row, u32),
        pieces: &[&str],
        inside: Vec<Inside<'_>>,
        is_marked: bool,
    ) {
        let ahead = usize::from(is_marked);
        request::open_output_parts(&mut self.pages);
        let (mut from, mut first) = (0, true);
        for Inside { at, nth, image } in inside {
            let words = pieces.get(from..at + ahead).unwrap_or_default();
            if !words.is_empty() {
                request::input_text(&mut self.pages, words, first);
                first = false;
            }
            self.pages.push(if first { b"" } else { b"," });
            self.seen(view, grown, row, block, nth, image);
            (from, first) = (at + ahead, false);
        }
        let words = pieces.get(from..).unwrap_or_default();
        if !words.is_empty() {
            request::input_text(&mut self.pages, words, false);
        }
        request::close_parts(&mut self.pages);
    }
}

/// The tools that a search on our side found, where both halves are whole and of the target's
/// model: an output has to be of its call's kind.
pub(super) fn searched(
    view: View<'_>,
    reply: &Row,
    call: &ToolUse,
    bound: &BoundCall,
) -> Option<Raw> {
    let [search, found] = TOOL_SEARCH;
    let is = |rest, kind: &str| text_in(rest, ITEM).is_some_and(|item| item.as_str() == kind);
    let Some(Answered::Result(row, block, result)) = answered(bound) else { return None };
    if !is(&call.rest, search) || !is(&result.rest, found) || !is_from_target(view, reply) {
        return None;
    }
    let replaced = is_retracted(view, row, block) || view.edits.cleared.contains(&at(row, block));
    if replaced || call.input.class() != InputClass::Object {
        return None;
    }
    let [ResultPart::Text(text)] = result.content.as_slice() else { return None };
    let doc = Doc::parse_str(text).ok()?;
    let is_tool = |tool: Value<'_, '_>| tool.get_str("type").is_some();
    let all = doc.root().kind() == Kind::Array && doc.root().items().all(is_tool);
    let (tools, asked) = (Raw::of(doc.root()), Raw::parse(call.input.text()).ok()?);
    (all && is_clean(&tools) && is_clean(&asked)).then_some(tools)
}

/// A search as it was asked for.
pub(super) fn tool_search_call(call: &ToolUse, call_id: &Text) -> Raw {
    let mut item = searching(TOOL_SEARCH[0], call_id);
    item.optional_raw("arguments", Raw::parse(call.input.text()).ok().as_ref());
    item.finish()
}

/// What a search found.
fn tool_search_output(call_id: &Text, tools: &Raw) -> Raw {
    let mut item = searching(TOOL_SEARCH[1], call_id);
    item.raw("tools", tools);
    item.finish()
}

fn searching(kind: &str, call_id: &Text) -> Object {
    let mut item = Object::new();
    item.string("type", kind)
        .string("call_id", &call_id.as_str().replace('\0', "\u{fffd}"))
        .string("execution", "client")
        .string("status", "completed");
    item
}
