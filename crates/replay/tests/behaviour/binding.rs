//! Thinking that is bound to its prefix.

use record::{Block, Fact, Fill, Message, Role, Rung, Sent};
use replay::{Now, Target};

use crate::history::{
    History, OPUS_4_8, OPUS_5_5, at, body, call, changes, clearing, compaction, extends, outline,
    result, source, thought,
};

/// A conversation of `turns` turns with `model`, each reply with a thought and a call.
fn turns(history: &mut History, model: &str, turns: usize) -> Vec<record::EntryId> {
    let mut results = Vec::new();
    for turn in 0..turns {
        history.user("go");
        history.send(model);
        let n = history.path.len();
        let id = format!("c{n}");
        history.answer(model, vec![thought(model, &format!("t{n}"), "s"), call(&id, "cat", "{}")]);
        results.push(history.results(vec![result(&id, &"x".repeat(400))]));
        history.send(model);
        history.answer(model, vec![thought(model, &format!("u{turn}"), "s"), Block::text("done")]);
    }
    results
}

fn thoughts(prepared: &replay::Prepared) -> usize {
    body(prepared).to_string().matches("\"type\":\"thinking\"").count()
}

#[test]
fn an_imported_thought_is_out_because_its_prefix_is_not_known() {
    let mut history = History::default();
    history.user("go");
    let mut reply =
        Message::new(Role::Assistant, vec![thought(OPUS_5_5, "t", "s"), Block::text("x")]);
    reply.source = Some(source(OPUS_5_5));
    history.message(reply);
    history.user("on");
    let prepared = history.send(OPUS_5_5);
    assert_eq!(thoughts(&prepared), 0);
    let Fact::Sent(sent) = &prepared.append()[0].fact else { panic!("a sent") };
    let [Fill::ThinkingOut { reason, .. }] = &sent.fills[..] else { panic!("{:?}", sent.fills) };
    assert_eq!(reason.as_str(), "unknown-prefix");
    history.answer(OPUS_5_5, vec![thought(OPUS_5_5, "known", "s"), Block::text("y")]);
    history.user("more");
    let next = history.prepare(OPUS_5_5).expect("a request");
    assert_eq!(thoughts(&next), 1);
    assert!(extends(&next, &prepared));
}

/// A raw request of the provider's that was read into a record, with a thought in it.
fn imported(last: Block) -> History {
    imported_of(OPUS_5_5, last)
}

/// The same of a model; many bodies name none.
fn imported_of(model: &str, last: Block) -> History {
    let mut history = History::default();
    history.user("go");
    let mut reply = Message::new(Role::Assistant, vec![thought(model, "t", "s"), Block::text("x")]);
    reply.source = Some(source(model));
    history.message(reply);
    let covers = history.message(Message::new(Role::User, vec![Block::text("on"), last]));
    history.fact(Fact::Sent(Box::new(Sent {
        agent: "main".into(),
        target: Target::anthropic(model).to,
        covers: Some(covers),
        fills: Vec::new(),
        no_vision: false,
        digests: None,
        build: 0,
        rest: record::Rest::default(),
    })));
    history
}

#[test]
fn an_imported_raw_request_proves_its_own_prefix_unless_it_is_written_differently() {
    assert_eq!(thoughts(&imported(Block::text("y")).prepare(OPUS_5_5).expect("a request")), 1);
    // A change behind every thought leaves their prefix as it was.
    let blank_last = imported(crate::history::blank("")).prepare(OPUS_5_5).expect("a request");
    assert_eq!(thoughts(&blank_last), 1);
    let mut history = History::default();
    history.message(Message::new(Role::User, vec![Block::text("go"), crate::history::blank("")]));
    history.path.extend(imported(Block::text("y")).path[1..].iter().cloned());
    assert_eq!(thoughts(&history.prepare(OPUS_5_5).expect("a request")), 0);
}

#[test]
fn an_imported_raw_request_that_names_no_model_proves_its_prefix_to_each_of_its_platform() {
    let unnamed = imported_of("", Block::text("y"));
    assert_eq!(thoughts(&unnamed.prepare(OPUS_5_5).expect("a request")), 1);
    let other = imported_of("claude-opus-4-8", Block::text("y"));
    assert_eq!(thoughts(&other.prepare(OPUS_5_5).expect("a request")), 0);
}

#[test]
fn an_imported_raw_request_proves_nothing_under_another_head_or_authority() {
    let moved = |prepared: &replay::Prepared| {
        let moved = prepared.request.report().moved.expect("moved");
        (moved.unit, moved.reason.as_str(), moved.cost.thoughts)
    };
    let mut history = imported(Block::text("y"));
    let facts = replay::Now { principal: Some(testkit::principal(700)), ..replay::Now::default() };
    let told = history.prepare_for(Target::anthropic(OPUS_5_5), &facts).expect("a request");
    assert_eq!((thoughts(&told), moved(&told)), (0, (replay::Unit::Head, "authority", 1)));
    history.fact(crate::system::head(&[], &["You are Ada."]));
    let headed = history.prepare(OPUS_5_5).expect("a request");
    assert_eq!((thoughts(&headed), moved(&headed)), (0, (replay::Unit::Head, "head", 1)));
}

