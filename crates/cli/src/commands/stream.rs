//! `steno stream`: a reply of a session, sent again as its provider would send it.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use stenograph::assemble::Dialect;
use stenograph::assemble::encode::{self, LeftOut};
use stenograph::record::{Message, Role};

use crate::destination;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::page::{Page, Style, count};
use crate::place::{Place, PlaceArgs};
use crate::responses::{Answerer, responses};
use crate::source;
use crate::ui::Ui;

/// Send a reply of a session again as its provider would
///
/// Writes the last reply at a place of a session as an event stream, or as a response body, of an
/// API: to test a client with what really happened. A reply that came over that API is the same
/// message when it is read; of another API it is what this one can say.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    /// Session to read; `-` for standard input
    source: PathBuf,

    /// API to send it over
    #[arg(
        long = "as", value_name = "API",
        value_parser = PossibleValuesParser::new(Dialect::ALL.map(Dialect::name))
    )]
    dialect: String,

    /// Write a response body instead of a stream
    #[arg(long)]
    body: bool,

    /// Write to a file, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    place: PlaceArgs,
}

/// What is asked for.
#[derive(Debug)]
pub struct Request {
    source: PathBuf,
    dialect: Dialect,
    body: bool,
    output: Option<PathBuf>,
    place: Place,
}

impl From<Args> for Request {
    fn from(args: Args) -> Request {
        let output = args.output.filter(|path| path != Path::new("-"));
        // The command line takes no other name.
        let dialect = Dialect::from_name(&args.dialect).unwrap_or(Dialect::AnthropicMessages);
        let place = args.place.into();
        Request { source: args.source, dialect, body: args.body, output, place }
    }
}

/// Writes the reply.
pub fn run(request: &Request, ui: &mut Ui) -> Result<Exit, Failure> {
    if let Some(output) = &request.output {
        destination::refuse_source(output, &request.source)?;
    }
    let (session, name) = source::view(&request.source, ui)?;
    let (path, place) = request.place.path(&session, &name)?;
    let reply = path.iter().rev().find_map(|entry| {
        let message = entry.message().filter(|message| message.role == Role::Assistant)?;
        Some((entry.id.as_str(), message))
    });
    let Some((id, message)) = reply else {
        let what = format!("cannot send a reply of `{name}`");
        let cause = format!("there is none ({place})");
        return Err(Failure::told(Exit::No, what, cause, "give another place with `--at`"));
    };
    let bytes = sent(request, message, id).map_err(|error| {
        let what = format!("cannot send the reply `{id}` over `{}`", request.dialect.name());
        Failure::told(Exit::No, what, error.to_string(), "give another reply with `--at`")
    })?;
    match &request.output {
        Some(path) => destination::write(path, [&bytes])?,
        None => ui.data([&bytes])?,
    }
    ui.report(&losses(request.dialect, message, &bytes));
    Ok(Exit::Done)
}

/// What the API did not carry, and whether what it did is a reply to whoever reads it.
fn losses(dialect: Dialect, message: &Message, bytes: &[u8]) -> Page {
    let mut page = Page::new();
    let mut counts: Vec<(String, usize)> = Vec::new();
    for lost in encode::left_out(dialect, message) {
        let name = match lost {
            LeftOut::Native(kind) => format!("`{kind}` block"),
            LeftOut::Thought => "wordless thought".to_owned(),
            LeftOut::Signature => "signature".to_owned(),
        };
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, number)) => *number += 1,
            None => counts.push((name, 1)),
        }
    }
    if !counts.is_empty() {
        let lost: Vec<String> = counts.iter().map(|(name, number)| count(*number, name)).collect();
        page.say(Style::Yellow, "not carried:").line(format!(" {}", lost.join(", ")));
    }
    let answerer = Answerer { dialect: Some(dialect), ..Answerer::default() };
    let read = responses(bytes, &answerer).unwrap_or_default();
    for failed in read.iter().filter_map(|read| read.assembled().ok()?.err()) {
        page.say(Style::Yellow, "read back, it is no reply:").line(format!(" {failed}"));
    }
    page
}

fn sent(request: &Request, message: &Message, id: &str) -> Result<Vec<u8>, encode::CannotCarry> {
    if !request.body {
        return encode::stream(request.dialect, message, id);
    }
    let mut body = encode::body(request.dialect, message, id)?.as_str().as_bytes().to_vec();
    body.push(b'\n');
    Ok(body)
}
