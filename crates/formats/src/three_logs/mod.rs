//! The three-log directory: `messages.jsonl`, `tool_calls.jsonl`, `compactions.jsonl`, with
//! `meta.json` beside them and `ledger.jsonl` for what the three cannot hold.
//!
//! In: the files' bytes. Out: a record. And back: the lines a record came from, and lines for what
//! it holds beyond them. Nothing here opens a file.
//!
//! * **A message is a row**, in our own form where it has `blocks`, else read from `content`,
//!   `reasoning_content` and `meta.tool_calls`.
//! * **A result is what the model was given**: the record of the run in `tool_calls.jsonl`, else
//!   the row's typed block. The preview a row shows on screen is never one.
//! * **Proofs stand in an envelope** beside the blocks and are zipped into them once; one that does
//!   not fit is set aside whole.
//! * **A compaction is a pair**: a record, and a boundary row that names it. Half of one is kept
//!   and applies nothing.
//! * **What the logs cannot hold** (requests, heads, moves of refs, rows that would not be read
//!   back as they are) is a line of our own form in the ledger.
//!
//! An entry keeps its lines of all files; a line's number there counts on from file to file.
//!
//! `log` names the files, `read` joins their lines to rows (`messages`, `pairs`, `row`, `envelope`,
//! `calls`), `write` writes back.

mod calls;
mod envelope;
mod log;
mod messages;
mod pairs;
mod read;
mod row;
mod write;

use log::Log;

pub use log::Files;
pub use read::read;
pub use write::write;

/// The file of a directory that a line of an entry's origin is in, and its number there; `None` of
/// a line of any other format.
pub fn place(number: u64) -> Option<(&'static str, u64)> {
    Log::place(number).map(|(log, line)| (log.file_name(), line))
}

/// Which file of a directory a path names.
pub fn file_of(path: &str) -> Option<&'static str> {
    let names = Log::ALL.into_iter().map(Log::file_name);
    names.into_iter().find(|name| path.rsplit('/').next() == Some(name))
}

/// The name in origins.
const FORMAT: &str = "three-logs";

/// The schema of `meta.json` that is read and written.
const SCHEMA_VERSION: &str = "2.0";

/// What a boundary row's `meta.kind` is.
const BOUNDARY: &str = "compact_boundary";

/// Whether a directory may have this name.
fn is_session_id(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=160).contains(&name.len()) && name.bytes().all(plain)
}
