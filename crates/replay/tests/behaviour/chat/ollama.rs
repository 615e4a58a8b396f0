//! Ollama's native API: what stands beside the text instead of in it, and what has no id.

use json::Raw;
use record::{Block, Message, ResultPart, Role};
use replay::{Now, Parameters, Target, ThinkingChoice};
use serde_json::{Value, json};
use wire::openai_chat::vendors::{Takes, Vendor, vendor};

use super::{answer, asked, prepare, send, thought};
use crate::history::{History, PIXEL, call, changes, pixel, result_of};

/// Where it is known that the model sees and may make several calls.
fn ollama() -> Target {
    let row = *vendor("ollama_chat").expect("a row");
    let row = Vendor { images: Takes::Yes, parallel_calls: Takes::Yes, ..row };
    Target::openai_chat_by("ollama_chat", row, "qwen3-vl")
}

/// The messages after the first.
fn rest(body: &Value) -> Vec<Value> {
    body["messages"].as_array().expect("messages").iter().skip(1).cloned().collect()
}

/// O-2, O-3
#[test]
fn a_call_has_an_object_and_no_id_and_its_result_has_the_tools_name() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", r#"{"n": 1e2}"#), call("a", "cat", "")]);
    history.results(vec![result_of("a", vec![ResultPart::Text("x".into())], false)]);
    let prepared = prepare(&history, &ollama());
    let text = String::from_utf8(prepared.request.body().to_vec()).expect("UTF-8");
    assert!(text.contains(r#"{"function":{"name":"ls","arguments":{"n": 1e2}}}"#), "{text}");
    let shown = rest(&super::body(&ollama(), &prepared));
    assert_eq!(shown[0]["tool_calls"][1], json!({"function": {"name": "cat", "arguments": {}}}));
    assert_eq!(shown[1]["tool_name"], "ls");
    assert_eq!(shown[2]["tool_name"], "cat");
    assert_eq!(shown[1].get("tool_call_id"), None);
    // One id for two calls is no matter where there are none.
    assert!(!changes(prepared.request.report()).contains(&"CALL_ID_REWRITTEN"));
}

/// O-2, G-10
#[test]
fn arguments_that_are_no_object_or_hold_a_nul_cross_as_one_that_does_not() {
    let mut history = History::default();
    history.user("go");
    let nul = r#"{"a":"b\\u0000c\u0000"}"#;
    history.reply(vec![call("a", "ls", "{\"pa"), call("b", "ls", nul)]);
    let shown = rest(&asked(&history, &ollama()));
    let arguments = |at: usize| shown[0]["tool_calls"][at]["function"]["arguments"].clone();
    assert_eq!(arguments(0), json!({"_unparsed_arguments": "{\"pa"}));
    assert_eq!(arguments(1), json!({"a": "b\\u0000c\u{fffd}"}));
}

/// O-5
#[test]
fn images_stand_beside_the_text_of_their_message_and_their_result() {
    let mut history = History::default();
    history.message(Message::new(Role::User, vec![Block::text("see"), Block::Image(pixel())]));
    history.reply(vec![call("a", "shot", "{}")]);
    let parts = vec![ResultPart::Text("taken".into()), ResultPart::Image(pixel())];
    history.results(vec![result_of("a", parts, false)]);
    history.reply(vec![Block::text("done")]);
    let turned = vec![Block::Image(pixel()), Block::Image(pixel()), Block::text("and these?")];
    history.message(Message::new(Role::User, turned));
    let shown = asked(&history, &ollama());
    let messages = &shown["messages"];
    let one = json!({"role": "user", "content": "see", "images": [PIXEL]});
    assert_eq!(messages[0], one);
    assert_eq!(messages[2]["images"], json!([PIXEL]));
    assert_eq!(messages[2]["content"], "taken");
    let two = json!({"role": "user", "images": [PIXEL, PIXEL], "content": "and these?"});
    assert_eq!(messages[4], two);
}

/// O-5: where there is nothing but an image.
#[test]
fn a_message_may_be_an_image_alone() {
    let mut history = History::default();
    history.message(Message::new(Role::User, vec![Block::Image(pixel())]));
    let shown = asked(&history, &ollama());
    assert_eq!(shown["messages"][0], json!({"role": "user", "images": [PIXEL]}));
}

/// O-6
#[test]
fn the_most_tokens_and_what_concerns_sampling_are_options() {
    let mut history = History::default();
    history.user("go");
    let extra = vec![
        ("options".into(), Raw::parse(r#"{"temperature":0.5,"num_predict":7}"#).expect("JSON")),
        ("temperature".into(), Raw::number(1u64)),
        ("keep_alive".into(), Raw::parse("\"5m\"").expect("JSON")),
    ];
    let parameters = Parameters {
        max_tokens: Some(9),
        thinking: ThinkingChoice::Off,
        extra,
        ..Parameters::default()
    };
    let now = Now { parameters, ..Now::default() };
    let prepared = history.prepare_for(ollama(), &now).expect("a request");
    let shown = super::body(&ollama(), &prepared);
    assert_eq!(shown["options"], json!({"temperature": 0.5, "num_predict": 9}));
    assert_eq!(shown["think"], json!(false));
    assert_eq!(shown["keep_alive"], "5m");
    assert_eq!(shown.get("temperature"), None);
    assert!(changes(prepared.request.report()).contains(&"PARAMETER_ADJUSTED"));
}

/// K-022
#[test]
fn thoughts_go_back_as_thinking() {
    let mut history = History::default();
    history.user("go");
    send(&mut history, &ollama());
    answer(&mut history, &ollama(), vec![thought("thinking", "hm"), call("a", "ls", "{}")]);
    history.results(vec![result_of("a", vec![ResultPart::Text("x".into())], false)]);
    let shown = rest(&asked(&history, &ollama()));
    assert_eq!(shown[0]["thinking"], "hm");
    // Not to the same model over another API.
    let other = rest(&asked(&history, &Target::openai_chat("ollama", "qwen3-vl")));
    assert_eq!(other[0].get("thinking"), None);
    assert_eq!(other[0].get("reasoning"), None);
}
