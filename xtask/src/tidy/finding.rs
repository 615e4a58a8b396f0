//! What a check found: where, by which rule, and what to do about it.

use std::fmt;

use super::source::Source;

/// One place that breaks a rule. Ordered by place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Path from the project root, with `/`.
    pub path: String,
    /// Line, from 1.
    pub line: usize,
    /// The rule's short name.
    pub rule: &'static str,
    /// What to do.
    pub advice: String,
    /// Worth knowing, fails nothing.
    pub note: bool,
}

impl Finding {
    /// A finding at a line of `path`.
    pub fn new(path: &str, line: usize, rule: &'static str, advice: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, rule, advice: advice.into(), note: false }
    }

    /// A finding at a byte offset of `source`.
    pub fn at(
        source: &Source,
        offset: usize,
        rule: &'static str,
        advice: impl Into<String>,
    ) -> Finding {
        Finding::new(&source.path, source.line(offset), rule, advice)
    }

    /// The same as a note.
    pub fn noted(mut self) -> Finding {
        self.note = true;
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let note = if self.note { "note: " } else { "" };
        write!(f, "{}:{}: {note}{}: {}", self.path, self.line, self.rule, self.advice)
    }
}
