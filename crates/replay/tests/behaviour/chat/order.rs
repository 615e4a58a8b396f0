//! Which role may follow which, and who speaks where.

use record::{Block, Message, Role};
use replay::{MovedReason, Target};

use super::head::with_tools;
use super::{
    answer, asked, body, deepseek, mistral, openai, outline, part_at, prepare, send, text_at,
    unknown,
};
use crate::history::{History, call, changes, conversation, result};

fn called(history: &mut History, id: &str, text: Option<&str>) {
    let mut blocks: Vec<Block> = text.into_iter().map(Block::text).collect();
    blocks.push(call(id, "ls", "{}"));
    history.reply(blocks);
    history.results(vec![result(id, id)]);
}

/// K-042
#[test]
fn a_round_that_the_user_side_follows_is_a_record_where_no_user_message_may_follow_a_result() {
    let mut history = History::default();
    history.user("go");
    called(&mut history, "a", Some("I look."));
    called(&mut history, "b", None);
    history.user("stop");
    let prepared = prepare(&history, &mistral());
    let shown = body(&mistral(), &prepared);
    assert_eq!(
        outline(&shown),
        "user: text; assistant: text; user: text; user: text; user: text",
        "the round before has no words after it either"
    );
    assert!(text_at(&shown, 2).contains("ls was called with {}\n  result: a"));
    assert!(text_at(&shown, 3).contains("ls was called with {}\n  result: b"));
    assert!(changes(prepared.request.report()).contains(&"CALL_TOLD"));
    let other = asked(&history, &openai());
    assert_eq!(
        outline(&other),
        "user: text; assistant: text call; tool: text; assistant: call; tool: text; user: text"
    );
}

/// K-042
#[test]
fn a_round_stays_calls_and_results_while_the_model_speaks_next() {
    let mut history = History::default();
    history.user("go");
    called(&mut history, "a", None);
    called(&mut history, "b", Some("And there."));
    let native = "user: text; assistant: call; tool: text; assistant: text call; tool: text";
    assert_eq!(outline(&asked(&history, &mistral())), native);
    history.user("stop");
    assert_eq!(
        outline(&asked(&history, &mistral())),
        "user: text; assistant: call; tool: text; assistant: text; user: text; user: text"
    );
}

/// K-042
#[test]
fn a_round_that_was_sent_and_is_told_otherwise_has_moved_by_name() {
    for target in [mistral(), Target::openai_chat("openrouter", "mistral-large")] {
        let mut history = with_tools(&[r#"{"name":"ls"}"#]);
        called(&mut history, "a", None);
        let first = send(&mut history, &target);
        history.user("stop");
        let next = prepare(&history, &target);
        let moved = next.request.report().moved.expect("moved");
        assert_eq!(moved.reason, MovedReason::Capability);
        assert_eq!(moved.unit.to_string(), "messages[1].content[0]");
        let (told, now) = (conversation(&first), conversation(&next));
        let same = told.iter().zip(&now).take_while(|(told, now)| told == now).count() as u64;
        let since = now.len() as u64 - moved.cost.cache_bytes;
        assert!(moved.cost.cache_bytes > 0 && since <= same, "{target:?}: {since} of {same}");
        history.append(&next);
        answer(&mut history, &target, vec![Block::text("ok")]);
        history.user("on");
        let after = prepare(&history, &target);
        assert!(conversation(&after).starts_with(&conversation(&next)));
        assert!(after.request.report().moved.is_none());
        assert!(!conversation(&next).starts_with(&conversation(&first)));
    }
}

/// K-041
#[test]
fn neighbours_of_the_user_are_one_message_where_two_are_not_taken() {
    let mut history = History::default();
    history.user("one");
    history.message(Message::new(Role::User, vec![Block::text("two"), Block::text("three")]));
    let ollama = Target::openai_chat("ollama", "qwen3");
    for (target, expected) in [
        (openai(), "user: text; user: text text"),
        (deepseek(), "user: text; user: text"),
        (unknown(), "user: text"),
        (ollama, "user: text text text"),
    ] {
        assert_eq!(outline(&asked(&history, &target)), expected, "{target:?}");
    }
    assert_eq!(text_at(&asked(&history, &deepseek()), 1), "two\nthree");
    assert_eq!(text_at(&asked(&history, &unknown()), 0), "one\n\ntwo\nthree");
}

/// K-041
#[test]
fn what_follows_a_message_that_was_sent_joins_it_only_where_it_must() {
    for (target, joins) in [(unknown(), true), (openai(), false)] {
        let mut history = History::default();
        history.user("one");
        let first = send(&mut history, &target);
        history.user("two");
        let next = prepare(&history, &target);
        assert!(conversation(&next).starts_with(&conversation(&first)), "{target:?}");
        assert!(next.request.report().moved.is_none());
        let told = changes(next.request.report());
        assert_eq!(told.contains(&"MESSAGE_JOINED"), joins, "{target:?}");
        let shown = body(&target, &next);
        let messages = shown["messages"].as_array().map(Vec::len);
        assert_eq!(messages, Some(if joins { 1 } else { 2 }));
    }
}

/// K-041
#[test]
fn replies_in_a_row_have_a_prompt_between_them_where_two_are_not_taken() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![Block::text("one")]);
    history.reply(vec![Block::text("two")]);
    history.user("on");
    let apart = "user: text; assistant: text; user: text; assistant: text; user: text";
    assert_eq!(outline(&asked(&history, &mistral())), apart);
    let both = "user: text; assistant: text; assistant: text; user: text";
    assert_eq!(outline(&asked(&history, &openai())), both);
}

