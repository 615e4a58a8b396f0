//! Signatures: on the part they came with, to who issued them.

use record::{Block, ProofKind};

use super::{
    answer, asked, body, outline, part, prepare, proof, send, signed_call, signed_text,
    signed_thought, three, two, vertex,
};
use crate::history::{History, blank, call, changes, reasoning, result, retraction};

/// 64, G-022, G-023
#[test]
fn a_signature_goes_back_on_the_very_part_it_came_with() {
    let mut history = History::default();
    history.user("go");
    send(&mut history, &three());
    answer(
        &mut history,
        &three(),
        vec![
            signed_thought(&three(), "hm", "czE="),
            signed_text(&three(), "looking", "czI="),
            signed_call(&three(), "a", "ls", "czM="),
            call("b", "pwd", "{}"),
        ],
    );
    history.results(vec![result("a", "A"), result("b", "B")]);
    let prepared = prepare(&history, &three());
    let shown = body(&three(), &prepared);
    assert_eq!(
        outline(&shown),
        "user: text; model: thought-text+sig text+sig functionCall+sig functionCall; \
         user: functionResponse functionResponse"
    );
    let signatures = [0, 1, 2].map(|at| part(&shown, 1, at)["thoughtSignature"].clone());
    assert_eq!(signatures, ["czE=", "czI=", "czM="]);
    assert_eq!(prepared.request.report().thoughts, 1);
    assert!(changes(prepared.request.report()).is_empty());
}

/// 47, 65, G-024, G-025
#[test]
fn elsewhere_it_is_left_out_and_the_documented_stand_in_is_on_the_first_call_of_a_step() {
    let mut history = History::default();
    history.user("go");
    send(&mut history, &three());
    answer(
        &mut history,
        &three(),
        vec![signed_call(&three(), "a", "ls", "czM="), signed_call(&three(), "b", "ls", "czQ=")],
    );
    history.results(vec![result("a", "A"), result("b", "B")]);
    for other in [vertex(), replay::Target::gemini("gemini-3.8-flash")] {
        let prepared = prepare(&history, &other);
        let shown = body(&other, &prepared);
        assert_eq!(
            part(&shown, 1, 0)["thoughtSignature"],
            "skip_thought_signature_validator",
            "{other:?}"
        );
        assert!(part(&shown, 1, 1).get("thoughtSignature").is_none());
        assert_eq!(changes(prepared.request.report()), ["SIGNATURE_OMITTED", "SIGNATURE_STAND_IN"]);
    }
    let shown = asked(&history, &two());
    assert_eq!(
        outline(&shown),
        "user: text; model: functionCall functionCall; user: functionResponse functionResponse"
    );
}

/// G-024: it may be another model's, and that is refused.
#[test]
fn a_signature_of_a_model_that_nobody_named_goes_to_none() {
    let mut history = History::default();
    history.user("go");
    let nobody = replay::Target::gemini("");
    answer(&mut history, &nobody, vec![signed_call(&nobody, "a", "ls", "czM=")]);
    history.results(vec![result("a", "A")]);
    let prepared = prepare(&history, &three());
    let shown = body(&three(), &prepared);
    assert_eq!(part(&shown, 1, 0)["thoughtSignature"], "skip_thought_signature_validator");
    assert_eq!(changes(prepared.request.report()), ["SIGNATURE_OMITTED", "SIGNATURE_STAND_IN"]);
}

/// The stand-in was sent: it stays where it is when the turn is over.
#[test]
fn a_stand_in_stays_when_the_turn_is_over() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    let first = send(&mut history, &three());
    answer(&mut history, &three(), vec![Block::text("done")]);
    history.user("and now?");
    let next = prepare(&history, &three());
    assert!(next.request.report().moved.is_none());
    let of = crate::history::conversation;
    assert!(of(&next).starts_with(&of(&first)));
}

/// What was sent as a stand-in is no signature: on another call than the first it is left out.
#[test]
fn a_stored_stand_in_is_no_signature() {
    let mut history = History::default();
    history.user("go");
    let stand_in = "context_engineering_is_the_way_to_go";
    history.reply(vec![
        signed_text(&three(), "x", stand_in),
        signed_call(&three(), "a", "ls", stand_in),
        signed_call(&three(), "b", "ls", stand_in),
    ]);
    history.results(vec![result("a", "A"), result("b", "B")]);
    let shown = asked(&history, &three());
    assert!(part(&shown, 1, 0).get("thoughtSignature").is_none());
    assert_eq!(part(&shown, 1, 1)["thoughtSignature"], "skip_thought_signature_validator");
    assert!(part(&shown, 1, 2).get("thoughtSignature").is_none());
}

