//! Replies: what was cut, interrupted, blank, or only its provider's to read.

use json::Raw;
use record::message::DroppedCall;
use record::{Block, Message, OpaqueBlock, Proof, ProofKind, Rest, Role, Stop, StopKind};

use crate::history::{
    History, OPUS_4_8, blank, body, call, changes, issuer, outline, result, result_of, text_at,
};

fn stopped(kind: StopKind, native: &str, dropped: &[&str], blocks: Vec<Block>) -> Message {
    let mut message = Message::new(Role::Assistant, blocks);
    let dropped_calls = dropped
        .iter()
        .map(|name| DroppedCall { name: (*name).into(), rest: Rest::default() })
        .collect();
    message.stop = Some(Stop {
        kind,
        native: Some(native.into()),
        failure: None,
        dropped_calls,
        rest: Rest::default(),
    });
    message
}

/// 34, 35
#[test]
fn a_dropped_call_is_told_on_the_user_side_and_declared_nowhere() {
    let mut history = History::default();
    history.user("go");
    history.message(stopped(StopKind::MaxTokens, "max_tokens", &["write"], vec![]));
    let body = history.body(OPUS_4_8);
    assert_eq!(outline(&body), "user: text text");
    assert!(text_at(&body, 0, 1).contains("a call to write was being written"));
    assert!(!body.to_string().contains("tool_use"));
}

/// 36
#[test]
fn an_interrupted_reply_says_so_after_its_text() {
    let mut history = History::default();
    history.user("go");
    let mut message = stopped(StopKind::Aborted, "", &["rm"], vec![Block::text("I will")]);
    message.interrupted = true;
    history.message(message);
    history.user("stop");
    let body = history.body(OPUS_4_8);
    assert_eq!(outline(&body), "user: text; assistant: text; user: text text");
    assert_eq!(
        text_at(&body, 2, 0),
        "[Runtime note: the reply above was interrupted before it finished.] \
         A call to rm was being written and was not run."
    );
}

#[test]
fn a_call_that_was_cut_off_by_another_end_is_not_said_to_have_met_the_output_limit() {
    for kind in [StopKind::Error, StopKind::Stop, StopKind::Aborted] {
        let mut history = History::default();
        history.user("go");
        history.message(stopped(kind, "", &["rm"], vec![Block::text("I will")]));
        let said = text_at(&history.body(OPUS_4_8), 2, 0).to_owned();
        assert!(said.ends_with("A call to rm was being written and was not run."), "{said}");
        assert!(!said.contains("limit"), "{said}");
    }
}

#[test]
fn notes_stand_after_the_rounds_results() {
    let mut history = History::default();
    history.user("go");
    let blocks = vec![call("a", "ls", "{}"), Block::Image(crate::history::pixel())];
    history.message(stopped(StopKind::MaxTokens, "max_tokens", &["x"], blocks));
    history.results(vec![result("a", "A")]);
    let body = history.body(OPUS_4_8);
    assert_eq!(outline(&body), "user: text; assistant: tool_use; user: tool_result text text");
}

#[test]
fn blank_text_is_left_out_and_an_empty_result_says_so() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![blank(""), call("a", "ls", "{}")]);
    history.results(vec![result("a", " \n")]);
    history.reply(vec![blank("\u{feff}")]);
    history.user("hello?");
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let body = body(&prepared);
    assert_eq!(outline(&body), "user: text; assistant: tool_use; user: tool_result text");
    assert_eq!(text_at(&body, 2, 0), "(no output)");
    let mut kinds = changes(prepared.request.report());
    kinds.sort_unstable();
    assert_eq!(kinds, ["BLANK_TEXT", "BLANK_TEXT", "RESULT_EMPTY"]);
}

fn native(kind: &str, raw: &str) -> Block {
    let proof = Proof {
        issuer: issuer(OPUS_4_8),
        kind: ProofKind::Native,
        version: 1,
        sealed: Raw::parse("true").expect("JSON"),
    };
    let raw = Raw::parse(raw).expect("JSON");
    Block::Opaque(OpaqueBlock { kind: kind.into(), raw, proof: Some(Box::new(proof)) })
}

