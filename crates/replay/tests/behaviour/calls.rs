//! Calls, ids and arguments.

use crate::history::{History, OPUS_4_8, body, call, changes, outline, result, text_at};

/// 51
#[test]
fn all_calls_of_a_reply_are_declared_in_one_message_with_its_text() {
    let mut history = History::default();
    history.user("look");
    history.reply(vec![record::Block::text("both"), call("a", "ls", "{}"), call("b", "ls", "{}")]);
    history.results(vec![result("b", "B")]);
    history.results(vec![result("a", "A")]);
    let body = history.body(OPUS_4_8);
    assert_eq!(
        outline(&body),
        "user: text; assistant: text tool_use tool_use; user: tool_result tool_result"
    );
    assert_eq!((text_at(&body, 2, 0), text_at(&body, 2, 1)), ("A", "B"));
}

/// 52
#[test]
fn a_whole_turn_in_one_row_is_one_declaration_then_its_results_then_its_text() {
    let mut history = History::default();
    history.user("look");
    history.reply(vec![
        call("a", "ls", "{}"),
        result("a", "A"),
        call("b", "ls", "{}"),
        result("b", "B"),
        record::Block::text("done"),
    ]);
    let body = history.body(OPUS_4_8);
    assert_eq!(
        outline(&body),
        "user: text; assistant: tool_use tool_use; user: tool_result tool_result; \
         assistant: text; user: text"
    );
    assert_eq!(text_at(&body, 3, 0), "done");
}

/// 54, 55
#[test]
fn an_unanswered_call_gets_one_error_that_claims_no_success() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "rm", "{}")]);
    history.user("go on");
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let body = body(&prepared);
    assert_eq!(outline(&body), "user: text; assistant: tool_use; user: tool_result text");
    let stand_in = &body["messages"][2]["content"][0];
    assert_eq!(stand_in["is_error"], true);
    let text = text_at(&body, 2, 0);
    assert!(text.contains("did not complete") && text.contains("may have run"), "{text}");
    for claim in ["success", "done", "finished", "ok"] {
        assert!(!text.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|w| w == claim));
    }
    assert_eq!(changes(prepared.request.report()), ["GAP_FILLED"]);
}

/// 56
#[test]
fn a_second_different_result_is_evidence_and_an_identical_one_is_ignored() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}"), call("b", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    history.results(vec![result("a", "A")]);
    history.results(vec![result("a", "other")]);
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let body = body(&prepared);
    assert_eq!(
        outline(&body),
        "user: text; assistant: tool_use tool_use; user: tool_result tool_result text"
    );
    assert_eq!(text_at(&body, 2, 0), "A");
    assert!(text_at(&body, 2, 1).contains("did not complete"));
    assert_eq!(text_at(&body, 2, 2), "Result (grep): other");
    let mut kinds = changes(prepared.request.report());
    kinds.sort_unstable();
    assert_eq!(kinds, ["GAP_FILLED", "RESULT_DUPLICATE", "RESULT_SECOND"]);
}

/// 57
#[test]
fn a_result_behind_a_user_row_is_moved_up_while_nothing_was_sent() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.user("and then?");
    history.results(vec![result("a", "A")]);
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    assert_eq!(
        outline(&body(&prepared)),
        "user: text; assistant: tool_use; user: tool_result text"
    );
    assert_eq!(changes(prepared.request.report()), ["RESULT_HOISTED"]);
}

/// 58, 59, 60, 79
#[test]
fn a_result_without_its_call_is_evidence_on_the_user_side() {
    let mut history = History::default();
    history.results(vec![
        result("x", "three matches"),
        crate::history::result_of("y", vec![record::ResultPart::Text("boom".into())], true),
    ]);
    history.user("so?");
    history.reply(vec![call("x", "ls", "{}")]);
    let body = history.body(OPUS_4_8);
    assert_eq!(outline(&body), "user: text text text; assistant: tool_use; user: tool_result");
    assert_eq!(text_at(&body, 0, 0), "Result (grep): three matches");
    assert_eq!(text_at(&body, 0, 1), "Error (grep): boom");
    assert!(text_at(&body, 2, 0).contains("did not complete"));
}

