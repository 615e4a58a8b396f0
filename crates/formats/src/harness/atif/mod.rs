//! Trajectories of ATIF, the Agent Trajectory Interchange Format: one document of steps.
//!
//! In: any version. A step of the agent is a reply and, behind it, what its calls returned. A
//! trajectory of a subagent that stands inside is a branch. Out: version 1.7, as strict as its
//! models are: what they have no place for (signatures, sealed thoughts) is in `extra`, as our own
//! entry, and read from there. [`write`] writes.

mod write;

use json::{Kind, Object, Raw, Text, Value};
use record::{
    Block, Compaction, Entry, Fact, Input, Message, OpaqueBlock, Reasoning, Rest, ToolResult,
    ToolUse, Usage,
};

use crate::Format;
use crate::chain::Line;
use crate::harness::message::{is_long, line_of, reply, result_part, returned, said, text, told};
use crate::harness::session::Session;
use crate::harness::{Harness, New, never, no_lines};
use crate::openai_chat::{self, API, Tools};
use crate::places::Places;
use crate::report::Place;
use crate::source::one_line;

/// The member of `extra` that is ours.
const OURS: &str = "stenograph";

/// Its member that holds an entry.
const ENTRY: &str = "entry";

/// The version that is written.
const VERSION: &str = "ATIF-v1.7";

pub(super) const HARNESS: Harness = Harness {
    format: Format::Atif,
    is_line: never,
    is_document: |root| {
        let version = root.get_str("schema_version");
        let steps = root.get("steps").is_some_and(|steps| steps.kind() == Kind::Array);
        steps && (version.is_some_and(|v| v.contains("ATIF")) || root.get("agent").is_some())
    },
    line: no_lines,
    document,
    list: &[&["steps"]],
    write: write::write,
    new: New::Document(write::begin),
};

fn document(session: &mut Session, root: Value<'_, '_>, places: &mut Places<'_>) {
    // The trajectory itself comes last: the main branch ends with it.
    for (at, inner) in
        root.get("subagent_trajectories").into_iter().flat_map(Value::items).enumerate()
    {
        let name = text(inner, "trajectory_id").unwrap_or_else(|| at.to_string().into());
        session.begin_conversation(&format!("trajectory {:?}", &*name), places.of(inner));
        trajectory(session, inner, &format!("{name}:"), places);
    }
    session.begin_conversation("the trajectory they are of", places.of(root));
    trajectory(session, root, "", places);
}

fn trajectory(session: &mut Session, root: Value<'_, '_>, of: &str, places: &mut Places<'_>) {
    let agent = root.get("agent");
    session.model = agent.and_then(|agent| text(agent, "model_name")).unwrap_or_default();
    let mut tools = Tools::default();
    let definitions = agent.and_then(|agent| agent.get("tool_definitions"));
    for tool in definitions.into_iter().flat_map(Value::items) {
        tools.take(tool);
    }
    if !tools.definitions.is_empty() {
        let line = line_of(Some(format!("{of}tools").into()), None, places.of(root));
        session.head_of(Vec::new(), tools.definitions, line);
    }
    for (at, step) in root.get("steps").into_iter().flat_map(Value::items).enumerate() {
        let number = step.get("step_id").map_or_else(|| (at + 1).to_string(), |n| n.raw().into());
        let id = format!("{of}step.{number}").into();
        let line = line_of(Some(id), text(step, "timestamp"), places.of(step));
        self::step(session, step, line);
    }
}

fn step(session: &mut Session, step: Value<'_, '_>, line: Line) {
    let (place, time) = (line.place, line.time.clone());
    let id = line.id.clone().unwrap_or_default();
    let Some(blocks) = content(session, step.get("message"), place) else {
        session.unread("step", line);
        return;
    };
    let is_silent = blocks.is_empty();
    if let Some(compaction) = compacted(step) {
        session.compacted(compaction, line);
        return;
    }
    match step.get_str("source").as_deref() {
        Some("system") if is_silent => {}
        Some("system") => {
            let texts: Vec<&str> =
                blocks.iter().filter_map(Block::as_text).map(|text| text.text.as_str()).collect();
            session.system(texts.join("\n").into(), line);
        }
        Some("user") => {
            session.row(said(blocks), line);
        }
        Some("agent") => {
            let message = ours(step).unwrap_or_else(|| agent(session, step, blocks));
            session.row(message, line);
        }
        Some(_) | None => {
            session.unread("step", line);
            return;
        }
    }
    let called = step.get("tool_calls").is_some_and(|calls| calls.items().next().is_some());
    let results = step.get("observation").and_then(|observation| observation.get("results"));
    for (at, result) in results.into_iter().flat_map(Value::items).enumerate() {
        let line = line_of(Some(format!("{id}.result.{at}").into()), time.clone(), place);
        observed(session, result, called, line);
    }
}

