//! The rows of the vendors: what each takes, told by what the linter says to one small body for
//! every field, and that every field in which a row differs from OpenAI's is felt.

use std::collections::BTreeMap;

use json::Doc;
use wire::openai_chat::lint::{LintOptions, lint};
use wire::openai_chat::vendors::{OPENAI, Takes, UNKNOWN, VENDORS, Vendor, vendor};
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

/// Each field by name: whether two rows differ in it, and the first row with the second's field.
#[rustfmt::skip]
const FIELDS: &[(&str, fn(&Vendor, &Vendor) -> Option<Vendor>)] = &[
    ("ids", |a, b| (a.ids != b.ids).then(|| Vendor { ids: b.ids, ..*a })),
    ("id_reuse", |a, b| (a.id_reuse != b.id_reuse).then(|| Vendor { id_reuse: b.id_reuse, ..*a })),
    ("tool_names", |a, b| (a.tool_names != b.tool_names).then(|| Vendor { tool_names: b.tool_names, ..*a })),
    ("arguments_not_json", |a, b| (a.arguments_not_json != b.arguments_not_json).then(|| Vendor { arguments_not_json: b.arguments_not_json, ..*a })),
    ("arguments_not_object", |a, b| (a.arguments_not_object != b.arguments_not_object).then(|| Vendor { arguments_not_object: b.arguments_not_object, ..*a })),
    ("parallel_calls", |a, b| (a.parallel_calls != b.parallel_calls).then(|| Vendor { parallel_calls: b.parallel_calls, ..*a })),
    ("developer", |a, b| (a.developer != b.developer).then(|| Vendor { developer: b.developer, ..*a })),
    ("system_after_user", |a, b| (a.system_after_user != b.system_after_user).then(|| Vendor { system_after_user: b.system_after_user, ..*a })),
    ("system_after_reply", |a, b| (a.system_after_reply != b.system_after_reply).then(|| Vendor { system_after_reply: b.system_after_reply, ..*a })),
    ("systems_in_a_row", |a, b| (a.systems_in_a_row != b.systems_in_a_row).then(|| Vendor { systems_in_a_row: b.systems_in_a_row, ..*a })),
    ("tools_in_system", |a, b| (a.tools_in_system != b.tools_in_system).then(|| Vendor { tools_in_system: b.tools_in_system, ..*a })),
    ("users_in_a_row", |a, b| (a.users_in_a_row != b.users_in_a_row).then(|| Vendor { users_in_a_row: b.users_in_a_row, ..*a })),
    ("assistants_in_a_row", |a, b| (a.assistants_in_a_row != b.assistants_in_a_row).then(|| Vendor { assistants_in_a_row: b.assistants_in_a_row, ..*a })),
    ("user_after_tool", |a, b| (a.user_after_tool != b.user_after_tool).then(|| Vendor { user_after_tool: b.user_after_tool, ..*a })),
    ("last_assistant", |a, b| (a.last_assistant != b.last_assistant).then(|| Vendor { last_assistant: b.last_assistant, ..*a })),
    ("prefill_key", |a, b| (a.prefill_key != b.prefill_key).then(|| Vendor { prefill_key: b.prefill_key, ..*a })),
    ("prefill_unmarked", |a, b| (a.prefill_unmarked != b.prefill_unmarked).then(|| Vendor { prefill_unmarked: b.prefill_unmarked, ..*a })),
    ("no_user", |a, b| (a.no_user != b.no_user).then(|| Vendor { no_user: b.no_user, ..*a })),
    ("null_content", |a, b| (a.null_content != b.null_content).then(|| Vendor { null_content: b.null_content, ..*a })),
    ("no_content", |a, b| (a.no_content != b.no_content).then(|| Vendor { no_content: b.no_content, ..*a })),
    ("parts_user", |a, b| (a.parts_user != b.parts_user).then(|| Vendor { parts_user: b.parts_user, ..*a })),
    ("parts_assistant", |a, b| (a.parts_assistant != b.parts_assistant).then(|| Vendor { parts_assistant: b.parts_assistant, ..*a })),
    ("parts_tool", |a, b| (a.parts_tool != b.parts_tool).then(|| Vendor { parts_tool: b.parts_tool, ..*a })),
    ("empty_lists", |a, b| (a.empty_lists != b.empty_lists).then(|| Vendor { empty_lists: b.empty_lists, ..*a })),
    ("empty_text", |a, b| (a.empty_text != b.empty_text).then(|| Vendor { empty_text: b.empty_text, ..*a })),
    ("empty_assistant", |a, b| (a.empty_assistant != b.empty_assistant).then(|| Vendor { empty_assistant: b.empty_assistant, ..*a })),
    ("images", |a, b| (a.images != b.images).then(|| Vendor { images: b.images, ..*a })),
    ("image_urls", |a, b| (a.image_urls != b.image_urls).then(|| Vendor { image_urls: b.image_urls, ..*a })),
    ("images_in_results", |a, b| (a.images_in_results != b.images_in_results).then(|| Vendor { images_in_results: b.images_in_results, ..*a })),
    ("images_max", |a, b| (a.images_max != b.images_max).then(|| Vendor { images_max: b.images_max, ..*a })),
    ("files", |a, b| (a.files != b.files).then(|| Vendor { files: b.files, ..*a })),
    ("reasoning_key", |a, b| (a.reasoning_key != b.reasoning_key).then(|| Vendor { reasoning_key: b.reasoning_key, ..*a })),
    ("calls_without_reasoning", |a, b| (a.calls_without_reasoning != b.calls_without_reasoning).then(|| Vendor { calls_without_reasoning: b.calls_without_reasoning, ..*a })),
    ("reasoning_empty", |a, b| (a.reasoning_empty != b.reasoning_empty).then(|| Vendor { reasoning_empty: b.reasoning_empty, ..*a })),
    ("refusal", |a, b| (a.refusal != b.refusal).then(|| Vendor { refusal: b.refusal, ..*a })),
    ("unknown_keys", |a, b| (a.unknown_keys != b.unknown_keys).then(|| Vendor { unknown_keys: b.unknown_keys, ..*a })),
    ("tool_message_name", |a, b| (a.tool_message_name != b.tool_message_name).then(|| Vendor { tool_message_name: b.tool_message_name, ..*a })),
    ("message_name", |a, b| (a.message_name != b.message_name).then(|| Vendor { message_name: b.message_name, ..*a })),
    ("cache_marks", |a, b| (a.cache_marks != b.cache_marks).then(|| Vendor { cache_marks: b.cache_marks, ..*a })),
    ("tools_max", |a, b| (a.tools_max != b.tools_max).then(|| Vendor { tools_max: b.tools_max, ..*a })),
    ("tool_choice_required", |a, b| (a.tool_choice_required != b.tool_choice_required).then(|| Vendor { tool_choice_required: b.tool_choice_required, ..*a })),
    ("strict", |a, b| (a.strict != b.strict).then(|| Vendor { strict: b.strict, ..*a })),
    ("no_parameters", |a, b| (a.no_parameters != b.no_parameters).then(|| Vendor { no_parameters: b.no_parameters, ..*a })),
    ("calls_without_tools", |a, b| (a.calls_without_tools != b.calls_without_tools).then(|| Vendor { calls_without_tools: b.calls_without_tools, ..*a })),
    ("max_completion_tokens", |a, b| (a.max_completion_tokens != b.max_completion_tokens).then(|| Vendor { max_completion_tokens: b.max_completion_tokens, ..*a })),
    ("stop_max", |a, b| (a.stop_max != b.stop_max).then(|| Vendor { stop_max: b.stop_max, ..*a })),
    ("serves_openai", |a, b| (a.serves_openai != b.serves_openai).then(|| Vendor { serves_openai: b.serves_openai, ..*a })),
];

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
    // All fields at once give the other row, but for the words it refuses in.
    for (name, row) in VENDORS {
        let all =
            FIELDS.iter().fold(UNKNOWN, |made, (_, replaced)| replaced(&made, row).unwrap_or(made));
        assert_eq!(Vendor { wording: row.wording, ..all }, *row, "{name}");
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
        let own = row.wording == OPENAI.wording
            || wire::openai_chat::rules::WORDS.iter().all(|words| words.0 != row.wording);
        assert!(own || bodies.any(|body| heard(&body, row) != heard(&body, &other)), "{name}");
    }
}

#[test]
fn the_unknown_row_is_as_strict_as_every_other() {
    for (name, row) in VENDORS {
        for (sign, body) in probes() {
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