/// 77
#[test]
fn an_id_used_again_in_a_later_turn_is_rewritten_there_on_call_and_result() {
    let mut history = History::default();
    history.user("go");
    for (id, output) in [("c1", "one"), ("c1", "two"), ("c1_2", "three")] {
        history.reply(vec![call(id, "ls", "{}")]);
        history.results(vec![result(id, output)]);
    }
    let body = history.body(OPUS_4_8);
    let mut ids = Vec::new();
    for (round, output) in ["one", "two", "three"].iter().enumerate() {
        let call = body["messages"][1 + round * 2]["content"][0]["id"].as_str().expect("id");
        let answer = &body["messages"][2 + round * 2]["content"][0];
        assert_eq!(
            (answer["tool_use_id"].as_str(), answer["content"].as_str()),
            (Some(call), Some(*output))
        );
        ids.push(call.to_owned());
    }
    assert_eq!((ids[0].as_str(), ids[2].as_str()), ("c1", "c1_2"));
    assert!(ids[1] != "c1" && ids[1] != "c1_2");
}

/// 78
#[test]
fn an_id_the_provider_does_not_take_is_hashed_never_cut() {
    let long = format!("call|{}", "x".repeat(450));
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call(&long, "ls", "{}"), call(&format!("{long}y"), "ls", "{}")]);
    history.results(vec![result(&format!("{long}y"), "second"), result(&long, "first")]);
    let body = history.body(OPUS_4_8);
    let calls = &body["messages"][1]["content"];
    assert_ne!(calls[0]["id"], calls[1]["id"]);
    assert_eq!(body["messages"][2]["content"][0]["tool_use_id"], calls[0]["id"]);
    assert_eq!((text_at(&body, 2, 0), text_at(&body, 2, 1)), ("first", "second"));
}

#[test]
fn an_id_that_is_anothers_rewritten_form_is_rewritten_itself() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a|b", "ls", "{}")]);
    history.results(vec![result("a|b", "one")]);
    let first = history.body(OPUS_4_8);
    let taken = first["messages"][1]["content"][0]["id"].as_str().expect("id").to_owned();
    history.reply(vec![call(&taken, "ls", "{}")]);
    history.results(vec![result(&taken, "two")]);
    let body = history.body(OPUS_4_8);
    assert_eq!(body["messages"][1]["content"][0]["id"], taken.as_str());
    assert_ne!(body["messages"][3]["content"][0]["id"], taken.as_str());
    assert_eq!(text_at(&body, 4, 0), "two");
}

#[test]
fn two_calls_of_one_id_in_a_reply_take_their_results_in_order() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("c", "ls", r#"{"n":1}"#), call("c", "ls", r#"{"n":2}"#)]);
    history.results(vec![result("c", "first"), result("c", "second")]);
    let body = history.body(OPUS_4_8);
    assert_eq!((text_at(&body, 2, 0), text_at(&body, 2, 1)), ("first", "second"));
}

/// 80, 81
#[test]
fn arguments_are_the_bytes_the_model_wrote_or_the_raw_text_under_a_key() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![
        call("a", "w", r#"{"a":   1.0,"a":2}"#),
        call("b", "w", r#"{"path": "x"#),
        call("c", "w", ""),
        call("d", "w", "[1]"),
    ]);
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let bytes = String::from_utf8(prepared.request.body().to_vec()).expect("UTF-8");
    assert!(bytes.contains(r#""input":{"a":   1.0,"a":2}"#), "{bytes}");
    let body = body(&prepared);
    let calls = &body["messages"][1]["content"];
    assert_eq!(calls[1]["input"], serde_json::json!({"_unparsed_arguments": "{\"path\": \"x"}));
    assert_eq!(calls[2]["input"], serde_json::json!({}));
    assert_eq!(calls[3]["input"], serde_json::json!({"_unparsed_arguments": "[1]"}));
}

#[test]
fn arguments_nested_beyond_what_a_body_takes_cross_as_raw_text() {
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(126), "]".repeat(126));
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "w", &deep)]);
    let body = history.body(OPUS_4_8);
    let input = &body["messages"][1]["content"][0]["input"];
    assert_eq!(input["_unparsed_arguments"].as_str(), Some(deep.as_str()));
}

