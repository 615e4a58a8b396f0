//! Our JSONL: one JSON object a line, entries and moves of refs.
//!
//! [`save`] writes a whole record, [`load`] reads one; [`write_entry`], [`write_ref`] and
//! [`Reader`] do the same line by line, for a store. `docs/record-format.md` says what every line
//! may hold.
//!
//! Reading never fails on content. A line that cannot be read is an opaque entry, a member that
//! cannot be read stays in a [`crate::Rest`], and each is a [`crate::Finding`].
//!
//! `load(save(x)) == x` for a record whose ids are unique, whose parents are in it without a
//! cycle, whose lines are within the limits, in which no value holds a line feed between its
//! tokens, in which a rest holds no name that has a field, and in which a fact with a rest of its
//! own leaves the entry's rest empty. What [`load`] gives is such a record, but that a rest may
//! then hold what a field could not.
//!
//! No file is opened here, and nothing is ever written in place of what was read.

mod block;
mod compaction;
mod entry;
mod fields;
mod fill;
mod head;
mod image;
mod message;
mod opaque;
mod origin;
mod out;
mod proof;
mod reader;
mod refs;
mod rest;
mod result;
mod retracted;
mod sent;
mod tree;

use std::fmt;

use json::limits::{DEPTH_MAX, LINE_BYTES_MAX};
use json::{Doc, ParseErrorKind, Raw};

use crate::entry::{Entry, Fact};
use crate::limits::BLOCKS_MAX;
use crate::record::Record;
use crate::refs::RefMove;

pub use reader::{Loaded, Reader, load, load_from};
pub use rest::rest_of;

/// The first line of a file, without its line feed.
pub const HEADER: &str = r#"{"stenograph":"record","v":1}"#;

/// The kind of the opaque fact that holds a line that is no object or is over a limit: its bytes
/// are the entry's origin.
pub const CORRUPT_LINE: &str = "corrupt_line";

/// The kind of the opaque fact that holds a second entry of an id, as it was written.
pub const DUPLICATE_ROW: &str = "duplicate_row";

/// The format an origin names for lines of this format.
pub const FORMAT_NAME: &str = "stenograph";

/// Why an entry cannot be written so that it would be read back: it is over a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverLimit {
    /// The line would have this many bytes, more than [`LINE_BYTES_MAX`].
    Line(usize),
    /// A value in it is nested too deep for a line of [`DEPTH_MAX`] levels.
    Depth,
    /// The message has this many blocks, more than [`BLOCKS_MAX`].
    Blocks(usize),
}

impl fmt::Display for OverLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OverLimit::Line(bytes) => write!(
                f,
                "the entry would be a line of {bytes} bytes, over the limit of {LINE_BYTES_MAX}; \
                 keep large images as blobs, or split the message"
            ),
            OverLimit::Depth => write!(
                f,
                "a value of the entry is nested deeper than a line of {DEPTH_MAX} levels holds"
            ),
            OverLimit::Blocks(count) => write!(
                f,
                "the message has {count} blocks, over the limit of {BLOCKS_MAX}; split it"
            ),
        }
    }
}

impl std::error::Error for OverLimit {}

/// The bytes of a file that holds this record: the header, the entries, the moves of refs.
///
/// An entry over a limit is written too, and will be read as a corrupt line; whoever writes a whole
/// record asks [`over_limits`] first, a store asks [`write_entry`] before it acknowledges one.
///
/// ```
/// use record::jsonl;
/// let loaded = jsonl::load(br#"{"role":"user","blocks":[{"type":"text","text":"hi"}]}"#, "a");
/// let saved = jsonl::save(&loaded.record);
/// assert_eq!(jsonl::load(&saved, "b").record, loaded.record);
/// ```
pub fn save(record: &Record) -> Vec<u8> {
    let mut out = Vec::new();
    for line in lines(record) {
        out.extend_from_slice(&line);
    }
    out
}

/// The lines of that file one after the other, each with its line feed: what is long need not be
/// in memory twice.
pub fn lines(record: &Record) -> impl Iterator<Item = Vec<u8>> {
    let header = std::iter::once(format!("{HEADER}\n").into_bytes());
    let entries = record.entries.iter().map(|entry| {
        let mut line = Vec::new();
        push_entry(&mut line, entry);
        line
    });
    let moves = record.refs.iter().map(|moved| {
        let mut line = Vec::new();
        refs::write(&mut line, moved);
        line.push(b'\n');
        line
    });
    header.chain(entries).chain(moves)
}

