//! A record written as a request body.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Raw, Text};
use record::Record;

use super::{API, DOCUMENT, items_of, tools};
use crate::error::ExportError;
use crate::written::{Written, begin};
use crate::{Format, handoff, origin};

const FORMAT: Format = Format::OpenAiResponses;

/// Writes the main branch as a body; the document it came from where it is unchanged.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    if let Some(document) = origin::unchanged_document(record, FORMAT, DOCUMENT) {
        return Ok(document);
    }
    let written = Written::of(record, items_of, handoff::message)?;
    Ok(body_of(&written).as_str().as_bytes().to_vec())
}

fn body_of(written: &Written) -> Raw {
    let mut object = begin(written.sent_over(API));
    let tools = written.head.as_ref().and_then(tools::written);
    object.optional_raw("tools", tools.as_ref());
    match written.system().collect::<Vec<_>>().as_slice() {
        [] => {}
        [text] => {
            object.text("instructions", text);
        }
        texts => {
            let texts: Vec<&str> = texts.iter().map(|text| Text::as_str(text)).collect();
            object.string("instructions", &texts.join("\n\n"));
        }
    }
    object.raw("input", &Array::of(written.messages()));
    object.finish()
}
