//! Chat Completions and its vendors: chunks and bodies.

use assemble::Dialect::OpenAiChat;
use assemble::{Failed, FindingKind, Reply};
use record::{Message, StopKind, Usage};

use super::{clean, read, read_body, sse, told};

/// A chunk with this delta.
fn chunk(delta: &str) -> String {
    format!(
        r#"{{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{{"index":0,"delta":{delta},"finish_reason":null}}]}}"#
    )
}

fn finish(reason: &str) -> String {
    format!(
        r#"{{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#
    )
}

const USAGE: &str = r#"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":12,"total_tokens":21,"prompt_tokens_details":{"cached_tokens":4}}}"#;

/// A stream of these deltas.
pub fn streamed(deltas: &[&str], reason: &str) -> Vec<u8> {
    let head = chunk(r#"{"role":"assistant","content":"","refusal":null}"#);
    let deltas = deltas.iter().map(|delta| chunk(delta));
    let tail = [finish(reason), USAGE.to_owned(), "[DONE]".to_owned()];
    sse([head].into_iter().chain(deltas).chain(tail))
}

fn of(platform: &str, deltas: &[&str], reason: &str) -> Result<Reply, Failed> {
    read(OpenAiChat, platform, &streamed(deltas, reason))
}

fn row(platform: &str, deltas: &[&str]) -> Vec<String> {
    told(&clean(of(platform, deltas, "stop")))
}

fn body(message: &str, reason: &str) -> String {
    format!(
        r#"{{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{{"index":0,"message":{message},"finish_reason":"{reason}"}}],"usage":{{"prompt_tokens":9,"completion_tokens":12,"total_tokens":21,"prompt_tokens_details":{{"cached_tokens":4}}}}}}"#
    )
}

pub const TWO_CALLS: [&str; 7] = [
    r#"{"content":"I "}"#,
    r#"{"content":"look."}"#,
    r#"{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"ls","arguments":""}}]}"#,
    r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"p\""}}]}"#,
    r#"{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}"#,
    r#"{"tool_calls":[{"index":1,"id":"call_2","type":"function","function":{"name":"cat","arguments":""}}]}"#,
    r#"{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}"#,
];

