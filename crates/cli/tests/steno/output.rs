//! Where the bytes go: standard output holds data alone, `-o` writes whole or not at all.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::context::{Context, STENO, finished};

/// A session that ends with the assistant.
const FINISHED: &str = concat!(
    r#"{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}],"#,
    r#""model":"claude-opus-4-8"}"#
);

#[test]
fn the_body_is_all_of_standard_output_and_the_same_every_time() {
    let context = Context::with_session();
    let first = context.run(&["replay", "session.jsonl"]);
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(first.out().starts_with(r#"{"model":"#) && first.out().ends_with("]}]}"));
    assert_eq!(context.run(&["replay", "session.jsonl", "-q"]).out(), first.out());
    let json = context.run(&["replay", "session.jsonl", "--json"]);
    assert_eq!(json.out(), first.out());
    let judged = context.run_with(&["check", "-"], &first.out);
    assert_eq!((judged.code, judged.err.as_str()), (0, ""), "{}", judged.out());
}

#[test]
fn quiet_leaves_only_data_and_errors() {
    let context = Context::with_session();
    assert_eq!(context.run(&["-q", "replay", "session.jsonl"]).err, "");
    let doctor = context.run(&["doctor", "session.jsonl", "-q"]);
    assert_eq!((doctor.code, doctor.out(), doctor.err.as_str()), (1, "", ""));
    context.run(&["replay", "absent", "-q"]).assert_refused(3);
}

#[test]
fn a_file_takes_the_body_and_standard_output_takes_the_json_report() {
    let context = Context::with_session();
    let body = context.run(&["replay", "session.jsonl"]);
    let run = context.run(&["replay", "session.jsonl", "-o", "body.json", "--report", "json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out().starts_with(r#"{"schema":"steno.replay/1""#));
    assert_eq!(context.read("body.json"), body.out());
    assert_eq!(context.files(), ["body.json", "session.jsonl"]);
    let run = context.run(&["replay", "session.jsonl", "-o", "-"]);
    assert_eq!(run.out(), body.out());
}

#[test]
fn what_is_replaced_keeps_its_mode_and_a_link_stays_a_link() {
    let context = Context::with_session();
    context.write("body.json", "old");
    let path = context.folder.join("body.json");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("a mode");
    symlink("body.json", context.folder.join("link")).expect("a link");
    assert_eq!(context.run(&["replay", "session.jsonl", "-o", "link"]).code, 0);
    assert!(context.read("body.json").starts_with(r#"{"model":"#));
    assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o600);
    let link = fs::symlink_metadata(context.folder.join("link")).expect("a link");
    assert!(link.file_type().is_symlink());
}

#[test]
fn standard_input_is_not_written_over_where_it_is_a_file() {
    let context = Context::with_session();
    let before = context.read("session.jsonl");
    for arguments in [
        &["replay", "-", "-o", "session.jsonl"][..],
        &["import", "-", "-o", "session.jsonl"],
        &["export", "-", "--as", "html", "-o", "./session.jsonl"],
    ] {
        let file = fs::File::open(context.folder.join("session.jsonl")).expect("a file");
        finished(context.command(arguments).stdin(file)).assert_refused(2);
        assert_eq!(context.read("session.jsonl"), before);
    }
}

#[test]
fn a_link_to_what_is_not_there_yet_is_followed_and_stays_a_link() {
    let context = Context::with_session();
    fs::create_dir(context.folder.join("there")).expect("a folder");
    symlink("there/next", context.folder.join("link")).expect("a link");
    symlink("body.json", context.folder.join("there/next")).expect("a link");
    assert_eq!(context.run(&["replay", "session.jsonl", "-o", "link"]).code, 0);
    assert!(context.read("there/body.json").starts_with(r#"{"model":"#));
    for link in ["link", "there/next"] {
        let about = fs::symlink_metadata(context.folder.join(link)).expect("a link");
        assert!(about.file_type().is_symlink(), "{link}");
    }
    symlink("absent/body.json", context.folder.join("nowhere")).expect("a link");
    let run = context.run(&["replay", "session.jsonl", "-q", "-o", "nowhere"]);
    run.assert_refused(3);
    assert!(run.err.contains("make the directory first"), "{}", run.err);
}

#[test]
fn a_refusal_names_its_cause_and_touches_nothing() {
    let context = Context::new();
    context.write("finished.json", FINISHED);
    context.write("body.json", "old");
    let arguments = ["replay", "finished.json", "--no-continue", "-q", "-o", "body.json"];
    let run = context.run(&arguments);
    run.assert_refused(1);
    assert!(run.err.contains("nothing_to_say"), "{}", run.err);
    assert_eq!(context.read("body.json"), "old");
    assert_eq!(context.run(&["replay", "finished.json", "-q"]).code, 0);
}

#[test]
fn a_place_that_cannot_be_written_is_an_error() {
    let context = Context::with_session();
    for (place, words) in [
        (".", "it is a directory"),
        ("absent/body.json", "No such file"),
        ("session.jsonl/body.json", "Not a directory"),
    ] {
        let run = context.run(&["replay", "session.jsonl", "-q", "-o", place]);
        run.assert_refused(3);
        assert!(run.err.contains(words), "{}", run.err);
    }
    assert_eq!(context.files(), ["session.jsonl"]);
}

#[test]
fn a_write_that_fails_in_the_middle_leaves_the_old_file_and_nothing_else() {
    let context = Context::with_session();
    context.write("body.json", "old");
    // Files are limited to one block, and going over it is an error instead of a signal.
    let script =
        format!("trap '' XFSZ; ulimit -f 1; exec {STENO} replay -q session.jsonl -o body.json");
    let mut command = Command::new("sh");
    let run = finished(command.args(["-c", &script]).current_dir(&context.folder));
    run.assert_refused(3);
    assert_eq!(context.read("body.json"), "old");
    assert_eq!(context.files(), ["body.json", "session.jsonl"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let context = Context::with_session();
    let run = context.run(&["replay", "session.jsonl", "-q", "-o", "/dev/full"]);
    run.assert_refused(3);
    assert!(run.err.contains("No space left"), "{}", run.err);
    for arguments in
        [&["replay", "-q", "session.jsonl"][..], &["doctor", "session.jsonl"], &["--help"]]
    {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
        let run =
            finished(context.command(arguments).stdout(full).stderr(std::process::Stdio::piped()));
        run.assert_refused(3);
        assert!(run.err.contains("cannot write standard output"), "{}", run.err);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let context = Context::with_session();
    for arguments in [
        &["replay", "session.jsonl"][..],
        &["doctor", "session.jsonl"],
        &["check", "session.jsonl", "--json"],
        &["--version"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let run = finished(context.command(arguments).stdout(writer));
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn a_closed_standard_error_changes_nothing() {
    let context = Context::with_session();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let run = finished(context.command(&["replay", "session.jsonl"]).stderr(writer));
    assert_eq!(run.code, 0);
    assert!(run.out().ends_with("]}]}"));
}

#[test]
fn an_entry_is_found_by_any_prefix_no_other_has() {
    let context = Context::with_session();
    let whole = context.run(&["replay", "session.jsonl", "-q"]);
    let run = context.run(&["replay", "session.jsonl", "--at", "4a6c", "-q"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out().len() < whole.out().len() && run.out().contains("ledger/money.py:12"));
    assert!(!run.out().contains("1998.99"));
    context.run(&["replay", "session.jsonl", "--at", "zz", "-q"]).assert_refused(2);
    let run = context.run(&["replay", "session.jsonl", "--at", "", "-q"]);
    run.assert_refused(2);
    assert!(run.err.contains("c3f8a1de-5d0b-4a3c-8f5e-1b7a44d0e901, "), "{}", run.err);
    let run = context.run(&["replay", "session.jsonl", "--branch", "nope", "-q"]);
    run.assert_refused(2);
    assert!(run.err.contains("main"), "{}", run.err);
}

#[test]
fn parameters_of_the_request_can_be_asked_for() {
    let context = Context::with_session();
    let run = context.run(&[
        "replay",
        "session.jsonl",
        "-q",
        "--model",
        "claude-opus-4-8",
        "--max-tokens",
        "4096",
        "--thinking",
        "off",
        "--to",
        "anthropic",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out().starts_with(r#"{"model":"claude-opus-4-8","max_tokens":4096,"#));
    assert!(!run.out().contains(r#""type":"adaptive""#));
    context.run(&["replay", "session.jsonl", "--model", ""]).assert_usage();
    let run =
        context.run(&["replay", "session.jsonl", "-q", "--thinking", "on", "--max-tokens", "9000"]);
    assert!(
        run.out().contains(r#""thinking":{"type":"enabled","budget_tokens":"#),
        "{}",
        run.out()
    );
}
