//! Where `-o` writes: whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::failure::{Failure, words};

/// Bytes gathered before they are written.
const BUFFER_BYTES: usize = 256 << 10;

/// Names that are tried for the file that becomes the output.
const PARTIALS_MAX: u32 = 16;

/// Refuses to write over what is read: no view is ever written back as history.
pub fn refuse_source(output: &Path, source: &Path) -> Result<(), Failure> {
    let same = fs::canonicalize(output).ok().zip(fs::canonicalize(source).ok());
    let is_file = fs::metadata(source).is_ok_and(|about| about.is_file());
    if is_file && same.is_some_and(|(output, source)| output == source) {
        let what = format!("cannot write `{}`", output.display());
        let hint = "choose another place; a request is never written over its session";
        return Err(Failure::told(Exit::Usage, what, "it is the session that is read", hint));
    }
    Ok(())
}

/// Writes a file. What is no regular file (a device, a pipe) is written into; any other comes into
/// being beside its place and is moved there when it is complete.
pub fn write(path: &Path, slices: &[&[u8]]) -> Result<(), Failure> {
    let about = match fs::metadata(path) {
        Ok(about) => Some(about),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(unwritable(path, &error)),
    };
    match about {
        Some(about) if about.is_file() && is_open_file(path) => into(path, slices),
        Some(about) if about.is_dir() => {
            let what = format!("cannot write `{}`", path.display());
            let hint = "name a file in it";
            Err(Failure::told(Exit::Data, what, "it is a directory", hint))
        }
        Some(about) if !about.is_file() => into(path, slices),
        existing => {
            // A link stays a link: what it points to is replaced.
            let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            replace(&place, slices, existing.map(|about| about.permissions()))
                .map_err(|error| unwritable(path, &error))
        }
    }
}

/// Whether a name stands for a file that is open already (`/dev/stdout`): what is in it stays.
fn is_open_file(path: &Path) -> bool {
    ["/dev/", "/proc/"].iter().any(|above| path.starts_with(above))
}

/// Writes into what is there, at its end.
fn into(path: &Path, slices: &[&[u8]]) -> Result<(), Failure> {
    let file = OpenOptions::new().append(true).open(path);
    let written = file.and_then(|file| write_all(&file, slices));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::PipeClosed,
        _ => unwritable(path, &error),
    })
}

fn replace(place: &Path, slices: &[&[u8]], mode: Option<fs::Permissions>) -> io::Result<()> {
    let (file, partial) = beside(place)?;
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

/// A new file beside a place, short of name so that a long one leaves room.
fn beside(place: &Path) -> io::Result<(File, PathBuf)> {
    if place.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names no file"));
    }
    let mut last = io::ErrorKind::AlreadyExists.into();
    for attempt in 0..PARTIALS_MAX {
        // A killed run of the same process id may have left one.
        let name = format!(".steno-{}-{attempt}.partial", std::process::id());
        let partial = place.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&partial) {
            Ok(file) => return Ok((file, partial)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
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
