//! A record written as a directory.

use std::collections::HashMap;

use json::{Object, Raw, Text, Value};
use record::{
    Block, Entry, EntryId, Fact, Message, Record, RefMove, Source, SourceLine, ToolUse, jsonl,
};

use super::log::{Files, Log, split};
use super::{FORMAT, SCHEMA_VERSION, envelope, is_session_id, row};
use crate::error::ExportError;
use crate::origin;

/// Writes the lines a record came from, then lines for what it holds beyond them. `session_id` is
/// the directory's name.
///
/// # Errors
///
/// [`ExportError::SessionId`] where the name is none a directory may have, and as for every other
/// format where blocks were retracted or there is nothing to write.
pub fn write(record: &Record, session_id: &str) -> Result<Files, ExportError> {
    origin::refuse_retracted(record)?;
    if !is_session_id(session_id) {
        return Err(ExportError::SessionId { id: session_id.to_owned() });
    }
    if record.entries.is_empty() {
        return Err(ExportError::NothingToWrite);
    }
    let mut writer = Writer::default();
    writer.files.session_id = session_id.to_owned();
    let came_from_here = writer.lines(record);
    for entry in &record.entries {
        writer.entry(entry);
    }
    for moved in new_refs(record, &writer.files.ledger, came_from_here) {
        writer.append(Log::Ledger, jsonl::write_ref(moved).ok());
    }
    writer.meta(record);
    Ok(writer.files)
}

#[derive(Default)]
struct Writer<'r> {
    files: Files,
    /// Calls by id, the last of each.
    calls: HashMap<&'r Text, &'r ToolUse>,
    /// Calls by their place.
    places: HashMap<(&'r EntryId, u32), &'r ToolUse>,
    appended: bool,
}

impl<'r> Writer<'r> {
    /// The lines that came from here, each into its file; whether there are any.
    fn lines(&mut self, record: &Record) -> bool {
        let origins = record.entries.iter().filter_map(|entry| origin::of(entry, FORMAT));
        let mut lines: Vec<&SourceLine> = origins.flat_map(|origin| &origin.lines).collect();
        lines.sort_by_key(|line| line.number);
        for line in &lines {
            let Some(log) = Log::of_number(line.number) else { continue };
            let out = self.files.bytes_mut(log);
            out.extend_from_slice(&line.bytes);
            if line.ended {
                out.push(b'\n');
            }
        }
        !lines.is_empty()
    }

    /// Appends a line; `false` where there is none.
    fn append(&mut self, log: Log, line: Option<Raw>) -> bool {
        let Some(line) = line else { return false };
        let out = self.files.bytes_mut(log);
        origin::end_line(out);
        out.extend_from_slice(line.as_str().as_bytes());
        out.push(b'\n');
        self.appended = true;
        true
    }

    fn entry(&mut self, entry: &'r Entry) {
        let known = origin::of(entry, FORMAT).is_some();
        if let Fact::Message(message) = &entry.fact {
            for (block, at) in message.blocks.iter().zip(0u32..) {
                if let Block::ToolUse(call) = block {
                    self.calls.insert(&call.id, call);
                    self.places.insert((&entry.id, at), call);
                }
            }
        }
        if known {
            return;
        }
        let written = match &entry.fact {
            Fact::Message(message) => self.message(entry, message),
            Fact::Compaction(compaction) => match row::of_compaction(entry, compaction) {
                Some((record, boundary)) => {
                    self.append(Log::Compactions, Some(record));
                    self.append(Log::Messages, boundary);
                    true
                }
                None => false,
            },
            Fact::CallStarted(_) => self.started(entry),
            Fact::Head(_) | Fact::Sent(_) | Fact::Retracted(_) | Fact::Opaque(_) => false,
        };
        if !written {
            let bare = Entry { origin: None, ..entry.clone() };
            self.append(Log::Ledger, jsonl::write_entry(&bare).ok());
        }
    }

    /// A row, its results' records before it.
    fn message(&mut self, entry: &Entry, message: &Message) -> bool {
        let Some(line) = row::of_message(entry, message) else { return false };
        let doc = line.doc();
        let written = doc.root().get("blocks").into_iter().flat_map(Value::items);
        for (block, written) in message.blocks.iter().zip(written) {
            if let Block::ToolResult(result) = block {
                let call = self.calls.get(&result.tool_use_id).copied();
                let record = row::run_of(entry, result, call, written);
                self.append(Log::ToolCalls, Some(record));
            }
        }
        drop(doc);
        self.append(Log::Messages, Some(line))
    }

    /// A call that was dispatched: for other readers by its id, and in our own words.
    fn started(&mut self, entry: &Entry) -> bool {
        let bare = Entry { origin: None, ..entry.clone() };
        let Ok(ours) = jsonl::write_entry(&bare) else { return false };
        let Fact::CallStarted(started) = &entry.fact else { return false };
        let place = (&started.call.row, started.call.block);
        let Some(call) = self.places.get(&place).copied() else { return false };
        let mut line = Object::new();
        line.text("id", &call.id).optional_string("ts_start", entry.time.as_deref());
        line.text("name", &call.name);
        row::arguments(&mut line, Some(call));
        line.string("state", "started").raw("started", &ours);
        self.append(Log::ToolCalls, Some(line.finish()))
    }

    /// `meta.json`: as it was, its counts made right where lines were added.
    fn meta(&mut self, record: &Record) {
        let messages = split(&self.files.messages).len() as u64;
        let runs = split(&self.files.tool_calls).len() as u64;
        let doc = json::Doc::parse(&self.files.meta).unwrap_or_default();
        let root = doc.root();
        if root.get("schema_version").is_some() {
            if !self.appended {
                return;
            }
            let mut meta = envelope::copied(root, &["message_count", "tool_call_count"]);
            meta.number("message_count", messages).number("tool_call_count", runs);
            let meta = meta.finish().as_str().as_bytes().to_vec();
            drop(doc);
            self.files.meta = meta;
            return;
        }
        let mut meta = Object::new();
        meta.string("schema_version", SCHEMA_VERSION);
        meta.string("session_id", &self.files.session_id);
        let times = || record.entries.iter().filter_map(|entry| entry.time.as_deref());
        meta.optional_string("created_at", times().next());
        meta.optional_string("updated_at", times().next_back());
        let models =
            record.entries.iter().rev().filter_map(|entry| match &entry.message()?.source {
                Some(Source::Model { model, .. }) => Some(model.as_str()),
                _ => None,
            });
        meta.optional_string("model", models.into_iter().next());
        meta.number("message_count", messages).number("tool_call_count", runs);
        let meta = meta.finish().as_str().as_bytes().to_vec();
        drop(doc);
        self.files.meta = meta;
    }
}

/// Moves of refs that are no lines of the ledger yet. One that reading made itself is none.
fn new_refs<'r>(record: &'r Record, ledger: &[u8], came_from_here: bool) -> Vec<&'r RefMove> {
    let lines = split(ledger);
    let read = lines.iter().filter_map(|line| std::str::from_utf8(&line.bytes).ok());
    let mut known: Vec<RefMove> = read.filter_map(jsonl::read_ref).collect();
    let moves =
        record.refs.iter().filter(|moved| match known.iter().position(|line| line == *moved) {
            Some(at) => {
                known.remove(at);
                false
            }
            None => !came_from_here || moved.reason.as_str() != "import",
        });
    moves.collect()
}
