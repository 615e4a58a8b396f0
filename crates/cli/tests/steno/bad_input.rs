//! Input that cannot be read: each a clear error with the documented code, nothing half written.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::context::{Context, GOOD_BODY, Run, finished, interrupted};

/// All three commands refuse a file; what they say.
fn all_refuse(context: &Context, file: &str) -> Vec<Run> {
    ["replay", "check", "doctor"]
        .into_iter()
        .map(|command| {
            let run = context.run(&[command, file]);
            run.assert_refused(3);
            assert!(run.err.contains(&format!("`{file}`")), "{}", run.err);
            run
        })
        .collect()
}

/// `replay` and `doctor` refuse content that `check` gives findings about.
fn no_session(content: &[u8], words: &str) {
    let context = Context::new();
    context.write("file", content);
    for command in ["replay", "doctor"] {
        let run = context.run(&[command, "file"]);
        run.assert_refused(3);
        assert!(run.err.contains(words), "{}", run.err);
        let piped = context.run_with(&[command, "-"], content);
        piped.assert_refused(3);
        assert!(piped.err.contains("`standard input`"), "{}", piped.err);
    }
    let run = context.run(&["check", "file"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out().contains("A-00"), "{}", run.out());
}

#[test]
fn a_file_that_is_not_there_is_named() {
    for run in all_refuse(&Context::new(), "absent.jsonl") {
        assert!(run.err.contains("No such file"), "{}", run.err);
    }
}

#[test]
fn a_directory_is_no_file() {
    for run in all_refuse(&Context::new(), ".") {
        // A folder without a body is none to `check`, which looks into it.
        let says = ["it is a directory", "no request body in `.`"];
        assert!(says.iter().any(|says| run.err.contains(says)), "{}", run.err);
    }
}

#[test]
fn links_that_lead_in_a_circle_end_in_an_error() {
    let context = Context::new();
    symlink("b", context.folder.join("a")).expect("a link");
    symlink("a", context.folder.join("b")).expect("a link");
    all_refuse(&context, "a");
}

#[test]
fn an_empty_file_says_so() {
    no_session(b"", "the file is empty");
    no_session(b" \n\n", "the file is empty");
}

#[test]
fn another_encoding_is_named() {
    let utf16: Vec<u8> =
        [0xFEFF].into_iter().chain("{}".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    no_session(&utf16, "UTF-16LE");
}

#[test]
fn binary_content_is_named() {
    no_session(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG");
    no_session(b"\x1f\x8b\x08\0\0\0\0\0", "gzip");
    no_session(&[0u8; 4096], "not JSON");
    no_session(b"\xfe\x00\x01 no text", "no text");
}

#[test]
fn a_truncated_document_is_placed() {
    let half = &GOOD_BODY[..60];
    no_session(half.as_bytes(), "line 1 column 61");
}

#[test]
fn a_torn_session_is_read_up_to_the_tear() {
    let context = Context::new();
    let whole = interrupted();
    context.write("torn.jsonl", &whole[..whole.len() - 40]);
    let run = context.run(&["replay", "torn.jsonl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("CORRUPT_LINE"), "{}", run.err);
    let run = context.run(&["doctor", "torn.jsonl"]);
    assert_eq!(run.code, 1);
}

#[cfg(target_os = "linux")]
#[test]
fn endless_input_is_refused_by_its_beginning_or_by_a_named_limit() {
    let context = Context::new();
    for command in ["replay", "doctor"] {
        context.run(&[command, "/dev/zero"]).assert_refused(3);
    }
    let run = context.run(&["check", "/dev/zero"]);
    run.assert_refused(3);
    assert!(run.err.contains("268435456 bytes"), "{}", run.err);
}

#[test]
fn a_file_over_the_limit_is_refused_before_it_is_read() {
    let context = Context::new();
    let file = fs::File::create(context.folder.join("sparse")).expect("a file");
    file.set_len(1 << 40).expect("a sparse file");
    for run in all_refuse(&context, "sparse") {
        assert!(run.err.contains("the limit of what is read"), "{}", run.err);
    }
}

#[test]
fn a_line_without_an_end_is_kept_aside() {
    let context = Context::new();
    let long = format!("{}{{\"type\":\"user\",\"x\":\"{}", interrupted(), "y".repeat(3 << 20));
    context.write("long.jsonl", long);
    let run = context.run(&["replay", "long.jsonl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("CORRUPT_LINE") && run.err.len() < 4000, "{}", run.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_that_fails_in_the_middle_is_an_error() {
    all_refuse(&Context::new(), "/proc/self/mem");
}

#[test]
fn a_pipe_by_name_and_standard_input_are_read_like_files() {
    let context = Context::with_session();
    let expected = context.run(&["replay", "session.jsonl"]);
    let session = interrupted();
    for name in ["-", "/dev/stdin"] {
        let run = context.run_with(&["replay", name], session.as_bytes());
        assert_eq!((run.code, run.out()), (0, expected.out()), "{}", run.err);
    }
    let pipe = context.folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let writer = std::thread::spawn(move || fs::write(pipe, session).expect("written"));
    let run = context.run(&["replay", "pipe"]);
    writer.join().expect("the writer ends");
    assert_eq!((run.code, run.out()), (0, expected.out()), "{}", run.err);
}

#[test]
fn a_file_whose_name_is_not_utf_8_is_read() {
    use std::os::unix::ffi::OsStrExt;
    let context = Context::new();
    let name = std::ffi::OsStr::from_bytes(b"session-\xff\x1b[31m.jsonl");
    fs::write(context.folder.join(name), interrupted()).expect("a file");
    let run = finished(&mut context.command(&["replay".as_ref(), name]));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!run.err.contains('\u{1b}'), "{}", run.err);
}

#[test]
fn a_command_line_that_makes_no_sense_ends_with_two() {
    let context = Context::with_session();
    for arguments in [
        &[][..],
        &["replya", "session.jsonl"],
        &["replay"],
        &["check"],
        &["check", "--explain"],
        &["replay", "session.jsonl", "--to", "telepathy"],
        &["replay", "session.jsonl", "--max-tokens", "0"],
        &["replay", "session.jsonl", "--at", "c3", "--branch", "main"],
        &["check", "--explain", "A-999"],
        &["replay", "session.jsonl", "--branch", "\u{1b}[31mnone"],
    ] {
        let run = context.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.err);
        assert!(run.out.is_empty() && !run.err.contains('\u{1b}'), "{arguments:?}");
    }
    let run = context.run(&["replay", "session.jsonl", "--to", "telepathy"]);
    assert!(run.err.contains("anthropic_messages"), "{}", run.err);
}

#[test]
fn a_blank_name_is_refused_with_what_to_do() {
    let context = Context::with_session();
    for arguments in [
        &["replay", "session.jsonl", "--model", ""][..],
        &["doctor", "session.jsonl", "--model", " "],
        &["check", "session.jsonl", "--model", ""],
        &["check", "session.jsonl", "--beta", "a,"],
        &["check", "--explain", ""],
        &["replay", "session.jsonl", "--branch", ""],
    ] {
        let run = context.run(arguments);
        run.assert_usage();
        let hint = "it is blank; give a name, or leave the option out";
        assert!(run.err.contains(hint), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn what_is_no_body_is_told_what_to_give_instead() {
    let context = Context::new();
    fs::create_dir(context.folder.join("folder")).expect("a folder");
    let run = context.run(&["check", "folder"]);
    run.assert_refused(3);
    assert!(run.err.contains("no request body in `folder`"), "{}", run.err);
    assert!(run.err.contains("hint: give the file of a body by its name"), "{}", run.err);
}

#[test]
fn rules_are_named_in_order_and_only_where_they_are_close() {
    let context = Context::new();
    let close = context.run(&["check", "--explain", "A-025"]);
    assert!(close.err.contains("close to it: A-021, A-022, A-023, A-026, A-029;"), "{}", close.err);
    for far in ["A-999", "0", "zzz"] {
        let run = context.run(&["check", "--explain", far]);
        run.assert_refused(2);
        assert!(run.err.contains("hint: give a rule's id;"), "{}", run.err);
    }
}

#[test]
fn the_doctor_reads_a_session_in_lines_as_it_comes_in() {
    let context = Context::with_session();
    // It ends where the writer ends: what is read whole would be judged the same.
    let whole = context.run(&["doctor", "session.jsonl", "--json"]);
    let run = context.run_with(&["doctor", "-", "--json"], interrupted().as_bytes());
    assert_eq!(run.code, whole.code);
    assert_eq!(run.out().replace("standard input", "session.jsonl"), whole.out());
}