#[test]
fn a_name_the_provider_does_not_take_is_another_on_the_wire() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![
        call("a", "", "{}"),
        call("b", &"n".repeat(201), "{}"),
        call("c", "ä b", "{}"),
    ]);
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let body = body(&prepared);
    let calls = &body["messages"][1]["content"];
    assert_eq!(calls[0]["name"], "unnamed");
    assert!(calls[1]["name"].as_str().is_some_and(|name| name.len() == 29));
    assert_eq!(calls[2]["name"], "ä b");
    let renamed = changes(prepared.request.report());
    assert_eq!(renamed.iter().filter(|kind| **kind == "CALL_NAME_REWRITTEN").count(), 2);
}

#[test]
fn thousands_of_parallel_calls_are_answered_in_their_order() {
    let mut history = History::default();
    history.user("go");
    let ids: Vec<String> = (0..5000).map(|n| format!("c{n}")).collect();
    history.reply(ids.iter().map(|id| call(id, "ls", "{}")).collect());
    history.results(ids.iter().rev().map(|id| result(id, id)).collect());
    let body = history.body(OPUS_4_8);
    let results = body["messages"][2]["content"].as_array().expect("results");
    assert_eq!(results.len(), 5000);
    for (answer, id) in results.iter().zip(&ids) {
        assert_eq!(answer["tool_use_id"].as_str(), Some(id.as_str()));
        assert_eq!(answer["content"].as_str(), Some(id.as_str()));
    }
}

/// 53
#[test]
fn a_round_split_over_rows_is_the_same_request_as_in_one_row() {
    let mut split = History::default();
    split.user("look");
    split.reply(vec![call("a", "ls", "{}"), call("b", "ls", "{}")]);
    split.results(vec![result("a", "A")]);
    split.results(vec![result("b", "B")]);
    let mut whole = History::default();
    whole.user("look");
    whole.reply(vec![
        call("a", "ls", "{}"),
        result("a", "A"),
        call("b", "ls", "{}"),
        result("b", "B"),
    ]);
    assert_eq!(split.body(OPUS_4_8), whole.body(OPUS_4_8));
}

#[test]
fn thousands_of_calls_of_one_id_take_their_results_in_order() {
    let mut history = History::default();
    history.user("go");
    history.reply((0..20_000).map(|_| call("c", "ls", "{}")).collect());
    history.results((0..20_000).map(|n| result("c", &n.to_string())).collect());
    let body = history.body(OPUS_4_8);
    let calls = body["messages"][1]["content"].as_array().expect("calls");
    let results = body["messages"][2]["content"].as_array().expect("results");
    assert_eq!((calls.len(), results.len()), (20_000, 20_000));
    for ((answer, call), n) in results.iter().zip(calls).zip(0..) {
        assert_eq!(answer["tool_use_id"], call["id"]);
        assert_eq!(answer["content"].as_str(), Some(n.to_string().as_str()));
    }
}

#[test]
fn an_id_may_be_used_in_thousands_of_rounds() {
    let mut history = History::default();
    history.user("go");
    for n in 0..20_000 {
        history.reply(vec![call("call_0", "ls", "{}")]);
        history.results(vec![result("call_0", &n.to_string())]);
    }
    let body = history.body(OPUS_4_8);
    let ids: std::collections::BTreeSet<&str> = (0..20_000)
        .map(|n| body["messages"][1 + n * 2]["content"][0]["id"].as_str().expect("an id"))
        .collect();
    assert_eq!(ids.len(), 20_000);
    assert_eq!(text_at(&body, 40_000, 0), "19999");
}

/// The two ids have one key in the map of closed calls.
#[test]
fn ids_of_one_key_are_still_two_ids() {
    let (one, other) = ("call_000________", "uF5_DwYvc6TJxGh1");
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call(one, "ls", "{}")]);
    history.results(vec![result(one, "one")]);
    history.results(vec![result(other, "nobody's")]);
    history.reply(vec![call(other, "ls", "{}")]);
    history.results(vec![result(other, "other")]);
    history.results(vec![result(one, "one"), result(other, "other")]);
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let body = body(&prepared);
    assert_eq!((text_at(&body, 2, 0), text_at(&body, 4, 0)), ("one", "other"));
    assert_eq!(text_at(&body, 2, 1), "Result (grep): nobody's");
    let mut kinds = changes(prepared.request.report());
    kinds.retain(|kind| *kind != "CALL_ID_REWRITTEN");
    assert_eq!(kinds, ["RESULT_ORPHAN", "RESULT_DUPLICATE", "RESULT_DUPLICATE"]);
}
