//! Bodies as bytes: broken, cut, changed, and large.

use wire::anthropic_messages::lint::{LintOptions, lint};
use wire::{Finding, Severity};

use crate::fixture::{accepted, refused};

const HEAD: &str = r#"{"model":"claude-sonnet-4-5","max_tokens":64,"messages":["#;

fn judged(body: &str) -> Vec<Finding> {
    lint(body.as_bytes(), &LintOptions::default())
}

fn rules(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn a_body_that_is_not_json_says_where() {
    let findings = judged("{\"messages\":\n [}");
    assert_eq!(rules(&findings), ["A-004"]);
    assert_eq!(findings[0].offset, 15);
    assert_eq!(
        findings[0].message,
        "The request body is not valid JSON: unexpected character: line 2 column 3 (char 15)"
    );
    for body in ["", " ", "{", "\"a", "[1,]", "{}x"] {
        assert_eq!(rules(&judged(body)), ["A-004"], "{body}");
    }
    assert_eq!(rules(&lint(b"{\"a\":\"\xff\"}", &LintOptions::default())), ["A-004"]);
}

#[test]
fn a_body_that_is_no_object_is_refused_by_the_schema() {
    for body in ["[]", "1", "null", "\"a\""] {
        assert_eq!(rules(&judged(body)), ["A-003"], "{body}");
    }
}

#[test]
fn deeper_than_the_parser_goes_is_doubtful() {
    let deep = format!("{{\"messages\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let findings = judged(&deep);
    assert_eq!(rules(&findings), ["A-004"]);
    assert_eq!(findings[0].severity, Severity::Warning);
}

#[test]
fn half_a_surrogate_pair_is_named_with_its_string() {
    let body = |text: &str| format!(r#"{HEAD}{{"role":"user","content":"{text}"}}]}}"#);
    let findings = judged(&body(r"é\ud83d"));
    assert_eq!(rules(&findings), ["A-004"]);
    assert_eq!(findings[0].path, "messages.0.content");
    assert_eq!(findings[0].severity, Severity::Error);
    let column = HEAD.len() + r#"{"role":"user","content":"é"#.chars().count();
    assert_eq!(
        findings[0].message,
        format!(
            "The request body is not valid JSON: no low surrogate in string: line 1 column {} \
             (char {column})",
            column + 1
        )
    );
    assert!(judged(&body(r"a\udc00b"))[0].message.contains("invalid high surrogate in string"));
    assert_eq!(rules(&judged(&body(r"\ud83d\ud83d\ude00"))), ["A-004"]);
    for whole in [r"\ud83d\ude00", r"\\ud83d", r"\\\\ud83d x", r"\u00e9"] {
        assert!(judged(&body(whole)).is_empty(), "{whole}");
    }
}

#[test]
fn a_body_over_32_megabytes_is_too_large() {
    let text = |bytes: usize| {
        let around = format!(r#"{HEAD}{{"role":"user","content":""}}]}}"#).len();
        format!(r#"{HEAD}{{"role":"user","content":"{}"}}]}}"#, "x".repeat(bytes - around))
    };
    assert!(judged(&text(32 << 20)).is_empty());
    assert_eq!(rules(&judged(&text((32 << 20) + 1))), ["A-002"]);
}

#[test]
fn more_than_100_000_messages_are_too_many() {
    let body = |count: usize| {
        let one = r#"{"role":"user","content":"a"},"#.repeat(count);
        format!("{HEAD}{}]}}", one.trim_end_matches(','))
    };
    assert!(judged(&body(100_000)).is_empty());
    assert_eq!(rules(&judged(&body(100_001))), ["A-001"]);
}

#[test]
fn more_than_10_000_tools_are_too_many() {
    let body = |count: usize| {
        let tools: Vec<String> = (0..count)
            .map(|n| format!(r#"{{"name":"t{n}","input_schema":{{"type":"object"}}}}"#))
            .collect();
        let tools = tools.join(",");
        format!(r#"{HEAD}{{"role":"user","content":"a"}}],"tools":[{tools}]}}"#)
    };
    assert!(judged(&body(10_000)).is_empty());
    assert_eq!(rules(&judged(&body(10_001))), ["A-048"]);
}

#[test]
fn a_hundred_thousand_parallel_calls_are_judged_one_by_one() {
    let calls: Vec<String> = (0..100_000)
        .map(|n| format!(r#"{{"type":"tool_use","id":"t{n}","name":"ls","input":{{}}}}"#))
        .collect();
    let results: Vec<String> = (0..100_000)
        .rev()
        .map(|n| format!(r#"{{"type":"tool_result","tool_use_id":"t{n}"}}"#))
        .collect();
    let body = |results: &[String]| {
        let (calls, results) = (calls.join(","), results.join(","));
        let asked = r#"{"role":"user","content":"a"}"#;
        let called = format!(r#"{{"role":"assistant","content":[{calls}]}}"#);
        let answered = format!(r#"{{"role":"user","content":[{results}]}}"#);
        format!("{HEAD}{asked},{called},{answered}]}}")
    };
    assert!(judged(&body(&results)).is_empty());
    let findings = judged(&body(&results[1..]));
    assert_eq!(rules(&findings), ["A-030"]);
    assert!(findings[0].message.contains("after: t99999."));
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
        let doc = json::Doc::parse_str(&fixture.body).expect("a fixture is JSON");
        let mut spans = Vec::new();
        collect(doc.root(), &mut spans);
        for (start, end) in spans {
            for value in VALUES {
                let body = format!("{}{value}{}", &fixture.body[..start], &fixture.body[end..]);
                for finding in lint(body.as_bytes(), &LintOptions::default()) {
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
