//! The rule book against small bodies: what is refused, in which words, at which place; what is
//! accepted though it looks much the same.

use std::collections::BTreeSet;

use wire::bedrock_converse::lint::{LintOptions, lint};
use wire::bedrock_converse::rules::{Checked, RULES, rule};
use wire::{Finding, Severity};

use crate::fixture::{accepted, refused};

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
        let own = |finding: &&Finding| {
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
    let broken: BTreeSet<String> = refused().into_iter().map(|fixture| fixture.rule).collect();
    let kept: BTreeSet<String> = accepted().into_iter().map(|fixture| fixture.rule).collect();
    for rule in RULES.iter().filter(|rule| rule.checked == Checked::Here) {
        assert!(broken.contains(rule.id), "{} broken", rule.id);
        assert!(kept.contains(rule.id), "{} kept", rule.id);
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
        assert!(!rule.says.is_empty() || rule.checked != Checked::Here, "{} says", rule.id);
        if let Checked::Under(other) = rule.checked {
            let judged = RULES.iter().find(|rule| rule.id == other);
            assert!(judged.is_some_and(|rule| rule.checked == Checked::Here), "{}", rule.id);
        }
    }
    assert!(rule("B-007").is_some() && rule("B-999").is_none());
}

#[test]
fn findings_come_in_the_order_in_which_the_api_looks() {
    let body = br#"{"inferenceConfig":{"temperature":0},"messages":[
        {"role":"user","content":[{"text":""}]},
        {"role":"assistant","content":[{"toolUse":{"toolUseId":"a|b","name":"ls","input":{}}}]},
        {"role":"user","content":[{"text":"x"}]},
        {"role":"assistant","content":[{"reasoningContent":
            {"reasoningText":{"text":"t","signature":""}}}]}]}"#;
    let options = LintOptions { model: Some("anthropic.claude-opus-5-5") };
    let findings = lint(body, &options);
    let rules: Vec<&str> = findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, ["B-010", "B-005", "B-007", "B-009", "B-003", "B-020", "B-021"]);
}