/// An entry that we wrote, as it was.
fn entry_of(step: Value<'_, '_>) -> Option<Entry> {
    let entry = step.get("extra")?.get(OURS)?.get(ENTRY)?;
    record::jsonl::read_entry(one_line(entry).as_str())
}

fn ours(step: Value<'_, '_>) -> Option<Message> {
    entry_of(step)?.message().cloned()
}

fn compacted(step: Value<'_, '_>) -> Option<Compaction> {
    match entry_of(step)?.fact {
        Fact::Compaction(compaction) => Some(*compaction),
        Fact::Message(_)
        | Fact::CallStarted(_)
        | Fact::Head(_)
        | Fact::Sent(_)
        | Fact::Retracted(_)
        | Fact::Opaque(_) => None,
    }
}

fn agent(session: &mut Session, step: Value<'_, '_>, said: Vec<Block>) -> Message {
    let mut issuer = session.issuer(API);
    if let Some(model) = text(step, "model_name") {
        std::sync::Arc::make_mut(&mut issuer).model = model;
    }
    let platform = openai_chat::platform_of(&issuer.model).unwrap_or_default();
    std::sync::Arc::make_mut(&mut issuer).platform = platform.into();
    let reasoning = text(step, "reasoning_content").filter(|thought| !thought.is_empty());
    let thought = reasoning.map(|reasoning| {
        Block::Reasoning(Reasoning { reasoning, proof: None, rest: Rest::default() })
    });
    let calls = step.get("tool_calls").into_iter().flat_map(Value::items).map(|call| {
        Block::ToolUse(ToolUse {
            id: text(call, "tool_call_id").unwrap_or_default(),
            name: text(call, "function_name").unwrap_or_default(),
            input: call.get("arguments").map_or_else(|| Input::new(Text::default()), input),
            proof: None,
            rest: Rest::default(),
        })
    });
    let mut message = reply(thought.into_iter().chain(said).chain(calls).collect(), &issuer);
    message.usage = step.get("metrics").and_then(usage);
    message
}

fn input(arguments: Value<'_, '_>) -> Input {
    match arguments.to_text() {
        Some(written) => Input::new(written),
        None => Input::of_value(arguments),
    }
}

/// The prompt counts what came from the cache.
fn usage(metrics: Value<'_, '_>) -> Option<Usage> {
    let count = |name: &str| metrics.get(name).and_then(Value::as_u64);
    let cached = count("cached_tokens").unwrap_or(0);
    Some(Usage {
        input_tokens: count("prompt_tokens")?.saturating_sub(cached),
        output_tokens: count("completion_tokens").unwrap_or(0),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: cached,
    })
}

/// What a call returned; what no call asked for is told on the user's side.
fn observed(session: &mut Session, result: Value<'_, '_>, called: bool, line: Line) {
    let Some(blocks) = content(session, result.get("content"), line.place) else {
        session.unread("observation", line);
        return;
    };
    let id = text(result, "source_call_id");
    if id.is_none() && !called {
        if !blocks.is_empty() {
            session.row(told(blocks, "observation"), line);
        }
        return;
    }
    let failed = result.get("extra").and_then(|extra| extra.get("is_error")?.as_bool());
    let content = blocks.into_iter().filter_map(result_part).collect();
    session.row(
        returned(ToolResult {
            tool_use_id: id.unwrap_or_default(),
            tool_name: Text::default(),
            content,
            is_error: failed.unwrap_or(false),
            rest: Rest::default(),
        }),
        line,
    );
}

/// A message or an observation: a text, or parts.
fn content(
    session: &mut Session,
    content: Option<Value<'_, '_>>,
    place: Place,
) -> Option<Vec<Block>> {
    let Some(content) = content.filter(|content| !content.is_null()) else {
        return Some(Vec::new());
    };
    if let Some(words) = content.to_text() {
        let words = Some(words).filter(|words| !words.is_empty());
        return Some(words.map(Block::text).into_iter().collect());
    }
    if content.kind() != Kind::Array || is_long(content) {
        return None;
    }
    let parts = content.items().map(|part| match part.get_str("type").as_deref() {
        Some("text") => text(part, "text").map(Block::text),
        Some("image") => part.get("source").and_then(|source| {
            let url = text(source, "path")?;
            let known = ["path", "media_type"];
            let report = &mut session.chain.report;
            Some(Block::Image(openai_chat::image_of(&url, source, &known, report, place)))
        }),
        kind => Some(Block::Opaque(OpaqueBlock {
            kind: kind.unwrap_or_default().into(),
            raw: one_line(part),
            proof: None,
        })),
    });
    parts.collect()
}

/// An object under `extra` of ours.
fn extra_of(entry: &Raw) -> Raw {
    let (mut ours, mut extra) = (Object::new(), Object::new());
    ours.raw(ENTRY, entry);
    extra.raw(OURS, &ours.finish());
    extra.finish()
}
