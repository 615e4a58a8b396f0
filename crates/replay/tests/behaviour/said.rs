//! What has been said to a model stays said.

use record::{Block, Fact, Fill, GapWording, Message, Role};
use replay::{Now, Reader, Replayer, Target, Unit};

use crate::history::{History, OPUS_4_8, body, call, changes, extends, outline, result, text_at};

/// 124
#[test]
fn a_gap_that_was_sent_stays_and_its_late_result_is_evidence_at_its_own_place() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "grep", "{}")]);
    history.user("what now?");
    let first = history.send(OPUS_4_8);
    history.answer(OPUS_4_8, vec![Block::text("hm")]);
    history.results(vec![result("a", "A")]);
    history.user("and?");
    let second = history.prepare(OPUS_4_8).expect("a request");
    assert!(extends(&second, &first));
    let body = body(&second);
    assert_eq!(
        outline(&body),
        "user: text; assistant: tool_use; user: tool_result text; assistant: text; user: text text"
    );
    assert_eq!(
        text_at(&body, 4, 0),
        "[Runtime note: a result for call a (grep), reported above as not completed, arrived \
         later.]\nResult (grep): A"
    );
    assert!(changes(second.request.report()).contains(&"RESULT_LATE"));
    assert!(second.request.report().moved.is_none());
}

/// 125
#[test]
fn an_observer_is_told_that_a_call_runs_and_its_own_agent_gets_the_native_pair() {
    let mut history = History::default();
    history.user("go");
    let reply = {
        let mut message = Message::new(Role::Assistant, vec![call("a", "grep", "{}")]);
        message.author = Some("main".into());
        history.message(message)
    };
    let now = Now { running: vec![crate::history::at(&reply, 0)], ..Now::default() };
    let mut observer = Replayer::new(Reader::plain("observer"), Target::anthropic(OPUS_4_8));
    observer.feed(&history.path);
    let prepared = observer.prepare(&now).expect("a request");
    assert!(text_at(&body(&prepared), 2, 0).contains("it was still running"));
    history.append(&prepared);
    history.results(vec![result("a", "A")]);
    assert_eq!(text_at(&history.body(OPUS_4_8), 2, 0), "A");
    observer.feed(&history.path);
    let next = observer.prepare(&Now::default()).expect("a request");
    assert!(extends(&next, &prepared));
}

/// 126, and (a) of the law
#[test]
fn the_same_request_again_has_equal_bytes_and_appends_nothing() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "grep", "{}")]);
    let first = history.send(OPUS_4_8);
    let again = history.prepare(OPUS_4_8).expect("a request");
    assert_eq!(again.request.body().to_vec(), first.request.body().to_vec());
    assert!(again.append().is_empty());
}

/// 134
#[test]
fn a_request_that_would_end_with_the_assistant_gets_a_prompt_that_stays() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![Block::text("half")]);
    let first = history.send(OPUS_4_8);
    assert_eq!(outline(&body(&first)), "user: text; assistant: text; user: text");
    history.answer(OPUS_4_8, vec![Block::text("the rest")]);
    history.user("thanks");
    let second = history.prepare(OPUS_4_8).expect("a request");
    assert!(extends(&second, &first));
    let no_continue = Now { no_continue: true, ..Now::default() };
    let mut ends = History::default();
    ends.user("go");
    ends.reply(vec![Block::text("half")]);
    let refused = ends.prepare_for(Target::anthropic(OPUS_4_8), &no_continue);
    assert_eq!(refused.err(), Some(replay::Refusal::NothingToSay));
}

#[test]
fn a_record_that_begins_with_the_assistant_gets_a_prompt_before_it() {
    let mut history = History::default();
    history.reply(vec![Block::text("hi")]);
    history.user("do it");
    let body = history.body(OPUS_4_8);
    assert_eq!(outline(&body), "user: text; assistant: text; user: text");
    assert_eq!(text_at(&body, 0, 0), "[Runtime note: the conversation continues from here.]");
}

#[test]
fn nothing_to_say_is_refused() {
    let mut history = History::default();
    assert_eq!(history.prepare(OPUS_4_8).err(), Some(replay::Refusal::NothingToSay));
    history.system("be brief");
    history.user("  \u{feff}\u{200b}\n");
    assert_eq!(history.prepare(OPUS_4_8).err(), Some(replay::Refusal::NothingToSay));
}

