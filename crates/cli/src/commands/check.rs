//! `steno check`: what providers would say about request bodies, without sending them.

use std::ops::Range;
use std::path::PathBuf;

use clap::ValueEnum;
use stenograph::formats::{self, Format};
use stenograph::json::{Array, Object, Raw};
use stenograph::wire::anthropic_messages::lint::{self, LintOptions};
use stenograph::wire::{Finding, Severity};

use crate::bodies::{self, Bodies, Span};
use crate::commands::explain;
use crate::config::Config;
use crate::config::setting::Key;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inert::bounded;
use crate::page::{Page, Style, count};
use crate::place::named;
use crate::places::{Places, excerpt};
use crate::recorded::Form;
use crate::sarif::Sarif;
use crate::source::Source;
use crate::to::To;
use crate::ui::Ui;

/// Findings shown to a person; JSON lists all.
const FINDINGS_SHOWN: usize = 100;

/// Characters of a provider's answer that are shown: it may repeat ids and names of any length.
const MESSAGE_CHARS: usize = 600;

/// Find what a provider would refuse in request bodies, before they are sent
///
/// Judges a body of any API that requests are made for (Anthropic Messages, Chat Completions,
/// Ollama's native API, Responses, Gemini, Bedrock Converse) by the rules its provider applies, in
/// the order in which it applies them. Each finding gives the rule, the place, the provider's own
/// words and what to send instead. Warnings alone are no failure but with `--strict`.
///
/// A file holds one body, or one body a line. Of a folder every `.json` and `.jsonl` below it is
/// looked into, and what holds no body is passed over.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    /// Request bodies to judge, or folders of them; `-` for standard input
    #[arg(required_unless_present = "explain", value_name = "FILE")]
    files: Vec<PathBuf>,

    /// API or vendor the bodies are for, one of `steno targets` [default: as the shape of each and
    /// its model say]
    #[arg(long, value_name = "TARGET")]
    to: Option<String>,

    /// Model, where a body does not name it
    #[arg(long, value_name = "MODEL", value_parser = named)]
    model: Option<String>,

    /// Value of the anthropic-beta header; may be repeated
    #[arg(long, value_name = "BETA", value_delimiter = ',', value_parser = named)]
    beta: Vec<String>,

    /// Who serves the model [default: claude-api]
    #[arg(long, value_name = "PLATFORM", value_enum)]
    platform: Option<Platform>,

    /// Answer as JSON: the same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// How to answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text")]
    format: Answer,

    /// Take warnings for failures too
    #[arg(long)]
    strict: bool,

    /// Explain a rule instead of judging bodies
    #[arg(long, value_name = "RULE", conflicts_with_all = ["files", "strict"],
        value_parser = named)]
    explain: Option<String>,
}

/// How it is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Answer {
    /// For a person
    Text,
    /// One JSON document
    Json,
    /// A SARIF 2.1.0 log, for code hosts and editors
    Sarif,
}

/// Who serves a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Platform {
    /// The Claude API itself
    ClaudeApi,
    /// Amazon Bedrock
    Bedrock,
    /// Google Cloud
    GoogleCloud,
}

/// What is asked for.
#[derive(Debug)]
pub struct Request {
    subject: Subject,
    answer: Answer,
}

#[derive(Debug)]
enum Subject {
    Rule(String),
    Bodies(Box<Asked>),
}

/// Bodies to judge.
#[derive(Debug)]
struct Asked {
    files: Vec<PathBuf>,
    /// Who they are for, where that was said.
    to: Option<To>,
    model: Option<String>,
    betas: Vec<String>,
    platform: lint::Platform,
    strict: bool,
}

impl Args {
    /// With what is configured where a flag is not given.
    pub fn checked(self, config: &Config) -> Result<Request, Failure> {
        let platform = self.platform.or_else(|| config.word(Key::Platform));
        let platform = match platform.unwrap_or(Platform::ClaudeApi) {
            Platform::ClaudeApi => lint::Platform::ClaudeApi,
            Platform::Bedrock => lint::Platform::Bedrock,
            Platform::GoogleCloud => lint::Platform::GoogleCloud,
        };
        let subject = match self.explain {
            Some(rule) => Subject::Rule(rule),
            None => Subject::Bodies(Box::new(Asked {
                files: self.files,
                to: self.to.map(|to| To::named(&to, config)).transpose()?,
                model: self.model,
                betas: self.beta,
                platform,
                strict: self.strict,
            })),
        };
        let answer = if self.json { Answer::Json } else { self.format };
        Ok(Request { subject, answer })
    }
}

/// Judges bodies, or explains a rule.
pub fn run(request: &Request, ui: &mut Ui) -> Result<Exit, Failure> {
    match &request.subject {
        Subject::Rule(id) => explain::run(id, request.answer != Answer::Text, ui),
        Subject::Bodies(asked) => judge(asked, request.answer, ui),
    }
}

