//! Thoughts: theirs alone, whole or not at all, never as text.

use json::Raw;
use record::{Block, Issuer, Message, Proof, ProofKind, Role};
use replay::{Now, Parameters, Target, ThinkingChoice};

use crate::history::{
    History, OPUS_4_8, SONNET_4_5, body, call, changes, issuer, outline, reasoning, result, source,
    thought,
};

fn row(model: &str, blocks: Vec<Block>) -> Message {
    let mut message = Message::new(Role::Assistant, blocks);
    message.source = Some(source(model));
    message
}

/// 62, 63
#[test]
fn a_thought_without_proof_is_nowhere_and_a_row_of_it_alone_is_no_message() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![reasoning("@@secret@@", None)]);
    history.user("on");
    history.reply(vec![reasoning("@@secret@@", None), Block::text("done")]);
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let body = body(&prepared);
    assert_eq!(outline(&body), "user: text text; assistant: text; user: text");
    let text = body.to_string();
    assert!(!text.contains("@@secret@@") && !text.contains("[Reasoning]"));
    assert_eq!(
        changes(prepared.request.report()),
        ["THINKING_WITHHELD", "THINKING_WITHHELD", "CONTINUE_ADDED"]
    );
}

/// A-057: the API itself leaves out what a model cannot read.
#[test]
fn a_thought_of_a_model_that_nobody_named_crosses_to_every_model_of_its_api() {
    let mut history = History::default();
    history.user("go");
    history.message(row("", vec![thought("", "@@t@@", "sig=="), Block::text("x")]));
    history.user("on");
    for model in [SONNET_4_5, OPUS_4_8] {
        let prepared = history.prepare(model).expect("a request");
        assert!(body(&prepared).to_string().contains("@@t@@"), "{model}");
        assert!(changes(prepared.request.report()).is_empty());
    }
}

