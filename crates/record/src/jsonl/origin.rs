//! Where an imported entry came from, on disk: the foreign lines, byte for byte.
//!
//! `{"format","lines":[{"n","text"|"base64","ended":false?}]}`; `base64` where a line is not UTF-8.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use json::Value;

use crate::entry::{Origin, SourceLine};
use crate::jsonl::fields::{Taken, array, pick, present};
use crate::jsonl::out::Members;

pub(super) fn read(value: Value<'_, '_>) -> Taken<Box<Origin>> {
    let ([format, lines], exact) = pick(value, ["format", "lines"]);
    let (format, _) = crate::jsonl::fields::text(format?)?;
    let (lines, same) = array(lines?, read_line)?;
    let exact = exact && same && !format.has_lone_surrogate();
    Some((Box::new(Origin { format: format.as_str().into(), lines }), exact))
}

fn read_line(value: Value<'_, '_>) -> Taken<SourceLine> {
    let ([number, text, base64, ended], mut exact) = pick(value, ["n", "text", "base64", "ended"]);
    let bytes = match (text, base64) {
        (Some(text), None) => {
            let text = text.to_text().filter(|text| !text.has_lone_surrogate())?;
            text.as_str().as_bytes().into()
        }
        (None, Some(base64)) => STANDARD.decode(&*base64.as_str()?).ok()?.into_boxed_slice(),
        (Some(_), Some(_)) | (None, None) => return None,
    };
    // Bytes that are text are written as text.
    exact &= base64.is_none() || std::str::from_utf8(&bytes).is_err();
    let ended = match present(ended, &mut exact) {
        Some(ended) => ended.as_bool()?,
        None => true,
    };
    exact &= !(ended && value.get("ended").is_some());
    Some((SourceLine { number: number?.as_u64()?, bytes, ended }, exact))
}

pub(super) fn write(out: &mut Vec<u8>, origin: &Origin) {
    let mut members = Members::open(out, &[]);
    members.string("format", &origin.format);
    members.array("lines", &origin.lines, write_line);
    members.close();
}

fn write_line(out: &mut Vec<u8>, line: &SourceLine) {
    let mut members = Members::open(out, &[]);
    members.number("n", line.number);
    match std::str::from_utf8(&line.bytes) {
        Ok(text) => members.string("text", text),
        Err(_) => members.string("base64", &STANDARD.encode(&line.bytes)),
    }
    if !line.ended {
        members.bool("ended", false);
    }
    members.close();
}
