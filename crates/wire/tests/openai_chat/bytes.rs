//! Bodies as bytes: broken, cut, changed, and large.

use json::Doc;
use wire::openai_chat::lint::{LintOptions, lint};
use wire::openai_chat::vendors::{OPENAI, UNKNOWN};
use wire::{Finding, Severity};

use crate::fixture::{accepted, refused};

fn judged(body: &str) -> Vec<Finding> {
    lint(body.as_bytes(), &LintOptions { vendor: &OPENAI, model: None })
}

fn rules(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn a_body_that_is_not_json_says_where() {
    let findings = judged("{\"messages\":\n [}");
    assert_eq!(rules(&findings), ["G-10"]);
    assert_eq!(findings[0].offset, 15);
    assert_eq!(
        findings[0].message,
        "We could not parse the JSON body of your request. (unexpected character at byte 15)"
    );
    for body in ["", " ", "{", "\"a", "[1,]", "{}x"] {
        assert_eq!(rules(&judged(body)), ["G-10"], "{body}");
    }
}

#[test]
fn a_body_that_is_no_object_has_no_messages() {
    for body in ["[]", "1", "null", "\"a\""] {
        assert_eq!(rules(&judged(body)), ["C-033"], "{body}");
    }
}

#[test]
fn half_a_surrogate_pair_and_a_nul_are_refused() {
    let body = |text: &str| format!(r#"{{"messages":[{{"role":"user","content":"{text}"}}]}}"#);
    for broken in [r"a\ud83d", r"\udc00b", r"x\u0000y"] {
        assert_eq!(rules(&judged(&body(broken))), ["G-10"], "{broken}");
    }
    for whole in [r"\ud83d\ude00", r"\\ud83d", r"\\u0000", r"\u0001"] {
        assert!(judged(&body(whole)).is_empty(), "{whole}");
    }
}

#[test]
fn a_hundred_thousand_parallel_calls_are_judged_one_by_one() {
    let calls: Vec<String> = (0..100_000)
        .map(|n| {
            format!(
                r#"{{"id":"t{n}","type":"function","function":{{"name":"ls","arguments":"{{}}"}}}}"#
            )
        })
        .collect();
    let results: Vec<String> = (0..100_000)
        .rev()
        .map(|n| format!(r#"{{"role":"tool","tool_call_id":"t{n}","content":"x"}}"#))
        .collect();
    let body = |results: &[String]| {
        let (calls, results) = (calls.join(","), results.join(","));
        let called = format!(r#"{{"role":"assistant","content":"","tool_calls":[{calls}]}}"#);
        format!(r#"{{"messages":[{{"role":"user","content":"a"}},{called},{results}]}}"#)
    };
    assert!(judged(&body(&results)).is_empty());
    let findings = judged(&body(&results[1..]));
    assert_eq!(rules(&findings), ["C-001"]);
    assert!(findings[0].message.ends_with("response messages: t99999"));
}

#[test]
fn a_host_nobody_knows_refuses_only_what_openai_refuses_too() {
    for fixture in accepted() {
        let options = LintOptions { vendor: &UNKNOWN, model: Some("m") };
        let findings = lint(fixture.body.as_bytes(), &options);
        for finding in findings.iter().filter(|finding| finding.severity == Severity::Error) {
            let openai = LintOptions { vendor: &OPENAI, model: Some("m") };
            let known = lint(fixture.body.as_bytes(), &openai);
            let same = known.iter().any(|other| other.rule == finding.rule);
            assert!(same, "{} {finding:?}", fixture.name);
        }
    }
}

#[test]
fn no_prefix_of_a_body_makes_the_linter_panic() {
    for fixture in refused().into_iter().chain(accepted()).filter(|f| f.body.len() < 2000) {
        for end in 0..fixture.body.len() {
            lint(&fixture.body.as_bytes()[..end], &LintOptions::default());
        }
    }
}

/// Each value of a body replaced by a value of every other kind: types of all sorts in all places.
#[test]
fn no_value_in_no_place_makes_the_linter_panic() {
    const VALUES: [&str; 7] =
        ["null", "true", "-1.5e400", "\"\"", "\"\\ud800\"", "[[{}]]", "{\"type\":[]}"];
    for fixture in refused().into_iter().chain(accepted()).filter(|f| f.body.len() < 2000) {
        let doc = Doc::parse_str(&fixture.body).expect("a fixture is JSON");
        let mut spans = Vec::new();
        collect(doc.root(), &mut spans);
        for (start, end) in spans {
            for value in VALUES {
                let body = format!("{}{value}{}", &fixture.body[..start], &fixture.body[end..]);
                for finding in judged(&body) {
                    assert!(finding.offset <= body.len() && !finding.message.is_empty());
                }
            }
        }
    }
}

fn collect(value: json::Value<'_, '_>, spans: &mut Vec<(usize, usize)>) {
    spans.push((value.offset(), value.offset() + value.raw().len()));
    value.items().for_each(|item| collect(item, spans));
    value.members().for_each(|(_, member)| collect(member, spans));
}
