//! A new user's walk, from the README alone to the repaired request of their own broken session.
//!
//! The commands are those of the README's walk, as they stand there. What a person does between
//! them is done here: the place of the session is read off the list and put where the README says
//! `SESSION`.

use std::fs;
use std::process::Command;

use stenograph::wire::anthropic_messages::lint::{LintOptions, lint};

use crate::context::{Context, STENO, interrupted, project};

/// The README's walk, command by command, what installs the program apart.
fn walk() -> Vec<String> {
    let readme = fs::read_to_string(project().join("README.md")).expect("README.md");
    let (_, section) = readme.split_once("\n## Your own session\n").expect("the walk");
    let (section, _) = section.split_once("\n## ").expect("what follows it");
    let blocks = section.split("```sh\n").skip(1).filter_map(|block| block.split_once("```"));
    blocks.flat_map(|(block, _)| block.lines().map(str::to_owned)).collect()
}

#[test]
fn a_new_user_comes_from_the_readme_to_the_repaired_request() {
    let commands = walk();
    let (install, commands) = commands.split_first().expect("commands");
    assert_eq!(install, "cargo install --locked --path crates/cli");
    assert!(commands.len() <= 6, "five minutes of typing: {commands:?}");
    let context = Context::new();
    context.write_below(".claude/projects/-home-ada-ledger/5e1f.jsonl", interrupted());
    let bin = STENO.strip_suffix("/steno").expect("the program's folder");
    let mut session = String::from("SESSION");
    let mut last = None;
    for command in commands {
        let command = command.replace("SESSION", &session);
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(&context.folder).env("HOME", &context.folder);
        shell.env_remove("XDG_CONFIG_HOME");
        shell.env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap_or_default()));
        let output = shell.output().expect("a shell");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let code = output.status.code();
        // `doctor` says no: that is why they came.
        let expected = if command.contains("doctor") { 1 } else { 0 };
        assert_eq!(code, Some(expected), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        if let Some(path) = said.lines().map(str::trim).find(|line| line.ends_with("5e1f.jsonl")) {
            session = path.to_owned();
        }
        last = Some(command);
    }
    assert!(last.is_some_and(|command| command.contains("replay")), "the walk ends with a request");
    let body = fs::read(context.folder.join("request.json")).expect("the request");
    assert_eq!(lint(&body, &LintOptions::default()), []);
    assert!(String::from_utf8_lossy(&body).contains("This call did not complete"));
}
