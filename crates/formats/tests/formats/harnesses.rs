//! Files of the harnesses that share their readers: what is read of each fixture is written down in
//! `tests/views`, and what was appended comes back.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use formats::{ExportError, Format};
use record::{Entry, Record};

use crate::appended::{turn, with_turn};
use crate::view::{branch, files_under, fixtures, imported};

/// Each harness: its folder, and what its format has no place for.
const HARNESSES: [(Format, &str, &[&str]); 23] = [
    (Format::Adk, "adk", &[]),
    (Format::Aider, "aider", &["calls"]),
    (Format::AiSdk, "ai-sdk", &[]),
    (Format::Antigravity, "antigravity", &["images", "ids"]),
    (Format::Atif, "atif", &[]),
    (Format::Cline, "cline", &[]),
    (Format::CodexLegacy, "codex-legacy", &["images", "ids", "errors"]),
    (Format::Cursor, "cursor", &[]),
    (Format::DeepSeekHarness, "deepseek-harness", &["images"]),
    (Format::Droid, "droid", &[]),
    (Format::EntireCompact, "entire-compact", &["images of results"]),
    (Format::Goose, "goose", &[]),
    (Format::Grok, "grok", &["images of results", "errors"]),
    (Format::Hermes, "hermes", &["errors"]),
    (Format::Inspect, "inspect", &[]),
    (Format::Kimi, "kimi", &[]),
    (Format::Kiro, "kiro", &["images"]),
    (Format::LangChain, "langchain", &[]),
    (Format::MiniSweAgent, "mini-swe-agent", &["errors"]),
    (Format::OpenHands, "openhands", &["images of results"]),
    (Format::Qwen, "qwen-code", &[]),
    (Format::SweAgent, "swe-agent", &["errors"]),
    (Format::TauBench, "tau-bench", &["errors"]),
];

fn views() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/views")
}

/// Everything that is read of a file: format, title, findings, branches.
fn view(name: &str) -> String {
    let imported = imported(name);
    let mut view = format!("{}\n", imported.format.name());
    if let Some(title) = &imported.title {
        let _ = writeln!(view, "title: {title}");
    }
    for finding in &imported.findings {
        let _ = writeln!(view, "{} {}: {}", finding.kind.as_str(), finding.line, finding.detail);
    }
    for name in imported.record.branches() {
        let _ = writeln!(view, "\n[{name}]");
        for line in branch(&imported, name) {
            let _ = writeln!(view, "{}", line.replace('\n', "\\n"));
        }
        for entry in imported.record.branch_path(name) {
            if let record::Fact::Compaction(compaction) = &entry.fact
                && !compaction.retained.is_empty()
            {
                let kept: Vec<&str> = compaction.retained.iter().map(|id| id.as_str()).collect();
                let _ = writeln!(view, "{} keeps: {}", entry.id, kept.join(" "));
            }
        }
    }
    view
}

fn fixtures_of(folder: &str) -> Vec<String> {
    let files = files_under(&fixtures().join(folder)).into_iter();
    let name = |path: std::path::PathBuf| path.file_name().expect("a name").to_owned();
    files.map(|path| format!("{folder}/{}", name(path).to_string_lossy())).collect()
}

