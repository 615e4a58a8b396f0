//! The rows of the vendors: what each takes, told by what the linter says to one small body for
//! every field, and that every field in which a row differs from OpenAI's is felt.

use std::collections::BTreeMap;

use json::Doc;
use wire::openai_chat::lint::{LintOptions, lint};
use wire::openai_chat::rules::WORDS;
use wire::openai_chat::vendors::{OPENAI, Takes, UNKNOWN, VENDORS, Vendor, canonical, vendor};
use wire::{Finding, Severity};

use crate::fixture::{accepted, probes, refused};

/// The rules a body breaks, a doubtful one with a question mark.
fn said(body: &str, vendor: &Vendor) -> Vec<String> {
    let sign = |finding: Finding| match finding.severity {
        Severity::Error => finding.rule.to_owned(),
        Severity::Warning => format!("{}?", finding.rule),
    };
    let findings = lint(body.as_bytes(), &LintOptions { vendor, model: None });
    findings.into_iter().map(sign).collect()
}

#[test]
fn every_row_says_what_is_written_down_for_it() {
    let written: BTreeMap<String, String> = include_str!("vendors.jsonl")
        .lines()
        .map(|line| {
            let doc = Doc::parse_str(line).expect("a line is JSON");
            let name = doc.root().get_str("vendor").expect("a vendor").into_owned();
            (name, line.to_owned())
        })
        .collect();
    let mut wrong = Vec::new();
    for (name, row) in VENDORS.iter().chain(&[("", UNKNOWN)]) {
        let answers = probes().into_iter().map(|(sign, body)| (sign, said(&body, row)));
        let answers: Vec<String> = answers
            .filter(|(_, rules)| !rules.is_empty())
            .map(|(sign, rules)| format!("{sign:?}:{:?}", rules.join(" ")))
            .collect();
        let line = format!("{{\"vendor\":{name:?},{}}}", answers.join(","));
        if written.get(*name) != Some(&line) {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "not as written down:\n{}", wrong.join("\n"));
    assert_eq!(written.len(), VENDORS.len() + 1);
}

/// A field by name, and the first row with the second's field, if they differ in it.
type Field = (&'static str, fn(&Vendor, &Vendor) -> Option<Vendor>);

macro_rules! fields {
    ($($field:ident)*) => {
        &[$((stringify!($field), |a, b| {
            (a.$field != b.$field).then_some(Vendor { $field: b.$field, ..*a })
        })),*]
    };
}

const FIELDS: &[Field] = fields! {
    form ids id_reuse tool_names arguments_not_json arguments_not_object parallel_calls developer
    system_after_user system_after_reply systems_in_a_row tools_in_system users_in_a_row
    assistants_in_a_row user_after_tool last_assistant prefill_key prefill_unmarked no_user
    null_content no_content parts_user parts_assistant parts_tool empty_lists empty_text
    empty_assistant images image_urls images_in_results images_max files reasoning_key
    calls_without_reasoning reasoning_empty refusal unknown_keys tool_message_name message_name
    cache_marks tools_max tool_choice_required strict no_parameters calls_without_tools
    max_completion_tokens stop_max serves_openai
};

#[test]
fn every_field_in_which_a_row_differs_from_the_original_is_felt() {
    let bodies: Vec<String> = probes().into_iter().map(|(_, body)| body).collect();
    for (name, row) in VENDORS {
        for (field, replaced) in FIELDS {
            let Some(other) = replaced(row, &OPENAI) else { continue };
            let felt = bodies.iter().any(|body| said(body, row) != said(body, &other));
            assert!(felt, "{name}.{field}");
        }
    }
}

#[test]
fn no_field_is_left_out_of_the_list() {
    // All fields at once give the other row, but for the words it refuses in, and for how it is
    // asked to think, which no linter hears.
    for (name, row) in VENDORS {
        let all =
            FIELDS.iter().fold(UNKNOWN, |made, (_, replaced)| replaced(&made, row).unwrap_or(made));
        let (wording, ask_to_think) = (row.wording, row.ask_to_think);
        assert_eq!(Vendor { wording, ask_to_think, ..all }, *row, "{name}");
    }
}

#[test]
fn every_wording_is_heard() {
    for (name, row) in VENDORS {
        let other = Vendor { wording: OPENAI.wording, ..*row };
        let heard = |body: &str, vendor: &Vendor| {
            let options = LintOptions { vendor, model: None };
            let findings = lint(body.as_bytes(), &options);
            findings.into_iter().map(|finding| finding.message).collect::<Vec<_>>()
        };
        let mut bodies = refused().into_iter().chain(accepted()).map(|fixture| fixture.body);
        let own = WORDS.iter().all(|words| words.0 != row.wording);
        assert!(own || bodies.any(|body| heard(&body, row) != heard(&body, &other)), "{name}");
    }
}

#[test]
fn the_unknown_row_is_as_strict_as_every_other() {
    // Another form of messages is another body.
    for (name, row) in VENDORS.iter().filter(|(_, row)| row.form == UNKNOWN.form) {
        // Which parameters a model takes is asked of OpenAI's alone.
        for (sign, body) in probes().into_iter().filter(|(sign, _)| sign != "serves_openai") {
            // Where reasoning is due elsewhere, no body pleases everyone.
            let refused = said(&body, row).into_iter().filter(|rule| !rule.starts_with("K-020"));
            if refused.count() > 0 {
                assert!(!said(&body, &UNKNOWN).is_empty(), "{name} {sign}");
            }
        }
    }
}

#[test]
fn a_row_of_ones_own_is_a_literal_over_another() {
    let own = Vendor { user_after_tool: Takes::Yes, strict: Takes::No, ..UNKNOWN };
    let strict = probes().into_iter().find(|(sign, _)| sign == "strict").expect("a probe").1;
    assert_eq!(said(&strict, &own), ["K-034"]);
}

#[test]
fn a_row_is_found_by_the_names_people_write() {
    for (name, row) in VENDORS {
        assert_eq!(vendor(name), Some(row));
    }
    for (alias, name) in [("Kimi", "moonshot"), ("z.ai", "zai"), ("DashScope", "qwen")] {
        assert_eq!(vendor(alias), vendor(name));
    }
    assert!(vendor("nobody").is_none());
}

#[test]
fn a_row_is_found_by_its_host() {
    for (host, name) in [
        ("api.openai.com", "openai"),
        ("my-resource.openai.azure.com", "azure"),
        ("openrouter.ai", "openrouter"),
        ("API.DeepSeek.com", "deepseek"),
        ("api.mistral.ai", "mistral"),
        ("api.groq.com", "groq"),
        ("api.x.ai", "xai"),
        ("api.cerebras.ai", "cerebras"),
        ("api.moonshot.ai", "moonshot"),
        ("api.moonshot.cn", "moonshot"),
        ("dashscope.aliyuncs.com", "qwen"),
        ("dashscope-intl.aliyuncs.com", "qwen"),
        ("api.z.ai", "zai"),
        ("open.bigmodel.cn", "zai"),
        ("api.minimax.io", "minimax"),
        ("api.minimaxi.com", "minimax"),
        ("api.together.xyz", "together"),
        ("api.fireworks.ai", "fireworks"),
    ] {
        assert_eq!(canonical(host), Some(name), "{host}");
    }
    for other in ["", "notapi.openai.com", "api.openai.com.example.org", "localhost"] {
        assert_eq!(canonical(other), None, "{other}");
    }
}
