//! The README shows what really happens.

use std::fs;
use std::process::Command;

use crate::context::{STENO, project};

/// A command of a `console` block and what stands below it.
fn examples(text: &str) -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match (inside, line) {
            (false, "```console") => inside = true,
            (true, "```") => inside = false,
            (true, line) => match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => examples.push((command.to_owned(), String::new())),
                (None, Some((_, output))) => {
                    output.push_str(line);
                    output.push('\n');
                }
                (None, None) => panic!("a console block begins with `$ `: {line}"),
            },
            (false, _) => {}
        }
    }
    examples
}

#[test]
fn readme_example_is_true() {
    let readme = fs::read_to_string(project().join("README.md")).expect("README.md");
    let examples = examples(&readme);
    assert!(!examples.is_empty(), "README.md shows no run");
    let bin = STENO.strip_suffix("/steno").expect("the program's folder");
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap_or_default());
    for (command, expected) in examples {
        assert!(command.starts_with("steno "), "only runs of steno are shown: {command}");
        let script = format!("exec 2>&1\n{command}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).env("PATH", &path).current_dir(project());
        shell.env_remove("CLICOLOR_FORCE").env("XDG_CONFIG_HOME", "/nowhere");
        let output = shell.output().expect("a shell");
        let given = String::from_utf8(output.stdout).expect("UTF-8");
        // A body ends without a line feed; a page of text cannot.
        let given = if given.ends_with('\n') { given } else { format!("{given}\n") };
        assert_eq!(given, expected, "$ {command}");
    }
}
