//! Before anything is understood: the size of the body, whether it is JSON, whether it is text.

use json::{Doc, ParseError, ParseErrorKind, Position, Value};

use super::limits::BODY_BYTES_MAX;
use crate::report::Report;
use crate::surrogates;

///
pub(super) fn size(body: &[u8], report: &mut Report) {
    if body.len() > BODY_BYTES_MAX {
        report.add("A-002", String::new(), BODY_BYTES_MAX, &[]);
    }
}

/// A-004 for a body that does not parse.
pub(super) fn refused(body: &[u8], error: ParseError, report: &mut Report) {
    let what = error.to_string();
    let what = what.split(" at byte ").next().unwrap_or_default();
    let words = words(what, Position::of(body, error.offset), body, error.offset);
    // Bounds of this parser, none that the provider is known to have.
    let own = matches!(error.kind, ParseErrorKind::TooDeep | ParseErrorKind::TooLong);
    let say = if own { Report::warn_say } else { Report::say };
    say(report, "A-004", String::new(), error.offset, words);
}

/// A-004 for the first escape that is half a surrogate pair.
pub(super) fn surrogates(body: &[u8], doc: &Doc<'_>, report: &mut Report) {
    let Some((offset, what)) = surrogates::lone(body) else { return };
    let words = words(what, doc.position(offset), body, offset);
    report.say("A-004", path_to(doc.root(), offset), offset, words);
}

fn words(what: &str, position: Position, body: &[u8], offset: usize) -> String {
    let before = body.get(..offset).unwrap_or(body);
    let characters = before.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    let Position { line, column } = position;
    format!(
        "The request body is not valid JSON: {what}: line {line} column {column} \
         (char {characters})"
    )
}

/// The dotted path of the innermost value around an offset.
fn path_to(root: Value<'_, '_>, offset: usize) -> String {
    let mut path = Vec::new();
    let mut value = root;
    let around = |value: &Value<'_, '_>| {
        value.offset() <= offset && offset < value.offset() + value.raw().len()
    };
    loop {
        let item = value.items().enumerate().find(|(_, item)| around(item));
        if let Some((index, item)) = item {
            path.push(index.to_string());
            value = item;
            continue;
        }
        match value.members().find(|(_, member)| around(member)) {
            Some((key, member)) => {
                path.push(key.as_str().unwrap_or_default().into_owned());
                value = member;
            }
            None => return path.join("."),
        }
    }
}
