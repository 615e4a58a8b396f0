//! The same of Bedrock Converse: Claude's models, families that take other things, and one nobody
//! knows.

use json::Raw;
use record::{
    Block, EntryId, Issuer, Message, OpaqueBlock, Proof, ProofKind, ResultPart, Role, Source,
};
use replay::{Now, Parameters, Prepared, Refusal, Target, ThinkingChoice, Unit};
use serde_json::{Value, json};
use wire::bedrock_converse::lint::{LintOptions, lint};

use crate::history::{History, call, changes, conversation, pixel, reasoning, result, result_of};

const OPUS_4_5: &str = "us.anthropic.claude-opus-4-5-20251101-v1:0";
const OPUS_5_5: &str = "global.anthropic.claude-opus-5-5";
const NOVA: &str = "us.amazon.nova-2-lite-v1:0";
const LLAMA: &str = "us.meta.llama4-scout-17b-instruct-v1:0";
const MISTRAL: &str = "mistral.mistral-large-2407-v1:0";
const NOBODYS: &str = "somebody.new-v1:0";

/// The body of a request, in which the linter found nothing that is refused.
pub fn body(target: &Target, prepared: &Prepared) -> Value {
    let bytes = prepared.request.body().to_vec();
    let mut found = lint(&bytes, &LintOptions { model: Some(&target.to.model) });
    // Whether a family nobody knows takes system texts is not known either.
    found.retain(|finding| finding.rule != "B-023");
    assert!(found.is_empty(), "{found:#?}\n{}", String::from_utf8_lossy(&bytes));
    serde_json::from_slice(&bytes).expect("a body is JSON")
}

fn prepare(history: &History, model: &str) -> Prepared {
    history.prepare_for(Target::bedrock(model), &Now::default()).expect("a request")
}

fn asked(history: &History, model: &str) -> Value {
    body(&Target::bedrock(model), &prepare(history, model))
}

fn send(history: &mut History, model: &str) -> Prepared {
    let prepared = prepare(history, model);
    body(&Target::bedrock(model), &prepared);
    history.append(&prepared);
    prepared
}

/// A reply of a model to the last `sent`.
fn answer(history: &mut History, model: &str, blocks: Vec<Block>) -> EntryId {
    let sent = history.path.iter().rev().find(|entry| matches!(entry.fact, record::Fact::Sent(_)));
    let mut message = Message::new(Role::Assistant, blocks);
    message.answers = sent.map(|entry| entry.id.clone());
    let Issuer { platform, account, api, model } = issuer(model);
    message.source = Some(Source::Model { platform, api, model, account });
    history.message(message)
}

fn issuer(model: &str) -> Issuer {
    Issuer {
        platform: "bedrock".into(),
        account: None,
        api: "bedrock_converse".into(),
        model: model.into(),
    }
}

fn proof(model: &str, kind: ProofKind, sealed: &str) -> Option<Proof> {
    let sealed = Raw::parse(sealed).expect("JSON");
    Some(Proof { issuer: issuer(model).into(), kind, version: 1, sealed })
}

fn thought(model: &str, text: &str, sealed: &str) -> Block {
    reasoning(text, proof(model, ProofKind::Signature, sealed))
}

fn native(model: &str, kind: &str, raw: &str) -> Block {
    let proof = proof(model, ProofKind::Native, "\"\"").map(Box::new);
    Block::Opaque(OpaqueBlock { kind: kind.into(), raw: Raw::parse(raw).expect("JSON"), proof })
}

/// `role kinds; role kinds; ...`, a block by the name of its member.
fn outline(body: &Value) -> String {
    let messages = body["messages"].as_array().expect("messages");
    let outlines = messages.iter().map(|message| {
        let blocks = message["content"].as_array().expect("content");
        let name = |block: &Value| block.as_object().and_then(|b| b.keys().next().cloned());
        let kinds: Vec<String> = blocks.iter().filter_map(name).collect();
        format!("{}: {}", message["role"].as_str().expect("role"), kinds.join(" "))
    });
    outlines.collect::<Vec<_>>().join("; ")
}

fn round(history: &mut History) {
    history.user("look");
    history.reply(vec![Block::text("both"), call("a", "ls", "{}"), call("b", "ls", "{}")]);
    history.results(vec![result("b", "B")]);
    history.results(vec![result_of("a", vec![ResultPart::Text("no".into())], true)]);
}

