//! What becomes of each block of a reply: an item of its own, or none and why.
//!
//! The order is the one in which the model produced them.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;

use record::blank::is_blank;
use record::{Block, Message, Proof, ProofKind, TextBlock, ToolUse};
use wire::takes::Takes;

use super::native::Native;
use super::reasoning::{Readable, has_prefix, readable};
use super::{ITEM, Responses, native, proof_id, text_in};
use crate::fold::{Grown, View};
use crate::project::conversation::is_retracted;
use crate::project::proof;
use crate::project::speech::first_result;
use crate::read::Row;
use crate::rewind::key;
use crate::target::OPENAI_RESPONSES;

/// A free text's call, as an import names its item.
const CUSTOM: &str = "custom_tool_call";

/// An item of a reply.
pub(super) enum Item<'m> {
    /// Words, and the id of the message they stand in.
    Said(&'m TextBlock, Option<String>),
    Thought(Readable<'m>),
    /// A call, and its item's id.
    Call(&'m ToolUse, Option<String>),
    /// An item that goes back as it came.
    Native(Native),
}

impl Item<'_> {
    fn id(&self) -> Option<&str> {
        match self {
            Item::Said(_, id) | Item::Call(_, id) => id.as_deref(),
            Item::Native(native) => native.id.as_deref(),
            Item::Thought(thought) => thought.id.as_deref(),
        }
    }
}

/// Why a thought is no item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// The target does not read it.
    Withheld,
    /// It has lost its prefix.
    Out,
    /// No item of its reply follows it.
    Trailing,
}

/// The items of a reply, each with its block, and the thoughts that are none.
pub(super) struct Items<'m> {
    pub(super) items: Vec<(u32, Item<'m>)>,
    pub(super) left: Vec<(u32, Left)>,
}

/// What holds for a reply as a whole.
#[derive(Clone, Copy)]
struct Reply<'a> {
    view: View<'a>,
    to: &'a Responses,
    row: &'a Row,
    /// Its items are named by their ids.
    is_named: bool,
    /// None of its proofs can be used.
    is_degraded: bool,
}

/// Sorts a reply's blocks into items: named by their ids where the server keeps them and knows all
/// of them, else only those that cannot be without.
pub(super) fn items<'m>(
    view: View<'m>,
    to: &'m Responses,
    grown: &Grown,
    row: &'m Row,
    message: &'m Message,
) -> Items<'m> {
    let is_degraded = degraded(message).is_some();
    if to.store && !is_degraded {
        let named = Reply { view, to, row, is_named: true, is_degraded }.sorted(grown, message);
        if is_whole(&named, to, grown, row) {
            return named;
        }
    }
    Reply { view, to, row, is_named: false, is_degraded }.sorted(grown, message)
}

/// Why a reply is carried from its blocks alone, if it is.
pub(super) fn degraded(message: &Message) -> Option<&'static str> {
    let proofs = message.blocks.iter().filter_map(proof::of_block);
    let mut own = proofs.filter(|proof| proof.issuer.api.as_str() == OPENAI_RESPONSES);
    let misfit = proof::misfit(message, OPENAI_RESPONSES);
    misfit.or_else(|| own.find_map(|proof| proof::fault_of_named(proof, message, reads)))
}

/// Whether this adapter reads proofs of a kind.
fn reads(kind: &ProofKind) -> bool {
    match kind {
        ProofKind::Encrypted | ProofKind::ItemId | ProofKind::Native => true,
        ProofKind::Signature | ProofKind::Redacted | ProofKind::Other(_) => false,
    }
}

/// Whether every item of a reply has an id, and every thought is one. Of a model that reasons, one
/// stands first: without it the server misses what the record may have lost.
fn is_whole(named: &Items<'_>, to: &Responses, grown: &Grown, row: &Row) -> bool {
    let thinks = matches!(named.items.first(), Some((_, Item::Thought(_))));
    if !thinks && to.model.reasons != Takes::No {
        return false;
    }
    let mut before: Option<&str> = None;
    let mut seen = BTreeSet::new();
    let all = named.items.iter().all(|(_, item)| {
        let Some(id) = item.id().filter(|id| is_free(grown, id, row)) else { return false };
        // The parts of one message stand side by side.
        let goes_on = before == Some(id) && matches!(item, Item::Said(..));
        before = Some(id);
        goes_on || seen.insert(id)
    });
    all && named.left.is_empty()
}

/// Whether no item of another reply has this id.
fn is_free(grown: &Grown, id: &str, row: &Row) -> bool {
    grown.used_ids.get(item_key(id)).is_none_or(|owner| *owner == row.index)
}

