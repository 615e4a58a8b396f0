//! `steno check --explain`: one rule of the table, in full.

use stenograph::json::{Object, Raw};
use stenograph::wire::rule::{Checked, Confidence, Rule};
use stenograph::wire::rulebook::{BOOKS, RuleBook};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::inert::bounded;
use crate::page::{Page, Style};
use crate::to::rule;
use crate::ui::Ui;

/// Rules named where there is none of an id.
const SUGGESTIONS_MAX: usize = 5;

/// The series of a number without letters.
const FIRST_SERIES: &str = "A";

/// Characters of an unknown id that are repeated.
const ID_CHARS: usize = 40;

/// Explains a rule.
pub fn run(id: &str, json: bool, ui: &mut Ui) -> Result<Exit, Failure> {
    let Some(rule) = find(id) else { return Err(unknown(id)) };
    if json {
        ui.json(&document(rule))?;
    } else {
        ui.answer(&page(rule))?;
    }
    Ok(Exit::Done)
}

/// The rule of an id as people write it: `A-029`, `a29`, `k-020`, `K20`; a number alone is one of
/// the first book.
fn find(id: &str) -> Option<&'static Rule> {
    rule(&id.to_ascii_uppercase()).or_else(|| {
        let (series, number) = parts_of(id)?;
        let series = if series.is_empty() { FIRST_SERIES } else { &series };
        rules().find(|rule| parts_of(rule.id) == Some((series.to_owned(), number)))
    })
}

/// Every rule of every book.
fn rules() -> impl Iterator<Item = &'static Rule> {
    BOOKS.iter().flat_map(|book| book.rules)
}

/// The letters and the number of an id.
fn parts_of(id: &str) -> Option<(String, u32)> {
    let at = id.find(|sign: char| sign.is_ascii_digit())?;
    let (series, number) = id.split_at(at);
    let series = series.strip_suffix('-').unwrap_or(series).to_ascii_uppercase();
    let is_word = series.chars().all(|sign| sign.is_ascii_uppercase());
    Some((series, number.parse().ok()?)).filter(|_| is_word)
}

fn unknown(id: &str) -> Failure {
    let what = format!("no rule `{}`", bounded(id, ID_CHARS));
    let near = suggestions(id).join(", ");
    let cause = format!("the rules are {}", series().join("; "));
    let hint = if near.is_empty() {
        "give a rule's id; `steno check` names the rule of each finding".to_owned()
    } else {
        format!("close to it: {near}; `steno check` names the rule of each finding")
    };
    Failure::told(Exit::Usage, what, cause, hint)
}

/// The series of each book, with its last id: `A-115 and lower (Anthropic Messages)`.
fn series() -> Vec<String> {
    let of_book = |book: &RuleBook| {
        let mut names: Vec<String> =
            book.rules.iter().filter_map(|r| Some(parts_of(r.id)?.0)).collect();
        names.dedup();
        let names: Vec<String> = names.iter().map(|name| format!("{name}-")).collect();
        format!("{} of {}", names.join(" "), book.title)
    };
    BOOKS.iter().map(of_book).collect()
}

/// The rules of the series whose numbers are nearest to one between them, or whose titles hold the
/// word: in the order of the books, and none where none is close.
fn suggestions(id: &str) -> Vec<&'static str> {
    let word = id.to_lowercase();
    let mut near: Vec<&Rule> = match parts_of(id) {
        Some((series, number)) => {
            let series = if series.is_empty() { FIRST_SERIES.to_owned() } else { series };
            let number_of = |rule: &Rule| {
                parts_of(rule.id).filter(|parts| parts.0 == series).map_or(0, |parts| parts.1)
            };
            let mut rules: Vec<&Rule> = rules().filter(|rule| number_of(rule) > 0).collect();
            let numbers = || rules.iter().map(|rule| number_of(rule));
            if !(numbers().min()..=numbers().max()).contains(&Some(number)) {
                return Vec::new();
            }
            rules.sort_by_key(|rule| number_of(rule).abs_diff(number));
            rules
        }
        None if word.is_empty() => Vec::new(),
        None => rules().filter(|rule| rule.title.to_lowercase().contains(&word)).collect(),
    };
    near.truncate(SUGGESTIONS_MAX);
    near.sort_by_key(|rule| rules().position(|other| std::ptr::eq(*rule, other)));
    near.into_iter().map(|rule| rule.id).collect()
}

fn page(rule: &Rule) -> Page {
    let mut page = Page::new();
    page.say(Style::Bold, format!("{}: {}", rule.id, rule.title)).end().end();
    let mut row = |name: &str, text: &str| {
        page.say(Style::Cyan, format!("{name:<11}")).line(text);
    };
    if !rule.says.is_empty() {
        row("answer", &format!("{} {}", rule.status, rule.says));
    }
    row("severity", rule.severity.as_str());
    row("why", rule.why);
    row("fix", rule.fix);
    row("confidence", confidence(rule));
    row("checked", &checked(rule));
    page
}

fn confidence(rule: &Rule) -> &'static str {
    match rule.confidence {
        Confidence::Proven => "proven",
        Confidence::Documented => "documented",
        Confidence::Observed => "observed",
        Confidence::Inferred => "inferred",
    }
}

fn checked(rule: &Rule) -> String {
    match rule.checked {
        Checked::Here => "by this id".to_owned(),
        Checked::Under(other) => format!("as {other}"),
        Checked::Never => "not from a body alone".to_owned(),
    }
}

/// The answer as a document, `steno.explain/1`.
fn document(rule: &Rule) -> Raw {
    let mut out = Object::new();
    out.string("schema", "steno.explain/1")
        .string("rule", rule.id)
        .string("title", rule.title)
        .number("status", rule.status)
        .string("says", rule.says)
        .string("severity", rule.severity.as_str())
        .string("why", rule.why)
        .string("fix", rule.fix)
        .string("confidence", confidence(rule))
        .string("checked", &checked(rule));
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_found_as_people_write_it() {
        for id in ["A-030", "a-030", "A030", "a30", "30"] {
            assert_eq!(find(id).map(|rule| rule.id), Some("A-030"), "{id}");
        }
        for (id, full) in [("k20", "K-020"), ("C-1", "C-001"), ("o3", "O-3"), ("g10", "G-10")] {
            assert_eq!(find(id).map(|rule| rule.id), Some(full), "{id}");
        }
        assert!(find("A-999").is_none() && find("").is_none() && find("empty").is_none());
    }

    #[test]
    fn suggestions_are_near_by_number_or_by_word_and_in_order() {
        assert_eq!(suggestions("A-025"), ["A-021", "A-022", "A-023", "A-026", "A-029"]);
        assert!(suggestions("cache_control").contains(&"A-022"));
        assert!(suggestions("K-015").contains(&"K-020"));
        for far in ["A-999", "0", "zzz"] {
            assert!(suggestions(far).is_empty(), "{far}");
        }
    }
}
