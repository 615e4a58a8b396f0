//! Gemini: chunks and bodies.

use assemble::Dialect::Gemini;
use assemble::{Failed, Live, Reply, Stream};
use record::{Message, StopKind, Usage};

use super::{asked, clean, read, read_body, sse, told};

const USAGE: &str = r#"{"promptTokenCount":50,"cachedContentTokenCount":40,"candidatesTokenCount":7,"thoughtsTokenCount":5,"toolUsePromptTokenCount":2,"totalTokenCount":64}"#;

pub fn chunk(parts: &str) -> String {
    format!(
        r#"{{"candidates":[{{"content":{{"parts":[{parts}],"role":"model"}},"index":0}}],"usageMetadata":{{"promptTokenCount":50}},"modelVersion":"gemini-3-pro-preview","responseId":"r-1"}}"#
    )
}

fn last(parts: &str, finish_reason: &str) -> String {
    format!(
        r#"{{"candidates":[{{"content":{{"parts":[{parts}],"role":"model"}},"finishReason":{finish_reason},"index":0,"safetyRatings":[]}}],"usageMetadata":{USAGE},"modelVersion":"gemini-3-pro-preview","responseId":"r-1"}}"#
    )
}

/// A reply of these parts, a chunk each, and why it ended.
pub fn streamed(parts: &[&str], finish_reason: &str) -> Vec<u8> {
    let chunks = parts.iter().map(|part| chunk(part));
    sse(chunks.chain([last(r#"{"text":""}"#, &format!("\"{finish_reason}\""))]))
}

pub fn reply(parts: &[&str], finish_reason: &str) -> Result<Reply, Failed> {
    read(Gemini, "google", &streamed(parts, finish_reason))
}

/// Thoughts, words, calls and code, as they stream.
const A_TURN: [&str; 9] = [
    r#"{"text":"The file ","thought":true}"#,
    r#"{"text":"first.","thought":true}"#,
    r#"{"text":"I "}"#,
    r#"{"text":"look."}"#,
    r#"{"text":"","thoughtSignature":"c2lnMQ=="}"#,
    r#"{"functionCall":{"id":"fc-1","name":"read","args":{"path":"a.txt"}},"thoughtSignature":"c2lnMg=="}"#,
    r#"{"functionCall":{"name":"now"}}"#,
    r#"{"executableCode":{"language":"PYTHON","code":"1"},"thoughtSignature":"c2lnMw=="}"#,
    r#"{"text":"signed","thoughtSignature":"c2lnNA=="}"#,
];

fn a_turn_told() -> Vec<String> {
    vec![
        "thought The file first.".into(),
        "text I look.".into(),
        r#"text  [signature "c2lnMQ=="]"#.into(),
        r#"call fc-1 read({"path":"a.txt"}) [signature "c2lnMg=="]"#.into(),
        "call call-4 now()".into(),
        format!("executableCode {} [native \"\"]", A_TURN[7]),
        r#"text signed [signature "c2lnNA=="]"#.into(),
    ]
}

/// The stream of a whole turn.
pub fn a_stream() -> Vec<u8> {
    streamed(&A_TURN, "STOP")
}

#[test]
fn a_turn_is_stored_with_every_signature_on_its_part() {
    let message = clean(reply(&A_TURN, "STOP"));
    assert_eq!(told(&message), a_turn_told());
    let stop = message.stop.expect("a stop");
    assert_eq!((stop.kind, stop.native.as_deref()), (StopKind::ToolCalls, Some("STOP")));
    let usage = Usage {
        input_tokens: 12,
        output_tokens: 12,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 40,
    };
    assert_eq!(message.usage, Some(usage));
    let kept = format!(
        r#"{{"kind":"gemini","version":1,"candidate":{{"safetyRatings":[]}},"modelVersion":"gemini-3-pro-preview","responseId":"r-1","usageMetadata":{USAGE}}}"#
    );
    assert_eq!(message.response.expect("a response").as_str(), kept);
    let Some(record::Source::Model { model, .. }) = message.source else { panic!("a model's") };
    assert_eq!(&*model, "gemini-3-pro-preview", "the one that is named where none was");
}

#[test]
fn a_body_and_a_list_of_chunks_give_the_message_that_their_stream_gives() {
    let streamed = clean(reply(&A_TURN, "STOP"));
    let body = last(&A_TURN.join(","), "\"STOP\"");
    assert_eq!(clean(read_body(Gemini, "google", &body)), streamed);
    let chunks: Vec<String> = A_TURN.iter().map(|part| chunk(part)).collect();
    let list = format!("[{}\r\n,\r\n{}]", chunks.join("\r\n,\r\n"), last("", "\"STOP\""));
    assert_eq!(clean(read_body(Gemini, "google", &list)), streamed);
    for size in [1, 7, list.len()] {
        let mut reader = Stream::objects(Gemini, asked("google", Gemini));
        for packet in list.as_bytes().chunks(size) {
            reader.push(packet, &mut |_| {}).expect("within the limits");
        }
        assert_eq!(clean(reader.finish(&mut |_| {})), streamed);
    }
}

#[test]
fn a_signed_part_is_not_joined_with_those_around_it() {
    let parts = [
        r#"{"text":"a"}"#,
        r#"{"text":"b","thoughtSignature":"eA=="}"#,
        r#"{"text":"c"}"#,
        r#"{"text":"d"}"#,
        r#"{"text":"e","thought":true,"thoughtSignature":"eQ=="}"#,
        r#"{"thoughtSignature":"eg=="}"#,
    ];
    let expected = [
        "text a",
        r#"text b [signature "eA=="]"#,
        "text cd",
        r#"thought e [signature "eQ=="]"#,
        r#"text  [signature "eg=="]"#,
    ];
    assert_eq!(told(&clean(reply(&parts, "STOP"))), expected);
}

#[test]
fn what_stands_beside_the_data_of_a_part_is_kept() {
    let part = r#"{"text":"x","partMetadata":{"k":1}}"#;
    let message = clean(reply(&[r#"{"text":"a"}"#, part], "STOP"));
    assert_eq!(told(&message), ["text a", "text x"]);
    let kept = message.blocks[1].as_text().expect("a text").rest.get("partMetadata");
    assert_eq!(kept.expect("a member").as_str(), r#"{"k":1}"#);
    let unknown = r#"{"hologram":{"of":"a cat"},"thoughtSignature":"eA=="}"#;
    let message = clean(reply(&[unknown], "STOP"));
    assert_eq!(told(&message), [format!("hologram {unknown} [native \"\"]")]);
}

#[test]
fn every_finish_reason_is_told_apart_by_name_and_by_number() {
    for (reason, ending) in wire::gemini::events::ENDINGS {
        use wire::ending::Ending;
        let quoted = format!("\"{reason}\"");
        let written = if reason.parse::<u8>().is_ok() { reason } else { &quoted };
        let body = last(r#"{"text":"x"}"#, written);
        let read = read_body(Gemini, "google", &body);
        let expected = match ending {
            Ending::Stop | Ending::ToolCalls => StopKind::Stop,
            Ending::MaxTokens => StopKind::MaxTokens,
            Ending::Refused => StopKind::Error,
            Ending::Failed => {
                assert_eq!(read.expect_err("no reply").failure.code.as_str(), reason);
                continue;
            }
        };
        let stop = clean(read).stop.expect("a stop");
        assert_eq!((stop.kind, stop.native.as_deref()), (expected, Some(reason)));
    }
    let odd = reply(&[r#"{"text":"x"}"#], "SUNSET").expect("a reply");
    assert!(odd.findings[0].words[0].contains("SUNSET"));
}

#[test]
fn a_reply_that_was_cut_keeps_its_words_and_drops_its_calls() {
    for (reason, kind) in [("MAX_TOKENS", StopKind::MaxTokens), ("SAFETY", StopKind::Error)] {
        let message = clean(reply(&A_TURN[..7], reason));
        assert_eq!(told(&message), a_turn_told()[..3]);
        let stop = message.stop.expect("a stop");
        assert_eq!((stop.kind, stop.dropped_calls.len()), (kind, 2));
    }
    let cut = sse(A_TURN.map(chunk));
    let failed = read(Gemini, "google", &cut).expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "STREAM_CUT");
    let cut: Message = *failed.cut.expect("what was there");
    assert_eq!(cut.stop.expect("a stop").dropped_calls.len(), 2);
}

#[test]
fn a_prompt_that_was_refused_has_no_reply_and_says_why() {
    let body = |said: &str| {
        format!(
            r#"{{"promptFeedback":{{"blockReason":"PROHIBITED_CONTENT"{said}}},"usageMetadata":{{"promptTokenCount":3}},"modelVersion":"m"}}"#
        )
    };
    for (said, expected) in [
        ("", "the prompt was blocked, and nobody replied"),
        (r#","blockReasonMessage":"not that""#, "not that"),
    ] {
        let body = body(said);
        let failed = read_body(Gemini, "google", &body).expect_err("no reply");
        let failure = &failed.failure;
        assert_eq!((&*failure.code, &*failure.message), ("PROHIBITED_CONTENT", expected));
        assert_eq!(failed.usage.as_ref().map(|usage| usage.input_tokens), Some(3));
        assert_eq!(read(Gemini, "google", &sse([body])).expect_err("no reply"), failed);
    }
}

#[test]
fn what_was_said_before_a_prompt_was_refused_is_kept_as_a_refusal() {
    let said = chunk(A_TURN[3]);
    let blocked = r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#;
    let message = clean(read(Gemini, "google", &sse([said.as_str(), blocked])));
    assert_eq!(told(&message), ["text look."]);
    let stop = message.stop.expect("a stop");
    assert_eq!((stop.kind, stop.native.as_deref()), (StopKind::Error, Some("SAFETY")));
}

#[test]
fn thoughts_alone_are_no_reply() {
    let failed = reply(&A_TURN[..2], "STOP").expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "EMPTY_RESPONSE");
    let message = clean(reply(&A_TURN[..2], "MAX_TOKENS"));
    assert_eq!(told(&message), a_turn_told()[..1], "what it thought up to its limit");
}

#[test]
fn an_error_fails_the_attempt_in_place_of_a_reply_and_in_the_middle_of_it() {
    let error = r#"{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}"#;
    let check = |read: Result<Reply, Failed>| {
        let why = read.expect_err("no reply").failure;
        assert_eq!(
            (&*why.code, &*why.message, why.status),
            ("UNAVAILABLE", "overloaded", Some(503))
        );
    };
    check(read(Gemini, "google", &sse([chunk(A_TURN[2]).as_str(), error])));
    check(read_body(Gemini, "google", error));
    check(read_body(Gemini, "google", &format!("[{error}]")));
    for body in ["{}", "[]", "7"] {
        let failed = read_body(Gemini, "google", body).expect_err("no reply");
        assert_eq!(failed.failure.code.as_str(), "MALFORMED_STREAM");
    }
}

#[test]
fn what_cannot_be_read_is_kept_and_never_run() {
    let nothing = r#"{"functionCall":{}}"#;
    let nameless = r#"{"functionCall":{"partialArgs":[],"willContinue":true}}"#;
    let reply = reply(&[nothing, nameless, r#"{"text":"x"}"#], "STOP").expect("a reply");
    assert_eq!(reply.calls().count(), 0);
    let kept = [nothing, nameless].map(|part| format!("functionCall {part}"));
    assert_eq!(told(&reply.message), [&kept[0], &kept[1], "text x"]);
    assert_eq!(reply.findings[0].count, 2);
    let other = chunk(r#"{"text":"y"}"#).replace(r#""index":0"#, r#""index":1"#);
    let two = read(Gemini, "google", &[sse([other]), streamed(&A_TURN, "STOP")].concat());
    assert_eq!(two.expect("a reply").findings[0].kind.as_str(), "UNKNOWN");
}

#[test]
fn speech_thought_and_call_are_told_apart_while_they_stream() {
    let mut shown = Vec::new();
    let mut stream = Stream::new(Gemini, asked("google", Gemini));
    let mut live = |live: Live<'_>| {
        shown.push(match live {
            Live::Speech { block, text } => format!("{block} says {text}"),
            Live::Thought { block, text } => format!("{block} thinks {text}"),
            Live::Whole { block, .. } => format!("{block} is whole"),
            Live::Call { .. } | Live::Closed { .. } => return,
        });
    };
    stream.push(&streamed(&A_TURN[..6], "STOP"), &mut live).expect("within the limits");
    let expected = [
        "0 thinks The file ",
        "0 thinks first.",
        "1 says I ",
        "1 says look.",
        "2 is whole",
        "3 is whole",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn what_a_reply_cost_up_to_where_it_was_cut_is_told() {
    let failed = read(Gemini, "google", &sse([chunk(A_TURN[2])])).expect_err("cut");
    assert_eq!(failed.failure.code.as_str(), "STREAM_CUT");
    assert_eq!(failed.usage.expect("a usage").input_tokens, 50);
}

#[test]
fn a_part_without_data_is_a_block_only_where_it_is_signed() {
    let signed = r#"{"thoughtSignature":"c2ln"}"#;
    let parts = ["{}", r#"{"thoughtSignature":""}"#, r#"{"thoughtSignature":7}"#, signed];
    let message = clean(reply(&[A_TURN[2], parts[0], parts[1], parts[2], parts[3]], "STOP"));
    assert_eq!(told(&message), ["text I ", r#"text  [signature "c2ln"]"#]);
}

#[test]
fn what_a_reply_that_failed_says_of_it_is_told() {
    let last = r#"{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"call:ls(","index":0}]}"#;
    let failed = read(Gemini, "google", &sse([last])).expect_err("no reply");
    assert_eq!(failed.to_string(), "MALFORMED_FUNCTION_CALL: call:ls(");
    let silent = last.replace(r#","finishMessage":"call:ls(""#, "");
    let failed = read(Gemini, "google", &sse([silent])).expect_err("no reply");
    assert_eq!(failed.failure.message.as_str(), "the model's answer was no reply");
}
