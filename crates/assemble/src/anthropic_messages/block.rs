//! The blocks a model makes, read from their wire form. What only their provider reads is opaque.

use std::sync::Arc;

use json::{Kind, Raw, Text, Value};
use record::jsonl::rest_of;
use record::{
    Block, Input, Issuer, OpaqueBlock, Proof, ProofKind, Reasoning, Rest, TextBlock, ToolUse,
};

/// A block; `None` where it has another shape than its type says. A call without an id has an empty
/// one.
pub fn block(value: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Block> {
    match &*value.get_str("type")? {
        "text" => text(value),
        "thinking" => thinking(value, issuer),
        "redacted_thinking" => redacted(value, issuer),
        "tool_use" => tool_use(value),
        kind => Some(Block::Opaque(native(kind.into(), value, issuer))),
    }
}

/// Members of a text beyond what is said; a cache mark is no history.
pub(crate) fn text_rest(value: Value<'_, '_>) -> Rest {
    rest_of(value, &["text", "cache_control"])
}

/// Members of a thought beyond its text and signature.
pub(crate) fn thinking_rest(value: Value<'_, '_>) -> Rest {
    rest_of(value, &["thinking", "signature", "cache_control"])
}

/// Members of a call beyond its id, name and arguments.
pub(crate) fn call_rest(value: Value<'_, '_>) -> Rest {
    rest_of(value, &["id", "name", "input", "cache_control"])
}

/// A proof that seals this.
pub(crate) fn proof(kind: ProofKind, sealed: Raw, issuer: &Arc<Issuer>) -> Box<Proof> {
    Box::new(Proof { issuer: Arc::clone(issuer), kind, version: 1, sealed })
}

fn text(value: Value<'_, '_>) -> Option<Block> {
    let text = value.get("text")?.to_text()?;
    Some(Block::Text(TextBlock { text, proof: None, rest: text_rest(value) }))
}

fn thinking(value: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Block> {
    let reasoning = value.get("thinking")?.to_text()?;
    let signature = value.get("signature").filter(|value| !value.is_null());
    let proof = match signature {
        Some(sealed) if sealed.kind() != Kind::String => return None,
        Some(sealed) if sealed.raw() != "\"\"" => {
            Some(proof(ProofKind::Signature, Raw::of(sealed), issuer))
        }
        Some(_) | None => None,
    };
    Some(Block::Reasoning(Reasoning { reasoning, proof, rest: thinking_rest(value) }))
}

fn redacted(value: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Block> {
    let data = value.get("data").filter(|data| data.kind() == Kind::String)?;
    let proof = Some(proof(ProofKind::Redacted, Raw::of(data), issuer));
    let rest = rest_of(value, &["data", "cache_control"]);
    Some(Block::Reasoning(Reasoning { reasoning: Text::default(), proof, rest }))
}

fn tool_use(value: Value<'_, '_>) -> Option<Block> {
    let name = value.get("name")?.to_text()?;
    let id = match value.get("id") {
        Some(id) => id.to_text()?,
        None => Text::default(),
    };
    let input = match value.get("input") {
        Some(input) => Input::of_value(input),
        None => Input::new(Text::default()),
    };
    Some(Block::ToolUse(ToolUse { id, name, input, proof: None, rest: call_rest(value) }))
}

/// A block that only its provider can read. It is its own proof: it is not stored twice.
pub fn native(kind: Text, value: Value<'_, '_>, issuer: &Arc<Issuer>) -> OpaqueBlock {
    let sealed = Raw::string(&Text::default());
    let proof = Some(proof(ProofKind::Native, sealed, issuer));
    OpaqueBlock { kind, raw: without_cache_mark(value), proof }
}

/// A value as it is written, its own cache mark taken out.
fn without_cache_mark(value: Value<'_, '_>) -> Raw {
    if value.get("cache_control").is_none() {
        return Raw::one_line(value);
    }
    let mut object = json::Object::new();
    for (key, member) in value.members() {
        if let Some(name) = key.as_str().filter(|name| name != "cache_control") {
            object.raw(&name, &Raw::one_line(member));
        }
    }
    object.finish()
}