const TWO_CALLS_TOLD: [&str; 3] =
    ["text I look.", r#"call call_1 ls({"p":1})"#, "call call_2 cat({})"];

#[test]
fn a_turn_is_stored_as_it_was_streamed() {
    let message = clean(of("openai", &TWO_CALLS, "tool_calls"));
    assert_eq!(told(&message), TWO_CALLS_TOLD);
    let stop = message.stop.expect("a stop");
    assert_eq!((stop.kind, stop.native.as_deref()), (StopKind::ToolCalls, Some("tool_calls")));
    let usage = Usage {
        input_tokens: 5,
        output_tokens: 12,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 4,
    };
    assert_eq!(message.usage, Some(usage), "what was cached is not counted twice");
}

#[test]
fn a_body_gives_the_message_that_its_stream_gives() {
    let same = |deltas: &[&str], message: &str| {
        let streamed = clean(of("openrouter", deltas, "stop"));
        let whole = clean(read_body(OpenAiChat, "openrouter", &body(message, "stop")));
        assert_eq!(streamed, whole);
    };
    same(
        &TWO_CALLS,
        r#"{"role":"assistant","content":"I look.","refusal":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"ls","arguments":"{\"p\":1}"}},{"id":"call_2","type":"function","function":{"name":"cat","arguments":"{}"}}]}"#,
    );
    same(
        &[r#"{"reasoning_content":"a"}"#, r#"{"reasoning_content":"b"}"#, r#"{"content":"x"}"#],
        r#"{"role":"assistant","content":"x","reasoning_content":"ab"}"#,
    );
    same(
        &[
            r#"{"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a","index":0,"format":"anthropic-claude-v1"}]}"#,
            r#"{"reasoning":"b","reasoning_details":[{"type":"reasoning.text","text":"b","index":0}]}"#,
            r#"{"reasoning":null,"reasoning_details":[{"type":"reasoning.text","signature":"s","index":0}]}"#,
            r#"{"content":"x"}"#,
        ],
        r#"{"role":"assistant","content":"x","reasoning":"ab","reasoning_details":[{"type":"reasoning.text","text":"ab","index":0,"format":"anthropic-claude-v1","signature":"s"}]}"#,
    );
    same(
        &[r#"{"refusal":"I "}"#, r#"{"refusal":"won't"}"#],
        r#"{"role":"assistant","content":null,"refusal":"I won't"}"#,
    );
    same(
        &[r#"{"content":"x"}"#, r#"{"annotations":[{"type":"url_citation"}]}"#],
        r#"{"role":"assistant","content":"x","annotations":[{"type":"url_citation"}]}"#,
    );
}

fn thought_of(message: &Message) -> (&str, Option<&str>) {
    let thought = message.blocks[0].as_reasoning().expect("a thought");
    (thought.reasoning.as_str(), thought.rest.get("key").map(json::Raw::as_str))
}

#[test]
fn reasoning_is_read_under_every_key_and_remembers_it() {
    for key in ["reasoning_content", "reasoning", "reasoning_text"] {
        let deltas = [format!(r#"{{"{key}":"be"}}"#), format!(r#"{{"{key}":"cause"}}"#)];
        let deltas = deltas.each_ref().map(String::as_str);
        let message = clean(of("vllm", &deltas, "stop"));
        assert_eq!(thought_of(&message), ("because", Some(format!("\"{key}\"").as_str())));
        assert_eq!(told(&message), ["thought because"], "there is nothing to prove it with");
    }
}

#[test]
fn the_same_reasoning_under_two_keys_is_one_thought() {
    let both = [
        r#"{"reasoning":"a","reasoning_content":"a"}"#,
        r#"{"reasoning":"b","reasoning_content":"b"}"#,
    ];
    assert_eq!(row("lmstudio", &both), ["thought ab"]);
    let other =
        [r#"{"reasoning":"summary","reasoning_content":"all of it"}"#, r#"{"content":"x"}"#];
    assert_eq!(row("lmstudio", &other), ["thought all of it", "thought summary", "text x"]);
}

#[test]
fn typed_reasoning_is_joined_by_its_index_and_sealed_as_one_list() {
    let deltas = [
        r#"{"reasoning_details":[{"type":"reasoning.summary","summary":"sum","index":0}]}"#,
        r#"{"reasoning_details":[{"type":"reasoning.summary","summary":"med","index":0},{"type":"reasoning.encrypted","data":"QU","index":1}]}"#,
        r#"{"reasoning_details":[{"type":"reasoning.encrypted","data":"JD","index":1,"id":"rs_1"}]}"#,
        r#"{"content":"x"}"#,
    ];
    let sealed = r#"[{"type":"reasoning.summary","summary":"summed","index":0},{"type":"reasoning.encrypted","data":"QUJD","index":1,"id":"rs_1"}]"#;
    let thought = format!("thought summed [reasoning_details {sealed}]");
    assert_eq!(row("openrouter", &deltas), [thought.as_str(), "text x"]);
}

#[test]
fn typed_reasoning_that_nothing_seals_stands_beside_its_text() {
    let deltas = [r#"{"reasoning_details":[{"type":"reasoning.text","text":"a"}]}"#; 2];
    let message = clean(of("minimax", &deltas, "stop"));
    assert_eq!(told(&message), ["thought aa"]);
    let thought = message.blocks[0].as_reasoning().expect("a thought");
    let beside = thought.rest.get("reasoning_details").expect("details");
    assert_eq!(beside.as_str(), r#"[{"type":"reasoning.text","text":"aa"}]"#);
}

#[test]
fn a_sealed_string_for_the_whole_message_is_the_proof_of_its_thought() {
    let deltas =
        [r#"{"reasoning_content":"summary"}"#, r#"{"content":"x","encrypted_content":"gAAA"}"#];
    assert_eq!(row("qwen", &deltas), ["thought summary [encrypted \"gAAA\"]", "text x"]);
}

#[test]
fn thoughts_among_the_parts_of_the_content_stand_where_they_stood() {
    let thinking = |text: &str| {
        format!(
            r#"{{"content":[{{"type":"thinking","thinking":[{{"type":"text","text":"{text}"}}]}}]}}"#
        )
    };
    let (first, second, third) = (thinking("Hm"), thinking(", so"), thinking("Again"));
    let deltas = [
        &first,
        &second,
        r#"{"content":"An"}"#,
        r#"{"content":"swer"}"#,
        &third,
        r#"{"content":"end"}"#,
    ];
    let message = clean(of("mistral", &deltas, "stop"));
    assert_eq!(told(&message), ["thought Hm, so", "text Answer", "thought Again", "text end"]);
    assert_eq!(thought_of(&message), ("Hm, so", Some("\"content\"")));
}

#[test]
fn what_a_vendor_folds_into_the_words_stays_words() {
    let deltas = [r#"{"content":"<think>hm"}"#, r#"{"content":"</think>yes"}"#];
    assert_eq!(row("minimax", &deltas), ["text <think>hm</think>yes"]);
}

/// What each vendor writes of the same two calls.
#[test]
fn pieces_of_calls_are_joined_whatever_a_vendor_leaves_out() {
    let expected = [r#"call a ls({"p":1})"#, "call b ls({})"];
    let cases: [(&str, &[&str]); 7] = [
        (
            "an empty id on later pieces",
            &[
                r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{\"p\""}}]}"#,
                r#"{"tool_calls":[{"index":0,"id":"","function":{"name":null,"arguments":":1}"}}]}"#,
                r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"ls","arguments":"{}"}}]}"#,
            ],
        ),
        (
            "the name and the id on every piece",
            &[
                r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{\"p\""}}]}"#,
                r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":":1}"}}]}"#,
                r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"ls","arguments":"{}"}}]}"#,
            ],
        ),
        (
            "no index",
            &[
                r#"{"tool_calls":[{"id":"a","function":{"name":"ls","arguments":"{\"p\""}}]}"#,
                r#"{"tool_calls":[{"function":{"arguments":":1}"}}]}"#,
                r#"{"tool_calls":[{"id":"b","function":{"name":"ls","arguments":"{}"}}]}"#,
            ],
        ),
        (
            "no index, and the pieces mixed",
            &[
                r#"{"tool_calls":[{"id":"a","function":{"name":"ls","arguments":"{\"p\""}}]}"#,
                r#"{"tool_calls":[{"id":"b","function":{"name":"ls","arguments":"{"}}]}"#,
                r#"{"tool_calls":[{"id":"a","function":{"arguments":":1}"}}]}"#,
                r#"{"tool_calls":[{"id":"b","function":{"arguments":"}"}}]}"#,
            ],
        ),
        (
            "an index that begins at 0 with every chunk",
            &[
                r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{\"p\":1}"}}]}"#,
                r#"{"tool_calls":[{"index":0,"id":"b","function":{"name":"ls","arguments":"{}"}}]}"#,
            ],
        ),
        (
            "another id on every piece, the name on the first",
            &[
                r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{\"p\""}}]}"#,
                r#"{"tool_calls":[{"index":0,"id":"x","function":{"arguments":":1}"}}]}"#,
                r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"ls","arguments":"{}"}}]}"#,
            ],
        ),
        (
            "the arguments as an object",
            &[
                r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":{"p": 1}}}]}"#,
                r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"ls","arguments":{}}}]}"#,
            ],
        ),
    ];
    for (what, deltas) in cases {
        assert_eq!(row("unheard-of", deltas), expected, "{what}");
    }
}