/// 127
#[test]
fn a_microcompaction_puts_out_the_thoughts_after_the_first_cleared_result_only() {
    let mut history = History::default();
    let results = turns(&mut history, OPUS_5_5, 3);
    history.user("and?");
    let before = history.send(OPUS_5_5);
    assert_eq!(thoughts(&before), 6);
    history.fact(clearing(vec![at(&results[1], 0)]));
    history.user("so?");
    let prepared = history.send(OPUS_5_5);
    assert_eq!(thoughts(&prepared), 3);
    let moved = prepared.request.report().moved.expect("moved");
    assert_eq!((moved.reason.as_str(), moved.cost.thoughts), ("microcompaction", 3));
    history.answer(OPUS_5_5, vec![thought(OPUS_5_5, "new", "s"), Block::text("y")]);
    history.user("more");
    let next = history.prepare(OPUS_5_5).expect("a request");
    assert!(extends(&next, &prepared));
    assert_eq!(thoughts(&next), 4);
}

/// 128
#[test]
fn a_compactions_suffix_keeps_everything_but_its_thoughts() {
    let mut history = History::default();
    turns(&mut history, OPUS_5_5, 1);
    let kept = history.user("kept");
    history.send(OPUS_5_5);
    history.answer(OPUS_5_5, vec![thought(OPUS_5_5, "kept thought", "s"), Block::text("kept too")]);
    history.fact(compaction("summary", Some(kept)));
    history.user("on");
    let prepared = history.send(OPUS_5_5);
    assert_eq!(thoughts(&prepared), 0);
    let shown = body(&prepared).to_string();
    assert!(shown.contains("\"kept\"") && shown.contains("\"kept too\""));
    history.answer(OPUS_5_5, vec![thought(OPUS_5_5, "new", "s"), Block::text("y")]);
    history.user("more");
    let next = history.prepare(OPUS_5_5).expect("a request");
    assert!(extends(&next, &prepared));
    assert_eq!(thoughts(&next), 1);
}

/// 131
#[test]
fn switching_back_to_a_model_finds_its_thoughts_and_extends_its_last_request() {
    let mut history = History::default();
    turns(&mut history, OPUS_5_5, 2);
    history.user("and?");
    let last = history.send(OPUS_5_5);
    history.answer(OPUS_5_5, vec![thought(OPUS_5_5, "a", "s"), Block::text("y")]);
    history.user("now you");
    let other = history.send(OPUS_4_8);
    assert_eq!(thoughts(&other), 0);
    history.answer(OPUS_4_8, vec![thought(OPUS_4_8, "b", "s"), Block::text("z")]);
    history.user("and back");
    let back = history.prepare(OPUS_5_5).expect("a request");
    assert!(extends(&back, &last));
    assert_eq!(thoughts(&back), 5);
    assert!(back.request.report().moved.is_none());
}

/// 132
#[test]
fn a_proof_that_was_sent_and_can_no_longer_be_read_takes_the_later_thoughts_along() {
    let mut history = History::default();
    turns(&mut history, OPUS_5_5, 2);
    history.user("and?");
    history.send(OPUS_5_5);
    let at = history
        .path
        .iter()
        .position(|entry| entry.message().is_some_and(|m| m.role == Role::Assistant))
        .expect("a reply");
    let mut entry = (*history.path[at]).clone();
    if let Fact::Message(message) = &mut entry.fact
        && let Some(Block::Reasoning(thought)) = message.blocks.first_mut()
        && let Some(proof) = &mut thought.proof
    {
        proof.version = 9;
    }
    history.path[at] = entry.into();
    history.user("so?");
    let prepared = history.prepare(OPUS_5_5).expect("a request");
    assert_eq!(thoughts(&prepared), 0);
    assert_eq!(prepared.request.report().moved.map(|moved| moved.reason.as_str()), Some("build"));
}

/// The recovery ladder, rule A-065.
#[test]
fn the_rung_a_refusal_led_to_is_where_the_next_request_starts() {
    let mut history = History::default();
    turns(&mut history, OPUS_5_5, 1);
    history.user("and?");
    let target = || Target::anthropic(OPUS_5_5);
    let drop = Now { recovery: Some(Rung::DropBlock), ..Now::default() };
    let first = history.prepare_for(target(), &drop).expect("a request");
    assert_eq!(first.request.betas(), ["thinking-binding-controls-2026-08-01"]);
    let asked = &body(&first)["thinking"]["block_binding"]["prefix_mismatch_behavior"];
    assert_eq!(asked, "drop_block");
    history.append(&first);
    let kept = history.prepare(OPUS_5_5).expect("a request");
    assert_eq!(kept.request.body().to_vec(), first.request.body().to_vec());
    let strip = Now { recovery: Some(Rung::Strip), ..Now::default() };
    let second = history.prepare_for(target(), &strip).expect("a request");
    assert_eq!(thoughts(&second), 0);
    assert!(body(&second).get("thinking").is_none());
    history.append(&second);
    history.answer(OPUS_5_5, vec![thought(OPUS_5_5, "new", "s"), Block::text("y")]);
    history.user("more");
    let third = history.prepare(OPUS_5_5).expect("a request");
    assert_eq!(thoughts(&third), 1);
    assert!(extends(&third, &second));
}

#[test]
fn a_model_whose_binding_is_not_known_is_sent_its_thoughts() {
    let model = "claude-unheard-of-9";
    let mut history = History::default();
    history.user("go");
    let mut reply =
        Message::new(Role::Assistant, vec![thought(model, "t  ", "s"), call("a", "ls", "{}")]);
    reply.source = Some(source(model));
    history.message(reply);
    history.results(vec![result("a", "A")]);
    let prepared = history.prepare(model).expect("a request");
    assert_eq!(
        outline(&body(&prepared)),
        "user: text; assistant: thinking tool_use; user: tool_result"
    );
    assert!(changes(prepared.request.report()).is_empty());
}
