//! `steno doctor`: what is wrong with a session, in the provider's words, and what replay sends.

mod several;
mod targets;

use std::path::{Path, PathBuf};

use stenograph::json::{Array, Object, Raw};
use stenograph::record::{Block, Finding as Damage};
use stenograph::replay::{Change, ChangeKind};
use stenograph::wire::rule::Rule;
use stenograph::wire::{Finding, Severity};

use crate::commands::{check, replay};
use crate::config::Config;
use crate::destination;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::page::{Page, Style, count, thousands};
use crate::places::Places;
use crate::recorded;
use crate::report;
use crate::requests;
use crate::source::{self, Looked, Source};
use crate::state::State;
use crate::three_logs;
use crate::to::{To, rule};
use crate::ui::Ui;
use crate::view::{View, ViewArgs, ViewRequest};
use crate::words;

/// Problems of one kind that are named one by one.
const PLACES_SHOWN: usize = 5;

/// Findings of a recorded body that are shown.
const FINDINGS_SHOWN: usize = 20;

/// Say why a session is stuck, and what replay sends instead
///
/// Names what the provider would refuse if the session were sent as it is recorded, in the
/// provider's own words; what is damaged in the file; and whose turn it is. Then it makes the
/// request replay would send and has it judged by the same rules.
///
/// With --all it names what every provider would say to the session as it is recorded, and what
/// replay makes of it for each. -o writes the request for --to.
///
/// For a file that holds several requests ({"requests":[..]}, an array of bodies, or one body a
/// line) it names the first byte at which each stops extending the one before: where the prompt
/// cache was lost.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    view: ViewArgs,

    /// What every target would answer to the session as it is, `steno targets` lists them
    #[arg(long)]
    all: bool,

    /// Write the request replay makes to a file, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// What is asked for.
#[derive(Debug)]
pub struct Request {
    view: ViewRequest,
    /// Every target, where all are asked.
    all: Option<Vec<To>>,
    output: Option<PathBuf>,
    json: bool,
}

impl Args {
    /// With what is configured where a flag is not given.
    pub fn checked(self, config: &Config) -> Result<Request, Failure> {
        let all = self.all.then(|| To::all(config));
        let output = self.output.filter(|path| path != Path::new("-"));
        Ok(Request { view: self.view.checked(config)?, all, output, json: self.json })
    }
}

/// Looks at a session, or at several requests.
pub fn run(request: &Request, ui: &mut Ui) -> Result<Exit, Failure> {
    if let Some(output) = &request.output {
        destination::refuse_source(output, &request.view.source)?;
    }
    if three_logs::is_one(&request.view.source) {
        // Several files are no body: there is nothing but the view to judge.
        let view = View::streamed(&request.view, ui)?;
        let source = Source { name: view.name.clone(), bytes: Vec::new() };
        return look(&source, &view, request, ui);
    }
    let source = match source::look(&request.view.source, ui)? {
        Looked::Document(source) => source,
        Looked::Session(session, name) => {
            let source = Source { name: name.clone(), bytes: Vec::new() };
            let view = View::of_session(session, name, &request.view)?;
            return look(&source, &view, request, ui);
        }
    };
    if let Some((requests, differences)) = requests::differences(&source.bytes) {
        if request.json {
            ui.json(&several::document(&source, requests, &differences))?;
        } else {
            ui.answer(&several::page(&source, requests, &differences))?;
        }
        return Ok(if differences.is_empty() { Exit::Done } else { Exit::No });
    }
    let view = View::of(&source, &request.view)?;
    look(&source, &view, request, ui)
}

/// Says what is wrong, and writes the request where one is asked for.
fn look(source: &Source, view: &View, request: &Request, ui: &mut Ui) -> Result<Exit, Failure> {
    let exit = match &request.all {
        None => diagnose(source, view, request.json, ui)?,
        Some(apis) => ask_all(view, apis.clone(), request.json, ui)?,
    };
    if let Some(output) = &request.output {
        let prepared = view.prepared.as_ref().map_err(|refusal| replay::refused(view, refusal))?;
        destination::write(output, prepared.request.body().slices())?;
    }
    Ok(exit)
}

fn ask_all(view: &View, apis: Vec<To>, json: bool, ui: &mut Ui) -> Result<Exit, Failure> {
    let answers = targets::ask(view, apis);
    if json {
        ui.json(&targets::document(view, &answers))?;
    } else {
        ui.answer(&targets::page(view, &answers))?;
    }
    Ok(if targets::is_taken_by_all(&answers) { Exit::Done } else { Exit::No })
}

