//! What a file is.

use formats::{Format, ImportError, detect};

use crate::view::{files_under, fixtures};

fn hint(bytes: &[u8]) -> String {
    detect(bytes, true).expect_err("it is not read").to_string()
}

#[test]
fn content_decides_and_damage_before_it_does_no_harm() {
    let line = br#"{"type":"user","uuid":"u","message":{"role":"user","content":"hi"}}"#;
    let damaged = [&b"{\"torn\n\0\0\0\n"[..], line].concat();
    assert_eq!(detect(&damaged, true).ok(), Some(Format::ClaudeCode));
    let bom = [&b"\xef\xbb\xbf"[..], line].concat();
    assert_eq!(detect(&bom, true).ok(), Some(Format::ClaudeCode));
    let history = br#"{"kind":"msg","role":"user","blocks":[]}"#;
    assert_eq!(detect(history, true).ok(), Some(Format::NeutralHistory));
    let ours = br#"{"stenograph":"record","v":1}"#;
    assert_eq!(detect(ours, true).ok(), Some(Format::Record));
    let body = b"{\n \"messages\": [\n {\"role\":\"user\",\"content\":\"hi\"}\n ]\n}";
    assert_eq!(detect(body, true).ok(), Some(Format::AnthropicMessages));
    assert_eq!(
        detect(b"[{\"role\":\"user\",\"content\":[]}]", true).ok(),
        Some(Format::AnthropicMessages)
    );
}

