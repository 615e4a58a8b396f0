//! What was appended to a session comes back from its own format, behind what was there.

use std::sync::Arc;

use formats::{ExportError, Format, Imported};
use record::{
    Block, Entry, EntryId, Fact, Image, ImageSource, Input, Message, Record, Rest, ResultPart,
    Role, Source, Stop, StopKind, ToolResult, ToolUse,
};

use crate::view::{branch, files_under, fixtures, imported};

const FORMATS: [(Format, &str); 4] = [
    (Format::Pi, "pi"),
    (Format::CopilotCli, "copilot-cli"),
    (Format::OpenCode, "opencode"),
    (Format::GeminiCli, "gemini-cli"),
];

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA\
                   AABJRU5ErkJggg==";

fn entry(id: &str, message: Message) -> Entry {
    let fact = Fact::Message(Box::new(message));
    let (time, rest) = (Some("2026-05-06T07:08:09.000Z".into()), Rest::default());
    Entry { id: EntryId::new(id), parent: None, seq: 0, time, fact, origin: None, rest }
}

fn call(id: &str, input: &str) -> Block {
    let (id, name, input) = (id.into(), "dig".into(), Input::new(input.into()));
    Block::ToolUse(ToolUse { id, name, input, proof: None, rest: Rest::default() })
}

fn result(id: &str, content: Vec<ResultPart>, is_error: bool) -> Message {
    let (tool_use_id, tool_name, rest) = (id.into(), "dig".into(), Rest::default());
    let block = ToolResult { tool_use_id, tool_name, content, is_error, rest };
    Message::new(Role::Tool, vec![Block::ToolResult(block)])
}

/// A turn: a prompt with a picture, two calls, their results, a last word.
pub fn turn() -> Vec<Entry> {
    let image = || Image::new("image/png".into(), ImageSource::Base64(PNG.into()));
    let mut reply =
        Message::new(Role::Assistant, vec![call("n1", r#"{"d":1.50}"#), call("n2", "{}")]);
    let (platform, api, model) = ("anthropic".into(), "anthropic_messages".into(), "m-1".into());
    reply.source = Some(Source::Model { platform, api, model, account: None });
    let (native, failure, dropped_calls) = (None, None, Vec::new());
    let kind = StopKind::ToolCalls;
    reply.stop = Some(Stop { kind, native, failure, dropped_calls, rest: Rest::default() });
    let shown = vec![ResultPart::Text("dug".into()), ResultPart::Image(image())];
    vec![
        entry("n.1", Message::new(Role::User, vec![Block::text("dig"), Block::Image(image())])),
        entry("n.2", reply),
        entry("n.3", result("n1", shown, false)),
        entry("n.4", result("n2", vec![ResultPart::Text("a root".into())], true)),
        entry("n.5", Message::new(Role::Assistant, vec![Block::text("One hole.")])),
    ]
}

/// The main branch; what the harness cleared is told at the end, wherever that is.
fn view(imported: &Imported) -> Vec<String> {
    let mut lines = branch(imported, "main");
    lines.retain(|line| !line.contains(" cleared: "));
    lines
}

/// The lines of a view without their ids.
fn said(lines: &[String]) -> Vec<&str> {
    lines.iter().map(|line| line.split_once(' ').expect("an id").1).collect()
}

const TURN: [&str; 5] = [
    "user: dig | image image/png",
    "assistant: call n1 dig {\"d\":1.50} | call n2 dig {}",
    "tool: result n1 dig: dug + image image/png",
    "tool: result n2 dig error: a root",
    "assistant: One hole.",
];

/// The record with a turn after the end of its main branch.
pub fn with_turn(mut record: Record, turn: Vec<Entry>) -> Record {
    let mut parent = record.tip("main").cloned();
    for mut entry in turn {
        entry.parent = parent.replace(entry.id.clone());
        record.entries.push(Arc::new(entry));
    }
    let mut moved = record.refs.first().cloned();
    if let Some(moved) = &mut moved {
        moved.tip = parent;
    }
    record.refs.extend(moved);
    record
}

#[test]
fn a_turn_after_a_session_is_written_and_read_again() {
    for (format, folder) in FORMATS {
        for path in files_under(&fixtures().join(folder)) {
            let name = format!("{folder}/{}", path.file_name().expect("a name").to_string_lossy());
            let before = imported(&name);
            let ends = view(&before);
            let record = with_turn(before.record, turn());
            let written = formats::export(&record, format);
            if name == "opencode/reverted.json" {
                assert!(matches!(written, Err(ExportError::CannotCarry { .. })));
                continue;
            }
            let written = written.expect("it exports");
            let again = formats::import(&written, &name).expect("it imports");
            let lines = view(&again);
            let at = lines.len().checked_sub(TURN.len()).expect("a turn");
            assert_eq!(said(&lines[at..]), TURN, "{name}");
            assert_eq!(lines[..at], ends, "{name}");
        }
    }
}

#[test]
fn a_record_of_another_origin_is_written_and_read_again() {
    for (format, name) in FORMATS {
        let record = with_turn(Record::default(), turn());
        let written = formats::export(&record, format).expect("it exports");
        let again = formats::import(&written, name).expect("it imports");
        assert_eq!(again.format, format, "{name}");
        let lines = branch(&again, "main");
        let at = lines.len() - TURN.len();
        assert_eq!(said(&lines[at..]), TURN, "{name}");
    }
}

#[test]
fn a_session_written_from_its_blocks_alone_says_the_same() {
    let files = [
        "pi/tree.jsonl",
        "pi/signatures.jsonl",
        "copilot-cli/subagent.jsonl",
        "gemini-cli/records.jsonl",
    ];
    for name in files {
        let read = imported(name);
        let mut record = Record::default();
        for entry in read.record.branch_path("main") {
            let mut entry = (*entry).clone();
            entry.origin = None;
            record.entries.push(Arc::new(entry));
        }
        let written = formats::export(&record, read.format).expect("it exports");
        let again = formats::import(&written, name).expect("it imports");
        let (left, right) = (branch(&again, "main"), branch(&read, "main"));
        assert_eq!(said(&left), said(&right), "{name}");
    }
}