fn diagnose(source: &Source, view: &View, json: bool, ui: &mut Ui) -> Result<Exit, Failure> {
    let diagnosis = Diagnosis::of(source, view);
    if json {
        ui.json(&diagnosis.document())?;
    } else {
        ui.answer(&diagnosis.page())?;
    }
    Ok(if diagnosis.is_healthy() { Exit::Done } else { Exit::No })
}

/// What was found about a session.
struct Diagnosis<'a> {
    source: &'a Source,
    view: &'a View,
    state: State,
    damage: Vec<&'a Damage>,
    /// What the provider would say about the recorded body, where the source is one.
    refused: Vec<Finding>,
    /// What a vendor of Chat Completions would say about the session put into its form.
    judged: Result<Vec<Finding>, String>,
    /// Changes without which the Anthropic API would refuse, each with its rule.
    problems: Vec<(&'static Rule, &'a Change)>,
    /// The other changes.
    others: Vec<&'a Change>,
    /// What the rules say about the request replay sends.
    sent: Vec<Finding>,
}

impl<'a> Diagnosis<'a> {
    fn of(source: &'a Source, view: &'a View) -> Diagnosis<'a> {
        let mut diagnosis = Diagnosis {
            source,
            view,
            state: State::of(&view.path),
            damage: Vec::new(),
            refused: Vec::new(),
            judged: Ok(Vec::new()),
            problems: Vec::new(),
            others: Vec::new(),
            sent: Vec::new(),
        };
        let findings = view.session.imported.findings.iter();
        diagnosis.damage = findings.filter(|finding| words::is_damage(finding.kind)).collect();
        if is_body(source, view) {
            diagnosis.refused = view.to.lint(&source.bytes, Some(&view.model), &[]);
            diagnosis.refused.retain(|finding| finding.severity == Severity::Error);
        } else if !matches!(view.to, To::Anthropic) {
            diagnosis.judged = judged(view);
        }
        if let Ok(prepared) = &view.prepared {
            for change in prepared.request.report().changes() {
                // What was said of the recorded body is not said again.
                let is_said = |rule: &Rule| diagnosis.refused.iter().any(|f| f.rule == rule.id);
                match problem(view, change) {
                    Some(rule) if !is_said(rule) => diagnosis.problems.push((rule, change)),
                    Some(_) | None => diagnosis.others.push(change),
                }
            }
            let (body, betas) = (prepared.request.body().to_vec(), prepared.request.betas());
            diagnosis.sent = view.to.lint_made(&body, Some(&view.model), betas);
        }
        diagnosis
    }

    fn is_healthy(&self) -> bool {
        self.damage.is_empty()
            && self.refused.is_empty()
            && self.judged.as_ref().is_ok_and(Vec::is_empty)
            && self.problems.is_empty()
            && self.sent.is_empty()
            && self.view.prepared.is_ok()
    }

    fn page(&self) -> Page {
        let mut page = Page::new();
        report::say_source(&mut page, self.view);
        page.say(Style::Bold, "state:").line(format!(" {}", self.state)).end();
        self.say_recorded(&mut page);
        self.say_judged(&mut page);
        let by_rule = |(rule, change): &(&Rule, &Change)| (rule.id, change.kind);
        for (_, group) in report::grouped(&self.problems, by_rule) {
            let changes: Vec<&Change> = group.iter().map(|(_, change)| *change).collect();
            if let Some((rule, _)) = group.first() {
                self.say_problem(&mut page, rule, &changes);
            }
        }
        let findings = &self.view.session.imported.findings;
        if !findings.is_empty() {
            report::say_findings(&mut page, findings);
            page.end();
        }
        if !self.others.is_empty() {
            page.plain("besides, ");
            report::say_changes(&mut page, self.view, &self.others);
            page.end();
        }
        self.say_verdict(&mut page);
        page
    }

    /// What the provider would answer to the body as it was recorded.
    fn say_recorded(&self, page: &mut Page) {
        let shown = self.refused.iter().take(FINDINGS_SHOWN);
        let places = Places::of(&self.source.bytes, shown.clone().map(|finding| finding.offset));
        for finding in shown {
            check::say_finding(page, self.source, &places, finding);
        }
        if let Some(more) = self.refused.len().checked_sub(FINDINGS_SHOWN).filter(|more| *more > 0)
        {
            page.line(format!("and {more} more (`steno check` lists all)")).end();
        }
    }

    /// What a vendor of Chat Completions would answer, each rule with the first answer.
    fn say_judged(&self, page: &mut Page) {
        let findings = match &self.judged {
            Ok(findings) => findings,
            Err(cause) => {
                page.say(Style::Red, "error");
                page.say(
                    Style::Bold,
                    format!(": it cannot be put into this form as it is: {cause}"),
                );
                page.end().end();
                return;
            }
        };
        for (id, group) in report::grouped(findings, |finding| finding.rule) {
            let (Some(rule), Some(first)) = (rule(id), group.first()) else { continue };
            say_broken(page, rule, group.len());
            say_row(page, "provider", &format!("{} {}", rule.status, first.message));
            say_row(page, "why", rule.why);
            say_row(page, "fix", first.fix);
            page.end();
        }
    }

    /// One kind of problem: where, what the provider would say, why it comes about, what is sent.
    fn say_problem(&self, page: &mut Page, rule: &Rule, group: &[&Change]) {
        say_broken(page, rule, group.len());
        let mut places: Vec<String> =
            group.iter().map(|change| words::place_of_change(self.view, change)).collect();
        places.dedup();
        for place in places.iter().take(PLACES_SHOWN) {
            page.say(Style::Cyan, "  --> ").line(place);
        }
        if let Some(more) = places.len().checked_sub(PLACES_SHOWN).filter(|more| *more > 0) {
            page.line(format!("      and {more} more"));
        }
        let ids: Vec<&str> = group
            .iter()
            .take(PLACES_SHOWN)
            .filter_map(|change| words::call_id_of(self.view, change))
            .collect();
        if !rule.says.is_empty() {
            say_row(page, "provider", &format!("{} {}", rule.status, answer(rule, &ids)));
        }
        say_row(page, "why", rule.why);
        if let Some(change) = group.first() {
            say_row(page, "replay", words::of_change(change.kind));
        }
        page.end();
    }

    fn say_verdict(&self, page: &mut Page) {
        let prepared = match &self.view.prepared {
            Ok(prepared) => prepared,
            Err(refusal) => {
                page.say(Style::Red, "verdict:");
                page.line(format!(" replay refuses, {}: {refusal}", refusal.as_str()));
                page.say(Style::Cyan, "hint:").line(format!(" {}", refusal.hint()));
                return;
            }
        };
        let report = prepared.request.report();
        let changes = report.changes().count();
        let style = if self.is_healthy() { Style::Green } else { Style::Yellow };
        page.say(style, "verdict:").plain(format!(
            " replay sends {}, {} bytes, with {}; ",
            count(report.messages as usize, "message"),
            thousands(prepared.request.body().len()),
            count(changes, "change"),
        ));
        match self.sent.first() {
            None => page.line("no rule of the provider is broken in it"),
            Some(first) => page
                .say(Style::Red, format!("{} in it", count(self.sent.len(), "finding")))
                .line(format!(", the first {}: {}: please report it", first.rule, first.message)),
        };
    }

    /// The answer as a document, `steno.doctor/1`.
    fn document(&self) -> Raw {
        let mut problems = Array::new();
        for (rule, change) in &self.problems {
            let ids = words::call_id_of(self.view, change);
            let mut one = Object::new();
            one.string("rule", rule.id)
                .string("change", change.kind.as_str())
                .string("place", &words::place_of_change(self.view, change))
                .optional_string("entry", change.row.as_ref().map(|row| row.as_str()))
                .string("says", &answer(rule, ids.as_slice()))
                .string("why", rule.why)
                .string("replay", words::of_change(change.kind));
            problems.raw(&one.finish());
        }
        let mut out = Object::new();
        out.string("schema", "steno.doctor/1")
            .raw("source", &report::source_of(self.view))
            .string("model", &self.view.model)
            .string("state", self.state.as_str())
            .string("state_text", &self.state.to_string())
            .bool("healthy", self.is_healthy())
            .raw("findings", &report::findings_of(&self.view.session.imported.findings))
            .raw("refused", &check::findings_of(self.source, &self.refused))
            .raw("judged", &targets::findings_of(self.judged.as_deref().unwrap_or_default()))
            .optional_string("unwritable", self.judged.as_ref().err().map(String::as_str))
            .raw("problems", &problems.finish())
            .raw("changes", &report::changes_of(self.view, &self.others));
        match &self.view.prepared {
            Ok(prepared) => {
                let mut request = Object::new();
                request
                    .number("messages", prepared.request.report().messages)
                    .number("bytes", prepared.request.body().len())
                    .number("findings", self.sent.len() as u64);
                out.raw("request", &request.finish());
            }
            Err(refusal) => {
                let mut refused = Object::new();
                refused
                    .string("name", refusal.as_str())
                    .string("cause", &refusal.to_string())
                    .string("hint", refusal.hint());
                out.raw("refusal", &refused.finish());
            }
        }
        out.finish()
    }
}

