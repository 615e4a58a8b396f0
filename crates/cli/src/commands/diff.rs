//! `steno diff`: where one request stops extending another, why, and what that costs.

mod answer;
mod points;

use std::path::PathBuf;

use stenograph::formats;
use stenograph::json::{self, Doc};
use stenograph::replay::Prepared;
use stenograph::wire::prompt_cache::{Api, Comparison};

use crate::bodies::is_body;
use crate::commands::replay;
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::place::{PlaceArgs, named};
use crate::recorded::Form;
use crate::requests::{self, Body};
use crate::source::{self, Looked, Source};
use crate::three_logs;
use crate::to::To;
use crate::ui::Ui;
use crate::view::{Thinking, View, ViewArgs, ViewRequest};

use points::{Points, Reason};

/// What some editors put before a text.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Say where one request stops extending another, why, and what that costs
///
/// A provider keeps the prefix of a request in its cache: tools, then system text, then messages.
/// This names the first unit and byte that moved, what moved them, how many cached tokens and
/// thoughts are lost, and what that costs at the model's list price.
///
/// Compares two request bodies, of any API that is known; a session in the place of one stands
/// for the request that replay makes of it. Of one file with several requests the last two are
/// compared. Of one session two points are: the request before the last reply and the one that
/// goes on now, or those that --at names; what was retracted since is in neither.
///
/// Tokens are estimated, unless the record has what the provider counted.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    /// First request: its file, or a session; `-` for standard input
    before: PathBuf,

    /// Second request; without it, two of the first file are compared
    after: Option<PathBuf>,

    /// With one session: the first point, and the second if it is given again
    #[arg(long, value_name = "ENTRY", conflicts_with = "after")]
    at: Vec<String>,

    /// Branch to read of a session
    #[arg(long, value_name = "BRANCH", value_parser = named,
        default_value = stenograph::record::BRANCH_DEFAULT)]
    branch: String,

    /// API or vendor the requests are for [default: as the bodies look]
    #[arg(long, value_name = "TARGET")]
    to: Option<String>,

    /// Model the requests are for [default: the second body's, or the record's last]
    #[arg(long, value_name = "MODEL", value_parser = named)]
    model: Option<String>,

    /// Ask the model of a session to think or not [default: as the last turn at each point]
    #[arg(long, value_name = "WHETHER", value_enum)]
    thinking: Option<Thinking>,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// What is asked for.
#[derive(Debug)]
pub struct Request {
    before: ViewRequest,
    after: Option<ViewRequest>,
    at: Vec<String>,
    /// Who the bodies are for, where that was said.
    to: Option<To>,
    model: Option<String>,
    json: bool,
}

impl Args {
    /// With what is configured where a flag is not given.
    pub fn checked(self, config: &Config) -> Result<Request, Failure> {
        if self.at.len() > 2 {
            let cause = format!("--at was given {} times", self.at.len());
            let hint = "name two entries, or one for what came since";
            return Err(Failure::told(Exit::Usage, "two points are compared", cause, hint));
        }
        let view = |source: PathBuf| {
            let place = PlaceArgs { at: None, branch: self.branch.clone() };
            let args = ViewArgs {
                source,
                to: self.to.clone(),
                model: self.model.clone(),
                place,
                no_vision: false,
                vision: false,
                no_tools: false,
                no_continue: false,
                max_tokens: None,
                thinking: self.thinking,
            };
            args.checked(config)
        };
        Ok(Request {
            before: view(self.before)?,
            after: self.after.map(view).transpose()?,
            at: self.at,
            to: self.to.map(|to| To::named(&to, config)).transpose()?,
            model: self.model,
            json: self.json,
        })
    }
}

/// One of the two requests.
#[derive(Debug)]
pub struct Side {
    /// What it is called: its file, and where in it.
    name: String,
    /// The file, or the body that was made.
    bytes: Vec<u8>,
    /// Where the body stands in it.
    start: usize,
    end: usize,
    /// Who it is for, where that is known.
    to: Option<To>,
    /// The model it is for.
    model: Option<String>,
}

