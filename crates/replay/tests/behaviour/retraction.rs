//! Retracted content: gone from every view, and the gap is said.

use record::{Block, Message, Role};
use replay::Unit;

use crate::history::{
    History, OPUS_4_8, at, body, call, compaction, extends, outline, result, retraction, text_at,
    thought,
};

/// 40, 133
#[test]
fn a_retracted_text_leaves_one_note_and_a_thought_leaves_none() {
    let mut history = History::default();
    let secret = history.message(Message::new(
        Role::User,
        vec![Block::text("@@a@@"), Block::text("@@b@@"), Block::text("keep")],
    ));
    let mut reply = Message::new(
        Role::Assistant,
        vec![thought(OPUS_4_8, "@@t@@", "sig"), Block::text("@@c@@"), Block::text("said")],
    );
    reply.source = Some(crate::history::source(OPUS_4_8));
    let reply = history.message(reply);
    history.user("on");
    let first = history.send(OPUS_4_8);
    let gone = vec![at(&secret, 0), at(&secret, 1), at(&reply, 0), at(&reply, 1)];
    history.fact(retraction(gone, vec![]));
    let prepared = history.send(OPUS_4_8);
    let shown = body(&prepared);
    assert_eq!(outline(&shown), "user: text text; assistant: text; user: text text");
    assert_eq!(text_at(&shown, 0, 0), "[Removed from the record on request: text was here.]");
    assert!(!shown.to_string().contains("@@"));
    let moved = prepared.request.report().moved.expect("moved");
    assert_eq!(
        (moved.unit, moved.reason.as_str()),
        (Unit::Content { message: 0, block: 0 }, "retraction")
    );
    assert!(!extends(&prepared, &first));
}

/// 133
#[test]
fn a_retracted_result_keeps_its_pair() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "cat", "{}")]);
    let row = history.results(vec![result("a", "@@secret@@")]);
    history.fact(retraction(vec![at(&row, 0)], vec![]));
    let body = history.body(OPUS_4_8);
    assert_eq!(outline(&body), "user: text; assistant: tool_use; user: tool_result");
    assert_eq!(text_at(&body, 2, 0), "[Removed from the record on request: a result was here.]");
}

#[test]
fn a_retracted_call_takes_its_result_along() {
    let mut history = History::default();
    history.user("go");
    let row = history.reply(vec![call("a", "cat", "{}"), call("b", "ls", "{}")]);
    history.results(vec![result("a", "@@secret@@"), result("b", "B")]);
    history.fact(retraction(vec![at(&row, 0)], vec![]));
    let body = history.body(OPUS_4_8);
    assert_eq!(outline(&body), "user: text; assistant: tool_use; user: tool_result text");
    assert_eq!(text_at(&body, 2, 1), "[Removed from the record on request: a call was here.]");
    assert!(!body.to_string().contains("@@"));
}

#[test]
fn a_retracted_handoff_is_no_longer_applied() {
    let mut history = History::default();
    history.user("old");
    let cut = history.fact(compaction("@@summary@@", None));
    history.user("new");
    history.fact(retraction(vec![], vec![cut]));
    let body = history.body(OPUS_4_8);
    assert!(!body.to_string().contains("@@"));
    assert_eq!(outline(&body), "user: text text");
}
