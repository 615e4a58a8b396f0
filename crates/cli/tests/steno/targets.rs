//! Who a request can be for, and what each would say.

use stenograph::json::{Doc, Value};
use stenograph::wire::anthropic_messages::lint::{LintOptions, lint};
use stenograph::wire::bedrock_converse::models::DEFAULT_MODEL;
use stenograph::wire::openai_chat::vendors::VENDORS;
use stenograph::wire::openai_responses::platforms::PLATFORMS;

use crate::context::{Context, GOOD_BODY, project};

const OWN: &str = ".steno/config.toml";

#[test]
fn every_target_is_listed_the_users_own_with_its_place() {
    let context = Context::new();
    context.write_below(OWN, "[vendors.my-gateway]\nlike = \"groq\"\nimages = \"no\"\n");
    let run = context.run(&["targets"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let row = |name: &str| {
        let mut lines = run.out().lines();
        let line = lines.find(|line| line.split_whitespace().next() == Some(name));
        line.unwrap_or_else(|| panic!("no {name}")).split_whitespace().collect::<Vec<_>>()
    };
    for (name, _) in VENDORS {
        row(name);
    }
    assert_eq!(row("anthropic_messages").get(1..4), Some(&["yes", "yes", "yes"][..]));
    let (groq, own) = (row("groq"), row("my-gateway"));
    assert_eq!((groq[3], own[3]), ("yes", "no"));
    assert_eq!(own.get(4..10), groq.get(4..));
    assert!(own[10].ends_with("/.steno/config.toml:1"), "{own:?}");
}

#[test]
fn a_target_is_told_about_by_any_of_its_names() {
    let context = Context::new();
    context.write_below(OWN, "[vendors.gate]\nhost = \"gw.example\"\nlike = \"deepseek\"\n");
    for (name, first, has) in [
        ("kimi", "moonshot", "reasoning_key"),
        ("anthropic", "anthropic_messages", "claude-opus-4-8"),
        ("openai_chat", "openai_chat", "kimi-k2.5"),
        ("openai_responses", "openai_responses", "gpt-5.6"),
        ("openai_responses/api.openai.com", "openai_responses", "thinking"),
        ("openai_responses/codex", "openai_responses/chatgpt", "images"),
        ("openai_responses/gw.example", "openai_responses/gw.example", "1 to 64 characters"),
        ("openai_chat/localhost:8080", "openai_chat/localhost:8080", "wording"),
        ("openai_chat/gw.example", "gate", "like deepseek; "),
        ("gw.example", "gate", "like deepseek; "),
        ("anthropic.claude-opus-4-8-v1:0", "claude-opus-4-8: anthropic_messages", "binds_thinking"),
        ("bedrock", "bedrock_converse", "anthropic.claude"),
        ("us.amazon.nova-pro-v1:0", "amazon.nova: bedrock_converse", "server_tools"),
        ("gpt-5.6-sol", "gpt-5.6: openai_chat", "tools_while_reasoning"),
    ] {
        let run = context.run(&["targets", name]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(run.out().lines().next(), Some(first));
        assert!(run.out().contains(has), "{name}: {}", run.out());
    }
    let run = context.run(&["targets", "depseek"]);
    run.assert_refused(2);
    assert!(run.err.contains("did you mean `deepseek`?"), "{}", run.err);
    let changed = context.run(&["targets", "moonshot", "--model", "kimi-k3"]);
    assert!(changed.out().contains("tools_in_system") && changed.code == 0);
    assert_ne!(changed.out(), context.run(&["targets", "moonshot"]).out());
}

#[test]
fn a_row_that_is_shown_can_be_put_into_a_file() {
    let context = Context::new();
    let shown = context.run(&["targets", "mistral"]);
    let (_, row) = shown.out().split_once("\nrow").expect("the row");
    let (_, row) = row.split_once('\n').expect("its lines");
    context.write_below(OWN, format!("[vendors.copy]\n{row}"));
    let copy = context.run(&["targets", "copy"]);
    assert_eq!(copy.code, 0, "{}", copy.err);
    let (_, again) = copy.out().split_once("\nrow").expect("the row");
    assert_eq!(again.split_once('\n').expect("its lines").1, row);
}

#[test]
fn every_target_answers_to_a_session_in_its_own_words() {
    let context = Context::with_session();
    let run = context.run(&["doctor", "session.jsonl", "--all", "--json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let doc = Doc::parse_str(run.out()).expect("JSON");
    let targets = doc.root().get("targets").expect("targets");
    let says = |name: &str| {
        let mut targets = targets.items();
        let target = targets.find(|target| target.get_str("name").as_deref() == Some(name));
        target.and_then(|target| target.get_str("says")).expect(name).into_owned()
    };
    // Anthropic Messages, Bedrock, and Gemini on its two platforms.
    assert_eq!(targets.items().count(), VENDORS.len() + PLATFORMS.len() + 4);
    assert!(says("gemini").starts_with("Please ensure that the number of function response"));
    assert!(says("vertex").starts_with("Unable to submit request because it has an empty text"));
    assert!(says("anthropic_messages").contains("text content blocks must be non-empty"));
    assert!(says("openai").starts_with("An assistant message with 'tool_calls' must be followed"));
    assert!(says("openai_responses").starts_with("No tool output found for function call"));
    assert!(says("openai_responses/chatgpt").starts_with("No tool output found"));
    assert!(says("mistral").starts_with("Tool call id was"));
    assert!(says("minimax").ends_with("(2013)"));
    assert!(says("bedrock_converse").starts_with("The text field in the ContentBlock object"));
}

#[test]
fn what_is_fine_is_taken_by_every_target_and_what_is_asked_is_written() {
    let context = Context::new();
    context.write("body.json", GOOD_BODY);
    let run = context.run(&["doctor", "body.json", "--all"]);
    assert_eq!(run.code, 0, "{}", run.out());
    assert!(!run.out().contains("400"), "{}", run.out());
    let context = Context::with_session();
    for more in [&["--all"][..], &[], &["-q"], &["--json"]] {
        let arguments = [&["doctor", "session.jsonl", "-o", "request.json"], more].concat();
        assert_eq!(context.run(&arguments).code, 1);
        let body = context.read("request.json");
        assert_eq!(lint(body.as_bytes(), &LintOptions::default()), []);
        assert_eq!(body, context.run(&["replay", "session.jsonl", "-q"]).out());
    }
    context.run(&["doctor", "session.jsonl", "-q", "-o", "session.jsonl"]).assert_refused(2);
}

#[test]
fn one_branch_or_a_part_is_judged_where_it_is_asked_for() {
    let context = Context::with_session();
    let errors = |more: &[&str]| {
        let arguments = [&["doctor", "session.jsonl", "--all"], more].concat();
        context.run(&arguments).out().matches("C-001").count()
    };
    // Up to the first call's result, every call is answered.
    assert!(errors(&[]) > 0);
    assert_eq!(errors(&["--at", "4a6c"]), 0);
}

/// The model each target is asked for with `--all`, and who named it.
fn models(context: &Context, arguments: &[&str]) -> Vec<(String, Option<(String, String)>)> {
    let run = context.run(&[&["doctor", "--all", "--json"], arguments].concat());
    let doc = Doc::parse_str(run.out()).expect("JSON");
    let targets = doc.root().get("targets").expect("targets");
    let member = |target: Value<'_, '_>, name| target.get_str(name).map(|text| text.into_owned());
    let model = |target| Some((member(target, "model")?, member(target, "model_from")?));
    targets.items().map(|target| (member(target, "name").expect("a name"), model(target))).collect()
}

#[test]
fn a_target_is_asked_for_a_model_of_its_own_or_for_none() {
    let context = Context::with_session();
    let fixture = project().join("crates/formats/tests/fixtures/openai-chat/body.json");
    context.write("body.json", std::fs::read(fixture).expect("a fixture"));
    let of = |model: &str, from: &str| Some((model.to_owned(), from.to_owned()));
    let is_google = |name: &str| ["gemini", "vertex"].contains(&name);
    let google = || of("gemini-3-flash-preview", "default");
    for (name, model) in models(&context, &["session.jsonl"]) {
        let own = match name.as_str() {
            "anthropic_messages" => of("claude-sonnet-4-5-20250929", "record"),
            "bedrock_converse" => of(DEFAULT_MODEL, "default"),
            name if is_google(name) => google(),
            _ => None,
        };
        assert_eq!(model, own, "{name}");
    }
    for (name, model) in models(&context, &["body.json"]) {
        match name.as_str() {
            "anthropic_messages" | "bedrock_converse" => {
                assert_eq!(model.expect("the default").1, "default");
            }
            "deepseek" => assert_eq!(model.expect("the record's").1, "record"),
            name if is_google(name) => assert_eq!(model, google()),
            _ => assert_eq!(model, None, "{name}"),
        }
    }
    for (name, model) in models(&context, &["session.jsonl", "--model", "m"]) {
        assert_eq!(model, of("m", "asked"), "{name}");
    }
    context.write_below(OWN, "to = \"groq\"\nmodel = \"llama\"\n");
    for (name, model) in models(&context, &["session.jsonl"]) {
        match name.as_str() {
            "groq" => assert_eq!(model, of("llama", "config")),
            name if is_google(name) => assert_eq!(model, google()),
            "bedrock_converse" => assert_eq!(model.expect("the default").1, "default"),
            "anthropic_messages" => assert_eq!(model.expect("the record's").1, "record"),
            _ => assert_eq!(model, None, "{name}"),
        }
    }
}

#[test]
fn where_no_model_is_named_all_says_so_and_its_hint_works() {
    let context = Context::with_session();
    let run = context.run(&["doctor", "session.jsonl", "--all"]);
    let head = run.out().split("as recorded").next().expect("a head");
    assert!(!head.contains("model:"), "{head}");
    assert!(run.out().contains("  anthropic_messages: claude-sonnet-4-5-20250929 (the record's"));
    assert!(run.out().contains(": no model named\n"), "{}", run.out());
    assert!(run.out().contains("`--model MODEL` where no model is named"), "{}", run.out());
    let request = ["--to", "deepseek", "--model", "deepseek-v4", "-o", "request.json"];
    context.run(&[&["doctor", "session.jsonl"], &request[..]].concat());
    assert!(context.read("request.json").contains(r#""model":"deepseek-v4""#));
    let run = context.run(&["doctor", "session.jsonl", "--all", "--model", "m"]);
    assert!(!run.out().contains("no model"), "{}", run.out());
}

/// Everything for which a target refuses a session.
fn refused_by(name: &str, session: &str) -> Vec<String> {
    let context = Context::new();
    context.write("session.jsonl", session);
    let run = context.run(&["doctor", "session.jsonl", "--all", "--json"]);
    let doc = Doc::parse_str(run.out()).expect("JSON");
    let targets = doc.root().get("targets").expect("targets");
    let mut targets = targets.items();
    let target = targets.find(|target| target.get_str("name").as_deref() == Some(name));
    let target = target.expect(name);
    let findings = target.get("findings").expect("findings").items();
    let errors = findings.filter(|one| one.get_str("severity").as_deref() == Some("error"));
    errors.map(|one| one.get_str("message").expect("words").into_owned()).collect()
}

fn refused(session: &str) -> Vec<String> {
    refused_by("anthropic_messages", session)
}

/// Lines of Claude Code, each the child of the one before.
fn claude_code(messages: &[&str]) -> String {
    let mut parent = "null".to_owned();
    let mut out = String::new();
    for (number, message) in messages.iter().enumerate() {
        let kind = if message.contains(r#""role":"assistant""#) { "assistant" } else { "user" };
        out.push_str(&format!(
            r#"{{"type":"{kind}","uuid":"u{number}","parentUuid":{parent},"message":{message}}}"#
        ));
        out.push('\n');
        parent = format!("\"u{number}\"");
    }
    out
}

const ASKS: &str = r#"{"role":"user","content":"hi"}"#;

#[test]
fn words_behind_a_result_stand_behind_it_for_every_target() {
    let calls = r#"{"role":"assistant","id":"m","model":"claude-opus-4-8","content":[{"type":"tool_use","id":"toolu_01","name":"ls","input":{}}]}"#;
    let user = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01","content":"x"},{"type":"text","text":"and?"}]}"#;
    let session = claude_code(&[ASKS, calls, user]);
    for name in ["anthropic_messages", "openai", "groq"] {
        assert_eq!(refused_by(name, &session), [""; 0], "{name}");
    }
}

#[test]
fn a_bare_list_of_messages_is_judged_as_the_messages_of_a_body() {
    let reply = r#"{"role":"assistant","content":"hello","tool_calls":null}"#;
    let list = format!("[{ASKS},{reply},{ASKS}]");
    let context = Context::new();
    context.write("list.json", &list);
    assert_eq!(context.run(&["doctor", "list.json", "--to", "groq", "--model", "m"]).code, 0);
    assert_eq!(refused_by("groq", &list), [""; 0]);
}

#[test]
fn a_vendor_is_said_to_refuse_what_its_row_refuses_in_its_own_words() {
    let context = Context::with_session();
    let calls = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{\"x\":"}}]}"#;
    let result = r#"{"role":"tool","tool_call_id":"a","content":"x"}"#;
    let tools = r#"[{"type":"function","function":{"name":"ls","parameters":{"type":"object","properties":{}}}}]"#;
    let body = format!(r#"{{"model":"m","tools":{tools},"messages":[{ASKS},{calls},{result}]}}"#);
    context.write("body.json", body);
    let doctor = |source: &str, to: &str| {
        let run = context.run(&["doctor", source, "--to", to, "--model", "m"]);
        (run.code, run.out().to_owned())
    };
    // The same rule: of one vendor it is not established, another is known to refuse.
    let (code, said) = doctor("body.json", "together");
    assert_eq!((code, said.contains("error[")), (0, false), "{said}");
    let (code, said) = doctor("body.json", "qwen");
    assert_eq!((code, said.contains("error[K-010]")), (1, true), "{said}");
    let (_, said) = doctor("session.jsonl", "mistral");
    assert!(said.contains("400 Not the same number of function calls and responses"), "{said}");
    assert!(!said.contains("An assistant message with"), "{said}");
    // What plain doctor says is what it says with --all.
    for name in ["openai", "mistral", "deepseek", "groq", "vllm"] {
        let (code, _) = doctor("session.jsonl", name);
        let refused = refused_by(name, &context.read("session.jsonl"));
        assert_eq!(code == 1, !refused.is_empty(), "{name}");
    }
}

#[test]
fn a_finished_session_is_not_refused_for_having_no_next_prompt() {
    let answers = r#"{"role":"assistant","id":"m","model":"claude-opus-4-8","content":[{"type":"text","text":"hello"}]}"#;
    assert_eq!(refused(&claude_code(&[ASKS, answers])), [""; 0]);
}

#[test]
fn tools_that_nobody_recorded_are_not_missed() {
    let calls = r#"{"role":"assistant","id":"m","model":"claude-opus-4-8","content":[{"type":"tool_use","id":"t","name":"ToolSearch","input":{}}]}"#;
    let finds = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"tool_reference","tool_name":"Fetch"}]}]}"#;
    assert_eq!(refused(&claude_code(&[ASKS, calls, finds])), [""; 0]);
}

#[test]
fn what_another_harness_keeps_for_itself_is_not_held_against_a_session() {
    for fixture in ["copilot-cli/events.jsonl", "codex/session.jsonl"] {
        let path = project().join("crates/formats/tests/fixtures").join(fixture);
        let session = std::fs::read_to_string(path).expect("a fixture");
        let says = refused(&session).join("; ");
        assert!(!says.contains("Extra inputs are not permitted"), "{fixture}: {says}");
        assert!(!says.contains("Invalid `signature`"), "{fixture}: {says}");
    }
}

#[test]
fn what_the_form_of_a_body_hides_is_said_all_the_same() {
    let calls = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{\"x\":"}}]}"#;
    let result = r#"{"role":"tool","tool_call_id":"a","content":"x"}"#;
    let body = format!(r#"{{"model":"gpt-4o","messages":[{ASKS},{calls},{result}]}}"#);
    let says = refused(&body).join("; ");
    assert!(says.contains("a valid dictionary"), "{says}");
}

