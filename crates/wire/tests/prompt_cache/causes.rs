//! The first unit that differs, the byte, and why.

use wire::prompt_cache::Cause;

use crate::fixture::{claudes, compared, each};

#[test]
fn each_cause_is_named_with_its_unit() {
    let mut causes = Vec::new();
    each(include_str!("causes.jsonl"), |line| {
        let name = line.get_str("name").expect("a name");
        let text = |member: &str| line.get_str(member).map(std::borrow::Cow::into_owned);
        let body = |member: &str| line.get(member).expect(member).raw();
        let (dialect, model) = (text("dialect").expect("one"), text("model").expect("one"));
        let compared = compared(body("before"), body("after"), &dialect, &model);
        let moved = compared.moves.first().expect(&name);
        assert_eq!(Some(&moved.unit), text("unit").as_ref(), "{name}");
        assert_eq!(Some(moved.cause.as_str()), text("cause").as_deref(), "{name}");
        assert_eq!(moved.detail, text("detail"), "{name}");
        assert_eq!(moved.instead_of, text("instead_of"), "{name}");
        if let Some(path) = text("path") {
            assert_eq!(moved.path, path, "{name}");
        }
        if let Some(level) = text("level") {
            assert_eq!(moved.level.as_str(), level, "{name}");
        }
        causes.push(moved.cause);
    });
    let all = [
        Cause::Model,
        Cause::ToolsAdded,
        Cause::ToolsRemoved,
        Cause::ToolsReplaced,
        Cause::ToolsReordered,
        Cause::ToolRenamed,
        Cause::ToolDescription,
        Cause::ToolMembersReordered,
        Cause::ToolChanged,
        Cause::SystemAdded,
        Cause::SystemRemoved,
        Cause::SystemClock,
        Cause::SystemChanged,
        Cause::ThoughtRemoved,
        Cause::Inserted,
        Cause::Removed,
        Cause::MembersReordered,
        Cause::Edited,
    ];
    for cause in all {
        assert!(causes.contains(&cause), "no fixture for {}", cause.as_str());
    }
}

#[test]
fn the_first_byte_that_differs_is_named_on_both_sides() {
    let before = r#"{"system":"You are A.","messages":[]}"#;
    let after = r#"{ "system": [{"type":"text","text":"You are B."}],"messages":[]}"#;
    let compared = claudes(before, after);
    let moved = &compared.moves[0];
    let (was, is) = (moved.before.as_ref().expect("one"), moved.after.as_ref().expect("one"));
    assert_eq!(&before[was.offset..was.offset + 2], "A.");
    assert_eq!(&after[is.offset..is.offset + 2], "B.");
    assert!(after[is.unit_offset..].starts_with(r#"{"type""#));
    assert_eq!(was.text, r#""You are A.""#);
    assert_eq!(moved.path, "system[0].text");
}

#[test]
fn an_escape_before_the_difference_and_a_wide_character_in_it_cut_nothing_apart() {
    let compared = claudes(r#"{"messages":["\u00e4 öx"]}"#, r#"{"messages":["ä öy"]}"#);
    assert_eq!(compared.moves[0].before.as_ref().expect("one").offset, 14);
    let compared = claudes(r#"{"messages":["é"]}"#, r#"{"messages":["è"]}"#);
    assert_eq!(compared.moves[0].after.as_ref().expect("one").offset, 14);
}

#[test]
fn what_is_only_spelled_otherwise_or_marked_does_not_differ() {
    let before = r#"{"system":"s","messages":[{"role":"user","content":"a/b"},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[
        {"type":"text","text":"x"}]}]}]}"#;
    let after = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a\/b",
        "cache_control":{"type":"ephemeral"}}]},{"role":"user","content":[{"type":"tool_result",
        "tool_use_id":"t","content":[{"type":"text","text":"x","cache_control":{"type":
        "ephemeral"}}]}]},{"role":"assistant","content":"b"}],"system":[{"type":"text","text":"s",
        "cache_control":{"type":"ephemeral","ttl":"1h"}}]}"#;
    let compared = claudes(before, after);
    assert!(compared.extends(), "{:?}", compared.moves);
    assert_eq!(compared.appended, 1);
    let (before, after) = (
        r#"{"messages":[{"role":"user","content":[{"text":"a"}]}]}"#,
        r#"{"messages":[{"role":"user","content":[{"text":"a"},{"cachePoint":{"type":"default"}}]},
        {"role":"assistant","content":[{"text":"b"}]}]}"#,
    );
    assert!(super::fixture::compared(before, after, "bedrock_converse", "").extends());
}

