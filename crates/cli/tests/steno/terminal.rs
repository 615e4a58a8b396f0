//! What a terminal gets: colour only where it is wanted, and nothing of a session that acts.

use crate::context::{Context, finished};

fn is_coloured(context: &Context, environment: &[(&str, &str)], arguments: &[&str]) -> bool {
    let run = finished(context.command(arguments).envs(environment.iter().copied()));
    let streams = [run.out().contains("\u{1b}["), run.err.contains("\u{1b}[")];
    streams.contains(&true)
}

#[test]
fn colour_is_where_it_was_asked_for() {
    let context = Context::with_session();
    for arguments in
        [&["doctor", "session.jsonl"][..], &["replay", "session.jsonl"], &["check", "x"]]
    {
        let with = |extra: &[&'static str]| [arguments, extra].concat();
        assert!(!is_coloured(&context, &[], arguments));
        assert!(is_coloured(&context, &[("CLICOLOR_FORCE", "1")], arguments));
        assert!(!is_coloured(&context, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], arguments));
        assert!(is_coloured(&context, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")], arguments));
        assert!(is_coloured(&context, &[("NO_COLOR", "1")], &with(&["--color", "always"])));
        assert!(!is_coloured(&context, &[("CLICOLOR_FORCE", "1")], &with(&["--color=never"])));
    }
}

#[test]
fn the_body_and_json_are_never_coloured() {
    let context = Context::with_session();
    let run = context.run(&["replay", "session.jsonl", "--color", "always"]);
    assert!(!run.out().contains('\u{1b}') && run.err.contains('\u{1b}'));
    let run = context.run(&["doctor", "session.jsonl", "--color", "always", "--json"]);
    assert!(!run.out().contains('\u{1b}'));
}

/// A session and a body in which every name and text tries to act on the terminal.
const HOSTILE_SESSION: &str = concat!(
    r#"{"type":"user","uuid":"\u001b[2Ju1","parentUuid":null,"message":{"role":"user","content":""#,
    r#"hi"}}"#,
    "\n",
    r#"{"type":"assistant","uuid":"\u202ea1","parentUuid":"\u001b[2Ju1","message":{"id":"m","#,
    r#""role":"assistant","model":"claude\u009b31m\u202e","content":[{"type":"text","text":""},"#,
    r#"{"type":"tool_use","id":"c\u001b]0;owned\u0007","name":"\u2066ls\u001b[31m","input":{}}]}}"#,
    "\n",
    r#"{"type":"\u001b[31munknown","uuid":"x"}"#,
    "\n\u{1b}[31mdamaged\n",
);
const HOSTILE_BODY: &str = concat!(
    r#"{"model":"claude-opus-4-8","max_tokens":9,"messages":[{"role":"user","content":[{"type":"#,
    "\"text\",\"text\":\"\u{9b}31m\u{202e}\u{200b}\",\"\u{7f}\u{2066}key\":1}]}],\"\\u001b[2J\":0}",
);

#[test]
fn nothing_of_a_session_acts_on_the_terminal() {
    let context = Context::new();
    context.write("session\u{202e}.jsonl", HOSTILE_SESSION);
    context.write("body\u{1b}[2J.json", HOSTILE_BODY);
    let other = HOSTILE_BODY.replace("\u{200b}", "\u{200c}").replace(":0}", ":1}");
    context.write("other\u{1b}[2J.json", other);
    let mut shown = 0;
    for arguments in [
        &["replay", "session\u{202e}.jsonl"][..],
        &["doctor", "session\u{202e}.jsonl"],
        &["replay", "session\u{202e}.jsonl", "--at", "\u{1b}"],
        &["check", "body\u{1b}[2J.json"],
        &["doctor", "body\u{1b}[2J.json"],
        &["check", "absent\u{1b}[2J"],
        &["check", "--explain", "\u{1b}[2J"],
        &["check", "--platform", "\u{1b}[2J", "x"],
        &["doctor", "session\u{202e}.jsonl", "--all"],
        &["targets", "\u{1b}[2J"],
        &["diff", "body\u{1b}[2J.json", "other\u{1b}[2J.json"],
        &["diff", "session\u{202e}.jsonl", "--at", "\u{1b}"],
    ] {
        let run = context.run(arguments);
        let body = arguments.first() == Some(&"replay");
        let text = if body { run.err.clone() } else { format!("{}{}", run.out(), run.err) };
        let acting = text.chars().find(|c| {
            (c.is_control() && *c != '\n')
                || ('\u{200b}'..='\u{200f}').contains(c)
                || ('\u{202a}'..='\u{202e}').contains(c)
                || ('\u{2066}'..='\u{2069}').contains(c)
        });
        assert_eq!(acting, None, "{arguments:?}: {text:?}");
        shown += usize::from(text.contains("\\u{"));
    }
    assert_eq!(shown, 12, "what acts is shown as an escape");
}

#[test]
fn help_and_version_are_data() {
    let context = Context::new();
    let version = context.run(&["--version"]);
    assert_eq!(version.out(), format!("steno {}\n", env!("CARGO_PKG_VERSION")));
    for arguments in [
        &["--help"][..],
        &["replay", "--help"],
        &["check", "--help"],
        &["doctor", "--help"],
        &["diff", "--help"],
        &["import", "--help"],
        &["export", "--help"],
        &["show", "--help"],
        &["targets", "--help"],
        &["config", "--help"],
        &["config", "path", "--help"],
        &["completions", "--help"],
        &["man", "--help"],
    ] {
        let help = context.run(arguments);
        assert_eq!((help.code, help.err.as_str()), (0, ""));
        for code in ["  0  ", "  1  ", "  2  ", "  3  ", "  70 "] {
            assert!(help.out().contains(code), "{arguments:?} {code}");
        }
        assert!(help.out().lines().all(|line| line.chars().count() <= 100), "{}", help.out());
    }
}
