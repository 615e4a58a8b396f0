//! Bodies as bytes: broken, cut, changed, and large.

use json::Doc;
use wire::bedrock_converse::lint::{LintOptions, lint};
use wire::{Finding, Severity};

use crate::fixture::{accepted, refused};

fn judged(body: &str) -> Vec<Finding> {
    lint(body.as_bytes(), &LintOptions { model: Some("anthropic.claude-opus-5") })
}

fn rules(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn a_body_that_is_not_json_or_no_object_says_so() {
    let findings = judged("{\"messages\":\n [}");
    assert_eq!(rules(&findings), ["B-025"]);
    assert_eq!(findings[0].offset, 15);
    for body in ["", " ", "{", "\"a", "[1,]", "{}x", "[]", "1", "null", "\"a\""] {
        assert_eq!(rules(&judged(body)), ["B-025"], "{body}");
    }
}

#[test]
fn half_a_surrogate_pair_is_refused() {
    let body = |text: &str| {
        format!(r#"{{"messages":[{{"role":"user","content":[{{"text":"{text}"}}]}}]}}"#)
    };
    for broken in [r"a\ud83d", r"\udc00b"] {
        assert_eq!(rules(&judged(&body(broken))), ["B-025"], "{broken}");
    }
    for whole in [r"\ud83d\ude00", r"\\ud83d", r"\u0000", r"\u0001"] {
        assert!(judged(&body(whole)).is_empty(), "{whole}");
    }
}

#[test]
fn ten_thousand_parallel_calls_are_judged_one_by_one() {
    let each = |one: fn(usize) -> String| (0..10_000).map(one).collect::<Vec<_>>().join(",");
    let calls =
        each(|n| format!(r#"{{"toolUse":{{"toolUseId":"t{n}","name":"ls","input":{{}}}}}}"#));
    let results =
        each(|n| format!(r#"{{"toolResult":{{"toolUseId":"t{n}","content":[{{"text":"x"}}]}}}}"#));
    let body = format!(
        r#"{{"toolConfig":{{"tools":[{{"toolSpec":{{"name":"ls","inputSchema":{{"json":{{"type":"object"}}}}}}}}]}},"messages":[{{"role":"user","content":[{{"text":"a"}}]}},{{"role":"assistant","content":[{calls}]}},{{"role":"user","content":[{results}]}}]}}"#
    );
    assert!(judged(&body).is_empty());
    let findings = judged(&body.replacen("\"t77\"", "\"other\"", 1));
    assert_eq!(rules(&findings), ["B-007", "B-007"]);
}

/// Every way to cut a body, and to change one of its bytes, gives findings and no panic.
#[test]
fn cut_and_changed_bodies_are_judged() {
    for fixture in refused().iter().chain(&accepted()).filter(|f| f.body.len() < 1500) {
        for at in (0..fixture.body.len()).step_by(7) {
            let cut = fixture.body.as_bytes().get(..at).unwrap_or_default();
            let findings = lint(cut, &LintOptions::default());
            assert_eq!(findings[0].severity, Severity::Error);
            let mut changed = fixture.body.clone().into_bytes();
            changed[at] = b"{[\"0,}"[at % 6];
            if Doc::parse(&changed).is_ok() {
                lint(&changed, &LintOptions { model: Some("us.meta.llama4-scout") });
            }
        }
    }
}
