//! Tools, instructions and parameters.

use std::sync::Arc;

use json::Raw;
use record::{Fact, Head, HeadDeclaration, ToolDefinition};
use replay::{Now, Parameters, Refusal, Target, ThinkingChoice};
use serde_json::{Value, json};

use super::{asked, body, gpt, outline, says};
use crate::history::{History, changes};

fn headed(tools: &[&str], system: &[&str]) -> History {
    let tools = tools
        .iter()
        .map(|tool| ToolDefinition::new(Raw::parse(tool).expect("JSON")).expect("a definition"));
    let declaration = HeadDeclaration {
        tools: tools.collect(),
        system: system.iter().map(|text| (*text).into()).collect(),
    };
    let mut history = History::default();
    history.fact(Fact::Head(Box::new(Head {
        agent: "main".into(),
        head: Some(Arc::new(declaration)),
        folds_through: None,
        owners: None,
        reason: "start".into(),
        rest: record::Rest::default(),
    })));
    history.user("go");
    history
}

#[test]
fn functions_are_flat_and_not_strict_unless_they_say_so_and_a_format_makes_a_custom_tool() {
    let history = headed(
        &[
            r#"{"name":"look","description":"Looks.","input_schema":{"type":"object"}}"#,
            r#"{"name":"wait","input_schema":{"type":"object"},"strict":true}"#,
            r#"{"name":"note","input_schema":{"type":"object"},"format":{"type":"text"}}"#,
            r#"{"type":"bash_20250124","name":"bash"}"#,
            r#"{"name":"a.b"}"#,
        ],
        &[],
    );
    let prepared = super::prepare(&history, &gpt());
    let shown = body(&gpt(), &prepared);
    let tools = shown["tools"].as_array().expect("tools");
    assert_eq!(
        tools[..3],
        [
            json!({"type": "function", "name": "look", "description": "Looks.",
                "parameters": {"type": "object"}, "strict": false}),
            json!({"type": "function", "name": "wait", "parameters": {"type": "object"},
                "strict": true}),
            json!({"type": "custom", "name": "note", "format": {"type": "text"}}),
        ]
    );
    assert!(tools[3]["name"].as_str().is_some_and(|name| name.starts_with("a_b_")));
    assert_eq!(changes(prepared.request.report()), ["TOOL_OMITTED", "TOOL_RENAMED"]);
    let twice = headed(&[r#"{"name":"a"}"#, r#"{"name":"a"}"#], &[]);
    let refused = twice.prepare_for(gpt(), &Now::default());
    assert!(matches!(refused, Err(Refusal::ToolDefinition { .. })));
}

#[test]
fn the_operator_instructs_and_speaks_as_a_developer_later_on() {
    let mut history = headed(&[], &["You help.", "Be kind."]);
    history.reply(vec![record::Block::text("a")]);
    history.system("It is late.");
    history.user("and?");
    let principal = testkit::principal(700);
    let now = Now { principal: Some(principal), ..Now::default() };
    let prepared = history.prepare_for(gpt(), &now).expect("a request");
    let shown = body(&gpt(), &prepared);
    let instructions = shown["instructions"].as_str().expect("instructions");
    assert!(instructions.starts_with("You help.\n\nBe kind.\n\n[Runtime principal: "));
    assert_eq!(outline(&shown), "user assistant developer user");
    assert_eq!(says(&shown, 2), "It is late.");
    assert!(!shown["input"].to_string().contains("Runtime principal"));
    assert_eq!(asked(&history, &gpt())["instructions"], "You help.\n\nBe kind.");
}

#[test]
fn parameters_are_what_the_platform_takes() {
    let with = |target: &Target, parameters: Parameters| -> (Value, Vec<String>) {
        let now = Now { parameters, ..Now::default() };
        let prepared = headed(&[], &["s"]).prepare_for(target.clone(), &now).expect("a request");
        let changes = prepared.request.report().changes();
        let told = changes.map(|change| change.detail.as_deref().unwrap_or_default().to_owned());
        (body(target, &prepared), told.collect())
    };
    let max = |max_tokens| Parameters { max_tokens: Some(max_tokens), ..Parameters::default() };
    assert_eq!(with(&gpt(), max(100)).0["max_output_tokens"], 100);
    let (least, told) = with(&gpt(), max(1));
    assert_eq!((&least["max_output_tokens"], told), (&json!(16), vec!["max_output_tokens".into()]));
    let codex = Target::openai_responses("chatgpt", "gpt-5.5");
    let (none, told) = with(&codex, max(100));
    assert_eq!((none.get("max_output_tokens"), told), (None, vec!["max_output_tokens".into()]));

    let think = |thinking| Parameters { thinking, ..Parameters::default() };
    let effort = |target: &Target, thinking| with(target, think(thinking)).0["reasoning"].clone();
    assert_eq!(effort(&gpt(), ThinkingChoice::On), json!({"effort": "medium"}));
    assert_eq!(effort(&gpt(), ThinkingChoice::Off), json!({"effort": "none"}));
    assert_eq!(effort(&gpt(), ThinkingChoice::AsRecorded), Value::Null);
    let plain = Target::openai_responses("openai", "gpt-4o");
    assert_eq!(effort(&plain, ThinkingChoice::On), Value::Null);
    assert_eq!(with(&plain, Parameters::default()).0.get("include"), None);

    let extra = |name: &str, value: &str| {
        let value = Raw::parse(value).expect("JSON");
        Parameters { extra: vec![(name.into(), value)], ..Parameters::default() }
    };
    for (target, name, value) in [
        (&gpt(), "store", "true"),
        (&gpt(), "previous_response_id", "\"resp_1\""),
        (&gpt(), "temperature", "0.5"),
        (&Target::openai_responses("azure", "gpt-5.5"), "context_management", "[]"),
    ] {
        let (shown, told) = with(target, extra(name, value));
        assert_eq!(told, [name], "{shown}");
        assert_ne!(shown.get(name), Some(&serde_json::from_str(value).expect("JSON")));
    }
    let key = with(&gpt(), extra("prompt_cache_key", "\"k\""));
    assert_eq!((&key.0["prompt_cache_key"], key.1.len()), (&json!("k"), 0));
}
