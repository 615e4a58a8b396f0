//! Which role may follow which, and what a conversation begins and ends with.

use super::Body;
use super::conversation::{Message, Role};
use super::verdict::Verdict;
use crate::openai_chat::models::Instructions;
use crate::openai_chat::vendors::{Takes, Vendor};
use crate::report::Fill;

/// C-019, K-001 to K-003, K-040 to K-043, L-1, L-2 and M-8.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let mut before: Option<&Message<'_, '_>> = None;
    // The last role that is no instruction: what a system message in the middle stands after.
    let mut spoken = None;
    for message in &body.messages {
        instructions(body, message, before, spoken, verdict);
        if let Some(before) = before {
            neighbours(&body.vendor, message, before, verdict);
        }
        if !message.role.instructs() {
            spoken = Some(message.role);
        }
        before = Some(message);
    }
    mixed(body, verdict);
    user(body, verdict);
    marked(body, verdict);
    last(body, verdict);
}

fn instructions(
    body: &Body<'_, '_>,
    message: &Message<'_, '_>,
    before: Option<&Message<'_, '_>>,
    spoken: Option<Role>,
    verdict: &mut Verdict,
) {
    if !message.role.instructs() {
        return;
    }
    let vendor = &body.vendor;
    let at = message.value.offset();
    let role = message.role.as_str();
    let path = || message.path(".role");
    if message.role == Role::Developer {
        verdict.unless(vendor.developer, "K-001", path(), at, &[]);
    }
    if body.model.instructions == Instructions::Neither {
        verdict.refuse("C-019", path(), at, &[("role", &role)]);
    }
    match spoken {
        None if before.is_some() => {
            verdict.unless(vendor.systems_in_a_row, "K-003", path(), at, &[]);
        }
        None => {}
        Some(spoken) => {
            let after_user = spoken == Role::User;
            let takes =
                if after_user { vendor.system_after_user } else { vendor.system_after_reply };
            verdict.unless(takes, "K-002", path(), at, &[("before", &spoken.as_str())]);
        }
    }
}

fn neighbours(
    vendor: &Vendor,
    message: &Message<'_, '_>,
    before: &Message<'_, '_>,
    verdict: &mut Verdict,
) {
    let (takes, rule) = match (before.role, message.role) {
        (Role::User, Role::User) => (vendor.users_in_a_row, "K-041"),
        (Role::Assistant, Role::Assistant) => (vendor.assistants_in_a_row, "K-041"),
        (Role::Tool, Role::User) => (vendor.user_after_tool, "K-042"),
        _ => return,
    };
    let (role, before) = (message.role.as_str(), before.role.as_str());
    let fill: Fill<'_> = &[("role", &role), ("before", &before)];
    verdict.unless(takes, rule, message.path(".role"), message.value.offset(), fill);
}

/// C-019: both roles of instructions in one request.
fn mixed(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let first = body.messages.iter().find(|message| message.role.instructs());
    let other = body.messages.iter().find(|message| {
        message.role.instructs() && first.is_some_and(|first| first.role != message.role)
    });
    if let Some(other) = other {
        let role = other.role.as_str();
        let path = other.path(".role");
        verdict.unless(Takes::Doubtful, "C-019", path, other.value.offset(), &[("role", &role)]);
    }
}

/// K-040.
fn user(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let some = body.messages.iter().any(|message| message.role == Role::User);
    if let (false, Some(first)) = (some, body.messages.first()) {
        let at = first.value.offset();
        verdict.unless(body.vendor.no_user, "K-040", "messages".to_owned(), at, &[]);
    }
}

/// M-8.
fn marked(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let Some(key) = body.vendor.prefill_key else { return };
    let Some((_, earlier)) = body.messages.split_last() else { return };
    for message in earlier.iter().filter(|message| message.has_flag(Some(key))) {
        let path = message.path(&format!(".{key}"));
        verdict.refuse("M-8", path, message.value.offset(), &[("key", &key)]);
    }
}

/// K-043, L-1 and L-2.
fn last(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let Some((last, earlier)) = body.messages.split_last() else { return };
    if last.role != Role::Assistant || last.has_calls() {
        return;
    }
    let vendor = &body.vendor;
    let at = last.value.offset();
    let path = || last.path(".role");
    if !last.has_flag(vendor.prefill_key) {
        verdict.unless(vendor.last_assistant, "K-043", path(), at, &[]);
    }
    if !vendor.prefill_unmarked {
        return;
    }
    if earlier.last().is_some_and(|before| before.role == Role::Assistant) {
        verdict.refuse("L-1", path(), at, &[]);
    }
    let template = body.param("chat_template_kwargs");
    let thinks = template.and_then(|template| template.get("enable_thinking"));
    if thinks.and_then(json::Value::as_bool) == Some(true) {
        verdict.refuse("L-2", path(), at, &[]);
    }
}
