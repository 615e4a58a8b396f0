//! What grows with a path, counted: folds from its start, and changes that are named.

use record::jsonl;

use super::*;
use crate::read::Reader;

const ROUNDS: usize = 300;

const HEAD: &str = concat!(
    r#"{"entry":"head","agent":"main","reason":"x","head":{"tools":["#,
    r#"{"type":"web_search_20250305","name":"web_search"}],"system":[]}}"#
);
const NATIVE: &str = concat!(
    r#""proof":{"issuer":{"platform":"anthropic","api":"anthropic_messages","#,
    r#""model":"claude-fable-5-2"},"kind":"native","version":1,"sealed":null}"#
);
const SENT: &str = concat!(
    r#"{"entry":"sent","agent":"main","target":{"dialect":"anthropic_messages","#,
    r#""platform":"anthropic","model":"claude-fable-5-2"},"fills":[],"build":1,"#
);

fn said(role: &str, block: &str) -> String {
    format!(r#"{{"role":"{role}","blocks":[{block}]}}"#)
}

fn text(role: &str) -> String {
    said(role, r#"{"type":"text","text":"hi"}"#)
}

fn paused(nth: usize) -> String {
    let input = r#""name":"web_search","input":{"query":"q"}"#;
    let call = format!(r#"{{"type":"server_tool_use","id":"srvtoolu_{nth}",{input},{NATIVE}}}"#);
    let stop = r#""stop":{"kind":"stop","native":"pause_turn"}"#;
    format!(r#"{{"role":"assistant","blocks":[{call}],{stop}}}"#)
}

fn orphan() -> String {
    let of = r#""tool_use_id":"srvtoolu_none","content":[]"#;
    said("assistant", &format!(r#"{{"type":"web_search_tool_result",{of},{NATIVE}}}"#))
}

fn sent(covers: usize) -> String {
    format!(r#"{SENT}"covers":"legacy:f:{covers}"}}"#)
}

/// How often a history of so many rounds is folded until its request is made.
fn folds(round: impl Fn(usize, usize) -> Vec<String>) -> usize {
    request(round).0
}

/// The same, and the request.
fn request(round: impl Fn(usize, usize) -> Vec<String>) -> (usize, Prepared) {
    let mut lines = vec![HEAD.to_owned(), text("user")];
    for nth in 0..ROUNDS {
        let next = lines.len() + 1;
        lines.extend(round(nth, next));
    }
    lines.push(text("user"));
    let record = jsonl::load(lines.join("\n").as_bytes(), "f").record;
    let target = Target::anthropic("claude-fable-5-2");
    let mut replayer = Replayer::new(Reader::plain("main"), target);
    replayer.feed(&record.branch_path("main"));
    let prepared = replayer.prepare(&Now::default()).expect("a request");
    (replayer.folds, prepared)
}

#[test]
fn turns_that_were_given_up_are_found_in_one_pass_however_many_they_are() {
    let rounds: [fn(usize, usize) -> Vec<String>; 5] = [
        |nth, at| vec![paused(nth), sent(at), text("user")],
        |nth, at| vec![paused(nth), sent(at), orphan()],
        |nth, at| vec![paused(nth), sent(at), text("system")],
        |nth, at| vec![paused(nth), sent(at)],
        |nth, _| vec![paused(nth), orphan(), text("user")],
    ];
    for (index, round) in rounds.into_iter().enumerate() {
        // Once to find them, once with them noted; the last turn may be found when all closes.
        let folded = folds(round);
        assert!((2..=3).contains(&folded), "round {index}: {folded}");
    }
}

#[test]
fn imported_requests_that_deviate_are_found_in_one_pass_however_many_they_are() {
    let thought = concat!(
        r#"{"type":"reasoning","reasoning":"hm","proof":{"issuer":{"platform":"anthropic","#,
        r#""api":"anthropic_messages","model":"claude-fable-5-2"},"kind":"signature","#,
        r#""version":1,"sealed":"EqQBCkYIARgC"}}"#
    );
    let blocks = format!(r#"{thought},{{"type":"text","text":" "}}"#);
    let blocks = format!(r#"{blocks},{{"type":"text","text":"x"}}"#);
    let folded = folds(|_, at| vec![said("assistant", &blocks), sent(at), text("user")]);
    assert!((2..=3).contains(&folded), "{folded}");
}

#[test]
fn a_system_text_that_gives_way_again_and_again_is_named_once() {
    let (_, prepared) = request(|_, at| vec![text("system"), sent(at), text("user")]);
    let changes = prepared.request.report().changes.iter();
    let floated = changes.filter(|change| change.kind == ChangeKind::SystemFloated).count();
    assert_eq!(floated, ROUNDS);
}
