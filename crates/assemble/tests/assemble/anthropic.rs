//! Anthropic Messages: events and bodies.

use assemble::Dialect::AnthropicMessages;
use assemble::{Failed, Live, Reply, Stream};
use record::{Block, Message, Source, StopKind, Usage};

use super::{asked, clean, read, read_body, sse, told};

const START: &str = r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-8","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":7,"cache_creation_input_tokens":2,"cache_read_input_tokens":40,"output_tokens":1,"service_tier":"standard"}}}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;

fn begin(index: u64, block: &str) -> String {
    format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#)
}

fn delta(index: u64, delta: &str) -> String {
    format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#)
}

fn end(index: u64) -> String {
    format!(r#"{{"type":"content_block_stop","index":{index}}}"#)
}

fn last(stop_reason: &str) -> String {
    format!(
        r#"{{"type":"message_delta","delta":{{"stop_reason":"{stop_reason}","stop_sequence":null}},"usage":{{"output_tokens":12}}}}"#
    )
}

/// A reply of these events, `message_start` before them.
pub fn streamed(events: &[String], stop_reason: &str) -> Vec<u8> {
    let (end, stop) = (last(stop_reason), STOP.to_owned());
    sse([START.to_owned()].iter().chain(events).chain([&end, &stop]))
}

fn reply(events: &[String], stop_reason: &str) -> Result<Reply, Failed> {
    read(AnthropicMessages, "anthropic", &streamed(events, stop_reason))
}

/// A thought, words and a call, as they stream.
pub fn a_turn() -> Vec<String> {
    vec![
        begin(0, r#"{"type":"thinking","thinking":"","signature":""}"#),
        r#"{"type": "ping"}"#.into(),
        delta(0, r#"{"type":"thinking_delta","thinking":"The file "}"#),
        delta(0, r#"{"type":"thinking_delta","thinking":"first."}"#),
        delta(0, r#"{"type":"signature_delta","signature":"Eq0B"}"#),
        end(0),
        begin(1, r#"{"type":"redacted_thinking","data":"EmwK"}"#),
        end(1),
        begin(2, r#"{"type":"text","text":""}"#),
        delta(2, r#"{"type":"text_delta","text":"I read "}"#),
        delta(2, r#"{"type":"text_delta","text":"it."}"#),
        end(2),
        begin(
            3,
            r#"{"type":"tool_use","id":"toolu_1","name":"read","input":{},"caller":{"type":"direct"}}"#,
        ),
        delta(3, r#"{"type":"input_json_delta","partial_json":""}"#),
        delta(3, r#"{"type":"input_json_delta","partial_json":"{\"path\":"}"#),
        delta(3, r#"{"type":"input_json_delta","partial_json":"\"a.txt\"}"}"#),
        end(3),
    ]
}

const A_TURN: [&str; 4] = [
    "thought The file first. [signature \"Eq0B\"]",
    "thought  [redacted \"EmwK\"]",
    "text I read it.",
    r#"call toolu_1 read({"path":"a.txt"})"#,
];

const A_TURN_BODY: &str = r#"{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-8","content":[{"type":"thinking","thinking":"The file first.","signature":"Eq0B"},{"type":"redacted_thinking","data":"EmwK"},{"type":"text","text":"I read it."},{"type":"tool_use","id":"toolu_1","name":"read","input":{"path":"a.txt"},"caller":{"type":"direct"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":7,"cache_creation_input_tokens":2,"cache_read_input_tokens":40,"output_tokens":12,"service_tier":"standard"}}"#;

#[test]
fn a_turn_is_stored_as_it_was_streamed() {
    let message = clean(reply(&a_turn(), "tool_use"));
    assert_eq!(told(&message), A_TURN);
    let stop = message.stop.expect("a stop");
    assert_eq!((stop.kind, stop.native.as_deref()), (StopKind::ToolCalls, Some("tool_use")));
    let counts = [(7, 12), (2, 40)];
    let usage = Usage {
        input_tokens: counts[0].0,
        output_tokens: counts[0].1,
        cache_creation_input_tokens: counts[1].0,
        cache_read_input_tokens: counts[1].1,
    };
    assert_eq!(message.usage, Some(usage), "the last usage counts, and what it leaves out stays");
    let kept = r#"{"kind":"anthropic_messages","version":1,"id":"msg_1","usage":{"cache_creation_input_tokens":2,"cache_read_input_tokens":40,"input_tokens":7,"output_tokens":12,"service_tier":"standard"}}"#;
    assert_eq!(message.response.expect("a response").as_str(), kept);
}

#[test]
fn a_body_gives_the_message_that_its_stream_gives() {
    let body = clean(read_body(AnthropicMessages, "anthropic", A_TURN_BODY));
    assert_eq!(body, clean(reply(&a_turn(), "tool_use")));
}

#[test]
fn a_proof_names_who_issued_it_by_the_name_the_response_gives() {
    let message = clean(reply(&a_turn(), "tool_use"));
    let thought = message.blocks[0].as_reasoning().expect("a thought");
    let issuer = &thought.proof.as_ref().expect("a proof").issuer;
    assert_eq!((&*issuer.platform, &*issuer.api), ("anthropic", "anthropic_messages"));
    assert_eq!(&*issuer.model, "claude-opus-4-8");
    let Some(record::Source::Model { model, platform, api, .. }) = message.source else {
        panic!("a model's row")
    };
    assert_eq!(
        (platform, api, model),
        (issuer.platform.clone(), issuer.api.clone(), issuer.model.clone())
    );
}

#[test]
fn a_call_without_arguments_is_called_with_an_empty_object() {
    let tool = begin(0, r#"{"type":"tool_use","id":"toolu_1","name":"now","input":{}}"#);
    let message = clean(reply(&[tool, end(0)], "tool_use"));
    assert_eq!(told(&message), ["call toolu_1 now({})"]);
}

#[test]
fn arguments_that_come_whole_with_the_start_count() {
    let tool = begin(0, r#"{"type":"tool_use","id":"t","name":"n","input":{"a": 1}}"#);
    let message = clean(reply(&[tool, end(0)], "tool_use"));
    assert_eq!(told(&message), [r#"call t n({"a":1})"#]);
}

#[test]
fn what_only_the_provider_reads_is_kept_as_a_body_would_hold_it() {
    let events = [
        begin(0, r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}"#),
        delta(0, r#"{"type":"input_json_delta","partial_json":"{\"query\":\"x\"}"}"#),
        end(0),
        begin(1, r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#),
        end(1),
        begin(2, r#"{"type":"compaction","content":null}"#),
        delta(2, r#"{"type":"compaction_delta","content":"so far","encrypted_content":"abc"}"#),
        end(2),
    ];
    let native = |raw: &str| {
        let kind = json::Doc::parse_str(raw).unwrap().root().get_str("type").unwrap().into_owned();
        format!("{kind} {raw} [native \"\"]")
    };
    let message = clean(reply(&events, "end_turn"));
    let expected = [
        r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}"#,
        r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#,
        r#"{"type":"compaction","content":"so far","encrypted_content":"abc"}"#,
    ];
    assert_eq!(told(&message), expected.map(native));
}

#[test]
fn a_server_call_cut_in_its_arguments_is_kept_and_nobody_reads_it() {
    let events = [
        begin(0, r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}"#),
        delta(0, r#"{"type":"input_json_delta","partial_json":"{\"qu"}"#),
        end(0),
    ];
    let message = clean(reply(&events, "max_tokens"));
    let told = told(&message);
    assert!(
        told[0].contains(r#""partial_json":"{\"qu""#) && !told[0].contains("native"),
        "{told:?}"
    );
}

#[test]
fn citations_stand_beside_the_text_they_belong_to() {
    let events = [
        begin(0, r#"{"type":"text","text":"","citations":[]}"#),
        delta(
            0,
            r#"{"type":"citations_delta","citation":{"type":"char_location","cited_text":"a"}}"#,
        ),
        delta(0, r#"{"type":"text_delta","text":"a"}"#),
        delta(
            0,
            r#"{"type":"citations_delta","citation":{"type":"char_location","cited_text":"b"}}"#,
        ),
        end(0),
    ];
    let message = clean(reply(&events, "end_turn"));
    let citations = message.blocks[0].as_text().expect("a text").rest.get("citations");
    let both =
        r#"[{"type":"char_location","cited_text":"a"},{"type":"char_location","cited_text":"b"}]"#;
    assert_eq!(citations.expect("citations").as_str(), both);
}

#[test]
fn every_stop_reason_is_told_apart() {
    let kind = |reason: &str| {
        let text = begin(0, r#"{"type":"text","text":"x"}"#);
        let message = reply(&[text, end(0)], reason).expect("a reply").message;
        let stop = message.stop.expect("a stop");
        assert_eq!(stop.native.as_deref(), Some(reason));
        stop.kind
    };
    for (reason, _) in wire::anthropic_messages::events::ENDINGS {
        let expected = match reason {
            "tool_use" => StopKind::ToolCalls,
            "max_tokens" | "model_context_window_exceeded" => StopKind::MaxTokens,
            "refusal" => StopKind::Error,
            _ => StopKind::Stop,
        };
        assert_eq!(kind(reason), expected, "{reason}");
    }
    let text = begin(0, r#"{"type":"text","text":"x"}"#);
    let odd = reply(&[text, end(0)], "sunset").expect("a reply");
    assert_eq!(odd.message.stop.expect("a stop").kind, StopKind::Stop);
    assert!(odd.findings[0].words[0].contains("sunset"));
}

#[test]
fn an_error_in_the_middle_of_a_stream_fails_the_attempt() {
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}"#;
    let events: Vec<String> =
        [START.to_owned()].into_iter().chain(a_turn()).chain([error.to_owned()]).collect();
    let failed = read(AnthropicMessages, "anthropic", &sse(&events)).expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "overloaded_error");
    assert_eq!(failed.failure.message.as_str(), "Overloaded");
    assert_eq!(failed.failure.request_id.as_deref(), Some("req_1"));
    assert_eq!(failed.cut, None);
}

#[test]
fn an_error_body_is_a_failure() {
    let body = r#"{"type":"error","error":{"type":"invalid_request_error","message":"no"}}"#;
    let failed = read_body(AnthropicMessages, "anthropic", body).expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "invalid_request_error");
    let failed = read_body(AnthropicMessages, "anthropic", "{}").expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "MALFORMED_STREAM");
}

#[test]
fn a_stream_that_ends_before_the_reply_does_was_cut() {
    let events: Vec<String> = [START.to_owned()].into_iter().chain(a_turn()).collect();
    let failed = read(AnthropicMessages, "anthropic", &sse(&events)).expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "STREAM_CUT");
    let cut: Message = *failed.cut.expect("what was there");
    assert_eq!(told(&cut), A_TURN[..3], "the call was whole, and is not run");
    let stop = cut.stop.expect("a stop");
    assert_eq!(stop.dropped_calls[0].name.as_str(), "read");
}

#[test]
fn a_missing_message_stop_is_no_cut_once_it_is_known_how_the_reply_ended() {
    let mut events: Vec<String> = [START.to_owned()].into_iter().chain(a_turn()).collect();
    events.push(last("tool_use"));
    let reply = read(AnthropicMessages, "anthropic", &sse(&events)).expect("a reply");
    assert_eq!(told(&reply.message), A_TURN);
    assert_eq!(reply.findings[0].kind.as_str(), "MALFORMED_STREAM");
}

#[test]
fn what_no_build_has_a_name_for_is_passed_over_and_reported() {
    let mut events = a_turn();
    events.insert(3, r#"{"type":"weather","sunny":true}"#.into());
    events.insert(4, delta(0, r#"{"type":"mood_delta","mood":"good"}"#));
    events.insert(5, "nonsense".into());
    events.insert(
        6,
        r#"{"type":"content_block_delta","index":-1,"delta":{"type":"text_delta","text":"x"}}"#
            .into(),
    );
    let reply = reply(&events, "tool_use").expect("a reply");
    assert_eq!(told(&reply.message), A_TURN);
    let kinds: Vec<(&str, u64)> =
        reply.findings.iter().map(|finding| (finding.kind.as_str(), finding.count)).collect();
    assert_eq!(kinds, [("UNKNOWN", 2), ("MALFORMED_STREAM", 2)]);
}

#[test]
fn speech_thought_and_call_are_told_apart_while_they_stream() {
    let mut shown = Vec::new();
    let mut stream = Stream::new(AnthropicMessages, asked("anthropic", AnthropicMessages));
    let mut live = |live: Live<'_>| {
        shown.push(match live {
            Live::Speech { block, text } => format!("{block} says {text}"),
            Live::Thought { block, text } => format!("{block} thinks {text}"),
            Live::Call { block, id, name, arguments } => {
                format!("{block} calls {id} {name} {arguments}")
            }
            Live::Whole { block, .. } => format!("{block} is whole"),
            Live::Closed { block } => format!("{block} ends"),
        });
    };
    stream.push(&streamed(&a_turn(), "tool_use"), &mut live).expect("within the limits");
    let expected = [
        "0 thinks The file ",
        "0 thinks first.",
        "0 ends",
        "1 is whole",
        "1 ends",
        "2 says I read ",
        "2 says it.",
        "2 ends",
        "3 calls toolu_1 read ",
        "3 calls toolu_1 read ",
        "3 calls toolu_1 read {\"path\":",
        "3 calls toolu_1 read \"a.txt\"}",
        "3 ends",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn members_beside_what_a_block_says_are_kept_but_for_a_cache_mark() {
    let block = |members: &str| {
        format!(r#"{{{members},"extra":1,"cache_control":{{"type":"ephemeral"}}}}"#)
    };
    let content = [
        r#""type":"text","text":"a""#,
        r#""type":"thinking","thinking":"b","signature":"s""#,
        r#""type":"tool_use","id":"c","name":"n","input":{}"#,
        r#""type":"redacted_thinking","data":"d""#,
        r#""type":"server_tool_use","id":"e","name":"n","input":{}"#,
    ]
    .map(block);
    let body = format!(
        r#"{{"type":"message","content":[{}],"stop_reason":"tool_use"}}"#,
        content.join(",")
    );
    let message = clean(read_body(AnthropicMessages, "anthropic", &body));
    let beside: Vec<String> = message
        .blocks
        .iter()
        .map(|block| match block {
            Block::Text(text) => rest(&text.rest),
            Block::Reasoning(thought) => rest(&thought.rest),
            Block::ToolUse(call) => rest(&call.rest),
            Block::Opaque(native) => native.raw.to_string(),
            _ => panic!("no model's"),
        })
        .collect();
    let native = r#"{"type":"server_tool_use","id":"e","name":"n","input":{},"extra":1}"#;
    assert_eq!(
        beside,
        ["extra", "extra", "extra", "extra", native],
        "a block's own members are its fields"
    );
}

fn rest(rest: &record::Rest) -> String {
    rest.iter().map(|(name, _)| name.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_signature_that_is_no_text_is_no_proof() {
    let body = r#"{"content":[{"type":"thinking","thinking":"b","signature":7}]}"#;
    let reply = read_body(AnthropicMessages, "anthropic", body).expect("a reply");
    assert!(reply.message.blocks[0].as_reasoning().is_none());
    assert!(reply.findings[0].words[0].contains("another shape"));
}

#[test]
fn an_error_body_is_known_by_its_type_or_by_its_error() {
    for body in [r#"{"error":{"type":"odd","message":"no"}}"#, r#"{"type":"error","message":"no"}"#]
    {
        let failed = read_body(AnthropicMessages, "anthropic", body).expect_err("no reply");
        assert_ne!(failed.failure.code.as_str(), "MALFORMED_STREAM", "{body}");
        assert!(failed.to_string().ends_with(": no"), "{failed}");
    }
}

#[test]
fn what_the_last_event_says_of_the_reply_is_kept() {
    let text = begin(0, r#"{"type":"text","text":"x"}"#);
    let last = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{},"context_management":{"applied_edits":[]}}"#;
    let events = [START.to_owned(), text, end(0), last.to_owned(), STOP.to_owned()];
    let message = clean(read(AnthropicMessages, "anthropic", &sse(events)));
    let kept = message.response.expect("a response");
    assert!(kept.as_str().contains(r#""context_management":{"applied_edits":[]}"#), "{kept}");
}

#[test]
fn a_response_that_does_not_name_its_model_is_the_asked_ones() {
    let issuer = record::Issuer {
        platform: "anthropic".into(),
        account: Some("acct".into()),
        api: "some_gateway".into(),
        model: "asked".into(),
    };
    let asked = assemble::Asked { issuer: issuer.into(), ..asked("anthropic", AnthropicMessages) };
    let source = |model: &str| {
        let start = format!(r#"{{"type":"message_start","message":{{"model":"{model}"}}}}"#);
        let text = begin(0, r#"{"type":"text","text":"x"}"#);
        let sources = [true, false].map(|ends| {
            let mut stream = Stream::new(AnthropicMessages, asked.clone());
            stream.push(&sse([start.clone(), text.clone()]), &mut |_| {}).expect("within limits");
            let reply = if ends {
                stream
                    .push(&sse([last("end_turn"), STOP.to_owned()]), &mut |_| {})
                    .expect("within");
                stream.finish(&mut |_| {}).expect("a reply")
            } else {
                stream.interrupt().expect("what was said")
            };
            reply.message.source.expect("a source")
        });
        let [Source::Model { platform, api, model, account }, other] = sources else {
            panic!("a model's")
        };
        let whole = (platform.to_string(), api.to_string(), model.to_string());
        assert_eq!(other, Source::Model { platform, api, model, account: account.clone() });
        assert_eq!(account.as_deref(), Some("acct"));
        whole
    };
    let of =
        |model: &str| ("anthropic".to_owned(), "anthropic_messages".to_owned(), model.to_owned());
    assert_eq!(source(""), of("asked"));
    assert_eq!(source("asked"), of("asked"));
    assert_eq!(source("another"), of("another"));
}

#[test]
fn what_a_reply_cost_up_to_where_it_was_cut_is_told() {
    let text = begin(0, r#"{"type":"text","text":"x"}"#);
    let cut = [START.to_owned(), text.clone()];
    let failed = read(AnthropicMessages, "anthropic", &sse(&cut)).expect_err("cut");
    assert_eq!(failed.usage.expect("a usage").cache_read_input_tokens, 40);
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let failed = [START, error];
    let failed = read(AnthropicMessages, "anthropic", &sse(failed)).expect_err("no reply");
    assert_eq!(failed.usage.expect("a usage").input_tokens, 7);
    let mut stream = Stream::new(AnthropicMessages, asked("anthropic", AnthropicMessages));
    stream.push(&sse(&cut), &mut |_| {}).expect("within the limits");
    let said = stream.interrupt().expect("what was said").message;
    assert_eq!(said.usage.expect("a usage").input_tokens, 7);
}

#[test]
fn an_error_that_a_proxy_passes_on_as_it_is_fails_the_attempt() {
    let error = r#"{"error":{"type":"rate_limit_error","message":"slow down"}}"#;
    let failed = read(AnthropicMessages, "anthropic", &sse([START, error])).expect_err("no reply");
    assert_eq!(failed.to_string(), "rate_limit_error: slow down");
}

#[test]
fn what_stands_beside_the_end_of_a_reply_is_kept_and_streamed_there_again() {
    let text = begin(0, r#"{"type":"text","text":"x"}"#);
    let last = r#"{"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"X","container":{"id":"c"}},"usage":{"output_tokens":12},"context_management":{"applied_edits":[]}}"#;
    let stop =
        r#"{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":7}}"#;
    let events = [START.to_owned(), text, end(0), last.to_owned(), stop.to_owned()];
    let message = clean(read(AnthropicMessages, "anthropic", &sse(events)));
    let kept = message.response.as_ref().expect("a response").as_str();
    assert!(kept.contains("amazon-bedrock-invocationMetrics"), "{kept}");
    let sent = assemble::encode::stream(AnthropicMessages, &message, "id").expect("a stream");
    assert_eq!(clean(read(AnthropicMessages, "anthropic", &sent)), message);
    let sent = String::from_utf8(sent).expect("text");
    let last = sent.lines().find(|line| line.contains("\"message_delta\"")).expect("the end");
    for member in [r#""stop_sequence":"X","container":{"id":"c"}}"#, r#""context_management":"#] {
        assert!(last.contains(member) && sent.matches(member).count() == 1, "{sent}");
    }
}
