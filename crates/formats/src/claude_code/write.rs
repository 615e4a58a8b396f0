//! A record written as a session file.

use json::{Object, Text};
use record::{Compaction, CompactionKind, Entry, EntryId, Fact, Record, Role, Source};

use crate::Format;
use crate::anthropic::write::message_of;
use crate::error::ExportError;
use crate::origin;

/// Writes the lines the record came from, then lines for what the main branch holds beyond them.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    let format = Format::ClaudeCode.name();
    let mut out = origin::lines(record, format);
    let mut parent: Option<EntryId> = None;
    for entry in record.branch_path("main") {
        let known = origin::of(&entry, format);
        // A message joined of several lines is followed by its last one; its id is its first.
        if known.is_none() {
            if let Some(line) = line_of(&entry, parent.as_ref())? {
                origin::end_line(&mut out);
                out.extend_from_slice(line.as_bytes());
                out.push(b'\n');
            } else {
                continue;
            }
        }
        parent = Some(entry.id.clone());
    }
    if out.is_empty() { Err(ExportError::NothingToWrite) } else { Ok(out) }
}

fn line_of(entry: &Entry, parent: Option<&EntryId>) -> Result<Option<String>, ExportError> {
    let message = match &entry.fact {
        Fact::Message(message) => message,
        Fact::Compaction(compaction) => return Ok(compaction_of(entry, compaction, parent)),
        Fact::CallStarted(_)
        | Fact::Head(_)
        | Fact::Sent(_)
        | Fact::Retracted(_)
        | Fact::Opaque(_) => return Ok(None),
    };
    let kind = match message.role {
        Role::Assistant => "assistant",
        Role::User | Role::Tool => "user",
        Role::System => {
            let (entry, what) = (entry.id.clone(), "a system message");
            return Err(ExportError::CannotCarry { entry, what });
        }
    };
    let model = match &message.source {
        Some(Source::Model { model, .. }) => Some(model),
        _ => None,
    };
    let more: Vec<(&str, &Text)> = model.into_iter().map(|model| ("model", model)).collect();
    let Some(message) = message_of(entry, message, &more)? else { return Ok(None) };
    let mut line = opening(kind, entry, parent.map(EntryId::as_str));
    line.raw("message", &message);
    Ok(Some(line.finish().as_str().to_owned()))
}

fn opening(kind: &str, entry: &Entry, parent: Option<&str>) -> Object {
    let mut line = Object::new();
    line.optional_string("parentUuid", parent);
    line.bool("isSidechain", false).string("type", kind).string("uuid", entry.id.as_str());
    line.optional_string("timestamp", entry.time.as_deref());
    line
}

/// A boundary and its summary; a microcompaction is not one, and its results stay as they are.
fn compaction_of(
    entry: &Entry,
    compaction: &Compaction,
    parent: Option<&EntryId>,
) -> Option<String> {
    let handoff = compaction.handoff.as_ref()?;
    if compaction.kind == CompactionKind::Micro {
        return None;
    }
    let boundary_id = format!("{}:boundary", entry.id);
    let mut boundary = Object::new();
    boundary.raw("parentUuid", &null());
    boundary.optional_string("logicalParentUuid", parent.map(EntryId::as_str));
    boundary.bool("isSidechain", false).string("type", "system");
    boundary.string("subtype", "compact_boundary").string("uuid", &boundary_id);
    let mut message = Object::new();
    message.string("role", "user").text("content", handoff);
    let mut summary = opening("user", entry, Some(&boundary_id));
    summary.bool("isCompactSummary", true).bool("isVisibleInTranscriptOnly", true);
    summary.raw("message", &message.finish());
    Some(format!("{}\n{}", boundary.finish(), summary.finish()))
}

fn null() -> json::Raw {
    json::Raw::parse("null").unwrap_or_else(|_| Object::new().finish())
}
