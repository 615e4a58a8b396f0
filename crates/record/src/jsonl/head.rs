//! Recorded heads on disk, their members at the top level of the line.

use std::sync::Arc;

use json::{Kind, Raw, Value};

use crate::head::{Head, HeadDeclaration};
use crate::jsonl::block::read_tool;
use crate::jsonl::entry::is_envelope;
use crate::jsonl::fields::{
    Context, Failed, Read, Taken, array, id, members, pick, present, set, text,
};
use crate::jsonl::out::{Members, push_raw, push_text};

pub(super) fn read(context: &mut Context, line: Value<'_, '_>) -> Result<Head, Failed> {
    let (mut agent, mut reason, mut head) = (None, None, None);
    let (mut folds_through, mut owners) = (None, None);
    let mut damaged = false;
    let mut rest = members(context, line, |_, name, value| match name {
        "agent" => set(&mut agent, value, text),
        "reason" => set(&mut reason, value, text),
        "head" if value.is_null() => {
            head = None;
            Read::Exact
        }
        "head" => {
            let read = set(&mut head, value, read_declaration);
            damaged = read == Read::Unread;
            read
        }
        "folds_through" => set(&mut folds_through, value, id),
        "owners" => set(&mut owners, value, |value| array(value, text)),
        _ if is_envelope(name) => Read::Skip,
        _ => Read::Unknown,
    });
    // A head that cannot be read is a retired one that folds nothing.
    if damaged
        && folds_through.take().is_some()
        && rest.get("folds_through").is_none()
        && let Some(value) = line.get("folds_through")
    {
        rest.push("folds_through".into(), Raw::of(value));
    }
    Ok(Head {
        agent: agent.ok_or(Failed::Field("agent"))?,
        head,
        folds_through,
        owners,
        reason: reason.ok_or(Failed::Field("reason"))?,
        rest,
    })
}

fn read_declaration(value: Value<'_, '_>) -> Taken<Arc<HeadDeclaration>> {
    let ([tools, system], mut exact) = pick(value, ["tools", "system"]);
    exact &= tools.is_some() && system.is_some();
    let mut head = HeadDeclaration::default();
    if let Some(tools) = present(tools, &mut exact) {
        (head.tools, _) = array(tools, read_tool)?;
    }
    if let Some(system) = present(system, &mut exact) {
        (head.system, _) = array(system, text)?;
    }
    (value.kind() == Kind::Object).then(|| (Arc::new(head), exact))
}

pub(super) fn write(members: &mut Members<'_, '_>, head: &Head) {
    members.text("agent", &head.agent);
    members.text("reason", &head.reason);
    match &head.head {
        Some(head) => members.value("head", |out| write_declaration(out, head)),
        None => members.value("head", |out| out.extend_from_slice(b"null")),
    }
    if let Some(through) = &head.folds_through {
        members.id("folds_through", through);
    }
    if let Some(owners) = &head.owners {
        members.array("owners", owners, push_text);
    }
}

fn write_declaration(out: &mut Vec<u8>, head: &HeadDeclaration) {
    let mut members = Members::open(out, &[]);
    members.array("tools", &head.tools, |out, tool| push_raw(out, tool.wire()));
    members.array("system", &head.system, push_text);
    members.close();
}
