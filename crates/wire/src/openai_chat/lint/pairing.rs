//! Calls and results.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::Body;
use super::conversation::{Message, Role};
use super::verdict::Verdict;

/// The calls that wait for their results.
#[derive(Default)]
struct Open<'m, 'd, 't> {
    /// The message with the calls, while only tool messages followed.
    message: Option<&'m Message<'d, 't>>,
    /// Its calls by id: whether each was answered.
    answered: HashMap<Cow<'t, str>, bool>,
    /// Their order, to name them in.
    ids: Vec<Cow<'t, str>>,
}

/// C-001 to C-004, C-006, C-029, C-032 and K-011.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let mut open = Open::default();
    let mut earlier = HashSet::new();
    let mut asked = false;
    for message in &body.messages {
        match message.role {
            Role::Tool => result(message, &mut open, verdict),
            Role::System
            | Role::Developer
            | Role::User
            | Role::Assistant
            | Role::Function
            | Role::Other => {
                close(&open, verdict);
                open = Open::default();
            }
        }
        if message.has_calls() {
            open = calls(body, message, &mut earlier, verdict);
        }
        deprecated(message, asked, verdict);
        asked = message.role == Role::Assistant && message.get("function_call").is_some();
    }
    close(&open, verdict);
}

/// Opens the calls of a message: C-006, C-029 and K-011.
fn calls<'m, 'd, 't>(
    body: &Body<'_, '_>,
    message: &'m Message<'d, 't>,
    earlier: &mut HashSet<Cow<'t, str>>,
    verdict: &mut Verdict,
) -> Open<'m, 'd, 't> {
    let mut open = Open { message: Some(message), ..Open::default() };
    for (index, call) in message.calls() {
        let Some(id) = call.get_str("id") else { continue };
        let path = message.path(&format!(".tool_calls[{index}].id"));
        if open.answered.insert(id.clone(), false).is_some() {
            verdict.refuse("C-006", path, call.offset(), &[("id", &id)]);
            continue;
        }
        if earlier.contains(&id) {
            verdict.unless(body.vendor.id_reuse, "K-011", path, call.offset(), &[("id", &id)]);
        }
        open.ids.push(id);
    }
    earlier.extend(open.ids.iter().cloned());
    super::calls::parallel(body, message, verdict);
    open
}

/// C-002 to C-004.
fn result<'t>(message: &Message<'_, 't>, open: &mut Open<'_, '_, 't>, verdict: &mut Verdict) {
    let id = message.value.get_str("tool_call_id").unwrap_or_default();
    let at = message.value.offset();
    if open.message.is_none() {
        return verdict.refuse("C-002", message.path(".role"), at, &[("id", &id)]);
    }
    let path = message.path(".tool_call_id");
    match open.answered.get_mut(&id) {
        None => verdict.refuse("C-003", path, at, &[("id", &id)]),
        Some(answered) if *answered => verdict.refuse("C-004", path, at, &[("id", &id)]),
        Some(answered) => *answered = true,
    }
}

/// C-001.
fn close(open: &Open<'_, '_, '_>, verdict: &mut Verdict) {
    let Some(message) = open.message else { return };
    let waits = |id: &&Cow<'_, str>| open.answered.get(*id) == Some(&false);
    let missing: Vec<&str> = open.ids.iter().filter(waits).map(|id| &**id).collect();
    if !missing.is_empty() {
        let path = message.path(".tool_calls");
        let ids = missing.join(", ");
        verdict.refuse("C-001", path, message.value.offset(), &[("ids", &ids)]);
    }
}

/// C-032.
fn deprecated(message: &Message<'_, '_>, asked: bool, verdict: &mut Verdict) {
    let at = message.value.offset();
    if message.role == Role::Function && !asked {
        verdict.refuse("C-032", message.path(".role"), at, &[]);
    }
    if message.has_calls() && message.get("function_call").is_some() {
        verdict.refuse("C-032", message.path(".function_call"), at, &[]);
    }
}
