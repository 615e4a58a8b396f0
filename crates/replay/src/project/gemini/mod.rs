//! Project to `generateContent`: contents of parts, the last one left open.
//!
//! What a function responded is a content of its own, between the model's and what the user says
//! next (G-011, G-014). Neighbours of one role are one content, whether they were sent or not:
//! some servers refuse two (G-009, G-010).
//!
//! [`reply`] writes what the model said, [`results`] what was returned to it, [`signature`] says
//! which signatures go back, [`native`] which parts do as they came.

pub(in crate::project) mod head;
pub(in crate::project) mod image;
pub(super) mod native;
pub(in crate::project) mod parameters;
mod reply;
mod results;
mod signature;

use std::borrow::Cow;

use record::{Block, Role};
use wire::body::Ending;
use wire::gemini::models::{Model, NAMES};
use wire::gemini::platforms::Platform;
use wire::gemini::request;
use wire::takes::Takes;

use super::Conversation;
use super::made;
use crate::fold::{Grown, View};
use crate::read::Row;
use crate::report::ChangeKind;

pub(in crate::project) use signature::{RowSignatures, is_stand_in};

/// Characters of a function's name (G-018).
const NAME_CHARS_MAX: usize = 64;

/// A target of this dialect: what its platform and its model take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gemini {
    pub(crate) platform: &'static Platform,
    pub(crate) model: &'static Model,
}

impl Gemini {
    /// Whether the calls of a reply and their responses carry ids: where that is refused by some,
    /// or the model gave none, their order says as much (G-013, G-017).
    fn writes_ids(&self, reply: &Row) -> bool {
        let blocks = reply.entry.message().map(|message| message.blocks.as_slice());
        let mut calls = blocks.unwrap_or_default().iter().filter_map(Block::as_tool_use);
        let takes = self.platform.call_ids == Takes::Yes || self.model.call_ids == Takes::Yes;
        takes && calls.any(|call| !call.id.is_empty())
    }

    /// The name a function goes by: its own, or one made of it (G-018).
    pub(in crate::project) fn name_of<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if takes_name(name) { name.into() } else { made::name(&NAMES, name).into() }
    }
}

/// Whether a function may have this name (G-018).
fn takes_name(name: &str) -> bool {
    let rest = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-');
    let starts = name.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_');
    starts && name.len() <= NAME_CHARS_MAX && name.bytes().all(rest)
}

impl Conversation {
    /// Begins a part: in the open content where that is of its role, else in a new one.
    pub(super) fn gemini_block(&mut self, view: View<'_>, grown: &mut Grown, role: Role) {
        if self.open == Some(role) {
            if self.fresh {
                let entry = view.path.get(self.row as usize).map(|entry| &**entry);
                self.change(ChangeKind::MessageJoined, entry, None);
                self.fresh = false;
            }
            self.pages.push(b",");
            self.blocks += 1;
            return;
        }
        let first = self.messages == 0;
        self.next_message(grown, role, Ending::Blocks);
        let role = match role {
            Role::Assistant => request::Role::Model,
            // What functions responded and what the operator says stand on the user's side.
            Role::User | Role::Tool | Role::System => request::Role::User,
        };
        request::open_content(&mut self.pages, role, first);
    }

    /// The part just begun, as a text.
    pub(super) fn gemini_text(&mut self, pieces: &[&str], signature: Option<&str>) {
        request::text(&mut self.pages, pieces, signature);
    }
}
