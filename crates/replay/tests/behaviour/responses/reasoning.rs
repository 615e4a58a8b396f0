//! Whose thoughts go back to whom.

use record::{Block, ProofKind, Reasoning};
use replay::Target;

use super::{answer, asked, body, gpt, outline, prepare, proof, rest, sealed, stored};
use crate::history::{History, changes};

/// A history with one thought of `of`, sealed so.
fn thinking(of: &Target, thought: Block) -> History {
    let mut history = History::default();
    history.user("go");
    answer(&mut history, of, vec![thought, Block::text("a")]);
    history.user("and?");
    history
}

/// Acceptance 62, 65: a proof goes to its issuer, byte for byte, and its text nowhere else.
#[test]
fn a_thought_goes_to_the_model_that_sealed_it_and_to_no_other() {
    let history = thinking(&gpt(), sealed(&gpt(), "secret thought", "g\\u0041/="));
    let own = prepare(&history, &gpt());
    assert_eq!(outline(&body(&gpt(), &own)), "user reasoning assistant user");
    let bytes = String::from_utf8(own.request.body().to_vec()).expect("UTF-8");
    assert!(bytes.contains(r#""encrypted_content":"g\\u0041/=""#), "{bytes}");
    let dated = Target::openai_responses("openai", "gpt-5.5-2026-03-05");
    assert_eq!(outline(&asked(&history, &dated)), "user reasoning assistant user");

    let mut account = gpt();
    account.to.account = Some("ada".into());
    let mut other = gpt();
    other.to.account = Some("bob".into());
    let of_ada = thinking(&account, sealed(&account, "secret thought", "gA"));
    assert_eq!(outline(&asked(&of_ada, &account)), "user reasoning assistant user");
    for (history, target) in [
        (&history, Target::openai_responses("openai", "gpt-5.4")),
        (&history, Target::openai_responses("openai", "gpt-4o")),
        (&history, Target::openai_responses("azure", "gpt-5.5")),
        (&history, Target::openai_responses("chatgpt", "gpt-5.5")),
        (&of_ada, other),
    ] {
        let prepared = prepare(history, &target);
        let shown = body(&target, &prepared);
        assert_eq!(outline(&shown), "user assistant user", "{target:?}");
        assert!(!shown.to_string().contains("secret"));
        assert_eq!(changes(prepared.request.report()), ["THINKING_WITHHELD"]);
    }
}

#[test]
fn a_thought_without_a_seal_needs_its_server_to_know_it() {
    let by_id = |of: &Target| {
        let proof = proof(of, ProofKind::ItemId, "rs_1");
        let rest = rest(&[("summary", "[]")]);
        Block::Reasoning(Reasoning { reasoning: "".into(), proof, rest })
    };
    let mut history = History::default();
    history.user("go");
    let words = super::said(&stored(), "msg_1", "a", &[]);
    answer(&mut history, &stored(), vec![by_id(&stored()), words]);
    history.user("and?");
    let kept = asked(&history, &stored());
    assert_eq!(outline(&kept), "user reasoning assistant user");
    assert_eq!(
        kept["input"][1],
        serde_json::json!({"type": "reasoning", "id": "rs_1", "summary": []})
    );
    // Where nothing is stored, nobody could look it up (R-025).
    assert_eq!(outline(&asked(&history, &gpt())), "user assistant user");
    let unsealed = thinking(&stored(), by_id(&stored()));
    assert_eq!(outline(&asked(&unsealed, &stored())), "user assistant user");
}

#[test]
fn what_is_no_seal_or_no_thought_of_this_api_stays_behind() {
    let spoiled = |kind: ProofKind, version: u32, raw: &str, members: &[(&str, &str)]| {
        let mut proof = proof(&gpt(), kind, "x");
        if let Some(proof) = &mut proof {
            proof.version = version;
            proof.sealed = json::Raw::parse(raw).expect("JSON");
        }
        Block::Reasoning(Reasoning { reasoning: "hm".into(), proof, rest: rest(members) })
    };
    for thought in [
        spoiled(ProofKind::Signature, 1, "\"x\"", &[]),
        spoiled(ProofKind::Encrypted, 2, "\"x\"", &[]),
        spoiled(ProofKind::Encrypted, 1, "\"\"", &[]),
        spoiled(ProofKind::Encrypted, 1, "{}", &[]),
        spoiled(ProofKind::Encrypted, 1, "\"\\ud800\"", &[]),
        spoiled(ProofKind::Encrypted, 1, "\"x\"", &[("summary", "7")]),
        spoiled(ProofKind::Encrypted, 1, "\"x\"", &[("content", r#"[{"type":"reasoning_text"}]"#)]),
    ] {
        let place = format!("{thought:?}");
        let history = thinking(&gpt(), thought);
        assert_eq!(outline(&asked(&history, &gpt())), "user assistant user", "{place}");
    }
    let bare = spoiled(ProofKind::Encrypted, 1, "\"x\"", &[]);
    let history = thinking(&gpt(), bare);
    let shown = asked(&history, &gpt());
    assert_eq!(shown["input"][1]["summary"][0]["text"], "hm");
    assert!(shown["input"][1].get("id").is_none());
}

/// Law 3d, R-050: a model that binds its thoughts gets them under their own prefix only.
#[test]
fn a_bound_thought_goes_out_under_its_own_prefix_only() {
    let binds = Target::openai_responses("openai", "gpt-6");
    let imported = thinking(&binds, sealed(&binds, "hm", "one"));
    let prepared = prepare(&imported, &binds);
    assert_eq!(outline(&body(&binds, &prepared)), "user assistant user");
    assert_eq!(changes(prepared.request.report()), ["THINKING_OUT"]);

    let mut history = History::default();
    history.user("go");
    history.append(&prepare(&history, &binds));
    answer(&mut history, &binds, vec![sealed(&binds, "hm", "one"), Block::text("a")]);
    history.user("and?");
    assert_eq!(outline(&asked(&history, &binds)), "user reasoning assistant user");
}
