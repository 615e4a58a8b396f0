//! Project to Responses: an item for each text, thought, call and result, in the order in which
//! they were produced.
//!
//! Without `store` nothing is named by an id that only the server could look up: thoughts cross
//! sealed, words and calls by themselves. With `store` a reply's items keep their ids, all of them
//! or none, since the server knows which belong together.
//!
//! What the record holds of this API: a block's proof is the item's id or what is sealed in it;
//! `phase`, `namespace` and `summary` stand in the block's `rest` under their names, and its
//! member [`ITEM`] names the item's type where that is not the usual one.
//!
//! [`reply`] writes replies and the rounds they open, [`items`] decides what becomes of each of
//! their blocks, [`reasoning`] thoughts, [`native`] what goes back as it came, [`results`] what was
//! returned.

pub(in crate::project) mod head;
pub(in crate::project) mod image;
mod items;
pub(super) mod native;
pub(in crate::project) mod parameters;
mod reasoning;
mod reply;
mod results;

use std::borrow::Cow;

use json::{Raw, Text};
use record::{Issuer, Proof, ProofKind, Rest, Role, Source};
use wire::body::Ending;
use wire::grammar::{Charset, Grammar};
use wire::openai_responses::models::{Model, undated};
use wire::openai_responses::platforms::Platform;
use wire::openai_responses::request;
use wire::takes::Takes;

use super::Conversation;
use super::made;
use crate::fold::{Grown, View};
use crate::read::Row;
use crate::target::OPENAI_RESPONSES;

pub(in crate::project) use items::responses_natives;

/// The member of a block that names the item it came from, where that is not the usual one.
const ITEM: &str = "item";

/// The version of sealed content this build reads.
const PROOF_VERSION: u32 = 1;

/// Characters of an item's id.
const ID_CHARS_MAX: usize = 64;

/// Ids of calls.
const CALL_IDS: Grammar =
    Grammar { charset: Charset::Any, max_len: Some(64), exact_len: None, others: Takes::No };

/// Names of tools (C-010).
const TOOL_NAMES: Grammar =
    Grammar { charset: Charset::Word, max_len: Some(64), exact_len: None, others: Takes::No };

/// A target of this dialect.
#[derive(Clone, Debug)]
pub(crate) struct Responses {
    pub(crate) platform: &'static Platform,
    pub(crate) model: &'static Model,
    /// The platform's name, where no row has it.
    pub(crate) unknown: Option<Text>,
    /// Whether the server keeps what it is sent, and is told of it by id.
    pub(crate) store: bool,
}

/// Whether a call may have this id.
pub(in crate::project) fn takes_id(id: &str) -> bool {
    CALL_IDS.allows(id)
}

/// An id out of a hash in hexadecimal digits.
pub(in crate::project) fn id_of(hash: &str) -> Option<String> {
    made::id(&CALL_IDS, hash)
}

/// The name a tool goes by: its own, or one made of it (C-010).
pub(in crate::project) fn name_of(name: &str) -> Cow<'_, str> {
    if TOOL_NAMES.allows(name) { name.into() } else { made::name(&TOOL_NAMES, name).into() }
}

/// Whether a JSON text can go on a wire as it is.
fn is_clean(raw: &Raw) -> bool {
    !raw.has_lone_surrogate() && !wire::literal::has_nul_escape(raw.as_str())
}

/// The string under this name.
fn text_in(rest: &Rest, name: &str) -> Option<Text> {
    rest.get(name)?.doc().root().to_text().filter(|text| !text.is_empty())
}

/// Whether the target issued a proof: its platform, over this API, and its account as far as both
/// are known.
fn is_own(view: View<'_>, proof: &Proof) -> bool {
    let Issuer { platform, api, account, .. } = &*proof.issuer;
    let to = &view.target.to;
    api.as_str() == OPENAI_RESPONSES
        && *platform == to.platform
        && proof.version == PROOF_VERSION
        && account.as_ref().zip(to.account.as_ref()).is_none_or(|(issuer, own)| issuer == own)
}

/// Whether a reply came from the target: its model, whatever the snapshot, of its platform and
/// account.
fn is_from_target(view: View<'_>, reply: &Row) -> bool {
    let to = &view.target.to;
    match reply.entry.message().and_then(|message| message.source.as_ref()) {
        Some(Source::Model { platform, api, model, account }) => {
            api.as_str() == OPENAI_RESPONSES
                && *platform == to.platform
                && undated(model) == undated(&to.model)
                && account.as_ref().zip(to.account.as_ref()).is_none_or(|(from, own)| from == own)
        }
        Some(Source::User | Source::Tool { .. } | Source::Runtime { .. } | Source::Other(_))
        | None => false,
    }
}

/// As [`is_own`], and its model's, whatever the snapshot.
fn is_own_model(view: View<'_>, proof: &Proof) -> bool {
    let (issuer, own) = (&proof.issuer.model, &view.target.to.model);
    is_own(view, proof) && !issuer.is_empty() && undated(issuer) == undated(own)
}

/// The id that names an item of this type, where it is one.
fn item_id(id: &str, prefix: &str) -> Option<String> {
    let is_legal = id.len() <= ID_CHARS_MAX
        && id.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'))
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    is_legal.then(|| id.to_owned())
}

/// The id that a proof of the target's is, for an item of this type.
fn proof_id(view: View<'_>, proof: Option<&Proof>, prefix: &str) -> Option<String> {
    let proof = proof.filter(|proof| proof.kind == ProofKind::ItemId && is_own(view, proof))?;
    item_id(&proof.sealed.doc().root().as_str()?, prefix)
}

impl Conversation {
    /// Begins a block: in the open message of the user's where it is of the same row, else in a
    /// new item.
    pub(in crate::project) fn responses_block(&mut self, grown: &mut Grown, role: Role) {
        let of_row = self.open_row == Some(self.row) && !self.fresh;
        let is_open = self.open == Some(Role::User) && self.ending() == Ending::Blocks;
        if role == Role::User && is_open && of_row {
            self.pages.push(b",");
            self.blocks += 1;
            return;
        }
        let first = self.messages == 0;
        match role {
            Role::User | Role::Tool => {
                self.next_message(grown, Role::User, Ending::Blocks);
                request::open_message(&mut self.pages, request::Role::User, first);
            }
            Role::System => {
                self.next_message(grown, Role::System, Ending::Blocks);
                request::open_message(&mut self.pages, request::Role::Developer, first);
            }
            Role::Assistant => self.next_message(grown, Role::Assistant, Ending::Message),
        }
        self.open_row = (role == Role::User).then_some(self.row);
    }

    /// The block just begun, as a text.
    pub(in crate::project) fn responses_text(&mut self, to: &Responses, pieces: &[&str]) {
        if self.open == Some(Role::Assistant) {
            self.reply_text(to, &pieces.concat(), None);
        } else {
            request::input_text(&mut self.pages, pieces, true);
        }
    }

    /// A reply's words in an item without an id.
    fn reply_text(&mut self, to: &Responses, text: &str, phase: Option<&str>) {
        let first = self.is_first();
        if to.platform.reply_string == Takes::Yes {
            return request::reply(&mut self.pages, text, phase, first);
        }
        request::open_reply(&mut self.pages, phase, first);
        request::output_text(&mut self.pages, text, true);
        request::close_parts(&mut self.pages);
    }

    /// Whether the item just begun is the first of all.
    fn is_first(&self) -> bool {
        self.messages == 1
    }
}
