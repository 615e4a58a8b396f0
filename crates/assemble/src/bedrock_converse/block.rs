//! The blocks a model makes, read. What only the service reads is opaque.

use std::sync::Arc;

use json::{Kind, Object, Raw, Text, Value};
use record::jsonl::rest_of;
use record::{
    Block, Input, Issuer, OpaqueBlock, Proof, ProofKind, Reasoning, Rest, TextBlock, ToolUse,
};
use wire::bedrock_converse::events::only;

/// The member of a text that holds what it cites.
pub const CITATIONS: &str = "citations";

/// Whether a call is the service's own: it runs it, and returns its result in the same reply.
pub(super) fn is_own_tool(call: Value<'_, '_>) -> bool {
    call.get_str("type").is_some_and(|kind| kind != "tool_use")
}

/// A block; `None` where it has another shape than its name says.
pub fn block(value: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Block> {
    let (kind, inner) = only(value)?;
    match kind.as_str() {
        "text" => Some(Block::text(inner.to_text()?)),
        "reasoningContent" => reasoning(inner, issuer).map(Block::Reasoning),
        "toolUse" if !is_own_tool(inner) => call(inner).map(Block::ToolUse),
        "citationsContent" => {
            Some(cited(inner).map_or_else(|| native(kind, inner, issuer), Block::Text))
        }
        _ => Some(native(kind, inner, issuer)),
    }
}

fn reasoning(value: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Reasoning> {
    if let Some(sealed) = value.get("redactedContent") {
        let sealed = (sealed.kind() == Kind::String).then(|| Raw::of(sealed))?;
        let proof = Some(proof(ProofKind::Redacted, sealed, issuer));
        return Some(Reasoning { reasoning: Text::default(), proof, rest: Rest::NONE });
    }
    let said = value.get("reasoningText")?;
    let reasoning = said.get("text")?.to_text()?;
    let signature = said
        .get("signature")
        .filter(|sealed| sealed.kind() == Kind::String && sealed.raw() != "\"\"");
    let proof = signature.map(|sealed| proof(ProofKind::Signature, Raw::of(sealed), issuer));
    Some(Reasoning { reasoning, proof, rest: rest_of(said, &["text", "signature"]) })
}

fn call(value: Value<'_, '_>) -> Option<ToolUse> {
    let text = |name: &str| value.get(name).and_then(Value::to_text);
    let input = value.get("input").map_or_else(|| Input::new(Text::default()), Input::of_value);
    let id = text("toolUseId").unwrap_or_default();
    Some(ToolUse { id, name: text("name")?, input, proof: None, rest: call_rest(value) })
}

/// Members of a call beyond its id, name and arguments.
pub(super) fn call_rest(value: Value<'_, '_>) -> Rest {
    rest_of(value, &["toolUseId", "name", "input"])
}

/// A text and what it cites; `None` where it is more than text.
fn cited(value: Value<'_, '_>) -> Option<TextBlock> {
    let texts: Option<Vec<String>> = value
        .get("content")?
        .items()
        .map(|part| Some(part.get_str("text")?.into_owned()))
        .collect();
    let mut rest = Rest::default();
    rest.push(CITATIONS.into(), Raw::one_line(value.get(CITATIONS)?));
    Some(TextBlock { text: texts?.concat().into(), proof: None, rest })
}

/// A block that only the service reads; it is its own proof.
pub(super) fn native(kind: Text, inner: Value<'_, '_>, issuer: &Arc<Issuer>) -> Block {
    let raw = of_kind(&kind, &Raw::one_line(inner));
    let proof = Some(proof(ProofKind::Native, Raw::string(&Text::default()), issuer));
    Block::Opaque(OpaqueBlock { kind, raw, proof })
}

/// A block of a kind.
pub(super) fn of_kind(kind: &str, inner: &Raw) -> Raw {
    let mut object = Object::new();
    object.raw(kind, inner);
    object.finish()
}

/// A proof that seals this.
pub(super) fn proof(kind: ProofKind, sealed: Raw, issuer: &Arc<Issuer>) -> Box<Proof> {
    Box::new(Proof { issuer: Arc::clone(issuer), kind, version: 1, sealed })
}
