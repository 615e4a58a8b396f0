//! Moves of refs on disk: `{"v":1,"ref","tip","reason","timestamp"?}`.

use json::Value;

use crate::jsonl::entry::version;
use crate::jsonl::fields::{Context, Failed, Read, id_or_null, members, set, text};
use crate::jsonl::out::Members;
use crate::limits::FORMAT_VERSION;
use crate::refs::RefMove;

pub(super) fn read(context: &mut Context, line: Value<'_, '_>) -> Result<RefMove, Failed> {
    let (mut branch, mut tip, mut reason, mut time) = (None, None, None, None);
    let mut v = None;
    let rest = members(context, line, |_, name, value| match name {
        "v" => set(&mut v, value, version),
        "ref" => set(&mut branch, value, text),
        "tip" if value.is_null() => {
            tip = Some(None);
            Read::Exact
        }
        "tip" => set(&mut tip, value, id_or_null),
        "reason" => set(&mut reason, value, text),
        "timestamp" => set(&mut time, value, text),
        _ => Read::Unknown,
    });
    if v.is_some_and(|v| v > u64::from(FORMAT_VERSION)) {
        return Err(Failed::Field("v"));
    }
    let branch = branch.ok_or(Failed::Field("ref"))?;
    let tip = tip.ok_or(Failed::Field("tip"))?;
    Ok(RefMove { branch, tip, reason: reason.unwrap_or_default(), time, rest })
}

pub(super) fn write(out: &mut Vec<u8>, moved: &RefMove) {
    let rests = [&moved.rest];
    let mut members = Members::open(out, &rests);
    members.number("v", FORMAT_VERSION.into());
    members.text("ref", &moved.branch);
    members.id_or_null("tip", moved.tip.as_ref());
    members.text("reason", &moved.reason);
    members.optional_text("timestamp", moved.time.as_ref());
    members.close();
}
