//! `steno check --explain`: one rule of the table, in full.

use stenograph::json::{Array, Object, Raw};
use stenograph::wire::rule::{Checked, Confidence, Rule};
use stenograph::wire::rulebook::{self, BOOKS, RuleBook};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::inert::bounded;
use crate::page::{Page, Style};
use crate::ui::Ui;

/// Rules named where there is none of an id.
const SUGGESTIONS_MAX: usize = 5;

/// The series of a number without letters.
const FIRST_SERIES: &str = "A";

/// Characters of an unknown id that are repeated.
const ID_CHARS: usize = 40;

/// Explains a rule.
pub fn run(id: &str, json: bool, ui: &mut Ui) -> Result<Exit, Failure> {
    let found = find(id);
    if found.is_empty() {
        return Err(unknown(id));
    }
    if json {
        ui.json(&document(&found))?;
    } else {
        ui.answer(&page(&found))?;
    }
    Ok(Exit::Done)
}

/// A rule and the book it stands in.
type Found = (&'static RuleBook, &'static Rule);

/// The rules of an id as people write it: `A-029`, `a29`, `k-020`, `K20`; a number alone is one of
/// the first book. APIs of one vendor share some ids.
fn find(id: &str) -> Vec<Found> {
    let exact: Vec<Found> = rulebook::all(&id.to_ascii_uppercase()).collect();
    let Some((series, number)) = parts_of(id).filter(|_| exact.is_empty()) else { return exact };
    let series = if series.is_empty() { FIRST_SERIES } else { &series };
    let is_it = |rule: &&Rule| parts_of(rule.id) == Some((series.to_owned(), number));
    let of_book = |book: &'static RuleBook| Some((book, book.rules.iter().find(is_it)?));
    BOOKS.iter().filter_map(of_book).collect()
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

fn page(found: &[Found]) -> Page {
    let mut page = Page::new();
    for (count, (book, rule)) in found.iter().enumerate() {
        if count > 0 {
            page.end();
        }
        page.append(page_of(book, rule));
    }
    page
}

fn page_of(book: &RuleBook, rule: &Rule) -> Page {
    let mut page = Page::new();
    page.say(Style::Bold, format!("{}: {}", rule.id, rule.title)).end().end();
    let mut row = |name: &str, text: &str| {
        page.say(Style::Cyan, format!("{name:<11}")).line(text);
    };
    row("API", book.title);
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

/// The answer as a document, `steno.explain/1`: the first, and those of other APIs beside it.
fn document(found: &[Found]) -> Raw {
    let mut out = Object::new();
    out.string("schema", "steno.explain/1");
    let mut found = found.iter();
    if let Some((book, rule)) = found.next() {
        members(&mut out, book, rule);
    }
    let also: Vec<Raw> = found
        .map(|(book, rule)| {
            let mut other = Object::new();
            members(&mut other, book, rule);
            other.finish()
        })
        .collect();
    if !also.is_empty() {
        out.raw("also", &Array::of(&also));
    }
    out.finish()
}

fn members(out: &mut Object, book: &RuleBook, rule: &Rule) {
    out.string("api", book.dialect)
        .string("rule", rule.id)
        .string("title", rule.title)
        .number("status", rule.status)
        .string("says", rule.says)
        .string("severity", rule.severity.as_str())
        .string("why", rule.why)
        .string("fix", rule.fix)
        .string("confidence", confidence(rule))
        .string("checked", &checked(rule));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(id: &str) -> Vec<&'static str> {
        find(id).into_iter().map(|(_, rule)| rule.id).collect()
    }

    #[test]
    fn a_rule_is_found_as_people_write_it() {
        for id in ["A-030", "a-030", "A030", "a30", "30"] {
            assert_eq!(ids(id), ["A-030"], "{id}");
        }
        assert_eq!(ids("o3"), ["O-3"]);
        // One for each API that has it.
        assert!(ids("K-020").len() == 1 && ids("C-017").len() > 1 && ids("g10").len() > 1);
        for none in ["A-999", "", "empty"] {
            assert!(find(none).is_empty(), "{none}");
        }
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
