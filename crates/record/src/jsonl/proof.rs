//! Proofs on disk: `{"issuer":{"platform","account"?,"api","model"},"kind","version","sealed"}`.

use std::sync::Arc;

use json::{Raw, Value};

use crate::jsonl::fields::{Context, Taken, number_u32, optional_text, pick};
use crate::jsonl::out::{Members, push_text};
use crate::proof::{Issuer, Proof, ProofKind};

pub(super) fn read(context: &mut Context, value: Value<'_, '_>) -> Taken<Box<Proof>> {
    let ([from, kind, version, sealed], exact) =
        pick(value, ["issuer", "kind", "version", "sealed"]);
    let (issuer, same) = issuer(context, from?)?;
    let proof = Proof {
        issuer,
        kind: ProofKind::from_name(&kind?.to_text()?),
        version: number_u32(version?)?,
        sealed: Raw::of(sealed?),
    };
    Some((Box::new(proof), exact && same))
}

fn issuer(context: &mut Context, value: Value<'_, '_>) -> Taken<Arc<Issuer>> {
    if let Some((written, issuer, exact)) = &context.issuer
        && **written == *value.raw()
    {
        return Some((Arc::clone(issuer), *exact));
    }
    let ([platform, account, api, model], mut exact) =
        pick(value, ["platform", "account", "api", "model"]);
    let issuer = Arc::new(Issuer {
        platform: platform?.to_text()?,
        account: optional_text(account, &mut exact)?,
        api: api?.to_text()?,
        model: model?.to_text()?,
    });
    context.issuer = Some((value.raw().into(), Arc::clone(&issuer), exact));
    Some((issuer, exact))
}

pub(super) fn write(out: &mut Vec<u8>, proof: &Proof) {
    let mut members = Members::open(out, &[]);
    members.value("issuer", |out| write_issuer(out, &proof.issuer));
    members.value("kind", |out| match &proof.kind {
        ProofKind::Other(name) => push_text(out, name),
        ProofKind::Signature
        | ProofKind::Redacted
        | ProofKind::Encrypted
        | ProofKind::ItemId
        | ProofKind::Native => push_text(out, &proof.kind.as_str().into()),
    });
    members.number("version", proof.version.into());
    members.raw("sealed", &proof.sealed);
    members.close();
}

fn write_issuer(out: &mut Vec<u8>, issuer: &Issuer) {
    let mut members = Members::open(out, &[]);
    members.text("platform", &issuer.platform);
    members.optional_text("account", issuer.account.as_ref());
    members.text("api", &issuer.api);
    members.text("model", &issuer.model);
    members.close();
}
