//! A reply's message: its thoughts, its words, its calls. When it is written, and whether its calls
//! are said as such, is for [`rounds`](crate::project::rounds) to say.

#![deny(clippy::wildcard_enum_match_arm)]

use std::borrow::Cow;

use json::Text;
use record::{InputClass, Message, Role, ToolUse};
use wire::literal::{NUL_ESCAPE, has_nul_escape};
use wire::openai_chat::request;
use wire::openai_chat::vendors::Vendor;
use wire::takes::Takes;

use super::Chat;
use super::reasoning::Crossing;
use crate::bind::{BoundCall, call_in};
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::input::nests_little;
use crate::project::speech::first_result;
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
            // A NUL is replaced in the text; in an object it is an escape, which is replaced below.
            let nul = chat.is_ollama() && has_nul_escape(text)
                || view.dialect.replaces_nul_in(&call.input);
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
                let arguments = if nul { without_nul(&arguments) } else { arguments };
                request::call_of(&mut self.pages, &name, &arguments, first);
            } else {
                request::call(&mut self.pages, id, &name, &arguments, first);
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

/// A JSON text in which what stands for NUL stands for the replacement character (G-10).
fn without_nul(json: &str) -> Cow<'static, str> {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    // An escape begins at a backslash that no other one escapes.
    while let Some((before, escape)) = rest.find('\\').map(|at| rest.split_at(at)) {
        out.push_str(before);
        let len = if escape.starts_with(NUL_ESCAPE) { NUL_ESCAPE.len() } else { 2 };
        let (escape, tail) = escape.split_at_checked(len).unwrap_or((escape, ""));
        out.push_str(if escape == NUL_ESCAPE { "\\ufffd" } else { escape });
        rest = tail;
    }
    out.push_str(rest);
    out.into()
}
