//! A reply's message: its thoughts, its words, its calls. When it is written, and whether its calls
//! are said as such, is for [`rounds`](crate::project::rounds) to say.

#![deny(clippy::wildcard_enum_match_arm)]

use json::Text;
use record::{InputClass, Message, Role, ToolUse};
use wire::openai_chat::request;
use wire::openai_chat::vendors::{Takes, Vendor};

use super::Chat;
use super::reasoning::Crossing;
use crate::bind::{BoundCall, call_in};
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::rounds::first_result;
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording;

/// What a reply says besides its calls.
pub(super) struct Said<'m> {
    /// Its texts, in order, with their blocks.
    texts: Vec<(u32, &'m Text)>,
    crossing: Crossing<'m>,
}

impl Conversation {
    /// A reply's message: its thoughts, its words, and its calls as far as they are said as such.
    pub(in crate::project) fn chat_message(
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
        let texts = self.said_texts(view, row, message);
        let crossing = self.chat_crossing(view, chat, row, message, first_result(message));
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
        self.rounds.has_calls = true;
        request::open_calls(&mut self.pages);
        let mut first = true;
        for bound in calls.iter().filter(|call| !call.retracted) {
            let Some(call) = call_in(&row.entry, bound.block) else { continue };
            let id = bound.wire_id.as_ref().unwrap_or(&call.id);
            let name = self.wire_name(view, row, bound.block, &call.name);
            let text = call.input.text();
            if call.input.has_lone_surrogate() || view.dialect.replaces_nul(text) {
                self.change(ChangeKind::SurrogateReplaced, Some(&row.entry), Some(bound.block));
            }
            match arguments(&chat.vendor, call) {
                Arguments::AsWritten(text) => {
                    request::call(&mut self.pages, id, &name, text, first);
                }
                Arguments::Made(text) => {
                    request::call(&mut self.pages, id, &name, &text, first);
                }
                Arguments::Unparsed => {
                    self.change(ChangeKind::CallArgsUnparsed, Some(&row.entry), Some(bound.block));
                    let mut input = json::Object::new();
                    input.string(wording::UNPARSED_ARGUMENTS, call.input.text());
                    let input = input.finish();
                    request::call(&mut self.pages, id, &name, input.as_str(), first);
                }
            }
            first = false;
        }
        request::close_calls(&mut self.pages);
    }
}

/// The content beside calls where a reply has no words (K-030).
fn empty_content(vendor: &Vendor, out: &mut wire::pages::Pages) {
    if vendor.null_content == Takes::Yes {
        request::content_null(out);
    } else if vendor.no_content != Takes::Yes {
        request::content(out, &[]);
    }
}

/// Arguments as the vendor takes them.
enum Arguments<'c> {
    AsWritten(&'c str),
    Made(String),
    /// They are no object, and the vendor wants one (K-010).
    Unparsed,
}

fn arguments<'c>(vendor: &Vendor, call: &'c ToolUse) -> Arguments<'c> {
    let text = call.input.text();
    match call.input.class() {
        InputClass::Empty => Arguments::AsWritten("{}"),
        InputClass::Object if call.input.has_lone_surrogate() => {
            let raw = json::Raw::parse(text).ok();
            let clean = raw.and_then(|raw| raw.without_lone_surrogates());
            clean.map_or(Arguments::AsWritten(text), |raw| Arguments::Made(raw.as_str().to_owned()))
        }
        InputClass::Object => Arguments::AsWritten(text),
        InputClass::Malformed => {
            let takes = match json::Doc::parse_str(text) {
                Ok(_) => vendor.arguments_not_object,
                Err(_) => vendor.arguments_not_json,
            };
            if takes == Takes::Yes { Arguments::AsWritten(text) } else { Arguments::Unparsed }
        }
    }
}
