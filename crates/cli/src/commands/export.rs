//! `steno export`: a session in another format, or as Markdown or HTML for people.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use stenograph::Session;
use stenograph::formats::surface::Conversation;
use stenograph::formats::three_logs::{self, Files};
use stenograph::formats::{self, Format, Imported, html, markdown};

use crate::destination;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::losses::Parts;
use crate::page::{Page, Style, count, messages_of, thousands};
use crate::place::{Place, PlaceArgs};
use crate::report;
use crate::source;
use crate::three_logs as directory;
use crate::ui::Ui;

const MARKDOWN: &str = "markdown";
const HTML: &str = "html";

/// Write a session in another format
///
/// Into any format that is read, line for line where it came from that format; as Markdown; or as
/// one HTML page that needs nothing beside it: no scripts, nothing fetched, thinking folded, calls
/// with their results, images inside. What a session says is text in all of them, never markup.
///
/// Markdown and HTML show one branch, `main` unless another is asked for, from its first entry on.
/// `record` and `three-logs` hold everything; any other format the lines that came from it and, of
/// what has none, the branch `main`. What was not carried is named. A three-log directory needs -o
/// and a new place.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    /// Session to read; `-` for standard input
    source: PathBuf,

    /// Format to write
    #[arg(long = "as", value_name = "FORMAT", value_parser = PossibleValuesParser::new(names()))]
    format: String,

    /// Write to a file, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    place: PlaceArgs,
}

fn names() -> impl Iterator<Item = &'static str> {
    Format::ALL.into_iter().map(Format::name).chain([MARKDOWN, HTML])
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Session(Format),
    Markdown,
    Html,
}

impl Form {
    fn from_name(name: &str) -> Form {
        match Format::from_name(name) {
            Some(format) => Form::Session(format),
            None if name == MARKDOWN => Form::Markdown,
            None => Form::Html,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Form::Session(format) => format.name(),
            Form::Markdown => MARKDOWN,
            Form::Html => HTML,
        }
    }
}

/// What is asked for.
#[derive(Debug)]
pub struct Request {
    source: PathBuf,
    form: Form,
    output: Option<PathBuf>,
    place: Place,
}

impl From<Args> for Request {
    fn from(args: Args) -> Request {
        let output = args.output.filter(|path| path != Path::new("-"));
        let form = Form::from_name(&args.format);
        Request { source: args.source, form, output, place: args.place.into() }
    }
}

/// Writes the session.
pub fn run(request: &Request, ui: &mut Ui) -> Result<Exit, Failure> {
    if let Some(output) = &request.output {
        destination::refuse_source(output, &request.source)?;
    }
    if matches!(request.form, Form::Session(_)) && !request.place.is_default() {
        let what = format!("cannot write a part of a session as `{}`", request.form.name());
        let cause = "only `markdown` and `html` show a part";
        let hint = "leave out `--at` and `--branch`, or write `markdown` or `html`";
        return Err(Failure::told(Exit::Usage, what, cause, hint));
    }
    let (session, name) = source::session(&request.source, ui)?;
    let mut page = Page::new();
    page.say(Style::Bold, &name).plain(format!(": {}", session.imported.format.name())).end();
    report::say_findings(&mut page, &session.imported.findings);
    let before = Parts::of(&session.imported.record);
    if request.form == Form::Session(Format::ThreeLogs) {
        let files = write_directory(request, &session, &name)?;
        drop(session);
        say_losses(&mut page, &before, three_logs::read(&files).ok());
        page.say(Style::Green, "three-logs:").line(" a directory of its own");
        ui.report(&page);
        return Ok(Exit::Done);
    }
    let bytes = written(request, &session, &name, &mut page)?;
    // A long session is in memory once.
    drop(session);
    if matches!(request.form, Form::Session(format) if format != Format::Record) {
        say_losses(&mut page, &before, formats::import_view(bytes.as_slice(), &name).ok());
    }
    match &request.output {
        Some(path) => destination::write(path, [&bytes])?,
        None => ui.data([&bytes])?,
    }
    page.say(Style::Green, format!("{}:", request.form.name()));
    page.line(format!(" {} bytes", thousands(bytes.len() as u64)));
    ui.report(&page);
    Ok(Exit::Done)
}

/// Says what the format did not carry, by what is read back.
fn say_losses(page: &mut Page, before: &Parts, read_back: Option<Imported>) {
    let after = read_back.map(|imported| Parts::of(&imported.record)).unwrap_or_default();
    if let Some(lost) = before.without(&after) {
        page.say(Style::Yellow, "not carried:").line(format!(" {lost}"));
    }
}

/// The bytes of a form that is one file.
fn written(
    request: &Request,
    session: &Session,
    name: &str,
    page: &mut Page,
) -> Result<Vec<u8>, Failure> {
    let record = &session.imported.record;
    let write = match request.form {
        Form::Session(format) => {
            return formats::export(record, format)
                .map_err(|error| report::not_written(name, format.name(), &error));
        }
        Form::Markdown => markdown::write,
        Form::Html => html::write,
    };
    let (path, place) = request.place.path(session, name)?;
    let mut conversation = Conversation::new(record, &path, session.imported.title.as_deref());
    let messages = messages_of(&path);
    let all = messages_of(&record.entries);
    conversation.facts =
        vec![format!("{}, {place}", session.imported.format.name()), count(messages, "message")];
    if all > messages {
        let elsewhere =
            format!("not shown: {} of other branches", count(all - messages, "message"));
        page.line(&elsewhere);
        conversation.facts.push(elsewhere);
    }
    Ok(write(&conversation).into_bytes())
}

fn write_directory(request: &Request, session: &Session, name: &str) -> Result<Files, Failure> {
    let Some(output) = &request.output else {
        let what = "cannot write a directory to standard output";
        let cause = "three-logs are several files";
        return Err(Failure::told(Exit::Usage, what, cause, "name a new directory with `-o`"));
    };
    let session_id = directory::session_id(output).unwrap_or_default();
    let files = three_logs::write(&session.imported.record, &session_id)
        .map_err(|error| report::not_written(name, Format::ThreeLogs.name(), &error))?;
    destination::write_directory(output, files.iter())?;
    Ok(files)
}
