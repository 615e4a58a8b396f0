//! The files of a directory, and their lines.

use json::Doc;
use record::{SourceLine, UnreadLines};

use crate::report::Place;
use crate::source::{Content, content};

/// The bytes of a directory's files; one that is not there is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The directory's name, which is the session's id; empty where it is not known.
    pub session_id: String,
    /// `meta.json`
    pub meta: Vec<u8>,
    /// `messages.jsonl`
    pub messages: Vec<u8>,
    /// `tool_calls.jsonl`
    pub tool_calls: Vec<u8>,
    /// `compactions.jsonl`
    pub compactions: Vec<u8>,
    /// `ledger.jsonl`
    pub ledger: Vec<u8>,
}

impl Files {
    /// The name and bytes of every file, in the order they are read.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        Log::ALL.into_iter().map(|log| (log.file_name(), self.bytes(log)))
    }

    pub(super) fn bytes(&self, log: Log) -> &[u8] {
        match log {
            Log::Meta => &self.meta,
            Log::Messages => &self.messages,
            Log::ToolCalls => &self.tool_calls,
            Log::Compactions => &self.compactions,
            Log::Ledger => &self.ledger,
        }
    }

    pub(super) fn bytes_mut(&mut self, log: Log) -> &mut Vec<u8> {
        match log {
            Log::Meta => &mut self.meta,
            Log::Messages => &mut self.messages,
            Log::ToolCalls => &mut self.tool_calls,
            Log::Compactions => &mut self.compactions,
            Log::Ledger => &mut self.ledger,
        }
    }
}

/// One of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Log {
    Meta,
    Messages,
    ToolCalls,
    Compactions,
    Ledger,
}

/// Lines of different files are told apart by their number: each file's count on from a multiple of
/// this.
const NUMBERS_PER_FILE: u64 = 1 << 40;

impl Log {
    pub(super) const ALL: [Log; 5] =
        [Log::Meta, Log::Messages, Log::ToolCalls, Log::Compactions, Log::Ledger];

    pub(super) fn file_name(self) -> &'static str {
        match self {
            Log::Meta => "meta.json",
            Log::Messages => "messages.jsonl",
            Log::ToolCalls => "tool_calls.jsonl",
            Log::Compactions => "compactions.jsonl",
            Log::Ledger => "ledger.jsonl",
        }
    }

    /// What a line's number says its file is.
    pub(super) fn of_number(number: u64) -> Option<Log> {
        Log::ALL.get(usize::try_from(number / NUMBERS_PER_FILE).ok()?).copied()
    }

    /// The file and its line that a number means; `None` of one of the first file, where a number
    /// is any format's.
    pub(super) fn place(number: u64) -> Option<(Log, u64)> {
        let log = Log::of_number(number).filter(|log| *log != Log::Meta)?;
        Some((log, number % NUMBERS_PER_FILE))
    }

    /// The number of a file's line, among those of all files.
    pub(super) fn number(self, line: u64) -> u64 {
        let before = Log::ALL.iter().take_while(|log| **log != self).count() as u64;
        before * NUMBERS_PER_FILE + line
    }
}

/// A line of a file, parsed.
pub(super) struct Line<'l> {
    pub(super) place: Place,
    pub(super) content: Content<'l>,
}

impl Line<'_> {
    pub(super) fn doc(&self) -> Option<&Doc<'_>> {
        match &self.content {
            Content::Object(doc) => Some(doc),
            Content::Blank | Content::Corrupt(_) => None,
        }
    }
}

/// The lines of a file's bytes; those in a row of which nothing can be read are one.
pub(super) fn split(bytes: &[u8]) -> Vec<SourceLine> {
    let (mut lines, mut unread) = (Vec::new(), UnreadLines::default());
    let (mut place, mut rest) = (Place { line: 1, ..Place::default() }, bytes);
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n');
        let (line, tail) = rest.split_at(end.unwrap_or(rest.len()));
        let (ended, bytes) = (end.is_some(), line.into());
        place.bytes = line.len() as u64;
        let source = SourceLine { number: place.line, bytes, ended };
        let why = match content(&source) {
            Content::Object(doc) if doc.root().members().next().is_some() => {
                lines.extend(unread.take().map(|unread| unread.line));
                lines.push(source);
                None
            }
            Content::Blank => Some(None),
            Content::Object(_) => Some(Some(String::new())),
            Content::Corrupt(why) => Some(Some(why)),
        };
        if let Some(why) = why {
            if !unread.has_room(place) {
                lines.extend(unread.take().map(|unread| unread.line));
            }
            unread.push(place, line, ended, why);
        }
        place = Place { line: place.line + 1, offset: place.end() + 1, bytes: 0 };
        rest = tail.get(1..).unwrap_or_default();
    }
    lines.extend(unread.take().map(|unread| unread.line));
    lines
}

/// Lines with what they hold.
pub(super) fn parsed(lines: &[SourceLine]) -> Vec<Line<'_>> {
    let mut offset = 0;
    let parsed = lines.iter().map(|source| {
        let bytes = source.bytes.len() as u64;
        let place = Place { line: source.number, offset, bytes };
        offset += bytes + u64::from(source.ended);
        Line { place, content: content(source) }
    });
    parsed.collect()
}
