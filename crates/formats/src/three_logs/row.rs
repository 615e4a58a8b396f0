//! Rows: a line of `messages.jsonl` in our own form, and back.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Kind, Object, Raw, Text, Value};
use record::{Block, Compaction, Entry, InputClass, Message, Role, ToolResult, ToolUse, jsonl};

use super::BOUNDARY;
use super::calls::given;
use super::envelope::{self, copied};

use crate::limits::PREVIEW_BYTES_MAX;

/// Members of a line that say again, for other readers, what our form says in its own words.
const ALSO: [&str; 5] = ["content", "reasoning_content", "tool_call_id", "tool_name", "replay"];

/// A line in our own form, with these blocks and this id.
pub(super) fn ours(line: Value<'_, '_>, id: &str, blocks: &Raw, run: Option<&Raw>) -> Object {
    let but = ["id", "ts", "blocks", "meta", "origin"];
    let mut object = Object::new();
    object.string("id", id);
    for (key, member) in line.members() {
        let name = key.as_str().unwrap_or_default();
        if !but.contains(&&*name) && !ALSO.contains(&&*name) {
            object.raw(&name, &Raw::of(member));
        }
    }
    if let Some(time) = line.get("ts").filter(|_| line.get("timestamp").is_none()) {
        object.raw("timestamp", &Raw::of(time));
    }
    let meta = line.get("meta").filter(|meta| meta.kind() == Kind::Object);
    let mut kept = meta.map_or_else(Object::new, |meta| copied(meta, &["tool_calls"]));
    kept.optional_raw("run", run.filter(|_| meta.is_none_or(|meta| meta.get("run").is_none())));
    let kept = kept.finish();
    if kept.as_str() != "{}" {
        object.raw("meta", &kept);
    } else if let Some(meta) = line.get("meta").filter(|meta| meta.kind() != Kind::Object) {
        object.raw("meta", &Raw::of(meta));
    }
    object.raw("blocks", blocks);
    object
}

/// What a line holds once its envelope is opened.
pub(super) struct Held {
    /// The blocks, proofs and all.
    pub(super) blocks: Vec<Raw>,
    response: Option<Raw>,
    /// Who issued, as far as the response says.
    pub(super) issuer: Option<Raw>,
    /// An envelope that does not fit, whole.
    pub(super) misfit: Option<Raw>,
}

/// Opens a line's envelope over its blocks.
pub(super) fn held(line: Value<'_, '_>, blocks: &[Value<'_, '_>]) -> Held {
    let bare = || blocks.iter().map(|block| Raw::of(*block)).collect();
    let Some(replay) = line.get("replay") else {
        return Held { blocks: bare(), response: None, issuer: None, misfit: None };
    };
    let Some(opened) = envelope::open(replay, blocks, line.get("source")) else {
        let misfit = Some(Raw::of(replay));
        return Held { blocks: bare(), response: None, issuer: None, misfit };
    };
    let sealed = blocks.iter().zip(&opened.proofs);
    let sealed = sealed.map(|(block, proof)| envelope::sealed(*block, proof.as_ref()));
    let (response, issuer) = (opened.response, opened.issuer);
    Held { blocks: sealed.collect(), response, issuer, misfit: None }
}

impl Held {
    /// The line in our own form.
    pub(super) fn row(&self, line: Value<'_, '_>, id: &str) -> Object {
        let mut object = ours(line, id, &Array::of(&self.blocks), None);
        object.optional_raw("response", self.response.as_ref());
        object.optional_raw("replay", self.misfit.as_ref());
        object
    }
}

