//! Session files of Claude Code.

use formats::Format;
use record::{Block, Fact, Message, Record, Role, Source, StopKind};

use crate::view::{branch, files_under, findings, fixture, fixtures, imported, main_of};

fn entry<'r>(record: &'r Record, id: &str) -> &'r record::Entry {
    record.entries.iter().find(|entry| entry.id.as_str() == id).expect("an entry of this id")
}

#[test]
fn lines_of_one_response_are_one_message_and_its_results_stand_in_one_line() {
    assert_eq!(
        main_of("claude-code/parallel-calls.jsonl"),
        [
            "u1 user: look at both",
            "a1 assistant: thought \"first the left one \" signature=\"c2lnLTE=\" | \
         Looking. | call toolu_A Read {\"path\":\"left\",\"n\":1.5} | \
         call toolu_B Read {\"path\":\"right\"} | \
         call toolu_C Read {\"path\":\"middle\"}",
            "r1 tool: result toolu_A Read: left side",
            "r3 tool: result toolu_C Read error: ",
            "r2 tool: result toolu_B Read: right side + opaque tool_reference",
            "a9 assistant: All three read.",
            "u2 user: thanks",
        ]
    );
    let imported = imported("claude-code/parallel-calls.jsonl");
    assert!(imported.findings.is_empty(), "{:?}", imported.findings);
    assert_eq!(imported.record.branches().len(), 1);
    assert_eq!(imported.title.as_deref(), Some("Look at two files"));
}

#[test]
fn usage_and_stop_of_a_response_are_those_of_its_last_line() {
    let imported = imported("claude-code/parallel-calls.jsonl");
    let reply = entry(&imported.record, "a1").message().expect("a message");
    assert_eq!(reply.usage.as_ref().map(|usage| usage.output_tokens), Some(42));
    assert_eq!(reply.stop.as_ref().map(|stop| stop.kind), Some(StopKind::ToolCalls));
    let origin = entry(&imported.record, "a1").origin.as_ref().expect("lines");
    let lines: Vec<u64> = origin.lines.iter().map(|line| line.number).collect();
    assert_eq!(lines, [5, 6, 7, 10, 11]);
}

