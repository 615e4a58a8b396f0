//! Messages begun and texts written: which block goes on in the open message, and which begins one.

use record::{OpaqueBlock, ProofKind, Role};
use wire::body::Ending;
use wire::literal::has_nul_escape;
use wire::openai_chat::request;
use wire::openai_chat::vendors::Takes;

use super::Chat;
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::report::ChangeKind;
use crate::target::OPENAI_CHAT;

impl Conversation {
    /// Begins a block of text: in the open user message where it can, else in a new message.
    pub(in crate::project) fn chat_block(
        &mut self,
        view: View<'_>,
        chat: &Chat,
        grown: &mut Grown,
        role: Role,
    ) {
        let form = match role {
            Role::User if chat.vendor.parts_user == Takes::Yes => Ending::Blocks,
            Role::User => Ending::Text,
            Role::System | Role::Assistant | Role::Tool => Ending::Message,
        };
        self.chat_block_of(view, chat, grown, role, form);
    }

    /// Begins a part that is no text, on the user's side.
    pub(in crate::project) fn chat_part(&mut self, view: View<'_>, chat: &Chat, grown: &mut Grown) {
        self.before(view, grown, Role::User);
        self.chat_block_of(view, chat, grown, Role::User, Ending::Blocks);
        self.mark_units(grown);
    }

    fn chat_block_of(
        &mut self,
        view: View<'_>,
        chat: &Chat,
        grown: &mut Grown,
        role: Role,
        form: Ending,
    ) {
        let of_row = self.open_row == Some(self.row) && !self.fresh;
        if role == Role::User && self.joins(chat, form, of_row) {
            if self.fresh {
                let entry = view.path.get(self.row as usize).map(|entry| &**entry);
                self.change(ChangeKind::MessageJoined, entry, None);
                self.fresh = false;
            }
            match (self.ending(), form) {
                // Only where images stand beside the text.
                (Ending::Text, Ending::Blocks) => {
                    self.pages.push(b"\"");
                    request::open_images(&mut self.pages);
                    self.goes_on_as(form);
                }
                (Ending::Blocks, Ending::Text) if chat.is_ollama() => {
                    request::close_images(&mut self.pages);
                    request::open_text(&mut self.pages);
                    self.goes_on_as(form);
                }
                (Ending::Text, _) => self.pages.string_part(if of_row { "\n" } else { "\n\n" }),
                (Ending::Blocks | Ending::Message, _) => self.pages.push(b","),
            }
            // Of one text too: a message with more in it has another end.
            self.blocks += 1;
        } else {
            let first = self.messages == 0;
            self.next_message(grown, role, form);
            let role = match role {
                Role::User | Role::Tool => request::Role::User,
                Role::Assistant => request::Role::Assistant,
                Role::System => chat.operator(),
            };
            request::open_message(&mut self.pages, role, first);
            match form {
                Ending::Blocks if chat.is_ollama() => request::open_images(&mut self.pages),
                Ending::Blocks => request::open_parts(&mut self.pages),
                Ending::Text => request::open_text(&mut self.pages),
                Ending::Message => {}
            }
        }
        self.open_row = (role == Role::User).then_some(self.row);
    }

    /// Whether a block of the user's side goes on in the open message.
    fn joins(&self, chat: &Chat, form: Ending, of_row: bool) -> bool {
        let fits = if chat.is_ollama() {
            form == self.ending() || !self.chat.both
        } else {
            self.ending() == Ending::Blocks || form == Ending::Text
        };
        let apart = chat.vendor.users_in_a_row == Takes::Yes && !of_row;
        self.open == Some(Role::User) && fits && !apart
    }

    /// The block just begun, as a text.
    pub(in crate::project) fn chat_text(&mut self, pieces: &[&str]) {
        match self.ending() {
            Ending::Blocks => request::text(&mut self.pages, pieces, true),
            Ending::Text => {
                pieces.iter().for_each(|piece| request::text_part(&mut self.pages, piece));
            }
            Ending::Message => request::content(&mut self.pages, pieces),
        }
    }
}

/// Whether a part is a file that this vendor was sent before (K-037).
pub(in crate::project) fn is_native(view: View<'_>, chat: &Chat, block: &OpaqueBlock) -> bool {
    let Some(proof) = &block.proof else { return false };
    let doc = block.raw.doc();
    let root = doc.root();
    proof.kind == ProofKind::Native
        && proof.issuer.api.as_str() == OPENAI_CHAT
        && proof.issuer.platform == view.target.to.platform
        && block.kind.as_str() == "file"
        && chat.takes_files()
        && root.get("file").is_some()
        && root.get("cache_control").is_none()
        && !block.raw.has_lone_surrogate()
        && !has_nul_escape(block.raw.as_str())
}