impl Side {
    fn of_file(source: Source, span: std::ops::Range<usize>) -> Side {
        let body = source.bytes.get(span.clone()).unwrap_or_default();
        let model = requests::model_of(body);
        let to = To::of_body(body, model.as_deref());
        let to = to.or_else(|| is_anthropics(body).then_some(To::Anthropic));
        Side { name: source.name, start: span.start, end: span.end, to, model, bytes: source.bytes }
    }

    fn made(name: String, prepared: &Prepared, to: &To, model: &str) -> Side {
        let bytes = prepared.request.body().to_vec();
        let (to, model) = (Some(to.clone()), Some(model.to_owned()));
        Side { name, start: 0, end: bytes.len(), bytes, to, model }
    }

    fn body(&self) -> Body<'_> {
        let bytes = self.bytes.get(self.start..self.end).unwrap_or_default();
        Body { bytes, start: self.start }
    }
}

/// Two requests that were compared.
#[derive(Debug)]
pub struct Diff {
    before: Side,
    after: Side,
    to: To,
    model: String,
    compared: Comparison,
    /// What the record says of it.
    reason: Option<Reason>,
}

/// Compares two requests.
pub fn run(request: &Request, ui: &mut Ui) -> Result<Exit, Failure> {
    let diff = match &request.after {
        Some(other) => {
            let (before, after) = (side(&request.before, ui)?, side(other, ui)?);
            compare(before, after, None, None, request)?
        }
        None => within(request, ui)?,
    };
    if request.json {
        ui.json(&answer::document(&diff))?;
    } else {
        ui.answer(&answer::page(&diff))?;
    }
    Ok(if diff.compared.extends() { Exit::Done } else { Exit::No })
}

/// Two requests of one file: of several that it holds the last two, of a session two points.
fn within(request: &Request, ui: &Ui) -> Result<Diff, Failure> {
    let view = match looked(&request.before, ui)? {
        Looked::Document(source) => match requests::spans(&source.bytes) {
            Some(spans) => return last_two(source, &spans, request),
            None if requests::line_that_is_none(&source.bytes).is_some() => {
                return Err(torn(&source));
            }
            None => View::of(&source, &request.before)?,
        },
        Looked::Session(session, name) => View::of_session(session, name, &request.before)?,
    };
    let Points { before, after, tokens, reason } = points::of(&view, &request.at)?;
    compare(before, after, tokens, reason, request)
}

fn last_two(
    source: Source,
    spans: &[std::ops::Range<usize>],
    request: &Request,
) -> Result<Diff, Failure> {
    if !request.at.is_empty() {
        let what = format!("no entries in `{}`", source.name);
        let cause = "it holds requests, of which the last two are compared";
        return Err(Failure::told(Exit::Usage, what, cause, "leave `--at` out"));
    }
    let [.., before, after] = spans else { return Err(no_body(&source.name)) };
    let other = Source { name: source.name.clone(), bytes: source.bytes.clone() };
    let (first, last) = (spans.len() - 1, spans.len());
    let mut before = Side::of_file(other, before.clone());
    let mut after = Side::of_file(source, after.clone());
    before.name = format!("{}, request {first}", before.name);
    after.name = format!("{}, request {last}", after.name);
    compare(before, after, None, None, request)
}

/// A request that is a file, or that replay makes of one.
fn side(request: &ViewRequest, ui: &Ui) -> Result<Side, Failure> {
    let view = match looked(request, ui)? {
        Looked::Document(source) if requests::spans(&source.bytes).is_some() => {
            let what = format!("`{}` holds several requests", source.name);
            let hint = "give it alone, and its last two are compared";
            return Err(Failure::told(Exit::Usage, what, "one is compared with another", hint));
        }
        Looked::Document(source) if is_request(&source.bytes) => {
            let from = if source.bytes.starts_with(BOM) { BOM.len() } else { 0 };
            let body = from..source.bytes.len();
            return Ok(Side::of_file(source, body));
        }
        Looked::Document(source) => View::of(&source, request)?,
        Looked::Session(session, name) => View::of_session(session, name, request)?,
    };
    let prepared = view.prepared.as_ref().map_err(|refusal| replay::refused(&view, refusal))?;
    let name = format!("{} (as replayed)", view.name);
    Ok(Side::made(name, prepared, &view.to, &view.model))
}

