//! The three-log directory. Numbers in comments are those of the record's acceptance tests.

use std::sync::Arc;

use formats::Imported;
use formats::three_logs::{self, Files};
use json::{Raw, Text};
use record::{
    Block, BlockRef, CallStarted, Compaction, CompactionKind, Entry, Fact, Fill, GapWording, Head,
    HeadDeclaration, Image, ImageSource, Input, Issuer, Message, OpaqueBlock, OpaqueFact, Proof,
    ProofKind, Reasoning, Record, RefMove, Rest, ResultPart, Role, Sent, Source, Target, TextBlock,
    ToolDefinition, ToolResult, ToolUse,
};

use crate::view::{branch, findings};

fn session() -> Files {
    let read = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/three_logs/session/");
        std::fs::read(format!("{folder}{name}")).expect("a file")
    };
    Files {
        session_id: "session".into(),
        meta: read("meta.json"),
        messages: read("messages.jsonl"),
        tool_calls: read("tool_calls.jsonl"),
        compactions: read("compactions.jsonl"),
        ledger: Vec::new(),
    }
}

fn read(files: &Files) -> Imported {
    three_logs::read(files).expect("it reads")
}

/// A directory of these messages and runs.
fn directory(messages: &str, runs: &str) -> Files {
    let lines = |text: &str| text.as_bytes().to_vec();
    Files { messages: lines(messages), tool_calls: lines(runs), ..Files::default() }
}

fn main_of(files: &Files) -> Vec<String> {
    branch(&read(files), "main")
}

#[test]
fn rows_records_and_pairs_are_one_conversation() {
    assert_eq!(
        main_of(&session()),
        [
            "m1 user: why does the till fail?",
            "m2 assistant: thought \"two looks\" signature=\"c2ln\" | Looking. \
             | call c1 bash {\"cmd\": \"ls\"} | call c2 view {\"at\":\"a\"}",
            "legacy:tool_calls.jsonl:3 tool: result c2 view error: no a",
            "m3 tool: result c1 bash: till.py\n",
            "m4 assistant: call c3 bash {} | opaque tool_call_without_arguments | call c5 bash {}",
            "k1 compaction: The till has one file.",
            "m9 user: and now?",
        ]
    );
}

