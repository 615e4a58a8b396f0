//! Ollama's native API: lines and bodies.

use assemble::Dialect::OllamaChat;
use assemble::{Failed, Reply};
use record::{Message, StopKind, Usage};

use super::{clean, read, read_body, told};

const COUNTS: &str = r#""total_duration":9,"prompt_eval_count":15,"eval_count":50"#;

fn line(message: &str) -> String {
    format!(
        r#"{{"model":"qwen3","created_at":"1","message":{{"role":"assistant",{message}}},"done":false}}"#
    )
}

fn last(message: &str, reason: &str) -> String {
    format!(
        r#"{{"model":"qwen3","created_at":"2","message":{{"role":"assistant",{message}}},{reason}"done":true,{COUNTS}}}"#
    )
}

fn streamed(messages: &[&str], reason: &str) -> Vec<u8> {
    let lines = messages.iter().map(|message| line(message) + "\n");
    lines.chain([last(r#""content":"""#, reason)]).collect::<String>().into_bytes()
}

const STOP: &str = r#""done_reason":"stop","#;

/// Thoughts, words and two calls, as they stream.
const A_TURN: [&str; 6] = [
    r#""content":"","thinking":"The file ""#,
    r#""content":"","thinking":"first.""#,
    r#""content":"I ""#,
    r#""content":"look.""#,
    r#""content":"","tool_calls":[{"function":{"index":0,"name":"read","arguments":{"path":"a.txt"}}}]"#,
    r#""content":"","tool_calls":[{"id":"call_x","function":{"name":"now","arguments":{}}}]"#,
];

const A_TURN_TOLD: [&str; 4] = [
    "thought The file first.",
    "text I look.",
    r#"call call-2 read({"path":"a.txt"})"#,
    "call call_x now({})",
];

/// The stream of a whole turn.
pub fn a_stream() -> Vec<u8> {
    streamed(&A_TURN, STOP)
}

fn reply(messages: &[&str], reason: &str) -> Result<Reply, Failed> {
    read(OllamaChat, "ollama", &streamed(messages, reason))
}

#[test]
fn a_turn_is_stored_as_it_was_streamed() {
    let message = clean(reply(&A_TURN, STOP));
    assert_eq!(told(&message), A_TURN_TOLD);
    let stop = message.stop.expect("a stop");
    assert_eq!((stop.kind, stop.native.as_deref()), (StopKind::ToolCalls, Some("stop")));
    let usage = Usage { input_tokens: 15, output_tokens: 50, ..Usage::default() };
    assert_eq!(message.usage, Some(usage));
    let kept = r#"{"kind":"ollama_chat","version":1,"created_at":"2","eval_count":50,"model":"qwen3","prompt_eval_count":15,"total_duration":9}"#;
    assert_eq!(message.response.expect("a response").as_str(), kept);
    let thought = message.blocks[0].as_reasoning().expect("a thought");
    assert_eq!(thought.rest.get("key").expect("a key").as_str(), "\"thinking\"");
    let Some(record::Source::Model { api, model, .. }) = message.source else {
        panic!("a model's")
    };
    assert_eq!((&*api, &*model), ("ollama_chat", "qwen3"));
}

#[test]
fn a_body_gives_the_message_that_its_stream_gives() {
    let calls = r#""tool_calls":[{"function":{"name":"read","arguments":{"path":"a.txt"}}},{"id":"call_x","function":{"name":"now","arguments":{}}}]"#;
    let message = format!(r#""content":"I look.","thinking":"The file first.",{calls}"#);
    let body = clean(read_body(OllamaChat, "ollama", &last(&message, STOP)));
    assert_eq!(body, clean(reply(&A_TURN, STOP)));
}

#[test]
fn a_reply_that_was_cut_keeps_its_words_and_drops_its_calls() {
    let message = clean(reply(&A_TURN, r#""done_reason":"length","#));
    assert_eq!(told(&message), A_TURN_TOLD[..2]);
    let stop = message.stop.expect("a stop");
    assert_eq!((stop.kind, stop.dropped_calls.len()), (StopKind::MaxTokens, 2));
    let lines = A_TURN.map(|message| line(message) + "\n").concat();
    let failed = read(OllamaChat, "ollama", lines.as_bytes()).expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "STREAM_CUT");
    let cut: Message = *failed.cut.expect("what was there");
    assert_eq!(told(&cut), A_TURN_TOLD[..2]);
}

#[test]
fn every_reason_is_told_apart() {
    for (reason, kind) in [
        (STOP, StopKind::Stop),
        ("", StopKind::Stop),
        (r#""done_reason":"length","#, StopKind::MaxTokens),
    ] {
        assert_eq!(clean(reply(&A_TURN[..4], reason)).stop.expect("a stop").kind, kind);
    }
    let loaded = reply(&[], r#""done_reason":"load","#).expect_err("nothing was said");
    assert_eq!(loaded.failure.code.as_str(), "EMPTY_RESPONSE");
    let odd = reply(&A_TURN[..4], r#""done_reason":"sunset","#).expect("a reply");
    assert!(odd.findings[0].words[0].contains("sunset"));
}

#[test]
fn an_error_fails_the_attempt_in_place_of_a_reply_and_in_the_middle_of_it() {
    let error = r#"{"error":"model does not support tools"}"#;
    let lines = format!("{}\n{error}\n", line(A_TURN[2]));
    for read in
        [read(OllamaChat, "ollama", lines.as_bytes()), read_body(OllamaChat, "ollama", error)]
    {
        let why = read.expect_err("no reply").failure;
        assert_eq!(why.message.as_str(), "model does not support tools");
    }
    let failed = read_body(OllamaChat, "ollama", "{}").expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "MALFORMED_STREAM");
}

#[test]
fn what_no_build_has_a_name_for_is_kept_or_reported() {
    let more = r#""content":"x","images":["aGk="],"mood":"good""#;
    let message = clean(reply(&[more], STOP));
    assert_eq!(message.rest.get("mood").expect("a member").as_str(), "\"good\"");
    let noise = [b"nonsense\n".to_vec(), a_stream(), b"\n{\"done\":true}".to_vec()].concat();
    let reply = read(OllamaChat, "ollama", &noise).expect("a reply");
    assert_eq!(told(&reply.message), A_TURN_TOLD);
    assert_eq!((reply.findings.len(), reply.findings[0].count), (1, 2));
}