/// 51
#[test]
fn all_calls_of_a_reply_stand_in_one_message_and_their_results_in_the_next() {
    let mut history = History::default();
    round(&mut history);
    let shown = asked(&history, OPUS_4_5);
    assert_eq!(
        outline(&shown),
        "user: text; assistant: text toolUse toolUse; user: toolResult toolResult"
    );
    assert_eq!(
        shown["messages"][2]["content"][0]["toolResult"],
        json!({"toolUseId": "a", "content": [{"text": "no"}], "status": "error"})
    );
    assert_eq!(shown["toolConfig"]["tools"][0]["toolSpec"]["name"], "unavailable");
}

/// 54, 55, 76
#[test]
fn an_unanswered_call_gets_one_error_that_claims_no_success() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "rm", "{}")]);
    history.user("go on");
    let shown = asked(&history, OPUS_4_5);
    assert_eq!(outline(&shown), "user: text; assistant: toolUse; user: toolResult text");
    let stand_in = &shown["messages"][2]["content"][0]["toolResult"];
    assert_eq!(stand_in["status"], "error");
    assert!(stand_in["content"][0]["text"].as_str().expect("text").contains("did not complete"));
}

/// 64, 66, 68
#[test]
fn a_thought_goes_back_byte_for_byte_to_who_thought_it_and_to_no_other_family() {
    let mut history = History::default();
    history.user("go");
    let sealed = reasoning("", proof(OPUS_4_5, ProofKind::Redacted, r#""b3Bh\u0063ue""#));
    let blocks = vec![thought(OPUS_4_5, "hm  ", r#""c2ln\/==""#), sealed, Block::text("done")];
    answer(&mut history, OPUS_4_5, blocks);
    history.user("on");
    let prepared = prepare(&history, OPUS_4_5);
    let bytes = String::from_utf8(prepared.request.body().to_vec()).expect("UTF-8");
    assert!(bytes.contains(r#""text":"hm  ","signature":"c2ln\/==""#), "{bytes}");
    assert!(bytes.contains(r#""redactedContent":"b3Bh\u0063ue""#), "{bytes}");
    for other in [NOVA, LLAMA, NOBODYS, "us.anthropic.claude-haiku-4-5-20251001-v1:0"] {
        let prepared = prepare(&history, other);
        let shown = body(&Target::bedrock(other), &prepared);
        assert!(!shown.to_string().contains("hm"), "{other}");
        assert_eq!(changes(prepared.request.report())[..2], ["THINKING_WITHHELD"; 2], "{other}");
    }
    let elsewhere = history.prepare_for(Target::anthropic("claude-opus-4-5"), &Now::default());
    let bytes = elsewhere.expect("a request").request.body().to_vec();
    assert!(!String::from_utf8_lossy(&bytes).contains("hm"));
}

/// B-003, B-029
#[test]
fn a_reply_of_thoughts_alone_is_no_message_and_words_behind_a_call_stand_before_it() {
    let mut history = History::default();
    history.user("go");
    answer(&mut history, OPUS_4_5, vec![thought(OPUS_4_5, "hm", "\"s\"")]);
    history.user("on");
    answer(&mut history, OPUS_4_5, vec![call("a", "ls", "{}"), Block::text("wait")]);
    history.results(vec![result("a", "A")]);
    let shown = asked(&history, OPUS_4_5);
    assert_eq!(outline(&shown), "user: text text; assistant: text toolUse; user: toolResult");
}

/// A-060
#[test]
fn thinking_that_is_bound_to_its_prefix_stays_with_it_and_leaves_with_it() {
    let mut history = History::default();
    history.user("go");
    let first = send(&mut history, OPUS_5_5);
    answer(&mut history, OPUS_5_5, vec![thought(OPUS_5_5, "hm", "\"s\""), Block::text("x")]);
    history.user("on");
    let next = send(&mut history, OPUS_5_5);
    assert!(conversation(&next).starts_with(&conversation(&first)));
    assert!(next.request.report().moved.is_none() && next.request.report().thoughts == 1);
    answer(&mut history, OPUS_5_5, vec![Block::text("y")]);
    history.user("and");
    history.system("be brief");
    let now = crate::principal::now(700);
    let moved = history.prepare_for(Target::bedrock(OPUS_5_5), &now).expect("a request");
    assert_eq!(moved.request.report().thoughts, 0);
    let last = prepare(&history, OPUS_5_5);
    assert_eq!(last.request.report().thoughts, 1);
}

/// B-002
#[test]
fn words_after_a_request_that_was_not_answered_join_its_last_message() {
    let mut history = History::default();
    history.user("go");
    let first = send(&mut history, NOVA);
    history.user("are you there?");
    let next = prepare(&history, NOVA);
    assert_eq!(outline(&body(&Target::bedrock(NOVA), &next)), "user: text text");
    assert_eq!(changes(next.request.report()), ["MESSAGE_JOINED"]);
    assert!(conversation(&next).starts_with(&conversation(&first)));
    assert!(next.request.report().moved.is_none());
}

/// B-014
#[test]
fn families_that_keep_words_and_tools_apart_get_calls_alone_or_a_record_of_them() {
    let mut alone = History::default();
    alone.user("look");
    alone.reply(vec![call("a", "ls", "{}")]);
    alone.results(vec![result("a", "A")]);
    for model in [LLAMA, MISTRAL, NOBODYS, "writer.palmyra-x5-v1:0"] {
        let shown = asked(&alone, model);
        assert_eq!(outline(&shown), "user: text; assistant: toolUse; user: toolResult", "{model}");
        assert_eq!(shown["messages"][2]["content"][0]["toolResult"].get("status"), None);
    }
    let nine = asked(&alone, MISTRAL)["messages"][1]["content"][0]["toolUse"]["toolUseId"].clone();
    assert!(nine.as_str().is_some_and(|id| id.len() == 9));
    let mut followed = alone.clone();
    followed.user("and?");
    let mut worded = History::default();
    round(&mut worded);
    for (history, says) in
        [(&followed, "user: text text text"), (&worded, "user: text; assistant: text; user: text")]
    {
        let shown = asked(history, LLAMA);
        assert_eq!(outline(&shown), says);
        assert!(shown.to_string().contains("[Record of actions taken]"));
    }
}

/// 80, B-016
#[test]
fn an_image_of_a_result_stands_in_it_behind_it_or_is_named() {
    let mut history = History::default();
    history.user("look");
    history.reply(vec![call("a", "see", "{}")]);
    history.results(vec![result_of("a", vec![ResultPart::Image(pixel())], false)]);
    let part = |shown: &Value| {
        let part = &shown["messages"][2]["content"][0]["toolResult"]["content"][0];
        part.as_object().and_then(|part| part.keys().next().cloned()).expect("a part")
    };
    assert_eq!(part(&asked(&history, OPUS_4_5)), "image");
    let blind = asked(&history, "us.amazon.nova-micro-v1:0");
    assert!(blind.to_string().contains("[Image not seen: image/png"));
    let sees = Target { vision: true, ..Target::bedrock("qwen.qwen3-vl-235b-a22b") };
    let prepared = history.prepare_for(sees, &Now::default()).expect("a request");
    let shown: Value = serde_json::from_slice(&prepared.request.body().to_vec()).expect("JSON");
    assert_eq!(outline(&shown), "user: text; assistant: toolUse; user: toolResult text image");
    assert!(shown.to_string().contains("[image attached in the next user message]"));
}

/// B-017
#[test]
fn a_document_goes_back_where_a_text_stands_beside_it_and_its_name_is_plain() {
    let document = |name: &str| {
        let raw = format!(
            r#"{{"document":{{"format":"txt","name":"{name}","source":{{"bytes":"aGk="}}}}}}"#
        );
        native(OPUS_4_5, "document", &raw)
    };
    for (blocks, says) in [
        (vec![Block::text("read"), document("list 1")], "user: text document"),
        (vec![document("list 1")], "user: text"),
        (vec![Block::text("read"), document("list.txt")], "user: text text"),
    ] {
        let mut history = History::default();
        history.message(Message::new(Role::User, blocks));
        assert_eq!(outline(&asked(&history, OPUS_4_5)), says);
    }
    let mut history = History::default();
    history.message(Message::new(Role::User, vec![Block::text("read"), document("list")]));
    assert_eq!(outline(&asked(&history, NOVA)), "user: text text");
}

/// B-027
#[test]
fn the_service_s_own_calls_go_back_to_their_family_and_are_named_to_another() {
    let pair = || {
        vec![
            native(
                NOVA,
                "server_tool_use",
                r#"{"toolUse":{"toolUseId":"t1","name":"nova_code_interpreter","input":{},"type":"server_tool_use"}}"#,
            ),
            native(
                NOVA,
                "result",
                r#"{"toolResult":{"toolUseId":"t1","content":[{"json":{"a":1}}],"type":"nova_code_interpreter_result"}}"#,
            ),
            Block::text("6."),
        ]
    };
    let mut history = History::default();
    history.user("what is 2 * 3?");
    answer(&mut history, NOVA, pair());
    history.user("sure?");
    let shown = asked(&history, NOVA);
    assert_eq!(outline(&shown), "user: text; assistant: toolUse toolResult text; user: text");
    assert_eq!(
        outline(&asked(&history, OPUS_4_5)),
        "user: text; assistant: text; user: text text text"
    );
}

/// B-021, B-023
#[test]
fn parameters_are_where_this_api_has_them_and_what_is_refused_is_left_out() {
    let mut history = History::default();
    history.user("go");
    let now = |name: &str, value: &str| Now {
        parameters: Parameters {
            max_tokens: Some(9000),
            thinking: ThinkingChoice::On,
            tool_choice: None,
            extra: vec![(name.into(), Raw::parse(value).expect("JSON"))],
        },
        ..Now::default()
    };
    let asked = |model: &str, now: &Now| {
        let prepared = history.prepare_for(Target::bedrock(model), now).expect("a request");
        (body(&Target::bedrock(model), &prepared), changes(prepared.request.report()))
    };
    let (cold, said) = asked(OPUS_4_5, &now("inferenceConfig", r#"{"temperature":0}"#));
    assert_eq!(cold["inferenceConfig"], json!({"maxTokens": 9000}));
    assert_eq!(
        cold["additionalModelRequestFields"],
        json!({"thinking": {"type": "enabled", "budget_tokens": 4500}})
    );
    assert_eq!(said, ["PARAMETER_ADJUSTED"]);
    let (nova, said) = asked(NOVA, &now("inferenceConfig", r#"{"temperature":0,"maxTokens":1}"#));
    assert_eq!(nova["inferenceConfig"], json!({"maxTokens": 9000, "temperature": 0}));
    assert_eq!(said, ["PARAMETER_ADJUSTED"], "thinking has no name there");
    assert!(matches!(
        {
            let mut led = History::default();
            led.system("be kind");
            led.user("go");
            led.prepare_for(Target::bedrock("amazon.titan-text-express-v1"), &Now::default())
        },
        Err(Refusal::CannotCarry { rule: "B-023", .. })
    ));
}

/// B-022
#[test]
fn cache_points_stand_behind_what_is_long_enough_and_nowhere_to_a_model_without_a_cache() {
    let mut history = History::default();
    history.system(&"be kind ".repeat(4000));
    history.user(&"go ".repeat(4000));
    let prepared = prepare(&history, OPUS_4_5);
    let shown = body(&Target::bedrock(OPUS_4_5), &prepared);
    assert_eq!(outline(&shown), "user: text cachePoint");
    assert_eq!(shown["system"][1], json!({"cachePoint": {"type": "default"}}));
    assert_eq!(prepared.request.report().cache_breakpoints, 2);
    for without in [NOVA, LLAMA, "anthropic.claude-3-haiku-20240307-v1:0"] {
        assert!(!asked(&history, without).to_string().contains("cachePoint"), "{without}");
    }
}

/// B-009
#[test]
fn a_call_brings_the_tool_that_stands_for_it_and_the_report_says_that_the_head_moved() {
    let mut history = History::default();
    history.user("go");
    send(&mut history, NOVA);
    answer(&mut history, NOVA, vec![call("a", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    let prepared = prepare(&history, NOVA);
    let moved = prepared.request.report().moved.expect("it moved");
    assert_eq!(moved.unit, Unit::Head);
    assert!(changes(prepared.request.report()).contains(&"STAND_IN_TOOL"));
}
