//! Recorded sessions, where they are at hand: the folder is named by `STENOGRAPH_SHARED`.
//!
//! Every file is read, every finding is explained in `tests/recorded_findings.tsv`, and every file
//! is given back byte for byte.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use formats::Format;
use json::{Doc, Object, Raw, Value};
use record::{Block, Fact};

use crate::view::{branch, files_under};

const FINDINGS: &str = include_str!("../recorded_findings.tsv");

/// The folder of the recordings; says so where there is none.
pub fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("STENOGRAPH_SHARED");
    let folder = folder.filter(|folder| !folder.is_empty()).map(PathBuf::from);
    if folder.is_none() {
        println!("STENOGRAPH_SHARED is not set: the recorded files were not read");
    }
    folder
}

/// Whose recorded requests are bodies that are read.
const CHAT: [&str; 8] =
    ["anthropic", "bedrock", "deepseek", "groq", "mistral", "openai", "openrouter", "zai"];

/// Where sessions of the other harnesses are. What is beside them is no session: the summaries of
/// Grok's sessions, the state of a Kimi session, a message of OpenCode without its parts.
const OTHER_HARNESSES: [&str; 28] = [
    "corpus/aider/",
    "corpus/cline/cl-compaction-",
    "corpus/cline/cl-session-",
    "corpus/copilot-cli/",
    "corpus/cursor/",
    "corpus/damaged/pi-",
    "corpus/entire-compact/",
    "corpus/factory-ai-droid/",
    "corpus/gemini-cli/",
    "corpus/google-adk/",
    "corpus/kiro/",
    "corpus/many-tools/as-antigravity-",
    "corpus/many-tools/as-copilot-",
    "corpus/many-tools/as-cursor-",
    "corpus/many-tools/as-droid-",
    "corpus/many-tools/as-gemini-",
    "corpus/many-tools/as-grok-001",
    "corpus/many-tools/as-grok-004",
    "corpus/many-tools/as-hermes-",
    "corpus/many-tools/as-kimi-00",
    "corpus/many-tools/as-legacy-",
    "corpus/many-tools/as-openclaw-",
    "corpus/many-tools/as-pi-",
    "corpus/many-tools/as-qwen-",
    "corpus/opencode/",
    "corpus/pi/",
    "corpus/swe-agent/",
    "corpus/tau-bench/",
];

/// Name and bytes of every input.
pub fn inputs(shared: &Path) -> Vec<(String, Vec<u8>)> {
    let mut inputs = Vec::new();
    for path in files_under(&shared.join("corpus")) {
        let name = path.strip_prefix(shared).expect("below").to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).expect("a file");
        let session = name.starts_with("corpus/claude-code/")
            || name.starts_with("corpus/damaged/cc-")
            || name.starts_with("corpus/many-tools/as-claude-")
            || name.starts_with("corpus/codex-cli/")
            || name.starts_with("corpus/damaged/cx-")
            || name.starts_with("corpus/many-tools/as-codex-");
        let state = name.ends_with("as-kimi-004.json");
        let other = OTHER_HARNESSES.iter().any(|folder| name.starts_with(folder));
        if session || other && !state {
            inputs.push((name, bytes));
        } else if is_recording(&name) {
            inputs.extend(request_bodies(&name, &bytes));
        }
    }
    for path in files_under(&shared.join("cases")) {
        let name = path.strip_prefix(shared).expect("below").to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).expect("a file");
        if name.ends_with(".json") {
            inputs.extend(case_input(&bytes).map(|input| (name, input)));
        }
    }
    inputs
}

/// Whether a file holds exchanges with a vendor whose bodies are read.
fn is_recording(name: &str) -> bool {
    let of = |vendor: &&str| name.starts_with(&format!("corpus/streams/{vendor}/"));
    let google = name.starts_with("corpus/streams/google-") && name.ends_with(".json");
    google || CHAT.iter().any(of)
}

fn request_bodies(name: &str, bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let doc = Doc::parse(bytes).expect("a recording is JSON");
    let exchanges = doc.root().get("exchanges").into_iter().flat_map(Value::items);
    let requests = exchanges.filter_map(|exchange| exchange.get("request"));
    let bodies = requests.filter_map(|request| request.get("body"));
    let is_read = |body: &Value<'_, '_>| {
        ["messages", "contents", "input"].iter().any(|name| body.get(name).is_some())
    };
    let bodies = bodies.filter(is_read).enumerate();
    bodies.map(|(at, body)| (format!("{name}#{at}"), body.raw().as_bytes().to_vec())).collect()
}

