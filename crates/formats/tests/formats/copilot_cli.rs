//! Event logs of the Copilot CLI.

use formats::Format;
use record::{Block, Fact, Message, MessageKind, Record, Source};

use crate::view::{branch, findings, fixture, imported};

fn message<'r>(record: &'r Record, id: &str) -> &'r Message {
    let entry = record.entries.iter().find(|entry| entry.id.as_str() == id);
    entry.and_then(|entry| entry.message()).expect("a message of this id")
}

#[test]
fn what_was_sent_is_the_view_and_other_events_stand_beside_it() {
    let imported = imported("copilot-cli/events.jsonl");
    assert_eq!(imported.format, Format::CopilotCli);
    assert_eq!(
        branch(&imported, "main"),
        [
            "y1 head",
            "u1 user: <now>09:00</now>\n\nread both | image image/png",
            "a1 assistant: thought \"both\" encrypted=\"b3Bh\" | Reading. | \
             call c1 view {\"path\":\"a\",\"n\":1.0} | call c2 view {\"path\": \"b\"}",
            "r2 tool: result c2 view error: no such file",
            "r1 tool: result c1 view: A + image image/png",
            "n1 user: <system_notification>\nshell 3 ended\n</system_notification>",
            "a2 assistant: thought \"\" encrypted=\"Z0FB\" | Done.",
            "y3 head",
            "k2 compaction: Both files were read.",
            "u2 user: thanks",
        ]
    );
    assert_eq!(findings(&imported.findings), ["KEPT_ASIDE 4", "KEPT_ASIDE 21"]);
}

#[test]
fn a_reply_is_of_the_model_it_names_or_of_the_one_selected_last() {
    let imported = imported("copilot-cli/events.jsonl");
    let source = |id: &str| match &message(&imported.record, id).source {
        Some(Source::Model { platform, api, model, .. }) => format!("{platform} {api} {model}"),
        _ => panic!("a model"),
    };
    assert_eq!(source("a1"), "github-copilot openai_chat claude-sonnet-4.6");
    assert_eq!(source("a2"), "github-copilot openai_responses gpt-5.4");
    let Some(Block::Reasoning(thought)) = message(&imported.record, "a2").blocks.first() else {
        panic!("a thought")
    };
    let proof = thought.proof.as_ref().expect("a proof");
    assert_eq!((&*proof.issuer.api, &*proof.issuer.model), ("openai_responses", "gpt-5.4"));
}

#[test]
fn system_text_is_a_head_where_it_changed_and_a_notification_is_the_runtimes() {
    let imported = imported("copilot-cli/events.jsonl");
    let heads: Vec<String> = imported
        .record
        .entries
        .iter()
        .filter_map(|entry| match &entry.fact {
            Fact::Head(head) => head.head.as_ref().map(|head| head.system[0].to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(heads, ["You tend a garden.", "You tend two gardens."]);
    let told = message(&imported.record, "n1");
    assert_eq!(told.kind, Some(MessageKind::TaskNotification));
    assert!(matches!(&told.source, Some(Source::Runtime { .. })));
}

#[test]
fn a_subagent_is_a_side_chain_of_the_call_that_started_it() {
    let imported = imported("copilot-cli/subagent.jsonl");
    assert_eq!(
        branch(&imported, "main"),
        [
            "u1 user: ask the scout",
            "a1 assistant: call c1 task {\"prompt\":\"scout\"}",
            "r1 tool: result c1 task: It is Z.",
            "a2 assistant: The scout says Z.",
        ]
    );
    assert_eq!(
        branch(&imported, "sidechain:c1"),
        [
            "b1 assistant: call c9 view {\"path\":\"z\"}",
            "b2 tool: result c9 view: Z",
            "b3 assistant: It is Z.",
        ]
    );
    assert!(imported.findings.is_empty(), "{:?}", imported.findings);
}

#[test]
fn damage_is_reported_what_is_whole_is_read_and_every_byte_comes_back() {
    let bytes = fixture("copilot-cli/damage.jsonl");
    let read = formats::import(&bytes, "x").expect("it imports");
    assert_eq!(
        branch(&read, "main"),
        [
            "line:1 user: hello",
            "line:2' assistant: Good morning | opaque toolRequest",
            "u9 user: bye",
        ]
    );
    assert_eq!(
        findings(&read.findings),
        [
            "CORRUPT_LINE 2",
            "RECOVERED_OBJECT 2",
            "UNREAD_FIELD 2",
            "UNREAD_FIELD 3",
            "UNREAD_FIELD 4",
            "DANGLING_PARENT 5",
            "DUPLICATE_ROW 6",
            "UNREAD_FIELD 7",
        ]
    );
    assert_eq!(formats::export(&read.record, Format::CopilotCli).expect("it exports"), bytes);
}
