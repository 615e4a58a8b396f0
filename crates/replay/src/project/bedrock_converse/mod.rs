//! Project to Bedrock Converse: every message an array of blocks, the last one left open.
//!
//! Blocks, their order and what a Claude model takes are those of [`blocks`](super::blocks).
//! Families that take no words beside calls and results get their rounds as
//! [`rounds`](super::rounds) has it. A neighbour of the same role joins the message before it, also
//! one that was sent (B-002). What is legal by construction is B-001 to B-015, B-019 and B-029.

pub(crate) mod head;
pub(crate) mod image;
pub(super) mod native;
pub(crate) mod parameters;
pub(crate) mod rules;

use std::borrow::Cow;

use json::Text;
use record::{Block, Role};
use wire::anthropic_messages::models as claude;
use wire::bedrock_converse::models::{Model, WORD};
use wire::bedrock_converse::request;
use wire::body::Ending;
use wire::takes::Takes;

use super::conversation::is_retracted;
use super::{Conversation, made};
use crate::bind::{BoundCall, call_in};
use crate::fold::{Grown, View};
use crate::read::Row;
use crate::report::ChangeKind;

/// A target of this dialect.
#[derive(Clone, Debug)]
pub(crate) struct Converse {
    /// The row of the model's family.
    pub(crate) model: &'static Model,
    /// The row of its own API, where the model is one of Claude's.
    pub(crate) claude: Option<&'static claude::Model>,
    /// Its id.
    pub(crate) name: Text,
    /// Whether calls are said as calls.
    pub(crate) tools: bool,
}

impl Converse {
    /// Whether words may stand in one message with calls, and with results (B-014).
    pub(super) fn takes_text_beside_tools(&self) -> bool {
        self.model.text_beside_tools == Takes::Yes
    }

    /// Whether rounds wait for what follows them.
    pub(super) fn holds_rounds(&self) -> bool {
        !self.tools || !self.takes_text_beside_tools()
    }

    /// The least bytes of a prefix that is worth a cache point (B-022).
    pub(super) fn marked_bytes_min(&self, bytes_per_token: u64) -> Option<u64> {
        let claude = self.claude.filter(|_| self.model.cache_points == Takes::Yes)?;
        Some(u64::from(claude.cache_tokens_min) * bytes_per_token)
    }
}

/// Whether a call, or a tool, may have this name (B-010).
pub(super) fn takes_name(name: &str) -> bool {
    WORD.allows(name)
}

/// The name a tool goes by: its own, or one made of it.
pub(super) fn name_of(name: &str) -> Cow<'_, str> {
    if takes_name(name) { name.into() } else { made::name(&WORD, name).into() }
}

impl Conversation {
    /// Begins a block: in the open message where it is of its role, sent or not, else in a new one.
    pub(super) fn converse_block(&mut self, view: View<'_>, grown: &mut Grown, role: Role) {
        let role = match role {
            Role::Assistant => Role::Assistant,
            // Results and the operator's words stand on the user's side.
            Role::User | Role::Tool | Role::System => Role::User,
        };
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
            Role::Assistant => request::Role::Assistant,
            Role::User | Role::Tool | Role::System => request::Role::User,
        };
        request::open_message(&mut self.pages, role, first);
    }

    /// The block just begun, as a text.
    pub(super) fn converse_text(&mut self, pieces: &[&str]) {
        request::text(&mut self.pages, pieces);
        self.end_markable();
    }

    /// A reply's message, to a family that has its words and its calls in messages of their own.
    pub(super) fn converse_message(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        calls: &[BoundCall],
    ) {
        let Some(message) = row.entry.message() else { return };
        self.row = row.index;
        for (index, text) in self.said_texts(view, row, message) {
            let text = self.told_text(view, text, &row.entry, index);
            self.speech(view, grown, text);
            self.written_reply = Some(row.entry.id.clone());
        }
        // Words that stand before them are of another message (B-014).
        self.separate |= !calls.is_empty();
        for bound in calls.iter().filter(|call| !call.retracted) {
            let Some(call) = call_in(&row.entry, bound.block) else { continue };
            self.begin(view, grown, Role::Assistant);
            self.call(view, row, bound.block, call, bound.wire_id.as_ref(), None);
            self.written_reply = Some(row.entry.id.clone());
        }
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if matches!(block, Block::Reasoning(_)) && !is_retracted(view, row, index) {
                self.change(ChangeKind::ThinkingWithheld, Some(&row.entry), Some(index));
            }
        }
    }
}