/// What a case gives: lines of a session, or a body put together of its parts.
fn case_input(bytes: &[u8]) -> Option<Vec<u8>> {
    let doc = Doc::parse(bytes).expect("a case is JSON");
    let case = doc.root();
    match &*case.get_str("format")? {
        "opencode-export" => Some(case.get("document")?.raw().as_bytes().to_vec()),
        "claude-code-jsonl" | "codex-rollout" | "copilot-cli-events" | "goose-jsonl"
        | "pi-session-jsonl" => {
            let lines = case.get("lines")?.items().filter_map(Value::as_str);
            Some(lines.map(|line| format!("{line}\n")).collect::<String>().into_bytes())
        }
        format
        @ ("anthropic-messages" | "openai-chat" | "openai-responses" | "gemini-contents") => {
            let mut body = Object::new();
            for (key, value) in case.get("request").into_iter().flat_map(Value::members) {
                body.raw(&key.as_str()?, &Raw::of(value));
            }
            let list = if format == "gemini-contents" { "contents" } else { "messages" };
            body.raw(list, &Raw::of(case.get("messages")?));
            Some(body.finish().as_str().as_bytes().to_vec())
        }
        _ => None,
    }
}

#[test]
fn recorded_files_are_read_with_explained_findings_and_given_back() {
    let Some(shared) = shared() else { return };
    let mut found: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (name, bytes) in inputs(&shared) {
        let read = formats::import(&bytes, &name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let streamed = formats::import_reader(bytes.as_slice(), &name).expect("as before");
        assert!(read.record == streamed.record, "{name}: the two ways differ");
        for finding in &read.findings {
            *found.entry((name.clone(), finding.kind.as_str().to_owned())).or_default() += 1;
        }
        let written = formats::export(&read.record, read.format).expect("it exports");
        assert!(written == bytes, "{name} is not given back");
        let ours = formats::export(&read.record, Format::Record).expect("our own format");
        let again = formats::import(&ours, "x").expect("our own format");
        assert!(again.record == read.record, "{name} does not survive our own format");
    }
    let explained: BTreeMap<(String, String), usize> = FINDINGS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            assert!(fields.len() == 4 && fields[3].len() > 10, "not explained: {line}");
            ((fields[0].to_owned(), fields[1].to_owned()), fields[2].parse().expect("a count"))
        })
        .collect();
    assert_eq!(found, explained);
}

#[test]
fn recorded_results_are_all_on_the_branch_of_their_calls() {
    let Some(shared) = shared() else { return };
    for (name, bytes) in inputs(&shared) {
        let read = formats::import(&bytes, &name).expect("it imports");
        for branch in read.record.branches() {
            let path = read.record.branch_path(branch);
            let mut open = Vec::new();
            for block in path.iter().filter_map(|e| e.message()).flat_map(|m| &m.blocks) {
                match block {
                    Block::ToolUse(call) => open.push(&*call.id),
                    Block::ToolResult(result) => open.retain(|id| *id != &*result.tool_use_id),
                    _ => {}
                }
            }
            let elsewhere = read.record.entries.iter().filter_map(|entry| match &entry.fact {
                Fact::Message(message) => Some(&message.blocks),
                _ => None,
            });
            for block in elsewhere.flatten() {
                if let Block::ToolResult(result) = block {
                    let id = &*result.tool_use_id;
                    assert!(id.is_empty() || !open.contains(&id), "{name} {branch}: {id}");
                }
            }
        }
    }
}

