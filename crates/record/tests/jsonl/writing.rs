//! What a writer refuses, and what a line never holds.

use std::sync::Arc;

use json::Raw;
use json::limits::{DEPTH_MAX, LINE_BYTES_MAX};
use record::jsonl::{self, OverLimit};
use record::limits::BLOCKS_MAX;
use record::{Block, Entry, Fact, Message, Record, Rest, Role};

fn entry(message: Message) -> Entry {
    Entry {
        id: "1".into(),
        parent: None,
        seq: 0,
        time: None,
        fact: Fact::Message(Box::new(message)),
        origin: None,
        rest: Rest::default(),
    }
}

fn with_response(response: Raw) -> Entry {
    entry(Message { response: Some(response), ..Message::new(Role::Assistant, vec![]) })
}

#[test]
fn an_entry_that_could_not_be_read_back_is_refused_by_name() {
    let nested = |depth: usize| {
        with_response(Raw::parse(&format!("{}{}", "[".repeat(depth), "]".repeat(depth))).unwrap())
    };
    assert!(jsonl::write_entry(&nested(DEPTH_MAX - 1)).is_ok());
    assert_eq!(jsonl::write_entry(&nested(DEPTH_MAX)), Err(OverLimit::Depth));
    let blocks = |count: usize| entry(Message::new(Role::User, vec![Block::text("a"); count]));
    assert!(jsonl::write_entry(&blocks(BLOCKS_MAX)).is_ok());
    let refused = jsonl::write_entry(&blocks(BLOCKS_MAX + 1));
    assert_eq!(refused, Err(OverLimit::Blocks(BLOCKS_MAX + 1)));
    let text = "x".repeat(LINE_BYTES_MAX);
    let refused = jsonl::write_entry(&entry(Message::new(Role::User, vec![Block::text(text)])));
    assert!(matches!(refused, Err(OverLimit::Line(bytes)) if bytes > LINE_BYTES_MAX));
}

#[test]
fn a_record_that_could_not_be_read_back_is_known_before_it_is_saved() {
    let long = || entry(Message::new(Role::User, vec![Block::text("x".repeat(LINE_BYTES_MAX))]));
    let many = || entry(Message::new(Role::User, vec![Block::text("a"); BLOCKS_MAX + 1]));
    let deep =
        || with_response(Raw::parse(&format!("{}{}", "[".repeat(128), "]".repeat(128))).unwrap());
    for over in [long(), many(), deep()] {
        let record = Record { entries: vec![Arc::new(over)], refs: vec![] };
        assert_eq!(jsonl::over_limits(&record).count(), 1);
        // What it is for: reading would not give the entry back.
        assert_ne!(jsonl::load(&jsonl::save(&record), "f").record, record);
    }
    // A line that was lost already is kept as its bytes, however long it is.
    let lost = format!("{}\n", "x".repeat(LINE_BYTES_MAX + 1));
    assert_eq!(jsonl::over_limits(&jsonl::load(lost.as_bytes(), "f").record).count(), 0);
}

#[test]
fn a_line_feed_between_the_tokens_of_a_value_does_not_end_the_line() {
    let pretty = Raw::parse("{\n  \"a\": [\n1\r\n]\n}").unwrap();
    let saved = jsonl::save(&Record {
        entries: vec![Arc::new(with_response(pretty.clone()))],
        refs: vec![],
    });
    let loaded = jsonl::load(&saved, "f");
    let row = loaded.record.entries[0].message().expect("a message");
    let read = row.response.as_ref().expect("a response");
    assert_eq!(read.as_str(), pretty.as_str().replace('\n', " "));
}

#[test]
fn absent_members_are_not_written() {
    let line = jsonl::write_entry(&entry(Message::new(Role::User, vec![Block::text("hi")])));
    let line = line.expect("within the limits");
    let (envelope, fact) = line.as_str().split_once(r#","role""#).expect("a role");
    assert_eq!(envelope, r#"{"v":1,"entry":"message","id":"1","parent_id":null,"seq":0"#);
    assert_eq!(fact, r#":"user","blocks":[{"type":"text","text":"hi"}]}"#);
}
