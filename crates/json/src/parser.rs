//! The parser: RFC 8259 without exceptions, one pass, no recursion.

use std::fmt;

use crate::doc::{Kind, Node};
use crate::escape::plain_len;
use crate::limits::{DEPTH_MAX, TEXT_BYTES_MAX};

/// Why a text is not JSON, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Byte offset from the start of the text.
    pub offset: usize,
    /// What was wrong there.
    pub kind: ParseErrorKind,
}

/// The closed list of what can be wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The text ended inside a value.
    Truncated,
    /// A byte that cannot stand here.
    Unexpected,
    /// A control character inside a string, or an escape that is none.
    BadString,
    /// A number that is not spelled as JSON spells numbers.
    BadNumber,
    /// Something follows the value.
    TrailingData,
    /// Nested beyond [`DEPTH_MAX`].
    TooDeep,
    /// Longer than [`TEXT_BYTES_MAX`].
    TooLong,
    /// No value at all.
    Empty,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ParseErrorKind::NotUtf8 => "not UTF-8",
            ParseErrorKind::Truncated => "the text ends inside a value",
            ParseErrorKind::Unexpected => "unexpected character",
            ParseErrorKind::BadString => "control character or bad escape in a string",
            ParseErrorKind::BadNumber => "malformed number",
            ParseErrorKind::TrailingData => "data after the value",
            ParseErrorKind::TooDeep => "nested more than 128 levels deep",
            ParseErrorKind::TooLong => "longer than 4 GiB",
            ParseErrorKind::Empty => "no value",
        };
        write!(f, "{what} at byte {}", self.offset)
    }
}

impl std::error::Error for ParseError {}

/// A place in a text as people count: line and column from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// The place of a byte offset; an offset past the end is the end.
    pub fn of(text: &[u8], offset: usize) -> Position {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let tail = before.get(start..).unwrap_or_default();
        let column = tail.iter().filter(|byte| **byte & 0xC0 != 0x80).count() + 1;
        Position { line, column }
    }
}

pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, ParseError> {
    std::str::from_utf8(bytes)
        .map_err(|error| ParseError { offset: error.valid_up_to(), kind: ParseErrorKind::NotUtf8 })
}

/// What a value of a short text takes, about: room for its nodes is made once.
const BYTES_PER_NODE: usize = 8;
/// The most room that is made before it is needed.
const NODES_AT_ONCE: usize = 64;

/// What the parser waits for next.
#[derive(Clone, Copy, PartialEq)]
enum Wait {
    Value,
    FirstItem,
    FirstKey,
    Key,
    CommaOrEnd,
}

struct Parser<'t> {
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<Node>,
    /// How many arrays and objects are open.
    depth: usize,
    /// Node index of the innermost that is; until it is closed its `after` is that of the next.
    within: u32,
}

pub(crate) fn parse(text: &str) -> Result<Vec<Node>, ParseError> {
    let bytes = text.as_bytes();
    if bytes.len() > TEXT_BYTES_MAX {
        return Err(ParseError { offset: 0, kind: ParseErrorKind::TooLong });
    }
    let nodes = Vec::with_capacity((bytes.len() / BYTES_PER_NODE + 1).min(NODES_AT_ONCE));
    let mut parser = Parser { bytes, at: 0, nodes, depth: 0, within: 0 };
    parser.run()?;
    Ok(parser.nodes)
}