fn judge(asked: &Asked, answer: Answer, ui: &mut Ui) -> Result<Exit, Failure> {
    let (mut tally, mut documents, mut sarif) = (Tally::default(), Vec::new(), Sarif::default());
    let mut is_one = asked.files.len() == 1 && asked.files.iter().all(|file| !file.is_dir());
    for named in bodies::named(&asked.files)? {
        let Some(Bodies { source, spans, lines }) = named.read()? else {
            tally.passed_over += 1;
            continue;
        };
        is_one &= !lines;
        for span in spans {
            let judged = Judged::new(&source, &span, lines, asked);
            tally.add(&judged.findings);
            match answer {
                Answer::Text => ui.answer(&page(&judged))?,
                Answer::Json => documents.push(body_of(&judged)),
                Answer::Sarif => sarif.add(&source, &judged.places, &judged.findings),
            }
        }
    }
    if tally.bodies == 0 {
        return Err(nothing(asked));
    }
    match answer {
        Answer::Text if is_one => {}
        Answer::Text => ui.answer(&tally.page())?,
        Answer::Json => ui.json(&document(&documents, &tally, is_one))?,
        Answer::Sarif => ui.json(&sarif.finish())?,
    }
    let refused = tally.errors > 0 || asked.strict && tally.warnings > 0;
    Ok(if refused { Exit::No } else { Exit::Done })
}

/// What was found in all bodies.
#[derive(Debug, Default)]
struct Tally {
    bodies: usize,
    /// Files of folders that hold no body.
    passed_over: usize,
    errors: usize,
    warnings: usize,
}

impl Tally {
    fn add(&mut self, findings: &[Finding]) {
        let (errors, warnings) = tally(findings);
        self.bodies += 1;
        self.errors += errors;
        self.warnings += warnings;
    }

    fn page(&self) -> Page {
        let bodies =
            if self.bodies == 1 { "1 body".to_owned() } else { format!("{} bodies", self.bodies) };
        let mut page = Page::new();
        page.say(Style::Bold, bodies).plain(": ");
        say_tally(&mut page, self.errors, self.warnings);
        if self.passed_over > 0 {
            page.plain(format!(
                " ({} without a body passed over)",
                count(self.passed_over, "file")
            ));
        }
        page.end();
        page
    }
}

/// The failure of a run in which no body was met.
fn nothing(asked: &Asked) -> Failure {
    let names: Vec<String> =
        asked.files.iter().map(|file| format!("`{}`", file.display())).collect();
    let what = format!("no request body in {}", names.join(", "));
    let cause = "no `.json` or `.jsonl` file below holds one";
    let hint = "give the file of a body by its name; `steno doctor` judges sessions";
    Failure::told(Exit::Data, what, cause, hint)
}

/// What is said about a body.
struct Judged<'s> {
    source: &'s Source,
    /// The line in which it stands, where that is its own.
    line: Option<usize>,
    findings: Vec<Finding>,
    places: Places,
}

impl Judged<'_> {
    fn new<'s>(source: &'s Source, span: &Span, lines: bool, asked: &Asked) -> Judged<'s> {
        let findings = findings(source, &span.bytes, asked);
        let offsets = findings.iter().map(|finding| finding.offset);
        let places = Places::behind(&source.bytes, span.line_start, span.line, offsets);
        Judged { source, line: lines.then_some(span.line), findings, places }
    }
}

/// What is said about the body that stands here, with the offsets of the file.
fn findings(source: &Source, span: &Range<usize>, asked: &Asked) -> Vec<Finding> {
    let body = source.bytes.get(span.clone()).unwrap_or_default();
    let model = asked.model.as_deref();
    let to = asked.to.clone().or_else(|| To::of_body(body, model)).unwrap_or(To::Anthropic);
    let mut findings = match to {
        To::Anthropic => {
            let betas: Vec<&str> = asked.betas.iter().map(String::as_str).collect();
            let options = LintOptions { betas: &betas, platform: asked.platform, model };
            lint::lint(body, &options)
        }
        other @ (To::Chat(_) | To::Responses(_) | To::Gemini(_) | To::Bedrock) => {
            other.lint(body, model, &[])
        }
    };
    findings.iter_mut().for_each(|finding| finding.offset += span.start);
    findings
}

/// How many of them cost the request, and how many may pass.
fn tally(findings: &[Finding]) -> (usize, usize) {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    (errors, findings.len() - errors)
}

