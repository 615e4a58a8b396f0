//! `steno check --explain`: one rule of the table, in full.

use stenograph::json::{Object, Raw};
use stenograph::wire::anthropic_messages::rules::RULES;
use stenograph::wire::rule::{Checked, Confidence, Rule};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::inert::bounded;
use crate::page::{Page, Style};
use crate::to::rule;
use crate::ui::Ui;

/// Rules named where there is none of an id.
const SUGGESTIONS_MAX: usize = 5;

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

/// The rule of an id as people write it: `A-029`, `a29`, `29`, `k-020`.
fn find(id: &str) -> Option<&'static Rule> {
    rule(&id.to_ascii_uppercase()).or_else(|| {
        let number = number_of(id)?;
        RULES.iter().find(|rule| number_of(rule.id) == Some(number))
    })
}

fn number_of(id: &str) -> Option<u32> {
    let digits = id.trim_start_matches(['a', 'A']).trim_start_matches('-');
    digits.parse().ok()
}

fn unknown(id: &str) -> Failure {
    let what = format!("no rule `{}`", bounded(id, ID_CHARS));
    let near = suggestions(id).join(", ");
    let (first, last) = (first(), last());
    let cause =
        format!("the rules are {first} to {last}, and of Chat Completions C-001, K-001 and others");
    let hint = if near.is_empty() {
        "give a rule's id; `steno check` names the rule of each finding".to_owned()
    } else {
        format!("close to it: {near}; `steno check` names the rule of each finding")
    };
    Failure::told(Exit::Usage, what, cause, hint)
}

fn first() -> &'static str {
    RULES.first().map_or("", |rule| rule.id)
}

fn last() -> &'static str {
    RULES.last().map_or("", |rule| rule.id)
}

/// The rules whose numbers are nearest to one between them, or whose titles hold the word: in the
/// order of the table, and none where none is close.
fn suggestions(id: &str) -> Vec<&'static str> {
    let word = id.to_lowercase();
    let mut near: Vec<&Rule> = match number_of(id) {
        Some(number) if is_between(number) => {
            let mut rules: Vec<&Rule> = RULES.iter().collect();
            rules.sort_by_key(|rule| number_of(rule.id).unwrap_or_default().abs_diff(number));
            rules
        }
        Some(_) => Vec::new(),
        None => RULES.iter().filter(|rule| rule.title.to_lowercase().contains(&word)).collect(),
    };
    near.truncate(SUGGESTIONS_MAX);
    near.sort_by_key(|rule| number_of(rule.id));
    near.into_iter().map(|rule| rule.id).collect()
}

fn is_between(number: u32) -> bool {
    (number_of(first())..=number_of(last())).contains(&Some(number))
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
        assert!(find("A-999").is_none() && find("").is_none() && find("empty").is_none());
    }

    #[test]
    fn suggestions_are_near_by_number_or_by_word_and_in_order() {
        assert_eq!(suggestions("A-025"), ["A-021", "A-022", "A-023", "A-026", "A-029"]);
        assert!(suggestions("cache_control").contains(&"A-022"));
        for far in ["A-999", "0", "zzz"] {
            assert!(suggestions(far).is_empty(), "{far}");
        }
    }
}
