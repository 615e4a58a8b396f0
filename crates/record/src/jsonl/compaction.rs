//! Compactions on disk, their members at the top level of the line.

use json::{Text, Value};

use crate::compaction::{Compaction, CompactionKind};
use crate::entry::BlockRef;
use crate::jsonl::entry::is_envelope;
use crate::jsonl::fields::{
    Context, Failed, Read, Taken, block_ref, filled_array, id, members, pick, set,
};
use crate::jsonl::out::Members;

pub(super) fn read(context: &mut Context, line: Value<'_, '_>) -> Result<Compaction, Failed> {
    let mut kind = Some(CompactionKind::Boundary);
    let (mut continuation, mut handoff, mut retained_from) = (None, None, None);
    let (mut retained, mut cleared, mut split) = (None, None, None);
    let rest = members(context, line, |_, name, value| match name {
        "kind" => set(&mut kind, value, read_kind),
        "continuation_user_message" => {
            set(&mut continuation, value, |value| match spoken(value)? {
                (text, false, exact) => Some((text, exact)),
                (_, true, _) => None,
            })
        }
        "handoff_message" => set(&mut handoff, value, |value| {
            let (text, by_assistant, exact) = spoken(value)?;
            Some(((text, !by_assistant), exact))
        }),
        "retained_from" => set(&mut retained_from, value, id),
        "retained" => set(&mut retained, value, |value| filled_array(value, id)),
        "cleared" => set(&mut cleared, value, |value| filled_array(value, read_cleared)),
        "split" => set(&mut split, value, |value| value.is_str("as-found").then_some(((), true))),
        _ if is_envelope(name) => Read::Skip,
        _ => Read::Unknown,
    });
    let (handoff, handoff_by_user) = handoff.map_or((None, false), |(text, by)| (Some(text), by));
    Ok(Compaction {
        kind: kind.ok_or(Failed::Field("kind"))?,
        continuation,
        handoff,
        handoff_by_user,
        retained_from,
        retained: retained.unwrap_or_default(),
        split_as_found: split.is_some(),
        cleared: cleared.unwrap_or_default(),
        rest,
    })
}

fn read_kind(value: Value<'_, '_>) -> Taken<CompactionKind> {
    match &*value.as_str()? {
        "boundary" => Some((CompactionKind::Boundary, true)),
        "micro" => Some((CompactionKind::Micro, true)),
        _ => None,
    }
}

/// The text of `{"role","content"}`, whether the assistant says it, and whether that is all.
fn spoken(value: Value<'_, '_>) -> Option<(Text, bool, bool)> {
    let ([role, content], exact) = pick(value, ["role", "content"]);
    let by_assistant = match &*role?.as_str()? {
        "assistant" => true,
        "user" => false,
        _ => return None,
    };
    Some((content?.to_text()?, by_assistant, exact))
}

fn read_cleared(value: Value<'_, '_>) -> Taken<BlockRef> {
    let ([row, block], exact) = pick(value, ["row", "block"]);
    let (place, same) = block_ref(row, block)?;
    Some((place, exact && same))
}

pub(super) fn write(members: &mut Members<'_, '_>, compaction: &Compaction) {
    members.string(
        "kind",
        match compaction.kind {
            CompactionKind::Boundary => "boundary",
            CompactionKind::Micro => "micro",
        },
    );
    if let Some(text) = &compaction.continuation {
        members.value("continuation_user_message", |out| write_spoken(out, "user", text));
    }
    if let Some(text) = &compaction.handoff {
        let role = if compaction.handoff_by_user { "user" } else { "assistant" };
        members.value("handoff_message", |out| write_spoken(out, role, text));
    }
    if let Some(from) = &compaction.retained_from {
        members.id("retained_from", from);
    }
    members.filled_array("retained", &compaction.retained, |out, id| {
        json::escape::push_literal(out, id.as_str());
    });
    members.filled_array("cleared", &compaction.cleared, write_block_ref);
    if compaction.split_as_found {
        members.string("split", "as-found");
    }
}

fn write_spoken(out: &mut Vec<u8>, role: &str, content: &Text) {
    let mut members = Members::open(out, &[]);
    members.string("role", role);
    members.text("content", content);
    members.close();
}

pub(super) fn write_block_ref(out: &mut Vec<u8>, at: &BlockRef) {
    let mut members = Members::open(out, &[]);
    members.id("row", &at.row);
    members.number("block", at.block.into());
    members.close();
}
