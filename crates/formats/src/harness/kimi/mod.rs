//! Sessions of the Kimi CLI: the wire file of newer versions, an event a line, and the context file
//! of earlier ones, a message a line. Earlier wire files have the same events under `message`.
//!
//! A step is a reply: its parts and calls are lines of their own, put together here. A compaction
//! keeps the last prompts beside its summary; clearing and undoing leave a branch. [`write`] writes
//! the wire file.
#![deny(clippy::wildcard_enum_match_arm)]

mod write;

use assemble::openai_chat::message::{KEY, calls};
use json::{Kind, Object, Raw, Text, Value};
use record::{
    Block, EntryId, Image, Input, OpaqueBlock, Reasoning, Rest, Source as Speaker, ToolDefinition,
    ToolResult, ToolUse, Usage,
};

use crate::chain::Line;
use crate::harness::message::{is_long, line_of, reply, result_part, returned, said, text, told};
use crate::harness::session::Session;
use crate::harness::{Harness, New, no_document};
use crate::openai_chat::{self, API};
use crate::report::Place;
use crate::rest::typed;
use crate::source::one_line;
use crate::{Format, instant};

/// How the types of lines begin that change nothing of what a model is shown.
const BOOKKEEPING: [&str; 13] = [
    "full_compaction.",
    "goal.",
    "metadata",
    "permission.",
    "plan.",
    "plan_mode.",
    "plugin.",
    "runtime.",
    "task.",
    "token_counting.",
    "tools.",
    "turn.",
    "usage.",
];

pub(in crate::harness) const HARNESS: Harness = Harness {
    format: Format::Kimi,
    is_line,
    is_document: crate::harness::never,
    line,
    document: no_document,
    list: &[],
    write: write::write,
    new: New::Lines(|_| {
        let mut line = typed("metadata");
        line.string("protocol_version", "1.4");
        vec![line.finish()]
    }),
};

fn is_line(line: Value<'_, '_>) -> bool {
    let has = |name: &str| line.get(name).is_some();
    let kind = match line.get_str("type").as_deref() {
        Some("metadata") => has("protocol_version"),
        Some("config.update") => has("systemPrompt") || has("modelAlias") || has("profileName"),
        Some("context.append_message") => has("message"),
        Some("context.append_loop_event") => has("event"),
        Some(_) | None => false,
    };
    let role = line.get_str("role");
    kind || matches!(role.as_deref(), Some("_system_prompt" | "_checkpoint" | "_usage"))
}

fn line(session: &mut Session, line: Value<'_, '_>, place: Place) -> Option<usize> {
    let time = line.get("time").or_else(|| line.get("timestamp"));
    let row = line_of(None, time.and_then(instant::text_of), place);
    if let Some(role) = text(line, "role") {
        context(session, line, &role, row);
        return None;
    }
    let kind = text(line, "type").unwrap_or_default();
    if let Some(message) = line.get("message").filter(|_| kind.is_empty()) {
        return sent(session, message, row);
    }
    match &*kind {
        "context.append_message" => {
            match line.get("message") {
                Some(message) => appended(session, message, row),
                None => session.unread("message", row),
            };
        }
        "context.append_loop_event" => {
            return line.get("event").and_then(|event| self::event(session, event, row));
        }
        "context.apply_compaction" => {
            compaction(session, line, row);
        }
        "context.clear" => {
            session.take_back(1);
            session.aside(kind, row);
        }
        "context.undo" => {
            undo(session, line.get("count").and_then(Value::as_u64).unwrap_or(1));
            session.aside(kind, row);
        }
        _ => about(session, line, &kind, row),
    }
    None
}

/// The model, the system text and the tools; all else is of no conversation.
fn about(session: &mut Session, line: Value<'_, '_>, kind: &str, row: Line) {
    match kind {
        "config.update" | "profile.bind" => match text(line, "systemPrompt") {
            Some(prompt) => session.set_system(prompt, row),
            None => session.aside(kind.into(), row),
        },
        "llm.request" => {
            if let Some(model) = text(line, "model") {
                let platform = openai_chat::platform_of(&model).map(Text::from);
                session.platform = platform.or_else(|| text(line, "provider")).unwrap_or_default();
                session.model = model;
            }
            session.aside(kind.into(), row)
        }
        "llm.tools_snapshot" => {
            let tools = line.get("tools").into_iter().flat_map(Value::items);
            session.set_tools(tools.filter_map(tool).collect());
            session.aside(kind.into(), row)
        }
        kind if BOOKKEEPING.iter().any(|begins| kind.starts_with(begins)) => {
            session.aside(kind.into(), row)
        }
        kind => session.keep_aside(&format!("line {kind}"), row),
    };
}

fn tool(tool: Value<'_, '_>) -> Option<ToolDefinition> {
    let mut definition = Object::new();
    definition.text("name", &text(tool, "name")?);
    definition.optional_raw("description", tool.get("description").map(one_line).as_ref());
    definition.raw("input_schema", &one_line(tool.get("parameters")?));
    ToolDefinition::new(definition.finish())
}

