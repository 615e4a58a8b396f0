//! Why a run ended without its answer: what failed, why, and what to do.

use std::io;

use crate::exit::Exit;

/// Why a run ended early.
#[derive(Debug)]
pub enum Failure {
    /// The reader of standard output went away: nothing is left to say, and nothing is wrong.
    PipeClosed,
    /// It is told in three parts.
    Told(Told),
}

/// An error as a person reads it.
#[derive(Debug)]
pub struct Told {
    /// What the process ends with.
    pub exit: Exit,
    /// What failed, with the path or id.
    pub what: String,
    /// Why.
    pub cause: String,
    /// What to do.
    pub hint: String,
}

impl Failure {
    /// A failure told in three parts; an empty part is not shown.
    pub fn told(
        exit: Exit,
        what: impl Into<String>,
        cause: impl Into<String>,
        hint: impl Into<String>,
    ) -> Failure {
        Failure::Told(Told { exit, what: what.into(), cause: cause.into(), hint: hint.into() })
    }

    /// Writing to standard output failed.
    pub fn stdout(error: &io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::PipeClosed;
        }
        let hint = "redirect to a place with room, or write with `-o FILE`";
        Failure::told(Exit::Data, "cannot write standard output", words(error), hint)
    }
}

/// The system's words for an error, without its number.
pub fn words(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text.get(..at).unwrap_or_default().to_owned(),
        None => text,
    }
}