/// The rows of the table of vendors: each has a fixture that fails without it.
#[test]
fn calls_that_come_whole_under_one_index_and_without_an_id_are_two_calls() {
    let whole = r#"{"tool_calls":[{"index":0,"type":"function","function":{"name":"ls","arguments":"{}"}}]}"#;
    let rows = |platform: &str| row(platform, &[whole, whole]);
    for vendor in ["google", "ollama"] {
        assert_eq!(rows(vendor), ["call call-0 ls({})", "call call-1 ls({})"], "{vendor}");
    }
    let failed = of("openai", &[whole, whole], "tool_calls").expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "STREAM_CUT", "elsewhere they are one, and not JSON");
}

#[test]
fn output_is_counted_with_the_reasoning_where_a_vendor_counts_it_beside() {
    let usage = r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":30}}}"#;
    let output = |platform: &str| {
        let frames = [chunk(r#"{"content":"x"}"#), finish("stop"), usage.to_owned()];
        let message = read(OpenAiChat, platform, &sse(frames)).expect("a reply").message;
        message.usage.expect("usage").output_tokens
    };
    assert_eq!((output("xai"), output("x.ai"), output("openai")), (32, 32, 2));
}

#[test]
fn usage_is_found_wherever_a_vendor_puts_it_and_the_last_one_counts() {
    let in_choice = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":8,"completion_tokens":3,"cached_tokens":2}}]}"#;
    let of_groq = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_groq":{"id":"r","usage":{"prompt_tokens":8,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":2}}}}"#;
    let of_deepseek = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":8,"completion_tokens":3,"prompt_cache_hit_tokens":2,"prompt_cache_miss_tokens":6}}"#;
    let on_every_chunk = r#"{"choices":[{"index":0,"delta":{"content":"x"}}],"usage":{"prompt_tokens":8,"completion_tokens":1}}"#;
    for last in [in_choice, of_groq, of_deepseek] {
        let frames = [on_every_chunk, last, "[DONE]"];
        let usage = clean(read(OpenAiChat, "some", &sse(frames))).usage.expect("usage");
        let counts = (usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens);
        assert_eq!(counts, (6, 2, 3), "{last}");
    }
}

