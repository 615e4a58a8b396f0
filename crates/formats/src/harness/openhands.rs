//! Trajectories of OpenHands: a list of events. Earlier versions tell actions and observations
//! apart by those members; newer ones by `kind`.
//!
//! An action of the agent is a call, whose id and name stand in what it was made of; actions of one
//! response are one reply. A condensation takes the place of the events it names.

use json::{Array, Kind, Object, Raw, Text, Value};
use record::{Block, EntryId, Input, Reasoning, Rest, ResultPart, Role, ToolResult, ToolUse};

use super::message::{line_of, reply, returned, said, text, told};
use super::rows::{Piece, Row, Rows};
use super::session::Session;
use super::{Harness, New};
use crate::Format;
use crate::anthropic::write::input_of;
use crate::chain::Line;
use crate::error::ExportError;
use crate::openai_chat::{self, API};
use crate::places::Places;
use crate::report::Place;

pub(super) const HARNESS: Harness = Harness {
    format: Format::OpenHands,
    is_line: is_event,
    is_document: |root| events_of(root).items().any(is_event),
    line: |session, line, place| {
        event(session, line, line_of(None, None, place));
        None
    },
    document,
    list: &[&["history"], &["events"], &["trajectory"], &[]],
    write,
    new: New::Document(|_| Array::new().finish()),
};

/// The events of a document: a list, or one in an object.
fn events_of<'d, 't>(root: Value<'d, 't>) -> Value<'d, 't> {
    let names = ["history", "events", "trajectory"];
    let inside = names.iter().find_map(|name| root.get(name));
    inside.filter(|list| list.kind() == Kind::Array).unwrap_or(root)
}

fn is_event(event: Value<'_, '_>) -> bool {
    let has = |name: &str| event.get(name).is_some();
    let is_string = |name: &str| event.get(name).is_some_and(|v| v.kind() == Kind::String);
    let old = (is_string("action") && has("args")) || (is_string("observation") && has("content"));
    let new = matches!(
        event.get_str("kind").as_deref(),
        Some("MessageEvent" | "ActionEvent" | "ObservationEvent" | "SystemPromptEvent")
    );
    has("source") && (old && has("id") || new)
}

fn document(session: &mut Session, root: Value<'_, '_>, places: &mut Places<'_>) {
    for value in events_of(root).items() {
        event(session, value, line_of(None, None, places.of(value)));
    }
}

fn event(session: &mut Session, event: Value<'_, '_>, mut line: Line) {
    line.id = event.get("id").map(|id| id.to_text().unwrap_or_else(|| id.raw().into()));
    line.time = text(event, "timestamp");
    let is_user = event.get("source").is_some_and(|source| source.is_str("user"));
    let kind = text(event, "kind").unwrap_or_default();
    match (&*kind, text(event, "action"), text(event, "observation")) {
        ("", Some(action), _) => acted(session, event, &action, is_user, line),
        ("", None, Some(seen)) => observed(session, event, &seen, line),
        ("MessageEvent", _, _) => spoken(session, event, line),
        ("SystemPromptEvent", _, _) => {
            let prompt = event.get("system_prompt").and_then(|prompt| text(prompt, "text"));
            system(session, prompt, line);
        }
        ("ActionEvent", _, _) => {
            let words = joined(event.get("thought"));
            let reasoning = text(event, "reasoning_content");
            let id = text(event, "tool_call_id");
            let whole = event.get("tool_call");
            let call = ToolUse {
                id: id.unwrap_or_default(),
                name: text(event, "tool_name").unwrap_or_default(),
                input: whole.map_or_else(|| Input::new(Text::default()), arguments),
                proof: None,
                rest: Rest::default(),
            };
            let response = text(event, "llm_response_id");
            called(session, Called { words, reasoning, call, response }, line);
        }
        ("ObservationEvent" | "AgentErrorEvent", _, _) => {
            let seen = event.get("observation");
            let failed = seen.and_then(|seen| seen.get("is_error")?.as_bool());
            let told = seen.map(|seen| joined(seen.get("content").or(seen.get("output"))));
            let content = told.flatten().or_else(|| text(event, "error"));
            let is_error = failed.unwrap_or(&*kind == "AgentErrorEvent");
            result(session, event, content, is_error, line);
        }
        ("Condensation", _, _) => condensed(session, event, line),
        (kind, _, _) => {
            session.keep_aside(&format!("event {kind}"), line);
        }
    }
}

