//! Where `-o` writes: whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::failure::{Failure, words};

/// Bytes gathered before they are written.
const BUFFER_BYTES: usize = 256 << 10;

/// Writes a file. What is no regular file (a device, a pipe) is written into; any other comes into
/// being beside its place and is moved there when it is complete.
pub fn write(path: &Path, slices: &[&[u8]]) -> Result<(), Failure> {
    let about = match fs::metadata(path) {
        Ok(about) => Some(about),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(unwritable(path, &error)),
    };
    match about {
        Some(about) if about.is_dir() => {
            let what = format!("cannot write `{}`", path.display());
            let hint = "name a file in it";
            Err(Failure::told(Exit::Data, what, "it is a directory", hint))
        }
        Some(about) if !about.is_file() => {
            let file = OpenOptions::new().write(true).open(path);
            let written = file.and_then(|file| write_all(&file, slices));
            written.map_err(|error| match error.kind() {
                io::ErrorKind::BrokenPipe => Failure::PipeClosed,
                _ => unwritable(path, &error),
            })
        }
        existing => {
            // A link stays a link: what it points to is replaced.
            let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            replace(&place, slices, existing.map(|about| about.permissions()))
                .map_err(|error| unwritable(path, &error))
        }
    }
}

fn replace(place: &Path, slices: &[&[u8]], mode: Option<fs::Permissions>) -> io::Result<()> {
    let partial = beside(place)?;
    let file = OpenOptions::new().write(true).create_new(true).open(&partial)?;
    let written = mode
        .map_or(Ok(()), |mode| file.set_permissions(mode))
        .and_then(|()| write_all(&file, slices))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&partial, place));
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

fn beside(place: &Path) -> io::Result<PathBuf> {
    let Some(name) = place.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names no file"));
    };
    let mut partial = std::ffi::OsString::from(".");
    partial.push(name);
    partial.push(format!(".{}.partial", std::process::id()));
    Ok(place.with_file_name(partial))
}

fn write_all(file: &File, slices: &[&[u8]]) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, file);
    slices.iter().try_for_each(|slice| out.write_all(slice))?;
    out.flush()
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let hint = match error.kind() {
        io::ErrorKind::NotFound => "make the directory first",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose a place you may write to"
        }
        io::ErrorKind::StorageFull => "make room, or choose another place; nothing was left behind",
        _ => "choose another place",
    };
    Failure::told(Exit::Data, format!("cannot write `{}`", path.display()), words(error), hint)
}
