//! A parsed text as a flat tree of spans.

use std::borrow::Cow;

use crate::parser::{self, ParseError, Position};
use crate::text::{Text, unescape};

/// What kind of value a [`Value`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, in whatever spelling.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// One value's span: `start..end` in the text, and the index after its last descendant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Strings only: there is a backslash in the literal.
    pub(crate) escaped: bool,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) after: u32,
}

/// A JSON text, parsed: a flat list of spans over text that stays where it is.
///
/// ```
/// let doc = json::Doc::parse(b"[1]")?;
/// assert_eq!(doc.root().kind(), json::Kind::Array);
/// # Ok::<(), json::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Doc<'t> {
    text: &'t str,
    nodes: Vec<Node>,
}

impl<'t> Doc<'t> {
    /// Parses one JSON value with nothing but white space around it.
    pub fn parse(bytes: &'t [u8]) -> Result<Doc<'t>, ParseError> {
        let text = parser::utf8(bytes)?;
        Doc::parse_str(text)
    }

    /// As [`Doc::parse`], where the text is known to be UTF-8.
    pub fn parse_str(text: &'t str) -> Result<Doc<'t>, ParseError> {
        Ok(Doc { text, nodes: parser::parse(text)? })
    }

    /// The whole value.
    pub fn root(&self) -> Value<'_, 't> {
        Value { doc: self, index: 0 }
    }

    /// Line and column (both from 1, columns in characters) of a byte offset in this text.
    pub fn position(&self, offset: usize) -> Position {
        Position::of(self.text.as_bytes(), offset)
    }
}

/// A value inside a [`Doc`]: a reference and an index, copied freely.
#[derive(Clone, Copy, Debug)]
pub struct Value<'d, 't> {
    doc: &'d Doc<'t>,
    index: u32,
}

impl<'d, 't> Value<'d, 't> {
    fn node(self) -> Node {
        // An index is only ever made from a node list that holds it; the root exists by parsing.
        self.doc.nodes.get(self.index as usize).copied().unwrap_or(Node {
            kind: Kind::Null,
            escaped: false,
            start: 0,
            end: 0,
            after: self.index + 1,
        })
    }

    /// The kind of this value.
    pub fn kind(self) -> Kind {
        self.node().kind
    }

    /// Byte offset of the value's first byte in the text.
    pub fn offset(self) -> usize {
        self.node().start as usize
    }

    /// The exact text of this value, as written.
    pub fn raw(self) -> &'t str {
        let node = self.node();
        self.doc.text.get(node.start as usize..node.end as usize).unwrap_or("null")
    }

    /// Whether this is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The value of a `true` or `false`.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw() == "true")
    }

    /// The value of a number written as a non-negative integer that fits.
    pub fn as_u64(self) -> Option<u64> {
        (self.kind() == Kind::Number).then(|| self.raw().parse().ok()).flatten()
    }

    /// The value of a number, as a float.
    pub fn as_f64(self) -> Option<f64> {
        (self.kind() == Kind::Number).then(|| self.raw().parse().ok()).flatten()
    }

    /// The inside of a string literal, escapes and all.
    fn literal(self) -> Option<&'t str> {
        let raw = self.raw();
        (self.kind() == Kind::String).then(|| raw.get(1..raw.len() - 1)).flatten()
    }

    /// The value of a string; a lone surrogate reads as U+FFFD (see [`Value::to_text`]).
    pub fn as_str(self) -> Option<Cow<'t, str>> {
        let inner = self.literal()?;
        Some(if self.node().escaped {
            Cow::Owned(unescape(inner).value)
        } else {
            Cow::Borrowed(inner)
        })
    }

    /// Whether this is a string of exactly this value.
    pub fn is_str(self, expected: &str) -> bool {
        let node = self.node();
        if node.kind == Kind::String && !node.escaped {
            let quoted = self.doc.text.as_bytes().get(node.start as usize..node.end as usize);
            // Most names that are looked at are others, and of another length.
            return quoted.is_some_and(|quoted| {
                quoted.len() == expected.len() + 2
                    && quoted.get(1..=expected.len()) == Some(expected.as_bytes())
            });
        }
        self.as_str().is_some_and(|value| value == expected)
    }

    /// The value of a string, its raw literal kept where it holds a lone surrogate.
    pub fn to_text(self) -> Option<Text> {
        let inner = self.literal()?;
        if !self.node().escaped {
            return Some(Text::new(inner));
        }
        Some(Text::from_literal_inner(inner))
    }

    /// The elements of an array, in order; nothing for another kind.
    pub fn items(self) -> Items<'d, 't> {
        let (next, end) = self.children(Kind::Array);
        Items { doc: self.doc, next, end }
    }

    /// The members of an object, in order and with repeats; nothing for another kind.
    pub fn members(self) -> Members<'d, 't> {
        let (next, end) = self.children(Kind::Object);
        Members { doc: self.doc, next, end }
    }

    fn children(self, kind: Kind) -> (u32, u32) {
        let node = self.node();
        if node.kind == kind { (self.index + 1, node.after) } else { (0, 0) }
    }

    /// The member of this name; of repeated names the last, as every provider reads it.
    pub fn get(self, name: &str) -> Option<Value<'d, 't>> {
        let mut found = None;
        for (key, value) in self.members() {
            if key.is_str(name) {
                found = Some(value);
            }
        }
        found
    }

    /// The string member of this name, if it is one.
    pub fn get_str(self, name: &str) -> Option<Cow<'t, str>> {
        self.get(name)?.as_str()
    }
}

/// The elements of an array.
#[derive(Clone, Debug)]
pub struct Items<'d, 't> {
    doc: &'d Doc<'t>,
    next: u32,
    end: u32,
}

impl<'d, 't> Iterator for Items<'d, 't> {
    type Item = Value<'d, 't>;

    fn next(&mut self) -> Option<Value<'d, 't>> {
        if self.next >= self.end {
            return None;
        }
        let value = Value { doc: self.doc, index: self.next };
        self.next = value.node().after;
        Some(value)
    }
}

/// The members of an object: each name (a string value) and its value.
#[derive(Clone, Debug)]
pub struct Members<'d, 't> {
    doc: &'d Doc<'t>,
    next: u32,
    end: u32,
}

impl<'d, 't> Iterator for Members<'d, 't> {
    type Item = (Value<'d, 't>, Value<'d, 't>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        let key = Value { doc: self.doc, index: self.next };
        let value = Value { doc: self.doc, index: key.node().after };
        self.next = value.node().after;
        Some((key, value))
    }
}
