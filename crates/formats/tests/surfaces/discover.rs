//! The sessions of the harnesses on a machine.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use formats::Format;
use formats::discover::{self, Discovery};

use crate::folder::Folder;

const CLAUDE: &str = concat!(
    r#"{"type":"user","uuid":"u1","parentUuid":null,"#,
    r#""message":{"role":"user","content":"<tag>x</tag>"}}"#,
    "\n",
    r#"{"type":"user","uuid":"u2","parentUuid":"u1","#,
    r#""message":{"role":"user","content":"mend the gate"}}"#,
    "\n"
);

fn found(home: &Path) -> Discovery {
    discover::discover(home, |_| None, |_| {})
}

/// Whose each found session is, and its path below the home.
fn listed(home: &Path, discovery: &Discovery) -> Vec<String> {
    let below = |path: &Path| path.strip_prefix(home).expect("below").display().to_string();
    let sessions = discovery.sessions.iter();
    sessions.map(|found| format!("{} {}", found.format.name(), below(&found.path))).collect()
}

fn written_at(path: &Path, seconds: u64) {
    let file = fs::File::options().append(true).open(path).expect("a file");
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).expect("a time");
}

#[test]
fn sessions_of_every_harness_are_found_newest_first_and_nothing_else() {
    let home = Folder::new();
    let sessions = [
        ".claude/projects/-home-ada/5e1f.jsonl",
        ".codex/sessions/2026/03/02/rollout-2026-03-02.jsonl",
        ".codex/archived_sessions/rollout-2025-01-01.jsonl",
        ".pi/agent/sessions/--home-ada--/2026.jsonl",
        ".gemini/tmp/ledger/chats/session-1.json",
        ".gemini/tmp/ledger/chats/session-2.jsonl",
        ".copilot/session-state/8c1d/events.jsonl",
        ".copilot/session-state/7b2e.jsonl",
        ".local/share/opencode/storage/session/p1/ses_1.json",
        ".openclaw/agents/main/sessions/5e1f.jsonl",
        ".gemini/antigravity/brain/5e1f/.system_generated/logs/transcript.jsonl",
        ".gemini/antigravity-cli/brain/5e1f/.system_generated/logs/transcript.jsonl",
        ".cline/data/sessions/5e1f/5e1f.messages.json",
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json",
        ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/api_conversation_history.json",
        ".cursor/projects/home-ada/agent-transcripts/5e1f/5e1f.jsonl",
        ".dsh/sessions/--home-ada--/session-1/session.v4.jsonl",
        ".factory/sessions/-home-ada/5e1f.jsonl",
        ".local/share/goose/sessions/20260302_1.jsonl",
        ".grok/sessions/%2Fhome%2Fada/5e1f/chat_history.jsonl",
        ".hermes/sessions/session_5e1f.json",
        ".kimi-code/sessions/wd_ada/session_1/agents/main/wire.jsonl",
        ".kimi/sessions/0d92/5e1f/context.jsonl",
        ".kiro/sessions/cli/5e1f.jsonl",
        ".qwen/projects/-home-ada/chats/5e1f.jsonl",
    ];
    for (at, name) in sessions.iter().enumerate() {
        written_at(&home.write(name, "{}"), 1_000_000 - at as u64);
    }
    for other in [
        ".claude/projects/-home-ada/agent-1.jsonl",
        ".claude/projects/-home-ada/sessions-index.json",
        ".claude/history.jsonl",
        ".codex/sessions/2026/notes.jsonl",
        ".gemini/tmp/ledger/logs.json",
        ".copilot/session-state/8c1d/other.jsonl",
        ".local/share/opencode/storage/message/ses_1/msg_1.json",
        ".cline/data/sessions/5e1f/5e1f.json",
        ".cursor/projects/home-ada/agent-transcripts/5e1f/subagents/1.jsonl",
        ".grok/sessions/%2Fhome%2Fada/5e1f/updates.jsonl",
        ".hermes/sessions/sessions.json",
        ".kimi-code/sessions/wd_ada/session_1/agents/agent-0/wire.jsonl",
        ".kiro/sessions/cli/5e1f.json",
        ".dsh/sessions/--home-ada--/session-1/session.v4.jsonl.zstd",
    ] {
        home.write(other, "{}");
    }
    let discovery = found(home.path());
    let names: Vec<String> = listed(home.path(), &discovery)
        .into_iter()
        .map(|line| line.split_once(' ').expect("a path").1.to_owned())
        .collect();
    assert_eq!(names, sessions);
    assert!(!discovery.cut && discovery.unread.is_empty());
    assert_eq!(discovery.folders.len(), 23);
}

