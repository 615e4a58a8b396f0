//! What is the same said otherwise, and what only looks so.

use wire::prompt_cache::{Cause, OMITTED};

use crate::fixture::{claudes, compared};

const CLAUDE: &str = "claude-sonnet-4-5";
const CLAUDE_ON_BEDROCK: &str = "anthropic.claude-sonnet-4-5-20250929-v1:0";

fn path_of(before: &str, after: &str, dialect: &str, model: &str) -> String {
    let compared = compared(before, after, dialect, model);
    compared.moves.first().map(|moved| moved.path.clone()).unwrap_or_default()
}

#[test]
fn what_only_has_the_name_of_a_mark_is_compared() {
    let of = |body: &str, dialect: &str, path: &str| {
        let (before, after) = (body.replace("VALUE", "no-store"), body.replace("VALUE", "max-age"));
        assert_eq!(path_of(&before, &after, dialect, ""), path);
        // Come or gone as well.
        assert!(
            !path_of(&body.replace(r#""cache_control":"VALUE""#, ""), &after, dialect, "")
                .is_empty()
        );
    };
    let call = r#"{"type":"tool_use","id":"t","name":"n","input":{"cache_control":"VALUE"}}"#;
    let body = format!(r#"{{"messages":[{{"role":"assistant","content":[{call}]}}]}}"#);
    of(&body, "anthropic_messages", "messages[0].content[0].input.cache_control");
    let part = r#"{"functionCall":{"name":"n","args":{"cache_control":"VALUE"}}}"#;
    let body = format!(r#"{{"contents":[{{"role":"model","parts":[{part}]}}]}}"#);
    of(&body, "gemini", "contents[0].parts[0].functionCall.args.cache_control");
    let schema = r#"{"properties":{"cache_control":"VALUE"}}"#;
    let body = format!(r#"{{"tools":[{{"name":"n","input_schema":{schema}}}],"messages":[]}}"#);
    of(&body, "anthropic_messages", "tools[0].input_schema.properties.cache_control");
    let body = r#"{"messages":[],"additionalModelRequestFields":{"cache_control":"VALUE"}}"#;
    let path = "additionalModelRequestFields.cache_control";
    assert_eq!(
        path_of(&body.replace("VALUE", "a"), body, "bedrock_converse", CLAUDE_ON_BEDROCK),
        path
    );
}

#[test]
fn a_cache_point_in_arguments_is_an_argument() {
    let body = |points: &str| {
        format!(
            r#"{{"messages":[{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"t",
            "name":"n","input":{{"list":[{points}]}}}}}}]}}]}}"#
        )
    };
    let (before, after) = (body(""), body(r#"{"cachePoint":1}"#));
    let path = path_of(&before, &after, "bedrock_converse", "");
    assert_eq!(path, "messages[0].content[0].toolUse.input.list[0]");
}

#[test]
fn a_mark_on_a_block_of_a_result_or_a_document_says_nothing() {
    let mark = r#","cache_control":{"type":"ephemeral"}"#;
    let text = |mark: &str| format!(r#"{{"type":"text","text":"x"{mark}}}"#);
    for block in [
        r#"{"type":"document","source":{"type":"content","content":[TEXT]}}"#,
        r#"{"type":"tool_result","tool_use_id":"t","content":[TEXT]}"#,
    ] {
        let body = |mark: &str| {
            let block = block.replace("TEXT", &text(mark));
            format!(r#"{{"messages":[{{"role":"user","content":[{block}]}}]}}"#)
        };
        let compared = claudes(&body(mark), &body(""));
        assert!(compared.extends() && !compared.cost.is_unmarked, "{block}");
    }
    let output = |mark: &str| {
        let part = format!(r#"{{"type":"input_text","text":"x"{mark}}}"#);
        format!(
            r#"{{"input":[{{"type":"function_call_output","call_id":"c","output":[{part}]}}]}}"#
        )
    };
    let mark = r#","prompt_cache_breakpoint":{"mode":"explicit"}"#;
    assert_eq!(path_of(&output(mark), &output(""), "openai_responses", "gpt-5.6-terra"), "");
}

#[test]
fn nothing_but_the_text_of_a_content_goes_on() {
    let message = |more: &str| format!(r#"{{"messages":[{{{more}}}]}}"#);
    for (before, after) in [
        (r#""role":"tool","content":"x","tool_call_id":"call_1""#, "call_1"),
        (r#""role":"user","content":"x","name":"bob""#, "bob"),
        (r#""role":"user","content":"x","images":["AAAA"]"#, "AAAA"),
    ] {
        let (before, after) =
            (message(before), message(&before.replace(after, &format!("{after}2"))));
        assert!(!compared(&before, &after, "openai_chat", "gpt-4o").extends(), "{after}");
    }
    let (before, after) =
        (r#"{"model":"large","messages":[]}"#, r#"{"model":"large-2","messages":[]}"#);
    assert!(!compared(before, after, "openai_chat", "").extends());
    let (before, after) = (
        message(r#""role":"user","content":"\ud800""#),
        message(r#""role":"user","content":"\ud801""#),
    );
    for dialect in ["openai_chat", "anthropic_messages"] {
        assert!(!compared(&before, &after, dialect, "").extends(), "{dialect}");
    }
}

#[test]
fn a_text_is_one_in_each_form_its_api_has() {
    let hi = r#"{"input":"hi"}"#;
    for other in [
        r#"{"input":[{"role":"user","content":"hi"}]}"#,
        r#"{"input":[{"role":"user","content":[{"type":"input_text","text":"hi"}]}]}"#,
        r#"{"input":[{"type":"message","role":"user","content":"hi"}]}"#,
    ] {
        for (before, after) in [(hi, other), (other, hi)] {
            let compared = compared(before, after, "openai_responses", "gpt-5");
            assert!(compared.extends() && compared.appended == 0, "{other}: {:?}", compared.moves);
        }
        let ho = other.replace("hi", "ho");
        let moved = path_of(hi, &ho, "openai_responses", "gpt-5");
        assert!(moved.starts_with("input[0].content"), "{moved}");
        assert_eq!(path_of(&ho, hi, "openai_responses", "gpt-5"), "input");
    }
    let said = r#"{"input":[{"role":"assistant","content":"hi"}]}"#;
    assert_eq!(path_of(hi, said, "openai_responses", "gpt-5"), "input[0].role");
    let (one, other) = (
        r#"{"input":[{"role":"user","content":[{"type":"input_text","text":"a"}]}]}"#,
        r#"{"input":[{"role":"user","content":[{"type":"output_text","text":"a"}]}]}"#,
    );
    assert_eq!(path_of(one, other, "openai_responses", "gpt-5"), "input[0].content[0].type");
}

#[test]
fn both_spellings_of_geminis_are_one() {
    let one = r#"{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"parts":[{"text":"a"}]}],
        "tools":[{"functionDeclarations":[{"name":"f"}]}]}"#;
    let other = r#"{"system_instruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user",
        "parts":[{"text":"a"}]}],"tools":[{"function_declarations":[{"name":"f"}]}]}"#;
    assert_eq!(path_of(one, other, "gemini", ""), "");
    let changed = other.replace(r#""s""#, r#""t""#);
    assert_eq!(path_of(one, &changed, "gemini", ""), "system_instruction.parts[0].text");
    let changed = other.replace(r#""f""#, r#""g""#);
    assert_eq!(path_of(one, &changed, "gemini", ""), "tools[0].function_declarations[0].name");
    let beside = one.replace(r#"{"functionDecl"#, r#"{"googleSearch":{},"functionDecl"#);
    assert_eq!(path_of(one, &beside, "gemini", ""), "tools[0].googleSearch");
}

#[test]
fn every_parameter_that_says_what_leaving_it_out_says_moves_nothing() {
    for (dialect, path, value) in OMITTED {
        let model = match *dialect {
            "anthropic_messages" => CLAUDE,
            "bedrock_converse" => CLAUDE_ON_BEDROCK,
            _ => "gpt-5",
        };
        let body = |value: &str| {
            let inner = |inner: String, name: &&str| format!(r#"{{"{name}":{inner}}}"#);
            path.iter().rev().fold(value.to_owned(), inner)
        };
        for (before, after) in [("{}".to_owned(), body(value)), (body("null"), body(value))] {
            assert_eq!(path_of(&before, &after, dialect, model), "", "{after}");
            assert_eq!(path_of(&after, &before, dialect, model), "", "{after}");
        }
        let other = body(r#"{"type":"other"}"#);
        assert_eq!(path_of("{}", &other, dialect, model), path.join("."));
    }
    assert_eq!(OMITTED.len(), 5);
    // A model that thinks where nothing is said.
    let off = r#"{"thinking":{"type":"disabled"}}"#;
    assert_eq!(path_of("{}", off, "anthropic_messages", "claude-sonnet-5"), "thinking");
}

#[test]
fn a_number_that_is_spelled_otherwise_is_edited_and_not_reordered() {
    let body = |input: &str| {
        format!(
            r#"{{"messages":[{{"role":"assistant","content":[{{"type":"tool_use","id":"t",
            "name":"n","input":{input}}}]}}]}}"#
        )
    };
    let cause = |before: &str, after: &str| claudes(&body(before), &body(after)).moves[0].cause;
    assert_eq!(cause(r#"{"a":1.0,"b":2}"#, r#"{"a":1,"b":2}"#), Cause::Edited);
    assert_eq!(cause(r#"{"a":1.0,"b":2}"#, r#"{"b":2,"a":1}"#), Cause::Edited);
    assert_eq!(
        cause(r#"{"a":1,"b":[{"c":1,"d":2}]}"#, r#"{"b":[{"d":2,"c":1}],"a":1}"#),
        Cause::MembersReordered
    );
}

#[test]
fn a_date_in_words_is_one_and_a_number_in_a_path_is_none() {
    let cause = |before: &str, after: &str| {
        let body = |system: &str| format!(r#"{{"system":"{system}","messages":[]}}"#);
        claudes(&body(before), &body(after)).moves[0].cause
    };
    assert_eq!(cause("Today is March 2, 2026.", "Today is March 3, 2026."), Cause::SystemClock);
    assert_eq!(cause("Today is March 31.", "Today is April 1."), Cause::SystemClock);
    assert_eq!(cause("Work in /srv/1000/a", "Work in /srv/2000/a"), Cause::SystemChanged);
    assert_eq!(cause("Build 1.2/1234", "Build 1.2/1235"), Cause::SystemChanged);
}
