//! Thoughts: back to who issued them, in the vendor's own field and byte for byte, or not at all.
//!
//! A thought is readable where its reply came from this vendor and model over this API, and the
//! vendor has a place for it (K-020 to K-022). Where reasoning is due beside calls and there is
//! none, an empty one stands there, which is no words of anybody; where even that is doubtful, the
//! request asks for no thinking, and where it cannot, the round is told as a record.

use json::Text;
use record::{Block, Issuer, Message, ProofKind, Reasoning, Source};
use wire::literal::has_nul_escape;
use wire::openai_chat::request;
use wire::openai_chat::vendors::ReasoningKey;
use wire::pages::Pages;
use wire::takes::Takes;

use super::{Chat, parameters};
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::conversation::is_retracted;
use crate::project::proof;
use crate::project::speech::first_result;
use crate::read::Row;
use crate::report::ChangeKind;

/// The kind of a proof that is a vendor's typed reasoning, as an import names it.
const DETAILS: &str = "reasoning_details";

/// The member of a thought that names the key it came under, as an import names it.
const KEY: &str = "key";

/// What crosses of a reply's thoughts, each with its block.
pub(super) enum Crossing<'m> {
    Nothing,
    /// Under the vendor's key, as a string.
    Text(Vec<(u32, &'m Reasoning)>),
    /// Under `reasoning`, at a vendor that has typed reasoning as well.
    Plain(Vec<(u32, &'m Reasoning)>),
    /// Typed reasoning: a JSON array.
    Details(u32, &'m str),
    /// Parts at the head of the content.
    Parts(Vec<(u32, &'m Reasoning)>),
}

impl Conversation {
    /// Sorts a reply's thoughts; those that stay behind are reported here.
    pub(super) fn chat_crossing<'m>(
        &mut self,
        view: View<'_>,
        chat: &Chat,
        row: &Row,
        message: &'m Message,
        split: u32,
    ) -> Crossing<'m> {
        let degraded = degraded(view, message);
        if let Some(reason) = degraded {
            let detail = Some(reason.into());
            self.change_with(ChangeKind::InvalidReplayState, Some(&row.entry), None, detail);
        }
        let mut thoughts = Vec::new();
        for (block, index) in message.blocks.iter().zip(0u32..) {
            let Block::Reasoning(thought) = block else { continue };
            if is_retracted(view, row, index) {
                continue;
            }
            let usable = index < split && degraded.is_none();
            if !usable || !is_readable(view, chat, message, thought) {
                self.change(ChangeKind::ThinkingWithheld, Some(&row.entry), Some(index));
            } else if view.edits.is_thinking_out(row.index) {
                self.thoughts_out.push(row.index);
                self.change(ChangeKind::ThinkingOut, Some(&row.entry), Some(index));
            } else {
                thoughts.push((index, thought));
            }
        }
        let Some(key) = chat.vendor.reasoning_key else { return Crossing::Nothing };
        match (key, thoughts.as_slice()) {
            (_, []) => Crossing::Nothing,
            (
                ReasoningKey::ReasoningContent | ReasoningKey::Reasoning | ReasoningKey::Thinking,
                _,
            ) => Crossing::Text(thoughts),
            (ReasoningKey::ThinkingPart, _) => Crossing::Parts(thoughts),
            (ReasoningKey::ReasoningDetails, _) => {
                let sealed =
                    |(index, thought): &(u32, &'m Reasoning)| Some((*index, details_of(thought)?));
                let Some((sealed, details)) = thoughts.iter().find_map(sealed) else {
                    return Crossing::Plain(thoughts);
                };
                for (index, _) in thoughts.iter().filter(|(index, _)| *index != sealed) {
                    self.change(ChangeKind::ThinkingWithheld, Some(&row.entry), Some(*index));
                }
                Crossing::Details(sealed, details)
            }
        }
    }

    /// Writes what crosses besides parts of the content, or what stands for it beside calls.
    pub(super) fn chat_reasoning(
        &mut self,
        chat: &Chat,
        grown: &mut Grown,
        row: &Row,
        crossing: &Crossing<'_>,
        calls: bool,
    ) {
        let Some(key) = chat.vendor.reasoning_key else { return };
        match crossing {
            Crossing::Nothing => {
                if calls {
                    self.chat_no_reasoning(chat, row);
                }
                return;
            }
            Crossing::Text(thoughts) => self.chat_thoughts(key, thoughts),
            Crossing::Plain(thoughts) => self.chat_thoughts(ReasoningKey::Reasoning, thoughts),
            Crossing::Details(_, details) => request::reasoning_details(&mut self.pages, details),
            Crossing::Parts(_) => {}
        }
        if grown.thoughts.last() != Some(&row.index) {
            grown.thoughts.push(row.index);
        }
    }

    fn chat_thoughts(&mut self, key: ReasoningKey, thoughts: &[(u32, &Reasoning)]) {
        let mut pieces: Vec<&str> = Vec::new();
        for (_, thought) in thoughts {
            if !pieces.is_empty() {
                pieces.push("\n");
            }
            pieces.push(&thought.reasoning);
        }
        request::reasoning(&mut self.pages, key, &pieces);
    }

    /// Calls stand without the reasoning that is due beside them (K-020).
    fn chat_no_reasoning(&mut self, chat: &Chat, row: &Row) {
        match stand_in(chat) {
            StandIn::Nothing => {}
            StandIn::Empty(ReasoningKey::ReasoningDetails) => {
                request::reasoning_details(&mut self.pages, "[]");
                self.change(ChangeKind::ReasoningEmpty, Some(&row.entry), None);
            }
            StandIn::Empty(key) => {
                request::reasoning(&mut self.pages, key, &[]);
                self.change(ChangeKind::ReasoningEmpty, Some(&row.entry), None);
            }
            StandIn::ThinkingOff | StandIn::Record => self.chat.lacks_reasoning = true,
        }
    }

    /// Names the readable thoughts of a reply that says nothing else.
    pub(super) fn chat_thoughts_left(&mut self, row: &Row, crossing: &Crossing<'_>) {
        let left: Vec<u32> = match crossing {
            Crossing::Nothing => Vec::new(),
            Crossing::Text(thoughts) | Crossing::Plain(thoughts) | Crossing::Parts(thoughts) => {
                thoughts.iter().map(|(index, _)| *index).collect()
            }
            Crossing::Details(index, _) => vec![*index],
        };
        for index in left {
            self.change(ChangeKind::ThinkingTrailing, Some(&row.entry), Some(index));
        }
    }
}

/// What stands for reasoning that is due beside calls and not there (K-020).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StandIn {
    /// None is due.
    Nothing,
    /// An empty one, under this key.
    Empty(ReasoningKey),
    /// The request asks for no thinking.
    ThinkingOff,
    /// Nothing can: the round is told as a record.
    Record,
}

fn stand_in(chat: &Chat) -> StandIn {
    let Some(key) = chat.vendor.reasoning_key else { return StandIn::Nothing };
    if chat.vendor.calls_without_reasoning == Takes::Yes {
        return StandIn::Nothing;
    }
    // An empty part of the content is refused anywhere (C-015).
    let parts = key == ReasoningKey::ThinkingPart;
    let empty = if parts { Takes::No } else { chat.vendor.reasoning_empty };
    match empty {
        Takes::Yes => StandIn::Empty(key),
        Takes::Doubtful if chat.model.always_thinks => StandIn::Empty(key),
        Takes::Doubtful | Takes::No if parameters::thinking(chat, false).is_some() => {
            StandIn::ThinkingOff
        }
        Takes::Doubtful | Takes::No => StandIn::Record,
    }
}

/// Whether a round lacks the reasoning that is due, and nothing can stand for it.
pub(super) fn lacks_reasoning(view: View<'_>, chat: &Chat, reply: &Row) -> bool {
    if stand_in(chat) != StandIn::Record || view.edits.is_thinking_out(reply.index) {
        return stand_in(chat) == StandIn::Record;
    }
    let Some(message) = reply.entry.message() else { return false };
    if degraded(view, message).is_some() {
        return true;
    }
    let before_results = message.blocks.iter().zip(0u32..first_result(message));
    !before_results.into_iter().any(|(block, index)| match block {
        Block::Reasoning(thought) => {
            !is_retracted(view, reply, index) && is_readable(view, chat, message, thought)
        }
        Block::Text(_)
        | Block::ToolUse(_)
        | Block::ToolResult(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => false,
    })
}

/// Why a reply is carried without its thoughts, if it is: their proofs cannot be used.
fn degraded(view: View<'_>, message: &Message) -> Option<&'static str> {
    let api = view.target.to.dialect.as_str();
    let thoughts = message.blocks.iter().filter_map(Block::as_reasoning);
    let proofs = thoughts.filter_map(|thought| thought.proof.as_deref());
    let mut own = proofs.filter(|proof| proof.issuer.api.as_str() == api);
    let misfit = proof::misfit(message, api);
    misfit.or_else(|| own.find_map(|proof| proof::fault_of_any_form(proof, message)))
}

/// A thought as a part of the content.
pub(super) fn part(out: &mut Pages, thought: &Reasoning, first: bool) {
    let signature = thought.proof.as_ref().map(|proof| proof.sealed.as_str());
    request::thinking(out, &thought.reasoning, signature, first);
}

/// Whether the target reads a thought of this reply.
fn is_readable(view: View<'_>, chat: &Chat, message: &Message, thought: &Reasoning) -> bool {
    let Some(key) = chat.vendor.reasoning_key else { return false };
    let altered = thought.reasoning.has_lone_surrogate() || thought.reasoning.contains('\0');
    if altered || !is_from_target(view, message) {
        return false;
    }
    if let Some(proof) = &thought.proof {
        let Issuer { platform, api, model, account } = &*proof.issuer;
        if !is_own(view, platform, api, model, account.as_ref()) {
            return false;
        }
    }
    let sealed = thought.proof.as_ref().map(|proof| (&proof.kind, &proof.sealed));
    let came_under = thought.rest.get(KEY).and_then(|key| key.doc().root().to_text());
    let came_under = came_under.as_deref();
    let text = !thought.reasoning.is_empty();
    match key {
        // What is sealed goes back sealed, and these have no place for that.
        ReasoningKey::ReasoningContent | ReasoningKey::Reasoning | ReasoningKey::Thinking => {
            text && sealed.is_none() && came_under != Some("content")
        }
        ReasoningKey::ReasoningDetails => match sealed {
            Some((ProofKind::Other(kind), _)) => kind.as_str() == DETAILS,
            Some(_) => false,
            None => {
                details_of(thought).is_some()
                    || (text
                        && came_under == Some("reasoning")
                        && chat.vendor.unknown_keys == Takes::Yes)
            }
        },
        ReasoningKey::ThinkingPart => {
            let signed = sealed.is_none_or(|(kind, sealed)| {
                *kind == ProofKind::Signature && !sealed.has_lone_surrogate()
            });
            text && signed && came_under.is_none_or(|key| key == "content")
        }
    }
}

/// Whether a reply came from this vendor and model, over this API.
fn is_from_target(view: View<'_>, message: &Message) -> bool {
    match &message.source {
        Some(Source::Model { platform, api, model, account }) => {
            is_own(view, platform, api, model, account.as_ref())
        }
        Some(Source::User | Source::Tool { .. } | Source::Runtime { .. } | Source::Other(_))
        | None => false,
    }
}

fn is_own(
    view: View<'_>,
    platform: &Text,
    api: &Text,
    model: &Text,
    account: Option<&Text>,
) -> bool {
    let to = &view.target.to;
    *api == to.dialect
        && *platform == to.platform
        && *model == to.model
        && account.zip(to.account.as_ref()).is_none_or(|(issuer, own)| issuer == own)
}

/// A vendor's typed reasoning as it came, if it did.
fn details_of(thought: &Reasoning) -> Option<&str> {
    let sealed = match &thought.proof {
        Some(proof) => Some(&proof.sealed),
        None => thought.rest.get(DETAILS),
    };
    let array = |raw: &&json::Raw| {
        raw.as_str().starts_with('[') && !raw.has_lone_surrogate() && !has_nul_escape(raw.as_str())
    };
    sealed.filter(array).map(|raw| raw.as_str())
}
