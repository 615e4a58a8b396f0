//! `steno doctor --all`: what every target would say to a session as it is recorded, and what
//! replay makes of it for that target.

use stenograph::json::{Array, Object, Raw};
use stenograph::replay::{Prepared, Refusal};
use stenograph::wire::{Finding, Severity};

use crate::inert::bounded;
use crate::page::{Page, Style, count, thousands};
use crate::recorded::{self, Form};
use crate::report;
use crate::state::State;
use crate::to::{To, rule};
use crate::view::{ModelFrom, View};

/// Characters of an answer that are shown.
const ANSWER_CHARS: usize = 300;

/// What one target says.
pub struct Answer {
    to: To,
    /// The model it is asked for; none where nothing names one.
    model: Option<(String, ModelFrom)>,
    recorded: Recorded,
    mended: Mended,
}

/// What a target says to the session as it is recorded.
enum Recorded {
    /// These findings, in the order in which it looks.
    Judged(Vec<Finding>),
    /// The session cannot be put into the target's form as it is.
    Unwritable(String),
}

/// What replay makes of it.
enum Mended {
    /// A request, and what the target says to it.
    Request(Box<Prepared>, Vec<Finding>),
    /// None, and why.
    Refused(Refusal),
}

impl Answer {
    /// The first thing that is refused, if one is.
    fn refusal(&self) -> Option<&Finding> {
        self.errors().next()
    }

    fn errors(&self) -> impl Iterator<Item = &Finding> {
        let findings = match &self.recorded {
            Recorded::Judged(findings) => findings.as_slice(),
            Recorded::Unwritable(_) => &[],
        };
        findings.iter().filter(|finding| finding.severity == Severity::Error)
    }

    /// Whether the session would be taken as it is.
    fn is_taken(&self) -> bool {
        matches!(self.recorded, Recorded::Judged(_)) && self.refusal().is_none()
    }
}

/// Asks every target.
pub fn ask(view: &View, targets: Vec<To>) -> Vec<Answer> {
    let bodies = Form::ALL.map(|form| (form, recorded::body(view, form)));
    targets
        .into_iter()
        .map(|to| {
            let body = bodies.iter().find(|(form, _)| *form == to.form());
            let named = view.model_of(&to);
            let model = named.map(|(model, _)| model);
            let recorded = match body.map(|(_, body)| body.as_ref()) {
                Some(Ok(body)) => Recorded::Judged(said_of(view, &to, body, model)),
                Some(Err(cause)) => Recorded::Unwritable(cause.clone()),
                // Every form is there.
                None => Recorded::Unwritable(String::new()),
            };
            let mended = mended(view, &to, model);
            let model = named.map(|(model, from)| (model.to_owned(), from));
            Answer { to, model, recorded, mended }
        })
        .collect()
}

/// Whether every target takes the session as it is.
pub fn is_taken_by_all(answers: &[Answer]) -> bool {
    answers.iter().all(Answer::is_taken)
}

/// What a target says to the session as it is: to the body, and, where the form of the body hides
/// it, to what replay has to mend.
pub fn said_of(view: &View, to: &To, body: &[u8], model: Option<&str>) -> Vec<Finding> {
    let mut findings = to.lint(body, model, &[]);
    if !view.has_tools() {
        findings.retain(|finding| !recorded::asks_for_tools(finding.rule));
    }
    if view.session.imported.format != to.form().format() {
        findings.retain(|finding| !recorded::asks_for_parameters(finding.rule));
    }
    if matches!(to, To::Anthropic) && matches!(view.to, To::Anthropic) {
        for problem in super::problems(view) {
            if findings.iter().all(|finding| finding.rule != problem.rule) {
                findings.push(problem);
            }
        }
    }
    findings
}

/// The request replay makes for a target, judged.
fn mended(view: &View, to: &To, model: Option<&str>) -> Mended {
    match view.prepared_for(to, model.unwrap_or_default()) {
        Err(refusal) => Mended::Refused(refusal),
        Ok(prepared) => {
            let body = prepared.request.body().to_vec();
            let findings = to.lint_made(&body, model, prepared.request.betas());
            Mended::Request(Box::new(prepared), findings)
        }
    }
}

/// The HTTP status of a rule.
fn status(id: &str) -> u16 {
    rule(id).map_or(400, |rule| rule.status)
}

/// Who says what, those that say the same together.
pub fn page(view: &View, answers: &[Answer]) -> Page {
    let mut page = Page::new();
    report::say_read(&mut page, view);
    report::say_elsewhere(&mut page, view);
    page.say(Style::Bold, "state:").line(format!(" {}", State::of(&view.path))).end();
    page.say(Style::Bold, "as recorded").line(", this is what each target would answer:");
    for ((_, said), group) in report::grouped(answers, |one| (one.model.clone(), said(one))) {
        say_names(&mut page, &group);
        let style = if group.iter().all(|one| one.is_taken()) { Style::Green } else { Style::Red };
        for (at, line) in said.iter().enumerate() {
            let style = if at == 0 { style } else { Style::Plain };
            page.plain("    ").say(style, line).end();
        }
    }
    page.end().say(Style::Bold, "replay").line(" makes of it:");
    for ((_, made), group) in report::grouped(answers, |one| (one.model.clone(), made(one))) {
        say_names(&mut page, &group);
        page.plain("    ").line(made);
    }
    page.say(Style::Cyan, "hint:");
    page.plain(" `--to TARGET -o FILE` writes the request for one of them");
    if answers.iter().any(|answer| answer.model.is_none()) {
        page.plain(", with `--model MODEL` where no model is named");
    }
    page.end();
    page
}

