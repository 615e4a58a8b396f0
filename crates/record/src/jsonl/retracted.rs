//! Calls started and retractions on disk. What they do not name is the entry's rest.

use json::Value;

use crate::entry::{BlockRef, CallStarted, EntryId, Rest, Retracted};
use crate::jsonl::compaction::write_block_ref;
use crate::jsonl::entry::is_envelope;
use crate::jsonl::fields::{
    Context, Failed, Read, Taken, block_ref, id, members, number_u32, pick, present, set, text,
};
use crate::jsonl::out::Members;

pub(super) fn read_call_started(
    context: &mut Context,
    line: Value<'_, '_>,
) -> Result<(CallStarted, Rest), Failed> {
    let (mut row, mut block) = (None, None);
    let rest = members(context, line, |_, name, value| match name {
        "row" => set(&mut row, value, id),
        "block" => set(&mut block, value, |value| Some((number_u32(value)?, true))),
        _ if is_envelope(name) => Read::Skip,
        _ => Read::Unknown,
    });
    let (row, block) = (row.ok_or(Failed::Field("row"))?, block.ok_or(Failed::Field("block"))?);
    Ok((CallStarted { call: BlockRef { row, block } }, rest))
}

pub(super) fn write_call_started(members: &mut Members<'_, '_>, started: &CallStarted) {
    members.id("row", &started.call.row);
    members.number("block", started.call.block.into());
}

pub(super) fn read_retracted(
    context: &mut Context,
    line: Value<'_, '_>,
) -> Result<(Retracted, Rest), Failed> {
    let (mut what, mut reason) = (None, None);
    let rest = members(context, line, |_, name, value| match name {
        "what" => set(&mut what, value, read_what),
        "reason" => set(&mut reason, value, text),
        _ if is_envelope(name) => Read::Skip,
        _ => Read::Unknown,
    });
    let (blocks, entries) = what.ok_or(Failed::Field("what"))?;
    let reason = reason.ok_or(Failed::Field("reason"))?;
    Ok((Retracted { blocks, entries, reason }, rest))
}

/// Blocks first, then entries, is the order it is written in.
fn read_what(value: Value<'_, '_>) -> Taken<(Vec<BlockRef>, Vec<EntryId>)> {
    let (mut blocks, mut entries) = (Vec::new(), Vec::new());
    let mut exact = value.kind() == json::Kind::Array;
    for item in value.items() {
        let ([row, block, compaction], alone) = pick(item, ["row", "block", "compaction"]);
        exact &= alone;
        match (row, present(block, &mut exact), compaction) {
            (Some(row), Some(block), None) => {
                let (place, same) = block_ref(Some(row), Some(block))?;
                exact &= same && entries.is_empty();
                blocks.push(place);
            }
            (Some(whole), None, None) => {
                let (entry, same) = id(whole)?;
                exact &= same;
                entries.push(entry);
            }
            (None, None, Some(whole)) => {
                entries.push(id(whole)?.0);
                exact = false;
            }
            _ => return None,
        }
    }
    (value.kind() == json::Kind::Array).then_some(((blocks, entries), exact))
}

pub(super) fn write_retracted(members: &mut Members<'_, '_>, retracted: &Retracted) {
    members.value("what", |out| {
        out.push(b'[');
        for (index, at) in retracted.blocks.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            write_block_ref(out, at);
        }
        for (index, entry) in retracted.entries.iter().enumerate() {
            if index > 0 || !retracted.blocks.is_empty() {
                out.push(b',');
            }
            let mut members = Members::open(out, &[]);
            members.id("row", entry);
            members.close();
        }
        out.push(b']');
    });
    members.text("reason", &retracted.reason);
}
