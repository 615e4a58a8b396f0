//! Fills on disk, told apart by `fill`. One this build cannot read is kept as written.

use json::{Raw, Text, Value};

use crate::entry::BlockRef;
use crate::jsonl::fields::{Context, Taken, block_ref, id, number_u32, pick};
use crate::jsonl::out::{Members, push_raw, push_text};
use crate::sent::{Fill, GapWording, Rung};

pub(super) fn read(context: &mut Context, value: Value<'_, '_>) -> Taken<Fill> {
    let kind = value.get_str("fill").unwrap_or_default();
    let read = match &*kind {
        "gap" => gap(value),
        "thinking_out" => thinking_out(value),
        "image_out" => image_out(value),
        "call_id" => call_id(value),
        "continue" => after(value),
        "change_form" => change_form(value),
        "change_off" => change_off(value),
        "recovery" => recovery(value),
        "" => None,
        _ => return Some((Fill::Other(Raw::of(value)), true)),
    };
    Some(read.unwrap_or_else(|| {
        context.unread(value, format!("a `{kind}` fill cannot be read and is kept as written"));
        (Fill::Other(Raw::of(value)), true)
    }))
}

fn gap(value: Value<'_, '_>) -> Taken<Fill> {
    let ([_, row, block, wording], exact) = pick(value, ["fill", "row", "block", "wording"]);
    let (call, same) = block_ref(row, block)?;
    let (wording, said) = read_wording(wording?)?;
    Some((Fill::Gap { call, wording }, exact && same && said))
}

fn read_wording(value: Value<'_, '_>) -> Taken<GapWording> {
    let known = match value.as_str().as_deref() {
        Some("running") => GapWording::Running,
        Some("not_started") => GapWording::NotStarted,
        Some("unknown") => GapWording::Unknown,
        Some(_) => return None,
        None => {
            let ([text], exact) = pick(value, ["text"]);
            return Some((GapWording::Text(text?.to_text()?), exact));
        }
    };
    Some((known, true))
}

fn thinking_out(value: Value<'_, '_>) -> Taken<Fill> {
    let ([_, from, to, reason], exact) = pick(value, ["fill", "from", "to", "reason"]);
    let ((from, one), (to, two)) = (id(from?)?, id(to?)?);
    Some((Fill::ThinkingOut { from, to, reason: reason?.to_text()? }, exact && one && two))
}

fn image_out(value: Value<'_, '_>) -> Taken<Fill> {
    let ([_, row, block, image, reason], exact) =
        pick(value, ["fill", "row", "block", "image", "reason"]);
    let (at, same) = block_ref(row, block)?;
    let (number, numbered) = match image {
        Some(image) => (number_u32(image)?, true),
        None => (0, false),
    };
    let fill = Fill::ImageOut { at, image: number, reason: reason?.to_text()? };
    Some((fill, exact && same && numbered))
}

fn call_id(value: Value<'_, '_>) -> Taken<Fill> {
    let ([_, row, block, wire_id], exact) = pick(value, ["fill", "row", "block", "wire_id"]);
    let (call, same) = block_ref(row, block)?;
    Some((Fill::CallId { call, wire_id: wire_id?.to_text()? }, exact && same))
}

fn after(value: Value<'_, '_>) -> Taken<Fill> {
    let ([_, after], exact) = pick(value, ["fill", "after"]);
    let (after, same) = id(after?)?;
    Some((Fill::Continue { after }, exact && same))
}

fn change_form(value: Value<'_, '_>) -> Taken<Fill> {
    let ([_, row, part, form], exact) = pick(value, ["fill", "row", "part", "form"]);
    let (row, same) = id(row?)?;
    let fill = Fill::ChangeForm { row, part: part?.to_text()?, form: form?.to_text()? };
    Some((fill, exact && same))
}

fn change_off(value: Value<'_, '_>) -> Taken<Fill> {
    let ([_, part, refusal], exact) = pick(value, ["fill", "part", "refusal"]);
    Some((Fill::ChangeOff { part: part?.to_text()?, refusal: refusal?.to_text()? }, exact))
}

fn recovery(value: Value<'_, '_>) -> Taken<Fill> {
    let ([_, rung], exact) = pick(value, ["fill", "rung"]);
    let rung = match &*rung?.as_str()? {
        "drop_block" => Rung::DropBlock,
        "strip" => Rung::Strip,
        _ => return None,
    };
    Some((Fill::Recovery { rung }, exact))
}

pub(super) fn write(out: &mut Vec<u8>, fill: &Fill) {
    let kind = match fill {
        Fill::Gap { .. } => "gap",
        Fill::ThinkingOut { .. } => "thinking_out",
        Fill::ImageOut { .. } => "image_out",
        Fill::CallId { .. } => "call_id",
        Fill::Continue { .. } => "continue",
        Fill::ChangeForm { .. } => "change_form",
        Fill::ChangeOff { .. } => "change_off",
        Fill::Recovery { .. } => "recovery",
        Fill::Other(raw) => return push_raw(out, raw),
    };
    let mut members = Members::open(out, &[]);
    members.string("fill", kind);
    write_members(&mut members, fill);
    members.close();
}

fn write_members(members: &mut Members<'_, '_>, fill: &Fill) {
    match fill {
        Fill::Gap { call, wording } => {
            write_place(members, call);
            members.value("wording", |out| write_wording(out, wording));
        }
        Fill::ThinkingOut { from, to, reason } => {
            members.id("from", from);
            members.id("to", to);
            members.text("reason", reason);
        }
        Fill::ImageOut { at, image, reason } => {
            write_place(members, at);
            members.number("image", (*image).into());
            members.text("reason", reason);
        }
        Fill::CallId { call, wire_id } => {
            write_place(members, call);
            members.text("wire_id", wire_id);
        }
        Fill::Continue { after } => members.id("after", after),
        Fill::ChangeForm { row, part, form } => {
            members.id("row", row);
            members.text("part", part);
            members.text("form", form);
        }
        Fill::ChangeOff { part, refusal } => {
            members.text("part", part);
            members.text("refusal", refusal);
        }
        Fill::Recovery { rung: Rung::DropBlock } => members.string("rung", "drop_block"),
        Fill::Recovery { rung: Rung::Strip } => members.string("rung", "strip"),
        Fill::Other(_) => {}
    }
}

fn write_place(members: &mut Members<'_, '_>, at: &BlockRef) {
    members.id("row", &at.row);
    members.number("block", at.block.into());
}

fn write_wording(out: &mut Vec<u8>, wording: &GapWording) {
    let known: Text = match wording {
        GapWording::Running => "running".into(),
        GapWording::NotStarted => "not_started".into(),
        GapWording::Unknown => "unknown".into(),
        GapWording::Text(text) => {
            let mut members = Members::open(out, &[]);
            members.text("text", text);
            return members.close();
        }
    };
    push_text(out, &known);
}