fn system(session: &mut Session, prompt: Option<Text>, line: Line) {
    match prompt {
        Some(prompt) => session.system(prompt, line),
        None => session.unread("event", line),
    };
}

/// The texts of a content, or a text.
fn joined(content: Option<Value<'_, '_>>) -> Option<Text> {
    let content = content?;
    if let Some(words) = content.to_text() {
        return Some(words).filter(|words| !words.is_empty());
    }
    let texts: Vec<Text> = content.items().filter_map(|part| text(part, "text")).collect();
    let joined = texts.iter().map(Text::as_str).collect::<Vec<_>>().join("\n");
    (!joined.is_empty()).then(|| joined.into())
}

fn arguments(call: Value<'_, '_>) -> Input {
    let written = call.get("function").unwrap_or(call).get("arguments");
    match written.and_then(Value::to_text) {
        Some(words) => Input::new(words),
        None => written.map_or_else(|| Input::new(Text::default()), Input::of_value),
    }
}

fn image(session: &mut Session, url: Value<'_, '_>, place: Place) -> Option<Block> {
    let report = &mut session.chain.report;
    Some(Block::Image(openai_chat::image_of(&url.to_text()?, url, &[], report, place)))
}

/// A message of newer versions.
fn spoken(session: &mut Session, event: Value<'_, '_>, line: Line) {
    let message = event.get("llm_message");
    let Some(message) = message else {
        session.unread("event", line);
        return;
    };
    let words = joined(message.get("content"));
    let mut blocks: Vec<Block> = words.map(Block::text).into_iter().collect();
    let parts = message.get("content").into_iter().flat_map(Value::items);
    let urls = parts.flat_map(|part| part.get("image_urls").into_iter().flat_map(Value::items));
    blocks.extend(urls.filter_map(|url| image(session, url, line.place)));
    match message.get_str("role").as_deref() {
        Some("assistant") => {
            let reply = reply(blocks, &session.issuer(API));
            session.row(reply, line);
        }
        Some("system") => system(session, joined(message.get("content")), line),
        Some(_) | None => {
            session.row(said(blocks), line);
        }
    }
}

/// An action of earlier versions.
fn acted(session: &mut Session, event: Value<'_, '_>, action: &str, is_user: bool, line: Line) {
    let args = event.get("args");
    let arg = |name: &str| args.and_then(|args| text(args, name));
    match action {
        "system" => system(session, arg("content"), line),
        "message" => {
            let words = arg("content").or_else(|| text(event, "message"));
            let mut blocks: Vec<Block> = words.map(Block::text).into_iter().collect();
            let urls = args.and_then(|args| args.get("image_urls"));
            let urls = urls.into_iter().flat_map(Value::items);
            blocks.extend(urls.filter_map(|url| image(session, url, line.place)));
            if is_user {
                session.row(said(blocks), line);
            } else {
                let reply = reply(blocks, &session.issuer(API));
                session.row(reply, line);
            }
        }
        "condensation" => condensed(session, args.unwrap_or(event), line),
        "change_agent_state" | "recall" | "null" | "start_hook" | "task_tracking_state" => {
            session.aside("event".into(), line);
        }
        _ if is_user => {
            session.keep_aside(&format!("action {action} of the person"), line);
        }
        action => called(session, old_call(event, args, action), line),
    }
}

/// A call and what was said with it.
struct Called {
    words: Option<Text>,
    reasoning: Option<Text>,
    call: ToolUse,
    /// The response it is of.
    response: Option<Text>,
}

/// The call that an action was made of; where that is not kept, the action itself.
fn old_call(event: Value<'_, '_>, args: Option<Value<'_, '_>>, action: &str) -> Called {
    let about = event.get("tool_call_metadata");
    let id = about.and_then(|about| text(about, "tool_call_id"));
    let response = about.and_then(|about| about.get("model_response"));
    let choices = response.and_then(|response| response.get("choices"));
    let message = choices.and_then(|choices| choices.items().next()?.get("message"));
    let calls = message.and_then(|message| message.get("tool_calls"));
    let mut calls = calls.into_iter().flat_map(Value::items);
    let whole = calls.find(|call| text(*call, "id") == id && id.is_some());
    let words = message.and_then(|message| text(message, "content"));
    let mut own = Object::new();
    let members = args.into_iter().flat_map(Value::members);
    for (name, value) in members.filter(|(name, _)| !name.is_str("thought")) {
        own.raw(&name.as_str().unwrap_or_default(), &Raw::of(value));
    }
    let name = about.and_then(|about| text(about, "function_name"));
    Called {
        words: words.or_else(|| args.and_then(|args| text(args, "thought"))),
        reasoning: message.and_then(|message| text(message, "reasoning_content")),
        call: ToolUse {
            id: id.unwrap_or_default(),
            name: name.unwrap_or_else(|| action.into()),
            input: whole.map_or_else(|| Input::new(own.finish().as_str().into()), arguments),
            proof: None,
            rest: Rest::default(),
        },
        response: response.and_then(|response| text(response, "id")),
    }
}

