//! `steno assemble`: what a provider answered, as a row of a record.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::PossibleValuesParser;
use stenograph::assemble::{Dialect, Failed, Failure as AttemptFailure, Finding, Reply};
use stenograph::json::{Array, Object, Raw};
use stenograph::record::{self, Entry, EntryId, Fact, Message, Record, RefMove, Rest};

use crate::destination;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::page::{Page, Style, count};
use crate::responses::{Answerer, Response, Unreadable, responses};
use crate::source::{self, Source};
use crate::ui::Ui;

/// Read what a provider answered as a row of a record
///
/// Takes an event stream, chunks one a line, a response body, or a recording of requests and their
/// answers (HAR, or an object with `exchanges`), and writes the replies as our own JSONL: each
/// proof with its block, no call of a reply that was cut. What was odd is told on standard error.
/// An answer that failed is no row.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    /// Response to read; `-` for standard input
    file: PathBuf,

    /// API that answered [default: by what is in it]
    #[arg(
        long, value_name = "API",
        value_parser = PossibleValuesParser::new(Dialect::ALL.map(Dialect::name))
    )]
    dialect: Option<String>,

    /// Who served the model [default: by the model's name]
    #[arg(long, value_name = "VENDOR")]
    vendor: Option<String>,

    /// Model that was asked for [default: the one that is named]
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,

    /// Keep what was there of a reply that was cut, without its calls
    #[arg(long)]
    keep_cut: bool,

    /// Write to a file, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Answer as JSON, with the calls to run, what failed and what was odd
    #[arg(long)]
    json: bool,
}

/// What is asked for.
#[derive(Debug)]
pub struct Request {
    file: PathBuf,
    answerer: Answerer,
    keep_cut: bool,
    output: Option<PathBuf>,
    json: bool,
}

impl From<Args> for Request {
    fn from(args: Args) -> Request {
        let dialect = args.dialect.as_deref().and_then(Dialect::from_name);
        let output = args.output.filter(|path| path != Path::new("-"));
        let answerer = Answerer { dialect, vendor: args.vendor, model: args.model };
        Request { file: args.file, answerer, keep_cut: args.keep_cut, output, json: args.json }
    }
}

/// What came of one answer.
struct Answer {
    response: Response,
    /// The row, and its calls to run.
    row: Option<Arc<Entry>>,
    calls: Vec<(u32, String, String)>,
    failure: Option<AttemptFailure>,
    findings: Vec<Finding>,
}

/// Writes the rows, and says what is none.
pub fn run(request: &Request, ui: &mut Ui) -> Result<Exit, Failure> {
    if let Some(output) = &request.output {
        destination::refuse_source(output, &request.file)?;
    }
    let source = source::response(&request.file)?;
    let found = responses(&source.bytes, &request.answerer);
    let found = found.map_err(|why| not_a_response(&source, why))?;
    let mut answers = Vec::new();
    let mut parent = None;
    for response in found {
        let answer = Answer::of(response, request.keep_cut, parent.clone(), &source)?;
        parent = answer.row.as_ref().map(|row| row.id.clone()).or(parent);
        answers.push(answer);
    }
    let output = if request.json { document(&source, &answers) } else { record_of(&answers) };
    match &request.output {
        Some(path) => destination::write(path, [&output])?,
        None => ui.data([&output])?,
    }
    ui.report(&page(&source, &answers));
    let failed = answers.iter().any(|answer| answer.failure.is_some());
    Ok(if failed { Exit::No } else { Exit::Done })
}

fn not_a_response(source: &Source, why: Unreadable) -> Failure {
    let what = format!("cannot read `{}` as a response", source.name);
    let (cause, hint) = match why {
        Unreadable::Dialect => {
            ("nothing in it says which API answered", "name it with `--dialect`")
        }
        Unreadable::NoAnswer => (
            "the recording holds no answer of an API that is read",
            "name it with `--dialect`, or give one response body",
        ),
    };
    Failure::told(Exit::Data, what, cause, hint)
}

impl Answer {
    fn of(
        response: Response,
        keep_cut: bool,
        parent: Option<EntryId>,
        source: &Source,
    ) -> Result<Answer, Failure> {
        let assembled = response.assembled().map_err(|error| {
            let what = format!("cannot read `{}` to its end", source.name);
            let hint = "no model writes as much: check what the stream holds";
            Failure::told(Exit::Data, what, error.to_string(), hint)
        })?;
        let id = response.exchange.map_or("reply".into(), |exchange| format!("reply-{exchange}"));
        let row = |message: Message| Arc::new(entry(EntryId::new(id.as_str()), parent, message));
        Ok(match assembled {
            Ok(reply) => {
                let calls = calls(&reply);
                let Reply { message, findings } = reply;
                Answer { response, row: Some(row(message)), calls, failure: None, findings }
            }
            Err(Failed { failure, findings, cut, .. }) => {
                let kept = cut.filter(|_| keep_cut).map(|message| row(*message));
                let failure = Some(*failure);
                Answer { response, row: kept, calls: Vec::new(), failure, findings }
            }
        })
    }

