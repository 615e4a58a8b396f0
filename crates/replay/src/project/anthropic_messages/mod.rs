//! Project to Anthropic Messages: every message an array of blocks, the last one left open.
//!
//! What is legal by construction here and in [`blocks`](super::blocks) is to
//!

pub(crate) mod head;
pub(crate) mod image;
pub(super) mod native;
pub(super) mod native_shape;
pub(crate) mod parameters;

use record::Role;
use wire::anthropic_messages::request;
use wire::body::Ending;

use super::Conversation;
use crate::fold::Grown;

/// Characters of an id (A-040: the direct API documents none, its gateways cap at 64).
const ID_CHARS_MAX: usize = 64;

/// Characters of a tool's name in history.
const NAME_CHARS_MAX: usize = 200;

/// Whether a call may have this id.
pub(super) fn takes_id(id: &str) -> bool {
    (1..=ID_CHARS_MAX).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Whether a call may have this name.
pub(super) fn takes_name(name: &str) -> bool {
    let chars = name.chars().take(NAME_CHARS_MAX + 1).count();
    (1..=NAME_CHARS_MAX).contains(&chars)
}

impl Conversation {
    /// Begins a block: in the open message where it can, else in a new one.
    pub(super) fn anthropic_block(&mut self, grown: &mut Grown, role: Role) {
        if self.open == Some(role) && !self.fresh {
            self.pages.push(b",");
            self.blocks += 1;
            return;
        }
        let first = self.messages == 0;
        self.next_message(grown, role, Ending::Blocks);
        let role = match role {
            // Results stand on the user's side.
            Role::User | Role::Tool => request::Role::User,
            Role::Assistant => request::Role::Assistant,
            Role::System => request::Role::System,
        };
        request::open_message(&mut self.pages, role, first);
    }

    /// The block just begun, as a text.
    pub(super) fn anthropic_text(&mut self, pieces: &[&str]) {
        request::text_of(&mut self.pages, pieces);
        self.end_markable();
    }
}
