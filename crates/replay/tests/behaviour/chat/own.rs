//! Rows of the caller's own: whatever they say together is written so that they take it.

use record::{Block, Message, ResultPart, Role};
use replay::{Now, Refusal, Target};
use wire::openai_chat::vendors::{
    AskToThink, Charset, Grammar, OPENAI, ReasoningKey, Takes, UNKNOWN, Vendor,
};

use super::{answer, asked, body, outline, prepare, thought};
use crate::history::{History, call, changes, pixel, result, result_of};

/// A vendor of one's own, with a model that changes nothing.
fn own(row: Vendor) -> Target {
    Target::openai_chat_by("gate", row, "somebody-9")
}

fn like_openai(row: Vendor) -> Target {
    own(Vendor { serves_openai: false, ask_to_think: None, ..row })
}

const CHARSETS: [Charset; 4] =
    [Charset::Any, Charset::Word, Charset::LetterFirst, Charset::Alphanumeric];

/// Limits and exact lengths with room, and without.
const ROOM: [(Option<usize>, Option<usize>); 8] = [
    (None, None),
    (Some(8), None),
    (Some(20), None),
    (Some(100), None),
    (None, Some(8)),
    (None, Some(9)),
    (Some(64), Some(64)),
    (Some(12), Some(12)),
];
const NO_ROOM: [(Option<usize>, Option<usize>); 4] =
    [(Some(7), None), (None, Some(2)), (None, Some(65)), (Some(9), Some(10))];

fn grammar(charset: Charset, (max_len, exact_len): (Option<usize>, Option<usize>)) -> Grammar {
    Grammar { charset, max_len, exact_len, others: Takes::No }
}

/// C-005: an id was made as `call_` and 24 digits until one fitted, so for ever.
#[test]
fn an_id_is_made_of_whatever_alphabet_and_length_a_row_has() {
    let mut history = History::default();
    history.user("go");
    let long = "i|".repeat(60);
    for id in [long.as_str(), "call_1", &long] {
        history.reply(vec![call(id, "ls", "{}")]);
        history.results(vec![result(id, "A")]);
    }
    for charset in CHARSETS {
        for lengths in ROOM {
            let target = like_openai(Vendor { ids: grammar(charset, lengths), ..OPENAI });
            let shown = asked(&history, &target);
            let id = |at: usize| shown["messages"][at]["tool_calls"][0]["id"].to_string();
            assert!(id(1) != id(3) && id(3) != id(5) && id(1) != id(5), "{charset:?} {lengths:?}");
        }
        for lengths in NO_ROOM {
            let target = like_openai(Vendor { ids: grammar(charset, lengths), ..OPENAI });
            let refused = history.prepare_for(target, &Now::default());
            assert!(matches!(refused, Err(Refusal::CannotCarry { rule: "C-005", .. })));
        }
    }
    let mut quiet = History::default();
    quiet.user("go");
    let none = Vendor { ids: grammar(Charset::Word, (Some(3), None)), ..OPENAI };
    assert_eq!(outline(&asked(&quiet, &like_openai(none))), "user: text");
}

/// C-010: a name was made with `_` and up to 58 characters, whatever the row says.
#[test]
fn a_tools_name_is_made_of_whatever_alphabet_and_length_a_row_has() {
    let mut history = History::default();
    let names = ["mcp__files__read_a_file", "mcp__files__read_b_file", "7.7"];
    history.fact(crate::system::head(&names, &[]));
    history.user("go");
    history.reply(vec![call("a", names[0], "{}"), call("b", "", "{}")]);
    history.results(vec![result("a", "A"), result("b", "B")]);
    for charset in CHARSETS {
        for lengths in ROOM {
            let tool_names = grammar(charset, lengths);
            let target = like_openai(Vendor { tool_names, ..OPENAI });
            let shown = asked(&history, &target);
            let name = |tool: usize| &shown["tools"][tool]["function"]["name"];
            assert!(name(0) != name(1) && name(1) != name(2), "{tool_names:?}");
            let called = &shown["messages"][1]["tool_calls"][0]["function"]["name"];
            assert_eq!(called, name(0), "{tool_names:?}");
        }
        for lengths in NO_ROOM {
            let tool_names = grammar(charset, lengths);
            let target = like_openai(Vendor { tool_names, ..OPENAI });
            let refused = history.prepare_for(target, &Now::default());
            assert!(matches!(refused, Err(Refusal::CannotCarry { rule: "C-010", .. })));
        }
    }
}

