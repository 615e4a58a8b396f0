//! What a command reads: a file, or standard input, bounded; whole, or as it comes in.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use stenograph::Session;
use stenograph::formats::{self, Format, HEAD_BYTES, ImportError, discover};
use stenograph::json::Doc;

use crate::bodies::is_body;
use crate::exit::Exit;
use crate::failure::{Failure, words};
use crate::progress::{Progress, Watched};
use crate::three_logs;
use crate::ui::Ui;

/// Bytes of a session file (1 GiB).
pub const SESSION_BYTES_MAX: u64 = 1 << 30;

/// Bytes of a body to be judged (256 MiB): no provider takes more than 32.
pub const BODY_BYTES_MAX: u64 = 256 << 20;

/// A file that was read.
#[derive(Debug)]
pub struct Source {
    /// What it is called in reports.
    pub name: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// What a file is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A session: what can be none is refused by its beginning.
    Session,
    /// A request body.
    Body,
    /// A response, or a recording of several.
    Response,
}

impl Purpose {
    fn bytes_max(self) -> u64 {
        match self {
            Purpose::Session => SESSION_BYTES_MAX,
            Purpose::Body | Purpose::Response => BODY_BYTES_MAX,
        }
    }
}

/// The name of a file in reports.
pub fn name_of(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a session as it comes in, to be looked at and not to be exported; `-` is standard input. A
/// directory is read as three logs. Also gives its name in reports.
pub fn view(path: &PathBuf, ui: &Ui) -> Result<(Session, String), Failure> {
    stream(path, ui, Session::read_to_view)
}

/// As [`view`], with every line it came from.
pub fn session(path: &PathBuf, ui: &Ui) -> Result<(Session, String), Failure> {
    stream(path, ui, Session::read)
}

/// What a session comes in as.
type SessionInput = BufReader<Bounded<Box<dyn Read>>>;

fn stream(
    path: &PathBuf,
    ui: &Ui,
    read: fn(SessionInput, &str) -> Result<Session, ImportError>,
) -> Result<(Session, String), Failure> {
    let name = name_of(path);
    if three_logs::is_one(path) {
        return Ok((three_logs::read(path, &name)?, name));
    }
    if let Some(bytes) = gathered(path, &name)? {
        let session = Session::open(&bytes, &name).map_err(|error| not_a_session(&name, &error))?;
        return Ok((session, name));
    }
    let session = read(input(path, &name, ui)?, &name).map_err(|error| unread(&name, error))?;
    Ok((session, name))
}

fn input(path: &PathBuf, name: &str, ui: &Ui) -> Result<SessionInput, Failure> {
    let reading = |total| Progress::of_bytes(&format!("reading {name}"), total, ui.is_talkative());
    let input: Box<dyn Read> = if is_stdin(path) {
        Box::new(Watched::new(io::stdin().lock(), reading(0)))
    } else {
        let (file, bytes) = open(path, name, Purpose::Session)?;
        Box::new(Watched::new(file, reading(bytes)))
    };
    Ok(BufReader::with_capacity(1 << 16, Bounded { input, left: SESSION_BYTES_MAX }))
}

/// The failure of a session that could not be read as it came in.
fn unread(name: &str, error: ImportError) -> Failure {
    match error {
        ImportError::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            too_large(name, Purpose::Session)
        }
        ImportError::Io(error) => unreadable(name, &error),
        error => not_a_session(name, &error),
    }
}

/// What may be a session, or requests.
#[derive(Debug)]
pub enum Looked {
    /// A session in lines, read as it came in, and its name.
    Session(Session, String),
    /// A document.
    Document(Source),
}

/// Reads a session, or requests: what is in lines is never in memory as a whole. `-` is standard
/// input.
pub fn look(path: &PathBuf, ui: &Ui) -> Result<Looked, Failure> {
    let name = name_of(path);
    if let Some(bytes) = gathered(path, &name)? {
        return Ok(Looked::Document(Source { name, bytes }));
    }
    let failed = |error| unread(&name, error);
    let mut input = input(path, &name, ui)?;
    let (mut bytes, format) = formats::detect_reader(&mut input).map_err(failed)?;
    match format {
        Ok(format) if format.is_lines() => {
            let input = io::Cursor::new(bytes).chain(input);
            let session = Session::read_to_view(input, &name).map_err(failed)?;
            Ok(Looked::Session(session, name))
        }
        Err(error) if bytes.len() >= HEAD_BYTES && !is_list_of_requests(&bytes) => {
            Err(not_a_session(&name, &error))
        }
        Ok(_) | Err(_) => {
            input.read_to_end(&mut bytes).map_err(|error| failed(ImportError::Io(error)))?;
            Ok(Looked::Document(Source { name, bytes }))
        }
    }
}

