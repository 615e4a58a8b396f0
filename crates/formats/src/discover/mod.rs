//! The session files of the harnesses on this machine.
//!
//! In: where a user's files begin, and the variables with which a harness is told of another place.
//! Out: files that look like sessions, newest first. Files are opened only for their titles, and
//! only their beginnings are read. A directory is gone into once, however links lead to it.

mod opencode;
mod places;

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use crate::limits::LOOKED_AT_MAX;
use crate::limits::{FOLDER_DEPTH_MAX, TITLE_BYTES, TITLE_DOCUMENT_BYTES};
use crate::{Format, import, surface};

pub use opencode::gather;
use places::{PLACES, Place};

/// Where newer versions of OpenCode keep all sessions, below its place's base.
const OPENCODE_DATABASE: &str = "opencode/opencode.db";

/// A file that looks like a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whose it is.
    pub format: Format,
    /// Where it is.
    pub path: PathBuf,
    /// How many bytes it has.
    pub bytes: u64,
    /// When it was last written to.
    pub modified: SystemTime,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Discovery {
    /// The sessions, newest first; of one time, by path.
    pub sessions: Vec<Found>,
    /// The folders that are there.
    pub folders: Vec<(Format, PathBuf)>,
    /// Directories that could not be read, with the reason.
    pub unread: Vec<(PathBuf, String)>,
    /// Databases in which a harness keeps sessions that cannot be read there.
    pub databases: Vec<PathBuf>,
    /// [`LOOKED_AT_MAX`] was met: there may be more.
    pub cut: bool,
}

/// Looks for sessions below `home`, or where `variable` says a harness keeps its files.
/// `looked_at` is told how many directories and files were looked at so far.
pub fn discover(
    home: &Path,
    variable: impl Fn(&str) -> Option<OsString>,
    mut looked_at: impl FnMut(usize),
) -> Discovery {
    let mut walk = Walk::default();
    for place in PLACES {
        let moved = Some(place.variable).filter(|name| !name.is_empty()).and_then(&variable);
        let moved = moved.filter(|value| !value.is_empty()).map(PathBuf::from);
        let base = moved.unwrap_or_else(|| home.join(place.base));
        let folder = base.join(place.below);
        let database = Some(base.join(OPENCODE_DATABASE));
        let database = database.filter(|path| place.format == Format::OpenCode && path.is_file());
        walk.discovery.databases.extend(database);
        if folder.is_dir() {
            walk.discovery.folders.push((place.format, folder.clone()));
            walk.directory(place, &folder, "", 0, &mut looked_at);
        }
    }
    let mut discovery = walk.discovery;
    discovery.sessions.sort_by(|a, b| b.modified.cmp(&a.modified).then(a.path.cmp(&b.path)));
    discovery
}

#[derive(Default)]
struct Walk {
    discovery: Discovery,
    looked_at: usize,
    /// Directories gone into, by where they really are.
    visited: HashSet<PathBuf>,
}

impl Walk {
    fn directory(
        &mut self,
        place: &Place,
        folder: &Path,
        below: &str,
        depth: usize,
        looked_at: &mut impl FnMut(usize),
    ) {
        let entries = match fs::canonicalize(folder) {
            Ok(real) if !self.visited.insert(real.clone()) => return,
            Ok(real) => fs::read_dir(real),
            Err(error) => Err(error),
        };
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                self.discovery.unread.push((folder.to_owned(), error.to_string()));
                return;
            }
        };
        for entry in entries.flatten() {
            self.looked_at += 1;
            looked_at(self.looked_at);
            if self.looked_at > LOOKED_AT_MAX {
                self.discovery.cut = true;
                return;
            }
            let path = folder.join(entry.file_name());
            // Follows a link; one that leads nowhere is nothing.
            let Ok(about) = fs::metadata(&path) else { continue };
            let own = entry.file_name().to_string_lossy().into_owned();
            let below = if below.is_empty() { own } else { format!("{below}/{own}") };
            if about.is_dir() && depth < FOLDER_DEPTH_MAX {
                self.directory(place, &path, &below, depth + 1, looked_at);
            } else if about.is_file() && (place.is_session)(&below) {
                let modified = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                let found = Found { format: place.format, path, bytes: about.len(), modified };
                self.discovery.sessions.push(found);
            }
        }
    }
}

/// Reads a file whole, and takes what it has from what may be read.
///
/// # Errors
///
/// What kept it from being read; [`io::ErrorKind::FileTooLarge`] beyond `left`.
pub fn read_within(path: &Path, left: &mut u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path)?.take(*left + 1).read_to_end(&mut bytes)?;
    *left = left.checked_sub(read as u64).ok_or(io::ErrorKind::FileTooLarge)?;
    Ok(bytes)
}

/// What a session is called: its title, else its first prompt. Only its beginning is read; `None`
/// where that says neither.
pub fn title(found: &Found) -> Option<String> {
    let document = found.path.extension().is_some_and(|extension| extension == "json");
    let bytes_max = if document { TITLE_DOCUMENT_BYTES } else { TITLE_BYTES };
    let mut bytes = Vec::new();
    File::open(&found.path).ok()?.take(bytes_max).read_to_end(&mut bytes).ok()?;
    if found.format == Format::OpenCode {
        return json::Doc::parse(&bytes).ok()?.root().get_str("title").map(|title| title.into());
    }
    // A line that is cut is a finding like any damaged one.
    let imported = import(&bytes, "").ok()?;
    let record = &imported.record;
    surface::called(&record.branch_path("main"), &record.retractions(), imported.title.as_deref())
}
