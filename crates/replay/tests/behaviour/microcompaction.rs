//! Cleared results: the call stays, the output leaves the view once.

use record::Block;
use replay::Unit;

use crate::history::{
    History, OPUS_4_8, at, body, call, clearing, extends, outline, result, result_of, text_at,
};

fn two_results() -> (History, record::EntryId, record::EntryId) {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "cat", "{}")]);
    let first = history.results(vec![result("a", &"x".repeat(500))]);
    history.reply(vec![call("b", "cat", "{}")]);
    let second = history.results(vec![result("b", &"y".repeat(500))]);
    (history, first, second)
}

/// 94, 95, 98
#[test]
fn a_cleared_output_is_its_marker_and_the_rest_is_byte_equal() {
    let (mut history, first, _) = two_results();
    let before = history.send(OPUS_4_8);
    history.fact(clearing(vec![at(&first, 0)]));
    history.fact(clearing(vec![at(&first, 0)]));
    let prepared = history.send(OPUS_4_8);
    let shown = body(&prepared);
    assert_eq!(outline(&shown), outline(&body(&before)));
    assert_eq!(
        text_at(&shown, 2, 0),
        "[Tool output cleared to save space: 500 bytes were here. The call ran; the full output is \
         kept in the conversation record.]"
    );
    assert_eq!(shown["messages"][4], body(&before)["messages"][4]);
    let moved = prepared.request.report().moved.expect("moved");
    assert_eq!(
        (moved.unit, moved.reason.as_str()),
        (Unit::Content { message: 2, block: 0 }, "microcompaction")
    );
    history.answer(OPUS_4_8, vec![Block::text("ok")]);
    history.user("on");
    let next = history.prepare(OPUS_4_8).expect("a request");
    assert!(extends(&next, &prepared) && next.request.report().moved.is_none());
}

/// 95, 96
#[test]
fn a_short_result_is_left_alone_and_an_error_stays_an_error() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "cat", "{}"), call("b", "cat", "{}")]);
    let long = vec![record::ResultPart::Text("e".repeat(400).into())];
    let row = history.results(vec![result("a", "short"), result_of("b", long, true)]);
    history.fact(clearing(vec![at(&row, 0), at(&row, 1)]));
    let body = history.body(OPUS_4_8);
    assert_eq!(text_at(&body, 2, 0), "short");
    assert!(text_at(&body, 2, 1).contains("The call ran and reported an error"));
    assert_eq!(body["messages"][2]["content"][1]["is_error"], true);
}