/// 19
#[test]
fn the_wording_of_a_gap_says_what_the_record_proves() {
    let mut history = History::default();
    history.user("go");
    let mut message =
        Message::new(Role::Assistant, vec![call("a", "rm", "{}"), call("b", "rm", "{}")]);
    message.runs_logged = true;
    let row = history.message(message);
    let call = crate::history::at(&row, 1);
    history.fact(Fact::CallStarted(record::CallStarted { call }));
    let body = history.body(OPUS_4_8);
    assert!(text_at(&body, 2, 0).contains("never started"));
    assert!(text_at(&body, 2, 1).contains("may have run"));
}

/// 17
#[test]
fn a_damaged_line_leaves_nothing_proven_not_to_have_run() {
    let mut history = History::default();
    history.user("go");
    let mut message = Message::new(Role::Assistant, vec![call("a", "rm", "{}")]);
    message.runs_logged = true;
    history.message(message);
    let kind = record::jsonl::CORRUPT_LINE.into();
    history.fact(Fact::Opaque(record::OpaqueFact { kind, raw: None }));
    assert!(text_at(&history.body(OPUS_4_8), 2, 0).contains("may have run"));
}

#[test]
fn a_fill_keeps_its_own_words() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "rm", "{}")]);
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let mut sent = prepared.append()[0].clone();
    let Fact::Sent(fact) = &mut sent.fact else { panic!("a sent") };
    let Some(Fill::Gap { wording, .. }) = fact.fills.first_mut() else { panic!("a gap") };
    *wording = GapWording::Text("did not complete, said another build".into());
    history.path.push(sent.into());
    history.answer(OPUS_4_8, vec![Block::text("hm")]);
    assert_eq!(text_at(&history.body(OPUS_4_8), 2, 0), "did not complete, said another build");
}

#[test]
fn a_sent_is_the_same_whenever_it_is_asked_for() {
    let mut history = History::default();
    history.user("one");
    let mut replayer = Replayer::new(Reader::plain("main"), Target::anthropic(OPUS_4_8));
    replayer.feed(&history.path);
    let early = replayer.prepare(&Now::default()).expect("a request");
    let at_once = early.append().to_vec();
    let late = replayer.prepare(&Now::default()).expect("a request");
    history.append(&early);
    history.answer(OPUS_4_8, vec![Block::text("ok")]);
    history.user("two");
    replayer.feed(&history.path);
    let next = replayer.prepare(&Now::default()).expect("a request");
    assert_eq!(late.append(), at_once);
    assert_eq!(next.append(), history.prepare(OPUS_4_8).expect("a request").append());
    assert!(next.request.report().moved.is_none());
}

#[test]
fn a_user_row_after_what_was_sent_begins_a_new_message() {
    let mut history = History::default();
    history.user("one");
    let first = history.send(OPUS_4_8);
    history.user("two");
    let second = history.prepare(OPUS_4_8).expect("a request");
    assert!(extends(&second, &first));
    assert_eq!(outline(&body(&second)), "user: text; user: text");
}

#[test]
fn one_replayer_fed_bit_by_bit_gives_what_a_fresh_one_gives() {
    let mut history = History::default();
    let mut replayer = Replayer::new(Reader::plain("main"), Target::anthropic(OPUS_4_8));
    for turn in 0..20 {
        history.user(&format!("turn {turn}"));
        history.reply(vec![call("c", "grep", "{}"), call("d", "grep", "{}")]);
        if turn % 3 > 0 {
            history.results(vec![result("c", "C")]);
        }
        history.user("so?");
        replayer.feed(&history.path);
        let prepared = replayer.prepare(&Now::default()).expect("a request");
        let fresh = history.prepare(OPUS_4_8).expect("a request");
        assert_eq!(prepared.request.body().to_vec(), fresh.request.body().to_vec());
        assert_eq!(prepared.append(), fresh.append());
        if turn % 2 > 0 {
            history.append(&prepared);
            history.answer(OPUS_4_8, vec![Block::text("ok")]);
        }
    }
}

