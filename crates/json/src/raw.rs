//! An owned JSON text, kept byte for byte.

use std::fmt;

use crate::doc::{Doc, Value};
use crate::escape::plain_len;
use crate::parser::ParseError;
use crate::text::{Text, unescape};

/// A JSON text that has been parsed once, so it can be written into another text as it is.
///
/// Equality is equality of bytes; for equality of values compare [`crate::canonical::of`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Raw(Box<str>);

impl Raw {
    /// Checks a text and keeps it.
    pub fn parse(text: &str) -> Result<Raw, ParseError> {
        Doc::parse_str(text)?;
        Ok(Raw(text.into()))
    }

    /// The exact text of a value that was parsed.
    pub fn of(value: Value<'_, '_>) -> Raw {
        Raw(value.raw().into())
    }

    /// The text of a value on one line: a line break can only be white space there, and a record is
    /// kept in lines.
    pub fn one_line(value: Value<'_, '_>) -> Raw {
        const BREAKS: [char; 2] = ['\n', '\r'];
        Raw(value.raw().replace(BREAKS, " ").into())
    }

    /// The text of a value without the white space between its tokens: strings, numbers, key order
    /// and repeated keys stay as they are written.
    ///
    /// ```
    /// let doc = json::Doc::parse(b"{ \"a b\" : [1.0 ,2] }")?;
    /// assert_eq!(json::Raw::compact(doc.root()).as_str(), r#"{"a b":[1.0,2]}"#);
    /// # Ok::<(), json::ParseError>(())
    /// ```
    pub fn compact(value: Value<'_, '_>) -> Raw {
        let raw = value.raw();
        let mut out = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(at) = rest.find(['"', ' ', '\t', '\n', '\r']) {
            let (tokens, tail) = rest.split_at(at);
            out.push_str(tokens);
            let string = string_len(tail);
            out.push_str(tail.get(..string).unwrap_or_default());
            rest = tail.get(string.max(1)..).unwrap_or_default();
        }
        out.push_str(rest);
        Raw(out.into_boxed_str())
    }

    /// The literal of a string.
    pub fn string(text: &Text) -> Raw {
        Raw(text.to_literal().into_boxed_str())
    }

    /// An integer.
    pub fn number(value: impl Into<i128>) -> Raw {
        Raw::trusted(value.into().to_string())
    }

    /// A boolean.
    pub fn bool(value: bool) -> Raw {
        Raw::trusted(value.to_string())
    }

    /// Null.
    pub fn null() -> Raw {
        Raw::trusted("null".to_owned())
    }

    /// For the writers of this crate, whose output is JSON by construction.
    pub(crate) fn trusted(text: String) -> Raw {
        Raw(text.into_boxed_str())
    }

    /// The exact text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, parsed again.
    pub fn doc(&self) -> Doc<'_> {
        // A `Raw` is only made from text that parsed; the fallback keeps this total.
        Doc::parse_str(&self.0).unwrap_or_default()
    }

    /// Whether it holds an escape that is a lone surrogate, which no provider accepts.
    pub fn has_lone_surrogate(&self) -> bool {
        self.0.contains('\\') && lone_surrogates_replaced(&self.0).is_some()
    }

    /// The same text with every lone surrogate escape written as U+FFFD; `None` if there is none.
    pub fn without_lone_surrogates(&self) -> Option<Raw> {
        lone_surrogates_replaced(&self.0).map(Raw::trusted)
    }
}

impl fmt::Display for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The length of the string literal a text begins with; 0 where it begins with something else.
fn string_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'"') {
        return 0;
    }
    let mut at = 1;
    loop {
        at += plain_len(bytes.get(at..).unwrap_or_default());
        match bytes.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => return text.len(),
        }
    }
}

fn lone_surrogates_replaced(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out: Option<String> = None;
    let (mut at, mut copied) = (0, 0);
    while let Some(offset) = bytes.get(at..).and_then(|rest| rest.iter().position(|b| *b == b'\\'))
    {
        at += offset;
        if bytes.get(at + 1) != Some(&b'u') {
            at += 2;
            continue;
        }
        let one = text.get(at..at + 6).unwrap_or_default();
        let pair = text.get(at..at + 12).unwrap_or(one);
        if !unescape(one).lone_surrogate {
            at += 6;
        } else if pair.len() == 12 && !unescape(pair).lone_surrogate {
            at += 12;
        } else {
            let out = out.get_or_insert_with(String::new);
            out.push_str(text.get(copied..at).unwrap_or_default());
            out.push_str("\\ufffd");
            at += 6;
            copied = at;
        }
    }
    out.map(|mut out| {
        out.push_str(text.get(copied..).unwrap_or_default());
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_white_space_between_tokens_goes() {
        let text = "\n{ \"a \\\" b\" : [ 1.0 , -2e+3,\ttrue ] ,\r\n\"\\\\\":\" x \" }";
        let doc = Doc::parse_str(text).expect("JSON");
        let compact = Raw::compact(doc.root());
        assert_eq!(compact.as_str(), "{\"a \\\" b\":[1.0,-2e+3,true],\"\\\\\":\" x \"}");
    }

    #[test]
    fn only_lone_surrogates_are_replaced() {
        let raw = |text: &str| Raw::parse(text).expect("JSON");
        assert_eq!(raw(r#"{"a":"\ud83d\ude42 \\ud800"}"#).without_lone_surrogates(), None);
        let fixed = raw(r#"["\ud800","\ud83d\ude42","\udc00\ud800x"]"#).without_lone_surrogates();
        assert_eq!(
            fixed.as_ref().map(Raw::as_str),
            Some(r#"["\ufffd","\ud83d\ude42","\ufffd\ufffdx"]"#)
        );
    }
}
