//! Tokens and thoughts that are lost, and what they cost.

use json::Doc;
use wire::prompt_cache::{Api, Basis, Comparison, LOOK_BACK_BLOCKS, compare};

use crate::fixture::{claudes, compared};

const MARK: &str = r#","cache_control":{"type":"ephemeral"}"#;

/// A text of as many tokens, as they are estimated: its block's words count with it.
fn words(tokens: usize) -> String {
    "word".repeat(tokens)
}

fn text(text: &str, mark: &str) -> String {
    format!(r#"{{"type":"text","text":"{text}"{mark}}}"#)
}

fn body(system: &str, content: &[String]) -> String {
    let content = content.join(",");
    format!(
        r#"{{"model":"claude-sonnet-4-5","system":[{system}],
        "messages":[{{"role":"user","content":[{content}]}}]}}"#
    )
}

#[test]
fn what_stood_before_a_breakpoint_and_behind_the_difference_is_lost() {
    let long = words(4000);
    let content = [text(&long, MARK)];
    let before = body(&text(&words(2000), MARK), &content);
    let after = body(&text(&words(2000), MARK), &[text(&format!("x{long}"), MARK)]);
    let cost = claudes(&before, &after).cost;
    // The model's name, a role, and of each block its own words (type, text, text) beside it.
    let characters = 17 + (2000 * 4 + 12) + 4 + (4000 * 4 + 12);
    assert_eq!((cost.tokens_before, cost.tokens_cached), (characters / 4, characters / 4));
    assert_eq!(cost.tokens_kept, (17 + 2000 * 4 + 12 + 4) / 4);
    assert_eq!(cost.tokens_lost, characters / 4 - (17 + 2000 * 4 + 12) / 4);
    assert_eq!(cost.basis, Basis::Estimate);
    // Written again at 3.75 instead of read at 0.30, in millionths of a dollar.
    let money = cost.money.expect("a price");
    assert_eq!((money.again, money.read), (3_750_000, 300_000));
    let exact = cost.tokens_again as f64 * 3.45;
    assert_eq!(cost.tokens_again, cost.tokens_lost);
    assert!((money.micro_dollars as f64 - exact).abs() <= 0.5);
}

#[test]
fn nothing_is_lost_of_what_no_breakpoint_kept_or_what_is_too_short() {
    let (one, other) = (words(4000), words(4001));
    let unmarked = claudes(&body("", &[text(&one, "")]), &body("", &[text(&other, "")])).cost;
    assert_eq!((unmarked.tokens_cached, unmarked.tokens_lost), (0, 0));
    assert!(unmarked.is_unmarked && unmarked.tokens_min == 1024);
    for (tokens, is_cached) in [(1000, false), (1030, true)] {
        let changed = text(&words(tokens), MARK).replacen("word", "Word", 1);
        let cost = claudes(&body("", &[text(&words(tokens), MARK)]), &body("", &[changed])).cost;
        assert_eq!((cost.tokens_lost > 0, cost.is_unmarked), (is_cached, false), "{tokens}");
    }
}

#[test]
fn a_breakpoint_further_ahead_than_the_look_back_finds_nothing() {
    for (more, is_lost) in [(LOOK_BACK_BLOCKS - 1, false), (LOOK_BACK_BLOCKS, true)] {
        let mut content = vec![text(&words(2000), MARK)];
        let before = body("", &content);
        content[0] = text(&words(2000), "");
        content.extend((1..more).map(|_| text("a", "")));
        content.push(text("a", MARK));
        let compared = claudes(&before, &body("", &content));
        assert!(compared.extends());
        assert_eq!(compared.appended, more as u64);
        assert_eq!(compared.cost.tokens_lost > 0, is_lost, "{more}");
        assert_eq!(compared.cost.is_out_of_reach, is_lost, "{more}");
    }
}

#[test]
fn what_is_lost_and_not_sent_again_is_not_paid_again() {
    let before = body("", &[text(&words(2000), MARK)]);
    let after = body("", &[text(&words(100), MARK)]);
    let cost = claudes(&before, &after).cost;
    assert_eq!(cost.tokens_lost, cost.tokens_before);
    assert_eq!(cost.tokens_again, (17 + 4 + 100 * 4 + 12) / 4);
    let longer = body("", &[text(&format!("x{}", words(9000)), MARK)]);
    let cost = claudes(&before, &longer).cost;
    assert_eq!(cost.tokens_again, cost.tokens_lost);
}