#[test]
fn a_finish_reason_in_any_place_ends_the_reply() {
    let said = chunk(r#"{"content":"x"}"#);
    let kind = |frames: &[&str]| {
        let message = clean(read(OpenAiChat, "some", &sse(frames)));
        assert_eq!(told(&message), ["text x"]);
        message.stop.expect("a stop").kind
    };
    let same_chunk = r#"{"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}"#;
    assert_eq!(kind(&[same_chunk]), StopKind::Stop, "in the chunk of the last delta, no [DONE]");
    let empty = r#"{"choices":[{"index":0,"delta":{},"finish_reason":""}]}"#;
    assert_eq!(kind(&[&said, empty, "[DONE]"]), StopKind::Stop, "an empty word");
    assert_eq!(kind(&[&said, "[DONE]"]), StopKind::Stop, "none at all");
    assert_eq!(kind(&[&said, &finish("eos"), "[DONE]"]), StopKind::Stop, "a word of its own");
    let null = r#"{"choices":[{"index":0,"delta":null,"finish_reason":null}]}"#;
    assert_eq!(kind(&[null, &said, &finish("length"), "[DONE]"]), StopKind::MaxTokens);
    let azure = r#"{"choices":[],"prompt_filter_results":[{"prompt_index":0}]}"#;
    assert_eq!(kind(&[azure, &said, &finish("stop"), "[DONE]"]), StopKind::Stop);
}

#[test]
fn calls_with_an_empty_finish_reason_wait_for_results() {
    let call = r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}]}"#;
    let frames = [chunk(call), "[DONE]".to_owned()];
    let message = clean(read(OpenAiChat, "xai", &sse(frames)));
    assert_eq!(message.stop.expect("a stop").kind, StopKind::ToolCalls);
}

