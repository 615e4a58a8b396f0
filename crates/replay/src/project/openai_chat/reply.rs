//! Replies, and the rounds they open.
//!
//! A reply without calls is a message at once. One with calls is written together with what answers
//! them, since nothing may stand between; and where the vendor takes no user message after a result
//! (K-042), not before it is known what follows: then a round that the user's side follows is told
//! as a record of actions.

#![deny(clippy::wildcard_enum_match_arm)]

use std::borrow::Cow;
use std::collections::BTreeSet;

use json::Text;
use record::blank::is_blank;
use record::{Block, InputClass, Message, Role, ToolUse};
use wire::openai_chat::request;
use wire::openai_chat::vendors::{Takes, Vendor};

use super::Chat;
use super::reasoning::Crossing;
use super::told::refuses_round;
use crate::bind::{BoundCall, call_in};
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::conversation::is_retracted;
use crate::project::input::nests_little;
use crate::project::notes::{has_notes, retracted_calls};
use crate::project::speech::first_result;
use crate::read::Row;
use crate::report::{ChangeKind, MovedReason, Unit};
use crate::wording;

/// A round that is not written yet.
#[derive(Clone, Debug)]
pub(super) struct Held {
    reply: Row,
    calls: Vec<BoundCall>,
    /// It was sent, as calls and results.
    pub(super) told: bool,
}

/// What a reply says besides its calls.
pub(super) struct Said<'m> {
    /// Its texts, in order, with their blocks.
    texts: Vec<(u32, &'m Text)>,
    crossing: Crossing<'m>,
}