#[test]
fn a_cache_point_keeps_what_stands_before_it() {
    let body = |end: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"text":"{}"}},
            {{"cachePoint":{{"type":"default"}}}},{{"text":"{end}"}}]}}]}}"#,
            words(2000)
        )
    };
    let model = "anthropic.claude-sonnet-4-5-20250929-v1:0";
    let cost = compared(&body("a"), &body("b"), "bedrock_converse", model).cost;
    assert_eq!((cost.tokens_cached, cost.tokens_lost, cost.money), (2002, 0, None));
}

#[test]
fn what_is_kept_an_hour_costs_what_that_costs_and_unmarked_what_input_costs() {
    let hour = r#","cache_control":{"type":"ephemeral","ttl":"1h"}"#;
    for (mark, again) in [(hour, 6_000_000), (MARK, 3_750_000), ("", 3_000_000)] {
        let before = body("", &[text(&words(2000), hour)]);
        let after = body("", &[text("x", mark)]);
        let money = claudes(&before, &after).cost.money.expect("a price");
        assert_eq!((money.again, money.read), (again, 300_000), "{mark}");
    }
}

fn chats(model: &str, kept: usize, all: usize) -> Comparison {
    let body = |rest: &str| {
        let kept = words(kept);
        format!(r#"{{"messages":["{kept}","{rest}"]}}"#)
    };
    let rest = words(all - kept);
    compared(&body(&rest), &body(&format!("x{rest}")), "openai_chat", model)
}

#[test]
fn what_is_cached_by_itself_grows_in_steps_from_a_least_size_on() {
    let cost = chats("gpt-4o", 1300, 3000).cost;
    assert_eq!((cost.tokens_cached, cost.tokens_lost), (2944, 2944 - 1280));
    assert_eq!(chats("gpt-4o", 1000, 3000).cost.tokens_lost, 2944);
    assert_eq!(chats("gpt-4o", 500, 1000).cost.tokens_cached, 0);
    assert_eq!(chats("gpt-5.6-terra", 1300, 3000).cost.tokens_lost, 1700);
    assert_eq!(chats("gpt-6-sol", 1300, 3000).cost.tokens_lost, 1700);
    assert_eq!(chats("deepseek-v4-pro", 100, 1000).cost.tokens_lost, 960 - 64);
    assert_eq!(chats("mistral-large", 100, 1000).cost.tokens_lost, 900);
    let (one, other) = (words(1000), words(1030));
    for (text, kept) in [(one, 0), (other, 1030)] {
        let before = format!(r#"{{"contents":["{text}"]}}"#);
        let cost = compared(&before, "{}", "gemini", "gemini-3-flash-preview").cost;
        assert_eq!(cost.tokens_cached, kept);
    }
}

#[test]
fn a_model_in_no_row_has_no_price() {
    assert_eq!(chats("mistral-large", 100, 1000).cost.money, None);
    assert_eq!(chats("gpt-5-foo", 1300, 3000).cost.money, None);
    assert!(chats("gpt-5-2025-08-07", 1300, 3000).cost.money.is_some());
}

#[test]
fn calls_and_results_are_blocks_that_are_appended() {
    let before = r#"{"messages":[{"role":"user","content":"a"}]}"#;
    let after = r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,
        "reasoning_content":"hm","tool_calls":[{"id":"c","function":{"name":"n"}}]},
        {"role":"tool","tool_call_id":"c","content":"x"}]}"#;
    assert_eq!(compared(before, after, "openai_chat", "deepseek-v4-pro").appended, 3);
}

#[test]
fn a_long_prompt_costs_more() {
    let (short, long) = (chats("gpt-5.5", 1024, 2048).cost, chats("gpt-5.5", 1024, 272_001).cost);
    assert_eq!(short.money.map(|money| money.again), Some(5_000_000));
    assert_eq!(long.money.map(|money| (money.again, money.read)), Some((10_000_000, 1_000_000)));
}

