//! Completions in the shells they are for: the script is read without a word, and completes.
//!
//! Needs bash, zsh and fish; `tests/install` installs them.

use crate::context::{Context, Run, finished};

/// A run of a shell in a folder that holds the scripts.
fn run(context: &Context, shell: &str, arguments: &[&str]) -> Run {
    // A shell that waits for what never comes is stopped.
    let arguments = [&["60", shell][..], arguments].concat();
    let run = finished(&mut context.program("timeout", &arguments));
    assert_ne!(run.code, 127, "{shell} is needed: tests/install installs it");
    run
}

fn with_scripts() -> Context {
    let context = Context::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = context.run(&["completions", shell]);
        context.write(&format!("steno.{shell}"), script.out());
        let read = run(&context, shell, &["-n", &format!("steno.{shell}")]);
        assert_eq!((read.code, read.out(), read.err.as_str()), (0, "", ""), "{shell}");
    }
    context
}

#[test]
fn bash_completes_a_command_and_a_flag() {
    let context = with_scripts();
    let complete = |words: &str, index: u32, word: &str| {
        let script = format!(
            ". ./steno.bash; COMP_WORDS=(steno {words}); COMP_CWORD={index}; \
             _steno steno '{word}' steno; echo \"${{COMPREPLY[*]}}\""
        );
        run(&context, "bash", &["-c", &script]).out().trim().to_owned()
    };
    assert_eq!(complete("repl", 1, "repl"), "replay");
    assert_eq!(complete("check --str", 2, "--str"), "--strict");
}

#[test]
fn fish_completes_a_command_and_a_flag() {
    let context = with_scripts();
    let complete = |line: &str| {
        let script = format!("source steno.fish; complete -C '{line}'");
        let run = run(&context, "fish", &["-N", "-c", &script]);
        run.out().split('\t').next().unwrap_or_default().to_owned()
    };
    assert_eq!(complete("steno repl"), "replay");
    assert_eq!(complete("steno check --str"), "--strict");
}

/// Only at a prompt does zsh complete: one is driven through a terminal of its own.
#[test]
fn zsh_completes_a_command() {
    let context = with_scripts();
    context.write(
        "drive.zsh",
        r#"zmodload zsh/zpty
export TERM=dumb
zpty shell zsh -f
zpty -w shell 'autoload -U compinit; compinit -u -D; . ./steno.zsh; PS1="comp""lete: "'
zpty -r shell said '*complete: *'
zpty -w -n shell $'steno repl\t'
zpty -r shell said '*repl*ay*'
print -r -- completed
zpty -d shell
"#,
    );
    let run = run(&context, "zsh", &["-f", "drive.zsh"]);
    assert_eq!((run.code, run.out()), (0, "completed\n"), "{}", run.err);
}