/// A line of the context file.
fn context(session: &mut Session, line: Value<'_, '_>, role: &str, row: Line) {
    match role {
        "_system_prompt" => match text(line, "content") {
            Some(prompt) => session.set_system(prompt, row),
            None => session.unread("line", row),
        },
        role if role.starts_with('_') => session.aside(role.into(), row),
        _ => appended(session, line, row),
    };
}

fn appended(session: &mut Session, message: Value<'_, '_>, row: Line) -> usize {
    let Some(blocks) = content(session, message.get("content"), row.place) else {
        return session.unread("message", row);
    };
    let origin = message.get("origin").and_then(|origin| text(origin, "kind"));
    match message.get_str("role").as_deref() {
        Some("user") => match origin.filter(|kind| &**kind != "user") {
            Some(kind) => session.row(told(blocks, &kind), row),
            None => session.row(said(blocks), row),
        },
        Some("assistant") => {
            let issuer = session.issuer(API);
            let mut blocks = blocks;
            blocks.extend(calls(message, &issuer));
            blocks.extend(
                message.get("toolCalls").into_iter().flat_map(Value::items).filter_map(call),
            );
            session.row(reply(blocks, &issuer), row)
        }
        Some("tool") => {
            let id = text(message, "tool_call_id").or_else(|| text(message, "toolCallId"));
            let result = result(id, blocks, false);
            session.row(returned(result), row)
        }
        Some(_) | None => session.unread("message", row),
    }
}

/// A step's part or call is added to its reply, which begins with the first of them.
fn event(session: &mut Session, event: Value<'_, '_>, row: Line) -> Option<usize> {
    let kind = text(event, "type").unwrap_or_default();
    let step = text(event, "stepUuid");
    match &*kind {
        "content.part" => {
            let block = part(session, event.get("part")?, row.place);
            add(session, block, step, row)
        }
        "tool.call" => match call(event) {
            Some(call) => add(session, call, step, row),
            None => {
                session.unread("call", row);
                None
            }
        },
        "tool.result" => {
            let value = event.get("result");
            let output = value.and_then(|value| value.get("output")).or(value);
            let failed = value.and_then(|value| value.get("isError")?.as_bool()).unwrap_or(false);
            let blocks = content(session, output, row.place).unwrap_or_else(|| {
                let told = output.map(|output| Raw::compact(output).as_str().to_owned());
                vec![Block::text(told.unwrap_or_default())]
            });
            let result = result(text(event, "toolCallId"), blocks, failed);
            session.row(returned(result), row);
            None
        }
        "step.end" => {
            let node = text(event, "uuid").and_then(|step| session.known(&step));
            let usage = event.get("usage").and_then(usage);
            if let Some(message) = node.and_then(|node| session.message_of(node)) {
                message.usage = usage;
            }
            node
        }
        kind => {
            if kind == "step.begin" {
                session.aside(kind.into(), row);
            } else {
                session.keep_aside(&format!("event {kind}"), row);
            }
            None
        }
    }
}

/// An event of earlier wire files: its type, and what it holds.
fn sent(session: &mut Session, message: Value<'_, '_>, row: Line) -> Option<usize> {
    let kind = text(message, "type").unwrap_or_default();
    let Some(payload) = message.get("payload") else {
        session.unread("event", row);
        return None;
    };
    match &*kind {
        "TurnBegin" => {
            session.step = None;
            match content(session, payload.get("user_input"), row.place) {
                Some(blocks) => session.row(said(blocks), row),
                None => session.unread("event", row),
            };
        }
        "StepBegin" => {
            session.step = None;
            session.aside(kind, row);
        }
        "ContentPart" => {
            let block = part(session, payload, row.place);
            return add_to_step(session, block, row);
        }
        "ToolCall" => {
            let function = payload.get("function").unwrap_or(payload);
            let Some(Block::ToolUse(mut call)) = call(function) else {
                session.unread("event", row);
                return None;
            };
            call.id = text(payload, "id").unwrap_or_default();
            return add_to_step(session, Block::ToolUse(call), row);
        }
        "ToolResult" => {
            let value = payload.get("return_value");
            let output = value.and_then(|value| value.get("output"));
            let failed = value.and_then(|value| value.get("is_error")?.as_bool()).unwrap_or(false);
            let mut blocks = content(session, output, row.place).unwrap_or_default();
            if blocks.is_empty() {
                let words = value.and_then(|value| text(value, "message"));
                blocks.extend(words.filter(|words| !words.is_empty()).map(Block::text));
            }
            let result = result(text(payload, "tool_call_id"), blocks, failed);
            session.row(returned(result), row);
        }
        _ => {
            session.aside(kind, row);
        }
    }
    None
}

