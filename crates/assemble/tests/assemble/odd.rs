//! Replies that are kept and whose calls are run, and that are odd: what is told of them.

use assemble::{Dialect, FindingKind, Reply, Stream};

use super::{asked, chat, clean, read, read_body, sse, told};

/// What is told of a reply: all of it is of one kind.
fn findings(reply: &Reply) -> Vec<(u64, String)> {
    let findings = reply.findings.iter().map(|finding| {
        assert_eq!(finding.kind, FindingKind::MalformedStream);
        (finding.count, finding.words.join("; "))
    });
    findings.collect()
}

fn once(words: &str) -> Vec<(u64, String)> {
    vec![(1, words.to_owned())]
}

/// A body of each dialect that holds these two calls of one tool: id and arguments.
fn bodies(calls: [(&str, &str); 2]) -> Vec<(Dialect, &'static str, String)> {
    let each = |form: &dyn Fn(&str, &str) -> String| {
        calls.map(|(id, arguments)| form(id, arguments)).join(",")
    };
    let anthropic = each(&|id, arguments| {
        format!(r#"{{"type":"tool_use","id":"{id}","name":"ls","input":{arguments}}}"#)
    });
    let chat = each(&|id, arguments| {
        let function = format!(r#"{{"name":"ls","arguments":"{arguments}"}}"#);
        format!(r#"{{"id":"{id}","type":"function","function":{function}}}"#)
    });
    let responses = each(&|id, arguments| {
        format!(r#"{{"type":"shell_call","call_id":"{id}","action":{arguments}}}"#)
    });
    let gemini = each(&|id, arguments| {
        format!(r#"{{"functionCall":{{"id":"{id}","name":"ls","args":{arguments}}}}}"#)
    });
    let bedrock = each(&|id, arguments| {
        format!(r#"{{"toolUse":{{"toolUseId":"{id}","name":"ls","input":{arguments}}}}}"#)
    });
    let ollama = each(&|id, arguments| {
        format!(r#"{{"id":"{id}","function":{{"name":"ls","arguments":{arguments}}}}}"#)
    });
    vec![
        (
            Dialect::AnthropicMessages,
            "anthropic",
            format!(r#"{{"type":"message","content":[{anthropic}],"stop_reason":"tool_use"}}"#),
        ),
        (
            Dialect::OpenAiChat,
            "openai",
            format!(
                r#"{{"choices":[{{"message":{{"tool_calls":[{chat}]}},"finish_reason":"tool_calls"}}]}}"#
            ),
        ),
        (
            Dialect::OpenAiResponses,
            "openai",
            format!(r#"{{"object":"response","status":"completed","output":[{responses}]}}"#),
        ),
        (
            Dialect::Gemini,
            "google",
            format!(
                r#"{{"candidates":[{{"content":{{"parts":[{gemini}]}},"finishReason":"STOP"}}]}}"#
            ),
        ),
        (
            Dialect::BedrockConverse,
            "bedrock",
            format!(
                r#"{{"output":{{"message":{{"content":[{bedrock}]}}}},"stopReason":"tool_use"}}"#
            ),
        ),
        (
            Dialect::OllamaChat,
            "ollama",
            format!(
                r#"{{"model":"m","message":{{"tool_calls":[{ollama}]}},"done":true,"done_reason":"stop"}}"#
            ),
        ),
    ]
}

#[test]
fn two_calls_of_one_id_are_told_over_every_api() {
    for (dialect, platform, body) in bodies([("d", "{}"), ("d", "{}")]) {
        let reply = read_body(dialect, platform, &body).expect("a reply");
        assert_eq!(reply.calls().count(), 2, "{}", dialect.name());
        assert_eq!(findings(&reply), once("a second call with the id `d`"), "{}", dialect.name());
    }
    for (dialect, platform, body) in bodies([("a", "{}"), ("b", "{}")]) {
        clean(read_body(dialect, platform, &body));
    }
}

#[test]
fn arguments_that_are_json_and_no_object_are_told_over_every_api() {
    for (dialect, platform, body) in bodies([("a", "[1]"), ("b", "{}")]) {
        let reply = read_body(dialect, platform, &body).expect("a reply");
        let name = if dialect == Dialect::OpenAiResponses { "shell" } else { "ls" };
        let words = format!("the input of the call `{name}` is no object");
        assert_eq!(findings(&reply), once(&words), "{}", dialect.name());
    }
}

#[test]
fn a_tool_that_takes_any_text_is_given_no_object_and_nothing_is_told() {
    let body = r#"{"object":"response","status":"completed","output":[{"type":"custom_tool_call","call_id":"c","name":"sh","input":"ls -l"}]}"#;
    clean(read_body(Dialect::OpenAiResponses, "openai", body));
}

/// A reply of Responses whose item is done as the one, and that ends with the other.
fn done_and_ended(done: &str, ended: &str) -> Reply {
    let events = [
        format!(r#"{{"type":"response.output_item.added","output_index":0,"item":{done}}}"#),
        format!(r#"{{"type":"response.output_item.done","output_index":0,"item":{done}}}"#),
        format!(
            r#"{{"type":"response.completed","response":{{"status":"completed","output":[{ended}]}}}}"#
        ),
    ];
    read(Dialect::OpenAiResponses, "openai", &sse(events)).expect("a reply")
}

fn shell(id: &str, action: &str) -> String {
    format!(r#"{{"type":"shell_call","call_id":"{id}","action":{action}}}"#)
}

#[test]
fn a_call_is_what_its_item_was_when_done_and_a_response_that_ends_otherwise_is_told() {
    let done = shell("c", r#"{"commands":["ls"],"timeout_ms":1}"#);
    for ended in [shell("c", r#"{"commands":["rm -rf /"]}"#), shell("other", r#"{"commands":[]}"#)]
    {
        let reply = done_and_ended(&done, &ended);
        assert_eq!(
            told(&reply.message),
            [r#"call c shell({"commands":["ls"],"timeout_ms":1})"#.to_owned()]
        );
        let [(1, words)] = &findings(&reply)[..] else { panic!("{:?}", reply.findings) };
        assert!(words.starts_with("the response ends with another call `"), "{words}");
    }
    let renamed = |name: &str| {
        format!(r#"{{"type":"function_call","call_id":"c","name":"{name}","arguments":"{{}}"}}"#)
    };
    let reply = done_and_ended(&renamed("read"), &renamed("delete"));
    assert_eq!(told(&reply.message), ["call c read({})"]);
    assert_eq!(reply.findings.len(), 1);
}

#[test]
fn a_response_that_ends_with_the_same_call_in_other_words_is_not_told() {
    let done = shell("c", r#"{"commands":["ls"],"timeout_ms":1}"#);
    let others = [
        shell("c", r#"{ "timeout_ms": 1, "commands": ["ls"] }"#),
        r#"{"type":"shell_call","call_id":"c","status":"completed"}"#.to_owned(),
        r#"{"type":"message","role":"assistant","content":[]}"#.to_owned(),
    ];
    for ended in others {
        assert_eq!(done_and_ended(&done, &ended).findings, [], "{ended}");
    }
}

#[test]
fn what_a_host_streams_and_leaves_out_when_done_is_compared_as_well() {
    let call = |arguments: &str| {
        let rest = r#""type":"function_call","call_id":"c","name":"read""#;
        format!(r#"{{{rest},"arguments":"{arguments}"}}"#)
    };
    let reply = |ended: &str| {
        let empty = call("");
        let events = [
            format!(r#"{{"type":"response.output_item.added","output_index":0,"item":{empty}}}"#),
            r#"{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"a\":1}"}"#.to_owned(),
            format!(r#"{{"type":"response.output_item.done","output_index":0,"item":{empty}}}"#),
            format!(
                r#"{{"type":"response.completed","response":{{"status":"completed","output":[{ended}]}}}}"#
            ),
        ];
        read(Dialect::OpenAiResponses, "openai", &sse(events)).expect("a reply")
    };
    assert_eq!(reply(&call(r#"{\"a\": 1}"#)).findings, []);
    assert_eq!(reply(&call(r#"{\"a\":2}"#)).findings.len(), 1);
}

#[test]
fn what_is_said_after_the_finish_reason_of_chat_completions_is_kept_and_told() {
    let finish = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let after = |delta: &str| {
        let chunk = |delta: &str| format!(r#"{{"choices":[{{"index":0,"delta":{delta}}}]}}"#);
        let frames = [chunk(r#"{"content":"a"}"#), finish.to_owned(), chunk(delta)];
        let done = ["[DONE]".to_owned()];
        read(Dialect::OpenAiChat, "openai", &sse(frames.iter().chain(&done))).expect("a reply")
    };
    let reply = after(r#"{"content":"late"}"#);
    assert_eq!(told(&reply.message), ["text alate"]);
    let words = "something was said after the finish reason, and stands in the reply";
    assert_eq!(findings(&reply), once(words));
    assert_eq!(after(r#"{"refusal":"no"}"#).findings.len(), 1);
    let call = r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}]}"#;
    assert_eq!(after(call).findings.len(), 1);
    for silent in [r#"{"role":"assistant","content":""}"#, r#"{"content":null,"tool_calls":[]}"#] {
        assert_eq!(after(silent).findings, [], "{silent}");
    }
    clean(read(Dialect::OpenAiChat, "openai", &chat::streamed(&[r#"{"content":"a"}"#], "stop")));
}

#[test]
fn findings_of_one_kind_are_told_each_in_its_own_words_and_counted_beyond_the_limit() {
    use assemble::limits::{FINDING_BYTES_MAX, FINDING_WORDS_MAX};
    let event = |name: &str| format!(r#"{{"type":"{name}"}}"#);
    let events = |names: Vec<String>| {
        let stop = [r#"{"type":"message_stop"}"#.to_owned()];
        let text = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"x"}}"#;
        let events = [text.to_owned()].into_iter().chain(names.iter().map(|name| event(name)));
        let read = read(Dialect::AnthropicMessages, "anthropic", &sse(events.chain(stop)));
        read.expect("a reply").findings
    };
    let two = events(vec!["one".into(), "two".into(), "one".into()]);
    let [unknown] = &two[..] else { panic!("{two:?}") };
    assert_eq!((unknown.kind, unknown.count, unknown.words.len()), (FindingKind::Unknown, 3, 2));
    assert!(unknown.words[0].contains("one") && unknown.words[1].contains("two"));
    let many = events((0..20).map(|nth| format!("event_{nth}")).collect());
    assert_eq!((many[0].count, many[0].words.len()), (20, FINDING_WORDS_MAX));
    let long = events(vec!["\u{e9}".repeat(1 << 20)]);
    assert!(long[0].words[0].len() <= FINDING_BYTES_MAX + " ...".len());
}

/// Lines, read as a client that wrote an event a line down would have them.
fn lines(dialect: Dialect, lines: &str) -> Result<Reply, assemble::Failed> {
    let mut stream = Stream::ndjson(dialect, asked("some", dialect));
    stream.push(lines.as_bytes(), &mut |_| {}).expect("within the limits");
    stream.finish(&mut |_| {})
}

#[test]
fn a_frame_that_is_no_object_is_told_over_every_api_and_one_that_is_torn_was_cut() {
    for dialect in Dialect::ALL {
        for odd in ["[1]", "7", "nonsense", "{]"] {
            let failed = lines(dialect, &format!("{odd}\n")).expect_err("no reply");
            let [finding] = &failed.findings[..] else { panic!("{odd}: {:?}", failed.findings) };
            assert_eq!(finding.kind, FindingKind::MalformedStream);
            let words = format!("a frame of {} bytes that is no JSON object", odd.len());
            assert_eq!(finding.words, [words], "{}", dialect.name());
        }
        let torn = lines(dialect, r#"{"type"#).expect_err("no reply");
        assert_eq!(torn.failure.code.as_str(), "STREAM_CUT", "{}", dialect.name());
        assert_eq!(torn.findings, [], "{}", dialect.name());
    }
}
