//! `steno check`: what the provider would say about a request body, without sending it.

use std::path::PathBuf;

use clap::ValueEnum;
use stenograph::formats::{self, Format};
use stenograph::json::{Array, Doc, Object, Raw};
use stenograph::wire::anthropic_messages::lint::{self, LintOptions};
use stenograph::wire::{Finding, Severity};

use crate::commands::explain;
use crate::config::Config;
use crate::config::setting::Key;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inert::bounded;
use crate::page::{Page, Style, count};
use crate::place::named;
use crate::places::{Places, excerpt};
use crate::source::{self, Source};
use crate::to::{OPENAI_CHAT, To, rule};
use crate::ui::Ui;

/// Findings shown to a person; JSON lists all.
const FINDINGS_SHOWN: usize = 100;

/// Characters of a provider's answer that are shown: it may repeat ids and names of any length.
const MESSAGE_CHARS: usize = 600;

/// Find what a provider would refuse in a request body, before it is sent
///
/// Judges a body of the Anthropic Messages API, of Chat Completions or of Responses, by the rules
/// its provider applies, in the order in which it applies them. Each finding gives the rule, the
/// place, the provider's own words and what to send instead. Warnings alone are no failure.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    /// Request body to judge; `-` for standard input
    #[arg(required_unless_present = "explain")]
    file: Option<PathBuf>,

    /// API or vendor the body is for, one of `steno targets` [default: as its shape and its model
    /// say]
    #[arg(long, value_name = "TARGET")]
    to: Option<String>,

    /// Model, where the body does not name it
    #[arg(long, value_name = "MODEL", value_parser = named)]
    model: Option<String>,

    /// Value of the anthropic-beta header; may be repeated
    #[arg(long, value_name = "BETA", value_delimiter = ',', value_parser = named)]
    beta: Vec<String>,

    /// Who serves the model [default: claude-api]
    #[arg(long, value_name = "PLATFORM", value_enum)]
    platform: Option<Platform>,

    /// Answer as JSON
    #[arg(long)]
    json: bool,

    /// Explain a rule instead of judging a body
    #[arg(long, value_name = "RULE", conflicts_with = "file", value_parser = named)]
    explain: Option<String>,
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
    json: bool,
}

#[derive(Debug)]
enum Subject {
    Rule(String),
    Body(Box<Body>),
}

/// A body to judge.
#[derive(Debug)]
struct Body {
    file: PathBuf,
    /// Who it is for, where that was said.
    to: Option<To>,
    model: Option<String>,
    betas: Vec<String>,
    platform: lint::Platform,
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
            None => Subject::Body(Box::new(Body {
                // The command line is not accepted without one.
                file: self.file.unwrap_or_else(|| PathBuf::from("-")),
                to: self.to.map(|to| To::named(&to, config)).transpose()?,
                model: self.model,
                betas: self.beta,
                platform,
            })),
        };
        Ok(Request { subject, json: self.json })
    }
}

/// Judges a body, or explains a rule.
pub fn run(request: &Request, ui: &mut Ui) -> Result<Exit, Failure> {
    let body = match &request.subject {
        Subject::Rule(id) => return explain::run(id, request.json, ui),
        Subject::Body(body) => body,
    };
    let source = source::body(&body.file)?;
    let findings = findings(&source, body);
    if request.json {
        ui.json(&document(&source, &findings))?;
    } else {
        ui.answer(&page(&source, &findings))?;
    }
    let refused = findings.iter().any(|finding| finding.severity == Severity::Error);
    Ok(if refused { Exit::No } else { Exit::Done })
}

fn findings(source: &Source, body: &Body) -> Vec<Finding> {
    let model = body.model.as_deref();
    let to = body.to.clone().or_else(|| shape_of(source, model)).unwrap_or(To::Anthropic);
    match to {
        To::Anthropic => {
            let betas: Vec<&str> = body.betas.iter().map(String::as_str).collect();
            let options = LintOptions { betas: &betas, platform: body.platform, model };
            lint::lint(&source.bytes, &options)
        }
        other @ (To::Chat(_) | To::Responses(_)) => other.lint(&source.bytes, model, &[]),
    }
}

/// Who a body is for where its shape is no Anthropic one: OpenAI, where it is one of Responses; of
/// Chat Completions the vendor that its model's name tells.
fn shape_of(source: &Source, model: Option<&str>) -> Option<To> {
    let format = formats::detect_in(&source.bytes).ok()?;
    if format == Format::OpenAiResponses {
        return Some(To::responses());
    }
    if format != Format::OpenAiChat {
        return None;
    }
    let doc = Doc::parse(&source.bytes).ok();
    let named = doc.as_ref().and_then(|doc| doc.root().get_str("model"));
    let vendor = formats::vendor_of_model(model.or(named.as_deref()).unwrap_or_default());
    Some(To::of_vendor(vendor.unwrap_or(OPENAI_CHAT)))
}

/// How many of them cost the request, and how many may pass.
fn tally(findings: &[Finding]) -> (usize, usize) {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    (errors, findings.len() - errors)
}

fn page(source: &Source, findings: &[Finding]) -> Page {
    let mut page = Page::new();
    let shown = || findings.iter().take(FINDINGS_SHOWN);
    let places = Places::of(&source.bytes, shown().map(|finding| finding.offset));
    for finding in shown() {
        say_finding(&mut page, source, &places, finding);
    }
    if let Some(more) = findings.len().checked_sub(FINDINGS_SHOWN).filter(|more| *more > 0) {
        page.line(format!("and {more} more (`--json` lists all)"));
    }
    let (errors, warnings) = tally(findings);
    page.say(Style::Bold, &source.name).plain(": ");
    match (errors, warnings) {
        (0, 0) => page.say(Style::Green, "no findings"),
        (0, _) => page.say(Style::Yellow, count(warnings, "warning")),
        (_, 0) => page.say(Style::Red, count(errors, "error")),
        _ => page
            .say(Style::Red, count(errors, "error"))
            .plain(", ")
            .say(Style::Yellow, count(warnings, "warning")),
    };
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
    page.line(rule(finding.rule).map_or("", |rule| rule.title));
    page.say(Style::Cyan, format!("{gutter} = ")).say(Style::Bold, "fix: ").line(finding.fix);
    page.end();
}

/// What the source is, where it is a session and no body.
fn session_format(source: &Source) -> Option<Format> {
    let format = formats::detect_in(&source.bytes).ok()?;
    let bodies = [Format::AnthropicMessages, Format::OpenAiChat, Format::OpenAiResponses];
    let body = bodies.contains(&format);
    (!body).then_some(format)
}

/// The answer as a document, `steno.check/1`.
fn document(source: &Source, findings: &[Finding]) -> Raw {
    let (errors, warnings) = tally(findings);
    let mut out = Object::new();
    out.string("schema", "steno.check/1")
        .string("file", &source.name)
        .number("errors", errors as u64)
        .number("warnings", warnings as u64)
        .raw("findings", &findings_of(source, findings));
    out.finish()
}

/// Findings, one by one, in the order in which the provider looks.
pub fn findings_of(source: &Source, findings: &[Finding]) -> Raw {
    let places = Places::of(&source.bytes, findings.iter().map(|finding| finding.offset));
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
