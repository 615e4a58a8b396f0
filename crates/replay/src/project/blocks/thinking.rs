//! Thoughts: which may cross, and how they are written.
//!
//! A thought crosses with a proof this target reads, whole and byte for byte, or not at all
//! . Never as text.

#![deny(clippy::wildcard_enum_match_arm)]

use record::{Block, Message, Proof, ProofKind, Reasoning};
use wire::takes::Takes;

use crate::fold::{Grown, View};
use crate::project::prefix::is_proven;
use crate::project::{Conversation, proof};
use crate::read::Row;

/// What holds for all thoughts of one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowThinking {
    degraded: Option<&'static str>,
    out: bool,
    unproven: bool,
}

impl RowThinking {
    pub(super) fn new(view: View<'_>, row: &Row) -> RowThinking {
        let Some(message) = row.entry.message() else {
            return RowThinking { degraded: None, out: false, unproven: false };
        };
        let thinks = message.blocks.iter().any(|block| matches!(block, Block::Reasoning(_)));
        RowThinking {
            degraded: if thinks { degraded(view, message) } else { None },
            out: view.edits.is_thinking_out(row.index),
            unproven: thinks && view.target.binds_thinking() && !is_proven(view, row, message),
        }
    }

    /// Whether a thought of this row can be read by the target, whatever stands before it.
    pub(super) fn is_readable(&self, view: View<'_>, thought: &Reasoning) -> bool {
        self.degraded.is_none() && is_readable(view, thought)
    }

    /// Whether the row's thoughts stand under the prefix that they were thought under, as far as
    /// the target asks.
    pub(super) fn has_prefix(&self) -> bool {
        !self.out && !self.unproven
    }

    /// Why the row is carried from its blocks alone, if it is.
    pub(super) fn degraded(&self) -> Option<&'static str> {
        self.degraded
    }
}

/// Whether the target's model reads a thought's proof.
fn is_readable(view: View<'_>, thought: &Reasoning) -> bool {
    let Some(proof) = &thought.proof else { return false };
    let issuer = &proof.issuer;
    let to = &view.target.to;
    if view.dialect.converse().is_some_and(|to| to.model.reasoning != Takes::Yes) {
        return false;
    }
    let accounts = issuer.account.as_ref().zip(to.account.as_ref());
    issuer.api == to.dialect
        && issuer.platform == to.platform
        && accounts.is_none_or(|(issuer, own)| issuer == own)
        && view.target.reads(&issuer.model)
        && literal(proof).is_some()
}

/// The sealed string literal, where it can go on a wire.
fn literal(proof: &Proof) -> Option<&str> {
    let literal = proof.sealed.as_str();
    let whole = literal.starts_with('"') && literal != "\"\"" && !proof.sealed.has_lone_surrogate();
    (reads(&proof.kind) && whole).then_some(literal)
}

/// Why no proof of a row can be used: one of them is malformed, or not this row's.
fn degraded(view: View<'_>, message: &Message) -> Option<&'static str> {
    let proofs = message.blocks.iter().filter_map(|block| match block {
        Block::Reasoning(thought) => thought.proof.as_deref(),
        Block::Text(_)
        | Block::ToolUse(_)
        | Block::ToolResult(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => None,
    });
    let api = view.target.to.dialect.as_str();
    let mut own = proofs.filter(|proof| proof.issuer.api.as_str() == api);
    let misfit = proof::misfit(message, api);
    misfit.or_else(|| own.find_map(|proof| proof::fault(proof, message, reads)))
}

/// Whether this adapter reads proofs of a kind.
fn reads(kind: &ProofKind) -> bool {
    match kind {
        ProofKind::Signature | ProofKind::Redacted => true,
        ProofKind::Encrypted | ProofKind::ItemId | ProofKind::Native | ProofKind::Other(_) => false,
    }
}

impl Conversation {
    /// Writes a thought that crosses.
    pub(super) fn thought(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        index: u32,
        thought: &Reasoning,
    ) {
        if self.blocks == 1 && self.messages == self.turn_message {
            self.starts_with_thinking = true;
        }
        self.last_thought = self.last_thought.max(Some(row.index));
        if grown.thoughts.last() != Some(&row.index) {
            grown.thoughts.push(row.index);
        }
        let Some(proof) = &thought.proof else { return };
        let text = match proof.kind {
            ProofKind::Redacted => "",
            ProofKind::Signature
            | ProofKind::Encrypted
            | ProofKind::ItemId
            | ProofKind::Native
            | ProofKind::Other(_) => self.told_text(view, &thought.reasoning, &row.entry, index),
        };
        self.write_thought(view, &proof.kind, text, proof.sealed.as_str());
    }
}
