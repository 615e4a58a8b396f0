//! Thoughts: what follows them, what is sealed in them, and who takes them back.

use super::items::Item;
use super::{Body, Verdict};
use crate::report::Fill;
use crate::takes::Takes;

///
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    for (at, item) in body.items.iter().enumerate() {
        if item.is_reasoning() {
            let after = body.items.get(at + 1..).unwrap_or_default();
            followed(body, item, after, verdict);
            takes_back(body, item, verdict);
        } else {
            let before = body.items.get(..at).unwrap_or_default();
            thought_of(body, item, before, verdict);
        }
        stored(body, item, verdict);
    }
}

/// by an item of the reply; where items are stored, by one that is named as it is.
fn followed(
    body: &Body<'_, '_>,
    item: &Item<'_, '_>,
    after: &[Item<'_, '_>],
    verdict: &mut Verdict,
) {
    let next = after.iter().find(|next| !next.is_reasoning());
    let follows = next.is_some_and(Item::is_of_reply);
    let named = next.is_some_and(|next| next.get("id").is_some());
    let lost = body.stores && item.get("id").is_some() && !named && !body.goes_on;
    if follows && !lost {
        return;
    }
    let id = item.text("id").unwrap_or_default();
    let takes = if follows { body.platform.other_ids } else { Takes::No };
    verdict.unless(takes, "R-020", item.path(""), item.value.offset(), &[("id", &id)]);
}

/// a body does not show which items were thought of, only that a model that reasons made
/// them and the server keeps them.
fn thought_of(
    body: &Body<'_, '_>,
    item: &Item<'_, '_>,
    before: &[Item<'_, '_>],
    verdict: &mut Verdict,
) {
    let named = item.text("id").filter(|_| item.is_of_reply() && item.kind != "item_reference");
    let Some(id) = named.filter(|_| body.model.reasons == Takes::Yes && body.stores) else {
        return;
    };
    let reply = before.iter().rev().take_while(|before| before.is_of_reply());
    if !reply.into_iter().any(Item::is_reasoning) && !body.goes_on {
        let fill: Fill<'_> = &[("id", &id), ("kind", &item.kind)];
        verdict.add("R-021", item.path(".id"), item.value.offset(), fill);
    }
}

///
fn stored(body: &Body<'_, '_>, item: &Item<'_, '_>, verdict: &mut Verdict) {
    let alone = match &*item.kind {
        "item_reference" => true,
        "reasoning" => item.get("encrypted_content").is_none(),
        _ => false,
    };
    if alone && !body.stores {
        let id = item.text("id").unwrap_or_default();
        let takes = if item.is_reasoning() { body.platform.reasoning_text } else { Takes::No };
        verdict.unless(takes, "R-025", item.path(".id"), item.value.offset(), &[("id", &id)]);
    }
}

///
fn takes_back(body: &Body<'_, '_>, item: &Item<'_, '_>, verdict: &mut Verdict) {
    if body.model.reasons == Takes::No {
        verdict.add("R-029", item.path(""), item.value.offset(), &[]);
    }
}