fn say_broken(page: &mut Page, rule: &Rule, number: usize) {
    page.say(Style::Red, format!("error[{}]", rule.id));
    page.say(Style::Bold, format!(": broken {}: {}", times(number), rule.title)).end();
}

fn say_row(page: &mut Page, name: &str, text: &str) {
    page.say(Style::Cyan, "   = ").say(Style::Bold, name).line(format!(": {text}"));
}

/// What a target surely refuses in the session put into its form; in words, why it cannot be put
/// into it.
fn judged(view: &View) -> Result<Vec<Finding>, String> {
    let body = recorded::body(view, view.to.form())?;
    let mut findings = targets::said_of(view, &view.to, &body, Some(&view.model));
    findings.retain(|finding| finding.severity == Severity::Error);
    Ok(findings)
}

/// Whether the source is a request body that can be judged as it stands.
fn is_body(source: &Source, view: &View) -> bool {
    let own = view.to.form().format();
    view.session.imported.format == own && source.bytes.trim_ascii_start().first() != Some(&b'[')
}

/// The rule that a change obeys, where the Anthropic API would surely have refused without it. What
/// a vendor of Chat Completions takes is its row's to say: there the linter judges the session.
///
/// Not so where it is this reader's or target's choice (no vision, another model, a prefix nobody
/// recorded), where the provider would have been silent, or where a finished session only needs a
/// prompt before it can go on.
fn problem(view: &View, change: &Change) -> Option<&'static Rule> {
    if !matches!(view.to, To::Anthropic) {
        return None;
    }
    let id = match change.kind {
        ChangeKind::ContinueAdded
        | ChangeKind::ThinkingOut
        | ChangeKind::ImageUnseen
        | ChangeKind::ImageRendition
        | ChangeKind::CitationsOmitted
        | ChangeKind::OpaqueNoted
        | ChangeKind::SystemNoted
        | ChangeKind::SystemFloated
        | ChangeKind::ChangeFolded
        | ChangeKind::ToolText => return None,
        ChangeKind::ThinkingWithheld if is_signed(view, change) => return None,
        ChangeKind::BlankText if is_empty_text(view, change) => "A-020",
        kind => kind.rule(view.dialect())?,
    };
    rule(id).filter(|rule| rule.severity == Severity::Error)
}

