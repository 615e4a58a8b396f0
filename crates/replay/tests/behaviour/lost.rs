//! What a reply came with beside its words and calls, and a target has no place for.

use json::Raw;
use record::{Block, ProofKind, Rest, TextBlock};
use replay::{Now, Target};

use crate::chat::thought;
use crate::gemini::{self, answer, signed_call, signed_text, three};
use crate::history::{History, OPUS_4_8, changes, result};
use crate::responses;

fn targets() -> [Target; 6] {
    [
        Target::anthropic(OPUS_4_8),
        Target::openai_chat("openai", "gpt-4o"),
        Target::openai_responses("openai", "gpt-5.5"),
        Target::bedrock("anthropic.claude-sonnet-4-5-20250929-v1:0"),
        Target::bedrock("amazon.nova-pro-v1:0"),
        gemini::two(),
    ]
}

fn told(history: &History, target: &Target, kind: &str) -> usize {
    let prepared = history.prepare_for(target.clone(), &Now::default()).expect("a request");
    changes(prepared.request.report()).iter().filter(|said| **said == kind).count()
}

#[test]
fn signatures_that_do_not_cross_are_named_once_for_their_reply_whatever_the_target() {
    let mut history = History::default();
    history.user("go");
    let row = vec![
        signed_text(&three(), "looking", "czE="),
        signed_call(&three(), "a", "ls", "czI="),
        signed_call(&three(), "b", "ls", "czM="),
    ];
    answer(&mut history, &three(), row);
    history.results(vec![result("a", "A"), result("b", "B")]);
    answer(&mut history, &three(), vec![signed_text(&three(), "done", "czQ=")]);
    history.user("on");
    for target in targets() {
        assert_eq!(told(&history, &target, "SIGNATURE_OMITTED"), 2, "{target:?}");
    }
    assert_eq!(told(&history, &three(), "SIGNATURE_OMITTED"), 0);
}

#[test]
fn sources_that_words_cite_are_named_whatever_the_target() {
    for (name, cited, count) in [
        ("citations", r#"[{"type":"x"}]"#, 1),
        ("annotations", r#"[{"type":"x"}]"#, 1),
        ("annotations", "[]", 0),
    ] {
        let mut rest = Rest::default();
        rest.push(name.into(), Raw::parse(cited).expect("JSON"));
        let words = Block::Text(TextBlock { text: "it is so".into(), proof: None, rest });
        let mut history = History::default();
        history.user("is it?");
        history.reply(vec![words]);
        history.user("on");
        for target in targets() {
            assert_eq!(told(&history, &target, "CITATIONS_OMITTED"), count, "{target:?}");
        }
    }
}

/// 42, 49
#[test]
fn a_reply_whose_proofs_cannot_be_read_back_is_named_over_responses_and_chat() {
    let gpt = responses::gpt();
    let mut history = History::default();
    history.user("go");
    let Block::Reasoning(mut odd) = responses::sealed(&gpt, "secret", "gA") else {
        panic!("a thought")
    };
    odd.proof.as_mut().expect("a proof").version = 2;
    let whole = responses::sealed(&gpt, "secret", "gB");
    responses::answer(&mut history, &gpt, vec![Block::Reasoning(odd), whole, Block::text("x")]);
    history.user("on");
    let prepared = responses::prepare(&history, &gpt);
    let shown = responses::body(&gpt, &prepared).to_string();
    assert!(!shown.contains("secret") && !shown.contains("gB"), "{shown}");
    assert_eq!(
        changes(prepared.request.report()),
        ["INVALID_REPLAY_STATE", "THINKING_WITHHELD", "THINKING_WITHHELD"]
    );

    let vendor = Target::openai_chat("openrouter", "deepseek/deepseek-v4");
    let mut history = History::default();
    history.user("go");
    let Block::Reasoning(mut odd) = thought("reasoning", "secret") else { panic!("a thought") };
    odd.proof =
        gemini::proof(&Target::openai_chat("openrouter", "another"), ProofKind::Signature, "s");
    crate::chat::answer(&mut history, &vendor, vec![Block::Reasoning(odd), Block::text("x")]);
    history.user("on");
    let prepared = crate::chat::prepare(&history, &vendor);
    assert!(!crate::chat::body(&vendor, &prepared).to_string().contains("secret"));
    assert_eq!(changes(prepared.request.report()), ["INVALID_REPLAY_STATE", "THINKING_WITHHELD"]);
}
