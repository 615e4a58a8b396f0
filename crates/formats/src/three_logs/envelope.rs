//! The replay envelope: proofs beside the blocks, zipped into them at the door.
//!
//! In it stand what an adapter keeps of the response, and one entry for every block. Our own
//! entry holds the block's proof as it is; one of the foreign form (version 2) names what it seals
//! by the kind of block.

use json::{Array, Kind, Object, Raw, Text, Value};

/// What an envelope says of a row.
pub(super) struct Opened {
    pub(super) response: Option<Raw>,
    /// Who issued, as far as the response says.
    pub(super) issuer: Option<Raw>,
    /// One for each block, as members of the block.
    pub(super) proofs: Vec<Option<Raw>>,
}

/// The version of the foreign form that is read; its seals are ours of version 1, and one of
/// another version is of none that is read.
const VERSION: u64 = 2;

/// Members of an entry that seal its block.
const SEALS: [&str; 3] = ["textSignature", "thinkingSignature", "thoughtSignature"];

/// Opens an envelope for these blocks; `None` where it does not fit them.
pub(super) fn open(
    envelope: Value<'_, '_>,
    blocks: &[Value<'_, '_>],
    source: Option<Value<'_, '_>>,
) -> Option<Opened> {
    let response = envelope.get("response");
    let entries = match envelope.get("blocks") {
        Some(list) if list.kind() != Kind::Array => return None,
        Some(list) => list.items().collect::<Vec<_>>(),
        None => Vec::new(),
    };
    let none = envelope.get("blocks").is_none();
    let is_counted = none || entries.len() == blocks.len();
    let mut pairs = entries.iter().zip(blocks);
    if envelope.kind() != Kind::Object
        || !is_counted
        || !pairs.all(|(entry, block)| fits(*entry, *block))
    {
        return None;
    }
    let responded = response.and_then(|response| issuer_of(response, "provider"));
    let from = source.and_then(|source| issuer_of(source, "platform"));
    let issuer = responded.as_ref().or(from.as_ref());
    let version = response.and_then(|response| response.get("version")).and_then(Value::as_u64);
    let proof = |entry: Value<'_, '_>| match entry.get("proof") {
        Some(proof) => Some(Raw::of(proof)),
        None => foreign(entry, issuer?, u64::from(version == Some(VERSION))),
    };
    let mut proofs: Vec<Option<Raw>> = entries.into_iter().map(proof).collect();
    proofs.resize(blocks.len(), None);
    Some(Opened { response: response.map(Raw::of), proofs, issuer: responded })
}

/// Whether an entry is of the kind of its block, and what it says of it is of the right type.
fn fits(entry: Value<'_, '_>, block: Value<'_, '_>) -> bool {
    let of = block.get_str("type").unwrap_or_default();
    let is_kind = |name: &str| match &*of {
        "text" | "reasoning" => name == of,
        "tool_use" => name == "tool-call",
        _ => name == of || name == "native",
    };
    let is = |name: &str, kind: Kind| {
        entry.get(name).is_none_or(|value| value.is_null() || value.kind() == kind)
    };
    entry.kind() == Kind::Object
        && entry.get("type").is_none_or(|name| name.as_str().is_some_and(|name| is_kind(&name)))
        && SEALS.iter().all(|name| is(name, Kind::String))
        && is("redacted", Kind::Bool)
        && is("proof", Kind::Object)
}

/// Who issued, in our names for dialects.
fn issuer_of(value: Value<'_, '_>, platform: &str) -> Option<Raw> {
    let mut object = Object::new();
    object.text("platform", &value.get(platform)?.to_text()?);
    if let Some(account) = value.get("account").and_then(Value::to_text) {
        object.text("account", &account);
    }
    object.string("api", &value.get_str("api")?.replace('-', "_"));
    object.text("model", &value.get("model")?.to_text()?);
    Some(object.finish())
}

/// What a foreign entry seals.
fn foreign(entry: Value<'_, '_>, issuer: &Raw, version: u64) -> Option<Raw> {
    let member = |name: &str| entry.get(name).filter(|sealed| sealed.kind() == Kind::String);
    let redacted = entry.get("redacted").and_then(Value::as_bool) == Some(true);
    let (kind, sealed) = match &*entry.get_str("type")? {
        "text" => ("signature", Raw::of(member("textSignature")?)),
        "reasoning" if redacted => ("redacted", Raw::of(member("thinkingSignature")?)),
        "reasoning" => ("signature", Raw::of(member("thinkingSignature")?)),
        "tool-call" => ("signature", Raw::of(member("thoughtSignature")?)),
        "native" => ("native", Raw::string(&Text::default())),
        _ => return None,
    };
    let mut proof = Object::new();
    proof.raw("issuer", issuer).string("kind", kind).number("version", version);
    Some(proof.raw("sealed", &sealed).finish())
}

/// A block with its proof as a member.
pub(super) fn sealed(block: Value<'_, '_>, proof: Option<&Raw>) -> Raw {
    let Some(proof) = proof.filter(|_| block.get("proof").is_none()) else { return Raw::of(block) };
    let mut object = copied(block, &[]);
    object.raw("proof", proof).finish()
}

/// Takes the proofs out of blocks: the blocks without, and the envelope, where there is one.
pub(super) fn close(blocks: Value<'_, '_>, response: Option<Value<'_, '_>>) -> (Raw, Option<Raw>) {
    let (mut bare, mut entries) = (Array::new(), Array::new());
    let mut sealed = false;
    for block in blocks.items() {
        let kind = block.get_str("type").unwrap_or_default();
        let proof = block.get("proof");
        sealed |= proof.is_some();
        let mut entry = Object::new();
        match &*kind {
            "text" | "reasoning" => {
                entry.string("type", &kind).optional_raw("proof", proof.map(Raw::of).as_ref());
                bare.raw(&copied(block, &["proof"]).finish());
            }
            "tool_use" => {
                entry.string("type", "tool-call");
                entry.optional_raw("proof", proof.map(Raw::of).as_ref());
                bare.raw(&copied(block, &["proof"]).finish());
            }
            // What only its provider reads keeps its proof inside.
            _ if proof.is_some() => {
                entry.string("type", "native");
                bare.raw(&Raw::of(block));
            }
            _ => {
                entry.string("type", &kind);
                bare.raw(&Raw::of(block));
            }
        }
        entries.raw(&entry.finish());
    }
    if !sealed && response.is_none() {
        return (bare.finish(), None);
    }
    let mut envelope = Object::new();
    envelope.optional_raw("response", response.map(Raw::of).as_ref());
    if sealed {
        envelope.raw("blocks", &entries.finish());
    }
    (bare.finish(), Some(envelope.finish()))
}

/// The members of an object but these.
pub(super) fn copied(value: Value<'_, '_>, but: &[&str]) -> Object {
    let mut object = Object::new();
    for (key, member) in value.members() {
        let name = key.as_str().unwrap_or_default();
        if !but.contains(&&*name) {
            object.raw(&name, &Raw::of(member));
        }
    }
    object
}
