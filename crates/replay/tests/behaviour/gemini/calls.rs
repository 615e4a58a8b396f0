//! Calls, results and what stands for them.

use json::Raw;
use record::{Block, Message, ResultPart, Role};

use super::{answer, asked, body, outline, part, prepare, response, send, three, two, vertex};
use crate::history::{History, PIXEL, call, changes, pixel, result, result_of};

fn extends(next: &replay::Prepared, previous: &replay::Prepared) -> bool {
    let of = crate::history::conversation;
    next.request.body().lead().concat() == previous.request.body().lead().concat()
        && of(next).starts_with(&of(previous))
}

/// 51, 53, G-012, G-013
#[test]
fn all_calls_of_a_reply_are_one_content_and_their_responses_the_next_in_the_order_of_the_calls() {
    let mut history = History::default();
    history.user("look");
    history.reply(vec![Block::text("both"), call("a", "ls", "{}"), call("b", "pwd", "{}")]);
    history.results(vec![result("b", "B")]);
    history.results(vec![result("a", "A")]);
    for target in [two(), vertex()] {
        let shown = asked(&history, &target);
        let calls = if target == two() { "functionCall" } else { "functionCall+sig" };
        assert_eq!(
            outline(&shown),
            format!(
                "user: text; model: text {calls} functionCall; user: functionResponse \
                 functionResponse"
            )
        );
        assert_eq!(part(&shown, 1, 1)["functionCall"]["id"], "a");
        assert_eq!(part(&shown, 2, 0)["functionResponse"]["id"], "a");
        assert_eq!(part(&shown, 2, 1)["functionResponse"]["name"], "pwd");
        assert_eq!(response(&shown, 2, 0)["output"], "A");
        assert_eq!(response(&shown, 2, 1)["output"], "B");
    }
}

/// 52
#[test]
fn a_whole_turn_in_one_row_is_one_content_then_its_responses_then_its_text() {
    let mut history = History::default();
    history.user("look");
    history.reply(vec![
        call("a", "ls", "{}"),
        result("a", "A"),
        call("b", "ls", "{}"),
        result("b", "B"),
        Block::text("done"),
    ]);
    assert_eq!(
        outline(&asked(&history, &two())),
        "user: text; model: functionCall functionCall; user: functionResponse functionResponse; \
         model: text; user: text"
    );
}

/// 54, 55, 76
#[test]
fn an_unanswered_call_gets_one_error_that_claims_no_success() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "rm", "{}"), call("b", "ls", "{}")]);
    history.results(vec![result_of("b", vec![ResultPart::Text("no such file".into())], true)]);
    history.user("go on");
    let prepared = prepare(&history, &two());
    let shown = body(&two(), &prepared);
    assert_eq!(
        outline(&shown),
        "user: text; model: functionCall functionCall; user: functionResponse functionResponse; \
         user: text"
    );
    let said = response(&shown, 2, 0)["error"].as_str().expect("an error");
    assert!(said.starts_with("This call did not complete in the record"));
    assert_eq!(response(&shown, 2, 1)["error"], "no such file");
    assert_eq!(changes(prepared.request.report()), ["GAP_FILLED"]);
}

/// 56, 57, 58, 59, 60, 79
#[test]
fn results_without_a_call_and_second_ones_are_told_behind_the_responses() {
    let mut history = History::default();
    history.user("go");
    history.results(vec![result("a", "too early")]);
    history.reply(vec![call("a", "ls", "{}")]);
    history.user("meanwhile");
    history.results(vec![result("a", "A")]);
    history.results(vec![result("a", "A")]);
    history.results(vec![result_of("a", vec![ResultPart::Text("other".into())], true)]);
    let prepared = prepare(&history, &vertex());
    let shown = body(&vertex(), &prepared);
    assert_eq!(
        outline(&shown),
        "user: text text; model: functionCall+sig; user: functionResponse; user: text text"
    );
    assert_eq!(part(&shown, 0, 1)["text"], "Result (grep): too early");
    assert_eq!(part(&shown, 3, 0)["text"], "meanwhile");
    assert_eq!(part(&shown, 3, 1)["text"], "Error (grep): other");
    assert_eq!(
        changes(prepared.request.report()),
        [
            "RESULT_ORPHAN",
            "SIGNATURE_STAND_IN",
            "RESULT_HOISTED",
            "RESULT_DUPLICATE",
            "RESULT_SECOND"
        ]
    );
}

/// 77, G-017
#[test]
fn an_id_that_came_before_is_another_and_where_ids_are_doubtful_there_are_none() {
    let mut history = History::default();
    history.user("go");
    for _ in 0..2 {
        history.reply(vec![call("call_0", "ls", "{}")]);
        history.results(vec![result("call_0", "x")]);
    }
    let shown = asked(&history, &three());
    let ids = [1, 3].map(|at| part(&shown, at, 0)["functionCall"]["id"].clone());
    assert_eq!(ids[0], "call_0");
    assert_ne!(ids[0], ids[1]);
    assert_eq!(part(&shown, 4, 0)["functionResponse"]["id"], ids[1]);
    let old = replay::Target::vertex("gemini-2.0-flash");
    let prepared = prepare(&history, &old);
    let shown = body(&old, &prepared);
    assert!(part(&shown, 1, 0)["functionCall"].get("id").is_none());
    assert!(part(&shown, 4, 0)["functionResponse"].get("id").is_none());
    assert!(changes(prepared.request.report()).is_empty());
}

