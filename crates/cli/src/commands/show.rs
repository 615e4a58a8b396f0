//! `steno show`: a session in the terminal.

use std::path::PathBuf;

use clap::ValueEnum;
use regex::{Regex, RegexBuilder};
use stenograph::formats::surface::Conversation;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::page::{Page, count, messages_of};
use crate::place::{Place, PlaceArgs};
use crate::reading::{Kind, Reading};
use crate::report;
use crate::source;
use crate::ui::Ui;

/// Bytes that a compiled pattern may take.
const PATTERN_BYTES_MAX: usize = 1 << 20;

/// Read a session in the terminal
///
/// Shows one branch from its first entry on: who said what, calls with their results, thinking
/// folded to a line, long output cut and said so. Nothing in a session acts on the terminal.
///
/// On a terminal it goes through a pager: the one that is set (`steno config`), $PAGER, or `less`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    /// Session to read; `-` for standard input
    source: PathBuf,

    /// Show thinking in full
    #[arg(long)]
    thinking: bool,

    /// Show output and arguments in full
    #[arg(long)]
    full: bool,

    /// Show only lines that match this regular expression, thinking and output included
    #[arg(long, value_name = "PATTERN")]
    grep: Option<String>,

    /// With --grep: take capitals and small letters as the same
    #[arg(short, long, requires = "grep")]
    ignore_case: bool,

    /// Show only this; may be repeated
    #[arg(long, value_name = "KIND", value_enum, value_delimiter = ',')]
    only: Vec<Only>,

    #[command(flatten)]
    place: PlaceArgs,

    /// Write to standard output directly
    #[arg(long)]
    no_pager: bool,
}

/// What can be shown alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Only {
    /// What the user said
    User,
    /// What the model said
    Assistant,
    /// What the model thought
    Thinking,
    /// Calls
    Calls,
    /// What calls returned
    Results,
    /// What calls returned as an error
    Errors,
    /// System text and its changes, compactions
    System,
}

impl Only {
    fn kind(self) -> Kind {
        match self {
            Only::User => Kind::User,
            Only::Assistant => Kind::Assistant,
            Only::Thinking => Kind::Thinking,
            Only::Calls => Kind::Call,
            Only::Results => Kind::Result,
            Only::Errors => Kind::Error,
            Only::System => Kind::System,
        }
    }
}

/// What is asked for.
#[derive(Debug)]
pub struct Request {
    source: PathBuf,
    place: Place,
    thinking: bool,
    full: bool,
    /// The pattern, and whether capitals and small letters are the same.
    grep: Option<(String, bool)>,
    only: Vec<Kind>,
    paged: bool,
}

impl From<Args> for Request {
    fn from(args: Args) -> Request {
        let mut only: Vec<Kind> = args.only.iter().map(|only| only.kind()).collect();
        if only.contains(&Kind::Result) {
            only.push(Kind::Error);
        }
        Request {
            source: args.source,
            place: args.place.into(),
            // What is asked for by name is not folded.
            thinking: args.thinking || only.contains(&Kind::Thinking),
            full: args.full,
            grep: args.grep.map(|pattern| (pattern, args.ignore_case)),
            only,
            paged: !args.no_pager,
        }
    }
}

/// Shows the session; the answer is no where nothing of it is what was asked for.
pub fn run(request: &Request, ui: &mut Ui) -> Result<Exit, Failure> {
    let grep = request.grep.as_ref().map(pattern).transpose()?;
    let (session, name) = source::view(&request.source, ui)?;
    let (path, place) = request.place.path(&session, &name)?;
    let mut about = Page::new();
    report::say_findings(&mut about, &session.imported.findings);
    ui.report(&about);
    let title = session.imported.title.as_deref();
    let conversation = Conversation::new(&session.imported.record, &path, title);
    let reading = Reading {
        thinking: request.thinking,
        full: request.full,
        grep,
        only: &request.only,
        width: ui.width(),
    };
    let mut out = ui.paged(request.paged);
    let messages = messages_of(&path);
    let format = session.imported.format.name();
    let messages = count(messages, "message");
    out.write(
        &reading.head(&conversation.title, &format!("{name}: {format}, {place}, {messages}")),
    )?;
    let mut is_empty = true;
    for page in reading.pages(&conversation.shown()) {
        is_empty = false;
        out.write(&page)?;
    }
    out.finish()?;
    Ok(if is_empty { Exit::No } else { Exit::Done })
}

fn pattern((pattern, ignore_case): &(String, bool)) -> Result<Regex, Failure> {
    let built = RegexBuilder::new(pattern)
        .case_insensitive(*ignore_case)
        .size_limit(PATTERN_BYTES_MAX)
        .build();
    built.map_err(|error| {
        let what = format!("cannot search for `{pattern}`");
        let text = error.to_string();
        let cause = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
        let hint = "write `\\` before a character that is meant as it is, such as `\\(`";
        Failure::told(Exit::Usage, what, cause, hint)
    })
}
