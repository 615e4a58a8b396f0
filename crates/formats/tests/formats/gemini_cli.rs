//! Chats of the Gemini CLI.

use formats::Format;
use record::{Block, Message, Record, Source};

use crate::view::{branch, findings, fixture, imported};

fn message<'r>(record: &'r Record, id: &str) -> &'r Message {
    let entry = record.entries.iter().find(|entry| entry.id.as_str() == id);
    entry.and_then(|entry| entry.message()).expect("a message of this id")
}

#[test]
fn a_message_is_a_reply_with_its_thoughts_and_calls_then_a_row_for_each_result() {
    let imported = imported("gemini-cli/chat.json");
    assert_eq!(imported.format, Format::GeminiCli);
    assert_eq!(
        branch(&imported, "main"),
        [
            "document opaque gemini_cli.chat",
            "u1 user: which beds?",
            "g1 assistant: thought \"**Sensors** ask both\" | thought \"no subject\" | \
             I will look. | call t1 sensor {\"bed\":\"north\",\"n\":1.5} | \
             call t2 sensor {\"bed\":\"south\"} | call t3 sensor {\"bed\":\"east\"} | \
             call t4 count {} | call t5 note {}",
            "g1:result.0 tool: result t1 sensor: 41% + image image/png",
            "g1:result.1 tool: result t2 sensor error: no reply",
            "g1:result.2 tool: result t4 count: {\"n\":2,\"of\":\"beds\"}",
            "g1:result.3 tool: result t5 note: written",
            "u2 user: look  | image image/png | opaque fileData",
            "g2 assistant: ",
            "g3 assistant: thought \"think\" signature=\"dGhvdWdodA==\" | So:  | \
             call t9 dig {\"d\":1}",
            "g3:result.0 tool: result t9 dig: image image/png",
        ]
    );
    assert_eq!(imported.title.as_deref(), Some("Beds"));
    assert_eq!(imported.record.branches().len(), 1);
    assert_eq!(findings(&imported.findings), ["KEPT_ASIDE 228"]);
}

#[test]
fn a_signature_is_its_parts_and_what_came_from_the_cache_is_counted_once() {
    let imported = imported("gemini-cli/chat.json");
    let reply = message(&imported.record, "g3");
    let Some(Block::ToolUse(call)) = reply.blocks.get(2) else { panic!("a call") };
    let proof = call.proof.as_ref().expect("a proof");
    assert_eq!((proof.kind.as_str(), proof.sealed.as_str()), ("signature", "\"Y2FsbA==\""));
    let Some(Source::Model { platform, api, model, .. }) = &reply.source else { panic!("a model") };
    assert_eq!((&**platform, &**api, &**model), ("google", "gemini", "gemini-3-flash"));
    let usage = message(&imported.record, "g1").usage.clone().expect("a usage");
    assert_eq!((usage.input_tokens, usage.cache_read_input_tokens), (41, 60));
    assert_eq!(usage.output_tokens, 15);
}

#[test]
fn a_record_of_the_same_id_is_the_same_message_and_a_rewind_leaves_a_branch() {
    let imported = imported("gemini-cli/records.jsonl");
    assert_eq!(
        branch(&imported, "main"),
        [
            "u1 user: list",
            "g1 assistant: Listing. | call t1 ls {\"path\":\".\"}",
            "g1:result.0 tool: result t1 ls: a b",
            "g2 assistant: Two files.",
            "u3 user: keep both",
            "g4 assistant: Kept.",
        ]
    );
    let left = branch(&imported, "branch-2");
    assert_eq!(left.last().expect("a tip"), "g3 assistant: Deleted.");
    let entry = imported.record.entries.iter().find(|entry| entry.id.as_str() == "g1");
    let origin = entry.and_then(|entry| entry.origin.as_ref()).expect("lines");
    let lines: Vec<u64> = origin.lines.iter().map(|line| line.number).collect();
    assert_eq!(lines, [4, 5]);
    assert_eq!(imported.title.as_deref(), Some("Files"));
    assert!(imported.findings.is_empty(), "{:?}", imported.findings);
}

#[test]
fn a_history_written_anew_and_a_rewind_to_nothing_begin_again() {
    let imported = imported("gemini-cli/rewritten.jsonl");
    assert_eq!(branch(&imported, "main"), ["u3 user: from anew"]);
    assert_eq!(branch(&imported, "branch-2"), ["u1 user: one", "g1 assistant: 1"]);
    assert_eq!(
        branch(&imported, "branch-3"),
        ["u1#4 user: one", "g1#5 assistant: 1, again", "u2 user: two"]
    );
}

#[test]
fn damage_is_reported_what_is_whole_is_read_and_every_byte_comes_back() {
    let bytes = fixture("gemini-cli/damage.jsonl");
    let read = formats::import(&bytes, "x").expect("it imports");
    assert_eq!(
        branch(&read, "main"),
        [
            "u1 user: hello",
            "g1 assistant: Hello",
            "g2 assistant: opaque ",
            "line:7 assistant: no id",
        ]
    );
    assert_eq!(
        findings(&read.findings),
        [
            "CORRUPT_LINE 3",
            "RECOVERED_OBJECT 3",
            "CORRUPT_LINE 4",
            "UNREAD_FIELD 5",
            "UNREAD_FIELD 6",
            "CORRUPT_LINE 8",
        ]
    );
    assert_eq!(formats::export(&read.record, Format::GeminiCli).expect("it exports"), bytes);
}
