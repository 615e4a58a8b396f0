//! The rule book against small bodies: what is refused, in which words, at which place; what is
//! accepted though it looks much the same.

use std::collections::BTreeSet;

use wire::openai_responses::lint::{LintOptions, lint};
use wire::openai_responses::rules::{Checked, RULES, rule};
use wire::{Finding, Severity};

use crate::fixture::{accepted, refused};

/// The rule whose bodies are broken JSON; one test has them.
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
    let numbered = RULES.iter().filter(|rule| rule.id.starts_with("R-")).count();
    assert_eq!(numbered, 10 + 37, "R-001 to R-010 and R-020 to R-056");
    for rule in RULES {
        assert!(!rule.title.is_empty() && !rule.why.is_empty() && !rule.fix.is_empty());
        assert!(!rule.says.is_empty() || rule.checked != Checked::Here, "{} says", rule.id);
        if let Checked::Under(other) = rule.checked {
            let judged = RULES.iter().find(|rule| rule.id == other);
            assert!(judged.is_some_and(|rule| rule.checked == Checked::Here), "{}", rule.id);
        }
    }
}

#[test]
fn text_that_is_none_is_refused_before_anything_else() {
    for (body, words) in [
        (&br#"{"input":"a"#[..], "unterminated"),
        (br#"{"input":"\ud800"}"#, "no low surrogate in string"),
        (br#"{"input":"\u0000"}"#, "NUL in string"),
    ] {
        let findings = lint(body, &LintOptions::default());
        let first = findings.first().expect("a finding");
        assert_eq!(first.rule, "G-10", "{words}: {findings:?}");
    }
    assert_eq!(lint(br#"{"input":"\ud83d\ude00"}"#, &LintOptions::default()), []);
}

#[test]
fn findings_come_in_the_order_in_which_a_server_looks() {
    let body = br#"{"model":"gpt-5.5","temperature":0.5,"store":false,"input":[
        {"type":"message","role":"user","content":[{"type":"output_text","text":"a"}]},
        {"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"g"},
        {"type":"function_call","call_id":"","name":"ls","arguments":"{}"}]}"#;
    let findings = lint(body, &LintOptions::default());
    let rules: Vec<&str> = findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, ["R-035", "R-033", "R-001", "C-034"]);
}
