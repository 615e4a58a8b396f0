//! Replies whose proofs cannot be read back. Numbers are those of the record's acceptance tests.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::sync::Arc;

use stenograph::formats::three_logs::{self, Files};
use stenograph::record::{self, Block, Entry, EntryId, Fact, Message, Record, Rest, Role};
use stenograph::replay::{Now, Prepared, Reader, Replayer, Target};
use stenograph::{degraded, on_replay_degrade};

const MODEL: &str = "claude-opus-4-8";

/// A conversation whose second reply has an envelope for one block more than it has.
fn poisoned() -> Record {
    sealed_by(&format!("{},{{\"type\":\"text\"}}", sealed("seal2")))
}

/// A thought sealed so, and words without a seal.
fn sealed(seal: &str) -> String {
    format!(r#"{{"type":"reasoning","thinkingSignature":"{seal}"}},{{"type":"text"}}"#)
}

/// A conversation whose second reply, a thought and words, has these entries in its envelope.
fn sealed_by(entries: &str) -> Record {
    let reply = |id: &str, said: &str, entries: &str| {
        format!(
            r#"{{"id":"{id}","role":"assistant","content":"{said}","reasoning_content":"thought of {said}","source":{{"kind":"model","platform":"anthropic","api":"anthropic_messages","model":"{MODEL}"}},"replay":{{"response":{{"kind":"claude","version":2,"api":"anthropic-messages","provider":"anthropic","model":"{MODEL}"}},"blocks":[{entries}]}}}}"#
        )
    };
    let asked = |id: &str| format!(r#"{{"id":"{id}","role":"user","content":"go"}}"#);
    let lines = [
        asked("u1"),
        reply("a1", "one", &sealed("seal1")),
        asked("u2"),
        reply("a2", "two", entries),
        asked("u3"),
    ];
    let messages = lines.join("\n").into_bytes();
    let files = Files { messages, ..Files::default() };
    three_logs::read(&files).expect("it reads").record
}

fn prepared(record: &Record) -> Prepared {
    let mut replayer = Replayer::new(Reader::plain("main"), Target::anthropic(MODEL));
    replayer.feed(&path(record));
    replayer.prepare(&Now::default()).expect("a request")
}

fn path(record: &Record) -> Vec<Arc<Entry>> {
    record.branch_path("main").into_iter().collect()
}

fn push(record: &mut Record, message: Message) {
    let id = EntryId::new(format!("more{}", record.entries.len()));
    let parent = record.tip("main").cloned();
    let fact = Fact::Message(Box::new(message));
    let (seq, time, origin, rest) = (record.entries.len() as u64 + 1, None, None, Rest::NONE);
    record.entries.push(Arc::new(Entry { id: id.clone(), parent, seq, time, fact, origin, rest }));
    let (branch, reason) = (record::BRANCH_DEFAULT.into(), "append".into());
    record.refs.push(record::RefMove {
        branch,
        tip: Some(id),
        reason,
        time: None,
        rest: Rest::NONE,
    });
}

// 42, 44
#[test]
fn a_session_poisoned_by_an_envelope_that_does_not_fit_goes_on_turn_after_turn() {
    let mut record = poisoned();
    for turn in 0..3 {
        let prepared = prepared(&record);
        let body = String::from_utf8(prepared.request.body().to_vec()).expect("text");
        assert!(body.contains("seal1") && !body.contains("seal2"), "turn {turn}: {body}");
        assert!(body.contains("\"two\""), "what it said stays said");
        let path = path(&record);
        let told = degraded(&prepared, &path);
        assert_eq!(told.len(), 1, "once for the row and request");
        assert_eq!(
            (told[0].row.as_str(), told[0].provider, told[0].model),
            ("a2", "anthropic", MODEL)
        );
        assert!(told[0].reason.contains("did not fit"), "{}", told[0].reason);
        push(&mut record, Message::new(Role::Assistant, vec![Block::text(format!("t{turn}"))]));
        push(&mut record, Message::new(Role::User, vec![Block::text("on")]));
    }
}

// 42
#[test]
fn each_way_in_which_proofs_do_not_fit_is_told_once_and_the_request_is_sent() {
    let fits = prepared(&sealed_by(&sealed("seal2")));
    assert!(String::from_utf8(fits.request.body().to_vec()).expect("text").contains("seal2"));
    let text = r#"{"type":"text"}"#;
    for entries in [
        r#"{"type":"reasoning","thinkingSignature":"seal2"}"#.to_owned(),
        format!(r#"{{"type":"tool-call","thoughtSignature":"seal2"}},{text}"#),
        format!(r#"{{"type":"text","textSignature":"seal2"}},{text}"#),
        format!(r#"{{"type":"native","thinkingSignature":"seal2"}},{text}"#),
        format!(r#"{{"type":"new","thinkingSignature":"seal2"}},{text}"#),
        format!(r#"{{"type":"reasoning","thinkingSignature":"seal2","redacted":"yes"}},{text}"#),
        format!(r#"{{"type":"reasoning","thinkingSignature":7}},{text}"#),
        format!(r#""seal2",{text}"#),
    ] {
        let record = sealed_by(&entries);
        let (prepared, path) = (prepared(&record), path(&record));
        let body = String::from_utf8(prepared.request.body().to_vec()).expect("text");
        assert!(body.contains("seal1") && !body.contains("seal2"), "{entries}: {body}");
        let mut rows = Vec::new();
        on_replay_degrade(&prepared, &path, &mut |told| rows.push(told.row.to_string()));
        assert_eq!(rows, ["a2"], "{entries}");
    }
}

// 48
#[test]
fn a_hook_that_panics_keeps_nothing_from_being_sent() {
    let record = poisoned();
    let (prepared, path) = (prepared(&record), path(&record));
    let before = prepared.request.body().to_vec();
    let mut calls = 0;
    let panicked = on_replay_degrade(&prepared, &path, &mut |_| {
        calls += 1;
        panic!("the hook fails");
    });
    assert_eq!((calls, panicked), (1, 1));
    assert_eq!(prepared.request.body().to_vec(), before);
    assert_eq!(on_replay_degrade(&prepared, &path, &mut |_| calls += 1), 0);
    assert_eq!(calls, 2);
}

// 49
#[test]
fn a_degraded_reply_changes_no_record_and_its_thought_is_nowhere_in_the_request() {
    let record = poisoned();
    let before = record::jsonl::save(&record);
    let prepared = prepared(&record);
    let body = String::from_utf8(prepared.request.body().to_vec()).expect("text");
    assert!(!body.contains("thought of two") && body.contains("thought of one"), "{body}");
    assert_eq!(record::jsonl::save(&record), before);
}
