//! What stands ahead: the one system message, tools, parameters.

use json::Raw;
use record::{Block, Fact, Head, HeadDeclaration, Rest, ToolDefinition};
use replay::{Limits, Now, Parameters, Refusal, Target, ThinkingChoice};

use super::{asked, body, deepseek, mistral, openai, outline, prepare, text_at, unknown};
use crate::history::{History, call, changes, result};

pub fn with_tools(wires: &[&str]) -> History {
    let tools = wires
        .iter()
        .map(|wire| ToolDefinition::new(Raw::parse(wire).expect("JSON")).expect("a tool"));
    let head = HeadDeclaration { tools: tools.collect(), system: Vec::new() };
    let mut history = History::default();
    history.fact(Fact::Head(Box::new(Head {
        agent: "main".into(),
        head: Some(head.into()),
        folds_through: None,
        owners: None,
        reason: "test".into(),
        rest: Rest::default(),
    })));
    history.user("go");
    history
}

/// 86, 87, K-003
#[test]
fn the_system_texts_and_this_moments_authority_are_one_message() {
    let mut history = History::default();
    history.fact(crate::system::head(&[], &["You are Ada.", "Be brief."]));
    history.system("Be kind.");
    history.user("go");
    let now = Now { principal: Some(testkit::principal(700)), ..Now::default() };
    for target in [openai(), unknown()] {
        let prepared = history.prepare_for(target.clone(), &now).expect("a request");
        let shown = body(&target, &prepared);
        assert_eq!(outline(&shown), "system: text; user: text");
        let text = text_at(&shown, 0);
        assert!(text.starts_with("You are Ada.\n\nBe brief.\n\nBe kind.\n\n[Runtime principal"));
    }
}

/// C-019, K-001
#[test]
fn the_operator_speaks_in_the_role_the_model_takes() {
    let mut history = History::default();
    history.system("Be brief.");
    history.user("go");
    for (vendor, model, role) in [
        ("openai", "gpt-4o", "system"),
        ("openai", "gpt-5", "developer"),
        ("azure", "o3", "developer"),
        ("groq", "gpt-5", "system"),
        ("openai", "o1-mini", "user"),
    ] {
        let shown = asked(&history, &Target::openai_chat(vendor, model));
        assert_eq!(shown["messages"][0]["role"], role, "{vendor} {model}");
    }
    let shown = asked(&history, &Target::openai_chat("openai", "o1-mini"));
    assert_eq!(text_at(&shown, 0), "[System note] Be brief.");
}

#[test]
fn tools_are_functions_and_what_a_function_has_no_place_for_is_named() {
    let history = with_tools(&[
        r#"{"name":"ls","description":"lists","input_schema":{"type":"object", "properties":{}},
            "strict":true,"input_examples":[],"cache_control":{"type":"ephemeral"}}"#,
        r#"{"name":"none"}"#,
        r#"{"type":"web_search_20250305","name":"web_search"}"#,
    ]);
    let prepared = prepare(&history, &openai());
    let shown = body(&openai(), &prepared);
    let parameters = serde_json::json!({ "type": "object", "properties": {} });
    let expected = serde_json::json!([
        { "type": "function", "function": {
            "name": "ls", "description": "lists", "parameters": parameters, "strict": true } },
        { "type": "function", "function": { "name": "none", "parameters": parameters } },
    ]);
    assert_eq!(shown["tools"], expected);
    assert_eq!(changes(prepared.request.report()), ["TOOL_MEMBER_OMITTED", "TOOL_OMITTED"]);
    // A strict tool is none where nobody knows that strict is taken, and that is said.
    let prepared = prepare(&history, &mistral());
    assert!(body(&mistral(), &prepared)["tools"][0]["function"].get("strict").is_none());
    let details = prepared.request.report().changes().filter_map(|change| change.detail.clone());
    assert!(details.collect::<Vec<_>>().contains(&"ls: strict".into()));
}

