//! A string's value, and how it was written where the value cannot hold that.

use std::fmt;
use std::ops::Deref;

use crate::escape;

/// UTF-8 text; where its source held a lone surrogate, the raw literal is kept beside it.
///
/// A lone surrogate is no character, so the value has U+FFFD in its place; the literal is what goes
/// back to a file. Two texts are equal when both agree.
///
/// ```
/// let doc = json::Doc::parse(br#""a\ud800b""#)?;
/// let text = doc.root().to_text().ok_or("a string")?;
/// assert_eq!(&*text, "a\u{fffd}b");
/// assert_eq!(text.to_literal(), r#""a\ud800b""#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text {
    value: Box<str>,
    /// The inside of the literal, without quotes.
    literal: Option<Box<str>>,
}

impl Text {
    /// A text that any string can hold.
    pub fn new(value: impl Into<Box<str>>) -> Text {
        Text { value: value.into(), literal: None }
    }

    /// The text of the inside of a JSON string literal that has been parsed before.
    pub(crate) fn from_literal_inner(inner: &str) -> Text {
        let unescaped = unescape(inner);
        Text {
            value: unescaped.value.into_boxed_str(),
            literal: unescaped.lone_surrogate.then(|| inner.into()),
        }
    }

    /// The value; U+FFFD where the source had a lone surrogate.
    pub fn as_str(&self) -> &str {
        &self.value
    }

    /// Whether the source held a lone surrogate, so that the value is not all of it.
    pub fn has_lone_surrogate(&self) -> bool {
        self.literal.is_some()
    }

    /// The JSON literal, quotes included; the source's own where only that says it all.
    pub fn to_literal(&self) -> String {
        match &self.literal {
            Some(inner) => format!("\"{inner}\""),
            None => escape::literal(&self.value),
        }
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        &self.value
    }
}

impl From<&str> for Text {
    fn from(value: &str) -> Text {
        Text::new(value)
    }
}

impl From<String> for Text {
    fn from(value: String) -> Text {
        Text::new(value)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}

pub(crate) struct Unescaped {
    pub(crate) value: String,
    pub(crate) lone_surrogate: bool,
}

/// The value of the inside of a literal; the parser has checked every escape.
pub(crate) fn unescape(inner: &str) -> Unescaped {
    let mut out = Unescaped { value: String::with_capacity(inner.len()), lone_surrogate: false };
    let mut rest = inner;
    loop {
        // Of what ends a plain run only the backslash stands inside a literal.
        let (plain, tail) = rest.split_at(escape::plain_len(rest.as_bytes()));
        out.value.push_str(plain);
        if tail.is_empty() {
            return out;
        }
        rest = one_escape(tail, &mut out);
    }
}

/// Reads the escape that `tail` begins with and returns what follows it.
fn one_escape<'t>(tail: &'t str, out: &mut Unescaped) -> &'t str {
    let simple = match tail.as_bytes().get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'u') => return unicode_escape(tail, out),
        Some(other) => *other as char,
        None => return "",
    };
    out.value.push(simple);
    tail.get(2..).unwrap_or_default()
}

fn unicode_escape<'t>(tail: &'t str, out: &mut Unescaped) -> &'t str {
    let unit = hex4(tail.get(2..6));
    let rest = tail.get(6..).unwrap_or_default();
    if let (0xD800..=0xDBFF, true) = (unit, rest.starts_with("\\u")) {
        let low = hex4(rest.get(2..6));
        if let 0xDC00..=0xDFFF = low {
            let scalar = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            out.value.push(char::from_u32(scalar).unwrap_or('\u{FFFD}'));
            return rest.get(6..).unwrap_or_default();
        }
    }
    match char::from_u32(unit) {
        Some(character) => out.value.push(character),
        None => {
            out.value.push('\u{FFFD}');
            out.lone_surrogate = true;
        }
    }
    rest
}

fn hex4(digits: Option<&str>) -> u32 {
    digits.and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or(0xFFFD)
}
