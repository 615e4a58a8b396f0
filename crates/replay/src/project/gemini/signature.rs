//! Signatures: back on the very part they came with, byte for byte, to who issued them, or not at
//! all (G-022 to G-025).

#![deny(clippy::wildcard_enum_match_arm)]

use record::{Message, Proof, ProofKind};
use wire::gemini::models::bare;

use crate::fold::View;
use crate::project::proof;
use crate::read::Row;
use crate::target::GEMINI;

/// The documented stand-in for the signature of a call that has none, as a literal (G-025).
pub(super) const STAND_IN: &str = "\"skip_thought_signature_validator\"";

/// What was sent as a stand-in is no signature.
const STAND_INS: [&str; 2] = [STAND_IN, "\"context_engineering_is_the_way_to_go\""];

/// What holds for all signatures of one row.
#[derive(Clone, Copy, Debug)]
pub(in crate::project) struct RowSignatures {
    /// Why the row is carried from its blocks alone, if it is.
    pub(super) degraded: Option<&'static str>,
    /// They are left out, as an earlier request decided.
    pub(super) out: bool,
}

impl RowSignatures {
    pub(in crate::project) fn new(view: View<'_>, row: &Row, message: &Message) -> RowSignatures {
        let mut own = message
            .blocks
            .iter()
            .filter_map(proof::of_block)
            .filter(|proof| proof.issuer.api.as_str() == GEMINI);
        let misfit = proof::misfit(message, GEMINI);
        let degraded = misfit.or_else(|| own.find_map(|proof| proof::fault(proof, message, reads)));
        RowSignatures { degraded, out: view.edits.is_thinking_out(row.index) }
    }

    /// The literal of a signature that goes back.
    pub(in crate::project) fn literal<'p>(
        &self,
        view: View<'_>,
        proof: Option<&'p Proof>,
    ) -> Option<&'p str> {
        let proof = proof.filter(|_| self.degraded.is_none() && !self.out)?;
        let literal = proof.sealed.as_str();
        let is_its = proof.kind == ProofKind::Signature && is_own(view, proof);
        (is_its && goes_back(literal)).then_some(literal)
    }
}

/// Whether the target is who issued a proof. One of a model that nobody named is nobody's: the API
/// may refuse it (G-024).
pub(super) fn is_own(view: View<'_>, proof: &Proof) -> bool {
    let (issuer, to) = (&proof.issuer, &view.target.to);
    let accounts = issuer.account.as_ref().zip(to.account.as_ref());
    issuer.api.as_str() == GEMINI
        && issuer.platform == to.platform
        && !issuer.model.is_empty()
        && bare(&issuer.model) == bare(&to.model)
        && accounts.is_none_or(|(issuer, own)| issuer == own)
}

/// Whether a block came with a signature of this API that is not a stand-in.
pub(super) fn is_signed(proof: Option<&Proof>) -> bool {
    proof.is_some_and(|proof| {
        let is_own = proof.issuer.api.as_str() == GEMINI && proof.kind == ProofKind::Signature;
        is_own && !is_stand_in(proof)
    })
}

/// Whether what stands for a signature is a stand-in for one.
pub(in crate::project) fn is_stand_in(proof: &Proof) -> bool {
    STAND_INS.contains(&proof.sealed.as_str())
}

/// Whether this adapter reads proofs of a kind.
fn reads(kind: &ProofKind) -> bool {
    match kind {
        ProofKind::Signature | ProofKind::Native => true,
        ProofKind::Redacted | ProofKind::Encrypted | ProofKind::ItemId | ProofKind::Other(_) => {
            false
        }
    }
}

/// Whether a literal is a signature that the API takes, and no stand-in for one.
pub(super) fn goes_back(literal: &str) -> bool {
    is_base64(literal) && !STAND_INS.contains(&literal)
}

/// Whether a literal holds nothing but base64, of either alphabet (G-024).
fn is_base64(literal: &str) -> bool {
    let inside = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inside.is_some_and(|inside| {
        let bare = inside.trim_end_matches('=');
        let sign = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
        !bare.is_empty() && bare.bytes().all(sign)
    })
}
