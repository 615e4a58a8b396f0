//! What a reader makes of lines: old rows, the unknown, and what cannot be read.

use json::Text;
use record::jsonl::{self, Loaded};
use record::{
    Block, EntryId, Fact, FindingKind, InputClass, Message, OpaqueFact, ProofKind, ResultPart,
    Role, Source, StopKind,
};
use serde_json::{Value, json};

fn load(lines: &[Value]) -> Loaded {
    let file: String = lines.iter().map(|line| format!("{line}\n")).collect();
    jsonl::load(file.as_bytes(), "f.jsonl")
}

fn kinds(loaded: &Loaded) -> Vec<FindingKind> {
    loaded.findings.iter().map(|finding| finding.kind).collect()
}

fn message(loaded: &Loaded, index: usize) -> &Message {
    loaded.record.entries[index].message().expect("a message")
}

/// The saved lines, header left out.
fn saved(loaded: &Loaded) -> Vec<Value> {
    let saved = String::from_utf8(jsonl::save(&loaded.record)).expect("text");
    saved.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn row(id: &str, parent: Value, blocks: Value) -> Value {
    json!({"v": 1, "entry": "message", "id": id, "parent_id": parent, "seq": 0,
        "role": "assistant", "blocks": blocks})
}

// Record test 1.
#[test]
fn each_block_kind_keeps_its_field_names_and_values() {
    let blocks = json!([
        {"type": "text", "text": "hi"},
        {"type": "tool_use", "id": "c1", "name": "ls", "input": "{\"a\": 1.0}"},
        {"type": "tool_result", "tool_use_id": "c1", "tool_name": "ls", "output": "x",
            "is_error": false, "images": [{"media_type": "image/png", "blob": "ab"}]},
        {"type": "reasoning", "reasoning": "hm"},
        {"type": "image", "media_type": "image/png", "data": "iVBORw0KGgo="},
        {"type": "system_change", "define_tools": [{"name": "t"}], "remove_tools": ["u"],
            "add_system": ["s"]},
    ]);
    let line = row("1", Value::Null, blocks);
    let loaded = load(std::slice::from_ref(&line));
    assert_eq!(kinds(&loaded), []);
    assert_eq!(saved(&loaded), [line]);
    let Block::ToolUse(call) = &message(&loaded, 0).blocks[1] else { panic!("a call") };
    assert_eq!((&**call.input.text(), call.input.class()), ("{\"a\": 1.0}", InputClass::Object));
}

// Record test 2.
#[test]
fn a_row_of_role_and_blocks_loads_and_gets_no_time() {
    let loaded = load(&[
        json!({"role": "user", "blocks": [{"type": "text", "text": "a"}]}),
        json!({"role": "assistant", "blocks": []}),
    ]);
    let [first, second] = &loaded.record.entries[..] else { panic!("two rows") };
    assert_eq!((first.time.clone(), second.time.clone()), (None, None));
    assert_eq!(first.id.as_str(), "legacy:f.jsonl:1");
    assert_eq!((second.id.as_str(), second.seq), ("legacy:f.jsonl:2", 1));
    assert_eq!((&first.parent, &second.parent), (&None, &Some(first.id.clone())));
    assert_eq!(kinds(&loaded), []);
}

#[test]
fn an_id_made_up_for_a_row_gives_way_to_one_that_was_written() {
    let text = "torn\n{\"id\":\"legacy:f.jsonl:1\",\"role\":\"user\",\"blocks\":[]}\n";
    let loaded = jsonl::load(text.as_bytes(), "f.jsonl");
    assert_eq!(kinds(&loaded), [FindingKind::CorruptLine]);
    assert_eq!(loaded.record.entries[0].id.as_str(), "legacy:f.jsonl:1+");
    assert_eq!(message(&loaded, 1).role, Role::User);
}

// Record test 3.
#[test]
fn an_unknown_block_stays_as_it_is_between_its_neighbours() {
    let unknown = r#"{"type":"web_search","q":[1.0,"\u0041"],"id":9007199254740993}"#;
    let text = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
    let line = format!(
        r#"{{"v":1,"entry":"message","id":"1","parent_id":null,"seq":0,"role":"assistant",{}}}"#,
        format_args!(r#""blocks":[{},{unknown},{}]"#, text("a"), text("b"))
    );
    let loaded = jsonl::load(line.as_bytes(), "f");
    let saved = jsonl::save(&loaded.record);
    assert_eq!(String::from_utf8_lossy(&saved), format!("{}\n{line}\n", jsonl::HEADER));
    let Block::Opaque(block) = &message(&loaded, 0).blocks[1] else { panic!("opaque") };
    assert_eq!((&*block.kind, block.raw.as_str()), ("web_search", unknown));
}

// Record test 6.
#[test]
fn rows_of_equal_text_keep_their_own_ids_and_times() {
    let mut lines = [row("a", Value::Null, json!([])), row("b", json!("a"), json!([]))];
    lines[0]["timestamp"] = json!("2030-01-01T00:00:00Z");
    lines[1]["timestamp"] = json!("2030-01-01T00:00:01.5+00:00");
    let loaded = load(&lines);
    assert_eq!(saved(&loaded), lines);
}

// Record test 9, for this format.
#[test]
fn unknown_members_stay_wherever_they_stand() {
    let mut line = row("1", Value::Null, json!([{"type": "text", "text": "a", "x": 1.5}]));
    line["x"] = json!({"deep": [null]});
    line["meta"] = json!({"kind": "ambient", "x": 2});
    line["usage"] = json!({"input_tokens": 1, "output_tokens": 2, "x": 3});
    line["source"] = json!({"kind": "tool", "call_id": "c", "x": 4});
    line["stop"] = json!({"kind": "stop", "x": 5, "dropped_calls": [{"name": "n", "x": 6}]});
    let sent = json!({"v": 1, "entry": "sent", "id": "2", "parent_id": "1", "seq": 1, "x": 7,
        "agent": "a", "covers": "1", "build": 1,
        "target": {"dialect": "d", "platform": "p", "api": "x", "model": "m"},
        "fills": [{"fill": "continue", "after": "1", "x": 8}, {"fill": "new", "x": 9}]});
    let moved = json!({"v": 1, "ref": "main", "tip": "2", "reason": "append", "x": 10});
    let lines = [line, sent, moved];
    let loaded = load(&lines);
    assert_eq!(saved(&loaded), lines);
    assert_eq!(kinds(&loaded), []);
    let row = message(&loaded, 0);
    assert_eq!(row.usage.as_ref().map(|usage| usage.output_tokens), Some(2));
    assert_eq!(row.source, Some(Source::Tool { call_id: "c".into() }));
    assert_eq!(row.stop.as_ref().map(|stop| stop.kind), Some(StopKind::Stop));
    let Fact::Sent(sent) = &loaded.record.entries[1].fact else { panic!("sent") };
    assert_eq!(sent.fills[0], record::Fill::Continue { after: "1".into() });
}

#[test]
fn a_member_of_a_wrong_type_is_kept_and_reported() {
    let mut line = row("1", Value::Null, json!([]));
    for (name, value) in [
        ("author", json!(5)),
        ("usage", json!("many")),
        ("timestamp", json!([1])),
        ("seq", json!(-1)),
        ("interrupted", json!("yes")),
        ("stop", json!({"kind": "new"})),
        ("audience", json!("ana")),
    ] {
        line[name] = value;
    }
    let loaded = load(std::slice::from_ref(&line));
    assert_eq!(kinds(&loaded), [FindingKind::UnreadField; 7]);
    assert_eq!(saved(&loaded), [line]);
    let row = message(&loaded, 0);
    assert_eq!((&row.author, &row.usage, row.interrupted), (&None, &None, false));
    assert_eq!(row.audience, Some(Vec::new()), "shown to nobody rather than to everyone");
}

#[test]
fn of_a_repeated_name_the_last_counts() {
    for (authors, read) in [
        (r#""author":5,"author":"ana""#, Some("ana".into())),
        (r#""author":"ana","author":5"#, None),
        (r#""author":"ana","author":"bo""#, Some("bo".into())),
    ] {
        let line = format!(r#"{{"id":"1","role":"user","blocks":[],{authors}}}"#);
        let loaded = jsonl::load(line.as_bytes(), "f");
        assert_eq!(message(&loaded, 0).author, read);
        let line: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(saved(&loaded)[0]["author"], line["author"]);
    }
}

#[test]
fn a_finding_points_at_the_value() {
    let text = "\n{\"role\":\"user\",\"blocks\":[],\"author\":5}\n";
    let loaded = jsonl::load(text.as_bytes(), "f");
    let finding = &loaded.findings[0];
    assert_eq!((finding.line, finding.offset, finding.bytes), (2, 37, 1));
    assert_eq!(&text[37..38], "5");
}

#[test]
fn null_and_false_are_absent_and_stay_written() {
    let mut line = row("1", Value::Null, json!([{"type": "text", "text": "", "proof": null}]));
    for name in ["author", "usage", "source", "stop", "answers", "meta", "timestamp", "origin"] {
        line[name] = Value::Null;
    }
    line["interrupted"] = json!(false);
    let loaded = load(std::slice::from_ref(&line));
    assert_eq!(kinds(&loaded), []);
    assert_eq!(saved(&loaded), [line]);
}

#[test]
fn a_block_whose_payload_cannot_be_read_is_kept_as_it_is() {
    let blocks = json!([
        {"type": "text", "text": 5},
        {"type": "tool_use", "id": "c", "name": "n", "input": [1]},
        {"type": "tool_result", "tool_use_id": "c", "output": {"a": 1}, "is_error": false},
        {"type": "image", "media_type": "image/png"},
        {"type": "system_change", "define_tools": [{"no": "name"}]},
        "speech",
    ]);
    let line = row("1", Value::Null, blocks);
    let loaded = load(std::slice::from_ref(&line));
    assert_eq!(saved(&loaded), [line]);
    let opaque = |block: &Block| matches!(block, Block::Opaque(_));
    assert!(message(&loaded, 0).blocks.iter().all(opaque));
    assert_eq!(kinds(&loaded), [FindingKind::UnreadField; 6]);
}

#[test]
fn an_input_that_is_an_object_is_read_as_its_text() {
    let blocks = json!([{"type": "tool_use", "id": "c", "name": "n", "input": {"a": 1}}]);
    let line = row("1", Value::Null, blocks);
    let loaded = load(std::slice::from_ref(&line));
    let Block::ToolUse(call) = &message(&loaded, 0).blocks[0] else { panic!("a call") };
    assert_eq!((&**call.input.text(), call.input.class()), ("{\"a\":1}", InputClass::Object));
    assert_eq!(saved(&loaded), [line]);
}

#[test]
fn a_proof_is_a_field_of_its_block_known_or_not() {
    let proof = |kind: &str| {
        json!({"issuer": {"platform": "anthropic", "api": "anthropic_messages", "model": "m"},
            "kind": kind, "version": 1, "sealed": "EqQB"})
    };
    let line = r#"{"v":1,"entry":"message","id":"1","parent_id":null,"seq":0,"role":"assistant",
        "blocks":[{"type":"reasoning","reasoning":"","proof":P1},{"type":"web","q":1,"proof":P2}]}"#
        .replace('\n', " ")
        .replace("P1", &proof("redacted").to_string())
        .replace("P2", &proof("native").to_string());
    let loaded = jsonl::load(line.as_bytes(), "f");
    let [Block::Reasoning(thought), Block::Opaque(block)] = &message(&loaded, 0).blocks[..] else {
        panic!("a thought and an unknown block")
    };
    let (one, two) = (thought.proof.as_ref(), block.proof.as_ref());
    assert_eq!(one.map(|proof| &proof.kind), Some(&ProofKind::Redacted));
    assert_eq!(two.map(|proof| &proof.kind), Some(&ProofKind::Native));
    assert_eq!(block.raw.as_str(), r#"{"type":"web","q":1}"#, "what goes back to its provider");
    assert_eq!(saved(&loaded), [serde_json::from_str::<Value>(&line).expect("JSON")]);
}

#[test]
fn parts_win_and_are_written_only_where_output_does_not_say_it() {
    let text = |text: &str| ResultPart::Text(Text::new(text));
    let results = [
        (vec![], false),
        (vec![text("a")], false),
        (vec![text("")], true),
        (vec![text("a"), text("b")], true),
    ];
    for (content, parts) in results {
        let result = record::ToolResult {
            tool_use_id: "c".into(),
            tool_name: "n".into(),
            content: content.clone(),
            is_error: false,
            rest: record::Rest::default(),
        };
        let row = Message::new(Role::Tool, vec![Block::ToolResult(result)]);
        let loaded = load(&[row_of(&row)]);
        let Block::ToolResult(read) = &message(&loaded, 0).blocks[0] else { panic!("a result") };
        assert_eq!(read.content, content);
        assert_eq!(saved(&loaded)[0]["blocks"][0].get("parts").is_some(), parts);
        assert_eq!(saved(&loaded)[0]["blocks"][0]["output"], json!(read.output()));
    }
}

fn row_of(message: &Message) -> Value {
    let entry = record::Entry {
        id: "1".into(),
        parent: None,
        seq: 0,
        time: None,
        fact: Fact::Message(Box::new(message.clone())),
        origin: None,
        rest: record::Rest::default(),
    };
    let line = jsonl::write_entry(&entry).expect("within the limits");
    serde_json::from_str(line.as_str()).expect("JSON")
}

#[test]
fn an_unknown_fact_is_kept_byte_for_byte() {
    let line = r#"{ "entry":"checkpoint", "id":"k", "parent_id":null, "seq":3, "n":1.50, "v":1 }"#;
    let loaded = jsonl::load(line.as_bytes(), "f");
    let Fact::Opaque(OpaqueFact { kind, raw: Some(raw) }) = &loaded.record.entries[0].fact else {
        panic!("opaque")
    };
    assert_eq!((&**kind, raw.as_str()), ("checkpoint", line));
    assert_eq!(loaded.record.entries[0].seq, 3);
    let saved = jsonl::save(&loaded.record);
    assert_eq!(String::from_utf8_lossy(&saved), format!("{}\n{line}\n", jsonl::HEADER));
}

#[test]
fn a_line_of_a_newer_version_keeps_its_place_and_is_not_read_as_ours() {
    let mut line = row("b", json!("a"), json!([{"type": "text", "text": "other meaning"}]));
    line["v"] = json!(2);
    let lines = [row("a", Value::Null, json!([])), line, row("c", json!("b"), json!([]))];
    let loaded = load(&lines);
    assert_eq!(kinds(&loaded), [FindingKind::UnreadField]);
    assert!(matches!(loaded.record.entries[1].fact, Fact::Opaque(_)));
    let path = loaded.record.path(&"c".into());
    assert_eq!(path.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(saved(&loaded), lines);
}

#[test]
fn a_head_that_cannot_be_read_is_a_retired_one_that_folds_nothing() {
    let line = json!({"v": 1, "entry": "head", "id": "h", "parent_id": null, "seq": 0,
        "agent": "a", "reason": "adopted", "head": {"tools": [5]}, "folds_through": "h"});
    let loaded = load(std::slice::from_ref(&line));
    let Fact::Head(head) = &loaded.record.entries[0].fact else { panic!("a head") };
    assert_eq!((&head.head, &head.folds_through), (&None, &None));
    assert_eq!(kinds(&loaded), [FindingKind::UnreadField]);
    assert_eq!(saved(&loaded), [line]);
}

#[test]
fn a_second_entry_of_an_id_is_reported_and_kept() {
    let lines = [
        row("a", Value::Null, json!([{"type": "text", "text": "first"}])),
        row("a", Value::Null, json!([{"type": "text", "text": "second"}])),
        row("b", json!("a"), json!([])),
    ];
    let loaded = load(&lines);
    assert_eq!(kinds(&loaded), [FindingKind::DuplicateRow]);
    assert_eq!(message(&loaded, 0).blocks, [Block::text("first")]);
    let Fact::Opaque(kept) = &loaded.record.entries[1].fact else { panic!("opaque") };
    assert_eq!(&*kept.kind, jsonl::DUPLICATE_ROW);
    assert_eq!(saved(&loaded)[1]["raw"], lines[1]);
    assert_eq!(loaded.record.entries[2].parent, Some("a".into()));
}

#[test]
fn a_missing_parent_is_reported_and_the_row_before_stands_in() {
    let lines = [row("a", Value::Null, json!([])), row("b", json!("gone"), json!([]))];
    let loaded = load(&lines);
    assert_eq!(kinds(&loaded), [FindingKind::DanglingParent]);
    assert_eq!(loaded.record.entries[1].parent, Some("a".into()));
    assert_eq!(saved(&loaded), lines, "what was written is what stays");
}

#[test]
fn a_parent_may_come_later_but_not_lead_back() {
    let parents = |lines: &[(&str, &str)]| {
        let named = |parent: &str| if parent.is_empty() { Value::Null } else { json!(parent) };
        let lines: Vec<_> =
            lines.iter().map(|(id, parent)| row(id, named(parent), json!([]))).collect();
        let loaded = load(&lines);
        assert_eq!(saved(&loaded), lines);
        let parents = loaded.record.entries.iter().map(|entry| entry.parent.clone());
        (parents.collect::<Vec<Option<EntryId>>>(), loaded.findings.len())
    };
    let id = |id: &str| Some(EntryId::from(id));
    assert_eq!(parents(&[("a", "b"), ("b", "b2"), ("b2", "")]).0[..2], [id("b"), id("b2")]);
    assert_eq!(parents(&[("a", "a")]), (vec![None], 1));
    assert_eq!(parents(&[("a", "b"), ("b", "a")]), (vec![None, id("a")], 1));
    let (ring, findings) = parents(&[("x", "c"), ("a", "x"), ("b", "a"), ("c", "b")]);
    assert_eq!((ring, findings), (vec![None, id("x"), id("a"), id("b")], 1));
}

#[test]
fn a_header_is_read_over_and_one_of_another_kind_is_kept() {
    let loaded = jsonl::load(format!("\u{feff}{}\r\n", jsonl::HEADER).as_bytes(), "f");
    assert_eq!((loaded.record.entries.len(), loaded.findings.len()), (0, 0));
    let other = json!({"stenograph": "record", "v": 2});
    let loaded = load(std::slice::from_ref(&other));
    assert_eq!(kinds(&loaded), [FindingKind::UnreadField]);
    assert_eq!(saved(&loaded)[0]["raw"], other);
}

#[test]
fn ids_that_are_no_text_still_name_their_entries() {
    let lines = [row("x", Value::Null, json!([])), row("y", json!(7), json!([]))];
    let mut lines = lines;
    lines[0]["id"] = json!(7);
    let loaded = load(&lines);
    assert_eq!(loaded.record.entries[1].parent.as_ref(), Some(&loaded.record.entries[0].id));
    assert_eq!(kinds(&loaded), [FindingKind::UnreadField; 2]);
    assert_eq!(saved(&loaded), lines);
}

#[test]
fn foreign_lines_come_back_byte_for_byte() {
    let origin = json!({"format": "claude-code", "lines": [
        {"n": 12, "text": "{\"type\":\"user\"}\r"},
        {"n": 13, "base64": "eyL/", "ended": false},
    ]});
    let mut line = row("1", Value::Null, json!([]));
    line["origin"] = origin;
    let loaded = load(std::slice::from_ref(&line));
    assert_eq!(saved(&loaded), [line]);
    let lines = &loaded.record.entries[0].origin.as_ref().expect("an origin").lines;
    assert_eq!((&*lines[0].bytes, lines[0].ended), (&b"{\"type\":\"user\"}\r"[..], true));
    assert_eq!((&*lines[1].bytes, lines[1].ended), (&b"{\"\xff"[..], false));
}