/// Those that say the same, and the model they are asked for.
fn say_names(page: &mut Page, group: &[&Answer]) {
    let names: Vec<String> = group.iter().map(|answer| answer.to.to_string()).collect();
    page.plain("  ").say(Style::Cyan, names.join(", "));
    match group.first().and_then(|answer| answer.model.as_ref()) {
        None => page.plain(": no model named"),
        Some((model, from)) => {
            let from = from.words().map_or(String::new(), |words| format!(" ({words})"));
            page.plain(format!(": {model}{from}"))
        }
    };
    page.end();
}

/// What a target says to the session, in lines.
fn said(answer: &Answer) -> Vec<String> {
    let findings = match &answer.recorded {
        Recorded::Judged(findings) => findings,
        Recorded::Unwritable(cause) => {
            return vec![format!("nothing: it cannot be put into this form as it is: {cause}")];
        }
    };
    let Some(first) = answer.refusal() else {
        return vec![match findings.len() {
            0 => "takes it".to_owned(),
            doubtful => format!("takes it, as far as is known; {}", count(doubtful, "doubt")),
        }];
    };
    let words = bounded(&first.message, ANSWER_CHARS);
    let mut lines = vec![format!("{} {words} ({})", status(first.rule), first.rule)];
    let mut more: Vec<&str> = answer.errors().map(|finding| finding.rule).collect();
    more.dedup();
    more.retain(|rule| *rule != first.rule);
    if !more.is_empty() {
        more.sort_unstable();
        more.dedup();
        lines.push(format!("and, once that is mended: {}", more.join(", ")));
    }
    lines
}

/// What replay makes of it, in words.
fn made(answer: &Answer) -> String {
    match &answer.mended {
        Mended::Refused(refusal) => format!("none, {}: {refusal}", refusal.as_str()),
        Mended::Request(prepared, findings) => {
            let report = prepared.request.report();
            let verdict = match findings.first() {
                None => "no rule of the provider is broken in it".to_owned(),
                Some(first) => {
                    let number = count(findings.len(), "finding");
                    format!("{number} in it, the first {}: please report it", first.rule)
                }
            };
            format!(
                "{}, {} bytes, with {}; {verdict}",
                count(report.messages as usize, "message"),
                thousands(prepared.request.body().len()),
                count(report.changes().count(), "change"),
            )
        }
    }
}

/// The answers as a document, `steno.doctor.targets/1`.
pub fn document(view: &View, answers: &[Answer]) -> Raw {
    let mut targets = Array::new();
    for answer in answers {
        targets.raw(&answer_of(answer));
    }
    let state = State::of(&view.path);
    let mut out = Object::new();
    out.string("schema", "steno.doctor.targets/1")
        .raw("source", &report::source_of(view))
        .string("state", state.as_str())
        .string("state_text", &state.to_string())
        .bool("taken_by_all", is_taken_by_all(answers))
        .raw("targets", &targets.finish());
    out.finish()
}

fn answer_of(answer: &Answer) -> Raw {
    let mut out = Object::new();
    out.string("name", &answer.to.to_string());
    if let Some((model, from)) = &answer.model {
        out.string("model", model).string("model_from", from.as_str());
    }
    match &answer.recorded {
        Recorded::Unwritable(cause) => out.string("recorded", "unwritable").string("cause", cause),
        Recorded::Judged(findings) => {
            out.string("recorded", if answer.is_taken() { "taken" } else { "refused" });
            if let Some(first) = answer.refusal() {
                out.number("status", status(first.rule)).string("says", &first.message);
            }
            out.raw("findings", &findings_of(findings))
        }
    };
    let mut replay = Object::new();
    match &answer.mended {
        Mended::Refused(refusal) => {
            replay.string("made", "refused").string("refusal", refusal.as_str())
        }
        Mended::Request(prepared, findings) => replay
            .string("made", "request")
            .number("messages", prepared.request.report().messages)
            .number("bytes", prepared.request.body().len())
            .number("changes", prepared.request.report().changes().count() as u64)
            .raw("findings", &findings_of(findings)),
    };
    out.raw("replay", &replay.finish());
    out.finish()
}

/// Findings of a body that nobody has as a file: without lines.
pub fn findings_of(findings: &[Finding]) -> Raw {
    let mut out = Array::new();
    for finding in findings {
        let mut one = Object::new();
        one.string("rule", finding.rule)
            .string("severity", finding.severity.as_str())
            .string("path", &finding.path)
            .string("message", &finding.message)
            .string("fix", finding.fix);
        out.raw(&one.finish());
    }
    out.finish()
}
