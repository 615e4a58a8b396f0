//! Bodies of OpenAI Chat Completions.

use std::sync::Arc;

use formats::Format;
use json::{Doc, Value};
use record::{Block, Fact, Message, ProofKind, Record, Role, Source};

use crate::view::{findings, fixture, imported, main_of};

#[test]
fn a_body_is_a_head_its_messages_and_a_request_that_left() {
    assert_eq!(
        main_of("openai-chat/body.json"),
        [
            "document opaque openai_chat.request",
            "head head",
            "messages.2 user: what is this? | image image/png | image  | opaque input_audio",
            "messages.3 assistant: thought \"I should look.\" \
             | call call_1 look { \"at\": \"the till\" } | call call_2 look {\"at\": \"the do",
            "messages.4 tool: result call_1 look: a till",
            "messages.5 tool: result call_2 look: cut",
            "messages.6 system: It is late.",
            "messages.7 assistant: I cannot say.",
            "messages.8 user: go on",
            "sent sent after messages.8",
        ]
    );
    assert_eq!(
        findings(&imported("openai-chat/body.json").findings),
        ["ASSUMED 0", "UNREAD_FIELD 7"]
    );
}

fn head(record: &Record) -> record::Head {
    let mut heads = record.entries.iter().filter_map(|entry| match &entry.fact {
        Fact::Head(head) => Some((**head).clone()),
        _ => None,
    });
    heads.next_back().expect("a head")
}

fn message(record: &Record, id: &str) -> Message {
    let entry = record.entries.iter().find(|entry| entry.id.as_str() == id).expect("an entry");
    entry.message().expect("a message").clone()
}

#[test]
fn tools_stand_in_the_head_as_the_anthropic_api_writes_them() {
    let head = head(&imported("openai-chat/body.json").record);
    let declared = head.head.expect("a declaration");
    let system: Vec<&str> = declared.system.iter().map(|text| text.as_str()).collect();
    assert_eq!(system, ["You help in a shop.", "Be kind."]);
    let tools: Vec<&str> = declared.tools.iter().map(|tool| tool.wire().as_str()).collect();
    assert_eq!(
        tools,
        [
            r#"{"name":"look","description":"Looks.","input_schema":{"type": "object", "properties": {"at": {"type": "string"}}}}"#,
            r#"{"name":"wait","input_schema":{"type":"object","properties":{}},"strict":true}"#,
            r#"{"type":"web_search","name":"web_search"}"#,
        ]
    );
    let kept = head.rest.get("tools_as_written").expect("what has no place there");
    assert!(kept.as_str().contains("web_search") && kept.as_str().contains("strict"));
    assert!(!kept.as_str().contains("look"));
}

#[test]
fn reasoning_remembers_its_key_and_is_proved_only_where_it_is_signed() {
    let body = imported("openai-chat/body.json").record;
    let reply = message(&body, "messages.3");
    let Some(Block::Reasoning(thought)) = reply.blocks.first() else { panic!("a thought") };
    assert!(thought.proof.is_none());
    assert_eq!(thought.rest.get("key").map(|key| key.as_str()), Some("\"reasoning_content\""));
    let Some(Source::Model { platform, api, .. }) = &reply.source else { panic!("a model") };
    assert_eq!((&**platform, &**api), ("deepseek", "openai_chat"));

    let list = imported("openai-chat/messages-only.json").record;
    let signed = message(&list, "messages.5");
    let Some(Block::Reasoning(thought)) = signed.blocks.first() else { panic!("a thought") };
    assert_eq!(&*thought.reasoning, "said so");
    let proof = thought.proof.as_deref().expect("a proof");
    assert_eq!(proof.kind, ProofKind::Other("reasoning_details".into()));
    let call = message(&list, "messages.6");
    let Some(Block::ToolUse(call)) = call.blocks.first() else { panic!("a call") };
    assert_eq!(call.proof.as_ref().map(|proof| proof.sealed.as_str()), Some("\"c2ln\""));
}

#[test]
fn older_and_other_shapes_are_read() {
    assert_eq!(
        main_of("openai-chat/messages-only.json"),
        [
            "document opaque openai_chat.request",
            "messages.0 user: hi",
            "messages.1 assistant: thought \"greet\" | hello",
            "messages.2 user: weather?",
            "messages.3 assistant: call  weather ",
            "messages.4 tool: result  weather: rain",
            "messages.5 assistant: thought \"said so\" reasoning_details=[{\"type\": \
             \"reasoning.text\", \"text\": \"said so\", \"signature\": \"c2ln\"}] | Rain.",
            "messages.6 assistant: call c map {} signature=\"c2ln\""
                .trim_end_matches(" signature=\"c2ln\""),
            "messages.7 opaque message",
        ]
    );
}

