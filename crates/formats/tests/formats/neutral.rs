//! The neutral history.

use formats::Format;
use record::{Block, InputClass, Source, StopKind};

use crate::view::{branch, files_under, findings, fixtures, imported};

#[test]
fn lines_become_a_head_messages_and_changes() {
    let small = imported("neutral-history/small.jsonl");
    assert_eq!(small.format, Format::NeutralHistory);
    assert_eq!(
        branch(&small, "main"),
        [
            "line:1 head",
            "line:2 user: @@N01-1@@ hi | image image/png",
            "line:3 assistant: thought \"hm\" signature=\"c2ln\" | \
         thought \"\" redacted=\"b3Bh\" | call c1 run {\"n\":1.0} | call c2 run {\"cut",
            "line:4 tool: result c1 run: ok",
            "line:5 tool: result c2 run error: ",
            "line:6 system: note",
            "line:7 system: change +1 -1",
            "line:8 assistant: thought \"r\" encrypted=\"ZW5j\" | cut",
            "line:9 opaque surprise",
        ]
    );
    assert_eq!(findings(&small.findings), ["UNREAD_FIELD 9"]);
    assert_eq!(small.title.as_deref(), Some("small"));
}

#[test]
fn a_reply_knows_its_dialect_and_how_it_ended() {
    let small = imported("neutral-history/small.jsonl");
    let reply = small.record.entries[7].message().expect("a message");
    assert!(reply.interrupted);
    assert_eq!(reply.stop.as_ref().map(|stop| stop.kind), Some(StopKind::Aborted));
    let Some(Source::Model { api, .. }) = &reply.source else { panic!("a model") };
    assert_eq!(&**api, "openai_responses");
    let Block::Reasoning(thought) = &reply.blocks[0] else { panic!("a thought") };
    assert_eq!(thought.rest.get("id").map(|raw| raw.as_str()), Some("\"rs_1\""));
    let calls = small.record.entries[2].message().expect("a message");
    let Block::ToolUse(cut) = &calls.blocks[3] else { panic!("a call") };
    assert_eq!(cut.input.class(), InputClass::Malformed);
}

#[test]
fn the_document_form_says_the_same_as_the_lines() {
    let said = |name: &str| -> Vec<String> {
        let path = branch(&imported(name), "main").into_iter();
        path.filter_map(|line| line.split_once(' ').map(|(_, said)| said.to_owned())).collect()
    };
    let lines = said("neutral-history/small.jsonl");
    let document = said("neutral-history/document.json");
    assert_eq!(document[1..lines.len()], lines[..lines.len() - 1]);
    assert_eq!(document.last().expect("a tip"), "user: half \u{fffd}");
}

#[test]
fn a_history_is_given_back_byte_for_byte_in_either_form() {
    for path in files_under(&fixtures().join("neutral-history")) {
        let bytes = std::fs::read(&path).expect("a fixture");
        let read = formats::import(&bytes, "x").expect("it imports");
        let written = formats::export(&read.record, Format::NeutralHistory).expect("it exports");
        assert!(written == bytes, "{path:?}");
    }
}

#[test]
fn a_session_is_written_as_a_history_that_says_the_same() {
    let session = imported("claude-code/parallel-calls.jsonl");
    let written = formats::export(&session.record, Format::NeutralHistory).expect("it exports");
    let history = formats::import(&written, "x").expect("it imports");
    let said = |imported: &formats::Imported| -> Vec<String> {
        let path = branch(imported, "main").into_iter();
        path.filter_map(|line| line.split_once(' ').map(|(_, said)| said.to_owned())).collect()
    };
    assert_eq!(said(&history), said(&session));
}

#[test]
fn a_reader_gives_the_same_history_as_the_bytes() {
    for path in files_under(&fixtures().join("neutral-history")) {
        let bytes = std::fs::read(&path).expect("a fixture");
        let read = formats::import(&bytes, "x").expect("it imports");
        let streamed = formats::import_reader(bytes.as_slice(), "x").expect("it imports");
        assert_eq!(read.record, streamed.record, "{path:?}");
    }
}
