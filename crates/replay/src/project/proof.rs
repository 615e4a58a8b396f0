//! Proofs as an adapter finds them: whether they are whole, and this row's.

#![deny(clippy::wildcard_enum_match_arm)]

use record::{Message, Proof, ProofKind, Source};

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

/// Why a proof of a row cannot be used by the adapter of its API: it is malformed, or not this
/// row's; `reads` tells the kinds that adapter reads.
pub(super) fn fault(
    proof: &Proof,
    message: &Message,
    reads: fn(&ProofKind) -> bool,
) -> Option<&'static str> {
    let issuer = &proof.issuer;
    match &message.source {
        Some(Source::Model { platform, api, model, .. })
            if *platform != issuer.platform || *api != issuer.api || *model != issuer.model =>
        {
            return Some("the proof's issuer is not the row's source");
        }
        Some(
            Source::Model { .. }
            | Source::User
            | Source::Tool { .. }
            | Source::Runtime { .. }
            | Source::Other(_),
        )
        | None => {}
    }
    if !reads(&proof.kind) {
        Some("the proof is not of a kind this adapter reads")
    } else if issuer.platform.is_empty() {
        Some("the proof does not name its issuer")
    } else if proof.version != PROOF_VERSION {
        Some("the proof has a version this build does not read")
    } else if !proof.sealed.as_str().trim_start().starts_with('"') {
        Some("the sealed content is not a string")
    } else {
        None
    }
}
