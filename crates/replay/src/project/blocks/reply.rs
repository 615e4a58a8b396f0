//! A reply: the blocks of an assistant row that can stand in an assistant message.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;

use json::Text;
use record::blank::is_blank;
use record::{Block, Message, OpaqueBlock, Role, ToolUse};

use super::thinking::RowThinking;
use crate::bind::BoundCall;
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::anthropic_messages::native::{self, Native, Verdicts};
use crate::project::bedrock_converse;
use crate::project::conversation::is_retracted;
use crate::project::input;
use crate::project::notes::{is_cut, retracted_calls};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording;

/// The order of a reply's blocks on the wire.
struct Order {
    /// Blocks that stand before the first call.
    before: Vec<u32>,
    /// Calls, and thoughts and native blocks between them.
    calls: Vec<u32>,
}

/// Server calls that wait for their provider.
#[derive(Default)]
struct Waits {
    /// The reply since which they do, where it is an earlier one.
    since: Option<u32>,
    calls: Vec<Text>,
    /// The tools of those that are new.
    tools: Vec<Text>,
}

impl Waits {
    fn on(&mut self, call: &OpaqueBlock) {
        self.calls.push(native::call_id(call));
        let name = call.raw.doc().root().get("name").and_then(|name| name.to_text());
        self.tools.push(name.unwrap_or_default());
    }
}

impl Conversation {
    /// Writes a reply's declaration and gives its calls. Text from block `split` on waits for the
    /// results.
    pub(in crate::project) fn blocks_reply(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        split: u32,
    ) -> Vec<BoundCall> {
        let Some(message) = row.entry.message() else { return Vec::new() };
        self.row = row.index;
        self.note_turn(view, message);
        self.turn_start = self.turn_start.or(Some(row.index));
        let mut waits = self.goes_on(view, grown, row, message, split);
        let mut thinking = RowThinking::new(view, row);
        let verdicts = self.verdicts(view, row, message);
        let Order { before, calls } =
            self.order(view, row, message, split, &mut thinking, &verdicts);
        let mut order = before;
        order.extend(calls);
        self.drop_trailing_thoughts(row, message, &mut order);
        let mut bound = Vec::new();
        // Server calls that stand on the wire and were not answered before this reply.
        let mut ran: BTreeSet<Text> = waits.calls.iter().cloned().collect();
        for index in order {
            let Some(block) = message.blocks.get(index as usize) else { continue };
            self.begin(view, grown, Role::Assistant);
            match block {
                Block::Text(text) => {
                    let text = self.told_text(view, &text.text, &row.entry, index);
                    self.write_text(view, &[text]);
                }
                Block::Reasoning(thought) => self.thought(view, grown, row, index, thought),
                Block::ToolUse(call) => {
                    let wire_id = self.wire_id(view, grown, row, index, &call.id);
                    // without the call that ran the code, it was called by nobody that can
                    // be named.
                    let caller = native::caller_of(call).filter(|(id, _)| ran.contains(id));
                    let caller = caller.map(|(_, caller)| caller.as_str());
                    self.call(view, row, index, call, wire_id.as_ref(), caller);
                    bound.push(BoundCall::open(index, wire_id, false));
                }
                Block::Opaque(opaque) => {
                    self.rounds.has_calls |= view.dialect.converse().is_some();
                    self.pages.push(native::wire_form(opaque).as_str().as_bytes());
                    self.end_markable();
                    ran.insert(native::call_id(opaque));
                    if verdicts.of(index) == Native::Paused {
                        waits.on(opaque);
                    }
                }
                Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => {}
            }
            self.written_reply = Some(row.entry.id.clone());
        }
        self.wait(row, waits, !bound.is_empty());
        if bound.is_empty() && split as usize == message.blocks.len() {
            self.reply_is_written(&row.entry);
        }
        bound.extend(retracted_calls(view, row, message));
        bound.sort_unstable_by_key(|call| call.block);
        bound
    }

    /// What a reply leaves open of the turn it goes on with, if it does.
    fn goes_on(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        message: &Message,
        split: u32,
    ) -> Waits {
        let waited = std::mem::take(&mut self.paused_calls);
        let Some(calls) = native::goes_on(view, row, message, split, &waited) else {
            self.paused_calls = waited;
            return Waits::default();
        };
        if let Some(paused) = self.paused.filter(|_| self.floats_before_reply()) {
            self.give_up_pause(view, grown, paused, row.index);
            return Waits::default();
        }
        self.resumed = Some((row.index, waited));
        Waits { since: self.paused.filter(|_| !calls.is_empty()), calls, tools: Vec::new() }
    }

