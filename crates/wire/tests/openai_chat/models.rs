//! The model rows: what each changes, told by what the linter says to small requests.

use std::collections::BTreeSet;

use wire::Severity;
use wire::openai_chat::lint::{LintOptions, lint};
use wire::openai_chat::models::{Effort, Instructions, MODELS, UNKNOWN, model};
use wire::openai_chat::vendors::vendor;

const HI: &str = r#"{"role":"user","content":"hi"}"#;
const LS: &str = r#"{"type":"function","function":{"name":"ls","parameters":{}}}"#;
const CALLED: &str = concat!(
    r#"{"role":"assistant","content":"","tool_calls":[{"id":"call_1","type":"function","#,
    r#""function":{"name":"ls","arguments":"{}"}}]},"#,
    r#"{"role":"tool","tool_call_id":"call_1","content":"x"}"#
);
const IMAGE: &str = concat!(
    r#"{"role":"user","content":[{"type":"image_url","#,
    r#""image_url":{"url":"https://example.org/a.png"}}]}"#
);

/// What is asked of every model: a sign, the vendor, and the request the sign stands for.
const PROBES: &[(char, &str, &str)] = &[
    ('t', "openai", r#""messages":[HI],"tools":[LS]"#),
    ('e', "openai", r#""messages":[HI],"tools":[LS],"reasoning_effort":"low""#),
    ('m', "openai", r#""messages":[HI],"max_tokens":9"#),
    ('s', "openai", r#""messages":[{"role":"system","content":"s"},HI]"#),
    ('i', "openai", r#""messages":[IMAGE]"#),
    ('r', "moonshot", r#""messages":[HI,CALLED],"tools":[LS]"#),
    ('c', "moonshot", r#""messages":[HI,{"role":"system","content":"s"}]"#),
    ('k', "moonshot", r#""messages":[{"role":"system","tools":[LS]},HI]"#),
    ('n', "together", r#""messages":[HI,CALLED],"tools":[LS]"#),
    ('f', "together", r#""messages":[HI],"tools":[LS],"tool_choice":"required""#),
];

/// The signs of the probes each family takes: in capitals what is doubtful; what is refused is
/// left out.
#[rustfmt::skip]
const ROWS: &[(&str, &str)] = &[
    ("gpt-3.5-turbo", "temsRCKnf"),
    ("gpt-4", "temsRCKnf"),
    ("gpt-4-turbo", "temsiRCKnf"),
    ("gpt-4o", "temsiRCKnf"),
    ("chatgpt-4o", "temsiRCKnf"),
    ("gpt-4.1", "temsiRCKnf"),
    ("gpt-4.5", "temsiRCKnf"),
    ("o1-mini", "teRnf"),
    ("o1-preview", "teRnf"),
    ("o1", "tesiRCKnf"),
    ("o3", "tesiRCKnf"),
    ("o3-mini", "tesRCKnf"),
    ("o4-mini", "tesiRCKnf"),
    ("gpt-5", "tesiRCKnf"),
    ("gpt-5.1", "tesiRCKnf"),
    ("gpt-5.2", "tesiRCKnf"),
    ("gpt-5.3", "tesiRCKnf"),
    ("gpt-5.4", "tsiRcKnf"),
    ("gpt-5.5", "tsiRcKnf"),
    ("gpt-5.6", "siRcKnf"),
    ("gpt-6", "siRcKnf"),
    ("deepseek-reasoner", "temsiCKf"),
    ("deepseek-v4", "temsiCKf"),
    ("deepseek-v4-pro", "temsicKf"),
    ("deepseek-pro", "temsicKf"),
    ("deepseek-flash", "temsiCKf"),
    ("deepseek-chat", "temsirCKnf"),
    ("kimi-k2", "temsirCKnf"),
    ("kimi-k2-thinking", "temsiRCKNf"),
    ("kimi-k2.5", "temsiCKf"),
    ("kimi-k2.6", "temsicKf"),
    ("kimi-k2.7", "temsicKf"),
    ("kimi-k2.7-code", "temsicKf"),
    ("kimi-k3", "temsickf"),
    ("mimo", "temsiCKf"),
    ("qwen3-coder", "temsiRCKnF"),
    ("qwen-3-coder", "temsiRCKnF"),
    ("mistral", "temsiRCKNf"),
    ("magistral", "temsiRCKNf"),
    ("ministral", "temsiRCKNf"),
    ("devstral", "temsiRCKNf"),
    ("codestral", "temsiRCKNf"),
    ("pixtral", "temsiRCKNf"),
    ("somebody-9", "TEMsIRCKnf"),
];

fn signs(name: &str) -> String {
    let mut out = String::new();
    for (sign, host, request) in PROBES {
        let request = request.replace("HI", HI).replace("CALLED", CALLED);
        let request = request.replace("LS", LS).replace("IMAGE", IMAGE);
        let body = format!("{{\"model\":\"{name}\",{request}}}");
        let vendor = vendor(host).expect("a row");
        let findings = lint(body.as_bytes(), &LintOptions { vendor, model: None });
        match findings.iter().map(|finding| finding.severity).min() {
            None => out.push(*sign),
            Some(Severity::Warning) => out.push(sign.to_ascii_uppercase()),
            Some(Severity::Error) => {}
        }
    }
    out
}

#[test]
fn every_family_takes_what_is_written_down_for_it() {
    let mut wrong = Vec::new();
    for family in MODELS.iter().map(|model| model.id).chain(["somebody-9"]) {
        let signs = signs(family);
        let written = ROWS.iter().find(|(id, _)| *id == family);
        if written.map(|(_, signs)| *signs) != Some(signs.as_str()) {
            wrong.push(format!("    ({family:?}, {signs:?}),"));
        }
    }
    assert!(wrong.is_empty(), "not as written down:\n{}", wrong.join("\n"));
    assert_eq!(ROWS.len(), MODELS.len() + 1);
    let ids: BTreeSet<&str> = MODELS.iter().map(|model| model.id).collect();
    assert_eq!(ids.len(), MODELS.len(), "each name once");
}

#[test]
fn a_family_is_told_by_the_longest_start_of_a_name() {
    for (name, id) in [
        ("gpt-5.6-sol", "gpt-5.6"),
        ("gpt-5", "gpt-5"),
        ("openai/gpt-4o-mini", "gpt-4o"),
        ("o3-mini-2025-01-31", "o3-mini"),
        ("accounts/fireworks/models/kimi-k2p5", "kimi-k2.5"),
        ("moonshotai/Kimi-K2-Thinking", "kimi-k2-thinking"),
        ("deepseek/deepseek-v4-pro", "deepseek-v4-pro"),
        ("mistral:7b", "mistral"),
    ] {
        assert_eq!(model(name, true).id, id, "{name}");
    }
    for name in ["gpt-5.60", "gpt-4omni", "", "o1mini", "kimi-k2.55"] {
        assert_eq!(*model(name, true), UNKNOWN, "{name}");
        assert_ne!(*model(name, false), UNKNOWN, "{name}");
    }
}

#[test]
fn a_model_that_always_thinks_is_not_asked_not_to() {
    for (name, always) in
        [("kimi-k2.6", false), ("kimi-k2.7", false), ("kimi-k2.7-code", true), ("kimi-k3", true)]
    {
        assert_eq!(model(name, false).always_thinks, always, "{name}");
    }
}

#[test]
fn an_effort_is_said_to_models_that_have_one() {
    for (name, effort) in [
        ("gpt-4o", Effort::Never),
        ("o1-mini", Effort::Never),
        ("o3", Effort::Always),
        ("gpt-5.4", Effort::OrNone),
        ("gpt-6", Effort::OrNone),
        ("somebody-9", Effort::Never),
    ] {
        assert_eq!(model(name, true).effort, effort, "{name}");
    }
}

#[test]
fn reasoning_models_of_openai_take_instructions_from_the_developer() {
    assert_eq!(model("gpt-5.6", true).instructions, Instructions::Developer);
    assert_eq!(model("o1-mini", true).instructions, Instructions::Neither);
    assert_eq!(model("gpt-4o", true).instructions, Instructions::System);
}