const SEARCH: &str =
    r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}"#;
const FOUND: &str = r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#;

#[test]
fn a_server_tool_and_its_result_go_back_verbatim_and_half_of_it_does_not() {
    let mut history = History::default();
    history.user("search");
    history.reply(vec![
        native("server_tool_use", SEARCH),
        native("web_search_tool_result", FOUND),
        Block::text("found"),
    ]);
    history.user("more");
    let shown = history.body(OPUS_4_8);
    assert_eq!(
        outline(&shown),
        "user: text; assistant: server_tool_use web_search_tool_result text; user: text"
    );
    let mut half = History::default();
    half.user("search");
    half.reply(vec![native("server_tool_use", SEARCH), Block::text("hm")]);
    half.reply(vec![native("web_search_tool_result", FOUND), Block::text("hm")]);
    let prepared = half.prepare(OPUS_4_8).expect("a request");
    assert!(!body(&prepared).to_string().contains("srvtoolu_1"));
    assert_eq!(changes(prepared.request.report()), ["OPAQUE_NOTED", "OPAQUE_NOTED"]);
}

/// Rules A-100, A-101
#[test]
fn a_server_call_has_one_result_and_an_id_is_one_calls() {
    let (call, found) =
        (native("server_tool_use", SEARCH), native("web_search_tool_result", FOUND));
    let mut history = History::default();
    history.user("search");
    history.reply(vec![
        call.clone(),
        call,
        found.clone(),
        native("web_search_tool_result", &FOUND.replace("[]", r#"[{"again":1}]"#)),
        found,
        Block::text("found"),
    ]);
    history.user("more");
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    assert_eq!(
        outline(&body(&prepared)),
        "user: text; assistant: server_tool_use web_search_tool_result text; user: text text text text"
    );
    assert!(!body(&prepared).to_string().contains("again"));
    assert_eq!(
        changes(prepared.request.report()),
        ["OPAQUE_NOTED", "OPAQUE_NOTED", "OPAQUE_NOTED"]
    );
}

/// Rule A-103
#[test]
fn a_paused_turn_is_resumed_as_it_stands_and_told_where_it_is_given_up() {
    let mut history = History::default();
    let mut head = crate::system::head(&["web_search"], &[]);
    if let record::Fact::Head(head) = &mut head {
        let wire = r#"{"type":"web_search_20250305","name":"web_search"}"#;
        let tool = record::ToolDefinition::new(Raw::parse(wire).expect("JSON")).expect("a tool");
        let declaration = record::HeadDeclaration { tools: vec![tool], system: Vec::new() };
        head.head = Some(declaration.into());
    }
    history.fact(head);
    history.user("search");
    let blocks = vec![Block::text("let me"), native("server_tool_use", SEARCH)];
    history.message(stopped(StopKind::Stop, "pause_turn", &[], blocks));
    let first = history.send(OPUS_4_8);
    assert_eq!(outline(&body(&first)), "user: text; assistant: text server_tool_use");
    history.user("never mind");
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    assert_eq!(outline(&body(&prepared)), "user: text; assistant: text; user: text; user: text");
    let moved = prepared.request.report().moved.expect("moved");
    assert_eq!(moved.reason.as_str(), "capability");
}

/// A head with the tool that runs code.
fn code_tool() -> record::Fact {
    let mut head = crate::system::head(&["run"], &[]);
    if let record::Fact::Head(head) = &mut head {
        let wire = r#"{"type":"code_execution_20260120","name":"code_execution"}"#;
        let tool = record::ToolDefinition::new(Raw::parse(wire).expect("JSON")).expect("a tool");
        let declaration = record::HeadDeclaration { tools: vec![tool], system: Vec::new() };
        head.head = Some(declaration.into());
    }
    head
}

const CODE: &str =
    r#"{"type":"server_tool_use","id":"srvtoolu_c","name":"code_execution","input":{"code":"x"}}"#;
const RAN: &str = r#"{"type":"code_execution_tool_result","tool_use_id":"srvtoolu_c","content":{"type":"code_execution_result","stdout":"1","stderr":"","return_code":0,"content":[],"abort_reason":null}}"#;
const CALLER: &str = r#"{"type":"code_execution_20260120","tool_id":"srvtoolu_c"}"#;

/// A call made from code.
fn called(id: &str) -> Block {
    let Block::ToolUse(mut made) = call(id, "look", "{}") else { panic!("a call") };
    made.rest.push("caller".into(), Raw::parse(CALLER).expect("JSON"));
    Block::ToolUse(made)
}

fn calls(blocks: Vec<Block>) -> Message {
    stopped(StopKind::ToolCalls, "tool_use", &[], blocks)
}

/// Rules A-104 and A-107
#[test]
fn calls_made_from_code_cross_as_they_were_while_the_code_waits_for_them() {
    let mut history = History::default();
    history.fact(code_tool());
    history.user("go");
    history.message(calls(vec![native("server_tool_use", CODE), called("a")]));
    history.results(vec![result("a", "A")]);
    let first = history.send(OPUS_4_8);
    assert_eq!(
        outline(&body(&first)),
        "user: text; assistant: server_tool_use tool_use; user: tool_result"
    );
    history.message(calls(vec![called("b")]));
    history.results(vec![result("b", "B")]);
    let second = history.send(OPUS_4_8);
    let blocks = vec![native("code_execution_tool_result", RAN), Block::text("one")];
    history.message(stopped(StopKind::Stop, "end_turn", &[], blocks));
    history.user("more");
    let third = history.send(OPUS_4_8);
    assert!(crate::history::extends(&second, &first));
    assert!(crate::history::extends(&third, &second));
    assert!(changes(third.request.report()).is_empty());
    let shown = body(&third);
    assert_eq!(
        outline(&shown),
        "user: text; assistant: server_tool_use tool_use; user: tool_result; assistant: tool_use; \
         user: tool_result; assistant: code_execution_tool_result text; user: text"
    );
    for (message, block) in [(1, 1), (3, 0)] {
        let caller = &shown["messages"][message]["content"][block]["caller"];
        assert_eq!(caller["tool_id"], "srvtoolu_c");
    }
}

/// Rules A-104 and A-107
#[test]
fn code_that_is_not_gone_on_with_is_told_and_its_calls_name_no_caller() {
    let mut history = History::default();
    history.fact(code_tool());
    history.user("go");
    history.message(calls(vec![native("server_tool_use", CODE), called("a")]));
    history.results(vec![result("a", "A")]);
    history.send(OPUS_4_8);
    history.user("never mind");
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let shown = body(&prepared);
    assert_eq!(
        outline(&shown),
        "user: text; assistant: tool_use; user: tool_result text; user: text"
    );
    assert!(!shown.to_string().contains("srvtoolu_c"));
    let moved = prepared.request.report().moved.expect("moved");
    assert_eq!(moved.reason.as_str(), "capability");
    // The same where its tool is not offered, and where the reply was cut off.
    let mut bare = History::default();
    bare.user("go");
    bare.message(calls(vec![native("server_tool_use", CODE), called("a")]));
    bare.results(vec![result("a", "A")]);
    assert!(!bare.body(OPUS_4_8).to_string().contains("srvtoolu_c"));
    let mut cut = History::default();
    cut.fact(code_tool());
    cut.user("go");
    let blocks = vec![native("server_tool_use", CODE), called("a")];
    cut.message(stopped(StopKind::MaxTokens, "max_tokens", &[], blocks));
    cut.results(vec![result("a", "A")]);
    assert!(!cut.body(OPUS_4_8).to_string().contains("srvtoolu_c"));
}

/// Rule A-107
#[test]
fn what_a_server_called_from_code_goes_back_beside_the_code_or_not_at_all() {
    let inner = |raw: &str| {
        let called = format!(r#","caller":{CALLER}}}"#);
        raw.strip_suffix('}').expect("an object").to_owned() + &called
    };
    let searched = || {
        vec![
            native("server_tool_use", &inner(SEARCH)),
            native("web_search_tool_result", &inner(FOUND)),
        ]
    };
    let mut whole = History::default();
    whole.user("go");
    let mut blocks = vec![native("server_tool_use", CODE)];
    blocks.extend(searched());
    blocks.extend([native("code_execution_tool_result", RAN), Block::text("one")]);
    whole.reply(blocks);
    whole.user("more");
    let prepared = whole.prepare(OPUS_4_8).expect("a request");
    body(&prepared);
    assert!(changes(prepared.request.report()).is_empty());
    let mut alone = History::default();
    alone.user("go");
    let mut blocks = searched();
    blocks.push(Block::text("one"));
    alone.reply(blocks);
    alone.user("more");
    let prepared = alone.prepare(OPUS_4_8).expect("a request");
    assert!(!body(&prepared).to_string().contains("srvtoolu"));
    assert_eq!(changes(prepared.request.report()), ["OPAQUE_NOTED", "OPAQUE_NOTED"]);
}

#[test]
fn an_unknown_block_is_named_in_a_note() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![Block::text("x"), native("hologram", r#"{"type":"hologram","@@z@@":1}"#)]);
    let parts = vec![record::ResultPart::Opaque(OpaqueBlock {
        kind: "tool_reference".into(),
        raw: Raw::parse(r#"{"type":"tool_reference","tool_name":"x"}"#).expect("JSON"),
        proof: None,
    })];
    history.reply(vec![call("a", "find", "{}")]);
    history.results(vec![result_of("a", parts, false)]);
    let body = history.body(OPUS_4_8);
    assert_eq!(
        text_at(&body, 2, 0),
        "[Record note: a block of kind \"hologram\" is stored here; this build cannot show it.]"
    );
    assert!(!body.to_string().contains("@@z@@"));
}

#[test]
fn a_document_goes_back_verbatim_and_one_the_schema_does_not_know_is_named() {
    let mut history = History::default();
    let good = r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"d"},"cache_control":{"type":"ephemeral"}}"#;
    let bad = r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"d"},"mood":1}"#;
    let blocks = vec![Block::text("read"), native("document", good), native("document", bad)];
    history.message(Message::new(Role::User, blocks));
    let body = history.body(OPUS_4_8);
    assert_eq!(outline(&body), "user: text document text");
    assert!(body["messages"][0]["content"][1].get("cache_control").is_none());
}

#[test]
fn a_lone_surrogate_goes_out_as_a_replacement_character_and_is_reported() {
    let doc = json::Doc::parse(br#""a\ud99cb""#).expect("JSON");
    let text = doc.root().to_text().expect("a string");
    let mut history = History::default();
    history.message(Message::new(Role::User, vec![Block::text(text)]));
    history.reply(vec![call("a", "ask", r#"{"o":"\ud99c next \ud83d\ude42"}"#)]);
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let body = body(&prepared);
    assert_eq!(text_at(&body, 0, 0), "a\u{fffd}b");
    assert_eq!(body["messages"][1]["content"][0]["input"]["o"], "\u{fffd} next \u{1f642}");
    let kinds = changes(prepared.request.report());
    assert_eq!(kinds.iter().filter(|kind| **kind == "SURROGATE_REPLACED").count(), 2);
}

/// 82
#[test]
fn text_under_the_tool_role_is_the_user_sides() {
    let mut history = History::default();
    history.user("go");
    history.results(vec![Block::text("legacy")]);
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    assert_eq!(text_at(&body(&prepared), 0, 1), "legacy");
    assert_eq!(changes(prepared.request.report()), ["TOOL_TEXT"]);
}

#[test]
fn thousands_of_server_tools_and_their_results_in_one_reply_are_paired() {
    let mut history = History::default();
    history.user("search");
    let pair = |n: u32| {
        let id = format!("\"srvtoolu_{n}\"");
        let [search, found] = [SEARCH, FOUND].map(|raw| raw.replace("\"srvtoolu_1\"", &id));
        [native("server_tool_use", &search), native("web_search_tool_result", &found)]
    };
    let mut blocks: Vec<Block> = (0..5_000).flat_map(pair).collect();
    blocks.pop();
    history.reply(blocks);
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let content = &body(&prepared)["messages"][1]["content"];
    assert_eq!(content.as_array().map(Vec::len), Some(9_998));
    assert_eq!(
        changes(prepared.request.report()).iter().filter(|kind| **kind == "OPAQUE_NOTED").count(),
        1
    );
}
