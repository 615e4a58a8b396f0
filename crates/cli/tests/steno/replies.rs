//! `assemble` and `stream`: what a provider answered, as a row, and back.

use stenograph::json::{Doc, Object};

use crate::context::Context;

/// A thought, words and a call, as they are streamed.
pub const STREAM: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-8","content":[],"stop_reason":null,"usage":{"input_tokens":7,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"The file first."}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"Eq0B"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"read","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"path\":\"a.txt\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":12}}

event: message_stop
data: {"type":"message_stop"}

"#;

const CHAT_BODY: &str = r#"{"id":"c1","object":"chat.completion","created":1,"model":"deepseek-chat","choices":[{"index":0,"message":{"role":"assistant","content":"x","reasoning_content":"because"},"finish_reason":"stop"}]}"#;

/// The stream, cut in the arguments of its call.
pub fn cut() -> &'static str {
    let at = STREAM.find("a.txt").expect("the arguments");
    &STREAM[..at]
}

/// A recording of the stream, of a body, of a file that is no reply, and of an error.
pub fn recording() -> String {
    let exchange = |url: &str, request: &str, body: &str| {
        format!(
            r#"{{"request":{{"url":"{url}","body":{request}}},"response":{{"status":200,"body":{body}}}}}"#
        )
    };
    let mut text = Object::new();
    text.string("t", STREAM);
    let text = text.finish();
    let stream = text.as_str().trim_start_matches("{\"t\":").trim_end_matches('}');
    let exchanges = [
        exchange("https://api.anthropic.com/v1/messages", r#"{"model":"claude-opus-4-8"}"#, stream),
        exchange("https://api.z.ai/v1/chat/completions", r#"{"model":"deepseek-chat"}"#, CHAT_BODY),
        exchange("https://h/v1/files", "null", r#"{"data":[]}"#),
        exchange(
            "https://api.anthropic.com/v1/messages",
            "{}",
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        ),
    ];
    format!("{{\"exchanges\":[{}]}}", exchanges.join(","))
}

#[test]
fn a_stream_becomes_a_row_that_every_command_reads() {
    let context = Context::new();
    context.write("reply.sse", STREAM);
    let run = context.run(&["assemble", "reply.sse"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.err, "reply.sse: anthropic_messages, 2 blocks, 1 call to run\n");
    let row = Doc::parse_str(run.out().lines().nth(1).expect("a row")).expect("JSON");
    assert_eq!(row.root().get_str("role").as_deref(), Some("assistant"));
    context.write("record.jsonl", run.out());
    let shown = context.run(&["show", "record.jsonl", "--thinking"]);
    assert!(shown.out().contains("The file first."), "{}", shown.out());
    let piped = context.run_with(&["assemble", "-", "-q"], STREAM.as_bytes());
    assert_eq!(piped.out(), run.out());
}

#[test]
fn what_is_sent_again_is_the_same_reply() {
    let context = Context::new();
    context.write("reply.sse", STREAM);
    context.run(&["assemble", "reply.sse", "-o", "record.jsonl"]);
    for form in [&["--body"][..], &[]] {
        let arguments = ["stream", "record.jsonl", "--as", "anthropic_messages", "-o", "again"];
        let run = context.run(&[&arguments[..], form].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let again = context.run(&["assemble", "again", "-q"]);
        assert_eq!(again.out(), context.read("record.jsonl"));
    }
    let chat = context.run(&["stream", "record.jsonl", "--as", "openai_chat"]);
    assert!(chat.out().ends_with("data: [DONE]\n\n"), "{}", chat.out());
    context.write("chat.sse", chat.out());
    let again = context.run(&["assemble", "chat.sse", "--vendor", "deepseek"]);
    assert_eq!(again.err, "chat.sse: openai_chat, 2 blocks, 1 call to run\n");
}

#[test]
fn a_reply_is_sent_over_every_api_and_known_again_by_what_is_in_it() {
    let context = Context::new();
    context.write("reply.sse", STREAM);
    context.run(&["assemble", "reply.sse", "-o", "record.jsonl"]);
    for api in ["openai_chat", "openai_responses", "gemini", "bedrock_converse", "ollama_chat"] {
        for form in [&["--body"][..], &[]] {
            let arguments = ["stream", "record.jsonl", "--as", api, "-o", "sent"];
            let run = context.run(&[&arguments[..], form].concat());
            assert_eq!(run.code, 0, "{api}: {}", run.err);
            let again = context.run(&["assemble", "sent"]);
            assert_eq!(again.err, format!("sent: {api}, 2 blocks, 1 call to run\n"));
        }
    }
}

#[test]
fn chunks_of_an_array_are_read_whole_and_torn() {
    let context = Context::new();
    let chunk = |text: &str, end: &str| {
        format!(r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{text}"}}]}}{end}}}]}}"#)
    };
    let (first, last) = (chunk("a", ""), chunk("b", r#","finishReason":"STOP""#));
    context.write("whole.json", format!("[{first},\n{last}]"));
    assert_eq!(
        context.run(&["assemble", "whole.json"]).err,
        "whole.json: gemini, 1 block, 0 calls to run\n"
    );
    context.write("torn.json", format!("[{first},\n{{\"cand"));
    let torn = context.run(&["assemble", "torn.json"]);
    assert!(torn.err.starts_with("torn.json: gemini, no reply (STREAM_CUT"), "{}", torn.err);
}

#[test]
fn a_recording_holds_binary_streams_in_base64_and_errors_of_the_api_that_was_asked() {
    let context = Context::new();
    context.write("reply.sse", STREAM);
    context.run(&["assemble", "reply.sse", "-o", "record.jsonl"]);
    let sent = context.run(&["stream", "record.jsonl", "--as", "bedrock_converse"]);
    let exchange = |path: &str, body: &str| {
        let url = format!("https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b-1%3A0/{path}");
        format!(r#"{{"request":{{"url":"{url}"}},"response":{{"body":{body}}}}}"#)
    };
    let binary = format!(r#"{{"base64":"{}"}}"#, base64(&sent.out));
    let all = [
        exchange("converse-stream", &binary),
        exchange("converse", r#"{"message":"The model is not there."}"#),
    ];
    context.write("recording.json", format!("{{\"exchanges\":[{}]}}", all.join(",")));
    let run = context.run(&["assemble", "recording.json"]);
    assert!(run.out().contains("a.b-1:0"), "the model that the address names: {}", run.out());
    assert!(run.err.contains("exchange 0: bedrock_converse, 2 blocks"), "{}", run.err);
    assert!(
        run.err.contains("exchange 1: bedrock_converse, no reply (error: The model"),
        "{}",
        run.err
    );
}

/// Base64, by the book.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
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
fn what_an_api_does_not_carry_of_a_reply_is_named_and_so_is_a_reply_that_is_none() {
    let context = Context::new();
    let run = r#"{"type":"shell_call","call_id":"c","action":{},"environment":{"type":"container_reference"}}"#;
    let output = r#"{"type":"shell_call_output","call_id":"c","output":[]}"#;
    let body = format!(
        r#"{{"object":"response","model":"gpt-5.5","status":"completed","output":[{run},{output}]}}"#
    );
    context.write("shell.json", body);
    context.write(
        "thought.json",
        r#"{"type":"message","model":"claude-opus-4-8","content":[{"type":"thinking","thinking":"hm","signature":"s"}],"stop_reason":"end_turn"}"#,
    );
    for name in ["shell", "thought"] {
        let (from, to) = (format!("{name}.json"), format!("{name}.jsonl"));
        assert_eq!(context.run(&["assemble", &from, "-o", &to]).code, 0);
    }
    let lost = "not carried: 1 `shell_call` block, 1 `shell_call_output` block\n\
                read back, it is no reply: EMPTY_RESPONSE: ";
    let apis = ["anthropic_messages", "openai_chat", "gemini", "bedrock_converse", "ollama_chat"];
    for form in [&["--body"][..], &[]] {
        for api in apis {
            let run = context
                .run(&[&["stream", "shell.jsonl", "--as", api, "-o", "sent"], form].concat());
            assert_eq!(run.code, 0, "{}", run.err);
            assert!(run.err.starts_with(lost), "{api}: {}", run.err);
        }
        let run =
            context.run(&[&["stream", "shell.jsonl", "--as", "openai_responses"], form].concat());
        assert_eq!(run.err, "");
        let run = context.run(&[&["stream", "thought.jsonl", "--as", "gemini"], form].concat());
        let words = "not carried: 1 signature\nread back, it is no reply: EMPTY_RESPONSE: ";
        assert!(run.err.starts_with(words), "{}", run.err);
        let run =
            context.run(&[&["stream", "thought.jsonl", "--as", "openai_chat"], form].concat());
        assert_eq!(run.err, "not carried: 1 signature\n");
    }
}

#[test]
fn a_reply_that_was_cut_is_no_row_unless_it_is_asked_for() {
    let context = Context::new();
    context.write("cut.sse", cut());
    let run = context.run(&["assemble", "cut.sse"]);
    assert_eq!((run.code, run.out().lines().count()), (1, 1), "the header alone");
    assert!(run.err.contains("no reply (STREAM_CUT"), "{}", run.err);
    let run = context.run(&["assemble", "cut.sse", "--keep-cut"]);
    assert_eq!(run.code, 1);
    assert!(run.out().contains("\"dropped_calls\"") && !run.out().contains("a.txt"));
    context.write("kept.jsonl", run.out());
    let stream = context.run(&["stream", "kept.jsonl", "--as", "openai_chat"]);
    stream.assert_refused(1);
}

#[test]
fn a_recording_gives_a_row_for_each_answer_of_a_known_api() {
    let context = Context::new();
    context.write("recording.json", recording());
    let run = context.run(&["assemble", "recording.json"]);
    assert_eq!(run.code, 1, "one answer is an error");
    let expected = "\
recording.json exchange 0: anthropic_messages, 2 blocks, 1 call to run
recording.json exchange 1: openai_chat, 2 blocks, 0 calls to run
recording.json exchange 3: anthropic_messages, no reply (overloaded_error: Overloaded)
";
    assert_eq!(run.err, expected);
    assert!(run.out().contains(r#""platform":"zai""#), "by the host: {}", run.out());
    let har = r#"{"log":{"entries":[{"request":{"url":"u","postData":{"text":"{\"model\":\"deepseek-chat\"}"}},"response":{"status":200,"content":{"text":"BODY"}}}]}}"#;
    context.write("session.har", har.replace("BODY", &CHAT_BODY.replace('"', "\\\"")));
    let run = context.run(&["assemble", "session.har"]);
    assert_eq!(run.err, "session.har exchange 0: openai_chat, 2 blocks, 0 calls to run\n");
    assert!(run.out().contains(r#""platform":"deepseek""#), "by the model: {}", run.out());
    let run = context.run(&["assemble", "session.har", "--vendor", "z.ai"]);
    assert!(run.out().contains(r#""platform":"zai""#), "as it is named: {}", run.out());
}

#[test]
fn chunks_a_line_are_read_and_what_is_no_reply_is_refused() {
    let context = Context::new();
    let data = STREAM.lines().filter_map(|line| line.strip_prefix("data: "));
    context.write("reply.ndjson", data.collect::<Vec<_>>().join("\n"));
    let run = context.run(&["assemble", "reply.ndjson"]);
    assert_eq!(run.err, "reply.ndjson: anthropic_messages, 2 blocks, 1 call to run\n");
    context.write("none.txt", "nothing of the kind\n");
    context.run(&["assemble", "none.txt"]).assert_refused(3);
    context.write("empty.json", r#"{"exchanges":[]}"#);
    context.run(&["assemble", "empty.json"]).assert_refused(3);
    context.run(&["assemble", "absent.sse"]).assert_refused(3);
    context.run(&["assemble", "none.txt", "--dialect", "telepathy"]).assert_usage();
    context.write("nobody.jsonl", "{\"stenograph\":\"record\",\"v\":1}\n");
    context.run(&["stream", "nobody.jsonl", "--as", "openai_chat"]).assert_refused(1);
}
