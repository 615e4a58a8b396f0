//! Proofs beside the blocks, as some adapters give them: zipped in once, or set aside whole.
//!
//! In it stand what the adapter keeps of the response, and one entry for every block that was
//! emitted. Of another length it is nothing: what happens to fit would be false history.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use json::{Kind, Raw, Text, Value};
use record::{Block, Issuer, Proof, ProofKind};

use crate::emitted::Blocks;

/// The version of the adapter's form that is read; its seals are ours of version 1.
const VERSION: u64 = 2;

/// Members of an entry that seal its block.
const SEALS: [&str; 3] = ["textSignature", "thinkingSignature", "thoughtSignature"];

/// What an envelope says.
pub(crate) struct Opened {
    pub(crate) response: Option<Raw>,
    /// One for each block.
    pub(crate) proofs: Vec<Option<Box<Proof>>>,
}

/// Opens an envelope for these blocks; `None` where it does not fit them. One that has no entries
/// depends on no block: the blocks keep what they have.
pub(crate) fn open(envelope: &Raw, blocks: &Blocks, asked: &Arc<Issuer>) -> Option<Opened> {
    let doc = envelope.doc();
    let root = doc.root();
    if root.kind() != Kind::Object {
        return None;
    }
    let response = root.get("response");
    let own: Vec<Option<Box<Proof>>> =
        blocks.iter().map(|emitted| proof_of(&emitted.block)).collect();
    let proofs = match root.get("blocks") {
        None => own,
        Some(list) => {
            let entries: Vec<Value<'_, '_>> = list.items().collect();
            let mut pairs = entries.iter().zip(blocks.iter());
            if list.kind() != Kind::Array
                || entries.len() != own.len()
                || !pairs.all(|(entry, emitted)| fits(*entry, &emitted.block))
            {
                return None;
            }
            let issuer = response.and_then(issuer_of).map_or_else(|| Arc::clone(asked), Arc::new);
            let version = response.and_then(|response| response.get("version"));
            let version = u32::from(version.and_then(Value::as_u64) == Some(VERSION));
            entries.into_iter().map(|entry| sealed(entry, &issuer, version)).collect()
        }
    };
    Some(Opened { response: response.map(Raw::one_line), proofs })
}

/// Whether an entry is of the kind of its block, and what it says of it is of the right type.
fn fits(entry: Value<'_, '_>, block: &Block) -> bool {
    let kind = match block {
        Block::Text(_) => "text",
        Block::Reasoning(_) => "reasoning",
        Block::ToolUse(_) => "tool-call",
        Block::Opaque(_) => "native",
        // No model emits these.
        Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => return false,
    };
    let is = |name: &str, kind: Kind| {
        entry.get(name).is_none_or(|value| value.is_null() || value.kind() == kind)
    };
    entry.kind() == Kind::Object
        && entry.get("type").is_none_or(|name| name.is_str(kind))
        && SEALS.iter().all(|name| is(name, Kind::String))
        && is("redacted", Kind::Bool)
}

fn proof_of(block: &Block) -> Option<Box<Proof>> {
    match block {
        Block::Text(text) => text.proof.clone(),
        Block::ToolUse(call) => call.proof.clone(),
        Block::Reasoning(thought) => thought.proof.clone(),
        Block::Opaque(block) => block.proof.clone(),
        Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => None,
    }
}

/// Who issued, in our names for dialects.
fn issuer_of(response: Value<'_, '_>) -> Option<Issuer> {
    let text = |name: &str| response.get(name).and_then(Value::to_text);
    Some(Issuer {
        platform: text("provider")?,
        account: text("account"),
        api: text("api")?.replace('-', "_").into(),
        model: text("model")?,
    })
}

/// What an entry seals.
fn sealed(entry: Value<'_, '_>, issuer: &Arc<Issuer>, version: u32) -> Option<Box<Proof>> {
    let member = |name: &str| entry.get(name).filter(|sealed| sealed.kind() == Kind::String);
    let redacted = entry.get("redacted").and_then(Value::as_bool) == Some(true);
    let (kind, sealed) = match &*entry.get_str("type")? {
        "text" => (ProofKind::Signature, Raw::of(member("textSignature")?)),
        "reasoning" if redacted => (ProofKind::Redacted, Raw::of(member("thinkingSignature")?)),
        "reasoning" => (ProofKind::Signature, Raw::of(member("thinkingSignature")?)),
        "tool-call" => (ProofKind::Signature, Raw::of(member("thoughtSignature")?)),
        "native" => (ProofKind::Native, Raw::string(&Text::default())),
        _ => return None,
    };
    Some(Box::new(Proof { issuer: Arc::clone(issuer), kind, version, sealed }))
}