#[test]
fn an_unchanged_body_is_given_back_and_a_changed_one_is_written_anew() {
    let bytes = fixture("openai-chat/body.json");
    let mut record = imported("openai-chat/body.json").record;
    assert_eq!(formats::export(&record, Format::OpenAiChat).expect("it exports"), bytes);
    let last = record.entries.last().expect("an entry").clone();
    let mut more = record::Entry::clone(&last);
    more.id = "more".into();
    more.parent = Some(last.id.clone());
    more.fact = Fact::Message(Box::new(Message::new(Role::Assistant, vec![Block::text("Well.")])));
    record.entries.push(Arc::new(more));
    record.refs.clear();
    let written = formats::export(&record, Format::OpenAiChat).expect("it exports");
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
fn a_strict_tool_is_strict_in_the_head_and_where_the_body_is_written_anew() {
    for strict in ["true", "false"] {
        let body = format!(
            r#"{{"model":"gpt-5.5","messages":[{{"role":"user","content":"go"}}],"tools":[{{"type":"function","function":{{"name":"wait","parameters":{{"type":"object","properties":{{}}}},"strict":{strict}}}}}]}}"#
        );
        let mut record = formats::import(body.as_bytes(), "x").expect("it imports").record;
        let declared = head(&record);
        assert!(declared.rest.get("tools_as_written").is_none(), "the definition says it all");
        let tool = declared.head.as_deref().and_then(|head| head.tools.first().cloned());
        let said = tool.expect("a tool").wire().as_str().to_owned();
        assert!(said.ends_with(&format!(r#""strict":{strict}}}"#)), "{said}");
        let last = record.entries.last().expect("an entry").clone();
        let mut more = record::Entry::clone(&last);
        more.id = "more".into();
        more.parent = Some(last.id.clone());
        let said = Message::new(Role::Assistant, vec![Block::text("Well.")]);
        more.fact = Fact::Message(Box::new(said));
        record.entries.push(Arc::new(more));
        record.refs.clear();
        let written = formats::export(&record, Format::OpenAiChat).expect("it exports");
        let again = formats::import(&written, "x").expect("it imports").record;
        assert_eq!(head(&again), declared);
    }
}

/// Role and content of each message of a body of Anthropic Messages, written in this form.
fn written(messages: &str) -> Vec<String> {
    let body = format!(r#"{{"model":"claude-opus-4-8","messages":[{messages}]}}"#);
    let record = formats::import(body.as_bytes(), "x").expect("it imports").record;
    let written = formats::export(&record, Format::OpenAiChat).expect("it exports");
    let doc = Doc::parse(&written).expect("JSON");
    let messages = doc.root().get("messages").expect("messages");
    let line = |message: Value<'_, '_>| {
        let content = message.get("content").expect("content");
        format!("{} {}", message.get_str("role").expect("a role"), content.raw())
    };
    messages.items().map(line).collect()
}

#[test]
fn results_go_before_the_text_they_stood_before() {
    let calls = r#"{"role":"user","content":"list"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}},{"type":"tool_use","id":"b","name":"ls","input":{}}]}"#;
    let result = |id| format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"{id}!"}}"#);
    let text = r#"{"type":"text","text":"and?"}"#;
    let (a, b) = (result("a"), result("b"));
    let user = |blocks: &[&str]| {
        let blocks = blocks.join(",");
        written(&format!(r#"{calls},{{"role":"user","content":[{blocks}]}}"#)).split_off(2)
    };
    let (tool_a, tool_b) = (r#"tool "a!""#, r#"tool "b!""#);
    assert_eq!(user(&[&a, &b, text]), [tool_a, tool_b, r#"user "and?""#]);
    assert_eq!(user(&[&a, &b]), [tool_a, tool_b]);
    // Nothing is mended: one that stood behind stays behind.
    let between = user(&[&a, text, &b]);
    assert_eq!((between[0].as_str(), between[2].as_str()), (tool_a, tool_b));
    assert_eq!(user(&[text, &a, &b]), [r#"user "and?""#, tool_a, tool_b]);
}