/// What the provider would surely refuse without replay's changes, as findings without a place in
/// a body.
fn problems(view: &View) -> Vec<Finding> {
    let Ok(prepared) = &view.prepared else { return Vec::new() };
    let changes = prepared.request.report().changes();
    let broken = changes.filter_map(|change| Some((problem(view, change)?, change)));
    let finding = |(rule, change): (&Rule, &Change)| Finding {
        rule: rule.id,
        title: rule.title,
        severity: rule.severity,
        path: String::new(),
        offset: 0,
        message: answer(rule, words::call_id_of(view, change).as_slice()),
        fix: rule.fix,
    };
    let mut findings: Vec<Finding> = broken.map(finding).collect();
    findings.dedup_by_key(|finding| finding.rule);
    findings
}

/// Whether a thought has a proof: another model's is dropped without a word.
fn is_signed(view: &View, change: &Change) -> bool {
    let block = words::block_of(view, change);
    matches!(block, Some(Block::Reasoning(thought)) if thought.proof.is_some())
}

fn is_empty_text(view: &View, change: &Change) -> bool {
    matches!(words::block_of(view, change), Some(Block::Text(text)) if text.text.is_empty())
}

/// The provider's words, with the ids that are known. Which message it would name is not: the
/// session as recorded is no request.
fn answer(rule: &Rule, ids: &[&str]) -> String {
    let mut out = String::new();
    let mut rest = rule.says;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (name, tail) = after.split_once('}').unwrap_or((after, ""));
        match (name, ids) {
            ("ids", [_, ..]) => out.push_str(&ids.join(", ")),
            ("id", [first, ..]) => out.push_str(first),
            ("n", _) => out.push('N'),
            ("path", _) => out.push_str("messages.N.content.M"),
            _ => out.push_str("..."),
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

fn times(number: usize) -> String {
    if number == 1 { "once".to_owned() } else { format!("{number} times") }
}
