//! Why a file cannot be read or written: what, where, and what to do.

use std::fmt;
use std::io;

use json::{ParseError, Position};
use record::EntryId;
use record::jsonl::OverLimit;

/// Why a file as a whole cannot be read.
#[derive(Debug)]
pub enum ImportError {
    /// Nothing but white space.
    Empty,
    /// Text in an encoding that is not UTF-8.
    Encoding {
        /// Its name, such as `UTF-16LE`.
        name: &'static str,
    },
    /// No text at all.
    Binary {
        /// What its first bytes say it is.
        looks_like: &'static str,
    },
    /// JSON, or lines of it, of a shape that is not read.
    UnknownFormat {
        /// What it looks like and what to do about it.
        hint: String,
    },
    /// A document that is not JSON.
    Json {
        /// What is wrong.
        error: ParseError,
        /// Where, as people count.
        position: Position,
    },
    /// A document beyond the limit of what is parsed in one piece.
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The reader failed.
    Io(io::Error),
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::Empty => f.write_str("the file is empty"),
            ImportError::Encoding { name } => {
                write!(f, "the file is {name} text; convert it to UTF-8")
            }
            ImportError::Binary { looks_like } => {
                write!(f, "the file is no text: it looks like {looks_like}")
            }
            ImportError::UnknownFormat { hint } => write!(f, "unknown format: {hint}"),
            ImportError::Json { error, position } => write!(
                f,
                "not JSON, line {} column {}: {error}; JSON lines need one object per line",
                position.line, position.column
            ),
            ImportError::TooLarge { bytes, limit } => {
                write!(f, "one document of {bytes} bytes; the limit is {limit}")
            }
            ImportError::Io(error) => write!(f, "reading failed: {error}"),
        }
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ImportError::Json { error, .. } => Some(error),
            ImportError::Io(error) => Some(error),
            ImportError::Empty
            | ImportError::Encoding { .. }
            | ImportError::Binary { .. }
            | ImportError::UnknownFormat { .. }
            | ImportError::TooLarge { .. } => None,
        }
    }
}

impl From<io::Error> for ImportError {
    fn from(error: io::Error) -> ImportError {
        ImportError::Io(error)
    }
}

/// Why a record cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportError {
    /// A block the format has no form for.
    CannotCarry {
        /// The entry it stands in.
        entry: EntryId,
        /// What it is.
        what: &'static str,
    },
    /// An entry would be read back as a corrupt line of our own format.
    OverLimit {
        /// The entry.
        entry: EntryId,
        /// The limit.
        over: OverLimit,
    },
    /// Blocks were retracted; the lines they came from would give them back.
    Retracted,
    /// There is no message to write.
    NothingToWrite,
    /// The format is a directory of several files, and one was asked for.
    Directory,
    /// A directory of that format cannot have this name.
    SessionId {
        /// The name.
        id: String,
    },
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ExportError::CannotCarry { entry, what } => {
                return write!(f, "entry {entry} holds {what}, which the format cannot carry");
            }
            ExportError::OverLimit { entry, over } => {
                return write!(f, "entry {entry} cannot be a line of it: {over}");
            }
            ExportError::Retracted => {
                "the conversation holds retracted blocks, whose original lines must not be \
                 written again; erase them first"
            }
            ExportError::NothingToWrite => "there is no message to write",
            ExportError::Directory => "the format is a directory of several files, not one file",
            ExportError::SessionId { id } => {
                return write!(
                    f,
                    "a directory cannot be named {id:?}: 1 to 160 letters, digits, `_` and `-`"
                );
            }
        })
    }
}

impl std::error::Error for ExportError {}
