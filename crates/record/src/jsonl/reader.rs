//! Lines become a record: fed one by one, settled at the end.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, BufRead};

use json::limits::LINE_BYTES_MAX;
use json::{Doc, Kind, Value};

use crate::blank::is_blank;
use crate::entry::{EntryId, Origin};
use crate::finding::{Finding, FindingKind, Place};
use crate::jsonl::entry::{self, Line, Parsed, unplaced};
use crate::jsonl::fields::{Context, Failed};
use crate::jsonl::{CORRUPT_LINE, DUPLICATE_ROW, FORMAT_NAME, tree};
use crate::limits::BLOCKS_MAX;
use crate::record::Record;
use crate::refs::RefMove;
use crate::unread::{Unread, UnreadLines};

/// A record that was read, and what was found wrong on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Everything the lines held.
    pub record: Record,
    /// In order of lines.
    pub findings: Vec<Finding>,
}

/// A line's entry, until its place in the tree is settled.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) parsed: Parsed,
    pub(super) place: Place,
}

/// Reads lines one by one.
///
/// ```
/// let mut reader = record::jsonl::Reader::new("entries.jsonl");
/// reader.line(br#"{"role":"user","blocks":[]}"#, true);
/// assert_eq!(reader.finish().record.entries.len(), 1);
/// ```
#[derive(Debug)]
pub struct Reader {
    context: Context,
    lines: u64,
    next_offset: u64,
    pending: Vec<Pending>,
    ids: HashMap<EntryId, usize>,
    refs: Vec<RefMove>,
    /// The lines before, as far as they cannot be read.
    unread: UnreadLines,
}

/// The record in the bytes of a file.
///
/// `file` names it in findings and in the ids of rows that have none.
pub fn load(bytes: &[u8], file: &str) -> Loaded {
    let mut reader = Reader::new(file);
    let mut rest = bytes;
    while !rest.is_empty() {
        let end = line_end(rest);
        let (line, tail) = rest.split_at(end.unwrap_or(rest.len()));
        reader.line(line, end.is_some());
        rest = tail.get(1..).unwrap_or_default();
    }
    reader.finish()
}

/// As [`load`], from an input that is read to its end.
///
/// # Errors
///
/// Only what the input itself returns.
pub fn load_from(mut input: impl BufRead, file: &str) -> io::Result<Loaded> {
    let mut reader = Reader::new(file);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let ended = line.last() == Some(&b'\n');
        if ended {
            line.pop();
        }
        reader.line(&line, ended);
        line.clear();
    }
    Ok(reader.finish())
}

/// Where the line feed is; by pieces, as finding whether a piece has one is what is fast.
fn line_end(bytes: &[u8]) -> Option<usize> {
    const PIECE: usize = 1024;
    let index = bytes.chunks(PIECE).position(|piece| piece.contains(&b'\n'))?;
    let piece = bytes.get(index * PIECE..)?;
    Some(index * PIECE + piece.iter().position(|byte| *byte == b'\n')?)
}

impl Reader {
    /// A reader of the lines of this file.
    pub fn new(file: &str) -> Reader {
        Reader {
            context: Context { file: file.to_owned(), ..Context::default() },
            lines: 0,
            next_offset: 0,
            pending: Vec::new(),
            ids: HashMap::new(),
            refs: Vec::new(),
            unread: UnreadLines::default(),
        }
    }

    /// Takes the next line, without its line feed; `ended` says whether one followed.
    pub fn line(&mut self, bytes: &[u8], ended: bool) {
        self.lines += 1;
        self.context.line = self.lines;
        self.context.offset = self.next_offset;
        self.context.bytes = bytes.len() as u64;
        self.next_offset += bytes.len() as u64 + u64::from(ended);
        let mut text = bytes;
        if let (1, Some(marked)) = (self.lines, bytes.strip_prefix(b"\xef\xbb\xbf")) {
            text = marked;
            self.context.offset += 3;
        }
        if !text.starts_with(b"{") && std::str::from_utf8(text).is_ok_and(is_blank) {
            // Alone they are no lines; between damaged ones they keep these together.
            if !self.unread.is_empty() {
                self.unread(bytes, ended, None);
            }
        } else if let Err(why) = self.object(text) {
            self.unread(bytes, ended, Some(why));
        }
    }

    fn unread(&mut self, bytes: &[u8], ended: bool, why: Option<String>) {
        let place = self.context.place();
        if !self.unread.has_room(place) {
            self.corrupt();
        }
        self.unread.push(place, bytes, ended, why);
    }

    /// The lines before that could not be read are an entry.
    fn corrupt(&mut self) {
        let Some(Unread { line, place, damage: Some((damaged, why)) }) = self.unread.take() else {
            return;
        };
        self.context.found_at(FindingKind::CorruptLine, damaged, why);
        let mut parsed = unplaced(CORRUPT_LINE.into(), None);
        parsed.origin = Some(Box::new(Origin { format: FORMAT_NAME.into(), lines: vec![line] }));
        self.push_at(parsed, place);
    }

    fn object(&mut self, text: &[u8]) -> Result<(), String> {
        if text.len() > LINE_BYTES_MAX {
            return Err(format!("a line of more than {LINE_BYTES_MAX} bytes"));
        }
        let doc = Doc::parse(text).map_err(|error| error.to_string())?;
        let root = doc.root();
        if root.kind() != Kind::Object {
            return Err("not a JSON object".into());
        }
        if root.members().next().is_none() {
            return Err("an object without members".into());
        }
        match entry::read(&mut self.context, root) {
            Ok(line) => {
                self.corrupt();
                match line {
                    Line::Header => {}
                    Line::Ref(moved) => self.refs.push(moved),
                    Line::Entry(parsed) => self.entry(*parsed, root),
                }
            }
            Err(Failed::TooManyBlocks) => {
                return Err(format!("a message of more than {BLOCKS_MAX} blocks"));
            }
            Err(Failed::Field(name)) => return Err(format!("no readable `{name}`")),
        }
        Ok(())
    }

    fn entry(&mut self, parsed: Parsed, line: Value<'_, '_>) {
        if let Some(id) = &parsed.id {
            match self.ids.entry(id.clone()) {
                Entry::Vacant(place) => {
                    place.insert(self.pending.len());
                    self.context.last_id = Some(id.clone());
                }
                Entry::Occupied(_) => {
                    let detail = format!("a second entry `{id}`; the first counts");
                    self.context.found(FindingKind::DuplicateRow, detail);
                    return self.push(unplaced(DUPLICATE_ROW.into(), Some(line)));
                }
            }
        }
        self.push(parsed);
    }

    fn push(&mut self, parsed: Parsed) {
        self.push_at(parsed, self.context.place());
    }

    fn push_at(&mut self, parsed: Parsed, place: Place) {
        self.pending.push(Pending { parsed, place });
    }

    /// The record of all lines taken.
    pub fn finish(mut self) -> Loaded {
        self.corrupt();
        let entries = tree::settle(&mut self.context, self.pending, self.ids);
        let mut findings = self.context.findings;
        findings.sort_by_key(|finding| finding.line);
        Loaded { record: Record { entries, refs: self.refs }, findings }
    }
}