/// The entries that would be read back as corrupt lines, and the limit each is over.
pub fn over_limits(record: &Record) -> impl Iterator<Item = (&Entry, OverLimit)> {
    let mut line = Vec::new();
    let entries = record.entries.iter().filter(|entry| corrupt_bytes(entry).is_none());
    entries.filter_map(move |entry| {
        line.clear();
        entry::write(&mut line, entry);
        over_limit(entry, &line).map(|over| (&**entry, over))
    })
}

fn over_limit(entry: &Entry, line: &[u8]) -> Option<OverLimit> {
    match entry.message().map(|message| message.blocks.len()) {
        Some(blocks) if blocks > BLOCKS_MAX => return Some(OverLimit::Blocks(blocks)),
        Some(_) | None => {}
    }
    if line.len() > LINE_BYTES_MAX {
        return Some(OverLimit::Line(line.len()));
    }
    Doc::parse(line).is_err().then_some(OverLimit::Depth)
}

fn push_entry(out: &mut Vec<u8>, entry: &Entry) {
    let start = out.len();
    entry::write(out, entry);
    // A corrupt line is itself near the limit: as a member of an entry it would grow past it each
    // time it is saved.
    if out.len() - start > LINE_BYTES_MAX
        && let Some(bytes) = corrupt_bytes(entry)
    {
        out.truncate(start);
        out.extend_from_slice(bytes);
    }
    out.push(b'\n');
}

fn corrupt_bytes(entry: &Entry) -> Option<&[u8]> {
    match (&entry.fact, &entry.origin) {
        (Fact::Opaque(opaque), Some(origin)) if *opaque.kind == *CORRUPT_LINE => {
            origin.lines.first().map(|line| &*line.bytes)
        }
        _ => None,
    }
}

/// An entry as one line, without its line feed.
///
/// # Errors
///
/// [`OverLimit`] where the line would be kept raw on reading; such an entry must not be
/// acknowledged.
pub fn write_entry(entry: &Entry) -> Result<Raw, OverLimit> {
    if let Some(message) = entry.message()
        && message.blocks.len() > BLOCKS_MAX
    {
        return Err(OverLimit::Blocks(message.blocks.len()));
    }
    let mut out = Vec::new();
    entry::write(&mut out, entry);
    checked(out)
}

/// A move of a ref as one line, without its line feed.
///
/// # Errors
///
/// As [`write_entry`].
pub fn write_ref(moved: &RefMove) -> Result<Raw, OverLimit> {
    let mut out = Vec::new();
    refs::write(&mut out, moved);
    checked(out)
}

fn checked(line: Vec<u8>) -> Result<Raw, OverLimit> {
    if line.len() > LINE_BYTES_MAX {
        return Err(OverLimit::Line(line.len()));
    }
    let text = String::from_utf8(line).unwrap_or_default();
    Raw::parse(&text).map_err(|error| match error.kind {
        ParseErrorKind::TooLong => OverLimit::Line(text.len()),
        _ => OverLimit::Depth,
    })
}

/// The entry of one complete line, as [`write_entry`] gave it; `None` where it is none.
///
/// For a store that keeps lines one by one. What a [`Reader`] would settle from the lines around
/// it (a missing id, parent or seq) makes it `None` here.
pub fn read_entry(line: &str) -> Option<Entry> {
    let doc = Doc::parse_str(line).ok()?;
    match entry::read(&mut fields::Context::default(), doc.root()) {
        Ok(entry::Line::Entry(parsed)) => parsed.complete(),
        Ok(entry::Line::Header | entry::Line::Ref(_)) | Err(_) => None,
    }
}

/// The move of one complete line, as [`write_ref`] gave it; `None` where it is none.
pub fn read_ref(line: &str) -> Option<RefMove> {
    let doc = Doc::parse_str(line).ok()?;
    match entry::read(&mut fields::Context::default(), doc.root()) {
        Ok(entry::Line::Ref(moved)) => Some(moved),
        Ok(entry::Line::Header | entry::Line::Entry(_)) | Err(_) => None,
    }
}

/// What an append must begin with, given the last byte of the file (`None`: it is empty): a file
/// that was torn inside a line gets that line ended, so the next one is not glued to it.
pub fn joint(last_byte: Option<u8>) -> &'static str {
    match last_byte {
        None | Some(b'\n') => "",
        Some(_) => "\n",
    }
}
