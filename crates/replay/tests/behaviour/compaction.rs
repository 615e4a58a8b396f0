//! Compactions that apply, that do not, and that cannot.

use record::{Block, Compaction, Fact, Message, Role};
use replay::{Refusal, Unit};

use crate::history::{
    History, OPUS_4_8, body, call, changes, compaction, outline, result, text_at,
};

fn edited(fact: Fact, edit: impl FnOnce(&mut Compaction)) -> Fact {
    let Fact::Compaction(mut compaction) = fact else { panic!("a compaction") };
    edit(&mut compaction);
    Fact::Compaction(compaction)
}

/// 101
#[test]
fn the_view_is_system_then_the_pair_then_what_was_kept_then_the_rest() {
    let mut history = History::default();
    history.system("be brief");
    history.user("old");
    history.reply(vec![Block::text("older")]);
    let kept = history.user("kept");
    history.reply(vec![Block::text("kept too")]);
    history.fact(compaction("summary", Some(kept)));
    history.user("new");
    let body = history.body(OPUS_4_8);
    assert_eq!(body["system"][0]["text"], "be brief");
    assert_eq!(
        outline(&body),
        "user: text; assistant: text; user: text; assistant: text; user: text"
    );
    let texts: Vec<&str> = (0..5).map(|at| text_at(&body, at, 0)).collect();
    assert_eq!(texts[1..], ["summary", "kept", "kept too", "new"]);
    assert!(texts[0].starts_with("Earlier conversation has been compacted."));
}

/// 102, 103, 104
#[test]
fn the_newest_valid_pair_applies_and_a_bad_one_is_reported() {
    let mut history = History::default();
    history.user("old");
    history.fact(compaction("first", None));
    history.user("middle");
    history.fact(compaction("second", None));
    history.user("new");
    assert!(history.body(OPUS_4_8).to_string().contains("second"));
    assert!(!history.body(OPUS_4_8).to_string().contains("first"));
    history.fact(edited(compaction("x", None), |bad| bad.handoff = None));
    history.user("newer");
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let text = body(&prepared).to_string();
    assert!(text.contains("second") && text.contains("new") && text.contains("newer"));
    let kinds = changes(prepared.request.report());
    assert_eq!(kinds, ["COMPACTED", "COMPACTION_PAIR_INVALID"]);
    let mut none = History::default();
    none.user("old");
    none.fact(compaction(" \n", None));
    none.user("new");
    assert_eq!(outline(&none.body(OPUS_4_8)), "user: text text");
}

/// 105, 106
#[test]
fn a_compaction_between_a_call_and_its_result_is_refused_by_name() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    let cut = history.fact(compaction("summary", None));
    let row = history.results(vec![result("a", "A")]);
    history.user("on");
    let refusal = history.prepare(OPUS_4_8).err();
    assert_eq!(refusal, Some(Refusal::CompactionSplitsRound { compaction: cut.clone(), row }));
    history.fact(crate::history::retraction(vec![], vec![cut]));
    assert_eq!(
        outline(&history.body(OPUS_4_8)),
        "user: text; assistant: tool_use; user: tool_result text"
    );
}

#[test]
fn a_round_with_a_retracted_half_is_not_split() {
    for retract_call in [true, false] {
        let mut history = History::default();
        history.user("go");
        let call = history.reply(vec![call("a", "ls", "{}")]);
        history.fact(compaction("summary", None));
        let row = history.results(vec![result("a", "@@A@@")]);
        history.user("on");
        assert!(history.prepare(OPUS_4_8).is_err());
        let half = if retract_call { &call } else { &row };
        history.fact(crate::history::retraction(vec![crate::history::at(half, 0)], vec![]));
        // What a retracted call returned is gone with it, though the call is not in the view.
        let shown = history.body(OPUS_4_8);
        let outlined = "user: text; assistant: text; user: text";
        assert_eq!(
            outline(&shown),
            format!("{outlined}{}", if retract_call { "" } else { " text" })
        );
        assert!(!shown.to_string().contains("@@"), "{shown}");
    }
}

#[test]
fn a_foreign_compaction_that_splits_a_round_is_repaired() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.fact(edited(compaction("This session is continued.", None), |foreign| {
        foreign.handoff_by_user = true;
        foreign.split_as_found = true;
    }));
    history.results(vec![result("a", "A")]);
    history.user("on");
    let body = history.body(OPUS_4_8);
    assert_eq!(outline(&body), "user: text text text");
    assert_eq!(text_at(&body, 0, 1), "Result (grep): A");
}

/// 109
#[test]
fn a_handoff_does_not_merge_with_a_reply_nor_end_the_request() {
    let mut history = History::default();
    history.user("old");
    let kept = history.reply(vec![Block::text("kept")]);
    history.fact(compaction("summary", Some(kept)));
    let body = history.body(OPUS_4_8);
    assert_eq!(
        outline(&body),
        "user: text; assistant: text; user: text; assistant: text; user: text"
    );
}

#[test]
fn a_compaction_after_what_was_sent_is_named_as_what_moved() {
    let mut history = History::default();
    history.user("go");
    history.send(OPUS_4_8);
    history.answer(OPUS_4_8, vec![Block::text("ok")]);
    history.fact(compaction("summary", None));
    history.user("on");
    let first = history.send(OPUS_4_8);
    let moved = first.request.report().moved.expect("moved");
    assert_eq!(moved.unit, Unit::Content { message: 0, block: 0 });
    assert_eq!(moved.reason.as_str(), "compaction");
    history.answer(OPUS_4_8, vec![Block::text("ok")]);
    history.user("more");
    let second = history.prepare(OPUS_4_8).expect("a request");
    assert!(second.request.report().moved.is_none());
    assert!(crate::history::extends(&second, &first));
}

/// 110
#[test]
fn snapshots_and_notifications_stand_verbatim_on_the_users_side() {
    let mut history = History::default();
    history.user("go");
    let snapshot = "# Skill: deploy\n\nAlways ask first.";
    let told = r#"{"runtime_notification":"task_completed","facts":[{"task_id":"t1"}]}"#;
    for (kind, text) in [
        (record::MessageKind::SkillSnapshot, snapshot),
        (record::MessageKind::SkillCatalog, "skills: deploy"),
        (record::MessageKind::TaskNotification, told),
    ] {
        let mut message = Message::new(Role::User, vec![Block::text(text)]);
        message.kind = Some(kind);
        history.message(message);
    }
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let shown = body(&prepared);
    assert_eq!(outline(&shown), "user: text text text text");
    let texts: Vec<&str> = (1..4).map(|block| text_at(&shown, 0, block)).collect();
    assert_eq!(texts, [snapshot, "skills: deploy", told]);
    assert!(changes(prepared.request.report()).is_empty());
}