fn add_to_step(session: &mut Session, block: Block, row: Line) -> Option<usize> {
    if let Some(node) = session.step {
        session.add(node, block);
        return Some(node);
    }
    let issuer = session.issuer(API);
    session.step = Some(session.row(reply(vec![block], &issuer), row));
    None
}

fn add(session: &mut Session, block: Block, step: Option<Text>, mut row: Line) -> Option<usize> {
    if let Some(node) = step.as_ref().and_then(|step| session.known(step)) {
        session.add(node, block);
        return Some(node);
    }
    row.id = step;
    let issuer = session.issuer(API);
    session.row(reply(vec![block], &issuer), row);
    None
}

/// A content: a text, or parts of it.
fn content(
    session: &mut Session,
    content: Option<Value<'_, '_>>,
    place: Place,
) -> Option<Vec<Block>> {
    let Some(content) = content.filter(|content| !content.is_null()) else {
        return Some(Vec::new());
    };
    match content.kind() {
        Kind::String => {
            let words = content.to_text().filter(|words| !words.is_empty());
            Some(words.map(Block::text).into_iter().collect())
        }
        Kind::Array if !is_long(content) => {
            Some(content.items().map(|part| self::part(session, part, place)).collect())
        }
        Kind::Array | Kind::Object | Kind::Null | Kind::Bool | Kind::Number => None,
    }
}

fn part(session: &mut Session, part: Value<'_, '_>, place: Place) -> Block {
    let kind = text(part, "type").unwrap_or_default();
    let read = match &*kind {
        "text" => text(part, "text").map(Block::text),
        "think" => text(part, "think").map(|reasoning| {
            let mut rest = Rest::default();
            rest.push(KEY.into(), Raw::string(&"reasoning_content".into()));
            Block::Reasoning(Reasoning { reasoning, proof: None, rest })
        }),
        "image_url" => image(session, part, place).map(Block::Image),
        _ => None,
    };
    read.unwrap_or_else(|| {
        session.unread_block(&kind, place);
        Block::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
    })
}

fn image(session: &mut Session, part: Value<'_, '_>, place: Place) -> Option<Image> {
    let holder = part.get("image_url").or_else(|| part.get("imageUrl"))?;
    let url = text(holder, "url").or_else(|| holder.to_text())?;
    let known = ["url", "id", "image_url", "imageUrl"];
    Some(openai_chat::image_of(&url, part, &known, &mut session.chain.report, place))
}

fn call(value: Value<'_, '_>) -> Option<Block> {
    let written = ["args", "arguments"].iter().find_map(|name| value.get(name));
    let input = match written {
        Some(words) if words.kind() == Kind::String => words.to_text().map(Input::new),
        written => written.map(Input::of_value),
    };
    Some(Block::ToolUse(ToolUse {
        id: text(value, "toolCallId").or_else(|| text(value, "id")).unwrap_or_default(),
        name: text(value, "name")?,
        input: input.unwrap_or_else(|| Input::new(Text::default())),
        proof: None,
        rest: Rest::default(),
    }))
}

fn result(id: Option<Text>, blocks: Vec<Block>, is_error: bool) -> ToolResult {
    let content = blocks.into_iter().filter_map(result_part);
    let (tool_use_id, tool_name) = (id.unwrap_or_default(), Text::default());
    ToolResult { tool_use_id, tool_name, content: content.collect(), is_error, rest: Rest::NONE }
}

fn usage(usage: Value<'_, '_>) -> Option<Usage> {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
    (usage.kind() == Kind::Object).then(|| Usage {
        input_tokens: count("inputOther"),
        output_tokens: count("output"),
        cache_creation_input_tokens: count("inputCacheCreation"),
        cache_read_input_tokens: count("inputCacheRead"),
    })
}

/// Places and ids of what a person said.
fn prompts(session: &Session) -> Vec<(usize, EntryId)> {
    let said = |entry: &record::Entry| {
        entry.message().is_some_and(|message| message.source == Some(Speaker::User))
    };
    let messages = session.messages().into_iter().filter(|(_, entry)| said(entry));
    messages.map(|(at, entry)| (at, entry.id.clone())).collect()
}

/// The summary as the model is given it, after the last prompts.
fn compaction(session: &mut Session, line: Value<'_, '_>, row: Line) {
    let handoff = text(line, "contextSummary").or_else(|| text(line, "summary"));
    let kept = line.get("keptUserMessageCount").and_then(Value::as_u64).unwrap_or(0);
    let prompts = prompts(session);
    let kept = prompts.len().saturating_sub(usize::try_from(kept).unwrap_or(usize::MAX));
    let retained = prompts.into_iter().skip(kept).map(|(_, id)| id).collect();
    session.compaction(handoff, retained, row);
}

fn undo(session: &mut Session, count: u64) {
    let prompts = prompts(session);
    let at = prompts.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
    if let Some((from, _)) = prompts.get(at) {
        session.take_back(*from);
    }
}