/// The line of a message entry; `None` where it would not be read back as it is.
pub(super) fn of_message(entry: &Entry, message: &Message) -> Option<Raw> {
    let bare = Entry { origin: None, ..entry.clone() };
    let row = jsonl::write_entry(&bare).ok()?;
    let doc = row.doc();
    let root = doc.root();
    let mut line = Object::new();
    line.string("id", entry.id.as_str());
    line.optional_raw("ts", root.get("timestamp").map(Raw::of).as_ref());
    line.string("role", message.role.as_str()).string("content", &content_of(message));
    let thoughts = message.blocks.iter().filter_map(Block::as_reasoning);
    let thoughts = thoughts.map(|thought| thought.reasoning.as_str());
    let thoughts: Vec<&str> = thoughts.filter(|thought| !thought.is_empty()).collect();
    if !thoughts.is_empty() {
        line.string("reasoning_content", &thoughts.join("\n"));
    }
    if let (Role::Tool, [Block::ToolResult(result)]) = (message.role, message.blocks.as_slice()) {
        line.text("tool_call_id", &result.tool_use_id).text("tool_name", &result.tool_name);
    }
    if let Some(meta) = meta_of(root.get("meta"), message) {
        line.raw("meta", &meta);
    }
    let (blocks, replay) = envelope::close(root.get("blocks")?, root.get("response"));
    line.raw("blocks", &blocks);
    let but = ["entry", "id", "timestamp", "role", "meta", "blocks", "response"];
    for (key, member) in root.members() {
        let name = key.as_str()?;
        if !but.contains(&&*name) {
            line.raw(&name, &Raw::of(member));
        }
    }
    line.optional_raw("replay", replay.as_ref());
    let line = line.finish();
    (read_back(&line)? == bare).then_some(line)
}