#[test]
fn another_branch_is_folded_as_if_it_were_the_first() {
    let mut one = History::default();
    one.user("go");
    let mut other = one.clone();
    one.reply(vec![call("a", "grep", "{}")]);
    one.user("hm");
    other.path.push(
        record::Entry {
            id: "other".into(),
            fact: Fact::Message(Box::new(Message::new(Role::User, vec![Block::text("else")]))),
            ..(*other.path[0]).clone()
        }
        .into(),
    );
    let mut replayer = Replayer::new(Reader::plain("main"), Target::anthropic(OPUS_4_8));
    for history in [&one, &other, &one] {
        replayer.feed(&history.path);
        let prepared = replayer.prepare(&Now::default()).expect("a request");
        let fresh = history.prepare(OPUS_4_8).expect("a request");
        assert_eq!(prepared.request.body().to_vec(), fresh.request.body().to_vec());
    }
    replayer.feed(&one.path[..1]);
    let prepared = replayer.prepare(&Now::default()).expect("a request");
    assert_eq!(outline(&body(&prepared)), "user: text");
}

#[test]
fn a_changed_head_is_named_where_it_moves_the_request() {
    let mut history = History::default();
    history.user("go");
    let first = history.send(OPUS_4_8);
    assert!(first.request.report().moved.is_none());
    history.answer(OPUS_4_8, vec![Block::text("ok")]);
    history.user("on");
    history.fact(crate::system::head(&["read"], &["be brief"]));
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let moved = prepared.request.report().moved.expect("moved");
    assert_eq!((moved.unit, moved.reason.as_str()), (Unit::Head, "head"));
}