/// The view each of these cases asks for, where importing decides it.
const VIEWS: [(&str, &[&str]); 16] = [
    (
        "008-unfinished-turn",
        &[
            "u1 user: find the tool",
            "a1 assistant: call toolu_q ToolSearch {\"q\":\"x\"}",
            "u2 tool: result toolu_q ToolSearch: found",
            "line:4 user: are you there?",
            "line:5 user: please continue",
        ],
    ),
    (
        "009-thinking-must-be-byte-equal",
        &[
            "u1 user: why?",
            "a1 assistant: thought \"step one  \" signature=\"sigA==\" | \
         thought \"step two\\n\" signature=\"sigB==\" | call toolu_1 Bash {\"command\":\"ls\"}",
            "u2 tool: result toolu_1 Bash: ok",
        ],
    ),
    (
        "065-duplicate-record",
        &[
            "u1 user: create a file",
            "a1 assistant: call toolu_1 Write {\"p\":\"h\"}",
            "u2 tool: result toolu_1 Write: created",
        ],
    ),
    (
        "074-dangling-parent",
        &[
            "u1 user: day one",
            "a1 assistant: ok",
            "b1 compaction: This session is being continued: summary",
            "a2 assistant: continuing",
            "u3 user: today",
        ],
    ),
    (
        "075-id-collision-dangling-parent",
        &[
            "u1 user: first",
            "a1 assistant: one",
            "u2 user: second",
            "a2 assistant: two",
            "u3 user: third",
        ],
    ),
    (
        "078-multi-session-file",
        &[
            "u1 user: before",
            "a1 assistant: ok",
            "u2 user: after resume",
            "a2 assistant: still here",
        ],
    ),
    ("080-nul-bytes", &["u1 user: one", "a1 assistant: 1", "u2 user: two", "a2 assistant: 2"]),
    (
        "084-lone-surrogate",
        &[
            "u1 user: ask",
            "a1 assistant: call toolu_1 AskUserQuestion {\"option\":\"\\ud99c next\"}",
            "u2 tool: result toolu_1 AskUserQuestion: chosen",
        ],
    ),
    (
        "021-interleaved-user-text",
        &[
            "document opaque anthropic_messages.request",
            "messages.0 user: read",
            "messages.1 assistant: Reading. | call toolu_1 read {\"p\":\"a\"} | \
         call toolu_2 read {\"p\":\"b\"}",
            "messages.2 user: result toolu_1 read: A | note from me | result toolu_2 read: B",
            "sent sent after messages.2",
        ],
    ),
    (
        "004-late-result",
        &[
            "document opaque gemini.request",
            "contents.0 user: list files",
            "contents.1 assistant: call call_1 run_shell_command {\"command\":\"ls\"} | \
             call call_2 read_file {\"path\":\"a.txt\"}",
            "contents.3 tool: result call_1 run_shell_command: a.txt",
            "contents.4 tool: result call_2 read_file: hello",
            "contents.5 user: thanks",
            "sent sent after contents.5",
        ],
    ),
    (
        "005-orphan-call",
        &[
            "document opaque opencode.session",
            "m1 user: write it",
            "m2 assistant: call toolu_1 write {}",
            "m2:step.1 assistant: call toolu_2 write {\"filePath\":\"a\"}",
            "m2:step.2 assistant: call toolu_3 write {\"filePath\":\"a\"}",
            "m2:step.2:result.0 tool: result toolu_3 write: written",
            "m3 user: continue",
        ],
    ),
    (
        "016-bad-id-charset-foreign-reasoning",
        &[
            "1 user: list",
            "2 assistant: thought \"\" encrypted=\"gAAA\" | \
             call call_Q1|fc_0f0d bash {\"command\":\"ls\"}",
            "3 tool: result call_Q1|fc_0f0d bash: a",
            "5 user: go on",
        ],
    ),
    (
        "058-half-dropped-pair",
        &[
            "1 user: run this",
            "2 assistant: call call_1 bash {}",
            "3 tool: result call_1 bash: out",
            "4 user: continue",
        ],
    ),
    (
        "060-orphan-result-chained-compaction",
        &[
            "1 user: start",
            "2 assistant: call call_w write {}",
            "3 tool: result call_w write: ok",
            "4 compaction: The conversation history before this point was compacted into the \
             following summary:\n\n<summary>\nold\n</summary>",
            "5 tool: result call_lost edit: late",
            "6 assistant: fine",
            "7 compaction: The conversation history before this point was compacted into the \
             following summary:\n\n<summary>\nnewer\n</summary>",
            "8 user: go",
        ],
    ),
    ("081-glued-lines", &["line:1 user: hi", "line:2' assistant: Hello", "line:3 user: next"]),
    ("082-torn-tail", &["1 user: hi"]),
];

/// A line without the white space between the members of an input.
fn compact(line: &str) -> String {
    line.replace("{\n      ", "{").replace("\n     }", "}").replace("\": \"", "\":\"")
}

#[test]
fn cases_are_imported_as_they_ask() {
    let Some(shared) = shared() else { return };
    for (case, expected) in VIEWS {
        let path = shared.join("cases").join(format!("{case}.json"));
        let input = case_input(&std::fs::read(path).expect("a case")).expect("an input");
        let read = formats::import(&input, case).expect("it imports");
        let said: Vec<String> = branch(&read, "main").iter().map(|line| compact(line)).collect();
        assert_eq!(said, expected, "{case}");
    }
}