    /// From this reply on the provider is waited for, and results of ours where it calls.
    fn wait(&mut self, row: &Row, waits: Waits, calls: bool) {
        if waits.calls.is_empty() {
            return;
        }
        if waits.since.is_none() {
            self.paused_tools.clear();
        }
        self.paused_tools.extend(waits.tools);
        self.paused = waits.since.or(Some(row.index));
        self.paused_calls = waits.calls;
        self.paused_calls_of_ours = calls;
    }

    /// Which blocks are written, in which order; what is not is reported here.
    fn order(
        &mut self,
        view: View<'_>,
        row: &Row,
        message: &Message,
        split: u32,
        thinking: &mut RowThinking,
        verdicts: &Verdicts,
    ) -> Order {
        let mut order = Order { before: Vec::new(), calls: Vec::new() };
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if is_retracted(view, row, index) {
                self.retracted(row, index, block);
                continue;
            }
            let called = !order.calls.is_empty();
            match block {
                Block::Text(_) if index >= split => {}
                Block::Text(text) => {
                    if is_blank(&text.text) {
                        self.change(ChangeKind::BlankText, Some(&row.entry), Some(index));
                        continue;
                    }
                    if called {
                        self.change(ChangeKind::TextMoved, Some(&row.entry), Some(index));
                    }
                    order.before.push(index);
                }
                Block::ToolUse(_) => order.calls.push(index),
                Block::Reasoning(thought) => {
                    if index >= split || !thinking.is_readable(view, thought) {
                        self.change(ChangeKind::ThinkingWithheld, Some(&row.entry), Some(index));
                    } else if !thinking.has_prefix() {
                        self.thought_out(view, row, index);
                    } else if called {
                        order.calls.push(index);
                    } else {
                        order.before.push(index);
                    }
                }
                Block::Opaque(_) => match verdicts.of(index) {
                    Native::Verbatim | Native::Paused if index < split => {
                        if called {
                            order.calls.push(index)
                        } else {
                            order.before.push(index)
                        }
                    }
                    Native::Paused | Native::Verbatim | Native::Note => self.notes_due = true,
                },
                Block::Image(_) | Block::SystemChange(_) => self.notes_due = true,
                Block::ToolResult(_) => {}
            }
        }
        self.notes_due |= is_cut(message);
        if let Some(reason) = thinking.degraded() {
            let detail = Some(reason.into());
            self.change_with(ChangeKind::InvalidReplayState, Some(&row.entry), None, detail);
        }
        order
    }

    fn verdicts(&self, view: View<'_>, row: &Row, message: &Message) -> Verdicts {
        if let Some(to) = view.dialect.converse() {
            return bedrock_converse::native::verdicts(view, to, row, message);
        }
        let resumed = self.resumed.as_ref().filter(|(resumed, _)| *resumed == row.index);
        let calls = resumed.map_or(&[][..], |(_, calls)| calls.as_slice());
        Verdicts::new(view, row, message, calls)
    }

    /// a message may not end with a thought.
    fn drop_trailing_thoughts(&mut self, row: &Row, message: &Message, order: &mut Vec<u32>) {
        while let Some(index) = order.last().copied() {
            let Some(Block::Reasoning(_)) = message.blocks.get(index as usize) else { break };
            order.pop();
            self.last_thought = self.last_thought.max(Some(row.index));
            self.change(ChangeKind::ThinkingTrailing, Some(&row.entry), Some(index));
        }
    }

    /// A call under its id, where it goes out under another than its own.
    pub(in crate::project) fn call(
        &mut self,
        view: View<'_>,
        row: &Row,
        index: u32,
        call: &ToolUse,
        wire_id: Option<&Text>,
        caller: Option<&str>,
    ) {
        let name = self.wire_name(view, row, index, &call.name);
        let id = wire_id.unwrap_or(&call.id);
        if call.input.has_lone_surrogate() {
            self.change(ChangeKind::SurrogateReplaced, Some(&row.entry), Some(index));
        }
        match input::object(call) {
            Some(input) => self.write_call(view, id, &name, &input, caller),
            None => {
                self.change(ChangeKind::CallArgsUnparsed, Some(&row.entry), Some(index));
                let mut input = json::Object::new();
                input.string(wording::UNPARSED_ARGUMENTS, call.input.text());
                let input = input.finish();
                self.write_call(view, id, &name, input.as_str(), caller);
            }
        }
    }

    /// The native blocks of a reply that stand in it as they are.
    pub(in crate::project) fn natives(
        &self,
        view: View<'_>,
        row: &Row,
        message: &Message,
        split: u32,
    ) -> BTreeSet<u32> {
        let verdicts = self.verdicts(view, row, message);
        let stands = |index: &u32| verdicts.of(*index) != Native::Note && *index < split;
        (0..message.blocks.len() as u32).filter(stands).collect()
    }
}
