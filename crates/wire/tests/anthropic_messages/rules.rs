//! The rule book against small bodies: what is refused, in which words, at which place; what is
//! accepted though it looks much the same.

use std::collections::BTreeSet;

use wire::Severity;
use wire::anthropic_messages::rules::{Checked, RULES, rule};

use crate::fixture::{accepted, refused};

/// Rules whose bodies are too large or too broken for a line of a fixture file; `bytes` has
/// them.
const BY_BYTES: &[&str] = &["A-002", "A-004"];

#[test]
fn refused_bodies_name_their_rule_their_place_and_the_words() {
    let mut wrong = Vec::new();
    for fixture in refused() {
        let findings = fixture.findings();
        // The first of its severity: what a provider that stops at one thing would say.
        let first = findings.iter().find(|finding| finding.severity == fixture.severity);
        let worse = fixture.severity == Severity::Warning
            && findings.iter().any(|finding| finding.severity == Severity::Error);
        let right = first.is_some_and(|first| {
            first.rule == fixture.rule
                && fixture.path.as_ref().is_none_or(|path| *path == first.path)
                && fixture.message.as_ref().is_none_or(|message| *message == first.message)
                && first.offset < fixture.body.len()
        });
        if !right || worse {
            let (rule, name) = (&fixture.rule, &fixture.name);
            wrong.push(format!("{rule} {name}\n  {:?}\n  {:?}", fixture.path, findings));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn accepted_bodies_give_no_finding() {
    let mut wrong = Vec::new();
    for fixture in accepted() {
        let findings = fixture.findings();
        let own = |finding: &&wire::Finding| {
            finding.rule == fixture.rule || finding.severity == Severity::Error
        };
        if findings.iter().any(|finding| own(&finding)) {
            wrong.push(format!("{} {}\n  {findings:?}", fixture.rule, fixture.name));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_checked_rule_has_a_body_that_breaks_it_and_one_that_keeps_it() {
    let broken: BTreeSet<(String, Severity)> =
        refused().into_iter().map(|fixture| (fixture.rule, fixture.severity)).collect();
    let kept: BTreeSet<String> = accepted().into_iter().map(|fixture| fixture.rule).collect();
    for rule in RULES.iter().filter(|rule| rule.checked == Checked::Here) {
        if !BY_BYTES.contains(&rule.id) {
            assert!(broken.contains(&(rule.id.to_owned(), rule.severity)), "{} broken", rule.id);
            assert!(kept.contains(rule.id), "{} kept", rule.id);
        }
    }
    for id in broken.iter().map(|(id, _)| id).chain(&kept) {
        let known = rule(id).is_some_and(|rule| rule.checked == Checked::Here);
        assert!(known, "{id} is no checked rule of the table");
    }
}

#[test]
fn the_table_is_in_order_and_complete() {
    assert!(RULES.windows(2).all(|pair| pair[0].id < pair[1].id), "ids in order, each once");
    for rule in RULES {
        assert!(!rule.title.is_empty() && !rule.why.is_empty() && !rule.fix.is_empty());
        assert!(!rule.says.is_empty() || rule.checked != Checked::Here, "{} says", rule.id);
        if let Checked::Under(other) = rule.checked {
            assert!(RULES.iter().any(|rule| rule.id == other), "{} under {other}", rule.id);
        }
    }
    assert!(rule("A-030").is_some() && rule("A-999").is_none());
}

#[test]
fn findings_come_in_the_order_in_which_the_provider_looks() {
    let body = br#"{"model":"claude-opus-5-5","max_tokens":9,"temperature":0,"messages":[
        {"role":"user","content":[{"type":"text","text":""}]},
        {"role":"assistant","content":[{"type":"tool_use","id":"a.b","name":"ls","input":{}}]},
        {"role":"user","content":"x"},
        {"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"cw=="}]}]}"#;
    let findings = wire::anthropic_messages::lint::lint(body, &Default::default());
    let rules: Vec<&str> = findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, ["A-040", "A-020", "A-030", "A-010", "A-013", "A-008"]);
}
