//! A row as items of this API.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{
    Block, Entry, Image, Message, Proof, ProofKind, Reasoning, Rest, ResultPart, Role, ToolResult,
    ToolUse,
};
use wire::openai_responses::calls::unnamed;

use super::{API, ITEM};
use crate::error::ExportError;
use crate::openai_chat::url_of;
use crate::rest::{typed, with_rest};
use crate::{failure, origin};

/// The items of a row: what a model made, an item each; what else stands in one message, but for
/// results.
pub(crate) fn items_of(entry: &Entry, message: &Message) -> Result<Vec<Raw>, ExportError> {
    let role = match message.role {
        Role::System => "developer",
        Role::User | Role::Tool => "user",
        Role::Assistant => return replied(entry, message),
    };
    let cannot = |what: &'static str| ExportError::CannotCarry { entry: entry.id.clone(), what };
    let (mut items, mut parts) = (Vec::new(), Vec::new());
    for block in &message.blocks {
        match block {
            Block::Text(text) => {
                let mut part = typed("input_text");
                part.text("text", &text.text);
                parts.push(part.finish());
            }
            Block::Image(image) if message.role == Role::User => {
                parts.push(image_part(entry, image)?);
            }
            Block::Image(_) => return Err(cannot("an image that is not the person's")),
            Block::ToolUse(call) => items.push(call_of(call)),
            Block::ToolResult(result) => items.push(result_of(entry, result)?),
            Block::Reasoning(thought) => items.push(reasoning_of(thought)),
            Block::SystemChange(change) => {
                let item = change.rest.get(ITEM);
                items.push(item.ok_or_else(|| cannot("a change of tools or system text"))?.clone());
            }
            Block::Opaque(block) if !origin::may_be_of(block, API) => {}
            Block::Opaque(block) => parts.push(block.raw.clone()),
        }
    }
    if !parts.is_empty() {
        items.push(said(role, &Array::of(&parts)).finish());
    }
    Ok(items)
}

fn replied(entry: &Entry, message: &Message) -> Result<Vec<Raw>, ExportError> {
    let cannot = |what: &'static str| ExportError::CannotCarry { entry: entry.id.clone(), what };
    let mut items = Vec::new();
    for block in &message.blocks {
        items.push(match block {
            Block::Text(text) => {
                let refuses = text.rest.get(ITEM).is_some();
                let (kind, member) =
                    if refuses { ("refusal", "refusal") } else { ("output_text", "text") };
                let mut part = typed(kind);
                part.text(member, &text.text);
                let mut item = said("assistant", &Array::of([&part.finish()]));
                item_id(&mut item, text.proof.as_deref());
                with_rest(item, &text.rest, &[ITEM, "id"])
            }
            Block::Image(_) => return Err(cannot("an image that is not the person's")),
            Block::ToolUse(call) => call_of(call),
            Block::ToolResult(result) => result_of(entry, result)?,
            Block::Reasoning(thought) => reasoning_of(thought),
            Block::SystemChange(_) => return Err(cannot("a change of tools or system text")),
            Block::Opaque(block) if !origin::may_be_of(block, API) => continue,
            Block::Opaque(block) => block.raw.clone(),
        });
    }
    Ok(items)
}

fn said(role: &str, parts: &Raw) -> Object {
    let mut item = typed("message");
    item.string("role", role).raw("content", parts);
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
    match (unnamed(&kind), Raw::parse(call.input.text())) {
        (Some(row), Ok(value)) => {
            let doc = value.doc();
            let (name, value) = row.sent_as(doc.root());
            item.raw(name, &Raw::of(value))
        }
        (Some(_), Err(_)) if call.input.text().is_empty() => &mut item,
        _ if &*kind == "custom_tool_call" => {
            item.text("name", &call.name).text("input", call.input.text())
        }
        _ => item.text("name", &call.name).text("arguments", call.input.text()),
    };
    item_id(&mut item, call.proof.as_deref());
    with_rest(item, &call.rest, &[ITEM])
}

fn result_of(entry: &Entry, result: &ToolResult) -> Result<Raw, ExportError> {
    let kind = item_kind(&result.rest, "function_call_output");
    let mut item = typed(&kind);
    item.text("call_id", &result.tool_use_id);
    if &*kind == "local_shell_call_output" {
        item = typed(&kind);
        item.text("id", &result.tool_use_id);
    }
    match (&*kind, &*failure::told(result)) {
        ("tool_search_output", [ResultPart::Text(tools)]) => {
            item.raw("tools", &Raw::parse(tools).unwrap_or_else(|_| Raw::string(tools)));
        }
        ("computer_call_output", [ResultPart::Image(image)]) => {
            item.raw("output", &picture(entry, image, "computer_screenshot")?);
        }
        ("shell_call_output", [ResultPart::Text(text)]) => {
            item.raw("output", &Raw::parse(text).unwrap_or_else(|_| Raw::string(text)));
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
    picture(entry, image, "input_image")
}

fn picture(entry: &Entry, image: &Image, kind: &str) -> Result<Raw, ExportError> {
    let Some(url) = url_of(image) else {
        let what = "an image whose bytes are elsewhere";
        return Err(ExportError::CannotCarry { entry: entry.id.clone(), what });
    };
    let mut part = typed(kind);
    part.text("image_url", &url);
    Ok(with_rest(part, &image.rest, &[ITEM]))
}
