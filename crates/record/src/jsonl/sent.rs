//! Requests that left, on disk: their members stand at the top level of the line.

use json::Value;

use crate::jsonl::entry::is_envelope;
use crate::jsonl::fields::{
    Context, Failed, Read, Taken, array, id_or_null, members, number_u32, optional_text, pick,
    present, set, set_flag, text,
};
use crate::jsonl::fill;
use crate::jsonl::out::Members;
use crate::sent::{Checkpoint, Digest, Digests, Sent, Target};

pub(super) fn read(context: &mut Context, line: Value<'_, '_>) -> Result<Sent, Failed> {
    let (mut agent, mut target, mut covers) = (None, None, None);
    let (mut fills, mut digests, mut build) = (None, None, None);
    let mut no_vision = false;
    let rest = members(context, line, |context, name, value| match name {
        "agent" => set(&mut agent, value, text),
        "target" => set(&mut target, value, read_target),
        "covers" if value.is_null() => {
            covers = Some(None);
            Read::Exact
        }
        "covers" => set(&mut covers, value, id_or_null),
        "fills" => set(&mut fills, value, |value| array(value, |value| fill::read(context, value))),
        "no_vision" => set_flag(&mut no_vision, value),
        "digests" => set(&mut digests, value, read_digests),
        "build" => set(&mut build, value, |value| Some((number_u32(value)?, true))),
        _ if is_envelope(name) => Read::Skip,
        _ => Read::Unknown,
    });
    Ok(Sent {
        agent: agent.ok_or(Failed::Field("agent"))?,
        target: target.ok_or(Failed::Field("target"))?,
        covers: covers.ok_or(Failed::Field("covers"))?,
        fills: fills.ok_or(Failed::Field("fills"))?,
        no_vision,
        digests,
        build: build.ok_or(Failed::Field("build"))?,
        rest,
    })
}

fn read_target(value: Value<'_, '_>) -> Taken<Target> {
    let ([dialect, platform, model, account], mut exact) =
        pick(value, ["dialect", "platform", "model", "account"]);
    let target = Target {
        dialect: dialect?.to_text()?,
        platform: platform?.to_text()?,
        model: model?.to_text()?,
        account: optional_text(account, &mut exact)?,
    };
    Some((target, exact))
}

fn read_digests(value: Value<'_, '_>) -> Taken<Digests> {
    let ([head, authority, parameters, checkpoints], mut exact) =
        pick(value, ["head", "authority", "parameters", "checkpoints"]);
    let (head, same) = digest(head?)?;
    let authority = match present(authority, &mut exact) {
        Some(value) => {
            let (authority, same) = digest(value)?;
            exact &= same;
            Some(authority)
        }
        None => None,
    };
    let parameters = match present(parameters, &mut exact) {
        Some(value) => {
            let (parameters, same) = digest(value)?;
            exact &= same;
            Some(parameters)
        }
        None => None,
    };
    let (checkpoints, all) = array(checkpoints?, checkpoint)?;
    Some((Digests { head, authority, parameters, checkpoints }, exact && same && all))
}

/// A digest; upper case reads too, and is not what would be written.
fn digest(value: Value<'_, '_>) -> Taken<Digest> {
    let hex = value.as_str()?;
    Some((Digest::from_hex(&hex)?, !hex.bytes().any(|byte| byte.is_ascii_uppercase())))
}

fn checkpoint(value: Value<'_, '_>) -> Taken<Checkpoint> {
    let ([messages, blocks, at], exact) = pick(value, ["messages", "blocks", "digest"]);
    let (digest, same) = digest(at?)?;
    let (messages, blocks) = (messages?.as_u64()?, blocks?.as_u64()?);
    Some((Checkpoint { messages, blocks, digest }, exact && same))
}

pub(super) fn write(members: &mut Members<'_, '_>, sent: &Sent) {
    members.text("agent", &sent.agent);
    members.value("target", |out| write_target(out, &sent.target));
    members.id_or_null("covers", sent.covers.as_ref());
    members.array("fills", &sent.fills, fill::write);
    if sent.no_vision {
        members.bool("no_vision", true);
    }
    if let Some(digests) = &sent.digests {
        members.value("digests", |out| write_digests(out, digests));
    }
    members.number("build", sent.build.into());
}

fn write_target(out: &mut Vec<u8>, target: &Target) {
    let mut members = Members::open(out, &[]);
    members.text("dialect", &target.dialect);
    members.text("platform", &target.platform);
    members.text("model", &target.model);
    members.optional_text("account", target.account.as_ref());
    members.close();
}

fn write_digests(out: &mut Vec<u8>, digests: &Digests) {
    let mut members = Members::open(out, &[]);
    members.string("head", &digests.head.to_string());
    if let Some(authority) = &digests.authority {
        members.string("authority", &authority.to_string());
    }
    if let Some(parameters) = &digests.parameters {
        members.string("parameters", &parameters.to_string());
    }
    members.array("checkpoints", &digests.checkpoints, |out, checkpoint| {
        let mut members = Members::open(out, &[]);
        members.number("messages", checkpoint.messages);
        members.number("blocks", checkpoint.blocks);
        members.string("digest", &checkpoint.digest.to_string());
        members.close();
    });
    members.close();
}
