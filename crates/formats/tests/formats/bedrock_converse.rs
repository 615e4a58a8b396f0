//! Bodies of AWS Bedrock Converse.

use std::sync::Arc;

use formats::Format;
use record::{Block, Fact, Message, ProofKind, Record, Role, Source};

use crate::view::{findings, fixture, imported, main_of};

#[test]
fn a_body_is_a_head_its_messages_and_a_request_that_left() {
    assert_eq!(
        main_of("bedrock-converse/body.json"),
        [
            "document opaque bedrock_converse.request",
            "head head",
            "messages.0 user: what is this? | image image/jpeg | opaque image | opaque document",
            "messages.1 assistant: thought \"I should look.\" signature=\"c2ln\\/\" \
             | thought \"\" redacted=\"c2VhbGVk\" | Let me see. \
             | call tooluse_1 look { \"at\": \"the till\" } | call tooluse_2 wait {}",
            "messages.2 tool: result tooluse_1 look: {\"till\": 1.50} + a till + image image/png \
             | result tooluse_2 wait error: cut",
            "messages.3 assistant: A till, it says.",
            "messages.4 user: opaque guardContent | go on | opaque odd",
            "sent sent after messages.4",
        ]
    );
    assert_eq!(
        findings(&imported("bedrock-converse/body.json").findings),
        ["UNREAD_FIELD 13", "IMAGE_CORRECTED 15", "UNREAD_FIELD 36"]
    );
}

#[test]
fn the_service_s_own_calls_and_messages_of_nobody_are_kept() {
    assert_eq!(
        main_of("bedrock-converse/messages-only.json"),
        [
            "document opaque bedrock_converse.request",
            "messages.0 user: What is 2 * 3?",
            "messages.1 assistant: opaque server_tool_use | opaque nova_code_interpreter_result \
             | 6.",
            "messages.2 opaque message",
        ]
    );
}

fn head(record: &Record) -> record::Head {
    let mut heads = record.entries.iter().filter_map(|entry| match &entry.fact {
        Fact::Head(head) => Some((**head).clone()),
        _ => None,
    });
    heads.next_back().expect("a head")
}

#[test]
fn tools_stand_in_the_head_as_the_anthropic_api_writes_them() {
    let head = head(&imported("bedrock-converse/body.json").record);
    let declared = head.head.expect("a declaration");
    let tools: Vec<&str> = declared.tools.iter().map(|tool| tool.wire().as_str()).collect();
    assert_eq!(
        tools,
        [
            r#"{"name":"look","description":"Looks.","input_schema":{"type": "object", "properties": {"at": {"type": "string"}}}}"#,
            r#"{"name":"wait","input_schema":{"type":"object","properties":{}}}"#,
        ]
    );
    let kept = head.rest.get("tools_as_written").expect("what has no place there");
    assert!(kept.as_str().contains("cold") && !kept.as_str().contains("look"));
}

#[test]
fn thoughts_are_proved_by_the_model_that_the_body_names() {
    let body = imported("bedrock-converse/body.json").record;
    let reply = body
        .entries
        .iter()
        .find_map(|entry| entry.message().filter(|message| message.role == Role::Assistant));
    let reply = reply.expect("a reply");
    let Some(Source::Model { platform, api, model, .. }) = &reply.source else { panic!("a model") };
    let claude = "us.anthropic.claude-opus-4-5-20251101-v1:0";
    assert_eq!((&**platform, &**api, &**model), ("bedrock", "bedrock_converse", claude));
    let thoughts: Vec<_> = reply.blocks.iter().filter_map(Block::as_reasoning).collect();
    let [signed, sealed] = thoughts.as_slice() else { panic!("two thoughts") };
    let proof = signed.proof.as_deref().expect("a proof");
    assert_eq!((&proof.kind, proof.sealed.as_str()), (&ProofKind::Signature, r#""c2ln\/""#));
    assert_eq!(&*proof.issuer.model, claude);
    assert_eq!(sealed.proof.as_deref().map(|p| &p.kind), Some(&ProofKind::Redacted));
}

#[test]
fn an_unchanged_body_is_given_back_and_a_changed_one_is_written_anew() {
    let bytes = fixture("bedrock-converse/body.json");
    let mut record = imported("bedrock-converse/body.json").record;
    assert_eq!(formats::export(&record, Format::BedrockConverse).expect("it exports"), bytes);
    let last = record.entries.last().expect("an entry").clone();
    let mut more = record::Entry::clone(&last);
    more.id = "more".into();
    more.parent = Some(last.id.clone());
    more.fact = Fact::Message(Box::new(Message::new(Role::Assistant, vec![Block::text("Well.")])));
    record.entries.push(Arc::new(more));
    record.refs.clear();
    let written = formats::export(&record, Format::BedrockConverse).expect("it exports");
    let again = formats::import(&written, "x").expect("it imports").record;
    assert_eq!(head(&again), head(&record));
    let rows = |record: &Record| -> Vec<Message> {
        record.branch_path("main").iter().filter_map(|entry| entry.message().cloned()).collect()
    };
    let (before, mut after) = (rows(&record), rows(&again));
    // What was appended says nothing of who said it; read from a body it is the model's.
    after.last_mut().expect("a row").source = None;
    assert_eq!(after, before);
}

#[test]
fn a_body_is_told_by_its_parameters_or_its_blocks() {
    for body in [
        &br#"{"messages":[{"role":"user","content":[{"text":"u"}]}]}"#[..],
        br#"{"messages":[],"inferenceConfig":{}}"#,
        br#"{"modelId":"m","messages":[]}"#,
        br#"{"messages":[],"toolConfig":{"tools":[]}}"#,
        br#"[{"role":"assistant","content":[{"toolUse":{}}]}]"#,
    ] {
        let text = String::from_utf8_lossy(body);
        assert_eq!(formats::detect(body, true).ok(), Some(Format::BedrockConverse), "{text}");
    }
    let long = "a".repeat(formats::HEAD_BYTES);
    for body in [
        format!(r#"{{"messages":[{{"role":"user","content":[{{"text":"{long}"}}]}}]}}"#),
        format!(r#"{{"toolConfig":{{}},"messages":[{{"role":"user","content":"{long}"}}]}}"#),
    ] {
        let read = formats::import(body.as_bytes(), "x").expect("it imports");
        assert_eq!(read.format, Format::BedrockConverse);
    }
    let claude = br#"{"messages":[{"role":"user","content":[{"type":"text","text":"u"}]}]}"#;
    assert_eq!(formats::detect(claude, true).ok(), Some(Format::AnthropicMessages));
}