#[test]
fn every_fixture_of_a_harness_reads_as_it_is_written_down() {
    let mut wrong = Vec::new();
    for (format, folder, _) in HARNESSES {
        for name in fixtures_of(folder) {
            let read = view(&name);
            assert_eq!(imported(&name).format, format, "{name}");
            let path = views().join(format!("{name}.txt"));
            let expected = std::fs::read_to_string(&path).unwrap_or_default();
            if read != expected {
                wrong.push(format!("--- {} ---\n{read}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_fixture_of_a_harness_is_given_back() {
    for (format, folder, _) in HARNESSES {
        for name in fixtures_of(folder) {
            let bytes = std::fs::read(fixtures().join(&name)).expect("a fixture");
            let read = formats::import(&bytes, &name).expect("it imports");
            let written = formats::export(&read.record, format).expect("it exports");
            assert!(written == bytes, "{name}");
        }
    }
}

/// The turn as these formats can say it, and how it is read again.
fn told(but: &[&str]) -> (Vec<Entry>, Vec<String>) {
    let has_no = |what: &str| but.contains(&what);
    let (no_images, ids) = (has_no("images"), !has_no("ids"));
    let mut entries = turn();
    let mut expected = vec![
        "user: dig".to_owned(),
        r#"assistant: call n1 dig {"d":1.50} | call n2 dig {}"#.to_owned(),
        "tool: result n1 dig: dug".to_owned(),
        "tool: result n2 dig error: a root".to_owned(),
        "assistant: One hole.".to_owned(),
    ];
    for (at, image) in [(0, " | image image/png"), (2, " + image image/png")] {
        let record::Fact::Message(message) = &mut entries[at].fact else { panic!("a message") };
        if no_images || at == 2 && has_no("images of results") {
            message.blocks.retain(|block| !matches!(block, record::Block::Image(_)));
            for block in &mut message.blocks {
                if let record::Block::ToolResult(result) = block {
                    result.content.truncate(1);
                }
            }
        } else {
            expected[at].push_str(image);
        }
    }
    if has_no("errors") {
        expected[3] = "tool: result n2 dig: Error: a root".to_owned();
    }
    if has_no("calls") {
        for at in [3, 2, 1] {
            entries.remove(at);
            expected.remove(at);
        }
        let record::Fact::Message(message) = &mut entries[0].fact else { panic!("a message") };
        message.blocks.truncate(1);
        expected[0] = "user: dig".to_owned();
    }
    if !ids {
        expected = expected.iter().map(|l| l.replace("n1 ", " ").replace("n2 ", " ")).collect();
    }
    (entries, in_rounds(&expected))
}

/// Lines without their ids.
fn said(lines: &[String]) -> Vec<String> {
    let words = |line: &String| line.split_once(' ').expect("an id").1.to_owned();
    in_rounds(&lines.iter().map(words).collect::<Vec<_>>())
}

/// The results of a round in one line: formats differ in how many rows they are.
fn in_rounds(lines: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for line in lines {
        match (joined.last_mut(), line.strip_prefix("tool: ")) {
            (Some(last), Some(result)) if last.starts_with("tool: ") => {
                last.push_str(" | ");
                last.push_str(result);
            }
            _ => joined.push(line.clone()),
        }
    }
    joined
}

#[test]
fn a_turn_after_a_session_of_a_harness_is_written_and_read_again() {
    for (format, folder, but) in HARNESSES {
        let (entries, expected) = told(but);
        for name in fixtures_of(folder) {
            let before = imported(&name);
            let ends = branch(&before, "main");
            let record = with_turn(before.record, entries.clone());
            let written = match formats::export(&record, format) {
                Err(ExportError::NothingToWrite) if NOT_CONTINUED.contains(&&*name) => continue,
                written => written.unwrap_or_else(|error| panic!("{name}: {error}")),
            };
            let again = formats::import(&written, &name).expect("it imports");
            let lines = branch(&again, "main");
            assert_eq!(lines[..ends.len()], ends, "{name}");
            assert_eq!(said(&lines[ends.len()..]), expected, "{name}");
        }
    }
}

/// Evaluations: what they hold is no list of messages.
const NOT_CONTINUED: [&str; 2] = ["adk/evalset.json", "adk/turns.json"];

#[test]
fn a_record_of_another_origin_is_written_for_every_harness_and_read_again() {
    for (format, folder, but) in HARNESSES {
        let (entries, expected) = told(but);
        let record = with_turn(Record::default(), entries);
        let written = formats::export(&record, format);
        let written = written.unwrap_or_else(|error| panic!("{folder}: {error}"));
        let again = formats::import(&written, folder).expect("it imports");
        assert_eq!(again.format, format, "{folder}");
        let lines = branch(&again, "main");
        let lines = said(&lines).into_iter().filter(|line| !line.starts_with("opaque "));
        assert_eq!(lines.collect::<Vec<_>>(), expected, "{folder}");
    }
}

#[test]
fn what_a_format_has_no_place_for_is_refused_by_name() {
    for (format, folder, but) in HARNESSES {
        if but.iter().any(|what| what.starts_with("images")) {
            let record = with_turn(Record::default(), turn());
            let refused = formats::export(&record, format);
            assert!(matches!(refused, Err(ExportError::CannotCarry { .. })), "{folder}");
        }
    }
}

#[test]
fn a_session_of_a_harness_written_from_its_blocks_alone_says_the_same() {
    for (format, folder, but) in HARNESSES {
        for name in fixtures_of(folder).iter().filter(|name| !DIFFERENT.contains(&&***name)) {
            let read = imported(name);
            let mut record = Record::default();
            for entry in read.record.branch_path("main") {
                let mut entry = (*entry).clone();
                entry.origin = None;
                record.entries.push(Arc::new(entry));
            }
            let written = formats::export(&record, format);
            let written = written.unwrap_or_else(|error| panic!("{name}: {error}"));
            let again = formats::import(&written, name).expect("it imports");
            let spoken = |lines: &[String]| {
                let mut lines = said(lines);
                lines.retain(|line| !line.starts_with("opaque"));
                if but.contains(&"errors") {
                    lines.iter_mut().for_each(|l| *l = l.replace(" error: ", ": Error: "));
                }
                lines
            };
            let (left, right) = (branch(&again, "main"), branch(&read, "main"));
            assert_eq!(spoken(&left), spoken(&right), "{name}");
        }
    }
}

/// Files of which something is only theirs: a block nobody else knows, a compaction, which a new
/// file has in place of what it replaced, or what one row holds and the format has lines for.
const DIFFERENT: [&str; 9] = [
    "adk/session.json",
    "antigravity/transcript.jsonl",
    "atif/trajectory.json",
    "cline/api_conversation_history.json",
    "deepseek-harness/session.jsonl",
    "kimi/wire.jsonl",
    "langchain/dict.json",
    "openhands/trajectory.json",
    "qwen-code/chat.jsonl",
];

#[test]
fn a_trajectory_holds_what_a_compaction_replaced_and_reads_the_same() {
    for name in ["kimi/wire.jsonl", "qwen-code/chat.jsonl", "pi/tree.jsonl", "adk/session.json"] {
        let read = imported(name);
        let written = formats::export(&read.record, Format::Atif).expect("it exports");
        let again = formats::import(&written, name).expect("it imports");
        let spoken = |imported: &formats::Imported| {
            let mut lines = said(&branch(imported, "main"));
            lines.retain(|line| !line.starts_with("opaque "));
            lines
        };
        assert_eq!(spoken(&again), spoken(&read), "{name}");
        let kept = |imported: &formats::Imported| -> Vec<String> {
            let path = imported.record.branch_path("main");
            let kept = path.iter().filter_map(|entry| match &entry.fact {
                record::Fact::Compaction(compaction) => Some(&compaction.retained),
                _ => None,
            });
            let of = |id: &record::EntryId| path.iter().find(|entry| entry.id == *id).cloned();
            let words = kept.flatten().map(|id| of(id).expect("an entry of the path"));
            let blocks = words.filter_map(|entry| Some(entry.message()?.blocks.clone()));
            blocks.map(|blocks| format!("{blocks:?}")).collect()
        };
        assert_eq!(kept(&again), kept(&read), "{name}");
    }
}

#[test]
fn a_reply_of_clines_own_file_is_its_models_whether_or_not_it_is_timed() {
    let reply = r#"{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"}],"modelInfo":{"modelId":"claude-opus-4-5","providerId":"anthropic","mode":"act"}TS}"#;
    for time in ["", r#","ts":1777073173494"#] {
        let list = format!(r#"[{{"role":"user","content":"go"}},{}]"#, reply.replace("TS", time));
        let read = formats::import(list.as_bytes(), "x").expect("it imports");
        assert_eq!(read.format, Format::Cline, "{time}");
        let messages = read.record.entries.iter().filter_map(|entry| entry.message());
        let proofs = messages.flat_map(|message| &message.blocks).filter_map(|block| {
            let issuer = &block.as_reasoning()?.proof.as_ref()?.issuer;
            Some((issuer.platform.to_string(), issuer.model.to_string()))
        });
        let proofs: Vec<_> = proofs.collect();
        assert_eq!(proofs, [("anthropic".to_owned(), "claude-opus-4-5".to_owned())], "{time}");
    }
}