/// 40: the first call is gone, and with it its signature.
#[test]
fn where_the_signed_call_was_retracted_the_next_is_the_first() {
    let mut history = History::default();
    history.user("go");
    let row = answer(
        &mut history,
        &three(),
        vec![signed_call(&three(), "a", "ls", "czM="), call("b", "pwd", "{}")],
    );
    history.results(vec![result("a", "A"), result("b", "B")]);
    history.fact(retraction(vec![crate::history::at(&row, 0)], Vec::new()));
    let shown = asked(&history, &three());
    assert_eq!(part(&shown, 1, 0)["functionCall"]["name"], "pwd");
    assert_eq!(part(&shown, 1, 0)["thoughtSignature"], "skip_thought_signature_validator");
}

/// 62, 63
#[test]
fn a_thought_without_a_signature_is_nowhere_and_one_alone_is_no_content() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![reasoning("secretly", None), Block::text("x")]);
    history.user("go");
    let row = vec![signed_thought(&three(), "alone", "czE="), signed_text(&three(), "", "czI=")];
    answer(&mut history, &three(), row);
    let prepared = prepare(&history, &three());
    let shown = body(&three(), &prepared);
    assert_eq!(outline(&shown), "user: text; model: text; user: text");
    assert!(!shown.to_string().contains("secretly"));
    assert_eq!(
        changes(prepared.request.report()),
        ["THINKING_WITHHELD", "THINKING_TRAILING", "BLANK_TEXT"]
    );
}

/// G-004, G-005: a signature that came on an empty text.
#[test]
fn an_empty_text_that_is_signed_goes_back_where_that_is_taken() {
    for (target, kinds) in [(three(), "text text+sig"), (vertex(), "text")] {
        let mut history = History::default();
        history.user("go");
        send(&mut history, &target);
        let row = vec![Block::text("done"), signed_text(&target, "", "czI="), blank(" ")];
        answer(&mut history, &target, row);
        history.user("go on");
        let shown = asked(&history, &target);
        assert_eq!(outline(&shown), format!("user: text; model: {kinds}; user: text"));
    }
}

/// 42, 49
#[test]
fn a_row_with_a_malformed_proof_is_carried_from_its_blocks_alone() {
    let mut history = History::default();
    history.user("go");
    let mut odd = proof(&three(), ProofKind::Signature, "czE=").expect("a proof");
    odd.version = 2;
    let blocks = vec![
        reasoning("secretly", Some(*odd)),
        Block::text("looking"),
        signed_call(&three(), "a", "ls", "czM="),
    ];
    answer(&mut history, &three(), blocks);
    history.results(vec![result("a", "A")]);
    let prepared = prepare(&history, &three());
    let shown = body(&three(), &prepared);
    assert!(!shown.to_string().contains("secretly") && !shown.to_string().contains("czM="));
    let said = changes(prepared.request.report());
    assert!(said.contains(&"INVALID_REPLAY_STATE") && said.contains(&"SIGNATURE_STAND_IN"));
}

/// A-065's ladder over this API: what a server refuses is taken out, with a thought beside it or
/// not, and stays out.
#[test]
fn stripping_takes_the_signatures_of_calls_and_words_that_no_thought_stands_beside() {
    let mut history = History::default();
    history.user("go");
    send(&mut history, &three());
    answer(&mut history, &three(), vec![signed_call(&three(), "a", "ls", "czM=")]);
    history.results(vec![result("a", "A")]);
    send(&mut history, &three());
    answer(&mut history, &three(), vec![signed_text(&three(), "done", "czQ=")]);
    history.user("on");
    let whole = body(&three(), &prepare(&history, &three())).to_string();
    assert!(whole.contains("czM=") && whole.contains("czQ="));
    let strip = replay::Now { recovery: Some(record::Rung::Strip), ..replay::Now::default() };
    let stripped = history.prepare_for(three(), &strip).expect("a request");
    let shown = body(&three(), &stripped);
    assert_eq!(part(&shown, 1, 0)["thoughtSignature"], "skip_thought_signature_validator");
    assert!(part(&shown, 3, 0).get("thoughtSignature").is_none());
    let moved = stripped.request.report().moved.expect("moved");
    assert_eq!(moved.reason.as_str(), "thinking span");
    history.append(&stripped);
    answer(&mut history, &three(), vec![Block::text("so")]);
    history.user("and?");
    let next = prepare(&history, &three());
    assert!(next.request.report().moved.is_none());
    let of = crate::history::conversation;
    assert!(of(&next).starts_with(&of(&stripped)));
}