impl Conversation {
    /// Takes a reply and gives its calls; one without calls is written.
    pub(in crate::project) fn chat_reply(
        &mut self,
        view: View<'_>,
        chat: &Chat,
        grown: &mut Grown,
        row: &Row,
        split: u32,
    ) -> Vec<BoundCall> {
        let Some(message) = row.entry.message() else { return Vec::new() };
        self.row = row.index;
        self.note_turn(view, message);
        self.notes_due |= has_notes(view, row, message, &BTreeSet::new());
        let mut bound = Vec::new();
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if let Block::ToolUse(call) = block
                && !is_retracted(view, row, index)
            {
                let has_id = chat.tools && !chat.is_ollama();
                let told_as_call = has_id.then(|| self.wire_id(view, grown, row, index, &call.id));
                bound.push(BoundCall::open(index, told_as_call.flatten(), false));
            }
        }
        if bound.is_empty() {
            self.chat_message(view, chat, grown, row, &[]);
            if split as usize == message.blocks.len() {
                self.reply_is_written(&row.entry);
            }
        }
        bound.extend(retracted_calls(view, row, message));
        bound.sort_unstable_by_key(|call| call.block);
        bound
    }

    /// Writes a round, or holds it until it is known what follows.
    pub(in crate::project) fn chat_results(
        &mut self,
        view: View<'_>,
        chat: &Chat,
        grown: &mut Grown,
        reply: &Row,
        calls: &[BoundCall],
    ) {
        let standing = || calls.iter().filter(|call| !call.retracted);
        if standing().next().is_none() {
            return;
        }
        self.gap_fills(view, reply, calls);
        let follows = chat.vendor.user_after_tool == Takes::Yes;
        if !chat.tools {
            self.chat_told(view, chat, grown, reply, calls);
        } else if refuses_round(view, chat, reply, calls)
            || !follows && self.has_images_behind(view, chat, calls)
        {
            let next = if has_words(view, reply) { Role::Assistant } else { Role::User };
            self.chat_settle(view, chat, grown, next);
            self.chat_told(view, chat, grown, reply, calls);
        } else if follows {
            self.chat_round(view, chat, grown, reply, calls);
        } else {
            if has_words(view, reply) {
                self.chat_settle(view, chat, grown, Role::Assistant);
            }
            self.said = true;
            let (reply, calls) = (reply.clone(), calls.to_vec());
            self.chat.held.push(Held { reply, calls, told: false });
        }
    }

    /// Writes the rounds that were held, now that it is known what follows them: the last is told
    /// where that is the user's, and so is each before it that would else be followed by a record.
    pub(in crate::project) fn chat_settle(
        &mut self,
        view: View<'_>,
        chat: &Chat,
        grown: &mut Grown,
        next: Role,
    ) {
        let held = std::mem::take(&mut self.chat.held);
        let wordless = held.iter().rev().take_while(|held| !has_words(view, &held.reply)).count();
        let as_calls = match next {
            Role::User => held.len().saturating_sub(wordless + 1),
            Role::Assistant | Role::System | Role::Tool => held.len(),
        };
        let row = self.row;
        for (at, Held { reply, calls, told }) in held.into_iter().enumerate() {
            if at < as_calls {
                self.chat_round(view, chat, grown, &reply, &calls);
                continue;
            }
            if told && at == as_calls {
                let unit = Unit::Content { message: self.messages, block: 0 };
                self.demoted = Some((unit, MovedReason::Capability));
            }
            self.chat_told(view, chat, grown, &reply, &calls);
        }
        self.row = row;
    }

    /// A round as calls and results.
    fn chat_round(
        &mut self,
        view: View<'_>,
        chat: &Chat,
        grown: &mut Grown,
        reply: &Row,
        calls: &[BoundCall],
    ) {
        self.chat_message(view, chat, grown, reply, calls);
        self.chat_answers(view, chat, grown, reply, calls);
    }

    /// A reply's message: its thoughts, its words, and its calls as far as they are said as such.
    pub(super) fn chat_message(
        &mut self,
        view: View<'_>,
        chat: &Chat,
        grown: &mut Grown,
        row: &Row,
        calls: &[BoundCall],
    ) {
        let Some(message) = row.entry.message() else { return };
        self.row = row.index;
        let said = self.chat_said(view, chat, row, message);
        if said.texts.is_empty() && calls.is_empty() {
            self.chat_thoughts_left(row, &said.crossing);
            return;
        }
        self.begin(view, grown, Role::Assistant);
        self.chat_reasoning(chat, grown, row, &said.crossing, !calls.is_empty());
        self.chat_content(view, chat, row, &said, !calls.is_empty());
        if !calls.is_empty() {
            self.chat_calls(view, chat, row, calls);
        }
        self.written_reply = Some(row.entry.id.clone());
    }

    /// What a reply says before its results; what is not said is reported here.
    fn chat_said<'m>(
        &mut self,
        view: View<'_>,
        chat: &Chat,
        row: &Row,
        message: &'m Message,
    ) -> Said<'m> {
        let mut texts = Vec::new();
        let mut called = false;
        // Notes were decided about when the reply was taken.
        let notes_due = self.notes_due;
        let split = first_result(message);
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if is_retracted(view, row, index) {
                self.retracted(row, index, block);
                continue;
            }
            match block {
                Block::Text(_) if index >= split => {}
                Block::Text(text) if is_blank(&text.text) => {
                    self.change(ChangeKind::BlankText, Some(&row.entry), Some(index));
                }
                Block::Text(text) => {
                    if text.rest.get("citations").is_some_and(|raw| raw.as_str() != "null") {
                        self.change(ChangeKind::CitationsOmitted, Some(&row.entry), Some(index));
                    }
                    if called {
                        self.change(ChangeKind::TextMoved, Some(&row.entry), Some(index));
                    }
                    texts.push((index, &text.text));
                }
                Block::ToolUse(_) => called = true,
                Block::ToolResult(_)
                | Block::Reasoning(_)
                | Block::Image(_)
                | Block::SystemChange(_)
                | Block::Opaque(_) => {}
            }
        }
        self.notes_due = notes_due;
        let crossing = self.chat_crossing(view, chat, row, message, split);
        Said { texts, crossing }
    }

    /// The content of a reply's message (C-011, K-030).
    fn chat_content(
        &mut self,
        view: View<'_>,
        chat: &Chat,
        row: &Row,
        said: &Said<'_>,
        calls: bool,
    ) {
        if let Crossing::Parts(thoughts) = &said.crossing {
            request::open_parts(&mut self.pages);
            let mut first = true;
            for (_, thought) in thoughts {
                super::reasoning::part(&mut self.pages, thought, first);
                first = false;
            }
            for (index, text) in &said.texts {
                let text = self.told_text(view, text, &row.entry, *index);
                request::text(&mut self.pages, &[text], false);
            }
            request::close_parts(&mut self.pages);
            return;
        }
        match said.texts.as_slice() {
            [] if !calls => {}
            [] => empty_content(&chat.vendor, &mut self.pages),
            [(index, text)] => {
                let text = self.told_text(view, text, &row.entry, *index);
                request::content(&mut self.pages, &[text]);
            }
            texts => {
                let mut pieces = Vec::new();
                for (index, text) in texts {
                    if !pieces.is_empty() {
                        pieces.push("\n");
                    }
                    pieces.push(self.told_text(view, text, &row.entry, *index));
                }
                request::content(&mut self.pages, &pieces);
            }
        }
    }

    fn chat_calls(&mut self, view: View<'_>, chat: &Chat, row: &Row, calls: &[BoundCall]) {
        self.chat.has_calls = true;
        request::open_calls(&mut self.pages);
        let mut first = true;
        for bound in calls.iter().filter(|call| !call.retracted) {
            let Some(call) = call_in(&row.entry, bound.block) else { continue };
            let id = bound.wire_id.as_ref().unwrap_or(&call.id);
            let name = self.wire_name(view, row, bound.block, &call.name);
            let text = call.input.text();
            // A NUL is replaced in the text; in an object it is an escape, which is replaced below.
            let nul = chat.is_ollama() && text.contains(NUL) || view.dialect.replaces_nul(text);
            if call.input.has_lone_surrogate() || nul {
                self.change(ChangeKind::SurrogateReplaced, Some(&row.entry), Some(bound.block));
            }
            let arguments = arguments(chat, call).unwrap_or_else(|| {
                self.change(ChangeKind::CallArgsUnparsed, Some(&row.entry), Some(bound.block));
                let mut input = json::Object::new();
                input.string(wording::UNPARSED_ARGUMENTS, text);
                input.finish().as_str().to_owned().into()
            });
            if chat.is_ollama() {
                request::call_of(&mut self.pages, &name, &without_nul(&arguments), first);
            } else {
                request::call(&mut self.pages, id, &name, &arguments, first);
            }
            first = false;
        }
        request::close_calls(&mut self.pages);
    }
}

