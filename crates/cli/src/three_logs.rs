//! A three-log directory on disk: its files read, and written as a new directory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use stenograph::Session;
use stenograph::formats::discover;
use stenograph::formats::three_logs::{self, Files};

use crate::failure::Failure;
use crate::source::{Purpose, SESSION_BYTES_MAX, not_a_session, too_large, unreadable};

/// Whether a directory is one: it has messages, or a ledger, which may hold all there is.
pub fn is_one(folder: &Path) -> bool {
    let has = |file: &str| folder.join(file).is_file();
    folder.is_dir() && (has("messages.jsonl") || has("ledger.jsonl"))
}

/// Reads one; `name` is its name in reports.
pub fn read(folder: &Path, name: &str) -> Result<Session, Failure> {
    let session_id = session_id(folder).unwrap_or_default();
    let mut left = SESSION_BYTES_MAX;
    let mut file = |file: &str| match discover::read_within(&folder.join(file), &mut left) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            Err(too_large(name, Purpose::Session))
        }
        Err(error) => Err(unreadable(&format!("{name}/{file}"), &error)),
    };
    let files = Files {
        session_id,
        meta: file("meta.json")?,
        messages: file("messages.jsonl")?,
        tool_calls: file("tool_calls.jsonl")?,
        compactions: file("compactions.jsonl")?,
        ledger: file("ledger.jsonl")?,
    };
    match three_logs::read(&files) {
        Ok(imported) => Ok(Session { imported }),
        Err(error) => Err(not_a_session(name, &error)),
    }
}

/// The name of a directory, which is its session's id.
pub fn session_id(folder: &Path) -> Option<String> {
    let real = fs::canonicalize(folder).unwrap_or_else(|_| PathBuf::from(folder));
    Some(real.file_name()?.to_str()?.to_owned())
}
