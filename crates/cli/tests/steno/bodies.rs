//! `steno check` over many bodies: files, lists, folders, and what comes of them.

use stenograph::json::{Doc, Value};

use crate::context::{BAD_BODY, Context, GOOD_BODY, Run};
use crate::documents::violations;

/// A folder of bodies, of what is none, and of what is broken.
fn folder() -> Context {
    let context = Context::new();
    context.write_below("calls/bad.json", BAD_BODY);
    context.write_below("calls/more/good.json", GOOD_BODY);
    context.write_below("calls/more/list.jsonl", format!("{GOOD_BODY}\n\n{BAD_BODY}\n"));
    context.write_below("calls/package.json", "{\"name\":\"x\"}");
    context.write_below("calls/session.jsonl", crate::context::interrupted());
    context.write_below("calls/.hidden/bad.json", BAD_BODY);
    context.write_below("calls/notes.txt", BAD_BODY);
    context
}

fn last_line(run: &Run) -> &str {
    run.out().lines().next_back().unwrap_or_default()
}

#[test]
fn a_folder_is_looked_into_and_what_holds_no_body_is_passed_over() {
    let context = folder();
    let run = context.run(&["check", "calls"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert_eq!(last_line(&run), "4 bodies: 2 errors (2 files without a body passed over)");
    let places: Vec<&str> =
        run.out().lines().filter_map(|line| line.trim().strip_prefix("--> ")).collect();
    assert_eq!(places, ["calls/bad.json:1:106", "calls/more/list.jsonl:3:106"]);
    // What is broken may have been a body.
    context.write_below("calls/cut.json", &BAD_BODY[..40]);
    let run = context.run(&["check", "calls"]);
    assert!(last_line(&run).starts_with("5 bodies: 3 errors"), "{}", run.out());
    // So may have been the first of several, and the only one.
    context.write_below("calls/torn.jsonl", format!("{}\n{GOOD_BODY}\n", &BAD_BODY[..40]));
    context.write_below("calls/alone.jsonl", &BAD_BODY[..90]);
    let run = context.run(&["check", "calls"]);
    assert!(last_line(&run).starts_with("8 bodies: 5 errors"), "{}", run.out());
}

#[test]
fn bodies_of_responses_that_ask_one_text_are_judged_line_by_line() {
    let context = Context::new();
    let asked = r#"{"model":"gpt-5.5","input":"hi"}"#;
    context.write("all.jsonl", format!("{asked}\n{asked}\n"));
    let run = context.run(&["check", "all.jsonl"]);
    assert_eq!(run.code, 0, "{}", run.out());
    assert_eq!(last_line(&run), "2 bodies: no findings");
}

#[test]
fn a_list_of_bodies_is_judged_line_by_line() {
    let context = folder();
    let run = context.run(&["check", "calls/more/list.jsonl"]);
    assert_eq!(run.code, 1);
    let heads: Vec<&str> = run.out().lines().filter(|line| line.contains("list.jsonl:")).collect();
    assert_eq!(
        heads,
        [
            "calls/more/list.jsonl:1: no findings",
            " --> calls/more/list.jsonl:3:106",
            "calls/more/list.jsonl:3: 1 error"
        ]
    );
    assert_eq!(last_line(&run), "2 bodies: 1 error");
}

#[test]
fn each_body_is_judged_by_the_api_of_its_shape() {
    let context = Context::new();
    let chat =
        r#"{"model":"gpt-4o","messages":[{"role":"tool","tool_call_id":"a","content":"x"}]}"#;
    let ollama = r#"{"model":"m","think":true,"messages":[{"role":"user","content":[]}]}"#;
    context.write("all.jsonl", format!("{BAD_BODY}\n{chat}\n{ollama}\n"));
    let run = context.run(&["check", "all.jsonl", "--json"]);
    let doc = Doc::parse_str(run.out()).expect("JSON");
    let bodies = doc.root().get("bodies").into_iter().flat_map(Value::items);
    let rules: Vec<String> = bodies
        .map(|body| {
            let first = body.get("findings").and_then(|findings| findings.items().next());
            first.and_then(|finding| finding.get_str("rule")).unwrap_or_default().into_owned()
        })
        .collect();
    assert_eq!(rules, ["A-020", "C-002", "O-1"]);
}

#[test]
fn the_exit_code_says_whether_anything_is_refused() {
    let context = folder();
    let warned = r#"{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user",
        "content":[{"type":"text","text":" "}]}]}"#;
    context.write("warned.json", warned);
    let code = |arguments: &[&str]| context.run(&[&["check"][..], arguments].concat()).code;
    assert_eq!(code(&["calls/more/good.json"]), 0);
    assert_eq!(code(&["calls/more/good.json", "calls/bad.json"]), 1);
    assert_eq!(code(&["calls/more/good.json", "nowhere.json"]), 3);
    assert_eq!(code(&["calls/more/good.json", "--format", "xml"]), 2);
    let with_warning = context.run(&["check", "warned.json"]);
    if with_warning.out().contains("warning") && with_warning.code == 0 {
        assert_eq!(code(&["warned.json", "--strict"]), 1);
    }
    std::fs::create_dir(context.folder.join("empty")).expect("a folder");
    context.run(&["check", "empty"]).assert_refused(3);
}

#[test]
fn a_sarif_log_has_what_the_format_requires_and_every_finding() {
    let context = folder();
    let run = context.run(&["check", "calls", "--format", "sarif"]);
    assert_eq!(run.code, 1);
    let schema = Doc::parse_str(include_str!("sarif.schema.json")).expect("a schema");
    let doc = Doc::parse_str(run.out()).expect("JSON");
    assert_eq!(violations(doc.root(), schema.root(), "$"), [""; 0], "{}", run.out());
    let log = doc.root().get("runs").and_then(|runs| runs.items().next()).expect("a run");
    let results: Vec<_> = log.get("results").into_iter().flat_map(Value::items).collect();
    assert_eq!(results.len(), 2);
    let rules: Vec<_> = log
        .get("tool")
        .and_then(|tool| tool.get("driver")?.get("rules"))
        .into_iter()
        .flat_map(Value::items)
        .collect();
    for result in &results {
        let index = result.get("ruleIndex").and_then(Value::as_u64).expect("an index") as usize;
        assert_eq!(rules[index].get_str("id"), result.get_str("ruleId"));
        let message = result.get("message").and_then(|message| message.get_str("text"));
        assert!(message.is_some_and(|text| text.contains("non-empty")));
    }
    let clean = context.run(&["check", "calls/more/good.json", "--format", "sarif"]);
    assert_eq!(clean.code, 0);
    assert!(clean.out().contains(r#""results":[]"#), "{}", clean.out());
}
