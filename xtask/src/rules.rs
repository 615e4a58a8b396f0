//! `cargo xtask rules`: the pages of `docs/rules`, written from the tables that the linters read.
//!
//! `--check` writes nothing and fails where a page is not what the tables say.

use std::path::Path;
use std::process::ExitCode;

use wire::Severity;
use wire::openai_chat::columns::{COLUMNS, Cell, Named};
use wire::openai_chat::rules::WORDS;
use wire::openai_chat::vendors::{Takes, VENDORS};
use wire::rule::{Checked, Confidence, Rule};
use wire::rulebook::{BOOKS, RuleBook};

const FOLDER: &str = "docs/rules";

/// Writes the pages, or compares them.
pub fn run(root: &Path, is_check: bool) -> ExitCode {
    let mut wrong = 0;
    for (name, text) in pages() {
        let path = root.join(FOLDER).join(&name);
        if std::fs::read_to_string(&path).is_ok_and(|known| known == text) {
            continue;
        }
        if is_check {
            eprintln!("{FOLDER}/{name}: not what the tables say: run `cargo xtask rules`");
            wrong += 1;
            continue;
        }
        let written = std::fs::create_dir_all(root.join(FOLDER));
        if let Err(error) = written.and_then(|()| std::fs::write(&path, text)) {
            eprintln!("{FOLDER}/{name}: {error}");
            wrong += 1;
        }
    }
    ExitCode::from(u8::from(wrong > 0))
}

/// Every page: its name and its text.
fn pages() -> Vec<(String, String)> {
    let mut pages = vec![("README.md".to_owned(), index())];
    pages.extend(BOOKS.iter().map(|book| (format!("{}.md", book.dialect), page(book))));
    pages
}

fn index() -> String {
    let mut out = String::from(
        "# Rules\n\n\
         What `steno check` judges request bodies by, one page an API. `steno check --explain \
         RULE` says the same.\n\n\
         | API | page | rules | judged from a body |\n|---|---|---|---|\n",
    );
    for RuleBook { dialect, title, rules } in BOOKS {
        let judged = rules.iter().filter(|rule| rule.checked != Checked::Never).count();
        out.push_str(&format!(
            "| {title} | [{dialect}]({dialect}.md) | {} | {judged} |\n",
            rules.len()
        ));
    }
    out.push_str(
        "\n*error*: the provider refuses. *warning*: the request may pass, where that is doubtful \
         or harmful in silence.\n\n\
         How well a rule is known: *proven* is documented and observed, or measured twice; \
         *documented* and *observed* are one of\nthe two; *inferred* is neither, and doubtful.\n\n\
         These pages are written by `cargo xtask rules` from the tables in `crates/wire`; do not \
         edit them.\n",
    );
    out
}

fn page(book: &RuleBook) -> String {
    let mut out =
        format!("# Rules of {}\n\n| rule | severity | known | what holds |\n", book.title);
    out.push_str("|---|---|---|---|\n");
    for rule in book.rules {
        let anchor = rule.id.to_lowercase();
        out.push_str(&format!(
            "| [{}](#{anchor}) | {} | {} | {} |\n",
            rule.id,
            rule.severity.as_str(),
            known(rule),
            rule.title.replace('|', "\\|"),
        ));
    }
    for rule in book.rules {
        section(&mut out, book, rule);
    }
    out
}

fn section(out: &mut String, book: &RuleBook, rule: &Rule) {
    out.push_str(&format!("\n## {}\n\n{}.\n\n", rule.id, sentence(rule.title)));
    if !rule.says.is_empty() {
        out.push_str(&format!("```text\n{} {}\n```\n\n", rule.status, rule.says));
    }
    let severity = match rule.severity {
        Severity::Error => "error",
        Severity::Warning => "warning: it may pass",
    };
    out.push_str(&format!("- severity: {severity}; {}\n", known(rule)));
    out.push_str(&format!("- broken by: {}\n", rule.why));
    out.push_str(&format!("- fix: {}\n", rule.fix));
    match rule.checked {
        Checked::Here => {}
        Checked::Under(other) => {
            let anchor = other.to_lowercase();
            out.push_str(&format!("- judged as [{other}](#{anchor})\n"));
        }
        Checked::Never => out.push_str("- not judged: a body alone does not show it\n"),
    }
    if book.dialect == "openai_chat" {
        for (wording, _, words) in WORDS.iter().filter(|(_, id, _)| *id == rule.id) {
            out.push_str(&format!("- in the words of {}: `{words}`\n", wording.name()));
        }
        vendors(out, rule);
    }
}

/// Who refuses it, and where that is not known, column by column.
fn vendors(out: &mut String, rule: &Rule) {
    for column in COLUMNS.iter().filter(|column| column.rules.contains(&rule.id)) {
        let Cell::Takes(of) = column.cell else { continue };
        let who = |takes: Takes| {
            let rows = VENDORS.iter().filter(|(_, row)| *of(&mut row.clone()) == takes);
            rows.map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
        };
        for (takes, says) in [(Takes::No, "refused by"), (Takes::Doubtful, "doubtful at")] {
            let who = who(takes);
            if !who.is_empty() {
                out.push_str(&format!("- {}: {says} {who}\n", column.about));
            }
        }
    }
}

fn known(rule: &Rule) -> &'static str {
    match rule.confidence {
        Confidence::Proven => "proven",
        Confidence::Documented => "documented",
        Confidence::Observed => "observed",
        Confidence::Inferred => "inferred",
    }
}

fn sentence(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map_or(String::new(), |first| first.to_uppercase().chain(signs).collect())
}
