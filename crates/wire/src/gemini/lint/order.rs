//! Which content may follow which, and what contents begin and end with.

use super::Body;
use super::contents::{Content, Role};
use super::verdict::Verdict;
use crate::takes::Takes;

/// G-007 to G-010.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    first(body, verdict);
    for pair in body.contents.windows(2) {
        if let [before, content] = pair {
            neighbours(body, before, content, verdict);
        }
    }
    last(body, verdict);
}

/// G-008. A text of the model was taken by some.
fn first(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let Some(first) = body.contents.first().filter(|first| first.role == Role::Model) else {
        return;
    };
    let takes = if first.has("functionCall") { Takes::No } else { Takes::Doubtful };
    verdict.unless(takes, "G-008", first.path(""), first.value.offset(), &[]);
}

/// G-009 and G-010.
fn neighbours(
    body: &Body<'_, '_>,
    before: &Content<'_, '_>,
    content: &Content<'_, '_>,
    verdict: &mut Verdict,
) {
    let at = content.value.offset();
    match (before.role, content.role) {
        (Role::Model, Role::Model) => {
            let takes = body.platform.models_in_a_row;
            verdict.unless(takes, "G-010", content.path(""), at, &[]);
        }
        // What functions responded stands alone, so what the user says has its own behind it.
        (Role::User, Role::User) if !is_response(before) && !is_response(content) => {
            verdict.refuse("G-009", content.path(""), at, &[]);
        }
        _ => {}
    }
}

fn is_response(content: &Content<'_, '_>) -> bool {
    content.has("functionResponse")
}

/// G-007.
fn last(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let Some(last) = body.contents.last().filter(|last| last.role == Role::Model) else {
        return;
    };
    // A call that nothing responds to is said under its own rule.
    if last.has("functionCall") {
        return;
    }
    let takes = match (body.model.last_model, body.model.calls_unsigned) {
        (Takes::No, _) => Takes::No,
        (Takes::Yes | Takes::Doubtful, Takes::No) => body.platform.last_model,
        (takes, Takes::Yes | Takes::Doubtful) => takes,
    };
    verdict.unless(takes, "G-007", last.path(""), last.value.offset(), &[]);
}
