//! The items a model makes, read. What only their provider reads is opaque.

use std::sync::Arc;

use json::{Array, Kind, Object, Raw, Text, Value};
use record::jsonl::rest_of;
use record::{
    Block, Input, Issuer, OpaqueBlock, Proof, ProofKind, Reasoning, Rest, TextBlock, ToolUse,
};
use wire::openai_responses::calls::unnamed;
use wire::openai_responses::events::filled;

/// The member of a block that names the item or part it came from, where that is not the usual
/// one.
pub const ITEM: &str = "item";

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemType {
    /// What the model says.
    Message,
    /// What it thinks.
    Reasoning,
    /// A call that waits for a result; of a tool that takes any text.
    Call { is_freeform: bool },
    /// What only its provider reads.
    Native,
}

/// What an item is, by its type.
pub(super) fn type_of(item: Value<'_, '_>) -> ItemType {
    let is = |name: &str, value: &str| item.get(name).is_some_and(|found| found.is_str(value));
    let is_others = item.get("role").is_some() && !is("role", "assistant");
    match &*item.get_str("type").unwrap_or_default() {
        "message" if !is_others => ItemType::Message,
        "reasoning" => ItemType::Reasoning,
        "custom_tool_call" => ItemType::Call { is_freeform: true },
        "function_call" => ItemType::Call { is_freeform: false },
        kind if unnamed(kind).is_some() && !is("execution", "server") && !is_hosted(item) => {
            ItemType::Call { is_freeform: false }
        }
        _ => ItemType::Native,
    }
}

/// Whether a call is run where its provider says, and not by us.
fn is_hosted(item: Value<'_, '_>) -> bool {
    filled(item, "environment")
        .is_some_and(|of| of.get("type").is_none_or(|of| !of.is_str("local")))
}

/// The blocks of an item; one that has another shape than its type says is kept, and nobody reads
/// it: `Err`.
pub(super) fn blocks(item: Value<'_, '_>, issuer: &Arc<Issuer>) -> Result<Vec<Block>, Block> {
    let read = match type_of(item) {
        ItemType::Message => speech(item, issuer),
        ItemType::Reasoning => Some(vec![Block::Reasoning(reasoning(item, issuer))]),
        ItemType::Call { .. } => call(item, issuer).map(|call| vec![Block::ToolUse(call)]),
        ItemType::Native => Some(vec![native(item, issuer)]),
    };
    read.ok_or_else(|| unread(item))
}

/// An item that nobody reads.
pub(super) fn unread(item: Value<'_, '_>) -> Block {
    let kind = item.get("type").and_then(Value::to_text).unwrap_or_default();
    Block::Opaque(OpaqueBlock { kind, raw: Raw::one_line(item), proof: None })
}