// 42
#[test]
fn an_envelope_of_other_kinds_than_its_blocks_seals_none_of_them() {
    let row = |first: &str| {
        let line = format!(
            r#"{{"id":"a","role":"assistant","content":"x","reasoning_content":"hm","replay":{{"response":{{"version":2,"api":"anthropic-messages","provider":"anthropic","model":"m"}},"blocks":[{first},{{"type":"text"}}]}}}}"#
        );
        let imported = read(&directory(&line, ""));
        (branch(&imported, "main").join("; "), findings(&imported.findings).len())
    };
    let (told, found) = row(r#"{"type":"reasoning","thinkingSignature":"s"}"#);
    assert!(told.contains(r#"signature="s""#) && found == 0, "{told}");
    for first in [
        r#"{"type":"tool-call","thoughtSignature":"s"}"#,
        r#"{"type":"text","textSignature":"s"}"#,
        r#"{"type":"native"}"#,
        r#"{"type":"new"}"#,
        r#"{"type":"reasoning","thinkingSignature":"s","redacted":"yes"}"#,
        r#"{"type":"reasoning","thinkingSignature":7}"#,
        r#"{"type":"reasoning","proof":"s"}"#,
    ] {
        let (told, found) = row(first);
        assert!(!told.contains("signature") && found == 1, "{first}: {told}");
    }
}

#[test]
fn a_foreign_envelope_seals_its_blocks_if_its_version_is_one_that_is_read() {
    let row = |version: u8| {
        format!(
            r#"{{"id":"a","role":"assistant","content":"","reasoning_content":"hm","replay":{{"response":{{"version":{version},"api":"anthropic-messages","provider":"anthropic","model":"m"}},"blocks":[{{"type":"reasoning","redacted":true,"thinkingSignature":"s"}}]}}}}"#
        )
    };
    let message = |version| {
        let record = read(&directory(&row(version), "")).record;
        record.entries.first().and_then(|entry| entry.message()).expect("a message").clone()
    };
    let thought = |message: &Message| match message.blocks.first() {
        Some(Block::Reasoning(thought)) => thought.proof.clone().expect("a proof"),
        _ => panic!("a thought"),
    };
    let proof = thought(&message(2));
    assert_eq!((proof.version, &proof.kind), (1, &ProofKind::Redacted));
    assert_eq!(&*proof.issuer.api, "anthropic_messages");
    assert_eq!(thought(&message(1)).version, 0);
    let source = message(2).source;
    assert!(matches!(source, Some(Source::Model { platform, .. }) if &*platform == "anthropic"));
}

#[test]
fn what_does_not_hold_together_is_found_in_its_file() {
    let read = read(&session());
    let found: Vec<String> = read
        .findings
        .iter()
        .map(|f| format!("{} {}:{}", f.kind.as_str(), f.file, f.line))
        .collect();
    assert_eq!(
        found,
        [
            "ENVELOPE_MISALIGNED session/messages.jsonl:5",
            "COMPACTION_PAIR_INVALID session/messages.jsonl:9",
            "DUPLICATE_ROW session/messages.jsonl:11",
            "CORRUPT_LINE session/messages.jsonl:12",
            "LEGACY_TOOL_RECORD session/tool_calls.jsonl:4",
            "CORRUPT_LINE session/tool_calls.jsonl:5",
            "COMPACTION_PAIR_INVALID session/compactions.jsonl:2",
        ]
    );
    assert_eq!(read.title.as_deref(), Some("The till"));
}

#[test]
fn a_directory_is_given_back_file_by_file_through_our_own_format_too() {
    // 9
    let files = session();
    let record = read(&files).record;
    let first = record.entries.first().and_then(|entry| entry.message()).expect("a message");
    assert_eq!(first.rest.get("mood").map(Raw::as_str), Some("\"curious\""));
    assert_eq!(three_logs::write(&record, "session").expect("it writes"), files);
    let ours = formats::export(&record, formats::Format::Record).expect("our own format");
    let again = formats::import(&ours, "x").expect("our own format").record;
    assert_eq!(again, record);
    assert_eq!(three_logs::write(&again, "session").expect("it writes"), files);
}

#[test]
fn a_preview_is_never_what_the_model_was_given() {
    // 10, 11, 12
    let call = r#"{"id":"a","role":"assistant","content":"","meta":{"tool_calls":[{"id":"c","name":"f","raw_args":""}]}}"#;
    let row = |preview: &str| {
        format!(
            r#"{{"id":"b","role":"tool","tool_call_id":"c","tool_name":"f","content":"{preview}"}}"#
        )
    };
    let run = r#"{"id":"c","ok":true,"model_content":"all of it"}"#;
    let with =
        |preview: &str, run: &str| main_of(&directory(&format!("{call}\n{}\n", row(preview)), run));
    let rows = ["a assistant: call c f ", "b tool: result c f: all of it"];
    assert_eq!(with("all o...", run), rows);
    assert_eq!(with("al...", run), rows);
    assert_eq!(with("all o...", ""), ["a assistant: call c f "]);
}

#[test]
fn the_record_of_a_run_counts_before_the_block_and_says_more_of_it() {
    let row = r#"{"id":"b","role":"tool","blocks":[{"type":"tool_result","tool_use_id":"c","tool_name":"f","output":"one","is_error":false}]}"#;
    let run =
        r#"{"id":"c","ok":false,"model_content":"two","error_type":"E","meta":{"exit_code":3}}"#;
    let read = read(&directory(row, run));
    assert_eq!(branch(&read, "main"), ["b tool: result c f error: two"]);
    assert_eq!(findings(&read.findings), ["RESULT_MISMATCH 1"]);
    let untyped = r#"{"id":"b","role":"tool","tool_call_id":"c","content":"x"}"#;
    let entries = self::read(&directory(untyped, run)).record.entries;
    let message = entries.first().and_then(|entry| entry.message()).expect("a message");
    let run = message.meta.get("run").expect("a run");
    assert_eq!(run.as_str(), r#"{"error_type":"E","exit_code":3}"#);
}

#[test]
fn a_lost_record_leaves_its_call_without_a_result_and_nothing_else_changed() {
    // 15, 17
    let whole = session();
    let lost = Files {
        tool_calls: String::from_utf8_lossy(&whole.tool_calls)
            .replace(r#""name":"bash","args":{"cmd":"ls"}"#, r#""name":"#)
            .into_bytes(),
        ..whole.clone()
    };
    let (before, after) = (main_of(&whole), main_of(&lost));
    let left: Vec<&String> = before.iter().filter(|line| !after.contains(line)).collect();
    assert_eq!(left, [&"m3 tool: result c1 bash: till.py\n".to_owned()]);
    assert_eq!(after.len(), before.len() - 1);
}

#[test]
fn a_torn_line_keeps_its_bytes_and_the_next_one_is_not_glued_to_it() {
    // 16
    let mut record = read(&session()).record;
    let mut more = Entry::clone(record.entries.first().expect("an entry"));
    more.id = "more".into();
    more.parent = record.tip("main").cloned();
    more.origin = None;
    more.seq = record.entries.iter().map(|entry| entry.seq).max().unwrap_or(0) + 1;
    record.entries.push(Arc::new(more));
    record.refs.clear();
    let files = three_logs::write(&record, "session").expect("it writes");
    let torn = session().messages;
    assert!(files.messages.starts_with(&torn));
    assert_eq!(files.messages.get(torn.len()), Some(&b'\n'));
    let again = branch(&read(&files), "main");
    assert_eq!(again.last().map(String::as_str), Some("more user: why does the till fail?"));
    let meta = String::from_utf8_lossy(&files.meta).into_owned();
    assert!(meta.contains("\"message_count\":13"), "{meta}");
}

#[test]
fn a_started_line_is_a_call_that_was_dispatched() {
    let read = read(&session());
    let started: Vec<&CallStarted> = read
        .record
        .entries
        .iter()
        .filter_map(|entry| match &entry.fact {
            Fact::CallStarted(started) => Some(started),
            _ => None,
        })
        .collect();
    assert_eq!(started, [&CallStarted { call: BlockRef { row: "m2".into(), block: 2 } }]);
}

#[test]
fn another_schema_or_another_directory_is_refused_and_a_damaged_meta_is_not() {
    // 20
    let mut files = session();
    files.session_id = "other".into();
    assert!(three_logs::read(&files).expect_err("refused").to_string().contains("other"));
    files.meta = br#"{"schema_version":"3.0"}"#.to_vec();
    assert!(three_logs::read(&files).expect_err("refused").to_string().contains("3.0"));
    files.meta = b"{torn".to_vec();
    assert_eq!(read(&files).record.branch_path("main").len(), 7);
    let record = read(&session()).record;
    assert!(three_logs::write(&record, "no/way").is_err());
}

fn issuer() -> Arc<Issuer> {
    Arc::new(Issuer {
        platform: "anthropic".into(),
        account: Some("work".into()),
        api: "anthropic_messages".into(),
        model: "claude-opus-4-8".into(),
    })
}

fn proof(kind: ProofKind, sealed: &str) -> Option<Box<Proof>> {
    let sealed = Raw::string(&sealed.into());
    Some(Box::new(Proof { issuer: issuer(), kind, version: 2, sealed }))
}

fn result(id: &str, content: Vec<ResultPart>, is_error: bool) -> Message {
    let (tool_use_id, tool_name) = (Text::from(id), Text::from("f"));
    let rest = Rest::default();
    let block = Block::ToolResult(ToolResult { tool_use_id, tool_name, content, is_error, rest });
    let mut message = Message::new(Role::Tool, vec![block]);
    message.source = Some(Source::Tool { call_id: id.into() });
    message.meta.push("run".into(), Raw::parse(r#"{"start":"s","exit_code":1}"#).expect("JSON"));
    message
}

fn image() -> Image {
    Image::new("image/png".into(), ImageSource::Base64("QUJD".into()))
}

fn call(id: &str, input: &str) -> Block {
    Block::ToolUse(ToolUse {
        id: id.into(),
        name: "f".into(),
        input: Input::new(input.into()),
        proof: proof(ProofKind::Signature, "call"),
        rest: Rest::default(),
    })
}

fn thought(text: &str, kind: ProofKind, sealed: &str) -> Block {
    let (reasoning, proof) = (text.into(), proof(kind, sealed));
    Block::Reasoning(Reasoning { reasoning, proof, rest: Rest::default() })
}

/// A reply with a proof of every kind.
fn reply() -> Message {
    let text = "Looking.".into();
    let item = proof(ProofKind::ItemId, "msg_1");
    let mut reply = Message::new(
        Role::Assistant,
        vec![
            thought("hm", ProofKind::Signature, "sig"),
            thought("", ProofKind::Redacted, "data"),
            Block::Text(TextBlock { text, proof: item, rest: Rest::default() }),
            Block::Opaque(OpaqueBlock {
                kind: "server_tool_use".into(),
                raw: Raw::parse(r#"{"type":"server_tool_use","id":"s"}"#).expect("JSON"),
                proof: proof(ProofKind::Native, ""),
            }),
            call("c1", "{\"a\": 1.0}"),
            call("c2", "{\"cut"),
        ],
    );
    reply.response = Some(Raw::parse(r#"{"id":"r"}"#).expect("JSON"));
    reply.runs_logged = true;
    reply
}

fn compaction(kind: CompactionKind, cleared: Vec<BlockRef>) -> Fact {
    Fact::Compaction(Box::new(Compaction {
        kind,
        continuation: Some("Go on.".into()),
        handoff: Some("It went well.".into()),
        handoff_by_user: true,
        retained_from: Some("e0".into()),
        retained: Vec::new(),
        split_as_found: true,
        cleared,
        rest: Rest::default(),
    }))
}

fn head() -> Fact {
    let tool = Raw::parse(r#"{"name":"f","input_schema":{"type":"object"}}"#).expect("JSON");
    let head = HeadDeclaration {
        tools: vec![ToolDefinition::new(tool).expect("a tool")],
        system: vec!["Be kind.".into()],
    };
    Fact::Head(Box::new(Head {
        agent: "main".into(),
        head: Some(Arc::new(head)),
        folds_through: None,
        owners: None,
        reason: "first".into(),
        rest: Rest::default(),
    }))
}

fn at(row: &str, block: u32) -> BlockRef {
    BlockRef { row: row.into(), block }
}

fn sent() -> Fact {
    Fact::Sent(Box::new(Sent {
        agent: "main".into(),
        target: Target {
            dialect: "anthropic_messages".into(),
            platform: "anthropic".into(),
            model: "claude-opus-4-8".into(),
            account: None,
        },
        covers: Some("e2".into()),
        fills: vec![Fill::Gap { call: at("e4", 4), wording: GapWording::Unknown }],
        no_vision: false,
        digests: None,
        build: 1,
        rest: Rest::default(),
    }))
}

/// What the directory can and cannot hold, one of each.
fn everything() -> Record {
    let texts = |text: &str| vec![ResultPart::Text(text.into())];
    let picture = vec![ResultPart::Text("seen".into()), ResultPart::Image(image())];
    let mut odd = Message::new(Role::User, vec![Block::text("odd")]);
    odd.rest.push("content".into(), Raw::parse("[1]").expect("JSON"));
    let message = |message: Message| Fact::Message(Box::new(message));
    let facts = vec![
        message(Message::new(Role::System, vec![Block::text("s")])),
        head(),
        message(Message::new(Role::User, vec![Block::text("hi"), Block::Image(image())])),
        sent(),
        message(reply()),
        Fact::CallStarted(CallStarted { call: at("e4", 4) }),
        message(result("c1", picture, false)),
        message(result("c2", texts("failed"), true)),
        message(result("c3", Vec::new(), false)),
        compaction(CompactionKind::Boundary, Vec::new()),
        message(odd),
        compaction(CompactionKind::Micro, vec![at("e6", 0)]),
        Fact::Opaque(OpaqueFact { kind: "note".into(), raw: None }),
    ];
    let entries = facts.into_iter().enumerate().map(|(index, fact)| {
        Arc::new(Entry {
            id: format!("e{index}").as_str().into(),
            parent: index.checked_sub(1).map(|before| format!("e{before}").as_str().into()),
            seq: index as u64 * 2 + 3,
            time: (index % 2 == 0).then(|| "2026-03-01T09:00:00Z".into()),
            fact,
            origin: None,
            rest: Rest::default(),
        })
    });
    let moved = |branch: &str, tip: &str| RefMove {
        branch: branch.into(),
        tip: Some(tip.into()),
        reason: "fork".into(),
        time: None,
        rest: Rest::default(),
    };
    let refs = vec![moved("side", "e4"), moved("main", "e11")];
    Record { entries: entries.collect(), refs }
}

/// A record without the lines it came from.
fn bare(record: &Record) -> Record {
    let entries =
        record.entries.iter().map(|entry| Arc::new(Entry { origin: None, ..Entry::clone(entry) }));
    Record { entries: entries.collect(), refs: record.refs.clone() }
}

#[test]
fn what_is_written_is_read_back_equal_and_written_again_the_same() {
    // 8
    let record = everything();
    let files = three_logs::write(&record, "s").expect("it writes");
    let read = read(&files);
    assert!(read.findings.is_empty(), "{:?}", read.findings);
    let again = bare(&read.record);
    for (left, right) in again.entries.iter().zip(&record.entries) {
        assert_eq!(left, right);
    }
    assert_eq!(again, record);
    assert_eq!(three_logs::write(&read.record, "s").expect("it writes"), files);
    let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().count();
    assert_eq!(lines(&files.messages), 7, "rows and one boundary");
    assert_eq!(lines(&files.tool_calls), 4, "one started, three results");
    assert_eq!(lines(&files.compactions), 2);
    assert_eq!(lines(&files.ledger), 6, "what the logs cannot hold, and moves of refs");
}

#[test]
fn other_readers_find_what_they_know_in_a_written_row() {
    let files = three_logs::write(&everything(), "s").expect("it writes");
    let messages = String::from_utf8_lossy(&files.messages).into_owned();
    let reply = messages.lines().find(|line| line.contains("Looking.")).expect("a row");
    let doc = json::Doc::parse_str(reply).expect("JSON");
    let root = doc.root();
    assert_eq!(root.get_str("content").as_deref(), Some("Looking."));
    assert_eq!(root.get_str("reasoning_content").as_deref(), Some("hm"));
    let calls = root.get("meta").and_then(|meta| meta.get("tool_calls")).expect("calls");
    let raw: Vec<_> = calls.items().filter_map(|call| call.get_str("raw_args")).collect();
    assert_eq!(raw, ["{\"a\": 1.0}", "{\"cut"]);
    let replay = root.get("replay").and_then(|replay| replay.get("blocks")).expect("proofs");
    assert_eq!(replay.items().count(), 6);
    let blocks = root.get("blocks").expect("blocks");
    assert!(blocks.items().next().expect("a block").get("proof").is_none());
}

#[test]
fn recorded_sessions_survive_a_directory() {
    let Some(shared) = crate::recorded::shared() else { return };
    for (name, bytes) in crate::recorded::inputs(&shared) {
        let record = bare(&formats::import(&bytes, &name).expect("it imports").record);
        let files = three_logs::write(&record, "s").expect("it writes");
        let read = read(&files);
        assert!(bare(&read.record) == record, "{name}");
        let again = three_logs::write(&read.record, "s").expect("it writes");
        assert!(again == files, "{name}");
    }
}

#[test]
fn damage_of_every_kind_is_read_and_given_back() {
    let whole = session();
    let written = three_logs::write(&everything(), "s").expect("it writes");
    let mut seed = 0x9E37_79B9_7F4A_7C15u64;
    let mut chance = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below.max(1) as u64) as usize
    };
    for round in 0..600 {
        let mut files = if round % 2 == 0 { whole.clone() } else { written.clone() };
        for _ in 0..=chance(3) {
            let file = match chance(4) {
                0 => &mut files.messages,
                1 => &mut files.tool_calls,
                2 => &mut files.compactions,
                _ => &mut files.ledger,
            };
            let at = chance(file.len());
            match chance(4) {
                0 => file.truncate(at),
                1 => file.splice(at..at, *b"\n\0{").for_each(drop),
                2 => file.drain(at..(at + chance(80)).min(file.len())).for_each(drop),
                _ => {
                    let mut lines: Vec<Vec<u8>> =
                        file.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
                    let line = lines[chance(lines.len())].clone();
                    lines.insert(chance(lines.len()), line);
                    *file = lines.join(&b'\n');
                }
            }
        }
        files.session_id = "s".into();
        files.meta.clear();
        let record = read(&files).record;
        if record.entries.is_empty() {
            continue;
        }
        let mut back = three_logs::write(&record, "s").expect("it writes");
        back.meta.clear();
        assert_eq!(back, files, "{round}");
        let ours = formats::export(&record, formats::Format::Record).expect("our own format");
        assert_eq!(formats::import(&ours, "x").expect("our own format").record, record);
    }
}