/// G-017: what the model named by its order goes back so.
#[test]
fn calls_that_came_without_ids_go_back_without() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("", "ls", "{}"), call("", "pwd", "{}")]);
    history.results(vec![result("", "first"), result("", "second")]);
    let prepared = prepare(&history, &two());
    let shown = body(&two(), &prepared);
    assert!(part(&shown, 1, 0)["functionCall"].get("id").is_none());
    assert_eq!(response(&shown, 2, 0)["output"], "first");
    assert_eq!(response(&shown, 2, 1)["output"], "second");
    assert!(changes(prepared.request.report()).is_empty());
}

/// 80, 81, G-016
#[test]
fn arguments_are_an_object_as_they_were_written_or_stand_under_a_key() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![
        call("a", "ls", "{ \"a\" : 1.50 }"),
        call("b", "ls", "{\"cut"),
        call("c", "ls", ""),
    ]);
    history.results(vec![result("a", "x"), result("b", "x"), result("c", "x")]);
    let prepared = prepare(&history, &two());
    let shown = body(&two(), &prepared);
    let text = String::from_utf8(prepared.request.body().to_vec()).expect("UTF-8");
    assert!(text.contains(r#""args":{ "a" : 1.50 }"#));
    assert_eq!(part(&shown, 1, 1)["functionCall"]["args"]["_unparsed_arguments"], "{\"cut");
    assert_eq!(part(&shown, 1, 2)["functionCall"]["args"], serde_json::json!({}));
    assert_eq!(changes(prepared.request.report()), ["CALL_ARGS_UNPARSED"]);
}

/// G-018
#[test]
fn a_name_outside_of_the_grammar_is_another_on_both_sides() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "mcp/server tool", "{}"), call("b", "a.b:c-d", "{}")]);
    history.results(vec![result("a", "x"), result("b", "x")]);
    let shown = asked(&history, &two());
    let name = part(&shown, 1, 0)["functionCall"]["name"].as_str().expect("a name");
    assert!(name.starts_with("mcp_server_tool_"));
    assert_eq!(part(&shown, 2, 0)["functionResponse"]["name"], name);
    assert_eq!(part(&shown, 1, 1)["functionCall"]["name"], "a.b:c-d");
}

/// A response of another form than a text goes back as it came.
#[test]
fn a_response_that_says_more_than_a_text_is_the_object_it_was() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}"), call("b", "ls", "{}")]);
    let object = r#"{"files":["a"],"count":1.0}"#;
    let mut blocks = vec![result("a", object), result("b", "edited since")];
    for block in &mut blocks {
        if let Block::ToolResult(result) = block {
            let raw = Raw::parse(object).expect("JSON");
            result.rest.push("functionResponse".into(), raw);
        }
    }
    history.results(blocks);
    let prepared = prepare(&history, &two());
    let shown = body(&two(), &prepared);
    let text = String::from_utf8(prepared.request.body().to_vec()).expect("UTF-8");
    assert!(text.contains(&format!(r#""response":{object}"#)));
    assert_eq!(response(&shown, 2, 1)["output"], "edited since");
}

/// 71, 73, G-029: beside the response where the model takes that, else behind all of them.
#[test]
fn an_image_of_a_result_stands_beside_it_or_behind_the_responses() {
    let mut history = History::default();
    history.user("look");
    history.reply(vec![call("a", "shot", "{}"), call("b", "ls", "{}")]);
    let content = vec![
        ResultPart::Text("one".into()),
        ResultPart::Image(pixel()),
        ResultPart::Text("two".into()),
    ];
    history.results(vec![result_of("a", content, false), result("b", "B")]);
    let shown = asked(&history, &three());
    let first = &part(&shown, 2, 0)["functionResponse"];
    assert_eq!(first["response"]["output"], "one\ntwo");
    assert_eq!(first["parts"][0]["inlineData"]["data"], PIXEL);
    assert!(outline(&shown).ends_with("user: functionResponse functionResponse"));
    let prepared = prepare(&history, &two());
    let shown = body(&two(), &prepared);
    assert!(
        outline(&shown).ends_with("user: functionResponse functionResponse; user: text inlineData")
    );
    assert_eq!(part(&shown, 3, 0)["text"], "Image returned by shot (call a):");
    assert_eq!(changes(prepared.request.report()), ["IMAGE_MOVED"]);
}

/// G-009, G-010: what comes goes on in the content of its role, even where that was sent.
#[test]
fn neighbours_of_one_role_are_one_content_and_the_report_says_where_it_was_sent() {
    let mut history = History::default();
    history.user("go");
    let first = send(&mut history, &vertex());
    history.user("and hurry");
    let next = prepare(&history, &vertex());
    assert_eq!(outline(&body(&vertex(), &next)), "user: text text");
    assert_eq!(changes(next.request.report()), ["MESSAGE_JOINED"]);
    assert!(extends(&next, &first) && next.request.report().moved.is_none());
    history.append(&next);
    answer(&mut history, &vertex(), vec![Block::text("one")]);
    answer(&mut history, &vertex(), vec![Block::text("two"), call("a", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    assert_eq!(
        outline(&asked(&history, &vertex())),
        "user: text text; model: text text functionCall+sig; user: functionResponse"
    );
}

/// G-007, G-008: a prompt before the first, and behind the last.
#[test]
fn the_user_speaks_first_and_last() {
    let mut history = History::default();
    history.reply(vec![Block::text("hello")]);
    let prepared = prepare(&history, &vertex());
    let shown = body(&vertex(), &prepared);
    assert_eq!(outline(&shown), "user: text; model: text; user: text");
    assert_eq!(changes(prepared.request.report()), ["CONTINUE_ADDED", "CONTINUE_ADDED"]);
}

/// 82
#[test]
fn text_under_the_role_of_a_tool_is_the_users() {
    let mut history = History::default();
    history.user("go");
    history.message(Message::new(Role::Tool, vec![Block::text("told")]));
    assert_eq!(outline(&asked(&history, &two())), "user: text text");
}
