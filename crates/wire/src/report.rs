//! The findings of one body while they are being made, in the words of one dialect's rules.

use std::fmt::Display;

use crate::finding::{Finding, Severity};
use crate::rule::{self, Phase, Rule};
use crate::takes::Takes;

/// Findings in the order they were made; [`Report::finish`] puts them into the provider's.
pub(crate) struct Report {
    rules: &'static [Rule],
    findings: Vec<(Phase, Finding)>,
}

/// What fills the places of a template.
pub(crate) type Fill<'f> = &'f [(&'f str, &'f dyn Display)];

impl Report {
    /// No findings yet; the words come from this table.
    pub(crate) fn new(rules: &'static [Rule]) -> Report {
        Report { rules, findings: Vec::new() }
    }

    /// A finding in the rule's own words.
    pub(crate) fn add(&mut self, rule: &str, path: String, offset: usize, fill: Fill<'_>) {
        self.push(rule, None, path, offset, None, fill);
    }

    /// A finding in other words of the provider's.
    pub(crate) fn say(&mut self, rule: &str, path: String, offset: usize, words: String) {
        self.push(rule, None, path, offset, Some(words), &[]);
    }

    /// As [`Report::add`], where recorded traffic was accepted.
    pub(crate) fn warn(&mut self, rule: &str, path: String, offset: usize, fill: Fill<'_>) {
        self.push(rule, Some(Severity::Warning), path, offset, None, fill);
    }

    /// As [`Report::say`], where recorded traffic was accepted.
    pub(crate) fn warn_say(&mut self, rule: &str, path: String, offset: usize, words: String) {
        self.push(rule, Some(Severity::Warning), path, offset, Some(words), &[]);
    }

    /// As [`Report::add`], unless it is taken; where that is not known, a warning.
    pub(crate) fn unless(
        &mut self,
        takes: Takes,
        rule: &str,
        path: String,
        offset: usize,
        fill: Fill<'_>,
    ) {
        match takes {
            Takes::Yes => {}
            Takes::Doubtful => self.warn(rule, path, offset, fill),
            Takes::No => self.add(rule, path, offset, fill),
        }
    }

    /// As [`Report::say`], unless it is taken; where that is not known, a warning.
    pub(crate) fn say_unless(
        &mut self,
        takes: Takes,
        rule: &str,
        path: String,
        offset: usize,
        words: String,
    ) {
        match takes {
            Takes::Yes => {}
            Takes::Doubtful => self.warn_say(rule, path, offset, words),
            Takes::No => self.say(rule, path, offset, words),
        }
    }

    fn push(
        &mut self,
        rule: &str,
        severity: Option<Severity>,
        path: String,
        offset: usize,
        words: Option<String>,
        fill: Fill<'_>,
    ) {
        let Some(rule) = rule::find(self.rules, rule) else {
            debug_assert!(false, "no rule {rule}");
            return;
        };
        let message = words.unwrap_or_else(|| filled(rule.says, &path, fill));
        let severity = severity.unwrap_or(rule.severity);
        let (id, title, fix) = (rule.id, rule.title, rule.fix);
        let finding = Finding { rule: id, title, severity, path, offset, message, fix };
        self.findings.push((rule.phase, finding));
    }

    /// The findings in the order in which the provider looks, then by place.
    pub(crate) fn finish(mut self) -> Vec<Finding> {
        self.findings.sort_by_key(|(phase, finding)| (*phase, finding.offset));
        self.findings.into_iter().map(|(_, finding)| finding).collect()
    }
}

/// The template with its places filled; `{path}` is always known.
pub(crate) fn filled(template: &str, path: &str, fill: Fill<'_>) -> String {
    let mut out = String::with_capacity(template.len() + path.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (name, tail) = after.split_once('}').unwrap_or((after, ""));
        match fill.iter().find(|(key, _)| *key == name) {
            Some((_, value)) => out.push_str(&value.to_string()),
            None if name == "path" => out.push_str(path),
            None => out.push_str(name),
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// Names in single quotes, the last two joined by `or`.
pub(crate) fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
