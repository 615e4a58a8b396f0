//! Proofs as an adapter finds them: whether they are whole, and this row's.

#![deny(clippy::wildcard_enum_match_arm)]

use record::{Block, Message, Proof, ProofKind, Source};

/// The version of sealed content this build reads.
const PROOF_VERSION: u32 = 1;

/// The member of a row beside which an envelope of proofs stands that did not fit its blocks.
const ENVELOPE: &str = "replay";

/// Why no proof of a row can be used, where the door set its envelope aside: silent where the row
/// is not of this API.
pub(super) fn misfit(message: &Message, api: &str) -> Option<&'static str> {
    let is_own = match &message.source {
        Some(Source::Model { api: of, .. }) => of.as_str() == api,
        Some(Source::User | Source::Tool { .. } | Source::Runtime { .. } | Source::Other(_))
        | None => false,
    };
    let is_aside = is_own && message.rest.get(ENVELOPE).is_some();
    is_aside.then_some("the row's proofs stood beside its blocks and did not fit them")
}

/// What a block was signed, sealed or named with.
pub(super) fn of_block(block: &Block) -> Option<&Proof> {
    match block {
        Block::Text(text) => text.proof.as_deref(),
        Block::ToolUse(call) => call.proof.as_deref(),
        Block::Reasoning(thought) => thought.proof.as_deref(),
        Block::Opaque(opaque) => opaque.proof.as_deref(),
        Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => None,
    }
}

/// Why a proof of a row cannot be used by the adapter of its API: it is malformed, or not this
/// row's; `reads` tells the kinds that adapter reads.
pub(super) fn fault(
    proof: &Proof,
    message: &Message,
    reads: fn(&ProofKind) -> bool,
) -> Option<&'static str> {
    if !is_of(proof, message) {
        Some("the proof's issuer is not the row's source")
    } else if !reads(&proof.kind) {
        Some("the proof is not of a kind this adapter reads")
    } else if proof.issuer.platform.is_empty() {
        Some("the proof does not name its issuer")
    } else {
        fault_of_form(proof)
    }
}

/// The same where many issuers are not known by name: one that names none is nobody's, and nothing
/// is wrong with it.
pub(super) fn fault_of_named(
    proof: &Proof,
    message: &Message,
    reads: fn(&ProofKind) -> bool,
) -> Option<&'static str> {
    fault(proof, message, reads).filter(|_| !proof.issuer.platform.is_empty())
}

/// The same where what is sealed may be any JSON.
pub(super) fn fault_of_any_form(proof: &Proof, message: &Message) -> Option<&'static str> {
    if !is_of(proof, message) {
        Some("the proof's issuer is not the row's source")
    } else {
        fault_of_version(proof)
    }
}

fn fault_of_form(proof: &Proof) -> Option<&'static str> {
    let is_string = proof.sealed.as_str().trim_start().starts_with('"');
    let otherwise = (!is_string).then_some("the sealed content is not a string");
    fault_of_version(proof).or(otherwise)
}

fn fault_of_version(proof: &Proof) -> Option<&'static str> {
    let other = proof.version != PROOF_VERSION;
    other.then_some("the proof has a version this build does not read")
}

/// Whether a proof was issued by who its row says it is of.
fn is_of(proof: &Proof, message: &Message) -> bool {
    let issuer = &proof.issuer;
    match &message.source {
        Some(Source::Model { platform, api, model, .. }) => {
            *platform == issuer.platform && *api == issuer.api && *model == issuer.model
        }
        Some(Source::User | Source::Tool { .. } | Source::Runtime { .. } | Source::Other(_))
        | None => true,
    }
}
