//! `steno import`: a session of any format, as our own JSONL.

use std::path::{Path, PathBuf};

use stenograph::Session;
use stenograph::formats::{self, Format};
use stenograph::json::{Array, Object, Raw};
use stenograph::record::{EntryId, jsonl};

use crate::commands::discover;
use crate::destination;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::page::{Page, Style, count, messages_of, thousands};
use crate::report;
use crate::source;
use crate::ui::Ui;

/// Bring a session of any format into the record form
///
/// Reads a session file (or a three-log directory) and writes it as our own JSONL to standard
/// output or a file: every entry, branch and line it holds, also what it does not understand.
/// Damage costs the damaged line and nothing else; what was found is told on standard error.
///
/// With --discover it looks where the harnesses of this user keep their sessions (Claude Code,
/// Codex, pi, Gemini CLI, OpenCode, Copilot CLI and others) and lists them, the newest first.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    /// Session to read; `-` for standard input
    #[arg(required_unless_present = "discover")]
    source: Option<PathBuf>,

    /// Write to a file, whole or not at all
    #[arg(short, long, value_name = "FILE", conflicts_with = "discover")]
    output: Option<PathBuf>,

    /// List the sessions of this user's harnesses instead
    #[arg(long, conflicts_with = "source")]
    discover: bool,

    /// With --discover: most sessions that are listed
    #[arg(
        long, value_name = "N", default_value_t = discover::LISTED_DEFAULT,
        value_parser = clap::value_parser!(u64).range(1..=discover::LISTED_MAX)
    )]
    limit: u64,

    /// Report as JSON: on standard error, or with -o or --discover on standard output
    #[arg(long)]
    json: bool,
}

/// What is asked for.
#[derive(Debug)]
pub enum Request {
    /// One session.
    Session { source: PathBuf, output: Option<PathBuf>, json: bool },
    /// A list.
    Discover { limit: usize, json: bool },
}

impl From<Args> for Request {
    fn from(args: Args) -> Request {
        let Args { source, output, json, limit, .. } = args;
        match source {
            Some(source) => {
                let output = output.filter(|path| path != Path::new("-"));
                Request::Session { source, output, json }
            }
            None => Request::Discover { limit: limit as usize, json },
        }
    }
}

/// Writes the record and the report, or the list.
pub fn run(request: &Request, ui: &mut Ui) -> Result<Exit, Failure> {
    let (source, output, json) = match request {
        Request::Session { source, output, json } => (source, output.as_deref(), *json),
        Request::Discover { limit, json } => return discover::run(*limit, *json, ui),
    };
    if let Some(output) = output {
        destination::refuse_source(output, source)?;
    }
    let (session, name) = source::session(source, ui)?;
    let record = &session.imported.record;
    let unlined = formats::check_record(record)
        .map_err(|error| report::not_written(&name, Format::Record.name(), &error))?;
    let mut bytes = 0;
    let lines = jsonl::lines(record).inspect(|line| bytes += line.len());
    match output {
        Some(path) => destination::write(path, lines)?,
        None => ui.data(lines)?,
    }
    match (json, output) {
        (true, Some(_)) => ui.json(&document(&name, &session, bytes))?,
        (true, None) => ui.json_report(&document(&name, &session, bytes)),
        (false, _) => ui.report(&page(&name, &session, bytes, &unlined)),
    }
    Ok(Exit::Done)
}

fn page(name: &str, session: &Session, bytes: usize, unlined: &[EntryId]) -> Page {
    let mut page = Page::new();
    let record = &session.imported.record;
    let messages = messages_of(&record.entries);
    page.say(Style::Bold, name).plain(format!(
        ": {}, {}, {}",
        session.imported.format.name(),
        count(messages, "message"),
        count(record.branches().len().max(1), "branch"),
    ));
    page.end();
    report::say_findings(&mut page, &session.imported.findings);
    for entry in unlined {
        page.say(Style::Yellow, "too long for a line:").plain(format!(
            " entry {entry}, no part of the conversation; the file cannot be written again from \
             the record"
        ));
        page.end();
    }
    page.say(Style::Green, "record:").plain(format!(
        " {}, {} bytes",
        count(record.entries.len(), "entry"),
        thousands(bytes as u64)
    ));
    page.end();
    page
}

/// The report as a document, `steno.import/1`.
fn document(name: &str, session: &Session, bytes: usize) -> Raw {
    let record = &session.imported.record;
    let messages = messages_of(&record.entries);
    let mut out = Object::new();
    out.string("schema", "steno.import/1")
        .string("file", name)
        .string("format", session.imported.format.name())
        .optional_string("title", session.imported.title.as_deref())
        .number("messages", messages as u64)
        .number("entries", record.entries.len() as u64)
        .raw("branches", &Array::of_strings(record.branches().into_iter().map(|b| b.as_str())))
        .number("bytes", bytes as u64)
        .raw("findings", &report::findings_of(&session.imported.findings));
    out.finish()
}