impl Parser<'_> {
    fn run(&mut self) -> Result<(), ParseError> {
        self.skip_space();
        if self.at == self.bytes.len() {
            return Err(self.error(ParseErrorKind::Empty));
        }
        let mut wait = Wait::Value;
        loop {
            self.skip_space();
            wait = match (wait, self.peek()) {
                (_, None) => return Err(self.error(ParseErrorKind::Truncated)),
                (Wait::FirstItem, Some(b']')) | (Wait::FirstKey, Some(b'}')) => self.close(),
                (Wait::FirstKey | Wait::Key, Some(b'"')) => self.key()?,
                (Wait::Value | Wait::FirstItem, Some(byte)) => self.value(byte)?,
                (Wait::CommaOrEnd, Some(byte)) => self.comma_or_end(byte)?,
                (Wait::FirstKey | Wait::Key, Some(_)) => return Err(self.unexpected()),
            };
            if self.depth == 0 {
                break;
            }
        }
        self.skip_space();
        if self.at < self.bytes.len() {
            return Err(self.error(ParseErrorKind::TrailingData));
        }
        Ok(())
    }

    fn value(&mut self, byte: u8) -> Result<Wait, ParseError> {
        match byte {
            b'{' => return self.open(Kind::Object, Wait::FirstKey),
            b'[' => return self.open(Kind::Array, Wait::FirstItem),
            b'"' => self.string()?,
            b't' => self.word("true", Kind::Bool)?,
            b'f' => self.word("false", Kind::Bool)?,
            b'n' => self.word("null", Kind::Null)?,
            b'-' | b'0'..=b'9' => self.number()?,
            _ => return Err(self.unexpected()),
        }
        Ok(Wait::CommaOrEnd)
    }

    fn open(&mut self, kind: Kind, next: Wait) -> Result<Wait, ParseError> {
        if self.depth >= DEPTH_MAX {
            return Err(self.error(ParseErrorKind::TooDeep));
        }
        let (start, end) = (self.at as u32, self.at as u32);
        let outer = std::mem::replace(&mut self.within, self.nodes.len() as u32);
        self.nodes.push(Node { kind, escaped: false, start, end, after: outer });
        self.depth += 1;
        self.at += 1;
        Ok(next)
    }

    fn close(&mut self) -> Wait {
        self.at += 1;
        let after = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(self.within as usize) {
            node.end = self.at as u32;
            self.within = std::mem::replace(&mut node.after, after);
        }
        self.depth -= 1;
        Wait::CommaOrEnd
    }

    fn comma_or_end(&mut self, byte: u8) -> Result<Wait, ParseError> {
        let kind = self.nodes.get(self.within as usize).map(|node| node.kind);
        match (byte, kind) {
            (b',', Some(Kind::Array)) => {
                self.at += 1;
                Ok(Wait::Value)
            }
            (b',', Some(_)) => {
                self.at += 1;
                Ok(Wait::Key)
            }
            (b']', Some(Kind::Array)) | (b'}', Some(Kind::Object)) => Ok(self.close()),
            _ => Err(self.unexpected()),
        }
    }

    fn key(&mut self) -> Result<Wait, ParseError> {
        self.string()?;
        self.skip_space();
        match self.peek() {
            Some(b':') => {
                self.at += 1;
                Ok(Wait::Value)
            }
            Some(_) => Err(self.unexpected()),
            None => Err(self.error(ParseErrorKind::Truncated)),
        }
    }

    fn string(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        self.at += 1;
        let mut escaped = false;
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            self.at += plain_len(rest);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    self.push(Kind::String, escaped, start);
                    return Ok(());
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => return Err(self.error(ParseErrorKind::BadString)),
                None => return Err(self.error(ParseErrorKind::Truncated)),
            }
        }
    }

    fn escape(&mut self) -> Result<(), ParseError> {
        let length = match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') => {
                let digits = self.bytes.get(self.at + 2..self.at + 6);
                if !digits.is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) {
                    return Err(self.error(ParseErrorKind::BadString));
                }
                6
            }
            Some(_) => return Err(self.error(ParseErrorKind::BadString)),
            None => return Err(self.error(ParseErrorKind::Truncated)),
        };
        self.at += length;
        Ok(())
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<(), ParseError> {
        let start = self.at;
        if !self.bytes.get(start..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
            return Err(self.unexpected());
        }
        self.at += word.len();
        self.push(kind, false, start);
        Ok(())
    }

    fn number(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let leading_zero = self.peek() == Some(b'0');
        let integer = self.digits();
        let mut sound = integer > 0 && !(leading_zero && integer > 1);
        if self.peek() == Some(b'.') {
            self.at += 1;
            sound &= self.digits() > 0;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            sound &= self.digits() > 0;
        }
        if !sound {
            return Err(ParseError { offset: start, kind: ParseErrorKind::BadNumber });
        }
        self.push(Kind::Number, false, start);
        Ok(())
    }

    fn digits(&mut self) -> usize {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        count
    }

    fn push(&mut self, kind: Kind, escaped: bool, start: usize) {
        let after = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind, escaped, start: start as u32, end: self.at as u32, after });
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn error(&self, kind: ParseErrorKind) -> ParseError {
        ParseError { offset: self.at, kind }
    }

    fn unexpected(&self) -> ParseError {
        self.error(ParseErrorKind::Unexpected)
    }
}
