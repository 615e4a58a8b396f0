//! Session files of Claude Code: one JSON object a line.
//!
//! In: lines in the order they were written, as a tree by `parentUuid`. Out: a record.
//!
//! * **One response, one message.** Lines with one `message.id` (and `requestId`) are joined in
//!   file order, whatever stands between them; children of any of them are children of it.
//! * **The path holds what the view is made of**: messages and compactions. Every other line
//!   (progress, attachments, snapshots, titles, damage) is an opaque fact off the path, hanging
//!   from the message its chain passes last, or the one before it in the file. Chains pass
//!   through it.
//! * **Results of one round stand in one line.** They hang off different lines of a response;
//!   where that would make siblings of them they are put one after the other, in file order.
//! * **Real branches stay branches.** `main` ends where the file ends, other leaves are
//!   `branch-2`, `branch-3`, ..., and side chains `sidechain:<agent>`.
//! * **File order** stands in where a parent is not in the file, where no line has a parent, and
//!   for a compaction that does not say what it follows.
//!
//! [`file`] reads the lines into nodes ([`message`], [`compaction`]), [`tree`] gives them their
//! parents, [`branches`] names the ends, [`write`] writes back.

mod branches;
mod compaction;
mod file;
mod line;
mod message;
mod queue;
mod tree;
mod write;

use std::io::{self, BufRead};

use crate::source::Keep;
use crate::{Format, Imported, lines};

pub(crate) use write::export;

/// Reads a session file.
pub(crate) fn import(input: impl BufRead, file: &str, keep: Keep) -> io::Result<Imported> {
    let mut session = file::Session::new(file);
    lines::read(&mut session, input, keep)?;
    session.end();
    let title = session.title();
    let (record, report) = tree::Tree::new(session).into_record();
    Ok(Imported { format: Format::ClaudeCode, record, findings: report.finish(), title })
}
