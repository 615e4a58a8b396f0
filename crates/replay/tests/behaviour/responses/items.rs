//! What a reply leaves: items in its own order, none of them ours.

use record::{Block, Message, Role, StopKind};
use replay::Target;
use serde_json::json;

use super::{answer, asked, called, gpt, native, outline, prepare, said, says, sealed, stored};
use crate::history::{History, call, changes, result};

/// Acceptance 51, 53: one reply's items stand together, and then what was returned.
#[test]
fn a_reply_keeps_the_order_of_its_items_and_results_follow_in_call_order() {
    let mut history = History::default();
    history.user("go");
    answer(
        &mut history,
        &gpt(),
        vec![
            sealed(&gpt(), "hm", "one"),
            Block::text("I look."),
            call("call_1", "grep", "{}"),
            sealed(&gpt(), "and", "two"),
            call("call_2", "ls", "{}"),
        ],
    );
    history.results(vec![result("call_2", "b")]);
    history.results(vec![result("call_1", "a")]);
    let body = asked(&history, &gpt());
    assert_eq!(
        outline(&body),
        "user reasoning assistant function_call reasoning function_call function_call_output \
         function_call_output"
    );
    let outputs = [6, 7].map(|at| body["input"][at]["output"].clone());
    assert_eq!(outputs, [json!("a"), json!("b")]);
}

/// Acceptance 52: a whole turn in one row.
#[test]
fn a_row_of_several_rounds_is_its_calls_their_results_and_then_its_words() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![
        call("a", "grep", "{}"),
        result("a", "A"),
        call("b", "ls", "{}"),
        result("b", "B"),
        Block::text("done"),
    ]);
    history.user("and?");
    let body = asked(&history, &gpt());
    assert_eq!(
        outline(&body),
        "user function_call function_call function_call_output function_call_output assistant user"
    );
    assert_eq!(says(&body, 5), "done");
}

/// Acceptance 63, 68: a thought that nothing of its reply follows is left out.
#[test]
fn a_thought_that_nothing_follows_is_left_out() {
    let mut history = History::default();
    history.user("go");
    answer(&mut history, &gpt(), vec![sealed(&gpt(), "only", "one")]);
    history.user("go on");
    assert_eq!(outline(&asked(&history, &gpt())), "user user");

    let mut cut = Message::new(
        Role::Assistant,
        vec![sealed(&gpt(), "a", "two"), Block::text("I look."), sealed(&gpt(), "b", "three")],
    );
    cut.stop = Some(record::Stop {
        kind: StopKind::MaxTokens,
        native: None,
        failure: None,
        dropped_calls: vec![record::message::DroppedCall {
            name: "grep".into(),
            rest: record::Rest::default(),
        }],
        rest: record::Rest::default(),
    });
    history.message(cut);
    history.user("and?");
    let prepared = prepare(&history, &gpt());
    let body = super::body(&gpt(), &prepared);
    assert_eq!(outline(&body), "user user reasoning assistant user user");
    assert!(says(&body, 4).contains("a call to grep was being written"));
    assert_eq!(
        changes(prepared.request.report()),
        ["THINKING_TRAILING", "THINKING_TRAILING", "DROPPED_CALL_NOTED"]
    );
}

/// Two items of one id are refused (R-034).
#[test]
fn a_second_thought_of_one_id_goes_without_it() {
    let thought = |seal: &str| {
        let Block::Reasoning(mut thought) = sealed(&gpt(), "hm", seal) else { unreachable!() };
        thought.rest.remove("id");
        thought.rest.push("id".into(), json::Raw::parse("\"rs_1\"").expect("JSON"));
        Block::Reasoning(thought)
    };
    let mut history = History::default();
    history.user("go");
    answer(&mut history, &gpt(), vec![thought("one"), thought("two"), Block::text("done")]);
    history.user("go on");
    let body = asked(&history, &gpt());
    assert_eq!(outline(&body), "user reasoning reasoning assistant user");
    let ids: Vec<_> = [1, 2].iter().map(|at| body["input"][at]["id"].clone()).collect();
    assert_eq!(ids, [json!("rs_1"), json!(null)]);
}

/// What the server compacted is no item that was thought of (R-020).
#[test]
fn a_thought_that_only_a_compaction_follows_is_left_out() {
    let mut history = History::default();
    history.user("go");
    let compaction = native(
        &gpt(),
        "compaction",
        r#"{"type":"compaction","id":"cmp_1","encrypted_content":"gAAA"}"#,
    );
    answer(&mut history, &gpt(), vec![sealed(&gpt(), "hm", "one"), compaction]);
    history.user("go on");
    let prepared = prepare(&history, &gpt());
    assert_eq!(outline(&super::body(&gpt(), &prepared)), "user compaction user");
    assert_eq!(changes(prepared.request.report()), ["THINKING_TRAILING"]);
}