#[test]
fn a_changed_parameter_is_named_where_the_cache_depends_on_it() {
    let mut history = History::default();
    history.fact(crate::system::head(&["read"], &[]));
    history.user("go");
    history.send(OPUS_4_8);
    history.answer(OPUS_4_8, vec![Block::text("ok")]);
    history.user("on");
    let raw = |text: &str| json::Raw::parse(text).expect("JSON");
    let moved = |edit: &dyn Fn(&mut replay::Parameters)| {
        let mut now = Now::default();
        edit(&mut now.parameters);
        let prepared = history.prepare_for(Target::anthropic(OPUS_4_8), &now).expect("a request");
        prepared.request.report().moved.map(|moved| (moved.unit, moved.reason.as_str()))
    };
    let extra = |name: &str, value: &str| {
        let parameter = (json::Text::from(name), raw(value));
        moved(&|parameters| parameters.extra.push(parameter.clone()))
    };
    assert_eq!(moved(&|parameters| parameters.max_tokens = Some(99)), None);
    assert_eq!(extra("metadata", r#"{"user_id":"u"}"#), None);
    assert_eq!(extra("stop_sequences", r#"["x"]"#), None);
    assert_eq!(extra("stream", "true"), None);
    assert_eq!(extra("service_tier", r#""auto""#), None);
    let named = Some((Unit::Parameters, "parameters"));
    let choice = r#"{"type":"none"}"#;
    assert_eq!(moved(&|parameters| parameters.tool_choice = Some(raw(choice))), named);
    assert_eq!(moved(&|parameters| parameters.thinking = replay::ThinkingChoice::On), named);
    assert_eq!(extra("output_config", r#"{"effort":"low"}"#), named);
    assert_eq!(extra("speed", r#""fast""#), named);
}

#[test]
fn parameters_the_model_refuses_are_left_out_and_named() {
    let mut history = History::default();
    history.fact(crate::system::head(&["read"], &[]));
    history.user("go");
    let mut now = Now::default();
    let raw = |text: &str| json::Raw::parse(text).expect("JSON");
    now.parameters.tool_choice = Some(raw(r#"{"type":"any"}"#));
    now.parameters.extra =
        vec![("temperature".into(), raw("0.5")), ("stop_sequences".into(), raw(r#"["x"]"#))];
    let prepared = history.prepare_for(Target::anthropic("claude-opus-5-5"), &now);
    let prepared = prepared.expect("a request");
    let shown = body(&prepared);
    assert!(shown.get("tool_choice").is_none() && shown.get("temperature").is_none());
    assert_eq!(shown["stop_sequences"][0], "x");
    let kinds = changes(prepared.request.report());
    assert_eq!(kinds, ["PARAMETER_ADJUSTED", "PARAMETER_ADJUSTED"]);
}

#[test]
fn a_parameter_the_rule_book_refuses_is_left_out_and_the_others_stay() {
    let mut history = History::default();
    history.fact(crate::system::head(&["read"], &[]));
    history.user("go");
    let raw = |text: &str| json::Raw::parse(text).expect("JSON");
    let left = |model: &str, thinking, extra: &[(&str, &str)]| {
        let mut now = Now::default();
        now.parameters.thinking = thinking;
        now.parameters.extra =
            extra.iter().map(|(name, value)| ((*name).into(), raw(value))).collect();
        let prepared = history.prepare_for(Target::anthropic(model), &now).expect("a request");
        let shown = body(&prepared);
        extra.iter().all(|(name, _)| {
            changes(prepared.request.report()).len() == 1
                && (*name == "stream" || shown.get(name).is_none())
        })
    };
    let (as_recorded, off) = (replay::ThinkingChoice::AsRecorded, replay::ThinkingChoice::Off);
    let stream = ("stream", "true");
    // A-014, and A-059: thinking cannot be off and its effort above high.
    assert!(left(OPUS_4_8, as_recorded, &[("output_config", r#"{"effort":"most"}"#), stream]));
    assert!(left("claude-opus-5", off, &[("output_config", r#"{"effort":"max"}"#), stream]));
    // A-003, A-045, A-080, and one that needs a header that is not sent.
    assert!(left(OPUS_4_8, as_recorded, &[("nobody_knows", "1"), stream]));
    assert!(left(OPUS_4_8, off, &[("tool_choice", r#"{"type":"tool","name":"x"}"#), stream]));
    assert!(left(OPUS_4_8, as_recorded, &[("cache_control", r#"{"type":"ephemeral"}"#)]));
    assert!(left(OPUS_4_8, as_recorded, &[("context_management", r#"{"edits":[]}"#), stream]));
}

#[test]
fn a_result_of_a_reused_id_is_late_for_the_nearest_call_whose_gap_stands() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("call_0", "first", "{}")]);
    history.reply(vec![call("call_0", "second", "{}"), call("call_0", "third", "{}")]);
    history.reply(vec![call("call_0", "last", "{}")]);
    history.results(vec![result("call_0", "answer")]);
    let nameless = |output: &str| {
        let Block::ToolResult(mut result) = result("call_0", output) else { panic!("a result") };
        result.tool_name = "".into();
        Block::ToolResult(result)
    };
    let outputs = ["answer", "b", "c", "d", "d"];
    history.results(outputs.iter().map(|output| nameless(output)).collect());
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let body = body(&prepared);
    let told: Vec<&str> = (0..5).map(|block| text_at(&body, 6, block)).collect();
    assert_eq!(told[0], "answer");
    for (told, end) in told[1..].iter().zip(["(second): answer", "(third): b", "(first): c"]) {
        assert!(told.contains("arrived later") && told.ends_with(end), "{told}");
    }
    assert_eq!(told[4], "Result (unnamed): d");
    let mut kinds = changes(prepared.request.report());
    kinds.retain(|kind| kind.starts_with("RESULT"));
    let late = "RESULT_LATE";
    assert_eq!(kinds, [late, late, late, "RESULT_SECOND", "RESULT_SECOND"]);
}

#[test]
fn thousands_of_gaps_of_one_id_take_their_late_results() {
    let mut history = History::default();
    history.user("go");
    for _ in 0..20_000 {
        history.reply(vec![call("call_0", "ls", "{}")]);
    }
    history.reply(vec![Block::text("hm")]);
    history.results((0..20_001).map(|n| result("call_0", &n.to_string())).collect());
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let kinds = changes(prepared.request.report());
    assert_eq!(kinds.iter().filter(|kind| **kind == "RESULT_LATE").count(), 20_000);
    assert_eq!(kinds.iter().filter(|kind| **kind == "RESULT_SECOND").count(), 1);
}
