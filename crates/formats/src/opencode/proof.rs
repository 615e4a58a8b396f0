//! What signs a part, told by the name it stands under in the part's metadata.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use json::{Kind, Object, Raw, Text, Value};
use record::{Block, Issuer, Proof, ProofKind, Rest};

use crate::source::one_line;

/// One place in a part's metadata.
struct Row {
    /// Who wrote it.
    owner: &'static str,
    /// The member that seals.
    member: &'static str,
    kind: ProofKind,
    /// The dialect it came over.
    api: &'static str,
}

const fn row(owner: &'static str, member: &'static str, kind: ProofKind, api: &'static str) -> Row {
    Row { owner, member, kind, api }
}

/// Of several in one part the first counts.
static ROWS: [Row; 11] = [
    row("anthropic", "signature", ProofKind::Signature, "anthropic_messages"),
    row("anthropic", "redactedData", ProofKind::Redacted, "anthropic_messages"),
    row("openai", "reasoningEncryptedContent", ProofKind::Encrypted, "openai_responses"),
    row("openai", "itemId", ProofKind::ItemId, "openai_responses"),
    row("azure", "reasoningEncryptedContent", ProofKind::Encrypted, "openai_responses"),
    row("azure", "itemId", ProofKind::ItemId, "openai_responses"),
    row("google", "thoughtSignature", ProofKind::Signature, "gemini"),
    row("vertex", "thoughtSignature", ProofKind::Signature, "gemini"),
    row("bedrock", "signature", ProofKind::Signature, "bedrock_converse"),
    row("bedrock", "redactedData", ProofKind::Redacted, "bedrock_converse"),
    row("copilot", "reasoningOpaque", ProofKind::Encrypted, "openai_chat"),
];

/// The dialect a provider is spoken to in, where no part says.
const API_OF_PROVIDER: [(&str, &str); 4] = [
    ("anthropic", "anthropic_messages"),
    ("openai", "openai_responses"),
    ("google", "gemini"),
    ("amazon-bedrock", "bedrock_converse"),
];

/// Our names of providers, where they differ.
const PLATFORMS: [(&str, &str); 2] =
    [("amazon-bedrock", "bedrock"), ("google-vertex", "google-cloud")];

fn sealed<'d, 't>(part: Value<'d, 't>) -> Option<(&'static Row, Value<'d, 't>)> {
    let metadata = part.get("metadata")?;
    ROWS.iter().find_map(|row| {
        let sealed = metadata.get(row.owner)?.get(row.member)?;
        let filled = sealed.kind() == Kind::String && sealed.raw() != "\"\"";
        filled.then_some((row, sealed))
    })
}

/// Who made a message: its provider and model, and the API its parts came over.
pub(crate) fn issuer(info: Value<'_, '_>, parts: Value<'_, '_>) -> Arc<Issuer> {
    let text = |name: &str| info.get(name).and_then(Value::to_text).unwrap_or_default();
    let provider = text("providerID");
    let named = |table: &[(&str, &'static str)]| {
        table.iter().find(|(name, _)| *name == provider.as_str()).map(|(_, ours)| *ours)
    };
    let api = parts.items().find_map(|part| sealed(part).map(|(row, _)| row.api));
    let api = api.or_else(|| named(&API_OF_PROVIDER)).unwrap_or_default();
    let platform = named(&PLATFORMS).map_or_else(|| provider.clone(), Text::from);
    Arc::new(Issuer { platform, account: None, api: api.into(), model: text("modelID") })
}

/// The proof of a part. The id of an item whose content is sealed goes to the block's rest.
pub(crate) fn of(part: Value<'_, '_>, issuer: &Arc<Issuer>, rest: &mut Rest) -> Option<Box<Proof>> {
    let (row, value) = sealed(part)?;
    if row.kind == ProofKind::Encrypted
        && let Some(id) = part.get("metadata").and_then(|all| all.get(row.owner)?.get("itemId"))
    {
        rest.push("id".into(), one_line(id));
    }
    let issuer = if issuer.api.as_str() == row.api {
        Arc::clone(issuer)
    } else {
        Arc::new(Issuer { api: row.api.into(), ..(**issuer).clone() })
    };
    let sealed = one_line(value);
    Some(Box::new(Proof { issuer, kind: row.kind.clone(), version: 1, sealed }))
}

/// The metadata of a block's part: what signs it, under the name it is read from.
pub(crate) fn metadata_of(block: &Block) -> Option<Raw> {
    let (proof, rest) = match block {
        Block::Text(text) => (&text.proof, &text.rest),
        Block::ToolUse(call) => (&call.proof, &call.rest),
        Block::Reasoning(thought) => (&thought.proof, &thought.rest),
        Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) | Block::Opaque(_) => {
            return None;
        }
    };
    let proof = proof.as_deref()?;
    let api = proof.issuer.api.as_str();
    let row = ROWS.iter().find(|row| row.api == api && row.kind == proof.kind)?;
    let (mut sealed, mut metadata) = (Object::new(), Object::new());
    sealed.optional_raw("itemId", rest.get("id")).raw(row.member, &proof.sealed);
    metadata.raw(row.owner, &sealed.finish());
    Some(metadata.finish())
}