#[test]
fn a_tool_that_cannot_be_written_is_refused_by_name() {
    for wire in [
        r#"{"name":"bad","input_schema":{"type":"string"}}"#,
        r#"{"name":"bad","input_schema":3}"#,
        r#"{"name":"bad","description":3,"input_schema":{"type":"object"}}"#,
        r#"{"name":"bad","description":"\ud800","input_schema":{"type":"object"}}"#,
        r#"{"name":"bad","description":"\u0000","input_schema":{"type":"object"}}"#,
    ] {
        let refusal = with_tools(&[wire]).prepare_for(openai(), &Now::default());
        let name = match refusal {
            Err(Refusal::ToolDefinition { name, .. }) => name,
            other => panic!("{wire}: {other:?}"),
        };
        assert_eq!(name, "bad");
    }
    let many: Vec<String> = (0..129)
        .map(|at| format!(r#"{{"name":"t{at}","input_schema":{{"type":"object"}}}}"#))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(with_tools(&many).prepare_for(openai(), &Now::default()).is_err());
    assert!(with_tools(&many).prepare_for(mistral(), &Now::default()).is_ok());
}

fn thinking(choice: ThinkingChoice) -> Now {
    Now { parameters: Parameters { thinking: choice, ..Parameters::default() }, ..Now::default() }
}

#[test]
fn a_model_is_asked_to_think_in_the_form_its_vendor_takes() {
    let mut history = History::default();
    history.user("go");
    let thinks = |on: bool| {
        let word = if on { "enabled" } else { "disabled" };
        serde_json::json!({ "type": word })
    };
    let template = |on: bool| serde_json::json!({ "enable_thinking": on });
    let enabled = |on: bool| serde_json::json!({ "enabled": on });
    let none = || serde_json::Value::Null;
    for (vendor, model, key, on, off) in [
        ("openai", "gpt-5", "reasoning_effort", "medium".into(), none()),
        ("openai", "gpt-5.6", "reasoning_effort", "medium".into(), "none".into()),
        ("azure", "o3", "reasoning_effort", "medium".into(), none()),
        ("openai", "gpt-4o", "reasoning_effort", none(), none()),
        ("openrouter", "qwen/qwen3", "reasoning", enabled(true), enabled(false)),
        ("deepseek", "deepseek-v4-pro", "thinking", thinks(true), thinks(false)),
        ("moonshot", "kimi-k2.6", "thinking", thinks(true), thinks(false)),
        ("moonshot", "kimi-k3", "thinking", thinks(true), none()),
        ("zai", "glm-5", "thinking", thinks(true), thinks(false)),
        ("qwen", "qwen3-max", "enable_thinking", true.into(), false.into()),
        ("vllm", "qwen3", "chat_template_kwargs", template(true), template(false)),
        ("llama.cpp", "qwen3", "chat_template_kwargs", template(true), template(false)),
        ("lmstudio", "qwen3", "chat_template_kwargs", template(true), template(false)),
        ("ollama", "qwen3", "thinking", none(), none()),
        ("mistral", "magistral", "reasoning_effort", none(), none()),
        ("llm.example.org", "m", "thinking", none(), none()),
    ] {
        let target = Target::openai_chat(vendor, model);
        for (choice, expected) in [(ThinkingChoice::On, on), (ThinkingChoice::Off, off)] {
            let prepared = history.prepare_for(target.clone(), &thinking(choice)).expect("one");
            let shown = body(&target, &prepared);
            assert_eq!(shown[key], expected, "{vendor} {model} {choice:?}");
            let unheard = changes(prepared.request.report()).contains(&"PARAMETER_ADJUSTED");
            assert_eq!(unheard, expected.is_null(), "{vendor} {model} {choice:?}");
        }
        assert!(asked(&history, &target).get(key).is_none(), "nothing was recorded");
    }
}

#[test]
fn a_turn_that_thought_is_gone_on_with_thinking() {
    let mut history = History::default();
    history.user("go");
    let thought = super::thought("reasoning_content", "hm");
    super::answer(&mut history, &deepseek(), vec![thought, call("a", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    assert_eq!(asked(&history, &deepseek())["thinking"]["type"], "enabled");
}

/// C-025
#[test]
fn tools_and_reasoning_do_not_meet_where_the_model_refuses_both() {
    let history = with_tools(&[r#"{"name":"ls","input_schema":{"type":"object"}}"#]);
    for (model, effort) in
        [("gpt-5.6", Some("none")), ("gpt-5.4", Some("none")), ("gpt-5", None), ("gpt-4o", None)]
    {
        let target = Target::openai_chat("openai", model);
        let shown = asked(&history, &target);
        assert_eq!(shown["reasoning_effort"].as_str(), effort, "{model}");
        for (choice, reported) in [
            (ThinkingChoice::AsRecorded, effort.is_some()),
            (ThinkingChoice::On, effort.is_some()),
            (ThinkingChoice::Off, false),
        ] {
            let prepared = history.prepare_for(target.clone(), &thinking(choice)).expect("one");
            let told = changes(prepared.request.report()).contains(&"THINKING_TURNED_OFF");
            assert_eq!(told, reported, "{model} {choice:?}");
        }
    }
}

/// C-025: a model in no row may know of no effort; a wrong `none` is a refusal as well.
#[test]
fn a_model_in_no_row_is_sent_no_effort_beside_tools() {
    let history = with_tools(&[r#"{"name":"ls","input_schema":{"type":"object"}}"#]);
    for vendor in ["openai", "azure"] {
        let prepared = prepare(&history, &Target::openai_chat(vendor, "my-deployment"));
        let text = String::from_utf8(prepared.request.body().to_vec()).expect("UTF-8");
        assert!(!text.contains("reasoning_effort"), "{text}");
        assert!(!changes(prepared.request.report()).contains(&"THINKING_TURNED_OFF"));
    }
}

/// C-034
#[test]
fn the_limit_of_the_reply_goes_by_the_name_the_vendor_takes() {
    let mut history = History::default();
    history.user("go");
    let parameters = Parameters { max_tokens: Some(99), ..Parameters::default() };
    let now = Now { parameters, ..Now::default() };
    for (target, key) in [(openai(), "max_completion_tokens"), (mistral(), "max_tokens")] {
        let prepared = history.prepare_for(target.clone(), &now).expect("a request");
        assert_eq!(body(&target, &prepared)[key], 99);
    }
    assert!(asked(&history, &openai()).get("max_completion_tokens").is_none());
}

#[test]
fn a_parameter_that_the_model_refuses_is_left_out_and_named() {
    let mut history = History::default();
    history.user("go");
    let raw = |text: &str| Raw::parse(text).expect("JSON");
    let parameters = Parameters {
        tool_choice: Some(raw(r#""auto""#)),
        extra: vec![
            ("temperature".into(), raw("0.5")),
            ("messages".into(), raw("[]")),
            ("user".into(), raw(r#""u""#)),
        ],
        ..Parameters::default()
    };
    let now = Now { parameters, ..Now::default() };
    let target = Target::openai_chat("openai", "o3");
    let prepared = history.prepare_for(target.clone(), &now).expect("a request");
    let shown = body(&target, &prepared);
    assert_eq!(shown["user"], "u");
    assert!(shown.get("temperature").is_none() && shown.get("tool_choice").is_none());
    let details = prepared.request.report().changes().filter_map(|change| change.detail.clone());
    let mut details: Vec<_> = details.collect();
    details.sort();
    assert_eq!(details, ["messages".into(), "temperature".into(), "tool_choice".into()]);
}

#[test]
fn a_vendor_nobody_knows_is_named_and_written_to_as_to_the_strictest() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![Block::text("ok")]);
    let prepared = prepare(&history, &unknown());
    let change = prepared.request.report().changes().next().cloned();
    let named = prepared.request.report().changes().any(|change| {
        change.kind.as_str() == "VENDOR_UNKNOWN"
            && change.detail.as_deref() == Some("llm.example.org")
    });
    assert!(named, "{change:?}");
    assert!(!changes(prepare(&history, &openai()).request.report()).contains(&"VENDOR_UNKNOWN"));
}

/// A-002 is the Claude API's alone.
#[test]
fn a_request_that_is_too_large_names_whose_limit_it_is_over() {
    let mut history = History::default();
    history.user(&"x".repeat(33_000_000));
    let claude = Target::anthropic(crate::history::OPUS_4_8);
    let refused = |target: Target, now: &Now| {
        history.prepare_for(target, now).expect_err("too large").to_string()
    };
    let now = Now::default();
    assert!(refused(claude, &now).ends_with("bytes, the provider takes 32000000"));
    assert!(refused(openai(), &now).ends_with("bytes, our limit is 32000000"));
    let limits = Limits { body_bytes_max: Some(9), ..Limits::default() };
    let now = Now { limits, ..Now::default() };
    assert!(refused(openai(), &now).ends_with("bytes, the provider takes 9"));
    let limits = Limits { body_bytes_max: Some(40_000_000), ..Limits::default() };
    assert!(history.prepare_for(openai(), &Now { limits, ..Now::default() }).is_ok());
}