#[test]
fn a_head_that_ends_inside_its_first_value_is_told_by_its_outline() {
    let body = br#"{"model":"m","messages":[{"role":"user","content":"uuid \" sessionId"#;
    assert_eq!(detect(body, false).ok(), Some(Format::AnthropicMessages));
    let session = br#"{"uuid":"u","sessionId":"s","message":{"role":"user","content":"mess"#;
    assert_eq!(detect(session, false).ok(), Some(Format::ClaudeCode));
    let rollout = br#"{"timestamp":"t","type":"response_item","payload":{"type":"message","a":"b"#;
    assert_eq!(detect(rollout, false).ok(), Some(Format::Codex));
    let ours = br#"{"v":1,"id":"1","parent_id":null,"role":"user","blocks":[{"text":"blo"#;
    assert_eq!(detect(ours, false).ok(), Some(Format::Record));
    let history = br#"{"kind":"msg","role":"user","blocks":[{"text":"blo"#;
    assert_eq!(detect(history, false).ok(), Some(Format::NeutralHistory));
    assert!(detect(br#"{"a":{"messages":1},"b":"messages"#, false).is_err());
}

#[test]
fn a_gemini_body_is_told_by_its_contents() {
    let bodies: [&[u8]; 4] = [
        br#"{"contents":[{"role":"user","parts":[{"text":"a"}]}]}"#,
        br#"{"contents":[],"generationConfig":{}}"#,
        br#"[{"role":"model","parts":[{"text":"a"}]}]"#,
        b"{\n \"contents\": [\n {\"parts\":[{\"text\":\"hi\"}]}\n ]\n}",
    ];
    for body in bodies {
        let text = String::from_utf8_lossy(body);
        assert_eq!(detect(body, true).ok(), Some(Format::Gemini), "{text}");
    }
    let begun = br#"{"generationConfig":{},"contents":[{"parts":[{"text":"uuid"#;
    assert_eq!(detect(begun, false).ok(), Some(Format::Gemini));
    let long = "a".repeat(formats::HEAD_BYTES);
    let list = format!(r#"[{{"role":"user","parts":[{{"text":"{long}"}}]}}]"#);
    let read = formats::import(list.as_bytes(), "x").expect("it imports");
    assert_eq!(read.format, Format::Gemini);
}

#[test]
fn what_is_not_read_is_named() {
    assert!(hint(br#"{"exchanges":[]}"#).contains("body of one request"));
    let lines = b"{\"messages\":[]}\n{\"messages\":[]}";
    assert!(hint(lines).contains("several request bodies"));
    assert!(hint(br#"{"id":"m","ts":"t","role":"user","content":"c"}"#).contains("directory"));
    assert!(hint(b"hello there").contains("not JSON"));
}

#[test]
fn a_chat_body_is_told_by_its_shapes_its_parameters_or_its_model() {
    let bodies: [&[u8]; 7] = [
        br#"{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c"}]}]}"#,
        br#"{"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}]}"#,
        br#"{"messages":[],"tools":[{"type":"function","function":{"name":"f"}}]}"#,
        br#"{"model":"gpt-5.2","max_tokens":9,"messages":[{"role":"user","content":"u"}]}"#,
        br#"{"model":"llama","messages":[{"role":"user","content":"u"}]}"#,
        br#"{"n":1,"messages":[{"role":"user","content":"u"}]}"#,
        br#"[{"role":"tool","tool_call_id":"c","content":"r"}]"#,
    ];
    for body in bodies {
        let text = String::from_utf8_lossy(body);
        assert_eq!(detect(body, true).ok(), Some(Format::OpenAiChat), "{text}");
    }
    let claude = br#"{"model":"claude-x","messages":[{"role":"user","content":"u"}]}"#;
    assert_eq!(detect(claude, true).ok(), Some(Format::AnthropicMessages));
    // A block only the Anthropic API has outweighs a model of somebody else's.
    let image = br#"{"model":"x","messages":[{"role":"user","content":[{"type":"image"}]}]}"#;
    assert_eq!(detect(image, true).ok(), Some(Format::AnthropicMessages));
}

#[test]
fn a_responses_body_is_told_by_its_input_and_its_items_by_their_shapes() {
    for body in [
        &br#"{"model":"m","input":[]}"#[..],
        br#"{"model":"m","input":"hi"}"#,
        br#"{"input":[{"role":"user","content":"hi"}]}"#,
    ] {
        assert_eq!(detect(body, true).ok(), Some(Format::OpenAiResponses));
    }
    // Items of one API under the name another has for its messages.
    for item in [
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}"#,
        r#"{"role":"user","content":"hi"},{"type":"function_call","call_id":"c","name":"f"}"#,
        r#"{"type":"compaction","encrypted_content":"x"},{"role":"user","content":"hi"}"#,
    ] {
        let listed = format!(r#"{{"messages":[{item}]}}"#);
        assert_eq!(detect(listed.as_bytes(), true).ok(), Some(Format::OpenAiResponses));
        let alone = format!("[{item}]");
        assert_eq!(detect(alone.as_bytes(), true).ok(), Some(Format::OpenAiResponses), "{item}");
    }
    let long = "a".repeat(formats::HEAD_BYTES);
    for (name, close) in [("input", "}"), ("messages", "}")] {
        let body = format!(
            r#"{{"{name}":[{{"type":"message","role":"user","content":"{long}"}},
                {{"type":"reasoning","summary":[]}}]{close}"#
        );
        let read = formats::import(body.as_bytes(), "x").expect("it imports");
        assert_eq!(read.format, Format::OpenAiResponses, "{name}");
    }
}

#[test]
fn a_document_with_whole_objects_on_lines_is_still_one() {
    let body = b"{\"messages\":[\n{\"role\":\"user\",\"content\":\"u\"}\n,\n\
        {\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"r\"}\n]}";
    assert_eq!(detect(body, true).ok(), Some(Format::OpenAiChat));
}

#[test]
fn a_chat_body_beyond_the_head_is_told_when_it_is_read() {
    let long = "a".repeat(formats::HEAD_BYTES);
    let body = format!(
        r#"{{"messages":[{{"role":"user","content":"{long}"}},{{"role":"tool","content":"r"}}]}}"#
    );
    let read = formats::import(body.as_bytes(), "x").expect("it imports");
    assert_eq!(read.format, Format::OpenAiChat);
    let streamed = formats::import_reader(body.as_bytes(), "x").expect("it imports");
    assert_eq!(streamed.format, Format::OpenAiChat);
}

#[test]
fn documents_beyond_the_head_that_begin_alike_are_told_by_what_is_in_them() {
    let long = "a".repeat(formats::HEAD_BYTES);
    let trajectory = format!(
        r#"{{"info":{{"config":{{}}}},"messages":[{{"role":"system","content":"s"}},{{"role":"user","content":"{long}"}}],"trajectory_format":"mini-swe-agent-1.1"}}"#
    );
    let opencode = format!(
        r#"{{"info":{{"id":"ses_1"}},"messages":[{{"info":{{"id":"msg_1","role":"user","sessionID":"ses_1"}},"parts":[{{"id":"prt_1","type":"text","text":"{long}"}}]}}]}}"#
    );
    let modelled = format!(
        r#"[{{"role":"user","content":"{long}"}},{{"role":"assistant","content":"x","modelInfo":{{"modelId":"m","providerId":"p"}}}}]"#
    );
    for (document, format) in [
        (trajectory, Format::MiniSweAgent),
        (opencode, Format::OpenCode),
        (modelled, Format::Cline),
    ] {
        let read = formats::import(document.as_bytes(), "x").expect("it imports");
        assert_eq!(read.format, format);
        let streamed = formats::import_reader(document.as_bytes(), "x").expect("it imports");
        assert_eq!(streamed.format, format);
    }
}

#[test]
fn a_line_of_a_rollout_is_told_by_its_envelope() {
    for line in [
        &br#"{"type":"session_meta","payload":{}}"#[..],
        br#"{"type":"function_call","call_id":"c","name":"f"}"#,
        br#"{"id":"s","timestamp":"2025","instructions":null}"#,
    ] {
        assert_eq!(detect(line, true).ok(), Some(Format::Codex));
    }
}

#[test]
fn a_body_of_anthropic_blocks_with_a_system_message_first_is_still_one() {
    let body = br#"{"messages":[{"role":"system","content":"s"},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}]}"#;
    assert_eq!(detect(body, true).ok(), Some(Format::AnthropicMessages));
}

#[test]
fn what_is_no_text_is_said_with_what_to_do() {
    assert!(matches!(detect(b" \n\t", true), Err(ImportError::Empty)));
    assert!(matches!(detect(b"", true), Err(ImportError::Empty)));
    assert!(hint(b"\xff\xfe{\0}\0").contains("UTF-16LE text; convert it to UTF-8"));
    assert!(hint(b"\xff\xfe\0\0{\0\0\0").contains("UTF-32LE"));
    assert!(hint(b"SQLite format 3\0").contains("SQLite"));
    assert!(hint(b"\x1f\x8b\x08").contains("unpack"));
    assert!(hint(b"abc\xff\xfe\0\x01").contains("no text"));
}

#[test]
fn a_document_that_is_not_json_is_placed() {
    let Err(ImportError::Json { position, .. }) =
        formats::import(b"{\n  \"messages\": [,]\n}", "x")
    else {
        panic!("not JSON")
    };
    assert_eq!((position.line, position.column), (2, 16));
    assert!(hint(b"{\"messages\":").contains("line 1 column 13"));
}

#[test]
fn sessions_of_other_harnesses_are_told_by_their_lines_and_their_outline() {
    let lines: [(&[u8], Format); 8] = [
        (br#"{"type":"session","version":3,"id":"x"}"#, Format::Pi),
        (br#"{"type":"message","message":{"role":"toolResult","toolCallId":"c"}}"#, Format::Pi),
        (br#"{"type":"message","message":{"role":"assistant","provider":"p"}}"#, Format::Pi),
        (br#"{"type":"user.message","data":{"content":"hi"}}"#, Format::CopilotCli),
        (br#"{"sessionId":"s","projectHash":"h","kind":"main"}"#, Format::GeminiCli),
        (br#"{"id":"g","type":"gemini","content":"hi"}"#, Format::GeminiCli),
        (br#"{"sessionId":"s","projectHash":"h","messages":[]}"#, Format::GeminiCli),
        (br#"{"info":{"id":"s"},"messages":[{"info":{},"parts":[]}]}"#, Format::OpenCode),
    ];
    for (line, format) in lines {
        assert_eq!(detect(line, true).ok(), Some(format), "{}", String::from_utf8_lossy(line));
    }
    let outline = br#"{"info":{"id":"s"},"messages":[{"info":{"id":"m"#;
    assert_eq!(detect(outline, false).ok(), Some(Format::OpenCode));
    let outline = br#"{"kind":"main","lastUpdated":"t","messages":[{"id":"m"#;
    assert_eq!(detect(outline, false).ok(), Some(Format::GeminiCli));
    // A person's message is written alike by others.
    let droid = br#"{"type":"session_start","id":"s"}
{"type":"message","id":"m","message":{"role":"user","content":"hi"}}"#;
    assert_eq!(detect(droid, true).ok(), Some(Format::Droid));
}

#[test]
fn a_session_whose_first_message_stands_far_into_the_file_is_told() {
    let system = r#"{"type":"system","subtype":"info","uuid":"s","sessionId":"s","content":"hi"}"#;
    let message = r#"{"type":"user","uuid":"u","message":{"role":"user","content":"hi"}}"#;
    let ahead = 4 * formats::HEAD_BYTES / system.len();
    let bytes = format!("{}{message}\n", format!("{system}\n").repeat(ahead)).into_bytes();
    let read = formats::import(&bytes, "x").expect("it imports");
    let streamed = formats::import_reader(bytes.as_slice(), "x").expect("it imports");
    assert_eq!((read.format, streamed.format), (Format::ClaudeCode, Format::ClaudeCode));
    assert!(read.record == streamed.record);
}

#[test]
fn a_file_is_looked_at_up_to_a_limit() {
    let line = format!("{{\"a\":\"{}\"}}\n", "x".repeat((1 << 20) - 9));
    let message = r#"{"type":"user","uuid":"u","message":{"role":"user","content":"hi"}}"#;
    for (ahead, known) in [(63, true), (64, false)] {
        let bytes = format!("{}{message}\n", line.repeat(ahead)).into_bytes();
        assert_eq!(formats::detect_in(&bytes).is_ok(), known, "{ahead}");
        assert_eq!(formats::import_reader(bytes.as_slice(), "x").is_ok(), known, "{ahead}");
    }
}

#[test]
fn no_line_of_a_session_is_taken_for_one_of_another_format() {
    for path in files_under(&fixtures()) {
        let bytes = std::fs::read(&path).expect("a file");
        let own = formats::detect_in(&bytes).expect("a format");
        // A thought is the same item in two formats.
        let lines = bytes.split(|byte| *byte == b'\n');
        let lines = lines.filter(|line| !line.starts_with(br#"{"type":"reasoning""#));
        for line in lines.filter(|line| line.starts_with(b"{")) {
            if let Ok(format) = detect(line, true) {
                let text = String::from_utf8_lossy(line);
                assert_eq!(format, own, "{}: {text}", path.display());
            }
        }
    }
}
