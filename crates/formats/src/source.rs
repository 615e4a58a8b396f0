//! Lines of a file, parsed once.

use std::io::{self, BufRead};

use json::limits::LINE_BYTES_MAX;
use json::lines::Lines;
use json::{Doc, Kind, Raw, Value};
use record::{Record, SourceLine};

use crate::report::Place;

/// The bytes some editors begin a UTF-8 file with.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// A line and where it stood.
pub(crate) struct Physical {
    pub(crate) line: SourceLine,
    pub(crate) place: Place,
}

/// What an entry keeps of the lines it was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Everything: they can be given back.
    Lines,
    /// Their numbers.
    Numbers,
}

impl Keep {
    pub(crate) fn of(self, line: SourceLine) -> SourceLine {
        match self {
            Keep::Lines => line,
            Keep::Numbers => SourceLine { bytes: Box::default(), ..line },
        }
    }
}

/// What a line holds.
pub(crate) enum Content<'l> {
    /// White space, or nothing.
    Blank,
    /// One JSON object.
    Object(Doc<'l>),
    /// Anything else, with the reason.
    Corrupt(String),
}

/// Reads lines of any length, whole: what is too long to parse is still kept.
pub(crate) struct Source<R> {
    lines: Lines<R>,
}

impl<R: BufRead> Source<R> {
    pub(crate) fn new(input: R) -> Source<R> {
        Source { lines: Lines::new(input, usize::MAX - 1) }
    }

    pub(crate) fn next_line(&mut self) -> io::Result<Option<Physical>> {
        let Some(line) = self.lines.next_line()? else { return Ok(None) };
        let place =
            Place { line: line.number as u64, offset: line.offset, bytes: line.bytes.len() as u64 };
        let bytes = line.bytes.into_boxed_slice();
        Ok(Some(Physical {
            line: SourceLine { number: place.line, bytes, ended: line.ended },
            place,
        }))
    }
}

/// Parses a line's bytes.
pub(crate) fn content(line: &SourceLine) -> Content<'_> {
    let bytes = text_of(line);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Content::Blank;
    }
    if bytes.len() > LINE_BYTES_MAX {
        return Content::Corrupt(format!("longer than {LINE_BYTES_MAX} bytes"));
    }
    match Doc::parse(bytes) {
        Ok(doc) if doc.root().kind() == Kind::Object => Content::Object(doc),
        Ok(_) => Content::Corrupt("JSON, but no object".to_owned()),
        Err(error) => Content::Corrupt(format!("not a JSON object: {error}")),
    }
}

/// The bytes of a line without the mark a file may begin with.
pub(crate) fn text_of(line: &SourceLine) -> &[u8] {
    match line.number {
        1 => line.bytes.strip_prefix(BOM).unwrap_or(&line.bytes),
        _ => &line.bytes,
    }
}

/// Sequence numbers for the entries of a record, in their order.
pub(crate) fn number(record: &mut Record) {
    for (index, entry) in record.entries.iter_mut().enumerate() {
        std::sync::Arc::make_mut(entry).seq = index as u64 + 1;
    }
}

/// The lines of a document, as an entry keeps them: in one piece.
pub(crate) fn document_lines(bytes: &[u8]) -> Vec<SourceLine> {
    let whole = bytes.strip_suffix(b"\n");
    let line =
        SourceLine { number: 1, bytes: whole.unwrap_or(bytes).into(), ended: whole.is_some() };
    vec![line]
}

/// See [`Raw::one_line`].
pub(crate) fn one_line(value: Value<'_, '_>) -> Raw {
    Raw::one_line(value)
}

/// `null`, for a member that has to be there.
pub(crate) fn null() -> Raw {
    Raw::parse("null").unwrap_or_else(|_| json::Object::new().finish())
}
