//! Calls and what was responded to them; tools that the server ran and what came of them.

use std::borrow::Cow;
use std::collections::HashSet;

use json::Value;

use super::Body;
use super::contents::{Content, Part, Role};
use super::shapes::member;
use super::verdict::{Verdict, least, most};
use crate::takes::Takes;

/// Parts that only the model says.
const SERVER: [&str; 4] = ["executableCode", "codeExecutionResult", "toolCall", "toolResponse"];

/// A call of the turn at work.
struct Call<'t> {
    name: Cow<'t, str>,
    id: Option<Cow<'t, str>>,
}

fn call_of<'t>(value: Value<'_, 't>) -> Call<'t> {
    let id = value.get_str("id").filter(|id| !id.is_empty());
    Call { name: value.get_str("name").unwrap_or_default(), id }
}

/// G-011 to G-015, G-017 and G-030.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    // Contents of the model that follow each other are one turn.
    let mut calls: Vec<Call<'_>> = Vec::new();
    let mut before: Option<&Content<'_, '_>> = None;
    for content in &body.contents {
        if content.role == Role::Model {
            if before.is_none_or(|before| before.role != Role::Model) {
                calls.clear();
            }
            ids(body, content, verdict);
            calls.extend(content.all("functionCall").map(|(_, call)| call_of(call)));
        } else {
            respond(body, before, content, &calls, verdict);
            calls.clear();
        }
        before = Some(content);
    }
    if let Some(last) = before.filter(|_| !calls.is_empty()) {
        verdict.refuse("G-011", last.path(""), last.value.offset(), &[]);
    }
    server_parts(body, verdict);
}

/// A content of the user's, and what it has to respond to.
fn respond(
    body: &Body<'_, '_>,
    before: Option<&Content<'_, '_>>,
    content: &Content<'_, '_>,
    calls: &[Call<'_>],
    verdict: &mut Verdict,
) {
    let responses: Vec<(&Part<'_, '_>, Call<'_>)> =
        content.all("functionResponse").map(|(part, response)| (part, call_of(response))).collect();
    let at = content.value.offset();
    if responses.is_empty() {
        if !calls.is_empty() {
            verdict.refuse("G-011", content.path(""), at, &[]);
        }
        return;
    }
    if responses.len() < content.parts.len() {
        let takes = match body.platform.parts_beside_responses {
            Takes::No => body.model.parts_beside_responses,
            takes @ (Takes::Yes | Takes::Doubtful) => takes,
        };
        verdict.unless(takes, "G-014", content.path(""), at, &[]);
    }
    if before.is_none_or(|before| before.role != Role::Model) {
        return verdict.refuse("G-011", content.path(""), at, &[]);
    }
    if responses.len() != calls.len() {
        return verdict.refuse("G-012", content.path(""), at, &[]);
    }
    let in_order = responses.iter().zip(calls).all(|((_, own), call)| own.name == call.name);
    let names: HashSet<&str> = calls.iter().map(|call| &*call.name).collect();
    let ids: HashSet<&str> = calls.iter().filter_map(|call| call.id.as_deref()).collect();
    for (part, response) in &responses {
        let path = || content.part_path(part, ".functionResponse");
        let at = part.value.offset();
        match response.id.as_deref() {
            Some(id) if !ids.contains(id) => verdict.refuse("G-017", path(), at, &[]),
            None if !ids.is_empty() => {
                verdict.unless(Takes::Doubtful, "G-017", path(), at, &[]);
            }
            Some(_) | None => {}
        }
        if !names.contains(&*response.name) && !response.name.is_empty() {
            let words = "Request contains an invalid argument.".to_owned();
            verdict.say(Takes::Doubtful, "G-015", format!("{}.name", path()), at, words);
        }
    }
    let by_id = responses.iter().all(|(_, response)| response.id.is_some());
    let known = responses.iter().all(|(_, own)| names.contains(&*own.name));
    if !in_order && !by_id && known {
        verdict.refuse("G-013", content.path(""), at, &[]);
    }
}

/// G-017, of calls.
fn ids(body: &Body<'_, '_>, content: &Content<'_, '_>, verdict: &mut Verdict) {
    let mut seen: HashSet<Cow<'_, str>> = HashSet::new();
    for (part, call) in content.all("functionCall") {
        let Some(id) = call_of(call).id else { continue };
        let path = || content.part_path(part, ".functionCall.id");
        let at = call.offset();
        let takes = most(body.platform.call_ids, body.model.call_ids);
        verdict.unless(takes, "G-017", path(), at, &[]);
        if !body.model.ids.allows(&id) {
            verdict.unless(body.model.ids.others, "G-017", path(), at, &[]);
        }
        if !seen.insert(id) {
            verdict.unless(Takes::Doubtful, "G-017", path(), at, &[]);
        }
    }
}

/// G-030.
fn server_parts(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let mut called: HashSet<Cow<'_, str>> = HashSet::new();
    let takes = least(body.platform.server_tool_parts, body.model.server_tools);
    for content in &body.contents {
        let mut has_code = false;
        for part in &content.parts {
            let Some((name, data)) = part.data.filter(|(name, _)| SERVER.contains(name)) else {
                continue;
            };
            let path = content.part_path(part, &format!(".{name}"));
            let at = data.offset();
            if content.role != Role::Model {
                verdict.refuse("G-030", path, at, &[]);
                continue;
            }
            let id = member(data, "id").and_then(Value::as_str).unwrap_or_default();
            match name {
                "executableCode" => has_code = true,
                "codeExecutionResult" if !has_code => {
                    verdict.unless(Takes::Doubtful, "G-030", path, at, &[]);
                }
                "codeExecutionResult" => {}
                "toolCall" => {
                    verdict.unless(takes, "G-030", path, at, &[]);
                    called.insert(id);
                }
                _ if !called.contains(&id) => verdict.refuse("G-030", path, at, &[]),
                _ => verdict.unless(takes, "G-030", path, at, &[]),
            }
        }
    }
}