/// C-010, K-032: the tool that does nothing as well.
#[test]
fn the_stand_in_goes_by_a_name_of_the_rows() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    let tool_names = grammar(Charset::Alphanumeric, (Some(10), None));
    let row = Vendor { tool_names, calls_without_tools: Takes::No, ..OPENAI };
    let shown = asked(&history, &like_openai(row));
    assert_eq!(shown["tool_choice"], "none");
}

/// C-029
#[test]
fn a_round_of_several_calls_is_a_record_where_a_row_takes_one() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    history.reply(vec![Block::text("both"), call("b", "ls", "{}"), call("c", "cat", "{}")]);
    history.results(vec![result("b", "B"), result("c", "C")]);
    history.user("on");
    let calls = |parallel_calls, user_after_tool| {
        let row = Vendor { parallel_calls, user_after_tool, ..OPENAI };
        outline(&asked(&history, &like_openai(row)))
    };
    let one = "user: text; assistant: call; tool: text; assistant: text; ";
    assert_eq!(calls(Takes::No, Takes::Yes), format!("{one}user: text; user: text"));
    assert_eq!(calls(Takes::No, Takes::No), format!("{one}user: text; user: text"));
    assert!(calls(Takes::Yes, Takes::Yes).contains("assistant: text call call"));
}

/// K-041, K-005: a text was a string and the image beside it another user message.
#[test]
fn an_image_stands_in_the_message_of_its_neighbours_where_a_row_takes_no_two() {
    let mut history = History::default();
    history.user("look");
    history.message(Message::new(Role::User, vec![Block::text("see"), Block::Image(pixel())]));
    history.reply(vec![call("a", "shot", "{}")]);
    history.results(vec![result_of("a", vec![ResultPart::Image(pixel())], false)]);
    history.user("on");
    for parts_user in [Takes::Doubtful, Takes::No] {
        let row = Vendor { images: Takes::Yes, users_in_a_row: Takes::No, parts_user, ..UNKNOWN };
        let shown = asked(&history, &own(row));
        assert_eq!(outline(&shown), "user: text text image_url text text image_url text");
    }
}

/// A row whose reasoning is due beside calls, and nothing empty may stand for it.
fn remembers(ask_to_think: Option<AskToThink>, key: ReasoningKey) -> Target {
    own(Vendor {
        reasoning_key: Some(key),
        ask_to_think,
        calls_without_reasoning: Takes::No,
        reasoning_empty: Takes::No,
        parts_assistant: Takes::Yes,
        unknown_keys: Takes::Yes,
        serves_openai: false,
        ..OPENAI
    })
}

/// K-020: `thinking` was written whatever the row says.
#[test]
fn thinking_is_turned_off_in_the_form_of_the_row() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    for (ask, key, off) in [
        (AskToThink::Thinking, "thinking", serde_json::json!({ "type": "disabled" })),
        (AskToThink::EnableThinking, "enable_thinking", false.into()),
        (AskToThink::Reasoning, "reasoning", serde_json::json!({ "enabled": false })),
        (
            AskToThink::Template,
            "chat_template_kwargs",
            serde_json::json!({ "enable_thinking": false }),
        ),
    ] {
        for place in [ReasoningKey::ReasoningContent, ReasoningKey::ThinkingPart] {
            let target = remembers(Some(ask), place);
            let prepared = prepare(&history, &target);
            let shown = body(&target, &prepared);
            assert_eq!(shown[key], off, "{ask:?} {place:?}");
            assert_eq!(outline(&shown), "user: text; assistant: call; tool: text");
            assert!(changes(prepared.request.report()).contains(&"THINKING_TURNED_OFF"));
        }
    }
}

/// K-020
#[test]
fn a_round_without_its_reasoning_is_a_record_where_thinking_cannot_be_turned_off() {
    for (key, name) in [
        (ReasoningKey::ReasoningContent, "reasoning_content"),
        (ReasoningKey::ReasoningDetails, "reasoning"),
        (ReasoningKey::ThinkingPart, "content"),
    ] {
        let target = remembers(None, key);
        let mut history = History::default();
        history.user("go");
        history.reply(vec![call("a", "ls", "{}")]);
        history.results(vec![result("a", "A")]);
        answer(&mut history, &target, vec![thought(name, "hm"), call("b", "ls", "{}")]);
        history.results(vec![result("b", "B")]);
        let prepared = prepare(&history, &target);
        let shown = body(&target, &prepared);
        let outline = outline(&shown);
        assert!(outline.starts_with("user: text; user: text; assistant: "), "{key:?} {outline}");
        assert!(outline.ends_with("call; tool: text"), "{key:?} {outline}");
        assert!(!changes(prepared.request.report()).contains(&"THINKING_TURNED_OFF"));
    }
}