/// The parts of a message, each under the id of the item; what else the item says stands on the
/// first. One of parts that only its provider reads is opaque as a whole.
fn speech(item: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Vec<Block>> {
    let content = item.get("content")?;
    let mut blocks: Vec<Block> = match content.kind() {
        Kind::String => vec![Block::text(content.to_text()?)],
        Kind::Array => content.items().map(|part| self::part(part, issuer)).collect(),
        Kind::Null | Kind::Bool | Kind::Number | Kind::Object => return None,
    };
    if !blocks.is_empty() && blocks.iter().all(|block| block.as_text().is_none()) {
        return Some(vec![native(item, issuer)]);
    }
    let mut beside = Some(item_rest(item));
    for block in &mut blocks {
        let Block::Text(text) = block else { continue };
        text.proof = item_id(item, issuer);
        extend(&mut text.rest, beside.take().unwrap_or_default());
    }
    Some(blocks)
}

/// Members of a message beside its content.
pub(super) fn item_rest(item: Value<'_, '_>) -> Rest {
    rest_of(item, &["role", "content"])
}

/// Adds members.
pub(super) fn extend(rest: &mut Rest, more: Rest) {
    for (name, value) in more.iter() {
        rest.push(name.clone(), value.clone());
    }
}

fn part(part: Value<'_, '_>, issuer: &Arc<Issuer>) -> Block {
    let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
    let text = |name: &str| part.get(name).and_then(Value::to_text);
    match kind.as_str() {
        "output_text" | "text" => text("text").map(|text| {
            Block::Text(TextBlock { text, proof: None, rest: rest_of(part, &["text"]) })
        }),
        "refusal" => text("refusal").map(|text| {
            let mut rest = rest_of(part, &["refusal"]);
            extend(&mut rest, refused());
            Block::Text(TextBlock { text, proof: None, rest })
        }),
        _ => None,
    }
    .unwrap_or_else(|| native_part(part, issuer))
}

/// The rest of a text that was a refusal.
pub(super) fn refused() -> Rest {
    marked("refusal")
}

/// The rest of a block that came from an item or part of this type.
fn marked(kind: &str) -> Rest {
    let mut rest = Rest::default();
    rest.push(ITEM.into(), Raw::string(&kind.into()));
    rest
}

/// A part that only its provider reads, as a message of its own.
fn native_part(part: Value<'_, '_>, issuer: &Arc<Issuer>) -> Block {
    let mut item = Object::new();
    item.string("type", "message").string("role", "assistant");
    item.raw("content", &Array::of([&Raw::one_line(part)]));
    native(item.finish().doc().root(), issuer)
}

/// A thought: its text as far as it was shown, sealed where it was encrypted.
fn reasoning(item: Value<'_, '_>, issuer: &Arc<Issuer>) -> Reasoning {
    let texts = |name: &str| {
        let parts = item.get(name).into_iter().flat_map(Value::items);
        let texts: Vec<String> =
            parts.filter_map(|part| Some(part.get_str("text")?.into_owned())).collect();
        texts.join(BETWEEN_PARTS)
    };
    let full = texts("content");
    let reasoning = if full.is_empty() { texts("summary") } else { full };
    let mut rest = rest_of(item, &["encrypted_content"]);
    let proof = match string(item, "encrypted_content") {
        Some(sealed) => {
            if let Some(id) = item.get("id") {
                rest.push("id".into(), Raw::one_line(id));
            }
            Some(proof(ProofKind::Encrypted, Raw::one_line(sealed), issuer))
        }
        None => item_id(item, issuer),
    };
    Reasoning { reasoning: reasoning.into(), proof, rest }
}

/// What stands between the parts of a thought.
pub(super) const BETWEEN_PARTS: &str = "\n\n";

/// A call; `None` where it names no tool.
fn call(item: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<ToolUse> {
    let (id, name) = (call_id(item), tool_name(item)?);
    let input = input(item);
    let mut rest = rest_of(item, &["call_id", "name", "arguments", "input", given(item)]);
    extend(&mut rest, call_mark(item));
    Some(ToolUse { id, name, input, proof: item_id(item, issuer), rest })
}

/// The id that a call's result names.
pub(super) fn call_id(item: Value<'_, '_>) -> Text {
    let text = |name: &str| item.get(name).and_then(Value::to_text);
    text("call_id").or_else(|| text("id")).unwrap_or_default()
}

/// The tool that is called.
pub(super) fn tool_name(item: Value<'_, '_>) -> Option<Text> {
    match unnamed(&item.get_str("type")?) {
        Some(row) => Some(row.tool.into()),
        None => item.get("name")?.to_text(),
    }
}

/// The member that holds what a tool is given, beside those of functions and free tools.
fn given(item: Value<'_, '_>) -> &'static str {
    let row = item.get_str("type").and_then(|kind| unnamed(&kind));
    row.map_or("arguments", |row| row.given_in(item))
}

/// The arguments of a call, as far as they are there.
pub(super) fn input(item: Value<'_, '_>) -> Input {
    let given = given(item);
    let input = ["arguments", "input", given].iter().find_map(|name| item.get(name));
    let row = item.get_str("type").and_then(|kind| unnamed(&kind));
    let is_list = row.is_some_and(|row| row.several == Some(given));
    match input {
        Some(list) if is_list => {
            let mut several = Object::new();
            several.raw(given, &Raw::of(list));
            Input::of_value(several.finish().doc().root())
        }
        Some(input) if input.kind() == Kind::String => {
            Input::new(input.to_text().unwrap_or_default())
        }
        Some(input) if !input.is_null() => Input::of_value(input),
        Some(_) | None => Input::new(Text::default()),
    }
}

/// Names the item a call came from, where that is no call of a function.
pub(super) fn call_mark(item: Value<'_, '_>) -> Rest {
    match item.get_str("type") {
        Some(kind) if kind != "function_call" => marked(&kind),
        Some(_) | None => Rest::NONE,
    }
}

/// An item that only its provider reads; it is its own proof.
fn native(item: Value<'_, '_>, issuer: &Arc<Issuer>) -> Block {
    let kind = item.get("type").and_then(Value::to_text).unwrap_or_default();
    let proof = Some(proof(ProofKind::Native, Raw::string(&Text::default()), issuer));
    Block::Opaque(OpaqueBlock { kind, raw: Raw::one_line(item), proof })
}

/// The id of an item, as its proof.
pub(super) fn item_id(item: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Box<Proof>> {
    let id = string(item, "id")?;
    Some(proof(ProofKind::ItemId, Raw::one_line(id), issuer))
}

fn string<'d, 't>(item: Value<'d, 't>, name: &str) -> Option<Value<'d, 't>> {
    item.get(name).filter(|value| value.kind() == Kind::String && value.raw() != "\"\"")
}

fn proof(kind: ProofKind, sealed: Raw, issuer: &Arc<Issuer>) -> Box<Proof> {
    Box::new(Proof { issuer: Arc::clone(issuer), kind, version: 1, sealed })
}
