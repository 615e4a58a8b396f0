//! Bodies of Ollama's native API.

use std::sync::Arc;

use formats::Format;
use record::{Block, Fact, Message, Record, Role, Source};

use crate::view::{findings, fixture, imported, main_of};

#[test]
fn results_find_their_calls_by_order_and_by_name() {
    assert_eq!(
        main_of("ollama-chat/body.json"),
        [
            "document opaque ollama_chat.request",
            "head head",
            "messages.1 user: image image/png | What grows here?",
            "messages.2 assistant: thought \"I should look.\" \
             | call messages.2.tool_calls.0 look {\"bed\":1} \
             | call messages.2.tool_calls.1 look {\"bed\":2e0} \
             | call messages.2.tool_calls.2 water {}",
            "messages.3 tool: result messages.2.tool_calls.0 look: beans",
            "messages.4 tool: result messages.2.tool_calls.1 look: image image/png",
            "messages.5 tool: result messages.2.tool_calls.2 water: done",
            "messages.6 assistant: Beans and peas.",
            "messages.7 opaque message",
            "messages.8 user: Thanks",
            "sent sent after messages.8",
        ]
    );
    assert_eq!(findings(&imported("ollama-chat/body.json").findings), ["UNREAD_FIELD 18"]);
}

#[test]
fn a_reply_is_of_the_model_that_ollama_serves() {
    let record = imported("ollama-chat/body.json").record;
    let reply = rows(&record).into_iter().find(|row| row.role == Role::Assistant);
    let Some(Source::Model { platform, api, model, .. }) = reply.expect("a reply").source else {
        panic!("a model")
    };
    assert_eq!((&*platform, &*api, &*model), ("ollama", "ollama_chat", "qwen3-vl:8b"));
}

fn rows(record: &Record) -> Vec<Message> {
    record.branch_path("main").iter().filter_map(|entry| entry.message().cloned()).collect()
}

#[test]
fn an_unchanged_body_is_given_back_and_a_changed_one_is_written_anew() {
    let bytes = fixture("ollama-chat/body.json");
    let mut record = imported("ollama-chat/body.json").record;
    assert_eq!(formats::export(&record, Format::OllamaChat).expect("it exports"), bytes);
    let last = record.entries.last().expect("an entry").clone();
    let mut more = record::Entry::clone(&last);
    more.id = "more".into();
    more.parent = Some(last.id.clone());
    more.fact = Fact::Message(Box::new(Message::new(Role::Assistant, vec![Block::text("Well.")])));
    record.entries.push(Arc::new(more));
    record.refs.clear();
    let written = formats::export(&record, Format::OllamaChat).expect("it exports");
    let again = formats::import(&written, "x").expect("it imports");
    assert_eq!(again.format, Format::OllamaChat);
    let (before, mut after) = (rows(&record), rows(&again.record));
    after.last_mut().expect("a row").source = None;
    // The message that was none is not there: ids of places are others from there on.
    assert_eq!(after, before);
}

#[test]
fn a_session_of_another_api_is_written_with_objects_and_without_ids() {
    let body = r#"{"model":"claude-opus-4-8","max_tokens":9,"messages":[
        {"role":"user","content":"go"},
        {"role":"assistant","content":[{"type":"tool_use","id":"t","name":"ls","input":{"a":1}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}]}"#;
    let record = formats::import(body.as_bytes(), "x").expect("it imports").record;
    let written = formats::export(&record, Format::OllamaChat).expect("it exports");
    let text = String::from_utf8(written).expect("UTF-8");
    let call = r#""tool_calls":[{"function":{"name":"ls","arguments":{"a":1}}}]"#;
    let result = r#"{"role":"tool","tool_name":"ls","content":"x"}"#;
    assert!(text.contains(call) && text.contains(result), "{text}");
}

/// O-3: a result is known by its tool alone, which many sources name with the call only.
#[test]
fn a_result_whose_source_names_no_tool_is_written_with_its_calls() {
    let body = r#"{"model":"gpt-4o","messages":[{"role":"user","content":"go"},
        {"role":"assistant","tool_calls":[{"id":"t","type":"function",
            "function":{"name":"ls","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"t","content":"x"}]}"#;
    let mut record = formats::import(body.as_bytes(), "x").expect("it imports").record;
    for entry in &mut record.entries {
        if let Fact::Message(message) = &mut Arc::make_mut(entry).fact
            && let Some(Block::ToolResult(result)) = message.blocks.first_mut()
        {
            result.tool_name = "".into();
        }
    }
    let written = formats::export(&record, Format::OllamaChat).expect("it exports");
    let text = String::from_utf8(written).expect("UTF-8");
    assert!(text.contains(r#"{"role":"tool","tool_name":"ls","content":"x"}"#), "{text}");
}

#[test]
fn a_body_is_told_from_one_of_chat_completions() {
    let native = [
        r#"{"model":"m","messages":[{"role":"user","content":"a"}],"options":{"num_ctx":9}}"#,
        r#"{"model":"m","messages":[{"role":"user","content":"a"}],"think":false}"#,
        r#"[{"role":"user","content":"a","images":["AAAA"]}]"#,
        r#"[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"a","arguments":{}}}]}]"#,
        r#"[{"role":"tool","tool_name":"a","content":"x"}]"#,
        r#"[{"role":"assistant","content":"a","thinking":"b"}]"#,
    ];
    for text in native {
        let found = formats::detect(text.as_bytes(), true).ok();
        assert_eq!(found, Some(Format::OllamaChat), "{text}");
    }
    let other = r#"[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"a","arguments":{}}}]}]"#;
    assert_eq!(formats::detect(other.as_bytes(), true).ok(), Some(Format::OpenAiChat));
}
