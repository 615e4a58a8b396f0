//! What a file is, by its content.
//!
//! [`signs`] is the table of the formats, [`bodies`] tells request bodies apart, [`outline`] says
//! what the beginning of a document is.
//!
//! Lines are looked at first: the first one whose shape one format alone has decides, so damage
//! before it does no harm. Where no line decides, the head is taken as one document. A file's name
//! is never asked.

mod bodies;
mod outline;
mod signs;

use std::io::{BufRead, Read};

use json::{Doc, Kind, Value};

use crate::error::ImportError;
use crate::limits::{DETECTED_BYTES_MAX, HEAD_BYTES};
use crate::recover;
use crate::source::BOM;
use crate::{Format, aider, gemini};

use bodies::{holds_items, verdict_of_messages};
use outline::beginning;

pub(crate) use outline::names_records;

/// Says what a file is that begins with `head`; `whole` where that is all of it.
///
/// ```
/// let line = br#"{"type":"user","uuid":"u","message":{"role":"user","content":"hi"}}"#;
/// assert_eq!(formats::detect(line, true).ok(), Some(formats::Format::ClaudeCode));
/// ```
///
/// # Errors
///
/// [`ImportError`] saying what it is instead, as far as that can be seen.
pub fn detect(head: &[u8], whole: bool) -> Result<Format, ImportError> {
    refuse_encoding(head)?;
    let text = head.strip_prefix(BOM).unwrap_or(head);
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(if whole {
            ImportError::Empty
        } else {
            unknown("it begins with nothing but blanks")
        });
    }
    if whole && is_document(text) {
        return document(text, whole);
    }
    let mut verdict = None;
    let (mut objects, mut documents) = (0usize, 0usize);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let complete = whole || line.ends_with(b"\n");
        if !complete || !line.trim_ascii_start().starts_with(b"{") {
            continue;
        }
        let Ok(doc) = Doc::parse(line) else { continue };
        objects += 1;
        match verdict_of_line(doc.root()) {
            Verdict::Is(format) => return Ok(format),
            Verdict::Foreign(hint) => verdict = verdict.or(Some(hint)),
            Verdict::Document => documents += 1,
            Verdict::Open => {}
        }
    }
    if let Some(hint) = verdict {
        return Err(unknown(hint));
    }
    if objects == 0
        && let Some(format) = in_damage(text)
    {
        return Ok(format);
    }
    if documents > 1 {
        return Err(unknown("several request bodies, one a line; take one of them out"));
    }
    if objects > 1 {
        return Err(unknown("lines of JSON of no session format that is read"));
    }
    if aider::is_history(text) {
        return Ok(Format::Aider);
    }
    document(text, whole)
}

/// The format of a whole object in a damaged line, where no line is one as a whole. What a text of
/// several lines holds may be part of one document, and says nothing.
fn in_damage(text: &[u8]) -> Option<Format> {
    let line = text.strip_suffix(b"\n").unwrap_or(text);
    if line.contains(&b'\n') {
        return None;
    }
    recover::objects(line).into_iter().find_map(|range| {
        let doc = Doc::parse(line.get(range)?).ok()?;
        signs::own_line(doc.root()).or_else(|| signs::line(doc.root()))
    })
}

/// As [`detect`], of bytes that are a whole file; no more of them is looked at than is needed.
///
/// # Errors
///
/// As [`detect`].
pub fn detect_in(bytes: &[u8]) -> Result<Format, ImportError> {
    let mut limit = HEAD_BYTES;
    loop {
        let head = bytes.get(..limit).unwrap_or(bytes);
        let verdict = detect(head, head.len() == bytes.len());
        match further(&verdict, limit).filter(|_| head.len() < bytes.len()) {
            Some(next) => limit = next,
            None => return verdict,
        }
    }
}

/// As [`detect`], of a file that comes in: the bytes that were read, and what they say it is.
///
/// # Errors
///
/// [`ImportError::Io`] where the reader fails.
pub fn detect_reader(
    input: &mut impl BufRead,
) -> Result<(Vec<u8>, Result<Format, ImportError>), ImportError> {
    let (mut head, mut limit) = (Vec::new(), HEAD_BYTES);
    loop {
        input.by_ref().take((limit - head.len()) as u64).read_to_end(&mut head)?;
        let whole = input.fill_buf()?.is_empty();
        let verdict = detect(&head, whole);
        match further(&verdict, limit).filter(|_| !whole) {
            Some(next) => limit = next,
            None => return Ok((head, verdict)),
        }
    }
}

/// How much more is to be looked at, where this much did not tell.
fn further(verdict: &Result<Format, ImportError>, limit: usize) -> Option<usize> {
    let unknown = matches!(verdict, Err(ImportError::UnknownFormat { .. }));
    (unknown && limit < DETECTED_BYTES_MAX)
        .then_some(limit.saturating_mul(4).min(DETECTED_BYTES_MAX))
}

/// Whether a text is one document over several lines, whatever any of them looks like by itself.
fn is_document(text: &[u8]) -> bool {
    let first = text.trim_ascii_start().split(|byte| *byte == b'\n').next().unwrap_or_default();
    Doc::parse(first).is_err() && Doc::parse(text).is_ok()
}