#[test]
fn a_harness_that_was_told_of_another_place_is_found_there() {
    let home = Folder::new();
    let elsewhere = Folder::new();
    home.write(".claude/projects/p/here.jsonl", "{}");
    elsewhere.write("projects/p/there.jsonl", "{}");
    let place = elsewhere.path().as_os_str().to_owned();
    let variable = |name: &str| (name == "CLAUDE_CONFIG_DIR").then(|| place.clone());
    let discovery = discover::discover(home.path(), variable, |_| {});
    assert_eq!(listed(elsewhere.path(), &discovery), ["claude-code projects/p/there.jsonl"]);
}

#[cfg(unix)]
#[test]
fn links_that_lead_in_circles_or_nowhere_end() {
    let home = Folder::new();
    home.write(".claude/projects/p/a.jsonl", "{}");
    let projects = home.path().join(".claude/projects");
    std::os::unix::fs::symlink(&projects, projects.join("p/up")).expect("a link");
    std::os::unix::fs::symlink("nowhere", projects.join("p/dead.jsonl")).expect("a link");
    std::os::unix::fs::symlink(home.path(), projects.join("home")).expect("a link");
    let discovery = found(home.path());
    assert_eq!(listed(home.path(), &discovery).len(), 1, "{discovery:?}");
}

#[test]
fn a_session_is_called_by_its_title_or_by_its_first_prompt() {
    let home = Folder::new();
    home.write(".claude/projects/p/a.jsonl", CLAUDE);
    // Far more than is read for a title, and it still has one.
    let filler = format!("{{\"type\":\"progress\",\"x\":\"{}\"}}\n", "y".repeat(1 << 20));
    home.write(".claude/projects/p/b.jsonl", format!("{CLAUDE}{filler}"));
    home.write(".claude/projects/p/c.jsonl", "no session");
    home.write(".local/share/opencode/storage/session/p/ses_1.json", r#"{"title":"the attic"}"#);
    let mut titles: Vec<Option<String>> =
        found(home.path()).sessions.iter().map(discover::title).collect();
    titles.sort();
    let named = |title: &str| Some(title.to_owned());
    assert_eq!(titles, [None, named("mend the gate"), named("mend the gate"), named("the attic")]);
}

#[test]
fn a_session_of_opencode_that_lies_in_many_files_is_one_document() {
    let home = Folder::new();
    let storage = ".local/share/opencode/storage";
    let info = home.write(
        &format!("{storage}/session/p1/ses_1.json"),
        r#"{"id":"ses_1","title":"the attic","version":"1.0","time":{"created":1,"updated":2}}"#,
    );
    home.write(
        &format!("{storage}/message/ses_1/msg_1.json"),
        r#"{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1}}"#,
    );
    home.write(&format!("{storage}/message/ses_1/msg_2.json"), r#"{"id":"msg_2","ro"#);
    home.write(
        &format!("{storage}/part/msg_1/prt_2.json"),
        r#"{"id":"prt_2","messageID":"msg_1","type":"text","text":"and why"}"#,
    );
    home.write(
        &format!("{storage}/part/msg_1/prt_1.json"),
        r#"{"id":"prt_1","messageID":"msg_1","type":"text","text":"say what"}"#,
    );
    let bytes = discover::gather(&info, 1 << 20).expect("readable").expect("a session");
    let imported = formats::import(&bytes, "ses_1").expect("a document");
    assert_eq!(imported.format, Format::OpenCode);
    assert_eq!(imported.title.as_deref(), Some("the attic"));
    let path = imported.record.branch_path("main");
    let said = path.iter().filter_map(|entry| entry.message()).flat_map(|m| &m.blocks);
    let said: Vec<&str> = said.filter_map(|block| Some(block.as_text()?.text.as_str())).collect();
    assert_eq!(said, ["say what", "and why"]);
    // The damaged file costs itself alone, and is said and kept.
    assert_eq!(imported.findings.len(), 1, "{:?}", imported.findings);
    assert!(String::from_utf8_lossy(&bytes).contains(r#"{\"id\":\"msg_2\",\"ro"#));
    let too_much = discover::gather(&info, 100).expect_err("a limit");
    assert_eq!(too_much.kind(), std::io::ErrorKind::FileTooLarge);
    let plain = home.write("ses_1.json", "{}");
    assert!(discover::gather(&plain, 100).expect("readable").is_none());
}