/// The key of an item's id: no call has an id that begins so.
fn item_key(id: &str) -> u64 {
    key(&format!("\0{id}"))
}

/// Takes an item's id for this reply, if no other one has it.
pub(super) fn claim(grown: &mut Grown, id: Option<String>, row: &Row) -> Option<String> {
    let id = id.filter(|id| is_free(grown, id, row))?;
    grown.used_ids.insert(item_key(&id), row.index);
    Some(id)
}

impl<'m> Reply<'m> {
    fn sorted(self, grown: &Grown, message: &'m Message) -> Items<'m> {
        let split = first_result(message);
        let (mut items, mut left) = (Vec::new(), Vec::new());
        let mut taken = BTreeSet::new();
        // Whether it thought, and whether a thought stays behind.
        let (mut thinks, mut lost) = (false, false);
        for (block, index) in message.blocks.iter().zip(0u32..) {
            let stands = index < split && !is_retracted(self.view, self.row, index);
            let item = match block {
                Block::Text(text) if stands && !is_blank(&text.text) => {
                    Item::Said(text, self.named(text.proof.as_deref(), "msg"))
                }
                Block::ToolUse(call) if !is_retracted(self.view, self.row, index) => {
                    let prefix = if is_custom(call) { "ctc" } else { "fc" };
                    Item::Call(call, self.named(call.proof.as_deref(), prefix))
                }
                Block::Reasoning(thought) => {
                    thinks = true;
                    let read = readable(self.view, self.to, thought, self.is_named);
                    let usable = index < split && !self.is_degraded;
                    let why = match read.filter(|_| usable) {
                        _ if is_retracted(self.view, self.row, index) => None,
                        None => Some(Left::Withheld),
                        Some(_) if !has_prefix(self.view, self.row, message) => Some(Left::Out),
                        Some(mut thought) => {
                            // Two items of one id are refused.
                            thought.id = thought.id.filter(|id| taken.insert(id.clone()));
                            items.push((index, Item::Thought(thought)));
                            continue;
                        }
                    };
                    lost = true;
                    left.extend(why.map(|why| (index, why)));
                    continue;
                }
                Block::Opaque(opaque) if stands && !self.is_degraded => {
                    // The server knows it as one that was thought of.
                    let reasons = thinks || self.to.model.reasons != Takes::No;
                    let known = lost || reasons && self.to.store && !self.is_named;
                    let Some(native) = native::item(self.view, opaque) else { continue };
                    let free = native
                        .id
                        .as_ref()
                        .is_none_or(|id| is_free(grown, id, self.row) && taken.insert(id.clone()));
                    if known || !free {
                        continue;
                    }
                    Item::Native(native)
                }
                Block::Text(_)
                | Block::ToolUse(_)
                | Block::Opaque(_)
                | Block::ToolResult(_)
                | Block::Image(_)
                | Block::SystemChange(_) => continue,
            };
            items.push((index, item));
        }
        without_trailing(&mut items, &mut left);
        Items { items, left }
    }

    /// The id of an item, where it goes by one.
    fn named(self, proof: Option<&Proof>, prefix: &str) -> Option<String> {
        if self.is_named { proof_id(self.view, proof, prefix) } else { None }
    }
}

/// Behind a thought, other thoughts apart, stands an item of its reply.
fn without_trailing(items: &mut Vec<(u32, Item<'_>)>, left: &mut Vec<(u32, Left)>) {
    let mut is_followed = false;
    let mut kept = Vec::with_capacity(items.len());
    for (index, item) in items.drain(..).rev() {
        match &item {
            Item::Thought(_) if !is_followed => {
                left.push((index, Left::Trailing));
                continue;
            }
            Item::Thought(_) => {}
            Item::Native(native) => is_followed = native.is_of_reply,
            Item::Said(..) | Item::Call(..) => is_followed = true,
        }
        kept.push((index, item));
    }
    kept.reverse();
    *items = kept;
}

/// Whether a call is a custom tool's, which takes free text.
pub(super) fn is_custom(call: &ToolUse) -> bool {
    text_in(&call.rest, ITEM).is_some_and(|item| item.as_str() == CUSTOM)
}

/// The opaque blocks of a reply that stand in it as they are.
pub(in crate::project) fn responses_natives(
    view: View<'_>,
    to: &Responses,
    grown: &Grown,
    row: &Row,
    message: &Message,
) -> BTreeSet<u32> {
    if !message.blocks.iter().any(|block| matches!(block, Block::Opaque(_))) {
        return BTreeSet::new();
    }
    let items = items(view, to, grown, row, message).items;
    let is_native =
        |(index, item): (u32, Item<'_>)| matches!(item, Item::Native(..)).then_some(index);
    items.into_iter().filter_map(is_native).collect()
}
