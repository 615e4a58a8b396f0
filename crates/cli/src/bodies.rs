//! The request bodies that a command line names: files, files of a body a line, and folders of
//! both.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use stenograph::json::{Doc, Kind, Value};

use crate::failure::Failure;
use crate::source::{self, Source};

/// Members whose lists make an object the body of some API.
const LISTS: [&str; 3] = ["messages", "contents", INPUT];

/// The member that holds a conversation, or one text.
const INPUT: &str = "input";

/// Endings of files in which bodies are looked for below a folder.
const ENDINGS: [&str; 2] = ["json", "jsonl"];

/// A file to look into.
#[derive(Debug)]
pub struct Named {
    path: PathBuf,
    /// Found below a folder: what is no body in it is nobody's fault.
    found: bool,
}

/// A file with the bodies it holds.
#[derive(Debug)]
pub struct Bodies {
    /// The file.
    pub source: Source,
    /// Where each body stands in it.
    pub spans: Vec<Span>,
    /// Each stands in a line of its own.
    pub lines: bool,
}

/// Where a body stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its bytes.
    pub bytes: Range<usize>,
    /// Where its first line begins, and the number of that line.
    pub line_start: usize,
    /// From 1.
    pub line: usize,
}

/// The files that paths name: of a folder all below it that may hold bodies, in the order of their
/// names. Hidden ones are passed over, and links to folders are not followed.
pub fn named(paths: &[PathBuf]) -> Result<Vec<Named>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            below(path, &mut files)?;
        } else {
            files.push(Named { path: path.clone(), found: false });
        }
    }
    Ok(files)
}

fn below(folder: &Path, files: &mut Vec<Named>) -> Result<(), Failure> {
    let unreadable = |error| source::unreadable(&source::name_of(folder), &error);
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?);
    }
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(unreadable)?;
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if kind.is_dir() {
            below(&path, files)?;
        } else if ENDINGS.contains(&ending) && path.is_file() {
            files.push(Named { path, found: true });
        }
    }
    Ok(())
}

impl Named {
    /// Reads the file; none where it was found and holds no body. One that is no JSON may have been
    /// a body.
    pub fn read(&self) -> Result<Option<Bodies>, Failure> {
        let source = source::body(&self.path)?;
        let lines = spans_of_lines(&source.bytes);
        let is_lines = lines.is_some();
        let is_body = match (&lines, Doc::parse(&source.bytes)) {
            (Some(_), _) => true,
            (None, Ok(doc)) => is_body(doc.root()),
            (None, Err(_)) => {
                let is_lines = self.path.extension().is_some_and(|ending| ending == "jsonl");
                !is_lines || was_body(&source.bytes)
            }
        };
        if self.found && !is_body {
            return Ok(None);
        }
        let whole = Span { bytes: 0..source.bytes.len(), line_start: 0, line: 1 };
        let spans = lines.unwrap_or_else(|| Vec::from([whole]));
        Ok(Some(Bodies { source, spans, lines: is_lines }))
    }
}

/// Where the lines of a file stand, if the first that can be read is a body and there are more.
fn spans_of_lines(bytes: &[u8]) -> Option<Vec<Span>> {
    let mut spans = Vec::new();
    let mut start = 0;
    for (line, number) in bytes.split_inclusive(|byte| *byte == b'\n').zip(1..) {
        let text = line.trim_ascii();
        if !text.is_empty() {
            let from = start + (line.len() - line.trim_ascii_start().len());
            spans.push(Span { bytes: from..from + text.len(), line_start: start, line: number });
        }
        start += line.len();
    }
    if spans.len() < 2 {
        return None;
    }
    let mut texts = spans.iter().filter_map(|span| bytes.get(span.bytes.clone()));
    let first = texts.find_map(|text| Doc::parse(text).ok());
    first.is_some_and(|doc| is_body(doc.root())).then_some(spans)
}

/// Whether the first of lines of which none can be read was a body: it has the list of one.
fn was_body(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let begins_list = |behind: &str| {
        let value = behind.trim_start().strip_prefix(':').map(str::trim_start);
        value.is_some_and(|value| value.starts_with('['))
    };
    let has_list = |name: &str| first.split(&format!("\"{name}\"")).skip(1).any(begins_list);
    first.trim_start().starts_with('{') && LISTS.into_iter().any(has_list)
}

/// A message of a history has a role, and a line of a session a type; a body has neither.
pub fn is_body(value: Value<'_, '_>) -> bool {
    let list = |name: &str| value.get(name).is_some_and(|list| list.kind() == Kind::Array);
    // The input of Responses may be one text, beside a model.
    let is_text = |name: &str| value.get(name).is_some_and(|text| text.kind() == Kind::String);
    let is_asked = is_text(INPUT) && is_text("model");
    (LISTS.into_iter().any(list) || is_asked)
        && value.get("role").is_none()
        && value.get("type").is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bodies_where_the_first_is_one_and_more_follow() {
        let body = r#"{"messages":[]}"#;
        let two = format!("\n{body}\r\n  {body}\n");
        let one = Span { bytes: 1..16, line_start: 1, line: 2 };
        let other = Span { bytes: 20..35, line_start: 18, line: 3 };
        assert_eq!(spans_of_lines(two.as_bytes()), Some(vec![one, other]));
        let broken = format!("{body}\n{{\"messages\":");
        assert_eq!(spans_of_lines(broken.as_bytes()).map(|spans| spans.len()), Some(2));
        let asked = "{\"model\":\"m\",\"input\":\"hi\"}\n{}";
        assert_eq!(spans_of_lines(asked.as_bytes()).map(|spans| spans.len()), Some(2));
        let torn = format!("{{\"messages\":\n{body}\n");
        assert_eq!(spans_of_lines(torn.as_bytes()).map(|spans| spans.len()), Some(2));
        let session = "{\"type\":\"user\",\"messages\":[]}\n{}\n";
        for other in [body, session, "{}\n{}", "", "[1,\n2]"] {
            assert_eq!(spans_of_lines(other.as_bytes()), None, "{other}");
        }
    }
}