#[test]
fn what_stands_before_a_message_that_is_left_out_is_judged_too() {
    let line = |id: &str, parent: &str, message: &str| {
        format!(r#"{{"type":"message","id":"{id}","parentId":{parent},"message":{message}}}"#)
    };
    let says = |content: &str| {
        format!(
            r#"{{"role":"assistant","api":"openai-responses","provider":"openai","model":"gpt-5","content":[{content}]}}"#
        )
    };
    let calls = says(r#"{"type":"toolCall","id":"t1","name":"ls","arguments":{}}"#);
    let thinks = says(
        r#"{"type":"thinking","thinking":"hm","thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_1\",\"encrypted_content\":\"c2ln\"}"}"#,
    );
    let lines = [
        r#"{"type":"session","version":3,"id":"s","cwd":"/home/ada"}"#.to_owned(),
        line("a", "null", ASKS),
        line("b", "\"a\"", &calls),
        line("c", "\"b\"", ASKS),
        line("d", "\"c\"", &thinks),
        line("e", "\"d\"", ASKS),
    ];
    let said = refused_by("openai", &lines.join("\n"));
    assert!(said.iter().any(|one| one.contains("t1")), "{said:?}");
    let said = refused(&lines.join("\n"));
    assert!(said.iter().any(|one| one.contains("t1")), "{said:?}");
    assert!(said.iter().all(|one| !one.contains("signature")), "{said:?}");
}

#[test]
fn no_tools_is_refused_where_calls_are_always_said_as_calls() {
    let context = Context::with_session();
    for (to, code) in [
        ("anthropic_messages", 2),
        ("openai_responses", 2),
        ("gemini", 2),
        ("vertex", 2),
        ("bedrock_converse", 0),
        ("openai", 0),
    ] {
        let args = ["replay", "session.jsonl", "--to", to, "--model", "some-model-1", "--no-tools"];
        let run = context.run(&args);
        assert_eq!(run.code, code, "{to}: {}", run.err);
        assert_eq!(run.err.contains("`--no-tools` does nothing"), code == 2, "{to}: {}", run.err);
    }
}
