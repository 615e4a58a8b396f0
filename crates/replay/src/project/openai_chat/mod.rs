//! Project to Chat Completions: a message for each reply, result and row, told as the vendor takes
//! it.
//!
//! What a vendor takes is its row with what the model changes; nothing here knows a vendor by name.
//! A user's message is an array of parts where the vendor takes one, else a text, which stays open
//! so that what follows can join it. Every other message is written whole.
//!
//! [`reply`] writes replies with their calls, [`results`] what was returned, [`reasoning`]
//! thoughts.

pub(in crate::project) mod head;
pub(in crate::project) mod image;
pub(in crate::project) mod parameters;
mod reasoning;
mod reply;
pub(in crate::project) mod results;
pub(super) mod user;

use std::borrow::Cow;

use json::Text;
use record::Role;
use wire::openai_chat::models::{Instructions, Model};
use wire::openai_chat::request;
use wire::openai_chat::vendors::{Form, Vendor};
use wire::takes::Takes;

use reasoning::lacks_reasoning;

use crate::bind::BoundCall;
use crate::fold::View;
use crate::project::made;
use crate::project::output::ImagesStand;
use crate::read::Row;

/// A target of this dialect.
#[derive(Clone, Debug)]
pub(crate) struct Chat {
    /// The vendor's row with what the model changes.
    pub(crate) vendor: Vendor,
    pub(crate) model: &'static Model,
    /// The vendor's name, where no row has it.
    pub(crate) unknown: Option<Text>,
    /// Whether calls are said as calls.
    pub(crate) tools: bool,
}

impl Chat {
    /// Whether messages have the form of Ollama's native API (O-1 to O-5).
    pub(in crate::project) fn is_ollama(&self) -> bool {
        self.vendor.form == Form::Ollama
    }

    /// Whether files go beside texts (K-037).
    pub(in crate::project) fn takes_files(&self) -> bool {
        self.vendor.files == Takes::Yes && self.vendor.parts_user == Takes::Yes
    }

    /// In which role the operator speaks (C-019, K-001).
    fn operator(&self) -> request::Role {
        match self.model.instructions {
            Instructions::Developer if self.vendor.developer == Takes::Yes => {
                request::Role::Developer
            }
            Instructions::Developer | Instructions::System => request::Role::System,
            Instructions::Neither => request::Role::User,
        }
    }

    /// Whether the operator may speak after a message of this role (K-002).
    pub(in crate::project) fn takes_system_after(&self, role: Role) -> bool {
        let takes = match role {
            Role::User => self.vendor.system_after_user,
            Role::Assistant | Role::Tool | Role::System => self.vendor.system_after_reply,
        };
        takes == Takes::Yes && self.operator() != request::Role::User
    }

    /// Whether two replies may follow each other (K-041).
    pub(in crate::project) fn takes_assistants_in_a_row(&self) -> bool {
        self.vendor.assistants_in_a_row == Takes::Yes
    }

    /// Where a tool message may hold images, if it may (C-014, K-005).
    pub(in crate::project) fn images_stand(&self) -> ImagesStand {
        match (self.vendor.images_in_results, self.vendor.parts_tool) {
            (Takes::Yes, _) if self.is_ollama() => ImagesStand::Beside,
            (Takes::Yes, Takes::Yes) => ImagesStand::Among,
            _ => ImagesStand::Behind,
        }
    }

    /// Whether a call may have this id (C-005, M-4).
    pub(in crate::project) fn takes_id(&self, id: &str) -> bool {
        self.vendor.ids.allows(id)
    }

    /// An id of the vendor's form out of a hash in hexadecimal digits; none where its grammar has
    /// no room for one.
    pub(in crate::project) fn id_of(&self, hash: &str) -> Option<String> {
        made::id(&self.vendor.ids, hash)
    }

    /// The name a tool goes by: its own, or one made of it (C-010). Where the grammar has no room
    /// for one, no request with tools or calls is made.
    pub(in crate::project) fn name_of<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let grammar = &self.vendor.tool_names;
        if grammar.allows(name) { name.into() } else { made::name(grammar, name).into() }
    }
}

/// Whether a vendor takes no round of these calls, whatever follows it. That several are doubtful
/// somewhere is no reason to tell them otherwise: they are what happened.
pub(in crate::project) fn refuses_round(
    view: View<'_>,
    chat: &Chat,
    reply: &Row,
    calls: &[BoundCall],
) -> bool {
    let standing = calls.iter().filter(|call| !call.retracted).count();
    (chat.vendor.parallel_calls == Takes::No && standing > 1) || lacks_reasoning(view, chat, reply)
}

/// What a conversation of this dialect keeps besides what every one does.
#[derive(Clone, Debug, Default)]
pub(in crate::project) struct State {
    /// The open message has its text and its images, and takes none of the other (O-5).
    both: bool,
    /// The last role besides the operator's.
    pub(in crate::project) spoken: Option<Role>,
    /// A call stands without the reasoning that is due beside it (K-020).
    lacks_reasoning: bool,
}

impl State {
    /// A message begins.
    pub(in crate::project) fn begins(&mut self) {
        self.both = false;
    }

    /// The open message has its text and its images.
    pub(in crate::project) fn is_both(&mut self) {
        self.both = true;
    }

    pub(in crate::project) fn lacks_reasoning(&self) -> bool {
        self.lacks_reasoning
    }
}
