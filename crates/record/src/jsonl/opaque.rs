//! Blocks this build does not know: the whole block as it was written, its proof a member of it.
//!
//! What cannot be written so (no object, or one that would read as something else) is wrapped:
//! `{"type":"opaque","kind","raw","proof"?}`.

use json::{Doc, Raw, Text, Value};

use crate::block::OpaqueBlock;
use crate::jsonl::fields::{Context, optional_text, pick};
use crate::jsonl::out::{Members, push_raw};
use crate::jsonl::proof;

/// The `type` of the wrapped form.
pub(super) const WRAPPED: &str = "opaque";

/// The block as written; a proof of ours that is its last member is the block's proof.
pub(super) fn read(context: &mut Context, kind: Text, value: Value<'_, '_>) -> OpaqueBlock {
    match split_proof(context, value) {
        Some((raw, proof)) => OpaqueBlock { kind, raw, proof: Some(proof) },
        None => OpaqueBlock { kind, raw: Raw::of(value), proof: None },
    }
}

/// The wrapped form, if it is exactly that.
pub(super) fn read_wrapped(context: &mut Context, value: Value<'_, '_>) -> Option<OpaqueBlock> {
    let ([_, kind, raw, sealed], exact) = pick(value, ["type", "kind", "raw", "proof"]);
    let mut known = exact;
    let kind = optional_text(kind, &mut known)??;
    let proof = match sealed {
        Some(sealed) => {
            let (proof, exact) = proof::read(context, sealed)?;
            known &= exact;
            Some(proof)
        }
        None => None,
    };
    known.then_some(OpaqueBlock { kind, raw: Raw::of(raw?), proof })
}

fn split_proof(
    context: &mut Context,
    value: Value<'_, '_>,
) -> Option<(Raw, Box<crate::proof::Proof>)> {
    let (mut before, mut last) = (None, None);
    for member in value.members() {
        before = last.replace(member);
    }
    let ((key, sealed), (_, before)) = (last?, before?);
    if !key.is_str("proof") {
        return None;
    }
    let (proof, exact) = proof::read(context, sealed)?;
    let text = value.raw();
    let at = |inner: Value<'_, '_>| inner.offset() - value.offset();
    let before_end = at(before) + before.raw().len();
    let comma = before_end + text.get(before_end..at(key))?.find(',')?;
    let mut kept = text.get(..comma)?.to_owned();
    kept.push_str(text.get(at(sealed) + sealed.raw().len()..)?);
    Some((Raw::parse(&kept).ok().filter(|_| exact)?, proof))
}

/// Writes a block so that `reads` gives it back.
pub(super) fn write(
    out: &mut Vec<u8>,
    block: &OpaqueBlock,
    reads: fn(&mut Context, Value<'_, '_>) -> Option<OpaqueBlock>,
) {
    let start = out.len();
    push_raw(out, &block.raw);
    if let Some(sealed) = &block.proof
        && out.pop() == Some(b'}')
    {
        out.extend_from_slice(b",\"proof\":");
        proof::write(out, sealed);
        out.push(b'}');
    }
    let written = out.get(start..).unwrap_or_default();
    let read = Doc::parse(written)
        .is_ok_and(|doc| reads(&mut Context::default(), doc.root()).as_ref() == Some(block));
    if !read {
        out.truncate(start);
        write_wrapped(out, block);
    }
}

fn write_wrapped(out: &mut Vec<u8>, block: &OpaqueBlock) {
    let mut members = Members::open(out, &[]);
    members.string("type", WRAPPED);
    members.text("kind", &block.kind);
    members.raw("raw", &block.raw);
    if let Some(sealed) = &block.proof {
        members.value("proof", |out| proof::write(out, sealed));
    }
    members.close();
}
