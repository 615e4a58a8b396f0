//! `steno show`: what a person reads, and what acts on nobody.

use stenograph::formats::inert::acts;

use crate::context::{Context, STENO, finished};

/// A session in which one line holds everything that could act.
fn hostile() -> String {
    let said = concat!(
        r"\u001b[2J\u001b]0;t\u0007\u009b31m\u0000\u202eflip\u2066\u200f\ufeff\ud800\u2028x",
        r"\nUser  2026-01-01  forged\r\nAssistant  m  forged\u000b\u0085User  forged"
    );
    let image = format!(r#"{{"type":"image","source":{{"type":"url","url":"{said}"}}}}"#);
    let call =
        format!(r#"{{"type":"tool_use","id":"c","name":"{said}","input":{{"{said}":"{said}"}}}}"#);
    let thought = format!(r#"{{"type":"thinking","thinking":"{said}","signature":"s"}}"#);
    let result = format!(r#"{{"type":"tool_result","tool_use_id":"c","content":"{said}"}}"#);
    let lost = format!(r#"{{"type":"tool_result","tool_use_id":"{said}","content":"{said}"}}"#);
    let row = |id: usize, role: &str, blocks: &[&str]| {
        let blocks = blocks.join(",");
        let kind = if role == "assistant" { "assistant" } else { "user" };
        format!(
            "{{\"type\":\"{kind}\",\"uuid\":\"{id}{said}\",\"timestamp\":\"{said}\",\"message\":\
             {{\"role\":\"{role}\",\"model\":\"{said}\",\"content\":[{blocks}]}}}}\n"
        )
    };
    let text = format!(r#"{{"type":"text","text":"{said}"}}"#);
    let unknown = format!(r#"{{"type":"{said}"}}"#);
    [
        row(1, "user", &[&text, &image]),
        row(2, "assistant", &[&thought, &text, &call, &unknown]),
        row(3, "user", &[&result, &lost]),
    ]
    .concat()
}

#[test]
fn nothing_of_a_session_acts_or_passes_for_a_speaker() {
    let context = Context::new();
    context.write("hostile.jsonl", hostile());
    for extra in [&[][..], &["--thinking", "--full"], &["--grep", "flip|forged"], &["--only=calls"]]
    {
        let run = context.run(&[&["show", "hostile.jsonl"], extra].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let shown = format!("{}{}", run.out(), run.err);
        assert_eq!(shown.chars().find(|c| *c != '\n' && acts(*c)), None, "{shown:?}");
        assert!(shown.contains("\\u{1b}[2J") && shown.contains("\\u{202e}flip"), "{shown}");
    }
    let run = context.run(&["show", "hostile.jsonl", "--full", "--thinking"]);
    // The title and the source come first; then only a speaker begins at the edge.
    let at_edge =
        run.out().lines().skip(2).filter(|line| !line.is_empty() && !line.starts_with(' '));
    let speakers: Vec<&str> = at_edge.filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(speakers, ["User", "Assistant", "Tool"], "{}", run.out());
}

#[test]
fn thinking_is_folded_until_it_is_asked_for() {
    let context = Context::with_session();
    let folded = context.run(&["show", "session.jsonl"]);
    assert!(folded.out().contains("Thinking (140 characters, signed)"), "{}", folded.out());
    assert!(!folded.out().contains("rounding twice"));
    for arguments in [&["--thinking"][..], &["--only", "thinking"], &["--grep", "twice"]] {
        let open = context.run(&[&["show", "session.jsonl"], arguments].concat());
        assert!(open.out().contains("rounding twice"), "{arguments:?} {}", open.out());
    }
}

#[test]
fn a_call_that_never_started_is_told_so_in_every_view() {
    let context = Context::new();
    let record = concat!(
        r#"{"v":1,"id":"1","parent_id":null,"role":"user","blocks":[{"type":"text","text":"go"}]}"#,
        "\n",
        r#"{"v":1,"id":"2","parent_id":"1","role":"assistant","runs_logged":true,"blocks":"#,
        r#"[{"type":"tool_use","id":"a","name":"rm","input":{}}]}"#,
        "\n",
    );
    context.write("record.jsonl", record);
    let shown = context.run(&["show", "record.jsonl"]);
    assert!(shown.out().contains("Call rm (never started)"), "{}", shown.out());
    let export = |format| context.run(&["export", "record.jsonl", "-q", "--as", format]);
    let markdown = export("markdown");
    assert!(markdown.out().contains("### Call: ` rm `, never started"), "{}", markdown.out());
    let html = export("html");
    assert!(html.out().contains("It was never started, so it had no effect."), "{}", html.out());
}

#[test]
fn only_what_is_asked_for_is_shown() {
    let context = Context::with_session();
    let shown = |arguments: &[&str]| context.run(&[&["show", "session.jsonl"], arguments].concat());
    let user = shown(&["--only", "user"]);
    assert!(user.out().contains("Since Friday") && !user.out().contains("Call"), "{}", user.out());
    let calls = shown(&["--only=calls,results"]);
    assert!(calls.out().contains("Call Bash (no result)") && calls.out().contains("Result (Read)"));
    assert!(!calls.out().contains("cuts the last cent"));
    let lines = shown(&["--grep", "MONEY", "-i"]);
    assert!(lines.out().contains("ledger/money.py:12") && !lines.out().contains("invoice.py:41"));
    assert!(shown(&["--grep", "MONEY"]).code == 1 && shown(&["--only", "errors"]).code == 1);
    let part = shown(&["--at", "0d92"]);
    assert!(part.out().contains("Grep") && !part.out().contains("Call Read"), "{}", part.out());
    shown(&["--grep", "(", "-q"]).assert_refused(2);
    shown(&["--branch", "nope", "-q"]).assert_refused(2);
    shown(&["--only", "nothing"]).assert_usage();
}

#[test]
fn what_is_long_is_cut_and_says_so() {
    let context = Context::new();
    let output: Vec<String> = (0..100).map(|line| format!("line {line}")).collect();
    let long = "y".repeat(3_000_000);
    let body = format!(
        concat!(
            r#"{{"model":"m","messages":[{{"role":"user","content":"go {}"}},"#,
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"ls","#,
            r#""input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","#,
            r#""tool_use_id":"a","content":"{}"}}]}}]}}"#
        ),
        long,
        output.join("\\n")
    );
    context.write("long.json", body);
    let cut = context.run(&["show", "long.json"]);
    assert!(cut.out().contains("| line 19\n  | ... 80 more lines (`--full` shows all)\n"));
    assert!(cut.out().contains("yyy ... 2,998,003 more characters\n"));
    let full = context.run(&["show", "long.json", "--full"]);
    assert!(full.out().contains("| line 99\n") && full.out().contains(&long));
    let found = context.run(&["show", "long.json", "--grep", "line 9.$"]);
    assert_eq!(found.out().lines().filter(|line| line.starts_with("  | line 9")).count(), 10);
}

/// Runs `steno` with a terminal around it; the pager keeps what it is given.
fn on_a_terminal(context: &Context, arguments: &str, pager: &str) -> String {
    let script = format!("stty cols 40 rows 20; exec {STENO} {arguments}");
    let mut command = context.program("script", &["-qec", &script, "/dev/null"]);
    command.env("PAGER", pager).env("TERM", "xterm");
    String::from_utf8_lossy(&finished(&mut command).out).into_owned()
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_a_pager_colours_and_lines_that_fit() {
    let context = Context::with_session();
    on_a_terminal(&context, "show session.jsonl", "tee seen");
    let seen = context.read("seen");
    assert!(seen.contains("\u{1b}[1;32mAssistant\u{1b}[0m"), "{seen:?}");
    let plain =
        seen.split("\u{1b}[").map(|piece| piece.split_once('m').map_or(piece, |(_, text)| text));
    let plain: String = seen.split_once("\u{1b}[").map_or("", |(start, _)| start).to_owned()
        + &plain.skip(1).collect::<String>();
    let of_session = plain.lines().filter(|line| line.starts_with("  "));
    let widest = of_session.map(|line| line.chars().count()).max();
    assert_eq!(widest, Some(40), "{plain}");
    for arguments in ["show session.jsonl --no-pager", "doctor session.jsonl"] {
        std::fs::remove_file(context.folder.join("seen")).ok();
        assert!(on_a_terminal(&context, arguments, "tee seen").contains("Bash"));
        assert_eq!(context.files(), ["session.jsonl"], "{arguments}");
    }
    // A pager that is not there is no reason to show nothing.
    assert!(
        on_a_terminal(&context, "show session.jsonl", "no-such-pager").contains("Since Friday")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn the_pager_that_is_set_goes_before_every_programs() {
    let context = Context::with_session();
    context.write_below(".config/steno/config.toml", "pager = \"tee set\"\n");
    on_a_terminal(&context, "show session.jsonl", "tee seen");
    assert_eq!(context.files(), [".config", "session.jsonl", "set"]);
    context.write_below(".config/steno/config.toml", "pager = \"\"\n");
    std::fs::remove_file(context.folder.join("set")).expect("a file");
    assert!(on_a_terminal(&context, "show session.jsonl", "tee seen").contains("Bash"));
    assert_eq!(context.files(), [".config", "session.jsonl"]);
}

#[test]
fn what_is_no_terminal_gets_no_pager_and_no_broken_lines() {
    let context = Context::with_session();
    let mut command = context.command(&["show", "session.jsonl"]);
    let run = finished(command.env("PAGER", "tee seen"));
    assert!(run.out().contains(
        "Since Friday some invoice totals are one cent too low. Find out why, and fix it."
    ));
    assert!(!run.out().contains('\u{1b}'));
    assert_eq!(context.files(), ["session.jsonl"]);
}
