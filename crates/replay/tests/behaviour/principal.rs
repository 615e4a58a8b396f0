//! The current authority: one block, this moment's, nowhere stored.

use record::{Block, Message, Role, Source};
use replay::{Intent, Now, Target};
use testkit::principal;

use crate::history::{History, OPUS_4_8, OPUS_5_5, body, changes, extends, outline, thought};

pub fn now(uid: u32) -> Now {
    Now { principal: Some(principal(uid)), ..Now::default() }
}

fn prepare(history: &History, model: &str, uid: u32) -> replay::Prepared {
    history.prepare_for(Target::anthropic(model), &now(uid)).expect("a request")
}

/// 86, 87, 92, 122
#[test]
fn exactly_one_block_stands_last_in_the_system_text_and_says_this_moments_facts() {
    let mut history = History::default();
    history.fact(crate::system::head(&[], &["You are Ada."]));
    history.user("go");
    let first = prepare(&history, OPUS_4_8, 700);
    let system = body(&first)["system"].clone();
    assert_eq!(system.as_array().map(Vec::len), Some(2));
    assert!(system[1]["text"].as_str().expect("text").contains("posture: isolated"));
    assert!(system[1].get("cache_control").is_none());
    assert_eq!(
        first.request.body().to_vec(),
        prepare(&history, OPUS_4_8, 700).request.body().to_vec()
    );
    history.append(&first);
    history.answer(OPUS_4_8, vec![Block::text("ok")]);
    history.user("on");
    let second = prepare(&history, OPUS_4_8, 0);
    let shown = body(&second);
    assert!(!shown.to_string().contains("effective uid: 700"));
    assert!(shown.to_string().contains("effective uid: 0"));
    let moved = second.request.report().moved.expect("moved");
    assert_eq!(moved.reason.as_str(), "authority");
    assert!(
        second.append().iter().all(|entry| !format!("{entry:?}").contains("Runtime principal"))
    );
}

/// 121, 122
#[test]
fn equal_facts_keep_every_thought_and_changed_facts_put_the_earlier_ones_out() {
    let mut history = History::default();
    history.user("go");
    let mut previous = prepare(&history, OPUS_5_5, 700);
    for turn in 0..20 {
        history.append(&previous);
        history
            .answer(OPUS_5_5, vec![thought(OPUS_5_5, &format!("t{turn}"), "s"), Block::text("x")]);
        history.user("on");
        let next = prepare(&history, OPUS_5_5, 700);
        assert!(extends(&next, &previous) && next.request.report().moved.is_none());
        assert_eq!(next.request.report().thoughts, turn + 1);
        previous = next;
    }
    let changed = prepare(&history, OPUS_5_5, 0);
    assert_eq!(changed.request.report().thoughts, 0);
    let moved = changed.request.report().moved.expect("moved");
    assert_eq!((moved.reason.as_str(), moved.cost.thoughts), ("authority", 20));
    history.append(&changed);
    history.answer(OPUS_5_5, vec![thought(OPUS_5_5, "later", "s"), Block::text("x")]);
    history.user("on");
    let next = prepare(&history, OPUS_5_5, 0);
    assert!(extends(&next, &changed));
    assert_eq!(next.request.report().thoughts, 1);
}

/// 123
#[test]
fn changed_facts_declare_and_record_no_head() {
    let mut history = History::default();
    history.fact(crate::system::head(&["ls"], &["You are Ada."]));
    history.user("go");
    let first = prepare(&history, OPUS_4_8, 700);
    history.append(&first);
    history.answer(OPUS_4_8, vec![Block::text("ok")]);
    history.user("on");
    let second = prepare(&history, OPUS_4_8, 0);
    let digests = |prepared: &replay::Prepared| match prepared.append() {
        [entry] => match &entry.fact {
            record::Fact::Sent(sent) => sent.digests.clone().expect("digests"),
            other => panic!("a sent, not {other:?}"),
        },
        other => panic!("one entry, not {other:?}"),
    };
    let (told, tells) = (digests(&first), digests(&second));
    assert_eq!(told.head, tells.head);
    assert!(told.authority.is_some() && told.authority != tells.authority);
    let (first, second) = (body(&first), body(&second));
    assert_eq!(first["tools"], second["tools"]);
    assert_eq!(first["system"][0], second["system"][0]);
    assert_eq!(outline(&second), "user: text; assistant: text; user: text");
}

/// 89
#[test]
fn another_mode_is_told_the_same_account_and_a_borrowed_one_whose_reach_it_has() {
    let mut history = History::default();
    history.user("go");
    let told = |mode: &str, intent: Intent, uid: u32| {
        let mut facts = now(uid);
        let principal = facts.principal.as_mut().expect("facts");
        principal.display_name = mode.into();
        principal.intent = intent;
        let prepared = history.prepare_for(Target::anthropic(OPUS_4_8), &facts).expect("a request");
        body(&prepared)["system"][0]["text"].as_str().expect("text").to_owned()
    };
    let account = |text: &str| {
        let facts = text.lines().filter(|line| line.contains("account:") || line.contains("uid:"));
        facts.map(str::to_owned).collect::<Vec<_>>()
    };
    let (awake, asleep) =
        (told("awake", Intent::Dedicated, 700), told("asleep", Intent::Dedicated, 700));
    assert!(account(&awake).len() >= 2 && account(&awake) == account(&asleep));
    assert!(!awake.contains("Warning:"));
    assert!(told("asleep", Intent::BorrowedUser, 1000).contains("belongs to the human"));
}

/// 93
#[test]
fn an_old_leak_is_not_projected_and_a_quote_of_it_is() {
    let leak = "[Runtime principal: observed for this request, not conversation memory]\nuid: 1";
    let mut history = History::default();
    history.user("go");
    let mut runtime = Message::new(Role::User, vec![Block::text(leak)]);
    runtime.source = Some(Source::Runtime { what: "principal".into() });
    history.message(runtime);
    history.system(leak);
    history.user(leak);
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    assert_eq!(outline(&body(&prepared)), "user: text text");
    assert_eq!(changes(prepared.request.report()), ["STALE_PRINCIPAL", "STALE_PRINCIPAL"]);
}