/// A call of the response before is one of the same reply.
fn called(session: &mut Session, called: Called, line: Line) {
    let Called { words, reasoning, call, response } = called;
    let known = response.as_ref().and_then(|response| session.responses.get(response)).copied();
    if let Some(node) = known {
        return session.add(node, Block::ToolUse(call));
    }
    let reasoning = reasoning.filter(|thought| !thought.is_empty());
    let thought = reasoning.map(|reasoning| {
        Block::Reasoning(Reasoning { reasoning, proof: None, rest: Rest::default() })
    });
    let words = words.filter(|words| !words.is_empty()).map(Block::text);
    let blocks = thought.into_iter().chain(words).chain([Block::ToolUse(call)]).collect();
    let reply = reply(blocks, &session.issuer(API));
    let node = session.row(reply, line);
    session.responses.extend(response.map(|response| (response, node)));
}

/// An observation of earlier versions: what a call returned, or what the environment did.
fn observed(session: &mut Session, event: Value<'_, '_>, seen: &str, line: Line) {
    let content = text(event, "content").filter(|content| !content.is_empty());
    if matches!(seen, "agent_state_changed" | "null" | "recall" | "think" | "condense")
        && event.get("tool_call_metadata").is_none()
    {
        session.aside("event".into(), line);
        return;
    }
    if event.get("tool_call_metadata").is_none() && event.get("cause").is_none() {
        match content {
            Some(content) => session.row(told(vec![Block::text(content)], seen), line),
            None => session.aside("event".into(), line),
        };
        return;
    }
    let failed = event.get("extras").and_then(|extras| extras.get("metadata")?.get("exit_code"));
    let failed = failed.and_then(Value::as_f64).is_some_and(|code| code != 0.0 && code != -1.0);
    result(session, event, content, failed || seen == "error", line);
}

fn result(
    session: &mut Session,
    event: Value<'_, '_>,
    content: Option<Text>,
    is_error: bool,
    line: Line,
) {
    let about = event.get("tool_call_metadata").unwrap_or(event);
    let name = text(about, "function_name").or_else(|| text(about, "tool_name"));
    session.row(
        returned(ToolResult {
            tool_use_id: text(about, "tool_call_id").unwrap_or_default(),
            tool_name: name.unwrap_or_default(),
            content: content.map(ResultPart::Text).into_iter().collect(),
            is_error,
            rest: Rest::default(),
        }),
        line,
    );
}

/// A summary, and the events that it stands for.
fn condensed(session: &mut Session, condensation: Value<'_, '_>, line: Line) {
    let ids = condensation.get("forgotten_event_ids").into_iter().flat_map(Value::items);
    let named = |id: Value<'_, '_>| id.to_text().unwrap_or_else(|| id.raw().into());
    let ids: Vec<Text> = ids.map(named).collect();
    let end = |name: &str| condensation.get(name).and_then(Value::as_u64);
    let span = end("forgotten_events_start_id").zip(end("forgotten_events_end_id"));
    let forgotten = |id: &str| {
        let number = id.parse::<u64>().ok();
        let in_span = span.zip(number).is_some_and(|((from, to), at)| (from..=to).contains(&at));
        in_span || ids.iter().any(|forgotten| &**forgotten == id)
    };
    let kept: Vec<EntryId> = session
        .messages()
        .into_iter()
        .map(|(_, entry)| entry.id.clone())
        .filter(|id| !forgotten(id.as_str()))
        .collect();
    match text(condensation, "summary") {
        Some(summary) => session.compaction(Some(summary), kept, line),
        None => session.keep_aside("a condensation without a summary", line),
    };
}

