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

/// 133
#[test]
fn a_retraction_on_another_branch_holds_on_this_one() {
    let mut history = History::default();
    let row = history.user("@@secret@@");
    let before = history.clone();
    history.fact(retraction(vec![at(&row, 0)], vec![]));
    let retractions = vec![history.path.last().expect("an entry").clone()];
    let target = replay::Target::anthropic(OPUS_4_8);
    let mut replayer = replay::Replayer::new(replay::Reader::plain("main"), target);
    replayer.retract(&retractions);
    replayer.feed(&before.path);
    let prepared = replayer.prepare(&replay::Now::default()).expect("a request");
    assert!(!body(&prepared).to_string().contains("@@"));
}

#[test]
fn a_retraction_on_another_branch_is_what_moved_and_holds_for_rows_that_come_later() {
    let mut history = History::default();
    history.user("go");
    let row = history.user("@@secret@@");
    history.send(crate::history::OPUS_5_5);
    let thought = |n: &str| crate::history::thought(crate::history::OPUS_5_5, n, n);
    history.answer(crate::history::OPUS_5_5, vec![thought("t"), Block::text("ok")]);
    let later = history.user("@@later@@");
    let mut other = History::default();
    other.fact(retraction(vec![at(&row, 0)], vec![later]));
    let target = replay::Target::anthropic(crate::history::OPUS_5_5);
    let mut replayer = replay::Replayer::new(replay::Reader::plain("main"), target);
    replayer.feed(&history.path[..history.path.len() - 1]);
    replayer.retract(&other.path);
    replayer.feed(&history.path);
    let prepared = replayer.prepare(&replay::Now::default()).expect("a request");
    assert!(!body(&prepared).to_string().contains("@@"));
    let moved = prepared.request.report().moved.expect("moved");
    let unit = replay::Unit::Content { message: 0, block: 1 };
    assert_eq!((moved.unit, moved.reason.as_str()), (unit, "retraction"));
    assert_eq!(prepared.request.report().thoughts, 0);
    history.append(&prepared);
    history.answer(crate::history::OPUS_5_5, vec![thought("u"), Block::text("ok")]);
    history.user("on");
    replayer.feed(&history.path);
    let next = replayer.prepare(&replay::Now::default()).expect("a request");
    assert!(next.request.report().moved.is_none());
    assert_eq!(next.request.report().thoughts, 1);
}

#[test]
fn a_retracted_head_is_no_longer_sent() {
    let mut history = History::default();
    let head = history.fact(crate::system::head(&["read"], &["@@secret@@"]));
    history.user("go");
    history.fact(retraction(vec![], vec![head]));
    let body = history.body(OPUS_4_8);
    assert!(body.get("system").is_none() && body.get("tools").is_none());
}

#[test]
fn a_retracted_call_takes_the_result_that_is_its_own_by_position() {
    let mut history = History::default();
    history.user("go");
    let row = history.reply(vec![call("c", "cat", "{}"), call("c", "ls", "{}")]);
    history.results(vec![result("c", "@@secret@@"), result("c", "B"), result("c", "@@secret@@")]);
    history.reply(vec![call("c", "ls", "{}")]);
    history.results(vec![result("c", "C"), result("c", "C2")]);
    history.fact(retraction(vec![at(&row, 0)], vec![]));
    let shown = history.body(OPUS_4_8);
    assert_eq!(
        outline(&shown),
        "user: text; assistant: tool_use; user: tool_result text; assistant: tool_use; \
         user: tool_result text"
    );
    assert_eq!(shown["messages"][1]["content"][0]["name"], "ls");
    assert_eq!((text_at(&shown, 2, 0), text_at(&shown, 4, 0)), ("B", "C"));
    assert_eq!(text_at(&shown, 4, 1), "Result (grep): C2");
    assert!(!shown.to_string().contains("@@"));
}

#[test]
fn what_a_retracted_call_returned_late_is_gone_as_well() {
    let mut history = History::default();
    history.user("go");
    let row = history.reply(vec![Block::text("so"), call("a", "cat", "{}")]);
    history.user("what now?");
    history.send(OPUS_4_8);
    history.answer(OPUS_4_8, vec![Block::text("hm")]);
    history.results(vec![result("a", "@@secret@@"), result("a", "@@again@@")]);
    history.user("and?");
    history.fact(retraction(vec![at(&row, 1)], vec![]));
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let shown = body(&prepared);
    assert_eq!(
        outline(&shown),
        "user: text; assistant: text; user: text text; assistant: text; user: text"
    );
    assert_eq!(text_at(&shown, 2, 0), "[Removed from the record on request: a call was here.]");
    assert!(!shown.to_string().contains("@@"));
    assert_eq!(crate::history::changes(prepared.request.report()), ["REDACTED"; 3]);
}
