//! System texts: ahead of the conversation, inside it, or as notes; and tools.

use std::sync::Arc;

use json::Raw;
use record::{
    Block, Fact, Head, HeadDeclaration, Message, Rest, Role, SystemChange, ToolDefinition,
};
use replay::{Refusal, Unit};

use crate::history::{
    History, OPUS_4_8, SONNET_4_5, body, call, changes, extends, outline, result, text_at,
};

pub fn tool(name: &str) -> ToolDefinition {
    let wire = format!(r#"{{"name":"{name}","input_schema":{{"type":"object"}}}}"#);
    ToolDefinition::new(Raw::parse(&wire).expect("JSON")).expect("a tool")
}

pub fn head(tools: &[&str], system: &[&str]) -> Fact {
    head_of(tools.iter().map(|name| tool(name)).collect(), system)
}

pub fn head_of(tools: Vec<ToolDefinition>, system: &[&str]) -> Fact {
    Fact::Head(Box::new(Head {
        agent: "main".into(),
        head: Some(Arc::new(HeadDeclaration {
            tools,
            system: system.iter().map(|text| (*text).into()).collect(),
        })),
        folds_through: None,
        owners: None,
        reason: "adopted".into(),
        rest: Rest::default(),
    }))
}

#[test]
fn head_and_leading_system_rows_lead_and_a_later_one_is_native_where_the_model_takes_it() {
    let mut history = History::default();
    history.fact(head(&["read"], &["You are A.", " "]));
    history.system("be brief");
    history.user("go");
    history.system("be loud");
    history.reply(vec![Block::text("OK")]);
    history.user("on");
    let native = history.body(OPUS_4_8);
    assert_eq!(native["system"].as_array().map(Vec::len), Some(2));
    assert_eq!(native["tools"][0]["name"], "read");
    assert_eq!(outline(&native), "user: text; system: text; assistant: text; user: text");
    let noted = history.body(SONNET_4_5);
    assert_eq!(outline(&noted), "user: text text; assistant: text; user: text");
    assert_eq!(text_at(&noted, 0, 1), "[System note] be loud");
}

#[test]
fn a_system_text_never_stands_between_a_call_and_its_result() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.system("be loud");
    history.results(vec![result("a", "A")]);
    assert_eq!(
        outline(&history.body(OPUS_4_8)),
        "user: text; assistant: tool_use; user: tool_result; system: text"
    );
    assert_eq!(
        outline(&history.body(SONNET_4_5)),
        "user: text; assistant: tool_use; user: tool_result text"
    );
}

/// W2 of the declarations' tests
#[test]
fn a_system_message_that_was_sent_last_gives_way_to_a_user_message_and_it_is_named() {
    let mut history = History::default();
    history.user("one");
    history.system("be loud");
    let first = history.send(OPUS_4_8);
    assert_eq!(outline(&body(&first)), "user: text; system: text");
    let mut replied = history.clone();
    history.user("two");
    let second = history.prepare(OPUS_4_8).expect("a request");
    assert_eq!(outline(&body(&second)), "user: text; user: text; system: text");
    let moved = second.request.report().moved.expect("moved");
    assert_eq!(moved.unit, Unit::Content { message: 1, block: 0 });
    assert_eq!(moved.reason.as_str(), "demoted system note");
    assert!(changes(second.request.report()).contains(&"SYSTEM_FLOATED"));
    replied.answer(OPUS_4_8, vec![Block::text("OK")]);
    replied.user("two");
    let next = replied.prepare(OPUS_4_8).expect("a request");
    assert!(extends(&next, &first));
    assert_eq!(outline(&body(&next)), "user: text; system: text; assistant: text; user: text");
}

#[test]
fn a_declared_change_of_tools_is_part_of_the_head() {
    let mut history = History::default();
    history.fact(head(&["read", "grep"], &[]));
    history.user("go");
    let change = SystemChange {
        define_tools: vec![tool("write")],
        remove_tools: vec!["read".into()],
        add_system: vec!["prefer grep".into()],
        rest: Rest::default(),
    };
    history.message(Message::new(Role::System, vec![Block::SystemChange(change)]));
    let body = history.body(SONNET_4_5);
    let names: Vec<_> =
        body["tools"].as_array().expect("tools").iter().map(|t| t["name"].clone()).collect();
    assert_eq!(names, ["grep", "write"]);
    assert_eq!(text_at(&body, 0, 1), "[System note] prefer grep");
}

#[test]
fn a_tool_that_cannot_be_written_is_refused_by_name() {
    for (wire, why) in [
        (r#"{"name":"a b","input_schema":{"type":"object"}}"#, "A-042"),
        (r#"{"name":"a"}"#, "A-047"),
        (r#"{"name":"a","input_schema":{"type":"object","anyOf":[]}}"#, "A-047"),
        (r#"{"name":"a","description":"\ud800","input_schema":{"type":"object"}}"#, "A-004"),
    ] {
        let mut history = History::default();
        let definition = ToolDefinition::new(Raw::parse(wire).expect("JSON")).expect("a tool");
        let mut fact = head(&[], &[]);
        if let Fact::Head(head) = &mut fact {
            let tools = vec![definition];
            head.head = Some(Arc::new(HeadDeclaration { tools, system: Vec::new() }));
        }
        history.fact(fact);
        history.user("go");
        let refusal = history.prepare(OPUS_4_8).expect_err("refused");
        assert!(matches!(refusal, Refusal::ToolDefinition { .. }));
        assert!(refusal.to_string().contains(why), "{refusal}");
    }
    let mut history = History::default();
    history.fact(head(&["a", "a"], &[]));
    history.user("go");
    assert!(history.prepare(OPUS_4_8).expect_err("refused").to_string().contains("A-043"));
}

#[test]
fn no_tool_list_is_made_from_history() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    let body = history.body(OPUS_4_8);
    assert!(body.get("tools").is_none() && body.get("tool_choice").is_none());
}

#[test]
fn cache_breakpoints_stand_on_the_head_the_last_request_and_the_end() {
    let mut history = History::default();
    history.fact(head(&["read"], &[&"long ".repeat(4000)]));
    history.user("go");
    history.send(OPUS_4_8);
    history.answer(OPUS_4_8, vec![Block::text("ok")]);
    history.user("on");
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    let body = body(&prepared);
    let ephemeral = serde_json::json!({"type": "ephemeral"});
    assert_eq!(body["system"][0]["cache_control"], ephemeral);
    assert_eq!(body["messages"][0]["content"][0]["cache_control"], ephemeral);
    assert_eq!(body["messages"][2]["content"][0]["cache_control"], ephemeral);
    assert_eq!(prepared.request.report().cache_breakpoints, 3);
    assert_eq!(body.to_string().matches("cache_control").count(), 3);
}
