//! Complete objects inside a damaged line.
//!
//! A crash glues lines together: a whole object and the next one, a torn object and a whole one, a
//! run of NUL bytes and a whole one. What is whole is found from the front as long as it parses and
//! then from the back, by matching the last closing brace. Every byte is looked at a bounded number
//! of times.

use std::ops::Range;

use json::{Doc, Kind, ParseErrorKind};

use crate::limits::RECOVERED_MAX;

/// The byte ranges of the complete objects in a line that is none itself, in their order.
pub(crate) fn objects(line: &[u8]) -> Vec<Range<usize>> {
    let valid = std::str::from_utf8(line).map_or_else(|error| error.valid_up_to(), str::len);
    let text = line.get(..valid).and_then(|valid| std::str::from_utf8(valid).ok());
    let text = text.unwrap_or_default();
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(end) = object_at(text, start).filter(|_| found.len() < RECOVERED_MAX) {
        found.push(start..end);
        start = end;
    }
    let mut end = line.len();
    let mut from_back = Vec::new();
    while let Some(range) = object_before(line, start, end) {
        if from_back.len() >= RECOVERED_MAX {
            break;
        }
        end = range.start;
        from_back.push(range);
    }
    found.extend(from_back.into_iter().rev());
    found
}

/// The end of the object that begins at `start`.
fn object_at(text: &str, start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    if !rest.trim_start().starts_with('{') {
        return None;
    }
    match Doc::parse_str(rest) {
        Ok(doc) => (doc.root().kind() == Kind::Object).then_some(text.len()),
        Err(error) if error.kind == ParseErrorKind::TrailingData => Some(start + error.offset),
        Err(_) => None,
    }
}

/// The object that ends the bytes `floor..end`, found by its last brace.
fn object_before(line: &[u8], floor: usize, end: usize) -> Option<Range<usize>> {
    let part = line.get(floor..end)?;
    let close = part.iter().rposition(|byte| !byte.is_ascii_whitespace())?;
    if part.get(close) != Some(&b'}') {
        return None;
    }
    let open = matching_open(part.get(..=close)?)?;
    let object = part.get(open..=close)?;
    Doc::parse(object).ok()?;
    Some(floor + open..floor + close + 1)
}

/// The index of the brace that the last byte of `part` closes.
fn matching_open(part: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    let mut in_string = false;
    for (index, byte) in part.iter().enumerate().rev() {
        match byte {
            b'"' if !escaped(part, index) => in_string = !in_string,
            b'}' if !in_string => depth += 1,
            b'{' if !in_string => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether an odd number of backslashes stands before `index`.
fn escaped(part: &[u8], index: usize) -> bool {
    let before = part.get(..index).unwrap_or_default();
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::objects;
    use crate::limits::RECOVERED_MAX;

    fn found(line: &[u8]) -> Vec<String> {
        let text = |range| String::from_utf8_lossy(&line[range]).into_owned();
        objects(line).into_iter().map(text).collect()
    }

    #[test]
    fn whole_objects_are_found_before_between_and_after_damage() {
        assert_eq!(found(br#"{"a":1}{"b":2}"#), [r#"{"a":1}"#, r#"{"b":2}"#]);
        assert_eq!(found(br#"{"a":"torn {{ he{"b":"x\"}\\"}"#), [r#"{"b":"x\"}\\"}"#]);
        assert_eq!(found(br#"{"a":1}{"torn":"#), [r#"{"a":1}"#]);
        assert_eq!(found(b"\0\0\0{\"b\":{\"c\":[]}}"), [r#"{"b":{"c":[]}}"#]);
        assert_eq!(found(br#"{"a":1}{"torn{"c":3}{"d":4}"#).len(), 3);
    }

    #[test]
    fn what_is_recovered_from_one_line_is_bounded() {
        let line = "{}".repeat(5 * RECOVERED_MAX);
        assert_eq!(objects(line.as_bytes()).len(), 2 * RECOVERED_MAX);
    }

    #[test]
    fn nothing_is_found_where_nothing_is_whole() {
        for line in [&b""[..], b"}", b"{", b"\0\0", br#"{"a":"#, b"\"}\"", b"\xff\xfe{"] {
            assert!(objects(line).is_empty(), "{line:?}");
        }
    }
}
