//! From a stream through the record to the next request.

use std::sync::Arc;

use assemble::Dialect;
use record::{Block, Entry, EntryId, Fact, Message, Record, Rest, Role};
use replay::{Now, Reader, Replayer, Target};

use super::{anthropic, read};

/// The next request after these messages, once they have been on disk.
fn requested(messages: Vec<Message>) -> String {
    let mut record = Record::default();
    for (message, seq) in messages.into_iter().zip(1u64..) {
        let parent = record.entries.last().map(|entry| entry.id.clone());
        let id = EntryId::new(format!("e{seq}"));
        let fact = Fact::Message(Box::new(message));
        let (time, origin, rest) = (None, None, Rest::NONE);
        record.entries.push(Arc::new(Entry { id, parent, seq, time, fact, origin, rest }));
    }
    let loaded = record::jsonl::load(&record::jsonl::save(&record), "record.jsonl");
    assert_eq!(loaded.findings, []);
    assert_eq!(loaded.record, record);
    let target = Target::anthropic("claude-opus-4-8");
    let mut replayer = Replayer::new(Reader::plain("main"), target);
    replayer.feed(&loaded.record.entries);
    let prepared = replayer.prepare(&Now::default()).expect("a request");
    String::from_utf8(prepared.request.body().to_vec()).expect("text")
}

fn asked_by_a_person(text: &str) -> Message {
    Message::new(Role::User, vec![Block::text(text)])
}

fn reply(events: &[String], stop_reason: &str) -> Message {
    let bytes = anthropic::streamed(events, stop_reason);
    read(Dialect::AnthropicMessages, "anthropic", &bytes).expect("a reply").message
}

// 34, 50
#[test]
fn a_reply_cut_in_its_call_goes_on_with_its_words_and_thoughts_and_says_that_nothing_ran() {
    let mut events = anthropic::a_turn();
    let cut_in_its_arguments = events.len() - 2;
    events.remove(cut_in_its_arguments);
    let messages =
        vec![asked_by_a_person("go"), reply(&events, "max_tokens"), asked_by_a_person("on")];
    let body = requested(messages);
    let native = r#"{"type":"thinking","thinking":"The file first.","signature":"Eq0B"},{"type":"redacted_thinking","data":"EmwK"},{"type":"text","text":"I read it."}]}"#;
    assert!(body.contains(native), "{body}");
    assert!(!body.contains("tool_use") && !body.contains("path"), "{body}");
    assert!(body.contains("call to read was being written"), "{body}");
}

// 41
#[test]
fn a_whole_reply_goes_on_with_every_proof_on_its_own_block() {
    let result = record::ToolResult {
        tool_use_id: "toolu_1".into(),
        tool_name: "read".into(),
        content: vec![record::ResultPart::Text("done".into())],
        is_error: false,
        rest: Rest::NONE,
    };
    let answered = Message::new(Role::Tool, vec![Block::ToolResult(result)]);
    let replied = reply(&anthropic::a_turn(), "tool_use");
    let body = requested(vec![asked_by_a_person("go"), replied, answered]);
    let native = r#"{"type":"thinking","thinking":"The file first.","signature":"Eq0B"},{"type":"redacted_thinking","data":"EmwK"},{"type":"text","text":"I read it."},{"type":"tool_use","id":"toolu_1","name":"read","input":{"path":"a.txt"}"#;
    assert!(body.contains(native), "{body}");
}