#[test]
fn every_finish_reason_is_told_apart() {
    for (reason, _) in wire::openai_chat::events::ENDINGS {
        let expected = match reason {
            "tool_calls" | "function_call" | "tool_use" | "TOOL_CALL" => StopKind::ToolCalls,
            "length" | "max_tokens" | "MAX_TOKENS" => StopKind::MaxTokens,
            "model_length" | "model_context_window_exceeded" => StopKind::MaxTokens,
            "content_filter" | "sensitive" | "refusal" => StopKind::Error,
            "error" | "network_error" | "insufficient_system_resource" | "abort" => {
                let failed = of("some", &[r#"{"content":"x"}"#], reason).expect_err("no reply");
                assert_eq!(failed.failure.code.as_str(), reason);
                continue;
            }
            _ => StopKind::Stop,
        };
        let message = clean(of("some", &[r#"{"content":"x"}"#], reason));
        assert_eq!(message.stop.expect("a stop").kind, expected, "{reason}");
    }
}

#[test]
fn a_stream_that_ends_before_the_reply_does_was_cut() {
    let frames: Vec<String> = TWO_CALLS.iter().map(|delta| chunk(delta)).collect();
    let failed = read(OpenAiChat, "openai", &sse(&frames)).expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "STREAM_CUT");
    assert_eq!(told(&failed.cut.expect("what was there")), ["text I look."]);
}

#[test]
fn an_error_in_a_stream_fails_the_attempt_unless_the_reply_had_ended() {
    let error = r#"{"error":{"message":"Provider returned error","code":502,"type":null},"choices":[{"index":0,"delta":{"content":""},"finish_reason":null}]}"#;
    let of_minimax =
        r#"{"choices":null,"base_resp":{"status_code":1027,"status_msg":"output sensitive"}}"#;
    let said = chunk(r#"{"content":"x"}"#);
    let failed = read(OpenAiChat, "openrouter", &sse([&said, error])).expect_err("no reply");
    assert_eq!((&*failed.failure.code, failed.failure.status), ("502", Some(502)));
    let failed = read(OpenAiChat, "minimax", &sse([&said, of_minimax])).expect_err("no reply");
    assert_eq!(failed.failure.message.as_str(), "output sensitive");
    let fine = r#"{"base_resp":{"status_code":0,"status_msg":""},"choices":[]}"#;
    assert_eq!(
        told(&clean(read(OpenAiChat, "minimax", &sse([&said, fine, "[DONE]"])))),
        ["text x"]
    );
    let frames = [&said, &finish("length"), error, "[DONE]"];
    let reply = read(OpenAiChat, "openrouter", &sse(frames)).expect("a reply");
    assert_eq!(told(&reply.message), ["text x"]);
    assert!(reply.findings[0].words[0].contains("Provider returned error"));
}

#[test]
fn an_error_body_is_a_failure_in_every_vendors_form() {
    let code = |body: &str| {
        read_body(OpenAiChat, "some", body).expect_err("no reply").failure.code.as_str().to_owned()
    };
    assert_eq!(
        code(r#"{"error":{"message":"no","type":"invalid_request_error","code":null}}"#),
        "invalid_request_error"
    );
    assert_eq!(code(r#"{"error":{"code":"1214","message":"no"}}"#), "1214");
    assert_eq!(code(r#"{"error":"no such model"}"#), "error");
    assert_eq!(
        code(r#"{"message":"no","type":"invalid_request_error","code":"wrong_api_format"}"#),
        "wrong_api_format"
    );
    assert_eq!(code("{}"), "MALFORMED_STREAM");
}

#[test]
fn what_a_host_fills_with_empty_texts_is_nothing() {
    let message = r#"{"role":"assistant","content":"x","refusal":"","audio":null,"function_call":{"arguments":"","name":""},"tool_calls":[{"custom":{"input":"","name":""},"function":{"arguments":"{}","name":"ls"},"id":"a","type":"function"}]}"#;
    let message = clean(read_body(OpenAiChat, "snowflake", &body(message, "")));
    assert_eq!(told(&message), ["text x", "call a ls({})"]);
    assert!(message.blocks[1].as_tool_use().expect("a call").rest.is_empty());
}

#[test]
fn a_tool_that_takes_any_text_is_called_with_any_text() {
    let deltas = [
        r#"{"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"sh","input":"ls "}}]}"#,
        r#"{"tool_calls":[{"index":0,"custom":{"input":"-l"}}]}"#,
    ];
    let streamed = clean(of("openai", &deltas, "tool_calls"));
    assert_eq!(told(&streamed), ["call a sh(ls -l)"]);
    let message = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"custom","custom":{"name":"sh","input":"ls -l"}}]}"#;
    assert_eq!(streamed, clean(read_body(OpenAiChat, "openai", &body(message, "tool_calls"))));
}

#[test]
fn a_signature_of_a_call_is_the_proof_of_that_call() {
    let deltas = [
        r#"{"tool_calls":[{"index":0,"id":"a","extra_content":{"google":{"thought_signature":"AVSo"}},"function":{"name":"ls","arguments":"{}"}},{"index":0,"id":"b","function":{"name":"ls","arguments":"{}"}}]}"#,
    ];
    assert_eq!(row("google", &deltas), ["call a ls({}) [signature \"AVSo\"]", "call b ls({})"]);
}

#[test]
fn the_call_form_that_came_before_tools_is_a_call() {
    let deltas = [
        r#"{"function_call":{"name":"ls","arguments":"{\"p\""}}"#,
        r#"{"function_call":{"arguments":":1}"}}"#,
    ];
    let message = clean(of("openai", &deltas, "function_call"));
    assert_eq!(told(&message), [r#"call call-0 ls({"p":1})"#]);
    assert!(message.blocks[0].as_tool_use().expect("a call").rest.is_empty());
}

#[test]
fn the_model_is_the_one_that_was_asked_for_and_else_the_one_that_is_named() {
    let message = clean(of("openai", &[r#"{"content":"x"}"#], "stop"));
    assert!(matches!(message.source, Some(record::Source::Model { model, .. }) if &*model == "m"));
    let mut asked = super::asked("openrouter", OpenAiChat);
    let issuer = record::Issuer { model: "vendor/m".into(), ..(*asked.issuer).clone() };
    asked.issuer = issuer.into();
    let mut stream = assemble::Stream::new(OpenAiChat, asked);
    stream
        .push(&streamed(&[r#"{"content":"x"}"#], "stop"), &mut |_| {})
        .expect("within the limits");
    let message = clean(stream.finish(&mut |_| {}));
    assert!(
        matches!(message.source, Some(record::Source::Model { model, .. }) if &*model == "vendor/m")
    );
}

#[test]
fn pieces_of_a_list_beside_the_content_are_one_list() {
    let delta = |delta: &str, reason: &str| {
        format!(r#"{{"choices":[{{"index":0,"delta":{delta},"finish_reason":{reason}}}]}}"#)
    };
    let frames = sse([
        delta(r#"{"content":"x","annotations":[1]}"#, "null"),
        delta(r#"{"annotations":[2]}"#, "\"stop\""),
    ]);
    let message = clean(read(assemble::Dialect::OpenAiChat, "openai", &frames));
    assert_eq!(message.rest.get("annotations").map(json::Raw::as_str), Some("[1,2]"));
}

const CALL: &str =
    r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}]}"#;

#[test]
fn no_call_runs_when_the_engine_aborts_or_a_limit_is_reached() {
    let deltas = [r#"{"content":"x"}"#, CALL];
    let failed = of("vllm", &deltas, "abort").expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "abort");
    for limit in ["max_tokens", "MAX_TOKENS"] {
        let reply = of("some", &deltas, limit).expect("a reply");
        assert_eq!((reply.calls().count(), &reply.findings[..]), (0, &[][..]), "{limit}");
        assert_eq!(reply.message.stop.expect("a stop").kind, StopKind::MaxTokens);
    }
}

#[test]
fn a_finish_reason_nobody_knows_runs_no_call_and_says_which_were_left_out() {
    let reply = of("some", &[r#"{"content":"x"}"#, CALL], "whimsy").expect("a reply");
    assert_eq!(told(&reply.message), ["text x"]);
    assert_eq!(reply.findings[0].kind, FindingKind::Unknown);
    let stop = reply.message.stop.expect("a stop");
    assert_eq!((stop.kind, stop.native.as_deref()), (StopKind::Error, Some("whimsy")));
    assert_eq!(stop.dropped_calls[0].name.as_str(), "ls");
    let words = of("some", &[r#"{"content":"x"}"#], "whimsy").expect("a reply");
    assert_eq!(words.message.stop.expect("a stop").kind, StopKind::Stop);
}

#[test]
fn calls_without_a_finish_reason_run_and_it_is_told_unless_the_vendor_leaves_it_out() {
    let reply = |platform: &str, delta: &str| {
        let frames = [chunk(delta), "[DONE]".to_owned()];
        read(OpenAiChat, platform, &sse(frames)).expect("a reply")
    };
    let odd = reply("openai", CALL);
    assert_eq!(odd.calls().count(), 1);
    assert_eq!(odd.findings[0].kind, FindingKind::MalformedStream);
    assert_eq!(odd.findings[0].words, ["the reply has calls and ended without a finish reason"]);
    assert_eq!(reply("xai", CALL).findings, []);
    assert_eq!(reply("openai", r#"{"content":"x"}"#).findings, []);
}

#[test]
fn an_error_of_groq_or_one_without_a_wrapper_fails_the_attempt_unless_it_had_ended() {
    let of_groq =
        r#"{"choices":[{"index":0,"delta":{}}],"x_groq":{"id":"r","error":"over capacity"}}"#;
    let unwrapped = r#"{"object":"error","message":"engine dead","code":500}"#;
    let said = chunk(r#"{"content":"x"}"#);
    for (error, code, status, message) in
        [(of_groq, "error", None, "over capacity"), (unwrapped, "500", Some(500), "engine dead")]
    {
        let frames = [&said, error, &finish("stop"), "[DONE]"];
        let failure = *read(OpenAiChat, "some", &sse(frames)).expect_err("no reply").failure;
        assert_eq!((&*failure.code, failure.status, &*failure.message), (code, status, message));
        let frames = [&said, &finish("stop"), error, "[DONE]"];
        let reply = read(OpenAiChat, "some", &sse(frames)).expect("a reply");
        assert!(reply.findings[0].words[0].contains(message));
    }
    let fine = r#"{"choices":[],"x_groq":{"id":"r","error":""}}"#;
    clean(read(OpenAiChat, "groq", &sse([&said, fine, &finish("stop"), "[DONE]"])));
}

#[test]
fn a_reply_of_images_or_audio_alone_is_not_empty() {
    for media in [r#""images":[{"type":"image_url"}]"#, r#""audio":{"id":"a","data":"QUJD"}"#] {
        let streamed = clean(of("openrouter", &[&format!("{{{media}}}")], "stop"));
        let message = format!(r#"{{"role":"assistant","content":null,{media}}}"#);
        assert_eq!(streamed, clean(read_body(OpenAiChat, "openrouter", &body(&message, "stop"))));
        assert!(streamed.blocks.is_empty() && !streamed.rest.is_empty(), "{media}");
    }
    let of_ollama = r#"{"model":"m","message":{"role":"assistant","content":"","images":["QUJD"]},"done":true,"done_reason":"stop"}"#;
    let message = clean(read_body(assemble::Dialect::OllamaChat, "ollama", of_ollama));
    assert_eq!(message.rest.get("images").map(json::Raw::as_str), Some(r#"["QUJD"]"#));
    for empty in [r#"{"images":[]}"#, r#"{"audio":{}}"#, r#"{"annotations":[1]}"#] {
        let failed = of("openrouter", &[empty], "stop").expect_err("no reply");
        assert_eq!(failed.failure.code.as_str(), "EMPTY_RESPONSE", "{empty}");
    }
}

#[test]
fn pieces_of_spoken_audio_are_joined() {
    let deltas = [
        r#"{"audio":{"id":"a","data":"QUJD"}}"#,
        r#"{"audio":{"data":"REVG","expires_at":4}}"#,
        r#"{"audio":{"transcript":"x"}}"#,
        r#"{"audio":{"transcript":"y","expires_at":5}}"#,
    ];
    let message = clean(of("openai", &deltas, "stop"));
    let whole = r#"{"id":"a","data":"QUJDREVG","expires_at":5,"transcript":"xy"}"#;
    assert_eq!(message.rest.get("audio").map(json::Raw::as_str), Some(whole));
}

#[test]
fn typed_reasoning_with_another_id_is_another_item() {
    for index in ["", r#","index":0"#] {
        let delta = |id: &str, data: &str| {
            format!(
                r#"{{"reasoning_details":[{{"type":"reasoning.encrypted"{index},{id}"data":"{data}"}}]}}"#
            )
        };
        let deltas = [
            delta(r#""id":"rs_1","#, "QU"),
            delta(r#""id":null,"#, "JD"),
            delta(r#""id":"rs_2","#, "RE"),
            delta("", "VG"),
            delta(r#""id":"rs_1","#, "!"),
            delta(r#""id":"rs_2","#, "?"),
            r#"{"content":"x"}"#.to_owned(),
        ];
        let deltas = deltas.each_ref().map(String::as_str);
        let item = |id: &str, data: &str| {
            format!(r#"{{"type":"reasoning.encrypted"{index},"id":"{id}","data":"{data}"}}"#)
        };
        let sealed = format!("[{},{}]", item("rs_1", "QUJD!"), item("rs_2", "REVG?"));
        let thought = format!("thought  [reasoning_details {sealed}]");
        assert_eq!(row("openrouter", &deltas), [thought.as_str(), "text x"], "{index}");
    }
}

#[test]
fn a_choice_whose_index_is_null_is_the_first() {
    let frame = r#"{"choices":[{"index":null,"delta":{"content":"x"},"finish_reason":"stop"}]}"#;
    assert_eq!(told(&clean(read(OpenAiChat, "some", &sse([frame, "[DONE]"])))), ["text x"]);
}

#[test]
fn two_thoughts_in_one_delta_give_the_message_that_a_body_gives() {
    let thoughts = [
        (r#""reasoning_content":"all of it","reasoning":"summary""#, 2),
        (r#""reasoning_content":"all of it","reasoning":"all""#, 2),
        (r#""reasoning_content":"a","reasoning":"b","reasoning_text":"b""#, 2),
        (r#""reasoning_content":"a","reasoning":"a""#, 1),
    ];
    let call = &CALL[1..CALL.len() - 1];
    for (thoughts, count) in thoughts {
        for said in [r#""content":"x""#, call, r#""refusal":"no""#] {
            let delta = format!("{{{thoughts}}}");
            let message = format!(r#"{{"role":"assistant",{thoughts},{said}}}"#);
            let whole = clean(read_body(OpenAiChat, "some", &body(&message, "stop")));
            for deltas in [&[&*delta, &*format!("{{{said}}}")][..], &[&message]] {
                assert_eq!(clean(of("some", deltas, "stop")), whole, "{deltas:?}");
            }
            let thought = |block: &&record::Block| block.as_reasoning().is_some();
            assert_eq!(whole.blocks.iter().filter(thought).count(), count);
        }
    }
}

#[test]
fn a_second_thought_goes_on_in_its_own_block() {
    let deltas = [
        r#"{"reasoning_content":"a","reasoning":"b"}"#,
        r#"{"content":"x"}"#,
        r#"{"reasoning_content":"a","reasoning":"b"}"#,
    ];
    assert_eq!(row("some", &deltas), ["thought aa", "thought bb", "text x"]);
}

#[test]
fn a_body_that_a_filter_left_nothing_of_is_a_refusal() {
    let body = r#"{"model":"m","choices":[{"index":0,"finish_reason":"content_filter","content_filter_results":{"hate":{"filtered":true}}}]}"#;
    let message = clean(read_body(OpenAiChat, "azure", body));
    assert_eq!(message.blocks, []);
    let stop = message.stop.expect("a stop");
    assert_eq!((stop.kind, stop.native.as_deref()), (StopKind::Error, Some("content_filter")));
}
