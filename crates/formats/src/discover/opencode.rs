//! A session of OpenCode as it lies on disk, one file for each message and part, gathered into the
//! document that `opencode export` writes.
//!
//! A file that is no JSON stands in it as a text, so nothing is lost and reading says where.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use json::{Array, Object, Raw, escape};

use super::read_within;

/// The document of the session whose own file this is; `None` where it is none of OpenCode's.
///
/// # Errors
///
/// What kept a file from being read; [`io::ErrorKind::FileTooLarge`] beyond `bytes_max`.
pub fn gather(info: &Path, bytes_max: u64) -> io::Result<Option<Vec<u8>>> {
    let storage = info.ancestors().nth(3).filter(|storage| storage.join("session").is_dir());
    let (Some(storage), Some(session)) = (storage, info.file_stem()) else { return Ok(None) };
    let is_info = info.parent().and_then(Path::parent) == Some(&storage.join("session"));
    let messages = storage.join("message").join(session);
    if !is_info || !messages.is_dir() {
        return Ok(None);
    }
    let mut left = bytes_max;
    let mut file = |path: &Path| json_of(&read_within(path, &mut left)?);
    let mut list = Array::new();
    for message in ordered(&messages)? {
        let mut parts = Array::new();
        let of_message = storage.join("part").join(message.file_stem().unwrap_or_default());
        for part in ordered(&of_message)? {
            parts.raw(&file(&part)?);
        }
        let mut one = Object::new();
        one.raw("info", &file(&message)?).raw("parts", &parts.finish());
        list.raw(&one.finish());
    }
    let mut document = Object::new();
    document.raw("info", &file(info)?).raw("messages", &list.finish());
    Ok(Some(document.finish().as_str().as_bytes().to_vec()))
}

/// The JSON files of a directory, in the order of their names, which is that of their making.
fn ordered(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let mut paths: Vec<PathBuf> = entries?.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension() == Some(OsStr::new("json")));
    paths.sort();
    Ok(paths)
}

/// A file's value; a text where it is no JSON.
fn json_of(bytes: &[u8]) -> io::Result<Raw> {
    let text = String::from_utf8_lossy(bytes);
    let parsed = Raw::parse(&text).or_else(|_| Raw::parse(&escape::literal(&text)));
    parsed.map_err(|_| io::ErrorKind::InvalidData.into())
}
