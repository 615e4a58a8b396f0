//! Blocks on disk, told apart by `type`. A block of a known type whose payload cannot be read is
//! kept as an unknown one: nothing is claimed about it that is not known.

#![deny(clippy::wildcard_enum_match_arm)]

use json::{Kind, Raw, Value};

use crate::block::{Block, OpaqueBlock, Reasoning, SystemChange, TextBlock, ToolUse};
use crate::head::ToolDefinition;
use crate::input::Input;
use crate::jsonl::fields::{Context, Read, Taken, filled_array, members, set, text};
use crate::jsonl::out::{Members, push_raw, push_text};
use crate::jsonl::{image, opaque, proof, result};
use crate::proof::Proof;

pub(super) fn read(context: &mut Context, value: Value<'_, '_>) -> Block {
    let kind = value.get("type").and_then(Value::to_text).unwrap_or_default();
    let before = context.findings.len();
    let known = match kind.as_str() {
        "text" => read_text(context, value),
        "tool_use" => read_tool_use(context, value),
        "tool_result" => result::read(context, value).map(Block::ToolResult),
        "reasoning" => read_reasoning(context, value),
        "image" => image::read_typed(context, value).map(Block::Image),
        "system_change" => read_system_change(context, value),
        opaque::WRAPPED => match opaque::read_wrapped(context, value) {
            Some(block) => return Block::Opaque(block),
            None => return Block::Opaque(opaque::read(context, kind, value)),
        },
        "" => None,
        _ => return Block::Opaque(opaque::read(context, kind, value)),
    };
    known.unwrap_or_else(|| {
        context.findings.truncate(before);
        let detail = "block cannot be read and is kept as written";
        context.unread(value, format!("a `{kind}` {detail}"));
        Block::Opaque(opaque::read(context, kind, value))
    })
}

fn reads_opaque(context: &mut Context, value: Value<'_, '_>) -> Option<OpaqueBlock> {
    match read(context, value) {
        Block::Opaque(block) => Some(block),
        Block::Text(_)
        | Block::ToolUse(_)
        | Block::ToolResult(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_) => None,
    }
}

fn read_proof(context: &mut Context, field: &mut Option<Box<Proof>>, value: Value<'_, '_>) -> Read {
    set(field, value, |value| proof::read(context, value))
}

fn read_text(context: &mut Context, value: Value<'_, '_>) -> Option<Block> {
    let (mut said, mut proof) = (None, None);
    let rest = members(context, value, |context, name, value| match name {
        "type" => Read::Skip,
        "text" => set(&mut said, value, text),
        "proof" => read_proof(context, &mut proof, value),
        _ => Read::Unknown,
    });
    Some(Block::Text(TextBlock { text: said?, proof, rest }))
}

fn read_tool_use(context: &mut Context, value: Value<'_, '_>) -> Option<Block> {
    let (mut id, mut name, mut input, mut proof) = (None, None, None, None);
    let rest = members(context, value, |context, member, value| match member {
        "type" => Read::Skip,
        "id" => set(&mut id, value, text),
        "name" => set(&mut name, value, text),
        "input" => set(&mut input, value, read_input),
        "proof" => read_proof(context, &mut proof, value),
        _ => Read::Unknown,
    });
    Some(Block::ToolUse(ToolUse { id: id?, name: name?, input: input?, proof, rest }))
}

/// The model's text; of an object that another writer put in its place, the object's own text.
fn read_input(value: Value<'_, '_>) -> Taken<Input> {
    match value.to_text() {
        Some(text) => Some((Input::new(text), true)),
        None if value.kind() == Kind::Object => Some((Input::of_value(value), false)),
        None => None,
    }
}

fn read_reasoning(context: &mut Context, value: Value<'_, '_>) -> Option<Block> {
    let (mut reasoning, mut proof) = (None, None);
    let rest = members(context, value, |context, name, value| match name {
        "type" => Read::Skip,
        "reasoning" => set(&mut reasoning, value, text),
        "proof" => read_proof(context, &mut proof, value),
        _ => Read::Unknown,
    });
    Some(Block::Reasoning(Reasoning { reasoning: reasoning?, proof, rest }))
}

/// All of a change or none of it: a part left out would be another change.
fn read_system_change(context: &mut Context, value: Value<'_, '_>) -> Option<Block> {
    let (mut define_tools, mut remove_tools, mut add_system) = (None, None, None);
    let mut whole = true;
    let rest = members(context, value, |_, name, value| {
        let read = match name {
            "type" => Read::Skip,
            "define_tools" => set(&mut define_tools, value, |v| filled_array(v, read_tool)),
            "remove_tools" => set(&mut remove_tools, value, |v| filled_array(v, text)),
            "add_system" => set(&mut add_system, value, |v| filled_array(v, text)),
            _ => Read::Unknown,
        };
        whole &= read != Read::Unread;
        read
    });
    whole.then(|| {
        Block::SystemChange(SystemChange {
            define_tools: define_tools.unwrap_or_default(),
            remove_tools: remove_tools.unwrap_or_default(),
            add_system: add_system.unwrap_or_default(),
            rest,
        })
    })
}

pub(super) fn read_tool(value: Value<'_, '_>) -> Taken<ToolDefinition> {
    Some((ToolDefinition::new(Raw::of(value))?, true))
}

pub(super) fn write(out: &mut Vec<u8>, block: &Block) {
    match block {
        Block::Text(block) => {
            let rests = [&block.rest];
            let mut members = Members::open(out, &rests);
            members.string("type", "text");
            members.text("text", &block.text);
            close_with(members, block.proof.as_deref());
        }
        Block::ToolUse(block) => {
            let rests = [&block.rest];
            let mut members = Members::open(out, &rests);
            members.string("type", "tool_use");
            members.text("id", &block.id);
            members.text("name", &block.name);
            members.text("input", block.input.text());
            close_with(members, block.proof.as_deref());
        }
        Block::ToolResult(block) => result::write(out, block),
        Block::Reasoning(block) => {
            let rests = [&block.rest];
            let mut members = Members::open(out, &rests);
            members.string("type", "reasoning");
            members.text("reasoning", &block.reasoning);
            close_with(members, block.proof.as_deref());
        }
        Block::Image(image) => image::write_typed(out, image),
        Block::SystemChange(change) => write_system_change(out, change),
        Block::Opaque(block) => opaque::write(out, block, reads_opaque),
    }
}

fn close_with(mut members: Members<'_, '_>, sealed: Option<&Proof>) {
    if let Some(sealed) = sealed {
        members.value("proof", |out| proof::write(out, sealed));
    }
    members.close();
}

fn write_system_change(out: &mut Vec<u8>, change: &SystemChange) {
    let rests = [&change.rest];
    let mut members = Members::open(out, &rests);
    members.string("type", "system_change");
    members.filled_array("define_tools", &change.define_tools, |out, tool| {
        push_raw(out, tool.wire());
    });
    members.filled_array("remove_tools", &change.remove_tools, push_text);
    members.filled_array("add_system", &change.add_system, push_text);
    members.close();
}