/// Whether a reply says something before its results.
fn has_words(view: View<'_>, row: &Row) -> bool {
    let Some(message) = row.entry.message() else { return false };
    let before = message.blocks.iter().zip(0u32..first_result(message));
    before.into_iter().any(|(block, index)| {
        let words = block.as_text().is_some_and(|text| !is_blank(&text.text));
        words && !is_retracted(view, row, index)
    })
}

/// The content beside calls where a reply has no words (K-030).
fn empty_content(vendor: &Vendor, out: &mut wire::pages::Pages) {
    if vendor.null_content == Takes::Yes {
        request::content_null(out);
    } else if vendor.no_content != Takes::Yes {
        request::content(out, &[]);
    }
}

/// Arguments as the vendor takes them; none where they are no object, or one that nests too deep,
/// and it wants one (K-010, O-2).
fn arguments<'c>(chat: &Chat, call: &'c ToolUse) -> Option<Cow<'c, str>> {
    let text = call.input.text();
    match call.input.class() {
        InputClass::Empty => Some("{}".into()),
        InputClass::Object if chat.is_ollama() && !nests_little(text) => None,
        InputClass::Object if call.input.has_lone_surrogate() => {
            let raw = json::Raw::parse(text).ok();
            let clean = raw.and_then(|raw| raw.without_lone_surrogates());
            Some(clean.map_or(text.as_str().into(), |raw| raw.as_str().to_owned().into()))
        }
        InputClass::Object => Some(text.as_str().into()),
        InputClass::Malformed => {
            let takes = match json::Doc::parse_str(text) {
                Ok(_) => chat.vendor.arguments_not_object,
                Err(_) => chat.vendor.arguments_not_json,
            };
            (takes == Takes::Yes).then(|| text.as_str().into())
        }
    }
}

/// The escape that stands for NUL.
const NUL: &str = "\\u0000";

/// A JSON text in which what stands for NUL stands for the replacement character (G-10).
fn without_nul(json: &str) -> Cow<'_, str> {
    if !json.contains(NUL) {
        return json.into();
    }
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    // An escape begins at a backslash that no other one escapes.
    while let Some((before, escape)) = rest.find('\\').map(|at| rest.split_at(at)) {
        out.push_str(before);
        let len = if escape.starts_with(NUL) { NUL.len() } else { 2 };
        let (escape, tail) = escape.split_at_checked(len).unwrap_or((escape, ""));
        out.push_str(if escape == NUL { "\\ufffd" } else { escape });
        rest = tail;
    }
    out.push_str(rest);
    out.into()
}