#[test]
fn a_thought_names_who_issued_it_and_other_members_stay_with_their_block() {
    let imported = imported("claude-code/parallel-calls.jsonl");
    let reply = entry(&imported.record, "a1").message().expect("a message");
    let Some(Block::Reasoning(thought)) = reply.blocks.first() else { panic!("a thought") };
    let issuer = &thought.proof.as_ref().expect("a proof").issuer;
    assert_eq!(
        (&*issuer.platform, &*issuer.api, &*issuer.model),
        ("anthropic", "anthropic_messages", "claude-opus-4-6")
    );
    let Some(Block::ToolUse(call)) = reply.blocks.get(2) else { panic!("a call") };
    assert_eq!(call.rest.get("caller").map(|raw| raw.as_str()), Some(r#"{"type":"direct"}"#));
}

#[test]
fn edited_prompts_stay_branches_and_side_chains_stay_beside_the_conversation() {
    let imported = imported("claude-code/branches.jsonl");
    assert_eq!(
        branch(&imported, "main"),
        [
            "u1 user: start",
            "a1 assistant: first answer",
            "u3 user: go right",
            "a3 assistant: call toolu_T Task {\"prompt\":\"dig\"}",
            "r3 tool: result toolu_T Task: dug",
            "a4 assistant: right it is",
        ]
    );
    assert_eq!(branch(&imported, "branch-2").last().expect("a tip"), "a2 assistant: left it is");
    assert_eq!(branch(&imported, "sidechain:a77"), ["x1 user: dig", "x2 assistant: dug"]);
    let names: Vec<&str> = imported.record.branches().into_iter().map(|b| b.as_str()).collect();
    assert_eq!(names, ["main", "branch-2", "sidechain:a77", "sidechain:2"]);
}

#[test]
fn a_file_of_a_side_chain_alone_is_the_conversation() {
    assert_eq!(main_of("claude-code/agent.jsonl"), ["x1 user: dig", "x2 assistant: dug"]);
}

#[test]
fn a_boundary_and_its_summary_are_one_compaction_with_what_was_kept() {
    let imported = imported("claude-code/compaction.jsonl");
    assert_eq!(
        branch(&imported, "main"),
        [
            "u1 user: long ago",
            "a1 assistant: call toolu_1 Bash {\"command\":\"ls\"}",
            "r1 tool: result toolu_1 Bash: long output",
            "m1 cleared: r1.0",
            "a2 assistant: kept speech",
            "u2 user: kept question",
            "b1 compaction: Summary: it was long ago.",
            "a3 assistant: after the boundary",
            "u3 user: and on",
            "a4 assistant: call toolu_1 Bash {\"command\":\"ls\"}",
            "r4 tool: result toolu_1 Bash: output since",
        ]
    );
    let Fact::Compaction(compaction) = &entry(&imported.record, "b1").fact else { panic!("b1") };
    let kept: Vec<&str> = compaction.retained.iter().map(|id| id.as_str()).collect();
    assert_eq!(kept, ["a2", "u2"]);
    assert!(compaction.handoff_by_user && compaction.split_as_found);
    assert_eq!(findings(&imported.findings), ["DANGLING_PARENT 7", "KEPT_ASIDE 9"]);
}

#[test]
fn a_summary_whose_parent_is_missing_stands_at_its_boundary_and_is_said() {
    let name = "claude-code/compaction.jsonl";
    let text = String::from_utf8(fixture(name)).expect("text");
    let lost =
        text.replace(r#""uuid":"c1","parentUuid":"b1""#, r#""uuid":"c1","parentUuid":"lost""#);
    let read = formats::import(lost.as_bytes(), name).expect("it imports");
    assert_eq!(branch(&read, "main"), main_of(name));
    assert!(findings(&read.findings).contains(&"DANGLING_PARENT 8".to_owned()));
}

#[test]
fn half_of_a_compaction_pair_is_said() {
    let alone = imported("claude-code/boundary-without-summary.jsonl");
    assert_eq!(findings(&alone.findings), ["COMPACTION_PAIR_INVALID 3"]);
    assert_eq!(
        branch(&alone, "main"),
        ["u1 user: one", "a1 assistant: two", "b1 compaction: nothing", "u2 user: three",]
    );
    let summary = imported("claude-code/summary-without-boundary.jsonl");
    assert_eq!(findings(&summary.findings), ["ASSUMED 3"]);
    assert_eq!(branch(&summary, "main")[2], "c1 compaction: Summary:\none, two");
}

#[test]
fn file_order_stands_in_for_a_parent_that_is_missing() {
    let dangling = imported("claude-code/dangling.jsonl");
    assert_eq!(
        branch(&dangling, "main"),
        [
            "u1 user: first",
            "a1 assistant: one",
            "u2 user: second",
            "a2 assistant: two",
            "u3 user: its own parent",
        ]
    );
    assert_eq!(
        findings(&dangling.findings),
        ["DANGLING_PARENT 4", "DANGLING_PARENT 5", "DANGLING_PARENT 7",]
    );
    let linear = imported("claude-code/no-parents.jsonl");
    assert_eq!(branch(&linear, "main"), ["u1 user: one", "a1 assistant: two", "u2 user: three"]);
    assert_eq!(findings(&linear.findings), ["ASSUMED 1"]);
}

#[test]
fn what_still_waits_in_the_queue_is_said_at_the_end() {
    let queue = imported("claude-code/queue.jsonl");
    assert_eq!(
        branch(&queue, "main"),
        [
            "u1 user: work",
            "a1 assistant: call toolu_1 Bash {\"command\":\"ls\"}",
            "r1 tool: result toolu_1 Bash: done",
            "q1 user: taken up",
            "a2 assistant: doing that too",
            "line:7 user: still waiting",
            "line:14 user: and this",
        ]
    );
    assert!(queue.findings.is_empty(), "{:?}", queue.findings);
}

#[test]
fn a_repeated_block_of_one_response_is_taken_once() {
    let repeated = imported("claude-code/repeated-block.jsonl");
    assert_eq!(
        branch(&repeated, "main"),
        [
            "u1 user: write it",
            "a1 assistant: call toolu_1 Write {\"p\":\"h\"}",
            "r1 tool: result toolu_1 Write: created",
        ]
    );
    assert_eq!(findings(&repeated.findings), ["COLLAPSED_BLOCK 3"]);
}

#[test]
fn sessions_that_are_chained_are_one_conversation_and_others_are_said() {
    let two = imported("claude-code/two-sessions.jsonl");
    let chained = ["u1 user: before", "a1 assistant: ok", "u2 user: after the resume"];
    assert_eq!(branch(&two, "branch-2"), chained);
    assert_eq!(branch(&two, "main"), ["v1 user: something else"]);
    assert_eq!(findings(&two.findings), ["SEVERAL_CONVERSATIONS 4"]);
}

#[test]
fn odd_shapes_are_kept_and_named_and_the_chain_goes_on_through_them() {
    let odd = imported("claude-code/odd-shapes.jsonl");
    assert_eq!(
        branch(&odd, "main"),
        [
            "u1 user: hello",
            "u2 user: opaque  | opaque text | opaque  | opaque document",
            "a1 assistant: opaque fallback | call  Bash \"ls\" | \
         thought \"\" redacted=\"b3BhcXVl\" | thought \"\" signature=\"c2ln\" | \
         thought \"unsigned\"",
            "u3 user: after all of it",
            "a2 assistant: cut sh",
        ]
    );
    assert_eq!(
        findings(&odd.findings),
        [
            "UNREAD_FIELD 2",
            "UNREAD_FIELD 3",
            "UNREAD_FIELD 4",
            "UNREAD_FIELD 4",
            "UNREAD_FIELD 4",
            "UNREAD_FIELD 5",
            "DUPLICATE_ROW 6",
            "KEPT_ASIDE 7",
            "KEPT_ASIDE 8",
            "KEPT_ASIDE 9",
            "KEPT_ASIDE 10",
        ]
    );
    assert_eq!(odd.title.as_deref(), Some("Odd shapes"));
    let cut = entry(&odd.record, "a2").message().expect("a message");
    assert!(cut.interrupted);
    let Some(Block::Opaque(document)) =
        entry(&odd.record, "u2").message().and_then(|row| row.blocks.last())
    else {
        panic!("a document")
    };
    assert!(!document.raw.as_str().contains("cache_control"));
    assert!(document.proof.is_some());
}

#[test]
fn damaged_lines_are_kept_and_what_is_whole_in_them_is_read() {
    let damage = imported("claude-code/damage.jsonl");
    assert_eq!(
        branch(&damage, "main"),
        [
            "u1 user: one",
            "a2 assistant: behind zeros",
            "u2 user: glued {\"quoted\"} \\ text",
            "a3 assistant: whole",
            "u3 user: half \u{fffd} of a face",
            "a4 assistant: call toolu_1 Ask {\"o\":\"\\udc00\"}",
        ]
    );
    let found = findings(&damage.findings);
    let corrupt: Vec<&String> = found.iter().filter(|f| f.starts_with("CORRUPT")).collect();
    let lines = [4, 6, 7, 8, 9, 10, 13].map(|line| format!("CORRUPT_LINE {line}"));
    assert_eq!(corrupt, lines.iter().collect::<Vec<_>>());
    let recovered: Vec<&String> = found.iter().filter(|f| f.starts_with("RECOVERED")).collect();
    let lines = [6, 8, 9, 9].map(|line| format!("RECOVERED_OBJECT {line}"));
    assert_eq!(recovered, lines.iter().collect::<Vec<_>>());
    let torn = damage.findings.iter().find(|f| f.line == 4).expect("line 4");
    // It and the next one, of which nothing can be read either.
    assert_eq!(torn.offset, 172);
    assert!(torn.detail.ends_with("2 lines that cannot be read, up to line 5"), "{torn}");
}

#[test]
fn a_file_is_given_back_byte_for_byte() {
    for path in files_under(&fixtures().join("claude-code")) {
        let bytes = std::fs::read(&path).expect("a fixture");
        let read = formats::import(&bytes, "x").expect("it imports");
        assert_eq!(read.format, Format::ClaudeCode, "{path:?}");
        let written = formats::export(&read.record, Format::ClaudeCode).expect("it exports");
        assert!(written == bytes, "{path:?}");
    }
}

#[test]
fn a_reader_gives_the_same_record_as_the_bytes() {
    for path in files_under(&fixtures().join("claude-code")) {
        let bytes = std::fs::read(&path).expect("a fixture");
        let read = formats::import(&bytes, "x").expect("it imports");
        let streamed = formats::import_reader(bytes.as_slice(), "x").expect("it imports");
        assert_eq!(read.record, streamed.record, "{path:?}");
        assert_eq!(read.findings, streamed.findings, "{path:?}");
    }
}

#[test]
fn what_was_said_since_is_written_behind_the_old_lines_and_read_back() {
    let mut read = imported("claude-code/parallel-calls.jsonl");
    let old = fixture("claude-code/parallel-calls.jsonl");
    let mut reply = Message::new(Role::Assistant, vec![Block::text("new words")]);
    reply.source = Some(Source::Model {
        platform: "anthropic".into(),
        api: "anthropic_messages".into(),
        model: "claude-opus-5".into(),
        account: None,
    });
    let tip = read.record.tip("main").cloned();
    let mut new = (*read.record.entries[0]).clone();
    new.id = "n1".into();
    new.parent = tip;
    new.fact = Fact::Message(Box::new(reply));
    new.origin = None;
    read.record.entries.push(std::sync::Arc::new(new));
    read.record.refs[0].tip = Some("n1".into());
    let written = formats::export(&read.record, Format::ClaudeCode).expect("it exports");
    assert!(written.starts_with(&old));
    let again = formats::import(&written, "x").expect("it imports");
    let path = branch(&again, "main");
    assert_eq!(path.last().expect("a tip"), "n1 assistant: new words");
    assert_eq!(path.len(), 8);
    assert!(again.findings.is_empty(), "{:?}", again.findings);
}

#[test]
fn a_record_that_holds_retracted_blocks_is_not_given_back_line_by_line() {
    let mut read = imported("claude-code/agent.jsonl");
    let mut entry = (*read.record.entries[0]).clone();
    entry.id = "gone".into();
    entry.fact = Fact::Retracted(record::Retracted {
        blocks: Vec::new(),
        entries: vec!["x1".into()],
        reason: "asked".into(),
    });
    read.record.entries.push(std::sync::Arc::new(entry));
    let refused = formats::export(&read.record, Format::ClaudeCode);
    assert_eq!(refused, Err(formats::ExportError::Retracted));
}

#[test]
fn what_is_read_to_view_is_the_same_without_the_bytes_of_its_lines() {
    let line = r#"{"type":"user","uuid":"u1","message":{"role":"user","content":"hello"}}"#;
    let file = format!("{line}\n{{\"type\":\"torn");
    let whole = formats::import(file.as_bytes(), "x").expect("it imports");
    let mut view = formats::import_view(file.as_bytes(), "x").expect("it imports");
    assert_eq!(view.findings, whole.findings);
    assert_eq!(view.record.entries.len(), whole.record.entries.len());
    for (viewed, entry) in view.record.entries.iter_mut().zip(&whole.record.entries) {
        let viewed = std::sync::Arc::make_mut(viewed);
        let (lines, kept) = (viewed.origin.take().expect("an origin").lines, &entry.origin);
        let numbers: Vec<u64> = lines.iter().map(|line| line.number).collect();
        let kept: Vec<u64> =
            kept.as_ref().expect("an origin").lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, kept);
        assert!(lines.iter().all(|line| line.bytes.is_empty()));
        assert_eq!(viewed.fact, entry.fact);
    }
}
