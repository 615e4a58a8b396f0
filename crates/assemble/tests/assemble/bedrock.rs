//! Bedrock: the events of Converse and bodies, and another dialect's stream in a binary one.

use assemble::Dialect::{AnthropicMessages, BedrockConverse};
use assemble::{Failed, Live, Reply, Stream, StreamError};
use record::{Message, StopKind, Usage};
use wire::frames::{FrameError, event_stream};

use super::{anthropic, asked, clean, read, read_body, told};

/// One event, as a client holds it: an object whose one member is named so.
type Event<'e> = (&'e str, &'e str);

fn send(out: &mut Vec<u8>, kind: &str, name: &str, payload: &str) {
    let named = if kind == "exception" { ":exception-type" } else { ":event-type" };
    let headers = [(":message-type", kind), (named, name), (":content-type", "application/json")];
    event_stream::write(out, &headers, payload.as_bytes());
}

fn streamed(events: &[Event<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, payload) in events {
        send(&mut out, "event", name, payload);
    }
    out
}

const START: &str = "contentBlockStart";
const DELTA: &str = "contentBlockDelta";
const STOP: &str = "contentBlockStop";

/// A thought, words, a call, and a tool of the service's own, as they stream.
const A_TURN: [Event<'static>; 19] = [
    ("messageStart", r#"{"role":"assistant","p":"abc"}"#),
    (DELTA, r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"The file "}},"p":"a"}"#),
    (DELTA, r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"first."}}}"#),
    (DELTA, r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"c2ln"}}}"#),
    (STOP, r#"{"contentBlockIndex":0,"p":"ab"}"#),
    (DELTA, r#"{"contentBlockIndex":1,"delta":{"text":"I "}}"#),
    (DELTA, r#"{"contentBlockIndex":1,"delta":{"text":"look."}}"#),
    (STOP, r#"{"contentBlockIndex":1}"#),
    (
        START,
        r#"{"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"tooluse_1","name":"read","type":"tool_use"}}}"#,
    ),
    (DELTA, r#"{"contentBlockIndex":2,"delta":{"toolUse":{"input":"{\"path\":"}}}"#),
    (DELTA, r#"{"contentBlockIndex":2,"delta":{"toolUse":{"input":"\"a.txt\"}"}}}"#),
    (STOP, r#"{"contentBlockIndex":2}"#),
    (
        START,
        r#"{"contentBlockIndex":3,"start":{"toolUse":{"toolUseId":"tooluse_2","name":"py","type":"server_tool_use"}}}"#,
    ),
    (DELTA, r#"{"contentBlockIndex":3,"delta":{"toolUse":{"input":"{\"s\":1}"}}}"#),
    (STOP, r#"{"contentBlockIndex":3}"#),
    (
        START,
        r#"{"contentBlockIndex":4,"start":{"toolResult":{"toolUseId":"tooluse_2","status":"success","type":"py_result"}}}"#,
    ),
    (DELTA, r#"{"contentBlockIndex":4,"delta":{"toolResult":[{"json":{"out":"2"}}]}}"#),
    (STOP, r#"{"contentBlockIndex":4}"#),
    // Some models end a block in which there was nothing.
    (STOP, r#"{"contentBlockIndex":5}"#),
];

const END: [Event<'static>; 2] = [
    ("messageStop", r#"{"stopReason":"tool_use","additionalModelResponseFields":{"a":1}}"#),
    (
        "metadata",
        r#"{"usage":{"inputTokens":7,"outputTokens":12,"totalTokens":61,"cacheReadInputTokens":40,"cacheWriteInputTokens":2},"metrics":{"latencyMs":3},"p":"x"}"#,
    ),
];

const SERVICE: [&str; 2] = [
    r#"{"toolUse":{"toolUseId":"tooluse_2","name":"py","type":"server_tool_use","input":{"s":1}}}"#,
    r#"{"toolResult":{"toolUseId":"tooluse_2","status":"success","type":"py_result","content":[{"json":{"out":"2"}}]}}"#,
];

fn a_turn_told() -> Vec<String> {
    vec![
        r#"thought The file first. [signature "c2ln"]"#.into(),
        "text I look.".into(),
        r#"call tooluse_1 read({"path":"a.txt"})"#.into(),
        format!("toolUse {} [native \"\"]", SERVICE[0]),
        format!("toolResult {} [native \"\"]", SERVICE[1]),
    ]
}

/// The stream of a whole turn.
pub fn a_stream() -> Vec<u8> {
    streamed(&[&A_TURN[..], &END].concat())
}

fn reply(events: &[Event<'_>]) -> Result<Reply, Failed> {
    read(BedrockConverse, "bedrock", &streamed(events))
}

/// A reply of these blocks' events, and why it ended.
fn ended(events: &[Event<'_>], stop_reason: &str) -> Result<Reply, Failed> {
    let stop = format!(r#"{{"stopReason":"{stop_reason}"}}"#);
    reply(&[events, &[("messageStop", &stop)]].concat())
}

#[test]
fn a_turn_is_stored_as_it_was_streamed() {
    let message = clean(read(BedrockConverse, "bedrock", &a_stream()));
    assert_eq!(told(&message), a_turn_told());
    let stop = message.stop.expect("a stop");
    assert_eq!((stop.kind, stop.native.as_deref()), (StopKind::ToolCalls, Some("tool_use")));
    let usage = Usage {
        input_tokens: 7,
        output_tokens: 12,
        cache_creation_input_tokens: 2,
        cache_read_input_tokens: 40,
    };
    assert_eq!(message.usage, Some(usage), "it comes after the stop");
    let kept = r#"{"kind":"bedrock_converse","version":1,"additionalModelResponseFields":{"a":1},"metrics":{"latencyMs":3},"usage":{"inputTokens":7,"outputTokens":12,"totalTokens":61,"cacheReadInputTokens":40,"cacheWriteInputTokens":2}}"#;
    assert_eq!(message.response.expect("a response").as_str(), kept, "and no padding");
}

#[test]
fn a_body_gives_the_message_that_its_stream_gives() {
    let content = [
        r#"{"reasoningContent":{"reasoningText":{"text":"The file first.","signature":"c2ln"}}}"#,
        r#"{"text":"I look."}"#,
        r#"{"toolUse":{"toolUseId":"tooluse_1","name":"read","input":{"path":"a.txt"},"type":"tool_use"}}"#,
        SERVICE[0],
        SERVICE[1],
    ];
    let (stop, metadata) = (END[0].1, END[1].1);
    let inner = |event: &'static str| event.strip_prefix('{').and_then(|e| e.strip_suffix('}'));
    let body = format!(
        r#"{{"output":{{"message":{{"role":"assistant","content":[{}]}}}},{},{}}}"#,
        content.join(","),
        inner(stop).expect("an object"),
        inner(metadata).expect("an object"),
    );
    let streamed = clean(read(BedrockConverse, "bedrock", &a_stream()));
    assert_eq!(clean(read_body(BedrockConverse, "bedrock", &body)), streamed);
}

#[test]
fn events_that_a_client_wrote_down_a_line_each_give_the_same_message() {
    let all = [&A_TURN[..], &END].concat();
    let lines = all.iter().map(|(name, payload)| format!("{{\"{name}\":{payload}}}\n"));
    let mut stream = Stream::ndjson(BedrockConverse, asked("bedrock", BedrockConverse));
    stream.push(lines.collect::<String>().as_bytes(), &mut |_| {}).expect("within the limits");
    let streamed = clean(read(BedrockConverse, "bedrock", &a_stream()));
    assert_eq!(clean(stream.finish(&mut |_| {})), streamed);
}

#[test]
fn a_redacted_thought_is_its_bytes_however_they_came() {
    let redacted = |piece: &str| {
        format!(
            r#"{{"contentBlockIndex":0,"delta":{{"reasoningContent":{{"redactedContent":"{piece}"}}}}}}"#
        )
    };
    let stop = (STOP, r#"{"contentBlockIndex":0}"#);
    let one = redacted("YWJjZA==");
    let message = clean(ended(&[(DELTA, &one), stop, A_TURN[5], A_TURN[7]], "end_turn"));
    assert_eq!(told(&message)[0], r#"thought  [redacted "YWJjZA=="]"#);
    let (first, second) = (redacted("YQ=="), redacted("YmNk"));
    let events = [(DELTA, first.as_str()), (DELTA, &second), stop, A_TURN[5], A_TURN[7]];
    assert_eq!(told(&clean(ended(&events, "end_turn"))), told(&message));
}

#[test]
fn citations_stand_beside_the_text_they_belong_to() {
    let cited = r#"{"contentBlockIndex":0,"delta":{"citation":{"title":"t"}}}"#;
    let text = r#"{"contentBlockIndex":0,"delta":{"text":"said"}}"#;
    let events = [(DELTA, cited), (DELTA, text), (STOP, r#"{"contentBlockIndex":0}"#)];
    let message = clean(ended(&events, "end_turn"));
    let rest = &message.blocks[0].as_text().expect("a text").rest;
    assert_eq!(rest.get("citations").expect("citations").as_str(), r#"[{"title":"t"}]"#);
    let body = r#"{"output":{"message":{"role":"assistant","content":[{"citationsContent":{"content":[{"text":"said"}],"citations":[{"title":"t"}]}}]}},"stopReason":"end_turn"}"#;
    assert_eq!(clean(read_body(BedrockConverse, "bedrock", body)), message);
    let sent = assemble::encode::body(BedrockConverse, &message, "id").expect("a body");
    assert_eq!(clean(read_body(BedrockConverse, "bedrock", sent.as_str())), message);
}

#[test]
fn every_stop_reason_is_told_apart() {
    use wire::ending::Ending;
    for (reason, ending) in wire::bedrock_converse::events::ENDINGS {
        let read = ended(&A_TURN[5..12], reason);
        let expected = match ending {
            Ending::Stop => StopKind::Stop,
            Ending::ToolCalls => StopKind::ToolCalls,
            Ending::MaxTokens => StopKind::MaxTokens,
            Ending::Refused => StopKind::Error,
            Ending::Failed => {
                assert_eq!(read.expect_err("no reply").failure.code.as_str(), reason);
                continue;
            }
        };
        let message = clean(read);
        let stop = message.stop.clone().expect("a stop");
        assert_eq!((stop.kind, stop.native.as_deref()), (expected, Some(reason)));
        let is_cut = matches!(ending, Ending::MaxTokens | Ending::Refused);
        assert_eq!(stop.dropped_calls.len(), usize::from(is_cut), "{reason}");
        assert_eq!(told(&message).len(), 2 - usize::from(is_cut), "{reason}");
    }
    let odd = ended(&A_TURN[5..8], "sunset").expect("a reply");
    assert!(odd.findings[0].words[0].contains("sunset"));
}

#[test]
fn an_exception_fails_the_attempt_and_after_the_stop_it_is_reported() {
    let mut bytes = streamed(&A_TURN);
    send(&mut bytes, "exception", "throttlingException", r#"{"message":"Too many"}"#);
    let why = read(BedrockConverse, "bedrock", &bytes).expect_err("no reply").failure;
    assert_eq!((&*why.code, &*why.message), ("throttlingException", "Too many"));
    let mut bytes = a_stream();
    send(&mut bytes, "exception", "internalServerException", r#"{"message":"late"}"#);
    let reply = read(BedrockConverse, "bedrock", &bytes).expect("a reply");
    assert!(reply.findings[0].words[0].contains("late"));
    let mut bytes = Vec::new();
    let headers = [(":message-type", "error"), (":error-code", "500"), (":error-message", "gone")];
    event_stream::write(&mut bytes, &headers, b"");
    let why = read(BedrockConverse, "bedrock", &bytes).expect_err("no reply").failure;
    assert_eq!((&*why.code, &*why.message), ("500", "gone"));
    let body = r#"{"message":"The provided model identifier is invalid."}"#;
    let why = read_body(BedrockConverse, "bedrock", body).expect_err("no reply").failure;
    assert!(why.message.contains("identifier"));
    let why = read_body(BedrockConverse, "bedrock", "{}").expect_err("no reply").failure;
    assert_eq!(why.code.as_str(), "MALFORMED_STREAM");
}

#[test]
fn a_stream_without_a_stop_was_cut_and_one_of_its_own_tools_that_was_cut_is_read_by_nobody() {
    let failed = reply(&A_TURN[..12]).expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "STREAM_CUT");
    let cut: Message = *failed.cut.expect("what was there");
    assert_eq!(told(&cut), a_turn_told()[..2]);
    let cut = r#"{"contentBlockIndex":3,"delta":{"toolUse":{"input":"{\"s"}}}"#;
    let events = [A_TURN[12], (DELTA, cut)];
    let message = clean(ended(&events, "max_tokens"));
    assert!(told(&message)[0].contains("partial_json") && !told(&message)[0].contains("native"));
}

#[test]
fn what_no_build_has_a_name_for_is_passed_over_and_reported() {
    let odd = [
        ("weather", r#"{"sunny":true}"#),
        (DELTA, r#"{"contentBlockIndex":1,"delta":{"mood":"good"}}"#),
        (DELTA, r#"{"delta":{"text":"x"}}"#),
        (START, "nonsense"),
        (START, r#"{"contentBlockIndex":9,"start":{"hologram":{"of":"a cat"}}}"#),
        (DELTA, r#"{"contentBlockIndex":9,"delta":{"hologram":{"size":3}}}"#),
        (STOP, r#"{"contentBlockIndex":9}"#),
    ];
    let events = [&A_TURN[..6], &odd, &A_TURN[6..], &END].concat();
    let reply = reply(&events).expect("a reply");
    let kinds: Vec<(&str, u64)> =
        reply.findings.iter().map(|finding| (finding.kind.as_str(), finding.count)).collect();
    assert_eq!(kinds, [("UNKNOWN", 2), ("MALFORMED_STREAM", 2)]);
    let kept = r#"hologram {"hologram":{"of":"a cat","size":3}} [native ""]"#;
    assert!(told(&reply.message).contains(&kept.to_owned()));
}

#[test]
fn another_dialects_stream_is_unwrapped() {
    let bytes = anthropic::streamed(&anthropic::a_turn(), "tool_use");
    let expected = clean(read(AnthropicMessages, "anthropic", &bytes));
    let text = String::from_utf8(bytes).expect("text");
    let mut wrapped = Vec::new();
    for data in text.lines().filter_map(|line| line.strip_prefix("data: ")) {
        let payload = format!(r#"{{"bytes":"{}","p":"ab"}}"#, base64(data));
        send(&mut wrapped, "event", "chunk", &payload);
    }
    for size in [1, 7, wrapped.len()] {
        let asked = asked("anthropic", AnthropicMessages);
        let mut stream = Stream::event_stream(AnthropicMessages, asked);
        for packet in wrapped.chunks(size) {
            stream.push(packet, &mut |_| {}).expect("within the limits");
        }
        assert_eq!(clean(stream.finish(&mut |_| {})), expected);
    }
    send(&mut wrapped, "event", "chunk", "{}");
    let cut = wrapped.len() / 2;
    let mut stream = Stream::event_stream(AnthropicMessages, asked("bedrock", AnthropicMessages));
    stream.push(&wrapped[..cut], &mut |_| {}).expect("within the limits");
    assert!(stream.interrupt().is_some());
    let mut failed = Vec::new();
    send(&mut failed, "exception", "modelStreamErrorException", r#"{"message":"no"}"#);
    let mut stream = Stream::event_stream(AnthropicMessages, asked("bedrock", AnthropicMessages));
    stream.push(&failed, &mut |_| {}).expect("within the limits");
    let failed = stream.finish(&mut |_| {}).expect_err("no reply");
    assert_eq!((&*failed.failure.code, failed.findings.len()), ("modelStreamErrorException", 0));
}

#[test]
fn an_exception_that_a_client_wrote_down_as_an_event_fails_the_attempt() {
    let lines = |text: &str| {
        let mut stream = Stream::ndjson(BedrockConverse, asked("bedrock", BedrockConverse));
        stream.push(text.as_bytes(), &mut |_| {}).expect("within the limits");
        stream.finish(&mut |_| {})
    };
    let stream = r#"{"modelStreamErrorException":{"message":"no","originalStatusCode":429}}"#;
    let failed = lines(stream).expect_err("no reply");
    assert_eq!(failed.findings, []);
    let why = failed.failure;
    assert_eq!(
        (&*why.code, &*why.message, why.status),
        ("modelStreamErrorException", "no", Some(429))
    );
    let odd = lines("[1]\n{\"messageStop\":{\"stopReason\":\"end_turn\"}}\n").expect_err("empty");
    assert!(odd.findings[0].words[0].contains("no JSON object"), "{:?}", odd.findings);
    let torn = lines("{\"messageStart\":{\"role\":\"assistant\"}}\n{\"contentBl").expect_err("cut");
    assert_eq!((&*torn.failure.code, torn.findings), ("STREAM_CUT", vec![]));
}

#[test]
fn a_signature_without_a_text_is_no_proof_and_members_beside_a_call_are_kept() {
    let body = |content: &str| {
        format!(r#"{{"output":{{"message":{{"content":[{content}]}}}},"stopReason":"tool_use"}}"#)
    };
    for sealed in [r#""""#, "7", "null"] {
        let said = format!(
            r#"{{"reasoningContent":{{"reasoningText":{{"text":"t","signature":{sealed}}}}}}}"#
        );
        let message = clean(read_body(BedrockConverse, "bedrock", &body(&said)));
        assert_eq!(told(&message), ["thought t"], "{sealed}");
    }
    let call = r#"{"toolUse":{"toolUseId":"c","name":"n","input":{},"extra":1}}"#;
    let start =
        r#"{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"c","name":"n","extra":1}}}"#;
    let stop = (STOP, r#"{"contentBlockIndex":0}"#);
    let whole = clean(read_body(BedrockConverse, "bedrock", &body(call)));
    let streamed = clean(ended(&[(START, start), stop], "tool_use"));
    for message in [whole, streamed] {
        let call = message.blocks[0].as_tool_use().expect("a call");
        assert_eq!(call.rest.get("extra").map(|extra| extra.as_str()), Some("1"));
    }
}

#[test]
fn events_of_converse_that_answer_an_invocation_are_unwrapped() {
    let mut wrapped = Vec::new();
    for (name, payload) in [&A_TURN[..], &END].concat() {
        let data = format!(r#"{{"{name}":{payload}}}"#);
        let payload = format!(r#"{{"bytes":"{}","p":"ab"}}"#, base64(&data));
        send(&mut wrapped, "event", "chunk", &payload);
    }
    let expected = clean(read(BedrockConverse, "bedrock", &a_stream()));
    assert_eq!(clean(read(BedrockConverse, "bedrock", &wrapped)), expected);
}

/// Base64, by the book.
fn base64(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in text.as_bytes().chunks(3) {
        let at = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for nth in 0..4 {
            let six = (bits >> (18 - 6 * nth)) & 63;
            out.push(if nth > three.len() { '=' } else { char::from(ALPHABET[six as usize]) });
        }
    }
    out
}

#[test]
fn a_stream_whose_bytes_were_changed_ends_by_name_and_what_was_said_can_be_kept() {
    let mut bytes = streamed(&[&A_TURN[..8], &END].concat());
    let at = bytes.len() - 30;
    bytes[at] ^= 1;
    let mut stream = Stream::new(BedrockConverse, asked("bedrock", BedrockConverse));
    let error = stream.push(&bytes, &mut |_| {}).expect_err("damaged");
    assert!(matches!(error, StreamError::Frame(FrameError::Damaged { .. })), "{error}");
    let said = stream.interrupt().expect("what was said").message;
    assert_eq!(told(&said), ["thought The file first.", "text I look."]);
}

#[test]
fn speech_thought_and_call_are_told_apart_while_they_stream() {
    let mut shown = Vec::new();
    let mut stream = Stream::new(BedrockConverse, asked("bedrock", BedrockConverse));
    let mut live = |live: Live<'_>| {
        shown.push(match live {
            Live::Speech { block, text } => format!("{block} says {text}"),
            Live::Thought { block, text } => format!("{block} thinks {text}"),
            Live::Call { block, id, name, arguments } => {
                format!("{block} calls {id} {name} {arguments}")
            }
            Live::Whole { block, .. } => format!("{block} is whole"),
            Live::Closed { .. } => return,
        });
    };
    stream.push(&a_stream(), &mut live).expect("within the limits");
    let expected = [
        "0 thinks The file ",
        "0 thinks first.",
        "1 says I ",
        "1 says look.",
        "2 calls tooluse_1 read ",
        "2 calls tooluse_1 read {\"path\":",
        "2 calls tooluse_1 read \"a.txt\"}",
        "3 is whole",
        "4 is whole",
    ];
    assert_eq!(shown, expected);
}
