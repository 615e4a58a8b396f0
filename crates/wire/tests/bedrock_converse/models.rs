//! The rows of the families: what each changes, told by what the linter says to small requests.

use std::collections::BTreeSet;

use wire::Severity;
use wire::bedrock_converse::lint::{LintOptions, lint};
use wire::bedrock_converse::models::{MODELS, UNKNOWN, claude_model, model};

const A: &str = r#"{"role":"user","content":[{"text":"a"}]}"#;
const X: &str = r#"{"role":"assistant","content":[{"text":"x"}]}"#;
const CALL: &str = r#"{"toolUse":{"toolUseId":"abcDEF123","name":"ls","input":{}}}"#;
const TOOLS: &str = r#""toolConfig":{"tools":[{"toolSpec":{"name":"ls","inputSchema":{"json":{"type":"object"}}}}]}"#;
const PNG: &str = r#"{"image":{"format":"png","source":{"bytes":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}}"#;
const DOC: &str = r#"{"document":{"format":"txt","name":"d","source":{"bytes":"aGk="}}}"#;
const BUCKET: &str = r#"{"image":{"format":"png","source":{"s3Location":{"uri":"s3://b/a.png"}}}}"#;

/// A result that holds this, behind its call.
fn returned(part: &str, more: &str) -> String {
    let result =
        format!(r#"{{"toolResult":{{"toolUseId":"abcDEF123","content":[{part}]{more}}}}}"#);
    format!(
        r#""messages":[{A},{{"role":"assistant","content":[{CALL}]}},{{"role":"user","content":[{result}]}}],{TOOLS}"#
    )
}

/// What is asked of every family: a sign, and the request the sign stands for.
fn probes() -> Vec<(char, String)> {
    let text = r#"{"text":"ok"}"#;
    vec![
        ('f', format!(r#""messages":[{X},{A}]"#)),
        ('n', format!(r#""messages":[{A},{A}]"#)),
        ('p', format!(r#""messages":[{A},{X}]"#)),
        ('9', returned(text, "").replace("abcDEF123", "tooluse_1")),
        ('s', returned(text, r#","status":"error""#)),
        (
            'b',
            returned(text, "").replace(CALL, &format!(r#"{{"text":"x"}},{CALL}"#)),
        ),
        ('i', format!(r#""messages":[{{"role":"user","content":[{PNG}]}}]"#)),
        ('r', returned(PNG, "")),
        ('d', returned(DOC, "")),
        ('k', format!(r#""messages":[{{"role":"user","content":[{BUCKET}]}}]"#)),
        ('q', returned(BUCKET, "")),
        (
            't',
            format!(
                r#""messages":[{A},{{"role":"assistant","content":[{{"reasoningContent":{{"reasoningText":{{"text":"t"}}}}}},{{"text":"x"}}]}},{A}]"#
            ),
        ),
        (
            'z',
            format!(
                r#""messages":[{A},{{"role":"assistant","content":[{{"reasoningContent":{{"reasoningText":{{"text":"t","signature":"c2ln"}}}}}},{{"text":"x"}}]}},{A}]"#
            ),
        ),
        (
            'c',
            r#""messages":[{"role":"user","content":[{"text":"a"},{"cachePoint":{"type":"default"}}]}]"#
                .to_owned(),
        ),
        ('o', format!(r#""messages":[{A}],"system":[{{"text":"s"}}]"#)),
        (
            'w',
            format!(
                r#""messages":[{A},{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"t1","name":"n","input":{{}},"type":"server_tool_use"}}}},{{"toolResult":{{"toolUseId":"t1","content":[{{"text":"1"}}],"type":"n_result"}}}},{{"text":"x"}}]}},{A}],{TOOLS}"#
            ),
        ),
    ]
}

/// The signs of the probes each family takes: in capitals what is doubtful; what is refused is
/// left out. `9` is an id that is not Mistral's, `!` one that is doubtful.
#[rustfmt::skip]
const ROWS: &[(&str, &str)] = &[
    ("anthropic.claude", "fNP9sbirdzco"),
    ("anthropic.claude-3-opus", "fNp9sbirdzo"),
    ("anthropic.claude-3-sonnet", "fNp9sbirdzo"),
    ("anthropic.claude-3-haiku", "fNp9sbirdzo"),
    ("anthropic.claude-3-5-sonnet", "fNp9sbirdzCo"),
    ("anthropic.claude-v2", "fNP9sbzo"),
    ("anthropic.claude-instant", "fNP9sbzo"),
    ("amazon.nova", "P9sbirDkCow"),
    ("amazon.nova-micro", "P9sbDCow"),
    ("amazon.titan", "P9SbDTW"),
    ("meta.llama", "P9SIRdKQTo"),
    ("meta.llama3-2-11b", "P9SirdKQTo"),
    ("meta.llama3-2-90b", "P9SirdKQTo"),
    ("meta.llama4", "P9SirdKQTo"),
    ("mistral.", "PSIdKTo"),
    ("mistral.mistral-7b", "PSdT"),
    ("mistral.mixtral", "PSdT"),
    ("mistral.pixtral", "PSidKTo"),
    ("writer.palmyra", "P9IRDKQTo"),
    ("deepseek.", "P9SbIRDKQToW"),
    ("deepseek.r1", "P9SbRDQoW"),
    ("qwen.", "fP9SbIKToW"),
    ("zai.", "fP9SbIKToW"),
    ("moonshot.", "fP9SbIKToW"),
    ("moonshotai.", "fP9SbIKToW"),
];

/// The signs of the probes that a model takes.
fn signs(name: &str) -> String {
    let mut signs = String::new();
    for (sign, body) in probes() {
        let findings = lint(format!("{{{body}}}").as_bytes(), &LintOptions { model: Some(name) });
        match findings.iter().map(|finding| finding.severity).min() {
            None => signs.push(sign),
            Some(Severity::Warning) if sign == '9' => signs.push('!'),
            Some(Severity::Warning) => signs.push(sign.to_ascii_uppercase()),
            Some(Severity::Error) => {}
        }
    }
    signs
}

#[test]
fn every_row_changes_what_the_linter_says_as_the_table_has_it() {
    let rows: BTreeSet<&str> = MODELS.iter().map(|model| model.id).collect();
    assert_eq!(rows.len(), MODELS.len(), "each name once");
    assert_eq!(rows, ROWS.iter().map(|(id, _)| *id).collect());
    let wrong: Vec<String> = ROWS
        .iter()
        .map(|(id, known)| (id, known, signs(id)))
        .filter(|(_, known, said)| **known != said)
        .map(|(id, known, said)| format!("{id}: {said}, not {known}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn whatever_some_family_refuses_is_doubtful_of_one_nobody_knows() {
    assert_eq!(signs("somebody.new-v1:0"), "FNP!SBIRDKQTZCOW");
    assert!(
        model("arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/ab12")
            .is_unknown()
    );
    assert!(UNKNOWN.is_unknown());
}

#[test]
fn a_row_is_found_under_a_region_and_in_an_arn_and_the_longest_counts() {
    for (name, id) in [
        ("anthropic.claude-opus-4-5-20251101-v1:0", "anthropic.claude"),
        ("us.anthropic.claude-opus-4-5-20251101-v1:0", "anthropic.claude"),
        ("global.anthropic.claude-opus-5", "anthropic.claude"),
        (
            "arn:aws:bedrock:us-east-1:123456789012:inference-profile/eu.amazon.nova-micro-v1:0",
            "amazon.nova-micro",
        ),
        (
            "arn:aws:bedrock:us-east-1::foundation-model/mistral.pixtral-large-2502-v1:0",
            "mistral.pixtral",
        ),
        ("claude-opus-5", ""),
        ("xx.anthropic.claude-opus-5", ""),
    ] {
        assert_eq!(model(name).id, id, "{name}");
    }
    let arn =
        "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-sonnet-4-5-20250929-v1:0";
    assert_eq!(claude_model(arn).id, "claude-sonnet-4-5");
}