fn write(rows: &Rows<'_>) -> Result<Vec<Raw>, ExportError> {
    let mut events = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        match row.message.role {
            Role::System => {
                let mut args = Object::new();
                args.string("content", &row.words()?);
                events.push(action(row, "agent", "system", &args, None));
            }
            Role::User | Role::Tool => said_events(row, &mut events)?,
            Role::Assistant => replied_events(row, at + rows.items_before(), &mut events)?,
        }
    }
    Ok(events)
}

fn opening(row: &Row<'_>, source: &str, suffix: usize) -> Object {
    let mut event = Object::new();
    let id = row.entry.id.as_str();
    event.string("id", &if suffix == 0 { id.to_owned() } else { format!("{id}:{suffix}") });
    event.optional_string("timestamp", row.entry.time.as_deref()).string("source", source);
    event
}

fn action(row: &Row<'_>, source: &str, name: &str, args: &Object, about: Option<&Raw>) -> Raw {
    let mut event = opening(row, source, 0);
    event.string("action", name).raw("args", &args.finish());
    event.optional_raw("tool_call_metadata", about);
    event.finish()
}

fn said_events(row: &Row<'_>, events: &mut Vec<Raw>) -> Result<(), ExportError> {
    let mut urls = Array::new();
    let mut said = false;
    for (at, piece) in row.pieces()?.into_iter().enumerate() {
        match piece {
            Piece::Result(result) => {
                let mut about = Object::new();
                about.text("function_name", &result.tool_name);
                about.text("tool_call_id", &result.tool_use_id);
                let mut event = opening(row, "agent", at);
                event.string("observation", if result.is_error { "error" } else { "run" });
                event.string("content", &row.output_of(result)?);
                event.raw("tool_call_metadata", &about.finish());
                events.push(event.finish());
            }
            Piece::Image(image) => {
                let Some(url) = openai_chat::url_of(image) else {
                    return row.refuse("an image whose bytes are elsewhere");
                };
                urls.raw(&Raw::string(&url));
                said = true;
            }
            Piece::Text(_) => said = true,
            Piece::Call(_) | Piece::Thought(_) | Piece::Opaque(_) => {
                return row.refuse("a block that no prompt has");
            }
        }
    }
    if said {
        let mut args = Object::new();
        args.string("content", &row.words()?).raw("image_urls", &urls.finish());
        events.push(action(row, "user", "message", &args, None));
    }
    Ok(())
}

/// A reply: a message, or an action for each of its calls, tied by their response.
fn replied_events(row: &Row<'_>, at: usize, events: &mut Vec<Raw>) -> Result<(), ExportError> {
    let (mut calls, mut thoughts) = (Vec::new(), Vec::new());
    for piece in row.pieces()? {
        match piece {
            Piece::Call(call) => calls.push(call),
            Piece::Thought(thought) => thoughts.push(thought.reasoning.as_str()),
            Piece::Text(_) => {}
            Piece::Result(_) | Piece::Image(_) | Piece::Opaque(_) => {
                return row.refuse("a block that no reply has");
            }
        }
    }
    let words = row.words()?;
    if calls.is_empty() {
        let mut args = Object::new();
        args.string("content", &words);
        events.push(action(row, "agent", "message", &args, None));
        return Ok(());
    }
    let mut list = Array::new();
    for call in &calls {
        let (mut function, mut object) = (Object::new(), Object::new());
        function.text("name", &call.name).text("arguments", call.input.text());
        object.text("id", &call.id).raw("function", &function.finish());
        list.raw(&object.finish());
    }
    let (mut message, mut choice, mut response) = (Object::new(), Object::new(), Object::new());
    message.string("role", "assistant").string("content", &words);
    if !thoughts.is_empty() {
        message.string("reasoning_content", &thoughts.join("\n\n"));
    }
    message.raw("tool_calls", &list.finish());
    choice.raw("message", &message.finish());
    response.string("id", &format!("{}:{at}", row.entry.id));
    response.raw("choices", &Array::of([&choice.finish()]));
    for (at, call) in calls.iter().enumerate() {
        let mut about = Object::new();
        about.text("function_name", &call.name).text("tool_call_id", &call.id);
        about.raw("model_response", &response.finish());
        let mut event = opening(row, "agent", at);
        event.text("action", &call.name).raw("args", &input_of(&call.input));
        events.push(event.raw("tool_call_metadata", &about.finish()).finish());
    }
    Ok(())
}
