//! The rule book against small bodies: what is refused, in which words, at which place; what is
//! accepted though it looks much the same.

use std::collections::BTreeSet;

use wire::gemini::lint::{LintOptions, lint};
use wire::gemini::rules::{Checked, RULES, rule};
use wire::{Finding, Severity};

use crate::fixture::{accepted, refused};

/// The rule whose bodies are broken JSON; `bytes` has them.
const BY_BYTES: &str = "G-10";

#[test]
fn refused_bodies_name_their_rule_their_place_and_the_words() {
    let mut wrong = Vec::new();
    for fixture in refused() {
        let findings = fixture.findings();
        let is_right = |finding: &&Finding| {
            finding.rule == fixture.rule
                && finding.severity == fixture.severity
                && fixture.path.as_ref().is_none_or(|path| *path == finding.path)
                && fixture.message.as_ref().is_none_or(|message| *message == finding.message)
                && finding.offset < fixture.body.len()
        };
        let worse = fixture.severity == Severity::Warning
            && findings.iter().any(|finding| finding.severity == Severity::Error);
        if worse || !findings.iter().any(|finding| is_right(&finding)) {
            let (rule, name) = (&fixture.rule, &fixture.name);
            wrong.push(format!("{rule} {name}\n  {findings:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn accepted_bodies_give_no_finding() {
    let mut wrong = Vec::new();
    for fixture in accepted() {
        let findings = fixture.findings();
        if !findings.is_empty() {
            wrong.push(format!("{} {}\n  {findings:?}", fixture.rule, fixture.name));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_checked_rule_has_a_body_that_breaks_it_and_one_that_keeps_it() {
    let broken: BTreeSet<String> = refused().into_iter().map(|fixture| fixture.rule).collect();
    let kept: BTreeSet<String> = accepted().into_iter().map(|fixture| fixture.rule).collect();
    for rule in RULES.iter().filter(|rule| rule.checked == Checked::Here) {
        if rule.id != BY_BYTES {
            assert!(broken.contains(rule.id), "{} broken", rule.id);
            assert!(kept.contains(rule.id), "{} kept", rule.id);
        }
    }
    for id in broken.iter().chain(&kept) {
        let known = rule(id).is_some_and(|rule| rule.checked == Checked::Here);
        assert!(known, "{id} is no checked rule of the table");
    }
}

#[test]
fn the_table_is_in_order_and_complete() {
    assert!(RULES.windows(2).all(|pair| pair[0].id < pair[1].id), "ids in order, each once");
    for rule in RULES {
        assert!(!rule.title.is_empty() && !rule.why.is_empty() && !rule.fix.is_empty());
        // What is only harmful is answered with nothing.
        let refuses = rule.severity == Severity::Error && rule.checked == Checked::Here;
        assert!(!rule.says.is_empty() || !refuses, "{} says", rule.id);
        if let Checked::Under(other) = rule.checked {
            let judged = RULES.iter().find(|rule| rule.id == other);
            assert!(judged.is_some_and(|rule| rule.checked == Checked::Here), "{}", rule.id);
        }
    }
}

#[test]
fn findings_come_in_the_order_in_which_a_server_looks() {
    let body = br#"{"contents":[
        {"role":"user","parts":[{"text":"a"}]},
        {"role":"model","parts":[{"functionCall":{"name":"a b","args":{}}}]},
        {"role":"user","parts":[{"inlineData":{"mimeType":"image/bmp","data":"aGk="}}]},
        {"role":"model","parts":[]}]}"#;
    let options = LintOptions { model: Some("gemini-3.8-flash"), ..LintOptions::default() };
    let findings = lint(body, &options);
    let rules: Vec<&str> = findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, ["G-018", "G-028", "G-003", "G-007", "G-011", "G-022"]);
}
