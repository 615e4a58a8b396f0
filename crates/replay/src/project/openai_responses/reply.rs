//! Replies, and the rounds they open.
//!
//! A reply without calls is written at once; one with calls together with what answers them, since
//! a call's form hangs on what came of it.

#![deny(clippy::wildcard_enum_match_arm)]

use json::Text;
use record::blank::is_blank;
use record::{Block, InputClass, Message, Role, TextBlock, ToolUse};
use wire::body::Ending;
use wire::openai_responses::request;

use super::items::{Item, Items, Left, claim, degraded, is_custom, items, responses_natives};
use super::native::Native;
use super::results::{searched, tool_search_call};
use super::{ITEM, Responses, text_in};
use crate::bind::BoundCall;
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::conversation::is_retracted;
use crate::project::notes::{has_notes, retracted_calls};
use crate::project::speech::first_result;
use crate::read::Row;
use crate::report::ChangeKind;

/// What words of a reply are for.
const PHASES: &[&str] = &["commentary", "final_answer"];

/// How an import names a refusal's part.
const REFUSAL: &str = "refusal";

impl Conversation {
    /// Takes a reply and gives its calls; one without calls is written.
    pub(in crate::project) fn responses_reply(
        &mut self,
        view: View<'_>,
        to: &Responses,
        grown: &mut Grown,
        row: &Row,
        split: u32,
    ) -> Vec<BoundCall> {
        let Some(message) = row.entry.message() else { return Vec::new() };
        self.row = row.index;
        self.note_turn(view, message);
        let written = responses_natives(view, to, grown, row, message);
        self.notes_due |= has_notes(view, row, message, &written);
        let mut bound = Vec::new();
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if let Block::ToolUse(call) = block
                && !is_retracted(view, row, index)
            {
                let wire_id = self.wire_id(view, grown, row, index, &call.id);
                bound.push(BoundCall::open(index, wire_id, false));
            }
        }
        if bound.is_empty() {
            self.responses_items(view, to, grown, row, &[]);
            if split as usize == message.blocks.len() {
                self.reply_is_written(&row.entry);
            }
        }
        bound.extend(retracted_calls(view, row, message));
        bound.sort_unstable_by_key(|call| call.block);
        bound
    }

    /// Writes a round: the reply's items, then what was returned to its calls.
    pub(in crate::project) fn responses_results(
        &mut self,
        view: View<'_>,
        to: &Responses,
        grown: &mut Grown,
        reply: &Row,
        calls: &[BoundCall],
    ) {
        if calls.iter().all(|call| call.retracted) {
            return;
        }
        self.gap_fills(view, reply, calls);
        self.responses_items(view, to, grown, reply, calls);
        self.responses_outputs(view, grown, reply, calls);
    }

    /// A reply's items, in the order in which they were produced.
    fn responses_items(
        &mut self,
        view: View<'_>,
        to: &Responses,
        grown: &mut Grown,
        row: &Row,
        calls: &[BoundCall],
    ) {
        let Some(message) = row.entry.message() else { return };
        self.row = row.index;
        self.responses_unsaid(view, row, message);
        if let Some(reason) = degraded(message) {
            let detail = Some(reason.into());
            self.change_with(ChangeKind::InvalidReplayState, Some(&row.entry), None, detail);
        }
        let Items { items, left } = items(view, to, grown, row, message);
        for (index, left) in left {
            match left {
                Left::Withheld => {
                    self.change(ChangeKind::ThinkingWithheld, Some(&row.entry), Some(index));
                }
                Left::Out => self.thought_out(view, row, index),
                Left::Trailing => {
                    self.change(ChangeKind::ThinkingTrailing, Some(&row.entry), Some(index));
                }
            }
        }
        let mut open = None;
        for (index, item) in items {
            match item {
                Item::Said(text, Some(id)) => {
                    self.responses_named(view, grown, row, (index, text), &id, &mut open);
                    continue;
                }
                Item::Said(text, None) => self.responses_said(view, to, grown, row, (index, text)),
                Item::Thought(thought) => {
                    self.begin(view, grown, Role::Assistant);
                    self.last_thought = self.last_thought.max(Some(row.index));
                    if grown.thoughts.last() != Some(&row.index) {
                        grown.thoughts.push(row.index);
                    }
                    let id = claim(grown, thought.id, row);
                    let (summary, first) = (thought.summary.as_str(), self.is_first());
                    let sealed = thought.sealed;
                    request::reasoning(&mut self.pages, id.as_deref(), summary, sealed, first);
                }
                Item::Call(call, id) => {
                    // Calls stand in the order of their blocks.
                    let at = calls.binary_search_by_key(&index, |bound| bound.block);
                    if let Some(bound) = at.ok().and_then(|at| calls.get(at)) {
                        self.responses_call(view, grown, row, bound, call, id);
                    }
                }
                Item::Native(Native { id, object, .. }) => {
                    self.begin(view, grown, Role::Assistant);
                    let mut named = object;
                    named.optional_string("id", claim(grown, id, row).as_deref());
                    let first = self.is_first();
                    request::item(&mut self.pages, named.finish().as_str(), first);
                }
            }
            open = None;
            self.written_reply = Some(row.entry.id.clone());
        }
    }

    /// Reports what is not said of a reply's words, or elsewhere than it was.
    fn responses_unsaid(&mut self, view: View<'_>, row: &Row, message: &Message) {
        // Notes were decided about when the reply was taken.
        let notes_due = self.notes_due;
        let split = first_result(message);
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if is_retracted(view, row, index) {
                self.retracted(row, index, block);
                continue;
            }
            match block {
                Block::Text(text) if index < split && is_blank(&text.text) => {
                    self.change(ChangeKind::BlankText, Some(&row.entry), Some(index));
                }
                Block::Text(_)
                | Block::ToolUse(_)
                | Block::ToolResult(_)
                | Block::Reasoning(_)
                | Block::Image(_)
                | Block::SystemChange(_)
                | Block::Opaque(_) => {}
            }
        }
        self.notes_due = notes_due;
    }

    /// Words in an item without an id; a refusal is what the model said.
    fn responses_said(
        &mut self,
        view: View<'_>,
        to: &Responses,
        grown: &mut Grown,
        row: &Row,
        (index, text): (u32, &TextBlock),
    ) {
        self.begin(view, grown, Role::Assistant);
        let said = self.told_text(view, &text.text, &row.entry, index);
        // Others than OpenAI may refuse it.
        let phase = phase(text).filter(|_| to.unknown.is_none());
        self.reply_text(to, said, phase.as_deref());
    }

    /// Words in the message that the server knows by this id, which may be open.
    fn responses_named(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        (index, text): (u32, &TextBlock),
        id: &str,
        open: &mut Option<String>,
    ) {
        let goes_on = open.as_deref() == Some(id);
        if goes_on {
            self.blocks += 1;
        } else {
            self.before(view, grown, Role::Assistant);
            self.next_message(grown, Role::Assistant, Ending::Blocks);
            claim(grown, Some(id.to_owned()), row);
            let first = self.is_first();
            request::open_output_message(&mut self.pages, id, phase(text).as_deref(), first);
            *open = Some(id.to_owned());
        }
        self.mark_units(grown);
        let said = self.told_text(view, &text.text, &row.entry, index);
        if text_in(&text.rest, ITEM).is_some_and(|item| item.as_str() == REFUSAL) {
            request::refusal(&mut self.pages, said, !goes_on);
        } else {
            request::output_text(&mut self.pages, said, !goes_on);
        }
        self.written_reply = Some(row.entry.id.clone());
    }

    /// A call, in the form that what answers it has.
    fn responses_call(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        bound: &BoundCall,
        call: &ToolUse,
        id: Option<String>,
    ) {
        self.begin(view, grown, Role::Assistant);
        let (call_id, first) = (bound.wire_id.as_ref().unwrap_or(&call.id), self.is_first());
        if searched(view, row, call, bound).is_some() {
            let item = tool_search_call(call, call_id);
            return request::item(&mut self.pages, item.as_str(), first);
        }
        let id = claim(grown, id, row);
        let name = self.wire_name(view, row, bound.block, &call.name);
        let text = call.input.text();
        if call.input.has_lone_surrogate() || view.dialect.replaces_nul_in(&call.input) {
            self.change(ChangeKind::SurrogateReplaced, Some(&row.entry), Some(bound.block));
        }
        let is_custom = is_custom(call);
        let written = if is_custom { None } else { arguments(call) };
        // Where a tool was found goes back with its call.
        let namespace = text_in(&call.rest, "namespace");
        let call = request::Call {
            is_custom,
            id: id.as_deref(),
            call_id,
            name: &name,
            input: written.as_deref().unwrap_or(text),
            namespace: namespace.as_deref(),
        };
        request::call(&mut self.pages, &call, first);
    }
}

/// Arguments where they are not the text the model wrote.
fn arguments(call: &ToolUse) -> Option<String> {
    match call.input.class() {
        InputClass::Empty => Some("{}".to_owned()),
        InputClass::Object if call.input.has_lone_surrogate() => {
            let raw = json::Raw::parse(call.input.text()).ok()?;
            Some(raw.without_lone_surrogates()?.as_str().to_owned())
        }
        InputClass::Object | InputClass::Malformed => None,
    }
}

/// What words are for, where the record says so.
fn phase(text: &TextBlock) -> Option<Text> {
    text_in(&text.rest, "phase").filter(|phase| PHASES.contains(&phase.as_str()))
}