fn content_of(message: &Message) -> String {
    let by_tool = message.role == Role::Tool;
    let texts = message.blocks.iter().filter_map(|block| match block {
        Block::Text(text) => Some(text.text.to_string()),
        Block::ToolResult(result) => by_tool.then(|| preview(result)),
        Block::ToolUse(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn preview(result: &ToolResult) -> String {
    let mut output = result.output();
    let mut end = output.len().min(PREVIEW_BYTES_MAX);
    while !output.is_char_boundary(end) {
        end -= 1;
    }
    output.truncate(end);
    output
}

fn meta_of(meta: Option<Value<'_, '_>>, message: &Message) -> Option<Raw> {
    let calls = message.blocks.iter().filter_map(Block::as_tool_use);
    let mut list = Array::new();
    let mut has_calls = false;
    for call in calls {
        let mut object = Object::new();
        object.text("id", &call.id).text("name", &call.name).text("raw_args", call.input.text());
        list.raw(&object.finish());
        has_calls = true;
    }
    let mut object = meta.map_or_else(Object::new, |meta| copied(meta, &[]));
    if has_calls {
        object.raw("tool_calls", &list.finish());
    }
    (has_calls || meta.is_some()).then(|| object.finish())
}

fn read_back(line: &Raw) -> Option<Entry> {
    let doc = line.doc();
    let root = doc.root();
    let blocks: Vec<Value<'_, '_>> = root.get("blocks")?.items().collect();
    let object = held(root, &blocks).row(root, &root.get_str("id")?);
    jsonl::read_entry(object.finish().as_str())
}

/// The two lines of a compaction: its record, and its boundary row; `None` where they would not be
/// read back as it is.
pub(super) fn of_compaction(entry: &Entry, compaction: &Compaction) -> Option<(Raw, Option<Raw>)> {
    let bare = Entry { origin: None, ..entry.clone() };
    let row = jsonl::write_entry(&bare).ok()?;
    let doc = row.doc();
    let time = doc.root().get("timestamp").map(Raw::of);
    let mut object = copied(doc.root(), &["entry", "timestamp"]);
    object.optional_raw("created_at", time.as_ref());
    let record = object.finish();
    if jsonl::read_entry(compacted(record.doc().root()).finish().as_str())? != bare {
        return None;
    }
    if compaction.kind == record::CompactionKind::Micro {
        return Some((record, None));
    }
    let (mut boundary, mut meta) = (Object::new(), Object::new());
    meta.string("kind", BOUNDARY).string("compact_id", entry.id.as_str());
    boundary.string("id", entry.id.as_str()).optional_raw("ts", time.as_ref());
    boundary.string("role", "assistant").string("content", "").raw("meta", &meta.finish());
    Some((record, Some(boundary.finish())))
}

/// A compaction's record in our own form.
pub(super) fn compacted(record: Value<'_, '_>) -> Object {
    let mut object = copied(record, &["created_at", "entry", "origin"]);
    object.string("entry", "compaction");
    if let Some(time) = record.get("created_at").filter(|_| record.get("timestamp").is_none()) {
        object.raw("timestamp", &Raw::of(time));
    }
    object
}

/// The record of a run, of a result's row. `call` is the call, where it is known; `block` is the
/// result as its row holds it.
pub(super) fn run_of(
    entry: &Entry,
    result: &ToolResult,
    call: Option<&ToolUse>,
    block: Value<'_, '_>,
) -> Raw {
    let run = entry.message().and_then(|message| message.meta.get("run")).map(Raw::doc);
    let run = run.as_ref().map(|run| run.root());
    let member = |name: &str| run.and_then(|run| run.get(name)).map(Raw::of);
    let output = result.output();
    let mut object = Object::new();
    object.text("id", &result.tool_use_id);
    object.optional_raw("ts_start", member("start").as_ref());
    object.optional_raw("ts_end", member("end").as_ref());
    object.text("name", call.map_or(&result.tool_name, |call| &call.name));
    arguments(&mut object, call);
    object.string("result", &output).bool("ok", !result.is_error);
    object.optional_raw("error_type", member("error_type").as_ref());
    object.optional_raw("error_message", member("error_message").as_ref());
    if let Some(code) = member("exit_code") {
        let mut meta = Object::new();
        object.raw("meta", &meta.raw("exit_code", &code).finish());
    }
    if !output.is_empty() {
        object.string("model_content", &output).string("model_content_format", "tool_result_v2");
        object.optional_raw("model_content_policy", member("policy").as_ref());
    }
    let images = block.get("images");
    object.optional_raw("model_images", images.map(Raw::of).as_ref());
    object.finish()
}

/// The arguments of a call: parsed where they are an object, and as they were written.
pub(super) fn arguments(object: &mut Object, call: Option<&ToolUse>) {
    let Some(call) = call else { return };
    let args = Some(call.input.text()).filter(|_| call.input.class() == InputClass::Object);
    object.optional_raw("args", args.and_then(|args| Raw::parse(args).ok()).as_ref());
    object.text("raw_args", call.input.text());
}

/// The result of a record, as a block.
pub(super) fn result_of(id: &Text, name: Option<&Text>, record: Value<'_, '_>) -> Option<Raw> {
    let output = given(record)?;
    let mut block = Object::new();
    block.string("type", "tool_result").text("tool_use_id", id);
    match name {
        Some(name) => block.text("tool_name", name),
        None => block.optional_raw("tool_name", record.get("name").map(Raw::of).as_ref()),
    };
    block.raw("output", &Raw::of(output));
    block.optional_raw("images", record.get("model_images").map(Raw::of).as_ref());
    block.bool("is_error", record.get("ok").and_then(Value::as_bool) == Some(false));
    Some(block.finish())
}

/// What else a record says of its run.
pub(super) fn meta_run(record: Value<'_, '_>) -> Option<Raw> {
    const MEMBERS: [(&str, &str); 5] = [
        ("ts_start", "start"),
        ("ts_end", "end"),
        ("error_type", "error_type"),
        ("error_message", "error_message"),
        ("model_content_policy", "policy"),
    ];
    let mut run = Object::new();
    for (theirs, ours) in MEMBERS {
        run.optional_raw(ours, record.get(theirs).filter(|v| !v.is_null()).map(Raw::of).as_ref());
    }
    let code = record.get("meta").and_then(|meta| meta.get("exit_code"));
    run.optional_raw("exit_code", code.map(Raw::of).as_ref());
    let run = run.finish();
    (run.as_str() != "{}").then_some(run)
}