fn looked(request: &ViewRequest, ui: &Ui) -> Result<Looked, Failure> {
    if three_logs::is_one(&request.source) {
        let (session, name) = source::view(&request.source, ui)?;
        return Ok(Looked::Session(session, name));
    }
    source::look(&request.source, ui)
}

/// Whether a body is surely of Anthropic Messages: one of plain words may be of Chat Completions.
fn is_anthropics(body: &[u8]) -> bool {
    const BLOCKS: [&str; 5] =
        ["tool_use", "tool_result", "thinking", "redacted_thinking", "document"];
    let Ok(doc) = Doc::parse(body) else { return false };
    let root = doc.root();
    let items = |name: &str| root.get(name).into_iter().flat_map(|list| list.items());
    let schemas = items("tools").any(|tool| tool.get("input_schema").is_some());
    let blocks = || items("messages").filter_map(|message| message.get("content"));
    let typed = |block: json::Value<'_, '_>| {
        block.get_str("type").is_some_and(|kind| BLOCKS.contains(&&*kind))
    };
    let typed = blocks().any(|content| content.items().any(typed));
    let system = root.get("system").is_some() && root.get("messages").is_some();
    system || schemas || typed || root.get("anthropic_version").is_some()
}

/// Whether a document is a request body: by the format it has, else by its shape.
fn is_request(bytes: &[u8]) -> bool {
    match formats::detect_whole(bytes) {
        Ok(format) => Form::ALL.iter().any(|form| form.format() == format),
        Err(_) => Doc::parse(bytes.strip_prefix(BOM).unwrap_or(bytes))
            .is_ok_and(|doc| is_body(doc.root())),
    }
}

fn compare(
    before: Side,
    after: Side,
    tokens: Option<u64>,
    reason: Option<Reason>,
    request: &Request,
) -> Result<Diff, Failure> {
    one_api(&before, &after, request)?;
    let to = request.to.clone().or_else(|| after.to.clone()).or_else(|| before.to.clone());
    let to = to.unwrap_or(To::Anthropic);
    let model = request.model.clone().or_else(|| after.model.clone()).unwrap_or_default();
    let api = Api { dialect: to.dialect(), model: &model, tokens };
    let compared = requests::compared(before.body(), after.body(), &api);
    let compared = compared.map_err(|error| {
        let what = format!("cannot compare `{}` with `{}`", before.name, after.name);
        Failure::told(Exit::Data, what, error.to_string(), "give two bodies in JSON")
    })?;
    Ok(Diff { before, after, to, model, compared, reason })
}

/// Refuses bodies of two APIs, and a body of one where another was asked for.
fn one_api(before: &Side, after: &Side, request: &Request) -> Result<(), Failure> {
    let dialects = [&before.to, &after.to, &request.to].map(|to| to.as_ref().map(To::dialect));
    let [one, other, asked] = dialects;
    let what = || format!("cannot compare `{}` with `{}`", before.name, after.name);
    if let Some((one, other)) = one.zip(other).filter(|(one, other)| one != other) {
        let cause = format!("one is a body of {one}, the other of {other}");
        let hint = "compare requests of one API; `--to` makes a session's for it";
        return Err(Failure::told(Exit::Usage, what(), cause, hint));
    }
    if let Some((found, asked)) = one.or(other).zip(asked).filter(|(found, asked)| found != asked) {
        let cause = format!("`--to` says {asked}, a body is of {found}");
        return Err(Failure::told(Exit::Usage, what(), cause, "leave `--to` out"));
    }
    Ok(())
}

/// The failure of a file of bodies with a line that is none.
fn torn(source: &Source) -> Failure {
    let line = requests::line_that_is_none(&source.bytes).unwrap_or_default();
    let what = format!("cannot compare the requests of `{}`", source.name);
    let cause = format!("its first line is a request body, line {line} is none");
    Failure::told(Exit::Data, what, cause, format!("mend line {line}, or take it out"))
}

fn no_body(name: &str) -> Failure {
    let hint = "give two bodies, a file of several, or a session";
    Failure::told(Exit::Data, format!("no two requests in `{name}`"), "it holds none", hint)
}