#[test]
fn what_the_provider_counted_is_divided_in_proportion() {
    let (before, after) = (r#"{"messages":["aaaa","bbbb"]}"#, r#"{"messages":["aaaa","cccc"]}"#);
    let (before, after) =
        (Doc::parse_str(before).expect("JSON"), Doc::parse_str(after).expect("JSON"));
    let api = Api { dialect: "openai_chat", model: "a-model", tokens: Some(1000) };
    let cost = compare(before.root(), after.root(), &api).cost;
    assert_eq!((cost.basis, cost.tokens_before, cost.tokens_kept), (Basis::Usage, 1000, 500));
    assert_eq!(cost.tokens_lost, 500);
}

#[test]
fn pictures_and_seals_are_no_characters() {
    let data = "A".repeat(9000);
    let body = |end: &str| {
        format!(
            r#"{{"messages":[{{"type":"image","source":{{"type":"base64","data":"{data}"}}}},
            {{"type":"thinking","thinking":"hm","signature":"{data}"}},"{end}"]}}"#
        )
    };
    assert!(claudes(&body("a"), &body("b")).cost.tokens_before < 50);
}

#[test]
fn media_are_no_characters_in_any_api() {
    let data = "A".repeat(9000);
    let url = format!("data:image/png;base64,{data}");
    let user = |part: String| format!(r#"{{"messages":[{{"role":"user","content":[{part}]}}]}}"#);
    let chat = "openai_chat";
    for (dialect, body) in [
        (chat, user(format!(r#"{{"type":"image_url","image_url":{{"url":"{url}"}}}}"#))),
        (chat, user(format!(r#"{{"type":"file","file":{{"file_data":"{url}"}}}}"#))),
        (chat, user(format!(r#"{{"type":"video_url","video_url":{{"url":"{url}"}}}}"#))),
        (chat, format!(r#"{{"messages":[{{"role":"user","content":"a","images":["{data}"]}}]}}"#)),
        ("openai_responses", user(format!(r#"{{"type":"input_file","file_data":"{url}"}}"#))),
        (
            "openai_responses",
            format!(r#"{{"input":[{{"type":"image_generation_call","result":"{data}"}}]}}"#),
        ),
        ("gemini", user(format!(r#"{{"inlineData":{{"data":"{data}"}}}}"#))),
    ] {
        let cost = compared(&body, &body, dialect, "").cost;
        assert!(cost.tokens_before < 50, "{dialect}: {}", cost.tokens_before);
    }
    // An address is what it says, and so is what somebody wrote.
    let said = user(format!(r#"{{"type":"text","text":"{url}"}}"#));
    assert!(compared(&said, &said, chat, "").cost.tokens_before > 2000);
}

#[test]
fn a_thought_that_is_spelled_otherwise_is_still_sent() {
    let body =
        |thought: &str| format!(r#"{{"messages":[{{"role":"assistant","content":[{thought}]}}]}}"#);
    let compact = body(r#"{"type":"thinking","thinking":"a/b","signature":"s"}"#);
    let spread =
        body("{ \"type\": \"thinking\",\n \"thinking\": \"a\\/b\", \"signature\": \"s\" }");
    let compared = claudes(&compact, &spread);
    assert!(compared.extends(), "{:?}", compared.moves);
    assert_eq!(compared.thoughts.gone, 0);
}

#[test]
fn thoughts_that_went_are_counted_and_those_behind_a_change_where_they_are_bound() {
    let thought = |n: u32| format!(r#"{{"type":"thinking","thinking":"{n}","signature":"s"}}"#);
    let body = |system: &str, content: &str| {
        format!(
            r#"{{"system":"{system}","messages":[{{"role":"assistant","content":[{content}]}}]}}"#
        )
    };
    let two = [thought(1), thought(2)].join(",");
    let is = |before: &str, after: &str, model: &str| {
        let thoughts = compared(before, after, "anthropic_messages", model).thoughts;
        (thoughts.gone, thoughts.unbound)
    };
    assert_eq!(is(&body("a", &two), &body("a", &thought(2)), "claude-opus-4-8"), (1, 0));
    assert_eq!(is(&body("a", &two), &body("b", &two), "claude-opus-4-8"), (0, 0));
    assert_eq!(is(&body("a", &two), &body("b", &two), "claude-opus-5-5"), (0, 2));
    assert_eq!(is(&body("a", &two), &body("a", &two), "claude-opus-5-5"), (0, 0));
    let effort = body("a", &two).replacen('{', r#"{"thinking":{"type":"adaptive"},"#, 1);
    assert_eq!(is(&body("a", &two), &effort, "claude-opus-5-5"), (0, 0));
}
