//! A record written as a rollout.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Object, Raw, Text};
use record::{Entry, Fact, Record};

use crate::error::ExportError;
use crate::openai_responses::items_of;
use crate::{Format, origin};

/// Writes the lines the record came from, then lines for what the main branch holds beyond them.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    let format = Format::Codex.name();
    let mut out = origin::lines(record, format);
    for entry in record.branch_path("main") {
        if origin::of(&entry, format).is_some() {
            continue;
        }
        for (kind, payload) in payloads_of(&entry)? {
            let mut line = Object::new();
            line.optional_string("timestamp", entry.time.as_deref());
            line.string("type", kind).raw("payload", &payload);
            origin::end_line(&mut out);
            out.extend_from_slice(line.finish().as_str().as_bytes());
            out.push(b'\n');
        }
    }
    if out.is_empty() { Err(ExportError::NothingToWrite) } else { Ok(out) }
}

/// The lines of an entry: their type and payload.
fn payloads_of(entry: &Entry) -> Result<Vec<(&'static str, Raw)>, ExportError> {
    match &entry.fact {
        Fact::Message(message) => {
            let items = items_of(entry, message)?.into_iter();
            Ok(items.map(|item| ("response_item", item)).collect())
        }
        Fact::Compaction(compaction) => {
            let Some(handoff) = compaction.handoff.as_ref() else { return Ok(Vec::new()) };
            let mut payload = Object::new();
            payload.text("message", handoff);
            Ok(vec![("compacted", payload.finish())])
        }
        Fact::Head(head) => {
            let system = head.head.iter().flat_map(|head| &head.system);
            let system: Vec<&str> = system.map(Text::as_str).collect();
            let (mut text, mut payload) = (Object::new(), Object::new());
            text.string("text", &system.join("\n\n"));
            payload.raw("base_instructions", &text.finish());
            Ok(vec![("session_meta", payload.finish())])
        }
        Fact::CallStarted(_) | Fact::Sent(_) | Fact::Retracted(_) | Fact::Opaque(_) => {
            Ok(Vec::new())
        }
    }
}