    /// Where it stands, in words.
    fn place(&self, source: &Source) -> String {
        match self.response.exchange {
            Some(exchange) => format!("{} exchange {exchange}", source.name),
            None => source.name.clone(),
        }
    }
}

fn calls(reply: &Reply) -> Vec<(u32, String, String)> {
    let call =
        |(at, call): (u32, &record::ToolUse)| (at, call.id.to_string(), call.name.to_string());
    reply.calls().map(call).collect()
}

fn entry(id: EntryId, parent: Option<EntryId>, message: Message) -> Entry {
    let fact = Fact::Message(Box::new(message));
    Entry { id, parent, seq: 0, time: None, fact, origin: None, rest: Rest::NONE }
}

/// The rows as a record.
fn record_of(answers: &[Answer]) -> Vec<u8> {
    let mut record = Record::default();
    for (row, seq) in answers.iter().filter_map(|answer| answer.row.as_ref()).zip(1..) {
        record.entries.push(Arc::new(Entry { seq, ..(**row).clone() }));
    }
    let tip = record.entries.last().map(|row| row.id.clone());
    if tip.is_some() {
        let (branch, reason) = (record::BRANCH_DEFAULT.into(), "assembled".into());
        record.refs.push(RefMove { branch, tip, reason, time: None, rest: Rest::NONE });
    }
    record::jsonl::save(&record)
}

fn page(source: &Source, answers: &[Answer]) -> Page {
    let mut page = Page::new();
    for answer in answers {
        page.say(Style::Bold, answer.place(source)).plain(": ");
        page.plain(answer.response.dialect.name()).plain(", ");
        let blocks = answer.row.as_ref().and_then(|row| row.message()).map(|row| row.blocks.len());
        match (&answer.failure, blocks) {
            (Some(failure), kept) => {
                let word = if kept.is_some() { "cut" } else { "no reply" };
                page.say(Style::Red, word);
                page.plain(format!(" ({}: {})", failure.code, failure.message));
            }
            (None, blocks) => {
                let calls = count(answer.calls.len(), "call");
                page.plain(format!("{}, {calls} to run", count(blocks.unwrap_or(0), "block")));
            }
        }
        page.end();
        for finding in &answer.findings {
            page.plain("  ").say(Style::Yellow, finding.kind.as_str());
            let words = finding.words.join("; ");
            let times = usize::try_from(finding.count).unwrap_or(usize::MAX);
            page.plain(format!("  {}: {words}", count(times, "time"))).end();
        }
    }
    page
}

/// The answer as a document, `steno.assemble/1`, and a line feed.
fn document(source: &Source, answers: &[Answer]) -> Vec<u8> {
    let mut list = Array::new();
    for answer in answers {
        list.raw(&answer_of(answer));
    }
    let mut out = Object::new();
    out.string("schema", "steno.assemble/1").string("file", &source.name);
    out.raw("answers", &list.finish());
    let mut bytes = out.finish().as_str().as_bytes().to_vec();
    bytes.push(b'\n');
    bytes
}

fn answer_of(answer: &Answer) -> Raw {
    let mut out = Object::new();
    if let Some(exchange) = answer.response.exchange {
        out.number("exchange", exchange as u64);
    }
    out.string("dialect", answer.response.dialect.name());
    let row = answer.row.as_ref().and_then(|row| record::jsonl::write_entry(row).ok());
    out.optional_raw("row", row.as_ref());
    let mut calls = Array::new();
    for (block, id, name) in &answer.calls {
        let mut call = Object::new();
        call.number("block", *block).string("id", id).string("name", name);
        calls.raw(&call.finish());
    }
    out.raw("calls", &calls.finish());
    out.optional_raw("failure", answer.failure.as_ref().map(AttemptFailure::to_raw).as_ref());
    let mut findings = Array::new();
    for finding in &answer.findings {
        let mut one = Object::new();
        one.string("kind", finding.kind.as_str()).number("count", finding.count);
        one.raw("words", &Array::of_strings(finding.words.iter().map(String::as_str)));
        findings.raw(&one.finish());
    }
    out.raw("findings", &findings.finish());
    out.finish()
}
