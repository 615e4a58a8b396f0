//! Where `-o` writes: whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::failure::{Failure, words};

/// Bytes gathered before they are written.
const BUFFER_BYTES: usize = 256 << 10;

/// Links that are followed from one to the next, as many as the system does.
const LINKS_MAX: usize = 40;

/// Names that are tried for the file that becomes the output.
const PARTIALS_MAX: u32 = 16;

/// Refuses to write over what is read, or into it: no view is ever written back as history.
pub fn refuse_source(output: &Path, source: &Path) -> Result<(), Failure> {
    let source = if source == Path::new("-") { Path::new("/dev/stdin") } else { source };
    let Ok(source) = fs::canonicalize(source) else { return Ok(()) };
    let is_read = match fs::metadata(&source) {
        Ok(about) if about.is_file() => fs::canonicalize(output).is_ok_and(|real| real == source),
        Ok(about) if about.is_dir() => {
            real_place(output).is_some_and(|real| real.starts_with(source))
        }
        Ok(_) | Err(_) => false,
    };
    if !is_read {
        return Ok(());
    }
    let what = format!("cannot write `{}`", output.display());
    let hint = "choose another place; what is read is never written over";
    Err(Failure::told(Exit::Usage, what, "it is the session that is read", hint))
}

/// Where a path is or would be.
fn real_place(path: &Path) -> Option<PathBuf> {
    let real = fs::canonicalize(path).ok();
    real.or_else(|| {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        Some(fs::canonicalize(parent.unwrap_or(Path::new("."))).ok()?.join(path.file_name()?))
    })
}

/// Writes files as a new directory, which is there when all of them are.
pub fn write_directory<'f>(
    path: &Path,
    files: impl Iterator<Item = (&'static str, &'f [u8])>,
) -> Result<(), Failure> {
    if path.exists() {
        let what = format!("cannot write `{}`", path.display());
        let hint = "name a directory that is not there yet";
        return Err(Failure::told(Exit::Data, what, "it is there already", hint));
    }
    let written = beside(path, |partial| fs::create_dir(partial)).and_then(|((), partial)| {
        let moved = files
            .filter(|(_, bytes)| !bytes.is_empty())
            .try_for_each(|(name, bytes)| {
                let file = File::create_new(partial.join(name))?;
                write_all(&file, [bytes])?;
                file.sync_all()
            })
            .and_then(|()| fs::rename(&partial, path));
        if moved.is_err() {
            let _ = fs::remove_dir_all(&partial);
        }
        moved
    });
    written.map_err(|error| unwritable(path, &error))
}

/// Writes a file. What is no regular file (a device, a pipe) is written into; any other comes into
/// being beside its place and is moved there when it is complete.
pub fn write<S: AsRef<[u8]>>(
    path: &Path,
    slices: impl IntoIterator<Item = S>,
) -> Result<(), Failure> {
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
        existing => replace(&place_of(path), slices, existing.map(|about| about.permissions()))
            .map_err(|error| unwritable(path, &error)),
    }
}

/// The place a file is written to. A link stays a link: what it points to is replaced, or comes
/// into being where it is not there yet.
fn place_of(path: &Path) -> PathBuf {
    let mut place = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(target) = fs::read_link(&place) else { break };
        // A target that is absolute takes the place of all before it.
        place = place.parent().map_or(target.clone(), |folder| folder.join(&target));
    }
    fs::canonicalize(&place).unwrap_or(place)
}

/// Whether a name stands for a file that is open already (`/dev/stdout`): what is in it stays.
fn is_open_file(path: &Path) -> bool {
    ["/dev/", "/proc/"].iter().any(|above| path.starts_with(above))
}

/// Writes into what is there, at its end.
fn into<S: AsRef<[u8]>>(path: &Path, slices: impl IntoIterator<Item = S>) -> Result<(), Failure> {
    let file = OpenOptions::new().append(true).open(path);
    let written = file.and_then(|file| write_all(&file, slices));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::PipeClosed,
        _ => unwritable(path, &error),
    })
}

fn replace<S: AsRef<[u8]>>(
    place: &Path,
    slices: impl IntoIterator<Item = S>,
    mode: Option<fs::Permissions>,
) -> io::Result<()> {
    let (file, partial) = beside(place, |partial| File::create_new(partial))?;
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

/// Something new beside a place, short of name so that a long one leaves room.
fn beside<T>(place: &Path, create: impl Fn(&Path) -> io::Result<T>) -> io::Result<(T, PathBuf)> {
    if place.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names no file"));
    }
    let mut last = io::ErrorKind::AlreadyExists.into();
    for attempt in 0..PARTIALS_MAX {
        // A killed run of the same process id may have left one.
        let name = format!(".steno-{}-{attempt}.partial", std::process::id());
        let partial = place.with_file_name(name);
        match create(&partial) {
            Ok(created) => return Ok((created, partial)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

fn write_all<S: AsRef<[u8]>>(file: &File, slices: impl IntoIterator<Item = S>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, file);
    slices.into_iter().try_for_each(|slice| out.write_all(slice.as_ref()))?;
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