/// What is said about a body, for a person.
fn page(judged: &Judged<'_>) -> Page {
    let Judged { source, line, findings, places } = judged;
    let mut page = Page::new();
    for finding in findings.iter().take(FINDINGS_SHOWN) {
        say_finding(&mut page, source, places, finding);
    }
    if let Some(more) = findings.len().checked_sub(FINDINGS_SHOWN).filter(|more| *more > 0) {
        page.line(format!("and {more} more (`--json` lists all)"));
    }
    let (errors, warnings) = tally(findings);
    page.say(Style::Bold, &source.name);
    if let Some(line) = line {
        page.say(Style::Bold, format!(":{line}"));
    }
    page.plain(": ");
    say_tally(&mut page, errors, warnings);
    page.end();
    if errors > 0
        && let Some(format) = session_format(source)
    {
        page.say(Style::Cyan, "hint:").plain(format!(
            " this is a session ({}), no request body: `steno doctor` says what is wrong with it",
            format.name(),
        ));
        page.end();
    }
    page
}

fn say_tally(page: &mut Page, errors: usize, warnings: usize) {
    match (errors, warnings) {
        (0, 0) => page.say(Style::Green, "no findings"),
        (0, _) => page.say(Style::Yellow, count(warnings, "warning")),
        (_, 0) => page.say(Style::Red, count(errors, "error")),
        _ => page
            .say(Style::Red, count(errors, "error"))
            .plain(", ")
            .say(Style::Yellow, count(warnings, "warning")),
    };
}

/// Says one finding the way a compiler does.
pub fn say_finding(page: &mut Page, source: &Source, places: &Places, finding: &Finding) {
    let word = finding.severity.as_str();
    let style = match finding.severity {
        Severity::Error => Style::Red,
        Severity::Warning => Style::Yellow,
    };
    let place = places.at(finding.offset);
    let piece = excerpt(&source.bytes, finding.offset);
    let number = place.line.to_string();
    let gutter = " ".repeat(number.len());
    page.say(style, format!("{word}[{}]", finding.rule));
    page.say(Style::Bold, format!(": {}", bounded(&finding.message, MESSAGE_CHARS))).end();
    page.plain(&gutter).say(Style::Cyan, "--> ");
    page.line(format!("{}:{}:{}", source.name, place.line, place.column));
    page.say(Style::Cyan, format!("{gutter} |")).end();
    page.say(Style::Cyan, format!("{number} | ")).line(&piece.text);
    page.say(Style::Cyan, format!("{gutter} | ")).plain(" ".repeat(piece.caret));
    page.say(style, "^").line(format!(" {}", finding.path).trim_end());
    page.say(Style::Cyan, format!("{gutter} = ")).say(Style::Bold, "rule: ");
    page.line(finding.title);
    page.say(Style::Cyan, format!("{gutter} = ")).say(Style::Bold, "fix: ").line(finding.fix);
    page.end();
}

/// What the source is, where it is a session and no body.
fn session_format(source: &Source) -> Option<Format> {
    let format = formats::detect_whole(&source.bytes).ok()?;
    let body = Form::ALL.iter().any(|form| form.format() == format);
    (!body).then_some(format)
}

/// What is said about one body.
fn body_of(judged: &Judged<'_>) -> Raw {
    let Judged { source, line, findings, places } = judged;
    let (errors, warnings) = tally(findings);
    let mut out = Object::new();
    out.string("file", &source.name);
    if let Some(line) = line {
        out.number("line", *line as u64);
    }
    out.number("errors", errors as u64)
        .number("warnings", warnings as u64)
        .raw("findings", &findings_at(places, findings));
    out.finish()
}

/// The answer as a document: `steno.check/1` of one body, `steno.check.bodies/1` of several.
fn document(bodies: &[Raw], tally: &Tally, is_one: bool) -> Raw {
    let mut out = Object::new();
    match bodies {
        [one] if is_one => {
            out.string("schema", "steno.check/1");
            for (name, value) in one.doc().root().members() {
                out.raw(&name.as_str().unwrap_or_default(), &Raw::of(value));
            }
        }
        bodies => {
            out.string("schema", "steno.check.bodies/1")
                .number("errors", tally.errors as u64)
                .number("warnings", tally.warnings as u64)
                .number("passed_over", tally.passed_over as u64)
                .raw("bodies", &Array::of(bodies));
        }
    }
    out.finish()
}

/// Findings, one by one, in the order in which the provider looks.
pub fn findings_of(source: &Source, findings: &[Finding]) -> Raw {
    findings_at(&Places::of(&source.bytes, findings.iter().map(|finding| finding.offset)), findings)
}

fn findings_at(places: &Places, findings: &[Finding]) -> Raw {
    let mut out = Array::new();
    for finding in findings {
        let place = places.at(finding.offset);
        let mut one = Object::new();
        one.string("rule", finding.rule)
            .string("severity", finding.severity.as_str())
            .string("path", &finding.path)
            .number("offset", finding.offset as u64)
            .number("line", place.line as u64)
            .number("column", place.column as u64)
            .string("message", &finding.message)
            .string("fix", finding.fix);
        out.raw(&one.finish());
    }
    out.finish()
}
