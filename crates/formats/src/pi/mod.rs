//! Session files of pi: one JSON object a line, a tree by `parentId`.
//!
//! In: lines, versions 1 (no ids: file order) to 3, and those of harnesses built on it. Out: a
//! record.
//!
//! * **A line of type `message` is a message**; so are what an extension said to the model
//!   (`custom_message`), the summary of a branch that was left, and a command a person ran, all in
//!   the words they are sent in ([`wording`]). Every other line stands beside the path.
//! * **The view is the path to the last line**, wherever that hangs: a person who went back left a
//!   branch, and it stays one.
//! * **A reply that was cut** keeps what it said. A call in it that has no result was never run and
//!   becomes a dropped call.
//! * **A compaction** is sent as a user message, followed by what it kept.
//!
//! [`session`] reads the lines, [`block`] their content, [`write`] writes back.

mod block;
mod session;
mod wording;
mod write;

use std::io::{self, BufRead};

use crate::{Format, Imported, chain};

pub(crate) use write::export;

/// Reads a session file.
pub(crate) fn import(input: impl BufRead, file: &str) -> io::Result<Imported> {
    let mut session = session::Session::new(file);
    chain::read(&mut session, input)?;
    let (record, report, title) = session.finish();
    Ok(Imported { format: Format::Pi, record, findings: report.finish(), title })
}
