//! Thoughts: sealed, back to who sealed them and byte for byte, or not at all.
//!
//! A thought crosses to the model that thought it, of the same platform and account.
//! Where the server keeps items it may be named by its id alone.

use json::{Array, Kind, Object, Raw};
use record::{Message, ProofKind, Reasoning};
use wire::takes::Takes;

use super::{Responses, is_clean, is_own_model, item_id, proof_id, text_in};
use crate::fold::View;
use crate::project::prefix::is_proven;
use crate::read::Row;

/// The prefix of a thought's id.
const PREFIX: &str = "rs";

/// A thought the target reads.
pub(super) struct Readable<'m> {
    /// The literal of what is sealed.
    pub(super) sealed: Option<&'m str>,
    pub(super) id: Option<String>,
    pub(super) summary: Raw,
}

/// A thought as the target reads it, if it does; one that is not sealed goes by its id, where its
/// reply's items do (`is_named`).
pub(super) fn readable<'m>(
    view: View<'_>,
    to: &Responses,
    thought: &'m Reasoning,
    is_named: bool,
) -> Option<Readable<'m>> {
    if to.model.reasons == Takes::No {
        return None;
    }
    let proof = thought.proof.as_deref().filter(|proof| is_own_model(view, proof))?;
    let summary = summary(thought)?;
    match &proof.kind {
        ProofKind::Encrypted => {
            let literal = proof.sealed.as_str();
            let is_string = literal.starts_with('"') && literal != "\"\"";
            // Beside items without ids, an id would be looked up.
            let named = text_in(&thought.rest, "id").filter(|_| is_named || !to.store);
            let id = named.and_then(|id| item_id(&id, PREFIX));
            (is_string && is_clean(&proof.sealed)).then_some(Readable {
                sealed: Some(literal),
                id,
                summary,
            })
        }
        ProofKind::ItemId if is_named => {
            let id = proof_id(view, Some(proof), PREFIX)?;
            Some(Readable { sealed: None, id: Some(id), summary })
        }
        ProofKind::ItemId
        | ProofKind::Signature
        | ProofKind::Redacted
        | ProofKind::Native
        | ProofKind::Other(_) => None,
    }
}

/// The summary as it came, or the thought's text where the record has only that. None for a
/// thought in plain text, which this API gives nobody and takes from nobody.
fn summary(thought: &Reasoning) -> Option<Raw> {
    let plain = thought.rest.get("content").map(Raw::doc);
    if plain.is_some_and(|content| content.root().items().next().is_some()) {
        return None;
    }
    if thought.reasoning.has_lone_surrogate() || thought.reasoning.contains('\0') {
        return None;
    }
    if let Some(recorded) = thought.rest.get("summary") {
        let doc = recorded.doc();
        let is_summary = doc.root().kind() == Kind::Array
            && doc.root().items().all(|part| {
                part.get("type").is_some_and(|kind| kind.is_str("summary_text"))
                    && part.get("text").is_some_and(|text| text.kind() == Kind::String)
                    && part.members().count() == 2
            });
        return (is_summary && is_clean(recorded)).then(|| Raw::compact(doc.root()));
    }
    let mut parts = Array::new();
    if !thought.reasoning.is_empty() {
        let mut part = Object::new();
        part.string("type", "summary_text").text("text", &thought.reasoning);
        parts.raw(&part.finish());
    }
    Some(parts.finish())
}

/// Whether the row's thoughts stand under the prefix that they were thought under, as far as the
/// target asks.
pub(super) fn has_prefix(view: View<'_>, row: &Row, message: &Message) -> bool {
    !view.edits.is_thinking_out(row.index)
        && (!view.target.binds_thinking() || is_proven(view, row, message))
}