/// Whether a head may be that of a list of requests, or of one body a line: that is no session,
/// and is read.
fn is_list_of_requests(head: &[u8]) -> bool {
    const REQUESTS: &[u8] = b"\"requests\"";
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if Doc::parse(first).is_ok_and(|doc| is_body(doc.root())) {
        return true;
    }
    head.windows(REQUESTS.len()).any(|window| window == REQUESTS)
}

/// The document of a session that lies in several files, where this is one of them.
fn gathered(path: &Path, name: &str) -> Result<Option<Vec<u8>>, Failure> {
    discover::gather(path, SESSION_BYTES_MAX).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => too_large(name, Purpose::Session),
        _ => unreadable(name, &error),
    })
}

/// A reader that fails where it would give more than it may.
struct Bounded<R> {
    input: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(into)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(io::ErrorKind::FileTooLarge.into()),
        }
        Ok(read)
    }
}

/// Opens a file that can be read, and says how long it is.
fn open(path: &PathBuf, name: &str, purpose: Purpose) -> Result<(File, u64), Failure> {
    let file = File::open(path).map_err(|error| unreadable(name, &error))?;
    let about = file.metadata().map_err(|error| unreadable(name, &error))?;
    if about.is_dir() {
        let hint = match purpose {
            Purpose::Session => {
                "give one session file of it; a three-log directory has a `messages.jsonl`"
            }
            Purpose::Body => "give the file of one request body; `steno doctor` judges sessions",
            Purpose::Response => "give the file of one response, or of one recording",
        };
        return Err(Failure::told(Exit::Data, cannot_read(name), "it is a directory", hint));
    }
    if about.len() > purpose.bytes_max() {
        return Err(too_large(name, purpose));
    }
    Ok((file, about.len()))
}

/// Reads a request body; `-` is standard input.
pub fn body(path: &PathBuf) -> Result<Source, Failure> {
    whole(path, Purpose::Body)
}

/// Reads a response; `-` is standard input.
pub fn response(path: &PathBuf) -> Result<Source, Failure> {
    whole(path, Purpose::Response)
}

fn whole(path: &PathBuf, purpose: Purpose) -> Result<Source, Failure> {
    let name = name_of(path);
    let (input, expected): (Box<dyn Read>, u64) = if is_stdin(path) {
        (Box::new(io::stdin().lock()), 0)
    } else {
        let (file, bytes) = open(path, &name, purpose)?;
        (Box::new(file), bytes)
    };
    let mut bytes = Vec::with_capacity(expected as usize + 1);
    // One byte more than the limit tells that there is more.
    let read = input.take(purpose.bytes_max() + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(&name, &error))?;
    if bytes.len() as u64 > purpose.bytes_max() {
        return Err(too_large(&name, purpose));
    }
    Ok(Source { name, bytes })
}

fn cannot_read(name: &str) -> String {
    format!("cannot read `{name}`")
}

pub fn unreadable(name: &str, error: &io::Error) -> Failure {
    let hint = match error.kind() {
        io::ErrorKind::NotFound => "check the path; `-` reads standard input",
        io::ErrorKind::PermissionDenied => "check who may read it",
        _ => "check that it is a file that can be read from start to end",
    };
    Failure::told(Exit::Data, cannot_read(name), words(error), hint)
}

pub fn too_large(name: &str, purpose: Purpose) -> Failure {
    let max = purpose.bytes_max();
    let cause =
        format!("it has more than {max} bytes, the limit of what is read ({} MiB)", max >> 20);
    let hint = match purpose {
        Purpose::Session => "give one session, not an archive of many or a stream without an end",
        Purpose::Body => "give one request body; the provider takes at most 32 MB",
        Purpose::Response => "give one response, or a recording of fewer",
    };
    Failure::told(Exit::Data, cannot_read(name), cause, hint)
}

/// The failure of a file that is no session.
pub fn not_a_session(name: &str, error: &ImportError) -> Failure {
    let hint = match error {
        ImportError::Empty => "give a file that something was written to".to_owned(),
        ImportError::Encoding { .. } => "convert it with `iconv -t UTF-8`".to_owned(),
        ImportError::Binary { .. } | ImportError::UnknownFormat { .. } => {
            // A three-log directory is several files: no one file is it.
            let read = Format::ALL.into_iter().filter(|format| *format != Format::ThreeLogs);
            format!("what is read: {}", read.map(Format::name).collect::<Vec<_>>().join(", "))
        }
        ImportError::Json { .. } => "mend the place named, or take the whole file again".to_owned(),
        ImportError::TooLarge { .. } => "split it".to_owned(),
        ImportError::Io(_) => "check that it can be read from start to end".to_owned(),
    };
    Failure::told(Exit::Data, cannot_read(name), error.to_string(), hint)
}