fn unknown(hint: &str) -> ImportError {
    ImportError::UnknownFormat { hint: hint.to_owned() }
}

fn refuse_encoding(head: &[u8]) -> Result<(), ImportError> {
    const ENCODINGS: [(&[u8], &str); 4] = [
        (b"\xff\xfe\0\0", "UTF-32LE"),
        (b"\0\0\xfe\xff", "UTF-32BE"),
        (b"\xff\xfe", "UTF-16LE"),
        (b"\xfe\xff", "UTF-16BE"),
    ];
    const BINARY: [(&[u8], &str); 7] = [
        (b"SQLite format 3\0", "a SQLite database; give it to the command that reads stores"),
        (b"\x1f\x8b", "a gzip archive; unpack it first"),
        (b"\x28\xb5\x2f\xfd", "a zstd archive; unpack it first"),
        (b"PK\x03\x04", "a zip archive; unpack it first"),
        (b"%PDF", "a PDF"),
        (b"\x89PNG", "a PNG image"),
        (b"\x7fELF", "a program"),
    ];
    if let Some((_, name)) = ENCODINGS.iter().find(|(mark, _)| head.starts_with(mark)) {
        return Err(ImportError::Encoding { name });
    }
    match BINARY.iter().find(|(mark, _)| head.starts_with(mark)) {
        Some((_, looks_like)) => Err(ImportError::Binary { looks_like }),
        None => Ok(()),
    }
}

/// What one line, or one document, says.
enum Verdict {
    Is(Format),
    /// A format that is known and not read.
    Foreign(&'static str),
    /// A document, if it is alone.
    Document,
    Open,
}

fn verdict_of_line(line: Value<'_, '_>) -> Verdict {
    if let Some(format) = signs::own_line(line) {
        return Verdict::Is(format);
    }
    let has = |name: &str| line.get(name).is_some();
    if line.get("messages").is_some_and(|list| list.kind() == Kind::Array)
        || has("records")
        || has("contents")
    {
        return Verdict::Document;
    }
    signs::line(line).map_or_else(|| foreign_line(line), Verdict::Is)
}

/// Lines of formats that are told apart in order to say so.
fn foreign_line(line: Value<'_, '_>) -> Verdict {
    let has = |name: &str| line.get(name).is_some();
    let kind = line.get_str("type").unwrap_or_default();
    let hint = match &*kind {
        "" if has("ts") && has("role") && has("content") => {
            "messages of a three-log directory; give the directory"
        }
        "" if has("role") && (has("tool_calls") || has("tool_call_id")) => {
            "OpenAI chat messages, one a line; not read yet"
        }
        _ => return Verdict::Open,
    };
    Verdict::Foreign(hint)
}

fn document(text: &[u8], whole: bool) -> Result<Format, ImportError> {
    if !whole {
        return beginning(text);
    }
    let doc = match Doc::parse(text) {
        Ok(doc) => doc,
        Err(_) if !matches!(text.trim_ascii_start().first(), Some(b'{' | b'[' | 0)) => {
            return Err(not_json(text));
        }
        Err(error) => {
            let position = json::Position::of(text, error.offset);
            return Err(ImportError::Json { error, position });
        }
    };
    match verdict_of_document(doc.root()) {
        Verdict::Is(format) => Ok(format),
        Verdict::Foreign(hint) => Err(unknown(hint)),
        Verdict::Document | Verdict::Open => {
            Err(unknown("JSON without `messages`; no session format that is read"))
        }
    }
}

fn not_json(text: &[u8]) -> ImportError {
    if text.contains(&0) || std::str::from_utf8(text).is_err_and(|e| e.error_len().is_some()) {
        ImportError::Binary { looks_like: "no text in UTF-8" }
    } else {
        unknown("text that is not JSON")
    }
}

fn verdict_of_document(root: Value<'_, '_>) -> Verdict {
    if let Some(format) = signs::document(root) {
        return Verdict::Is(format);
    }
    let has = |name: &str| root.get(name).is_some();
    if root.kind() == Kind::Array {
        return match root.items().next() {
            Some(_) if gemini::are_contents(root) => Verdict::Is(Format::Gemini),
            Some(_) => verdict_of_messages(root, root),
            None => Verdict::Foreign("an empty list"),
        };
    }
    if root.get("contents").is_some_and(|list| list.kind() == Kind::Array) {
        return Verdict::Is(Format::Gemini);
    }
    match root.get("messages") {
        Some(list) if list.kind() == Kind::Array => verdict_of_messages(root, list),
        Some(_) => Verdict::Foreign("an object whose `messages` is no list"),
        None if has("input") && (has("model") || holds_items(root.get("input"))) => {
            Verdict::Is(Format::OpenAiResponses)
        }
        None if has("exchanges") => {
            Verdict::Foreign("recorded HTTP exchanges; take the body of one request out of it")
        }
        None => Verdict::Open,
    }
}

/// What a whole document is, where its head did not say.
pub(crate) fn of_document(document: &[u8]) -> Option<Format> {
    let doc = Doc::parse(document.strip_prefix(BOM).unwrap_or(document)).ok()?;
    match verdict_of_document(doc.root()) {
        Verdict::Is(format) => Some(format),
        Verdict::Foreign(_) | Verdict::Document | Verdict::Open => None,
    }
}