/// K-002
#[test]
fn the_operator_speaks_in_place_where_that_is_taken_and_else_in_a_note() {
    let mut history = History::default();
    history.system("Be brief.");
    history.user("go");
    history.system("Be kind.");
    history.reply(vec![Block::text("ok")]);
    history.system("Be quick.");
    history.user("on");
    let shown = asked(&history, &openai());
    assert_eq!(
        outline(&shown),
        "system: text; user: text; system: text; assistant: text; system: text; user: text"
    );
    assert_eq!(text_at(&shown, 2), "Be kind.");
    // It may speak after the user there, and not after a reply.
    let shown = asked(&history, &mistral());
    assert_eq!(
        outline(&shown),
        "system: text; user: text; system: text; assistant: text; user: text; user: text"
    );
    assert_eq!(text_at(&shown, 4), "[System note] Be quick.");
    let shown = asked(&history, &unknown());
    assert_eq!(outline(&shown), "system: text; user: text; assistant: text; user: text");
    assert_eq!(text_at(&shown, 1), "go\n\n[System note] Be kind.");
}

/// C-001, C-020
#[test]
fn nothing_stands_between_calls_and_their_results() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.system("Be kind.");
    history.user("wait");
    history.results(vec![result("a", "A")]);
    let shown = asked(&history, &openai());
    assert_eq!(
        outline(&shown),
        "user: text; assistant: call; tool: text; system: text; user: text"
    );
    assert_eq!(part_at(&shown, 4, 0), "wait");
}

/// K-040
#[test]
fn a_record_that_begins_with_the_assistant_gets_a_users_message_first() {
    let mut history = History::default();
    history.reply(vec![Block::text("hello")]);
    history.user("hi");
    assert_eq!(outline(&asked(&history, &openai())), "user: text; assistant: text; user: text");
}

/// K-030
#[test]
fn the_content_beside_calls_is_in_the_form_the_vendor_takes() {
    let mut history = History::default();
    history.user("go");
    called(&mut history, "a", None);
    for (target, content) in [
        (openai(), Some(serde_json::Value::Null)),
        (mistral(), None),
        (Target::openai_chat("qwen", "qwen3-max"), Some("".into())),
    ] {
        let shown = asked(&history, &target);
        assert_eq!(shown["messages"][1].get("content"), content.as_ref(), "{target:?}");
    }
}

/// C-011
#[test]
fn text_behind_a_call_has_moved_by_name_whatever_becomes_of_the_call() {
    for target in [super::openai(), super::mistral()] {
        let mut history = History::default();
        history.user("go");
        history.reply(vec![crate::history::call("a", "ls", "{}"), record::Block::text("done")]);
        history.results(vec![crate::history::result("a", "x")]);
        history.user("and?");
        let prepared = super::prepare(&history, &target);
        assert!(crate::history::changes(prepared.request.report()).contains(&"TEXT_MOVED"));
    }
}