#[test]
fn a_mark_in_what_a_model_wrote_is_what_it_wrote() {
    let body = |mark: &str| {
        format!(
            r#"{{"messages":[{{"role":"assistant","content":[{{"type":"tool_use","id":"t",
            "name":"n","input":{{"a":{{"b":{{{mark}}}}}}}}}]}}]}}"#
        )
    };
    let compared = claudes(&body(""), &body(r#""cache_control":1"#));
    assert_eq!(compared.moves[0].path, "messages[0].content[0].input.a.b");
}

#[test]
fn each_part_of_the_cache_has_its_first_difference() {
    let compared = claudes(
        r#"{"tools":["a","b"],"messages":["u1","call it","r"]}"#,
        r#"{"tools":["b","a"],"messages":["u1","call","r","u2"]}"#,
    );
    let moves: Vec<_> = compared.moves.iter().map(|m| (m.unit.as_str(), m.cause)).collect();
    assert_eq!(moves, [("tools[0]", Cause::ToolsReordered), ("messages[1]", Cause::Edited)]);
    assert_eq!(compared.appended, 0);
}

#[test]
fn the_last_text_may_go_on_where_a_cache_goes_by_tokens() {
    let body = |text: &str, more: &str| {
        format!(r#"{{"messages":[{{"role":"user","content":"{text}"}}{more}]}}"#)
    };
    let one = body("a", "");
    for (model, dialect, extends) in [
        ("gpt-4o", "openai_chat", true),
        ("gemini-3-flash-preview", "gemini", true),
        ("claude-sonnet-4-5", "anthropic_messages", false),
    ] {
        let more = r#",{"role":"assistant","content":"b"}"#;
        assert_eq!(compared(&one, &body("a b", more), dialect, model).extends(), extends);
        assert!(!compared(&one, &body("b a", more), dialect, model).extends());
        assert!(!compared(&body("a", more), &body("a b", more), dialect, model).extends());
    }
}

#[test]
fn a_member_that_no_cache_is_known_to_hang_on_is_named_beside() {
    let compared = claudes(
        r#"{"max_tokens":1,"stream":true,"metadata":{"a":1},"messages":[]}"#,
        r#"{"max_tokens":2,"stream":true,"temperature":0,"metadata":{ "a": 1 },"messages":[]}"#,
    );
    assert!(compared.extends());
    assert_eq!(compared.parameters, ["max_tokens", "temperature"]);
}

#[test]
fn every_member_that_differs_is_named_as_a_unit_or_beside() {
    for (dialect, before, after, named) in [
        (
            "gemini",
            r#"{"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},"contents":[]}"#,
            r#"{"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},"contents":[]}"#,
            "toolConfig.functionCallingConfig",
        ),
        (
            "bedrock_converse",
            r#"{"toolConfig":{"tools":[]},"messages":[]}"#,
            r#"{"toolConfig":{"tools":[],"toolChoice":{"any":{}}},"messages":[]}"#,
            "toolConfig.toolChoice",
        ),
        (
            "openai_responses",
            r#"{"reasoning":{"effort":"low","summary":"auto"},"input":[]}"#,
            r#"{"reasoning":{"effort":"low","summary":"detailed"},"input":[]}"#,
            "reasoning.summary",
        ),
        (
            "anthropic_messages",
            r#"{"messages":[]}"#,
            r#"{"output_config":{"task_budget":{"total":1}},"messages":[]}"#,
            "output_config.task_budget",
        ),
        ("anthropic_messages", r#"{"messages":[],"input":1}"#, r#"{"messages":[]}"#, "input"),
        ("openai_responses", r#"{"text":1,"input":[]}"#, r#"{"input":[]}"#, "text"),
    ] {
        let compared = compared(before, after, dialect, "");
        assert!(compared.extends(), "{named}: {:?}", compared.moves);
        assert_eq!(compared.parameters, [named]);
    }
}

#[test]
fn twelve_thousand_members_are_looked_at_once_each() {
    let body = |value: u32| {
        let members: Vec<String> = (0..12_000).map(|n| format!(r#""k{n}":{value}"#)).collect();
        format!(r#"{{{},"messages":[]}}"#, members.join(","))
    };
    assert_eq!(claudes(&body(1), &body(2)).parameters.len(), 12_000);
}
