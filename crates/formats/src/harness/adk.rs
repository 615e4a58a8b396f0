//! Files of Google's Agent Development Kit: a session with its events, a set of evaluation cases,
//! and the list of turns that came before those. Contents are those of the Gemini API, their names
//! in either case.
//!
//! A case holds what was asked, which tools were called and what was answered; where the tools'
//! answers are not in it, the calls stay without.

use std::sync::Arc;

use json::{Array, Kind, Object, Raw, Text, Value};
use record::{Block, EntryId, Input, Message, Rest, ResultPart, Role, ToolResult, ToolUse};

use super::message::{line_of, reply, returned, said, text};
use super::rows::Row;
use super::session::Session;
use super::shapes::gemini_parts;
use super::{Harness, New, no_lines};
use crate::chain::Line;
use crate::error::ExportError;
use crate::gemini_cli::By;
use crate::places::Places;
use crate::{Format, gemini_cli, instant};

pub(super) const HARNESS: Harness = Harness {
    format: Format::Adk,
    is_line: super::never,
    is_document,
    line: no_lines,
    document,
    list: &[&["events"]],
    write: |rows| rows.iter().filter(|row| !row.is_head()).map(event).collect(),
    new: New::Document(|rows| {
        let mut document = Object::new();
        document.string("id", rows.first().map_or("", |row| row.entry.id.as_str()));
        document.string("appName", "").string("userId", "");
        document.raw("state", &Object::new().finish()).raw("events", &Array::new().finish());
        document.finish()
    }),
};

/// A member under its name in either case.
fn either<'d, 't>(value: Value<'d, 't>, names: [&str; 2]) -> Option<Value<'d, 't>> {
    names.iter().find_map(|name| value.get(name)).filter(|value| !value.is_null())
}

fn is_document(root: Value<'_, '_>) -> bool {
    let has = |value: Value<'_, '_>, names: &[&str]| names.iter().any(|n| value.get(n).is_some());
    if root.kind() == Kind::Array {
        return root.items().next().is_some_and(|turn| {
            turn.get("query").is_some() && has(turn, &["expected_tool_use", "reference"])
        });
    }
    let cases = has(root, &["eval_cases", "evalCases"]);
    let about = ["appName", "app_name", "context", "state"];
    let events = root.get("events").filter(|events| events.kind() == Kind::Array);
    cases
        || events.is_some_and(|events| match events.items().next() {
            Some(event) => {
                event.get("author").is_some() && has(event, &["invocation_id", "invocationId"])
            }
            None => has(root, &about),
        })
}

fn document(session: &mut Session, root: Value<'_, '_>, places: &mut Places<'_>) {
    session.platform = gemini_cli::PLATFORM.into();
    if root.kind() == Kind::Array {
        for (at, turn) in root.items().enumerate() {
            old_turn(session, turn, at, places);
        }
        return;
    }
    let logs = root.get("event_logs").into_iter().flat_map(Value::items);
    let model = logs.into_iter().find_map(|log| text(log.get("model_request")?, "model"));
    session.model = model.unwrap_or_default();
    events(session, root, places);
    let cases = either(root, ["eval_cases", "evalCases"]);
    for case in cases.into_iter().flat_map(Value::items) {
        let name = either(case, ["eval_id", "evalId"]).and_then(Value::to_text);
        let name = name.unwrap_or_default();
        session.begin_conversation(&format!("case {:?}", &*name), places.of(case));
        let turns = case.get("conversation").into_iter().flat_map(Value::items);
        for (at, turn) in turns.enumerate() {
            self::turn(session, turn, &format!("{name}:{at}"), places);
        }
    }
}

fn events(session: &mut Session, root: Value<'_, '_>, places: &mut Places<'_>) {
    // When each event was, for the compactions that name a span of time.
    let mut times: Vec<(f64, usize)> = Vec::new();
    for (at, event) in root.get("events").into_iter().flat_map(Value::items).enumerate() {
        let id = text(event, "id").unwrap_or_else(|| format!("events.{at}").into());
        let time = event.get("timestamp");
        let line = line_of(Some(id), time.and_then(instant::text_of), places.of(event));
        let compaction = event.get("actions").and_then(|actions| actions.get("compaction"));
        if let Some(compaction) = compaction.filter(|compaction| !compaction.is_null()) {
            self::compaction(session, compaction, &times, line);
            continue;
        }
        if let Some(node) = read(session, event, line) {
            times.push((time.and_then(Value::as_f64).unwrap_or(0.0), node));
        }
    }
}

fn read(session: &mut Session, event: Value<'_, '_>, line: Line) -> Option<usize> {
    let content = event.get("content").filter(|content| !content.is_null());
    if event.get("partial").and_then(Value::as_bool) == Some(true) {
        session.keep_aside("a part of an event that follows whole", line);
        return None;
    }
    let Some(content) = content else {
        session.keep_aside("an event without content", line);
        return None;
    };
    if let Some(model) = either(event, ["model_version", "modelVersion"]) {
        session.model = model.to_text().unwrap_or(std::mem::take(&mut session.model));
    }
    let is_person = text(event, "author").is_some_and(|author| &*author == "user");
    match message(session, content, is_person, &line) {
        Some(message) => Some(session.row(message, line)),
        None => {
            session.unread("event", line);
            None
        }
    }
}