/// 64, 66
#[test]
fn a_thought_of_the_same_model_crosses_byte_for_byte_in_its_place() {
    let mut history = History::default();
    history.user("go");
    let kind = ProofKind::Redacted;
    let sealed = Raw::parse(r#""opaque\u002f==""#).expect("JSON");
    let redacted = Proof { issuer: issuer(OPUS_4_8), kind, version: 1, sealed };
    history.message(row(
        OPUS_4_8,
        vec![
            thought(OPUS_4_8, "step one  ", "sigA=="),
            reasoning("", Some(redacted)),
            thought(OPUS_4_8, "", "sigB=="),
            call("a", "ls", "{}"),
        ],
    ));
    history.results(vec![result("a", "A")]);
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let bytes = String::from_utf8(prepared.request.body().to_vec()).expect("UTF-8");
    assert!(bytes.contains(r#""data":"opaque\u002f==""#), "{bytes}");
    let body = body(&prepared);
    assert_eq!(
        outline(&body),
        "user: text; assistant: thinking redacted_thinking thinking tool_use; user: tool_result"
    );
    let content = &body["messages"][1]["content"];
    assert_eq!(content[0]["thinking"], "step one  ");
    assert_eq!((&content[0]["signature"], &content[2]["thinking"]), (&"sigA==".into(), &"".into()));
    assert!(changes(prepared.request.report()).is_empty());
}

/// 65
#[test]
fn another_model_reads_a_thought_only_where_the_table_names_the_pair() {
    let mut history = History::default();
    history.user("go");
    history.message(row(OPUS_4_8, vec![thought(OPUS_4_8, "t", "s"), Block::text("x")]));
    history.user("on");
    assert!(history.body("claude-sonnet-5").to_string().contains("\"text\":\"x\""));
    assert!(!history.body("claude-sonnet-5").to_string().contains("thinking\":\"t\""));
    assert!(history.body("claude-opus-4-8").to_string().contains("\"thinking\":\"t\""));
}

#[test]
fn a_dated_name_and_its_alias_are_one_model() {
    let mut history = History::default();
    history.user("go");
    let dated = "claude-sonnet-4-5-20250929";
    history.message(row(dated, vec![thought(dated, "t", "s"), Block::text("x")]));
    history.user("on");
    assert!(history.body(SONNET_4_5).to_string().contains("\"thinking\":\"t\""));
}

/// 42, 43, 45, 46
#[test]
fn a_row_with_one_bad_proof_is_carried_from_its_blocks_alone() {
    type Breaks = fn(&mut Proof);
    let breaks: [(&str, Breaks); 5] = [
        ("version", |proof| proof.version = 2),
        ("kind", |proof| proof.kind = ProofKind::Other("odd".into())),
        ("not a string", |proof| proof.sealed = Raw::parse("{}").expect("JSON")),
        ("issuer", |proof| proof.issuer = issuer("claude-opus-4-7")),
        ("source", |proof| {
            let issuer = Issuer { platform: "".into(), ..(*issuer(OPUS_4_8)).clone() };
            proof.issuer = issuer.into();
        }),
    ];
    for (name, break_it) in breaks {
        let mut bad = Proof {
            issuer: issuer(OPUS_4_8),
            kind: ProofKind::Signature,
            version: 1,
            sealed: Raw::parse("\"sig\"").expect("JSON"),
        };
        break_it(&mut bad);
        let mut history = History::default();
        history.user("go");
        let good = thought(OPUS_4_8, "good", "sig-good");
        history.message(row(OPUS_4_8, vec![good, reasoning("bad", Some(bad)), Block::text("x")]));
        history.user("on");
        history.message(row(OPUS_4_8, vec![thought(OPUS_4_8, "other", "s"), Block::text("y")]));
        history.user("on");
        let prepared = history.prepare(OPUS_4_8).expect("a request");
        let text = body(&prepared).to_string();
        assert!(!text.contains("sig-good") && !text.contains("\"bad\""), "{name}: {text}");
        assert!(text.contains("\"other\"") && text.contains("\"x\""), "{name}");
        let kinds = changes(prepared.request.report());
        assert_eq!(kinds.iter().filter(|k| **k == "INVALID_REPLAY_STATE").count(), 1, "{name}");
    }
}

/// 47
#[test]
fn a_foreign_row_is_carried_without_a_diagnostic() {
    let mut history = History::default();
    history.user("go");
    let foreign = Issuer {
        platform: "openai".into(),
        account: None,
        api: "openai_responses".into(),
        model: "gpt-5".into(),
    };
    let proof = Proof {
        issuer: foreign.into(),
        kind: ProofKind::Encrypted,
        version: 1,
        sealed: Raw::parse("\"gAAA\"").expect("JSON"),
    };
    history.reply(vec![reasoning("r", Some(proof)), Block::text("x")]);
    history.user("on");
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    assert!(!body(&prepared).to_string().contains("gAAA"));
    assert_eq!(changes(prepared.request.report()), ["THINKING_WITHHELD"]);
}

/// 67
#[test]
fn manual_thinking_is_off_while_the_tool_loop_has_no_thought_to_begin_with() {
    let mut history = History::default();
    history.user("go");
    history.message(row(SONNET_4_5, vec![reasoning("lost", None), call("a", "ls", "{}")]));
    history.results(vec![result("a", "A")]);
    let prepared = history.prepare(SONNET_4_5).expect("a request");
    assert!(body(&prepared).get("thinking").is_none());
    assert!(changes(prepared.request.report()).contains(&"THINKING_TURNED_OFF"));
    history.message(row(SONNET_4_5, vec![Block::text("done")]));
    history.user("next");
    let prepared = history.prepare(SONNET_4_5).expect("a request");
    assert_eq!(body(&prepared)["thinking"]["type"], "enabled");
}

#[test]
fn thinking_is_asked_for_as_the_last_turn_had_it_in_the_form_the_model_takes() {
    let mut history = History::default();
    history.user("go");
    history.message(row(OPUS_4_8, vec![thought(OPUS_4_8, "t", "s"), Block::text("x")]));
    history.user("on");
    assert_eq!(history.body(OPUS_4_8)["thinking"]["type"], "adaptive");
    assert!(history.body("claude-opus-5-5").get("thinking").is_none());
    assert!(history.body("claude-unheard-of-9").get("thinking").is_none());
    let off = Now {
        parameters: Parameters { thinking: ThinkingChoice::Off, ..Parameters::default() },
        ..Now::default()
    };
    let prepared =
        history.prepare_for(Target::anthropic("claude-opus-5"), &off).expect("a request");
    assert_eq!(body(&prepared)["thinking"]["type"], "disabled");
}

/// 90 of the public cases: no thought of the running turn beside thinking that is off.
#[test]
fn thoughts_of_the_running_turn_are_out_once_thinking_is_off_and_stay_out() {
    let mut history = History::default();
    history.user("go");
    history.message(row(SONNET_4_5, vec![thought(SONNET_4_5, "t", "s"), call("a", "ls", "{}")]));
    history.results(vec![result("a", "A")]);
    let off = Now {
        parameters: Parameters { thinking: ThinkingChoice::Off, ..Parameters::default() },
        ..Now::default()
    };
    let prepared = history.prepare_for(Target::anthropic(SONNET_4_5), &off).expect("a request");
    assert_eq!(outline(&body(&prepared)), "user: text; assistant: tool_use; user: tool_result");
    history.append(&prepared);
    let next = history.body(SONNET_4_5);
    assert_eq!(outline(&next), "user: text; assistant: tool_use; user: tool_result");
}

/// 135
#[test]
fn text_after_a_call_goes_before_it_and_a_trailing_thought_is_left_out() {
    let mut history = History::default();
    history.user("go");
    history.message(row(
        OPUS_4_8,
        vec![
            thought(OPUS_4_8, "one", "s1"),
            call("a", "ls", "{}"),
            Block::text("while that runs"),
            thought(OPUS_4_8, "two", "s2"),
            call("b", "ls", "{}"),
            thought(OPUS_4_8, "three", "s3"),
        ],
    ));
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let body = body(&prepared);
    assert!(
        outline(&body)
            .starts_with("user: text; assistant: thinking text tool_use thinking tool_use;")
    );
    let mut kinds = changes(prepared.request.report());
    kinds.sort_unstable();
    assert_eq!(kinds, ["GAP_FILLED", "GAP_FILLED", "TEXT_MOVED", "THINKING_TRAILING"]);
}
