//! The model rows: what each accepts, told by what the linter says to small requests.

use std::collections::BTreeSet;

use wire::anthropic_messages::lint::{LintOptions, lint};
use wire::anthropic_messages::models::{
    Binding, DEFAULT_MODEL, MODELS, Model, UNKNOWN, WhenOmitted, model,
};

const HI: &str = r#"{"role":"user","content":"hi"}"#;

/// What is asked of every model: a sign, and the request that the sign stands for.
const PROBES: &[(char, &str)] = &[
    ('a', r#""messages":[HI],"thinking":{"type":"adaptive"}"#),
    ('e', r#""messages":[HI],"thinking":{"type":"enabled","budget_tokens":1024}"#),
    ('d', r#""messages":[HI],"thinking":{"type":"disabled"}"#),
    ('D', r#""messages":[HI],"thinking":{"type":"disabled"},"output_config":{"effort":"max"}"#),
    ('b', r#""messages":[HI],"thinking":{"type":"between_tools"}"#),
    ('f', r#""messages":[HI],"tools":[LS],"tool_choice":{"type":"any"}"#),
    ('F', r#""messages":[HI],"tools":[LS],"tool_choice":{"type":"any"},OFF"#),
    ('s', r#""messages":[HI,{"role":"system","content":"x"}]"#),
    ('p', r#""messages":[HI,{"role":"assistant","content":"x"}]"#),
    ('t', r#""messages":[HI],"temperature":0.5"#),
    ('T', r#""messages":[HI],"temperature":0.5,"top_p":0.5"#),
    ('l', r#""messages":[HI],"output_config":{"effort":"low"}"#),
    ('m', r#""messages":[HI],"output_config":{"effort":"max"}"#),
    ('x', r#""messages":[HI],"output_config":{"effort":"xhigh"}"#),
];

/// The signs of the probes each model takes without a finding, `max_tokens` up to, the smallest
/// cached prefix, images, whether thinking is bound (`B`, `-`, `?`) and all of it kept (`K`).
#[rustfmt::skip]
const ROWS: &[(&str, &str, u32, u32, u32, &str)] = &[
    ("claude-fable-5-2",       "aslmx",       128_000,  512, 600, "BK"),
    ("claude-mythos-5-2",      "aslmx",       128_000,  512, 600, "BK"),
    ("claude-fable-5-1",       "aslmx",       128_000,  512, 600, "BK"),
    ("claude-mythos-5-1",      "aslmx",       128_000,  512, 600, "BK"),
    ("claude-opus-5-5",        "aslmx",       128_000,  512, 600, "BK"),
    ("claude-sonnet-5-5",      "abslmx",      128_000,  512, 600, "BK"),
    ("claude-haiku-5-5",       "adFslmx",     128_000,  512, 600, "BK"),
    ("claude-fable-5",         "aslmx",       128_000,  512, 600, "-K"),
    ("claude-mythos-5",        "aslmx",       128_000,  512, 600, "-K"),
    ("claude-mythos-preview",  "alm",         128_000, 4096, 100, "?K"),
    ("claude-opus-5",          "adFslmx",     128_000,  512, 600, "-K"),
    ("claude-sonnet-5",        "adDFlmx",     128_000, 1024, 600, "-K"),
    ("claude-opus-4-8",        "adDfFslmx",   128_000, 1024, 600, "-K"),
    ("claude-opus-4-7",        "adDfFlmx",    128_000, 2048, 600, "-K"),
    ("claude-opus-4-6",        "aedDfFtlm",   128_000, 4096, 600, "-K"),
    ("claude-sonnet-4-6",      "aedDfFtlm",   128_000, 1024, 600, "-K"),
    ("claude-opus-4-5",        "edfFptl",      64_000, 4096, 100, "-K"),
    ("claude-sonnet-4-5",      "edfFpt",       64_000, 1024, 100, "-"),
    ("claude-haiku-4-5",       "edfFpt",       64_000, 4096, 100, "-"),
    ("claude-opus-4-1",        "edfFptT",      32_000, 1024, 100, "-"),
    ("claude-opus-4-0",        "edfFptT",      32_000, 1024, 100, "-"),
    ("claude-sonnet-4-0",      "edfFptT",      64_000, 1024, 100, "-"),
    ("claude-3-7-sonnet",      "edfFptT",     128_000, 1024, 100, "-"),
    ("claude-3-5-sonnet",      "dfFptT",        8_192, 1024, 100, "-"),
    ("claude-3-5-haiku",       "dfFptT",        8_192, 2048, 100, "-"),
    ("claude-3-opus",          "dfFptT",        4_096, 1024, 100, "-"),
    ("claude-3-sonnet",        "dfFptT",        4_096, 1024, 100, "-"),
    ("claude-3-haiku",         "dfFptT",        4_096, 2048, 100, "-"),
    ("claude-nobody-knows",    "",             32_000, 4096, 100, "?"),
];

fn takes(name: &str, parameters: &str, max_tokens: u32) -> bool {
    let body = format!("{{\"model\":\"{name}\",\"max_tokens\":{max_tokens},{parameters}}}")
        .replace("HI", HI)
        .replace("OFF", r#""thinking":{"type":"disabled"}"#)
        .replace("LS", r#"{"name":"ls","input_schema":{"type":"object"}}"#);
    lint(body.as_bytes(), &LintOptions::default()).is_empty()
}

#[test]
fn each_model_takes_what_its_row_says() {
    for (name, signs, max_tokens, cached, images, thinking) in ROWS {
        let taken: String = PROBES
            .iter()
            .filter(|(_, parameters)| takes(name, parameters, 2048))
            .map(|(sign, _)| *sign)
            .collect();
        assert_eq!(taken, *signs, "{name}");
        assert!(takes(name, r#""messages":[HI]"#, *max_tokens), "{name}");
        assert!(!takes(name, r#""messages":[HI]"#, max_tokens + 1), "{name}");
        let row = model(name);
        assert_eq!((row.cache_tokens_min, row.images_max), (*cached, *images), "{name}");
        let binds = match row.binds_thinking {
            Binding::Yes => "B",
            Binding::No => "-",
            Binding::Unknown => "?",
        };
        let kept = if row.keeps_all_thinking { "K" } else { "" };
        assert_eq!(format!("{binds}{kept}"), *thinking, "{name}");
    }
}

#[test]
fn every_row_is_told_from_the_unknown_one() {
    let named: BTreeSet<&str> = ROWS.iter().map(|(name, ..)| *name).collect();
    for row in MODELS {
        assert!(named.contains(row.id), "{} has no expectation", row.id);
        assert_eq!(model(row.id), row, "{} is found by its id", row.id);
        assert_ne!(Model { id: "", ..*row }, UNKNOWN, "{} says nothing", row.id);
    }
    assert_eq!(model("claude-nobody-knows"), &UNKNOWN);
}

#[test]
fn readers_are_known_models_and_not_the_model_itself() {
    for row in MODELS {
        for read in row.reads {
            assert!(MODELS.iter().any(|other| other.id == *read && other.id != row.id), "{read}");
        }
    }
    assert!(model("claude-opus-5-5").reads.contains(&"claude-opus-5"));
    assert!(model("claude-haiku-5-5").reads.is_empty());
    assert!(
        MODELS.iter().all(|row| {
            !row.reads.contains(&"claude-fable-5-2") || row.id == "claude-mythos-5-2"
        })
    );
}

#[test]
fn names_are_read_as_platforms_write_them() {
    let names = [
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("anthropic/claude-sonnet-4.6", "claude-sonnet-4-6"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        ("global.anthropic.claude-opus-4-6-v1", "claude-opus-4-6"),
        ("anthropic.claude-3-haiku-20240307-v1:0", "claude-3-haiku"),
        ("claude-3-5-sonnet-v2@20241022", "claude-3-5-sonnet"),
        ("claude-haiku-4-5@20251001", "claude-haiku-4-5"),
        ("claude-3-7-sonnet-latest", "claude-3-7-sonnet"),
        ("claude-3.5-haiku", "claude-3-5-haiku"),
        ("claude-opus-4-20250514", "claude-opus-4-0"),
        ("claude-sonnet-4-0", "claude-sonnet-4-0"),
        ("claude-sonnet-5", "claude-sonnet-5"),
        ("claude-sonnet-5-5", "claude-sonnet-5-5"),
        ("claude-sonnet-5-5-5", ""),
        ("my-claude-sonnet-5", ""),
        ("claude-sonnet", ""),
        ("notanthropic.claude-sonnet-5", ""),
        ("", ""),
    ];
    for (name, id) in names {
        assert_eq!(model(name).id, id, "{name}");
    }
}

#[test]
fn the_default_is_served_and_not_bound() {
    let row = model(DEFAULT_MODEL);
    assert_eq!(row.binds_thinking, Binding::No);
    assert_eq!(row.thinking_when_omitted, WhenOmitted::DoesNotThink);
}