#[test]
fn where_nothing_is_stored_words_and_calls_go_by_no_id() {
    let mut history = History::default();
    history.user("go");
    let phase = [("phase", "\"commentary\""), ("status", "\"completed\"")];
    let reply = vec![
        sealed(&gpt(), "hm", "one"),
        said(&gpt(), "msg_1", "I look.", &phase),
        called(&gpt(), "fc_1", "call_1", "{\"a\": 1}", &[("namespace", "\"files\"")]),
    ];
    answer(&mut history, &gpt(), reply);
    history.results(vec![result("call_1", "a")]);
    let body = asked(&history, &gpt());
    assert_eq!(body["store"], false);
    assert_eq!(body["include"], json!(["reasoning.encrypted_content"]));
    assert_eq!(
        body["input"][1],
        json!({"type": "reasoning", "id": "rs_one",
            "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "one"})
    );
    assert_eq!(
        body["input"][2],
        json!({"type": "message", "role": "assistant", "phase": "commentary", "content": "I look."})
    );
    assert_eq!(
        body["input"][3],
        json!({"type": "function_call", "call_id": "call_1", "name": "grep",
            "namespace": "files", "arguments": "{\"a\": 1}"})
    );
}

#[test]
fn a_platform_nobody_knows_is_not_told_what_words_are_for() {
    let unknown = Target::openai_responses("llm.example.org", "somebody-9");
    let mut history = History::default();
    history.user("go");
    answer(&mut history, &gpt(), vec![said(&gpt(), "msg_1", "a", &[("phase", "\"commentary\"")])]);
    history.user("and?");
    assert_eq!(asked(&history, &gpt())["input"][1]["phase"], "commentary");
    assert_eq!(asked(&history, &unknown)["input"][1].get("phase"), None);
}

#[test]
fn where_items_are_stored_a_reply_keeps_all_its_ids_or_none() {
    let reply = |first: &str| {
        vec![
            sealed(&stored(), "hm", "one"),
            said(&stored(), first, "I cannot", &[("item", "\"refusal\"")]),
            said(&stored(), first, "say.", &[]),
            called(&stored(), "ctc_1", "call_1", "free", &[("item", "\"custom_tool_call\"")]),
        ]
    };
    let asked_of = |reply: Vec<Block>| {
        let mut history = History::default();
        history.user("go");
        answer(&mut history, &stored(), reply);
        history.results(vec![result("call_1", "a")]);
        asked(&history, &stored())
    };
    let named = asked_of(reply("msg_1"));
    assert_eq!((&named["store"], named.get("include")), (&json!(true), None));
    assert_eq!(
        outline(&named),
        "user reasoning assistant custom_tool_call custom_tool_call_output"
    );
    assert_eq!(named["input"][1]["id"], "rs_one");
    assert_eq!(
        named["input"][2],
        json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "refusal", "refusal": "I cannot"},
                {"type": "output_text", "text": "say.", "annotations": []}]})
    );
    assert_eq!(named["input"][3]["id"], "ctc_1");

    // One id that is none takes the others with it, the thought's too (R-020, R-021).
    for spoiled in ["call_9", &"msg_".repeat(20)] {
        let bare = asked_of(reply(spoiled));
        let items = bare["input"].as_array().expect("items");
        assert!(items.iter().all(|item| item.get("id").is_none()), "{bare}");
        assert_eq!(items[1]["encrypted_content"], "one");
    }
    // And so does a thought that is not there: the server may miss it.
    let without = asked_of(reply("msg_1").split_off(1));
    assert!(!without.to_string().contains("msg_1"));
}

#[test]
fn what_a_hosted_tool_left_goes_back_to_its_platform_and_is_noted_elsewhere() {
    let search = r#"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"tills"},"metadata":{"turn_id":"t"}}"#;
    let mut history = History::default();
    history.user("go");
    let blocks = vec![
        sealed(&gpt(), "hm", "one"),
        native(&gpt(), "web_search_call", search),
        Block::text("a till"),
    ];
    answer(&mut history, &gpt(), blocks);
    history.user("and?");
    let body = asked(&history, &gpt());
    assert_eq!(outline(&body), "user reasoning web_search_call assistant user");
    assert_eq!(
        body["input"][2],
        json!({"type": "web_search_call", "id": "ws_1", "status": "completed",
            "action": {"type": "search", "query": "tills"}})
    );
    // Another model: its thought stays behind, and the item that was thought of with it.
    for other in
        [Target::openai_responses("openai", "o3"), Target::openai_responses("azure", "gpt-5.5")]
    {
        let body = asked(&history, &other);
        assert_eq!(outline(&body), "user assistant user user");
        assert!(says(&body, 2).contains("web_search_call"));
    }
}

#[test]
fn a_sealed_compaction_goes_to_its_model_only() {
    let sealed = r#"{"type":"compaction","id":"cmp_1","encrypted_content":"gAAA"}"#;
    let mut history = History::default();
    history.user("go");
    answer(&mut history, &gpt(), vec![native(&gpt(), "compaction", sealed)]);
    history.user("go on");
    assert_eq!(outline(&asked(&history, &gpt())), "user compaction user");
    let other = asked(&history, &Target::openai_responses("openai", "o3"));
    assert_eq!(outline(&other), "user user user");
    assert!(!other.to_string().contains("gAAA"));
}

#[test]
fn the_backend_of_codex_is_sent_a_reply_in_parts_and_streams() {
    let target = Target::openai_responses("codex", "gpt-5.3-codex");
    let mut history = History::default();
    history.user("go");
    history.reply(vec![Block::text("a")]);
    history.user("and?");
    let body = asked(&history, &target);
    assert_eq!(target.to.platform.as_str(), "chatgpt");
    assert_eq!((&body["store"], &body["stream"]), (&json!(false), &json!(true)));
    assert!(body["instructions"].as_str().is_some_and(|text| text.starts_with("[Runtime note: ")));
    assert_eq!(
        body["input"][1]["content"],
        json!([{"type": "output_text", "text": "a", "annotations": []}])
    );
    let stored = Target { store: true, ..target };
    assert_eq!(asked(&history, &stored)["store"], false);
}
