//! A new user's walk, from the README alone to the repaired request of their own broken session.
//!
//! The commands are those of the README's walk, as they stand there. What a person does between
//! them is done here: the place of the session is read off the list and put where the README says
//! `SESSION`.

use std::fs;

use stenograph::wire::anthropic_messages::lint::{LintOptions, lint};

use crate::context::{Context, STENO, project};

/// Characters a person who is slow at a keyboard types in a minute, and the minutes there are.
const TYPED_A_MINUTE: usize = 100;
const MINUTES: usize = 5;

/// Where harnesses keep a session, and the format it has there.
const HARNESSES: [(&str, &str); 5] = [
    ("claude-code", ".claude/projects/-home-ada-ledger/5e1f.jsonl"),
    ("codex", ".codex/sessions/2026/03/02/rollout-2026-03-02T09-14-05-5e1f.jsonl"),
    ("pi", ".pi/agent/sessions/--home-ada-ledger--/5e1f.jsonl"),
    ("gemini-cli", ".gemini/tmp/ledger/chats/session-2026-03-02T09-14-5e1f.jsonl"),
    ("copilot-cli", ".copilot/session-state/5e1f.jsonl"),
];

/// The README's walk, command by command.
fn walk() -> Vec<String> {
    let readme = fs::read_to_string(project().join("README.md")).expect("README.md");
    let (_, section) = readme.split_once("\n## Your own session\n").expect("the walk");
    let (section, _) = section.split_once("\n## ").expect("what follows it");
    let blocks = section.split("```sh\n").skip(1).filter_map(|block| block.split_once("```"));
    blocks.flat_map(|(block, _)| block.lines().map(str::to_owned)).collect()
}

/// Walks in a home that holds one broken session; what was typed, in characters, line feeds too.
fn walked(format: &str, place: &str) -> usize {
    let context = Context::with_session();
    let run = context.run(&["export", "session.jsonl", "--as", format, "-q"]);
    assert_eq!(run.code, 0, "{format}: {}", run.err);
    context.write_below(place, &run.out);
    let mut typed = 0;
    let mut session = String::from("SESSION");
    let bin = STENO.strip_suffix("/steno").expect("the program's folder");
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap_or_default());
    for command in walk() {
        let command = command.replace("SESSION", &session);
        typed += command.chars().count() + 1;
        if command.starts_with("cargo ") {
            // What it installs is what is tested here.
            continue;
        }
        let mut shell = context.program("sh", &["-c", &command]);
        let output = shell.env("PATH", &path).output().expect("a shell");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        // `doctor` says no: that is why they came.
        let expected = if command.contains("doctor") { 1 } else { 0 };
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(expected), "{format}: {command}: {told}{said}");
        if let Some(path) = said.lines().map(str::trim).find(|line| line.ends_with("5e1f.jsonl")) {
            session = path.to_owned();
        }
    }
    let body = fs::read(context.folder.join("request.json")).expect("the request");
    assert_eq!(lint(&body, &LintOptions::default()), [], "{format}");
    let body = String::from_utf8_lossy(&body);
    assert!(body.contains("This call did not complete"), "{format}: {body}");
    typed
}

#[test]
fn a_new_user_comes_from_the_readme_to_the_repaired_request() {
    let commands = walk();
    assert_eq!(
        commands.first().map(String::as_str),
        Some("cargo install --locked --path crates/cli")
    );
    let last = commands.last().expect("commands");
    assert!(last.starts_with("steno replay SESSION -o "), "the walk ends with a request: {last}");
    for (format, place) in HARNESSES {
        let typed = walked(format, place);
        assert!(typed <= TYPED_A_MINUTE * MINUTES, "{format}: {typed} characters");
    }
}
