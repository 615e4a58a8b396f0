//! Session files of harnesses whose messages are those of some API, each in its own envelope.
//!
//! In: lines, or a document whose first entry keeps it. Out: a record, and the file again. Each
//! harness is a file here and a row of [`HARNESSES`]: the signs its files are told by, how one line
//! or a document is read, how rows are written. What they have in common is in [`session`] for
//! reading and in [`rows`] for writing.

mod adk;
mod ai_sdk;
mod antigravity;
mod atif;
mod cline;
mod codex_legacy;
mod cursor;
mod droid;
mod dsh;
mod entire;
mod goose;
mod grok;
mod hermes;
mod inspect;
mod kimi;
mod kiro;
mod langchain;
mod message;
mod openhands;
mod qwen;
pub(crate) mod rows;
mod session;
mod shapes;
mod swe_agent;
mod tau_bench;

use json::{Doc, Object, Raw, Value};
use record::{Entry, Record};

use crate::error::{ExportError, ImportError};
use crate::places::Places;
use crate::report::Place;
use crate::source::{BOM, Keep};
use crate::{Format, Imported, lines, origin, splice};

use rows::Rows;
use session::Session;

/// The kind of the opaque first entry that keeps a document.
const DOCUMENT: &str = "harness.document";

/// How the files of one harness are told, read and written.
pub(crate) struct Harness {
    pub(crate) format: Format,
    /// Whether a line is one of this format, and of no other.
    pub(crate) is_line: fn(Value<'_, '_>) -> bool,
    /// Whether a document is one of this format, and of no other.
    pub(crate) is_document: fn(Value<'_, '_>) -> bool,
    /// Reads one line; the entry it belongs to, where that is not its own.
    line: fn(&mut Session, Value<'_, '_>, Place) -> Option<usize>,
    /// Reads a document.
    document: fn(&mut Session, Value<'_, '_>, &mut Places<'_>),
    /// The ways to the list of a document, as [`splice::with`] takes them.
    list: &'static [&'static [&'static str]],
    /// Rows as lines, or as items of a document's list.
    write: fn(&Rows<'_>) -> Result<Vec<Raw>, ExportError>,
    new: New,
}

/// What a file begins with that comes from elsewhere.
enum New {
    /// Lines, after these.
    Lines(fn(&Entry) -> Vec<Raw>),
    /// A document, into whose list the items go.
    Document(fn(&Rows<'_>) -> Raw),
}

/// Every harness. The first whose sign fits has the file.
pub(crate) const HARNESSES: &[Harness] = &[
    adk::HARNESS,
    ai_sdk::HARNESS,
    antigravity::HARNESS,
    atif::HARNESS,
    cline::HARNESS,
    codex_legacy::HARNESS,
    cursor::HARNESS,
    droid::HARNESS,
    dsh::HARNESS,
    entire::HARNESS,
    goose::HARNESS,
    grok::HARNESS,
    hermes::HARNESS,
    inspect::HARNESS,
    kimi::HARNESS,
    kiro::HARNESS,
    langchain::HARNESS,
    openhands::HARNESS,
    qwen::HARNESS,
    swe_agent::MINI_SWE_AGENT,
    swe_agent::SWE_AGENT,
    tau_bench::HARNESS,
];

fn of(format: Format) -> Option<&'static Harness> {
    HARNESSES.iter().find(|harness| harness.format == format)
}

/// Reads a file of a harness.
pub(crate) fn import(format: Format, bytes: &[u8], file: &str) -> Result<Imported, ImportError> {
    let Some(harness) = of(format) else {
        let hint = format!("no reader of {}", format.name());
        return Err(ImportError::UnknownFormat { hint });
    };
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let mut session = Session::new(harness, file);
    match Doc::parse(text) {
        Ok(doc) if (harness.is_document)(doc.root()) => {
            session.begin_document(bytes);
            (harness.document)(&mut session, doc.root(), &mut Places::new(text));
        }
        Ok(_) | Err(_) => lines::read(&mut session, bytes, Keep::Lines)?,
    }
    let (record, findings, title) = session.finish();
    Ok(Imported { format, record, findings, title })
}

/// Writes the file a record came from, then what the main branch holds beyond it.
pub(crate) fn export(record: &Record, format: Format) -> Result<Vec<u8>, ExportError> {
    let Some(harness) = of(format) else { return Err(ExportError::NothingToWrite) };
    let import = |bytes: &[u8], file: &str| import(format, bytes, file);
    let document = splice::of(record, format, DOCUMENT, import);
    let mut out = origin::lines(record, format.name());
    let is_new = out.is_empty();
    let are_lines = match harness.new {
        New::Lines(_) => true,
        New::Document(_) => !is_new && document.bytes.is_empty(),
    };
    let items = match document.bytes.is_empty() {
        true => out.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count(),
        false => splice::items_of(&document.bytes, harness.list),
    };
    let rows = Rows::of(&document.appended, format, is_new, are_lines)?.after_items(items);
    if rows.is_empty() {
        return if is_new { Err(ExportError::NothingToWrite) } else { Ok(out) };
    }
    let written = (harness.write)(&rows)?;
    if !document.bytes.is_empty() {
        return splice::with(&document.bytes, harness.list, &written);
    }
    let mut lines = match (&harness.new, rows.first()) {
        (New::Document(begin), _) if is_new => {
            let begun = begin(&rows);
            return splice::with(begun.as_str().as_bytes(), harness.list, &written);
        }
        (New::Lines(before), Some(row)) if is_new => before(row.entry),
        (New::Document(_) | New::Lines(_), _) => Vec::new(),
    };
    lines.extend(written);
    for line in lines {
        origin::end_line(&mut out);
        out.extend_from_slice(line.as_str().as_bytes());
        out.push(b'\n');
    }
    Ok(out)
}

fn never(_: Value<'_, '_>) -> bool {
    false
}

fn no_lines(_: &mut Session, _: Value<'_, '_>, _: Place) -> Option<usize> {
    None
}

fn no_document(_: &mut Session, _: Value<'_, '_>, _: &mut Places<'_>) {}

fn nothing_before(_: &Entry) -> Vec<Raw> {
    Vec::new()
}

/// A document of one list, for rows from elsewhere.
fn empty_list(name: &str) -> Raw {
    let mut object = Object::new();
    object.raw(name, &json::Array::new().finish());
    object.finish()
}
