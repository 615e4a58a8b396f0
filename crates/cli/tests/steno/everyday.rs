//! `import`, `export`, `completions`, `man`.

use std::fs;

use stenograph::formats::Format;

use crate::context::{Context, interrupted};

/// A session with a torn middle line, a line of NUL bytes, and a cut last line.
fn damaged() -> String {
    let lines = interrupted();
    let mut lines: Vec<String> = lines.lines().map(str::to_owned).collect();
    lines.insert(3, r#"{"type":"user","uuid":"torn","message":{"ro"#.to_owned());
    lines.insert(6, "\0".repeat(40));
    lines.push(r#"{"type":"assistant","uui"#.to_owned());
    lines.join("\n")
}

#[test]
fn a_session_comes_back_as_it_was_after_import_and_export() {
    let context = Context::with_session();
    context.write("damaged.jsonl", damaged());
    for name in ["session.jsonl", "damaged.jsonl"] {
        let run = context.run(&["import", name, "-o", "record.jsonl", "-q"]);
        assert_eq!((run.code, run.out(), run.err.as_str()), (0, "", ""));
        let run = context.run(&["export", "record.jsonl", "--as", "claude-code", "-q"]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(run.out(), context.read(name));
        // What is imported twice is the same.
        let again = context.run(&["import", "record.jsonl", "-q"]);
        assert_eq!(again.out(), context.read("record.jsonl"));
    }
}

#[test]
fn damage_costs_the_damaged_line_and_is_said() {
    let context = Context::with_session();
    context.write("damaged.jsonl", damaged());
    let run = context.run(&["import", "damaged.jsonl", "-o", "record.jsonl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for line in ["line 4: ", "line 7: ", "line 15: "] {
        assert!(run.err.contains(line), "{line} in {}", run.err);
    }
    assert!(run.err.contains("CORRUPT_LINE  3"), "{}", run.err);
    // Everything else is there: the request is that of the whole session.
    let whole = context.run(&["replay", "session.jsonl", "-q"]);
    let mended = context.run(&["replay", "record.jsonl", "-q"]);
    assert_eq!(mended.out(), whole.out());
}

#[test]
fn a_format_without_a_mark_for_failure_does_not_let_a_failed_call_pass_as_done() {
    let context = Context::new();
    let body = concat!(
        r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":["#,
        r#"{"type":"tool_use","id":"a","name":"rm","input":{}},"#,
        r#"{"type":"tool_use","id":"b","name":"rm","input":{}}]},{"role":"user","content":["#,
        r#"{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"denied"},"#,
        r#"{"type":"tool_result","tool_use_id":"b","is_error":true}]}]}"#,
    );
    context.write("body.json", body);
    for format in ["codex", "openai-chat"] {
        let run = context.run(&["export", "body.json", "--as", format, "-o", format]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.err.contains("not carried: 2 error marks\n"), "{format}: {}", run.err);
        let shown = context.run(&["show", format]);
        for told in ["Error: denied", "Error: (no output)"] {
            assert!(shown.out().contains(told), "{format}: {}", shown.out());
        }
    }
}

#[test]
fn what_a_format_has_no_place_for_is_named() {
    let context = Context::new();
    let record = [
        r#"{"v":1,"entry":"head","id":"h","parent_id":null,"agent":"main","reason":"imported","head":{"tools":[{"name":"rm"}],"system":["be brief"]}}"#,
        r#"{"v":1,"id":"1","parent_id":"h","role":"user","blocks":[{"type":"text","text":"go"}]}"#,
        r#"{"v":1,"id":"2","parent_id":"1","role":"assistant","interrupted":true,"blocks":[{"type":"text","text":"I"}]}"#,
    ];
    context.write("record.jsonl", record.map(|line| format!("{line}\n")).concat());
    let run = context.run(&["export", "record.jsonl", "--as", "codex", "-o", "codex"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let lost = "not carried: 1 reply ending, 1 tool definition\n";
    assert!(run.err.contains(lost), "{}", run.err);
}

#[test]
fn what_our_own_form_would_not_give_back_is_refused_and_not_written() {
    let context = Context::new();
    let blocks = vec![r#"{"type":"text","text":"a"}"#; 100_001].join(",");
    let body = format!(r#"{{"messages":[{{"role":"user","content":[{blocks}]}}]}}"#);
    context.write("body.json", body);
    let run = context.run(&["import", "body.json", "-q", "-o", "record.jsonl"]);
    run.assert_refused(1);
    assert!(run.err.contains("entry messages.0 cannot be a line"), "{}", run.err);
    context.run(&["export", "body.json", "-q", "--as", "record"]).assert_refused(1);
    assert_eq!(context.files(), ["body.json"]);
    // What is no part of the conversation does not keep it from being brought in.
    let body = format!(
        r#"{{"messages":[{{"role":"user","content":"hi"}}],"odd":"{}"}}"#,
        "\\\\".repeat(40 << 20 >> 1)
    );
    context.write("body.json", body);
    let run = context.run(&["import", "body.json", "-o", "record.jsonl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("too long for a line: entry document"), "{}", run.err);
    let shown = context.run(&["show", "record.jsonl"]);
    assert!(shown.out().contains("\n  hi\n"), "{}", shown.out());
}

#[test]
fn a_three_log_directory_whose_messages_all_lie_in_its_ledger_is_read_again() {
    let context = Context::new();
    // A row with members of its own fits no line of `messages.jsonl`.
    let body = r#"{"messages":[{"role":"user","content":"hi","ts":1,"id":"x"}]}"#;
    context.write("body.json", body);
    let run = context.run(&["export", "body.json", "--as", "three-logs", "-o", "logs"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!context.folder.join("logs/messages.jsonl").exists(), "the ledger holds all of it");
    let run = context.run(&["show", "logs"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out().contains("\n  hi\n"), "{}", run.out());
}

#[test]
fn every_format_that_is_offered_is_written_whole_or_refused_by_name() {
    const REFUSES_CALLS: [&str; 1] = ["aider"];
    let context = Context::with_session();
    for format in Format::ALL.map(Format::name).into_iter().chain(["markdown", "html"]) {
        let place = format!("as-{format}");
        let run = context.run(&["export", "session.jsonl", "--as", format, "-o", &place]);
        if REFUSES_CALLS.contains(&format) {
            run.assert_refused(1);
            assert!(run.err.contains(&format!("as {format}")), "{}", run.err);
            continue;
        }
        assert_eq!(run.code, 0, "{format}: {}", run.err);
        if !["markdown", "html"].contains(&format) {
            let back = context.run(&["import", &place, "-q"]);
            assert_eq!(back.code, 0, "{format} is read again: {}", back.err);
        }
    }
    context.run(&["export", "session.jsonl", "--as", "html", "-q", "-o", "-"]);
    let run = context.run(&["export", "session.jsonl", "--as", "word"]);
    run.assert_usage();
    assert!(run.err.contains("markdown"), "{}", run.err);
    assert!(context.files().iter().all(|name| !name.contains("partial")));
}

#[test]
fn what_a_format_does_not_carry_is_said() {
    let context = Context::with_session();
    for (format, lost) in [
        ("claude-code", None),
        ("anthropic-messages", None),
        ("three-logs", None),
        ("codex", Some("not carried: 2 signatures\n")),
        ("openai-chat", Some("not carried: 2 thoughts, 2 signatures\n")),
    ] {
        let run = context.run(&["export", "session.jsonl", "--as", format, "-o", format]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(run.err.contains("not carried"), lost.is_some(), "{format}: {}", run.err);
        assert!(run.err.contains(lost.unwrap_or_default()), "{format}: {}", run.err);
    }
}

#[test]
fn a_directory_is_written_where_there_is_none_and_read_in_place() {
    let context = Context::with_session();
    let to = |place: &str| {
        context.run(&["export", "session.jsonl", "--as", "three-logs", "-q", "-o", place])
    };
    assert_eq!(to("logs").code, 0);
    let mut files: Vec<String> = fs::read_dir(context.folder.join("logs"))
        .expect("a directory")
        .map(|file| file.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert!(files.contains(&"messages.jsonl".to_owned()), "{files:?}");
    to("logs").assert_refused(3);
    to("not a name").assert_refused(2);
    context.run(&["export", "session.jsonl", "--as", "three-logs", "-q"]).assert_refused(2);
    let whole = context.run(&["replay", "session.jsonl", "-q"]);
    assert_eq!(context.run(&["replay", "logs", "-q"]).out(), whole.out());
    let doctor = context.run(&["doctor", "logs"]);
    assert_eq!(doctor.code, 1);
    assert!(doctor.out().contains("error[A-030]"), "{}", doctor.out());
    assert!(doctor.out().contains("(messages.jsonl, line "), "{}", doctor.out());
    context.write("logs/messages.jsonl", format!("{{\n{}", context.read("logs/messages.jsonl")));
    let damaged = context.run(&["doctor", "logs"]);
    assert!(damaged.out().contains("messages.jsonl, line 1: not"), "{}", damaged.out());
    context.run(&["import", "logs", "-q", "-o", "logs/record.jsonl"]).assert_refused(2);
    context.run(&["import", ".", "-q"]).assert_refused(3);
    assert_eq!(context.files(), ["logs", "session.jsonl"]);
}

#[test]
fn what_is_read_is_never_written_over() {
    let context = Context::with_session();
    for command in [&["import", "session.jsonl"][..], &["export", "session.jsonl", "--as", "html"]]
    {
        context.run(&[command, &["-q", "-o", "session.jsonl"]].concat()).assert_refused(2);
    }
    assert_eq!(context.read("session.jsonl"), interrupted());
}

#[test]
fn a_part_of_a_session_is_only_for_people() {
    let context = Context::with_session();
    let at = ["--at", "0d92", "-q"];
    let page = context.run(&[&["export", "session.jsonl", "--as", "markdown"][..], &at].concat());
    assert_eq!(page.code, 0, "{}", page.err);
    assert!(page.out().contains("quantize") && !page.out().contains("total_of"), "{}", page.out());
    context
        .run(&[&["export", "session.jsonl", "--as", "codex"][..], &at].concat())
        .assert_refused(2);
    let absent = ["export", "session.jsonl", "--as", "html", "--branch", "x", "-q"];
    context.run(&absent).assert_refused(2);
}

#[test]
fn sessions_are_listed_newest_first_as_far_as_is_asked() {
    let context = Context::new();
    let run = context.run(&["import", "--discover"]);
    assert_eq!((run.code, run.out()), (1, ""));
    assert!(run.err.contains("no sessions found"), "{}", run.err);
    for name in ["a", "b", "c"] {
        context.write_below(&format!(".claude/projects/p/{name}.jsonl"), interrupted());
    }
    context.write_below(".local/share/opencode/opencode.db", "");
    let run = context.run(&["import", "--discover", "--limit", "2"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out().lines().count(), 4);
    assert_eq!(run.out().matches("Since Friday some invoice totals").count(), 2);
    assert!(run.err.contains("3 sessions found, the newest 2 listed"), "{}", run.err);
    assert!(run.err.contains("opencode export"), "{}", run.err);
    context.run(&["import", "--discover", "--limit", "0"]).assert_usage();
    context.run(&["import", "--discover", "session.jsonl"]).assert_usage();
    context.run(&["import"]).assert_usage();
}

#[test]
fn completions_and_manuals_know_every_command() {
    let context = Context::new();
    let commands = [
        "replay",
        "check",
        "doctor",
        "import",
        "export",
        "show",
        "targets",
        "config",
        "completions",
        "man",
    ];
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = context.run(&["completions", shell]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        for command in commands {
            assert!(run.out().contains(command), "{shell} {command}");
        }
    }
    context.run(&["completions", "csh"]).assert_usage();
    let manual = context.run(&["man"]);
    assert!(manual.out().contains(".TH steno 1"), "{}", manual.out());
    for command in commands {
        assert!(manual.out().contains(&format!("steno\\-{command}(1)")), "{command}");
        let page = context.run(&["man", command]);
        assert!(page.out().contains(&format!(".TH steno-{command} 1")), "{}", page.out());
        assert!(page.out().contains("Exit codes:"), "{command}");
    }
    context.run(&["man", "nothing"]).assert_refused(2);
}
