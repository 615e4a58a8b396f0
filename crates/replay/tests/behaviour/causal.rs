//! The view is causal, not chronological.

use record::Block;

use crate::history::{History, OPUS_4_8, body, call, extends, outline, result, text_at};

/// 57, second half
#[test]
fn a_row_stored_while_a_reply_was_under_way_stands_after_that_reply_and_its_results() {
    let mut history = History::default();
    history.user("go");
    let first = history.send(OPUS_4_8);
    history.user("wait, one more thing");
    history.answer(OPUS_4_8, vec![call("a", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    let second = history.send(OPUS_4_8);
    assert!(extends(&second, &first));
    let shown = body(&second);
    assert_eq!(outline(&shown), "user: text; assistant: tool_use; user: tool_result text");
    assert_eq!(text_at(&shown, 2, 1), "wait, one more thing");
}

#[test]
fn without_the_reply_the_order_is_that_of_storing_and_the_next_request_closes_it() {
    let mut history = History::default();
    history.user("go");
    let first = history.send(OPUS_4_8);
    history.user("still there?");
    let second = history.send(OPUS_4_8);
    assert!(extends(&second, &first));
    history.answer(OPUS_4_8, vec![Block::text("yes")]);
    history.user("good");
    let third = history.prepare(OPUS_4_8).expect("a request");
    assert!(extends(&third, &second));
    assert_eq!(outline(&body(&third)), "user: text; user: text; assistant: text; user: text");
}

#[test]
fn the_late_reply_of_an_earlier_request_stands_where_it_was_stored() {
    let mut history = History::default();
    history.user("go");
    history.send(OPUS_4_8);
    let first = history.path.last().map(|entry| entry.id.clone());
    history.user("again");
    let second = history.send(OPUS_4_8);
    let mut late = record::Message::new(record::Role::Assistant, vec![Block::text("first reply")]);
    late.answers = first;
    history.message(late);
    history.user("on");
    let third = history.prepare(OPUS_4_8).expect("a request");
    assert!(extends(&third, &second));
}
