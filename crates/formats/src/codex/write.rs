//! A record written as a rollout.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{
    Block, Entry, Fact, Image, Message, Proof, ProofKind, Reasoning, Record, Rest, ResultPart,
    Role, ToolResult, ToolUse,
};

use super::{API, ITEM};
use crate::error::ExportError;
use crate::openai_chat::url_of;
use crate::rest::{typed, with_rest};
use crate::{Format, failure, origin};

/// Writes the lines the record came from, then lines for what the main branch holds beyond them.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    let format = Format::Codex.name();
    let mut out = origin::lines(record, format);
    for entry in record.branch_path("main") {
        if origin::of(&entry, format).is_some() {
            continue;
        }
        for (kind, payload) in payloads_of(&entry)? {
            let mut line = Object::new();
            line.optional_string("timestamp", entry.time.as_deref());
            line.string("type", kind).raw("payload", &payload);
            origin::end_line(&mut out);
            out.extend_from_slice(line.finish().as_str().as_bytes());
            out.push(b'\n');
        }
    }
    if out.is_empty() { Err(ExportError::NothingToWrite) } else { Ok(out) }
}

/// The lines of an entry: their type and payload.
fn payloads_of(entry: &Entry) -> Result<Vec<(&'static str, Raw)>, ExportError> {
    match &entry.fact {
        Fact::Message(message) => {
            let items = items_of(entry, message)?.into_iter();
            Ok(items.map(|item| ("response_item", item)).collect())
        }
        Fact::Compaction(compaction) => {
            let Some(handoff) = compaction.handoff.as_ref() else { return Ok(Vec::new()) };
            let mut payload = Object::new();
            payload.text("message", handoff);
            Ok(vec![("compacted", payload.finish())])
        }
        Fact::Head(head) => {
            let system = head.head.iter().flat_map(|head| &head.system);
            let system: Vec<&str> = system.map(Text::as_str).collect();
            let (mut text, mut payload) = (Object::new(), Object::new());
            text.string("text", &system.join("\n\n"));
            payload.raw("base_instructions", &text.finish());
            Ok(vec![("session_meta", payload.finish())])
        }
        Fact::CallStarted(_) | Fact::Sent(_) | Fact::Retracted(_) | Fact::Opaque(_) => {
            Ok(Vec::new())
        }
    }
}

fn items_of(entry: &Entry, message: &Message) -> Result<Vec<Raw>, ExportError> {
    let (role, text_part) = match message.role {
        Role::System => ("developer", "input_text"),
        Role::User | Role::Tool => ("user", "input_text"),
        Role::Assistant => ("assistant", "output_text"),
    };
    let cannot = |what: &'static str| ExportError::CannotCarry { entry: entry.id.clone(), what };
    let mut items = Vec::new();
    for block in &message.blocks {
        items.push(match block {
            Block::Text(text) => {
                let mut part = typed(text_part);
                part.text("text", &text.text);
                let mut item = said(role, &part.finish());
                item_id(&mut item, text.proof.as_deref());
                with_rest(item, &text.rest, &[ITEM])
            }
            Block::Image(image) if message.role == Role::User => {
                said(role, &image_part(entry, image)?).finish()
            }
            Block::Image(_) => return Err(cannot("an image that is not the person's")),
            Block::ToolUse(call) => call_of(call),
            Block::ToolResult(result) => result_of(entry, result)?,
            Block::Reasoning(thought) => reasoning_of(thought),
            Block::SystemChange(_) => {
                return Err(cannot("a change of tools or system text"));
            }
            Block::Opaque(block) if !origin::may_be_of(block, API) => continue,
            Block::Opaque(block) => block.raw.clone(),
        });
    }
    Ok(items)
}

fn said(role: &str, part: &Raw) -> Object {
    let mut item = typed("message");
    item.string("role", role).raw("content", &Array::of([part]));
    item
}

/// The id an item had, where it is an item of this API.
fn item_id(item: &mut Object, proof: Option<&Proof>) {
    if let Some(proof) = proof.filter(|proof| &*proof.issuer.api == API)
        && proof.kind == ProofKind::ItemId
    {
        item.raw("id", &proof.sealed);
    }
}

/// The type of item a block came from.
fn item_kind(rest: &Rest, usual: &str) -> Text {
    let kind = rest.get(ITEM).and_then(|kind| kind.doc().root().to_text());
    kind.unwrap_or_else(|| usual.into())
}

fn call_of(call: &ToolUse) -> Raw {
    let kind = item_kind(&call.rest, "function_call");
    let mut item = typed(&kind);
    item.text("call_id", &call.id);
    let value = || Raw::parse(call.input.text()).ok();
    match (&*kind, value()) {
        ("custom_tool_call", _) => item.text("name", &call.name).text("input", call.input.text()),
        ("tool_search_call", Some(arguments)) => item.raw("arguments", &arguments),
        ("local_shell_call", Some(action)) => item.raw("action", &action),
        _ => item.text("name", &call.name).text("arguments", call.input.text()),
    };
    item_id(&mut item, call.proof.as_deref());
    with_rest(item, &call.rest, &[ITEM])
}

fn result_of(entry: &Entry, result: &ToolResult) -> Result<Raw, ExportError> {
    let kind = item_kind(&result.rest, "function_call_output");
    let mut item = typed(&kind);
    item.text("call_id", &result.tool_use_id);
    match (&*kind, &*failure::told(result)) {
        ("tool_search_output", [ResultPart::Text(tools)]) => {
            item.raw("tools", &Raw::parse(tools).unwrap_or_else(|_| Raw::string(tools)));
        }
        (_, []) => {
            item.string("output", "");
        }
        (_, [ResultPart::Text(text)]) => {
            item.text("output", text);
        }
        (_, content) => {
            let mut parts = Array::new();
            for part in content {
                parts.raw(&match part {
                    ResultPart::Text(text) => {
                        let mut object = typed("input_text");
                        object.text("text", text);
                        object.finish()
                    }
                    ResultPart::Image(image) => image_part(entry, image)?,
                    ResultPart::Opaque(block) if !origin::may_be_of(block, API) => continue,
                    ResultPart::Opaque(block) => block.raw.clone(),
                });
            }
            item.raw("output", &parts.finish());
        }
    }
    Ok(with_rest(item, &result.rest, &[ITEM]))
}

/// A thought; what another API sealed is no content this one can open.
fn reasoning_of(thought: &Reasoning) -> Raw {
    let mut item = typed("reasoning");
    let proof = thought.proof.as_deref().filter(|proof| &*proof.issuer.api == API);
    if thought.rest.get("summary").is_none() {
        let mut summary = Array::new();
        if !thought.reasoning.is_empty() {
            let mut part = typed("summary_text");
            part.text("text", &thought.reasoning);
            summary.raw(&part.finish());
        }
        item.raw("summary", &summary.finish());
    }
    let encrypted = proof.filter(|proof| proof.kind == ProofKind::Encrypted);
    item.optional_raw("encrypted_content", encrypted.map(|proof| &proof.sealed));
    item_id(&mut item, proof);
    with_rest(item, &thought.rest, &[ITEM])
}

fn image_part(entry: &Entry, image: &Image) -> Result<Raw, ExportError> {
    let Some(url) = url_of(image) else {
        let what = "an image whose bytes are elsewhere";
        return Err(ExportError::CannotCarry { entry: entry.id.clone(), what });
    };
    let mut part = typed("input_image");
    part.text("image_url", &url);
    Ok(with_rest(part, &image.rest, &[ITEM]))
}
