//! What Anthropic Messages and Bedrock Converse have in common: a message is an array of blocks,
//! calls end a reply, results begin the message after it, and thoughts go back signed.
//!
//! Which blocks stand, and in which order, is decided here; how one is spelled is the dialect's.

mod reply;
mod results;
mod thinking;

use json::Text;
use record::ProofKind;
use wire::anthropic_messages::request as anthropic;
use wire::bedrock_converse::request as converse;
use wire::takes::Takes;

use super::Conversation;
use crate::fold::View;
use crate::wording;

impl Conversation {
    /// A signed or sealed thought; what is sealed is a JSON literal.
    fn write_thought(&mut self, view: View<'_>, kind: &ProofKind, text: &str, sealed: &str) {
        let out = &mut self.pages;
        match (view.dialect.converse().is_some(), *kind == ProofKind::Redacted) {
            (true, true) => converse::redacted(out, sealed),
            (true, false) => converse::reasoning(out, text, sealed),
            (false, true) => anthropic::redacted_thinking(out, sealed),
            (false, false) => anthropic::thinking(out, text, sealed),
        }
    }

    /// A call; its input is the text of an object, and so is its caller, where the wire names one.
    fn write_call(&mut self, view: View<'_>, id: &str, name: &str, input: &str, by: Option<&str>) {
        if view.dialect.converse().is_some() {
            self.rounds.has_calls = true;
            converse::tool_use(&mut self.pages, id, name, input);
        } else {
            anthropic::tool_use(&mut self.pages, id, name, input, by);
        }
        self.end_markable();
    }

    /// A result that is one text.
    fn write_result(&mut self, view: View<'_>, id: &Text, text: &str, is_error: bool) {
        if view.dialect.converse().is_some() {
            self.open_result(view, id);
            self.result_text(view, text, is_error);
            self.close_result(view, is_error);
        } else {
            anthropic::tool_result_string(&mut self.pages, id, &[text], is_error);
            self.end_markable();
        }
    }

    /// Begins a result up to its parts.
    fn open_result(&mut self, view: View<'_>, id: &Text) {
        if view.dialect.converse().is_some() {
            converse::open_result(&mut self.pages, id);
        } else {
            anthropic::tool_result_open(&mut self.pages, id);
            self.pages.push(b"[");
        }
    }

    /// A text among a result's parts; the first says that the result is an error's, where nothing
    /// else can.
    fn result_text(&mut self, view: View<'_>, text: &str, tells_error: bool) {
        let Some(to) = view.dialect.converse() else {
            return anthropic::text(&mut self.pages, text);
        };
        let flagged = to.model.status == Takes::Yes;
        let told = tells_error && !flagged && !text.starts_with(wording::ERROR_BEGINS);
        converse::text(&mut self.pages, &[if told { wording::ERROR } else { "" }, text]);
    }

    /// Ends a result after its parts.
    fn close_result(&mut self, view: View<'_>, is_error: bool) {
        if let Some(to) = view.dialect.converse() {
            converse::close_result(&mut self.pages, is_error && to.model.status == Takes::Yes);
        } else {
            self.pages.push(b"]");
            anthropic::tool_result_close(&mut self.pages, is_error);
        }
        self.end_markable();
    }
}
