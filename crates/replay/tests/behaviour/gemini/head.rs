//! What stands ahead: parameters, functions, the system instruction.

use json::Raw;
use record::Block;
use replay::{Now, Parameters, Refusal, Target, ThinkingChoice};

use super::{
    answer, asked, body, outline, part, prepare, send, signed_thought, three, two, vertex,
};
use crate::history::{History, call, changes, result};

/// 86, 87
#[test]
fn the_system_texts_and_this_moments_authority_are_parts_of_one_instruction() {
    let mut history = History::default();
    history.fact(crate::system::head(&[], &["You are Ada."]));
    history.system("Be kind.");
    history.user("go");
    let now = Now { principal: Some(testkit::principal(700)), ..Now::default() };
    let prepared = history.prepare_for(two(), &now).expect("a request");
    let shown = body(&two(), &prepared);
    let parts = shown["systemInstruction"]["parts"].as_array().expect("parts");
    assert_eq!(parts.len(), 3);
    assert_eq!(
        (&parts[0]["text"], &parts[1]["text"]),
        (&"You are Ada.".into(), &"Be kind.".into())
    );
    assert!(parts[2]["text"].as_str().is_some_and(|text| text.starts_with("[Runtime principal")));
    assert!(shown.get("model").is_none(), "the model stands in the address");
}

/// G-027
#[test]
fn a_system_text_in_mid_conversation_is_a_labelled_text_of_the_users() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.system("Be brief.");
    history.results(vec![result("a", "A")]);
    let prepared = prepare(&history, &vertex());
    let shown = body(&vertex(), &prepared);
    assert_eq!(
        outline(&shown),
        "user: text; model: functionCall+sig; user: functionResponse; user: text"
    );
    assert_eq!(part(&shown, 3, 0)["text"], "[System note] Be brief.");
}

/// G-021: JSON Schema has a member of its own.
#[test]
fn a_tool_is_a_declaration_with_its_schema_as_it_is() {
    let mut history = History::default();
    let schema = r#"{"type":"object","properties":{"a":{"type":["string","null"]}},"additionalProperties":false}"#;
    let wire =
        format!(r#"{{"name":"look up","description":"d","input_schema":{schema},"strict":true}}"#);
    let typed = r#"{"type":"web_search_20250305","name":"web_search"}"#;
    let tools = [wire.as_str(), typed]
        .map(|wire| record::ToolDefinition::new(Raw::parse(wire).expect("JSON")).expect("a tool"));
    history.fact(crate::system::head_of(tools.into(), &[]));
    history.user("go");
    let prepared = prepare(&history, &two());
    let shown = body(&two(), &prepared);
    let declared = &shown["tools"][0]["functionDeclarations"];
    assert_eq!(declared.as_array().map(Vec::len), Some(1));
    assert!(declared[0]["name"].as_str().is_some_and(|name| name.starts_with("look_up_")));
    assert_eq!(declared[0]["parametersJsonSchema"].to_string().len(), schema.len());
    assert_eq!(
        changes(prepared.request.report()),
        ["TOOL_RENAMED", "TOOL_MEMBER_OMITTED", "TOOL_OMITTED"]
    );
}

#[test]
fn a_tool_that_cannot_be_declared_is_refused_by_name() {
    let refused = |wires: &[&str]| {
        let mut history = History::default();
        let tool = |wire: &&str| record::ToolDefinition::new(Raw::parse(wire).expect("JSON"));
        let tools = wires.iter().filter_map(tool).collect();
        history.fact(crate::system::head_of(tools, &[]));
        history.user("go");
        matches!(history.prepare_for(two(), &Now::default()), Err(Refusal::ToolDefinition { .. }))
    };
    assert!(refused(&[r#"{"name":"a"}"#, r#"{"name":"a"}"#]));
    assert!(refused(&[r#"{"name":"a","input_schema":[]}"#]));
    assert!(refused(&[r#"{"name":"a","description":7}"#]));
    assert!(!refused(&[r#"{"name":"a"}"#]));
}

/// 80 of the wire: no list of tools is made from history.
#[test]
fn calls_without_tools_stand_without_tools() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    assert!(asked(&history, &two()).get("tools").is_none());
}

fn with(parameters: Parameters, target: &Target) -> (serde_json::Value, Vec<&'static str>) {
    let mut history = History::default();
    history.user("go");
    let now = Now { parameters, ..Now::default() };
    let prepared = history.prepare_for(target.clone(), &now).expect("a request");
    (body(target, &prepared), changes(prepared.request.report()))
}

#[test]
fn parameters_stand_where_the_wire_has_them_and_what_is_refused_is_left_out() {
    let raw = |text: &str| Raw::parse(text).expect("JSON");
    let parameters = Parameters {
        max_tokens: Some(1_000_000),
        tool_choice: Some(raw(r#"{"functionCallingConfig":{"mode":"AUTO"}}"#)),
        extra: vec![
            ("temperature".into(), raw("0.5")),
            ("safetySettings".into(), raw("[]")),
            ("mood".into(), raw("1")),
            ("contents".into(), raw("[]")),
        ],
        ..Parameters::default()
    };
    let (shown, said) = with(parameters, &two());
    assert_eq!(
        shown["generationConfig"],
        serde_json::json!({"maxOutputTokens": 65_536, "temperature": 0.5})
    );
    assert_eq!(shown["safetySettings"], serde_json::json!([]));
    assert!(shown.get("toolConfig").is_none() && shown.get("mood").is_none());
    assert_eq!(said, ["PARAMETER_ADJUSTED"; 4]);
}

/// G-032
#[test]
fn whether_to_think_is_said_as_the_model_takes_it() {
    let asked = |thinking, model: &str| {
        let parameters = Parameters { thinking, ..Parameters::default() };
        let (shown, said) = with(parameters, &Target::gemini(model));
        (shown["generationConfig"]["thinkingConfig"].to_string(), said.len())
    };
    let (on, off) = (ThinkingChoice::On, ThinkingChoice::Off);
    let shows = r#"{"includeThoughts":true}"#;
    assert_eq!(asked(on, "gemini-3-pro-preview"), (shows.into(), 0));
    assert_eq!(asked(off, "gemini-3-pro-preview"), ("null".into(), 1));
    assert_eq!(asked(on, "gemini-2.5-flash"), (shows.into(), 0));
    assert_eq!(asked(off, "gemini-2.5-flash"), (r#"{"thinkingBudget":0}"#.into(), 0));
    assert_eq!(asked(off, "gemini-2.5-pro"), ("null".into(), 1));
    let decides = r#"{"includeThoughts":true,"thinkingBudget":-1}"#;
    assert_eq!(asked(on, "gemini-2.5-flash-lite"), (decides.into(), 0));
    assert_eq!(asked(on, "gemini-2.0-flash"), ("null".into(), 1));
    assert_eq!(asked(off, "gemini-2.0-flash"), ("null".into(), 0));
}

/// Thoughts are asked for where the last turn had some.
#[test]
fn a_turn_that_thought_asks_for_thoughts_again() {
    let mut history = History::default();
    history.user("go");
    send(&mut history, &three());
    let row = vec![signed_thought(&three(), "hm", "czE="), Block::text("x")];
    answer(&mut history, &three(), row);
    history.user("go on");
    let shown = asked(&history, &three());
    assert_eq!(shown["generationConfig"]["thinkingConfig"]["includeThoughts"], true);
}