/// A content, said by the person or by an agent; what an agent's tools returned is neither.
fn message(
    session: &mut Session,
    content: Value<'_, '_>,
    is_person: bool,
    line: &Line,
) -> Option<Message> {
    let (by, issuer) = match is_person {
        true => (By::Person, Arc::default()),
        false => (By::Model, session.issuer(gemini_cli::API)),
    };
    let blocks = session.parts(content.get("parts")?, by, &issuer, line.place)?;
    let results = blocks.iter().any(|block| matches!(block, Block::ToolResult(_)));
    Some(if is_person || results { said(blocks) } else { reply(blocks, &issuer) })
}

/// The events of a span are replaced; what is not of it is kept.
fn compaction(
    session: &mut Session,
    compaction: Value<'_, '_>,
    times: &[(f64, usize)],
    line: Line,
) {
    let at = |names| either(compaction, names).and_then(Value::as_f64);
    let from = at(["start_timestamp", "startTimestamp"]).unwrap_or(0.0);
    let to = at(["end_timestamp", "endTimestamp"]).unwrap_or(f64::MAX);
    let content = either(compaction, ["compacted_content", "compactedContent"]);
    let parts = content.and_then(|content| content.get("parts"));
    let texts: Vec<Text> =
        parts.into_iter().flat_map(Value::items).filter_map(|part| text(part, "text")).collect();
    let handoff = texts.iter().map(Text::as_str).collect::<Vec<_>>().join("\n");
    let kept = times.iter().filter(|(time, _)| *time < from || *time > to);
    let kept: Vec<EntryId> = kept
        .filter_map(|(_, node)| Some(session.chain.nodes.get(*node)?.entry.id.clone()))
        .collect();
    session.compaction(Some(handoff.into()), kept, line);
}

/// One turn of a case.
fn turn(session: &mut Session, turn: Value<'_, '_>, id: &str, places: &mut Places<'_>) {
    let line = |places: &mut Places<'_>, part: &str, value| {
        line_of(Some(format!("{id}.{part}").into()), None, places.of(value))
    };
    if let Some(asked) = either(turn, ["user_content", "userContent"]) {
        let line = line(places, "user", asked);
        if let Some(message) = message(session, asked, true, &line) {
            session.row(message, line);
        }
    }
    let between = either(turn, ["intermediate_data", "intermediateData"]);
    let list = |names| between.and_then(|between| either(between, names));
    if let Some(calls) = list(["tool_uses", "toolUses"]).filter(|l| l.items().next().is_some()) {
        let blocks = calls.items().map(call).collect();
        let row = reply(blocks, &session.issuer(gemini_cli::API));
        session.row(row, line(places, "calls", calls));
    }
    let answers = list(["tool_responses", "toolResponses"]);
    for (at, answer) in answers.into_iter().flat_map(Value::items).enumerate() {
        let row = returned(result(answer));
        session.row(row, line(places, &format!("result.{at}"), answer));
    }
    if let Some(answer) = either(turn, ["final_response", "finalResponse"]) {
        let line = line(places, "reply", answer);
        if let Some(message) = message(session, answer, false, &line) {
            session.row(message, line);
        }
    }
}

fn call(call: Value<'_, '_>) -> Block {
    Block::ToolUse(ToolUse {
        id: text(call, "id").unwrap_or_default(),
        name: text(call, "name").or_else(|| text(call, "tool_name")).unwrap_or_default(),
        input: either(call, ["args", "tool_input"])
            .map_or_else(|| Input::new(Text::default()), Input::of_value),
        proof: None,
        rest: Rest::default(),
    })
}

fn result(answer: Value<'_, '_>) -> ToolResult {
    let told = answer.get("response").map(|told| Raw::compact(told).as_str().into());
    ToolResult {
        tool_use_id: text(answer, "id").unwrap_or_default(),
        tool_name: text(answer, "name").unwrap_or_default(),
        content: told.map(ResultPart::Text).into_iter().collect(),
        is_error: false,
        rest: Rest::default(),
    }
}

/// A turn of the list that came before cases.
fn old_turn(session: &mut Session, turn: Value<'_, '_>, at: usize, places: &mut Places<'_>) {
    let place = places.of(turn);
    let line = |part: &str| line_of(Some(format!("{at}.{part}").into()), None, place);
    let issuer = session.issuer(gemini_cli::API);
    if let Some(asked) = text(turn, "query") {
        session.row(said(vec![Block::text(asked)]), line("query"));
    }
    let calls: Vec<Block> =
        turn.get("expected_tool_use").into_iter().flat_map(Value::items).map(call).collect();
    if !calls.is_empty() {
        session.row(reply(calls, &issuer), line("calls"));
    }
    if let Some(answer) = text(turn, "reference") {
        session.row(reply(vec![Block::text(answer)], &issuer), line("reference"));
    }
}

fn event(row: &Row<'_>) -> Result<Raw, ExportError> {
    let (author, role) = match row.message.role {
        Role::User => ("user", "user"),
        Role::Tool => ("agent", "user"),
        Role::Assistant => ("agent", "model"),
        Role::System => return row.refuse("a system message"),
    };
    let mut content = Object::new();
    content.string("role", role).raw("parts", &gemini_parts(row)?);
    let mut event = Object::new();
    event.string("invocationId", "").string("author", author).raw("content", &content.finish());
    event.string("id", row.entry.id.as_str());
    if row.entry.time.is_some() {
        let seconds = instant::milliseconds(row.entry.time.as_deref()) / 1000;
        event.number("timestamp", seconds);
    }
    Ok(event.finish())
}
