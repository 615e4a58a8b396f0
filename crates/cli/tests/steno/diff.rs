//! `steno diff`: two bodies, two points of a session, and how a run ends.

use stenograph::json::Doc;

use crate::context::{Context, interrupted};

/// Text enough for a cache to keep it.
fn long(word: &str) -> String {
    word.repeat(3000)
}

/// Lines of a session of two replies; `between` stands before the last prompt.
fn session(between: &str) -> String {
    let source = r#""source":{"kind":"model","platform":"anthropic","api":"anthropic_messages","model":"claude-opus-4-8"}"#;
    let tools = r#"{"name":"ls","description":"List.","input_schema":{"type":"object"}}"#;
    let prompt = long("open ");
    format!(
        r#"{{"stenograph":"record","v":1}}
{{"v":1,"entry":"head","id":"h1","parent_id":null,"seq":1,"agent":"main","reason":"adopted","head":{{"tools":[{tools}],"system":["Keep the ledger."]}}}}
{{"v":1,"entry":"message","id":"u1","parent_id":"h1","seq":2,"role":"user","blocks":[{{"type":"text","text":"{prompt}"}}],"source":{{"kind":"user"}}}}
{{"v":1,"entry":"message","id":"a1","parent_id":"u1","seq":3,"role":"assistant","blocks":[{{"type":"text","text":"Three."}}],{source},"usage":{{"input_tokens":100,"output_tokens":9,"cache_creation_input_tokens":7900,"cache_read_input_tokens":0}},"stop":{{"kind":"stop"}}}}
{between}{{"v":1,"entry":"message","id":"u2","parent_id":"a1","seq":9,"role":"user","blocks":[{{"type":"text","text":"And now?"}}],"source":{{"kind":"user"}}}}
{{"v":1,"ref":"main","tip":"u2","reason":"append"}}
"#
    )
}

/// The session with an entry before its last prompt.
fn session_with(line: &str, id: &str) -> String {
    let next = format!(r#""id":"u2","parent_id":"{id}""#);
    session(&format!("{line}\n")).replace(r#""id":"u2","parent_id":"a1""#, &next)
}

/// The session with another head before its last prompt.
fn moved() -> String {
    let line = r#"{"v":1,"entry":"head","id":"h2","parent_id":"a1","seq":4,"agent":"main","reason":"adopted","head":{"tools":[{"name":"ls","description":"List.","input_schema":{"type":"object"}}],"system":["Keep the ledger of May."]}}"#;
    session_with(line, "h2")
}

#[test]
fn the_point_before_the_last_reply_is_compared_with_now() {
    let context = Context::new();
    context.write("s.jsonl", session(""));
    let run = context.run(&["diff", "s.jsonl", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let doc = Doc::parse_str(run.out()).expect("JSON");
    let member = |name: &str| doc.root().get(name).expect(name);
    assert_eq!((member("extends").raw(), member("appended").raw()), ("true", "2"));
    // What the provider counted goes before an estimate.
    assert_eq!(member("cache").get_str("basis").as_deref(), Some("usage"));
    assert_eq!(member("cache").get("tokens_before").map(|n| n.raw()), Some("8000"));
    let run = context.run(&["diff", "s.jsonl", "--at", "u1", "--at", "u2", "--json"]);
    assert_eq!(run.out(), context.run(&["diff", "s.jsonl", "--json"]).out());
}

#[test]
fn the_entry_and_the_reason_that_moved_a_prefix_are_named_with_what_it_costs() {
    let context = Context::new();
    context.write("s.jsonl", moved());
    let run = context.run(&["diff", "s.jsonl", "--json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let doc = Doc::parse_str(run.out()).expect("JSON");
    let reason = doc.root().get("reason").expect("a reason");
    assert_eq!(reason.get_str("name").as_deref(), Some("head"));
    assert_eq!(reason.get("entries").map(|entries| entries.raw()), Some(r#"["h2"]"#));
    let cache = doc.root().get("cache").expect("what it costs");
    let number = |name: &str| cache.get(name).and_then(|n| n.as_u64()).expect(name);
    assert!(number("tokens_lost") > 7000 && number("tokens_lost") <= 8000, "{}", cache.raw());
    assert_eq!((number("micro_again"), number("micro_read")), (6_250_000, 500_000));
    let exact = number("tokens_again") as f64 * 5.75;
    assert!((number("micro_cost") as f64 - exact).abs() <= 0.5);
    let shown = context.run(&["diff", "s.jsonl"]);
    assert!(shown.out().contains("reason: head (entry h2)"), "{}", shown.out());
}

#[test]
fn what_was_retracted_is_shown_nowhere() {
    let context = Context::new();
    let line = r#"{"v":1,"entry":"retracted","id":"r1","parent_id":"a1","seq":4,"blocks":[{"row":"u1","block":0}],"reason":"a secret"}"#;
    context.write("s.jsonl", session_with(line, "r1"));
    for arguments in [&["diff", "s.jsonl"][..], &["diff", "s.jsonl", "--at", "u1", "--json"]] {
        let run = context.run(arguments);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(!run.out().contains("open"), "{}", run.out());
    }
}

#[test]
fn usage_of_another_model_or_without_its_tools_is_not_taken_for_this_requests() {
    let context = Context::new();
    context.write("s.jsonl", session(""));
    context.write("bare.jsonl", session("").replace(r#""tools":[{"#, r#""tools":[],"was":[{"#));
    for arguments in [&["--model", "claude-opus-4-7"][..], &["--to", "openai_chat"]] {
        let model = ["--model", "gpt-4o"];
        let more = if arguments[0] == "--to" { &model[..] } else { &[] };
        let run = context.run(&[&["diff", "s.jsonl", "--json"], arguments, more].concat());
        assert!(run.out().contains(r#""basis":"estimate""#), "{} {}", run.out(), run.err);
    }
    let run = context.run(&["diff", "bare.jsonl", "--json"]);
    assert!(run.out().contains(r#""basis":"estimate""#), "{} {}", run.out(), run.err);
}

#[test]
fn a_session_stands_for_the_request_that_replay_makes_of_it() {
    let context = Context::with_session();
    assert_eq!(context.run(&["replay", "session.jsonl", "-o", "body.json"]).code, 0);
    let run = context.run(&["diff", "body.json", "session.jsonl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out().contains("extends the first by 0 blocks"), "{}", run.out());
    let run = context.run_with(&["diff", "body.json", "-"], interrupted().as_bytes());
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn quiet_answers_with_the_exit_code_alone() {
    let context = Context::new();
    context.write("s.jsonl", moved());
    let run = context.run(&["diff", "s.jsonl", "-q"]);
    assert_eq!((run.code, run.out(), run.err.as_str()), (1, "", ""));
}

#[test]
fn what_cannot_be_compared_is_refused_by_name() {
    let context = Context::with_session();
    context.write("s.jsonl", session(""));
    context.write("two.jsonl", "{\"messages\":[\"a\"]}\n{\"messages\":[\"a\",\"b\"]}\n");
    context.write("none.txt", "no JSON");
    for (arguments, code) in [
        (&["s.jsonl", "--at", "u1", "--at", "a1", "--at", "u2"][..], 2),
        (&["s.jsonl", "--at", "nobody"], 2),
        (&["s.jsonl", "--branch", "nobody"], 2),
        (&["two.jsonl", "--at", "x"], 2),
        (&["two.jsonl", "s.jsonl"], 2),
        (&["none.txt"], 3),
        (&["none.txt", "s.jsonl"], 3),
        (&["missing.json", "s.jsonl"], 3),
        (&["s.jsonl", "--to", "nobody"], 2),
        (&["s.jsonl", "session.jsonl", "--to", "gemini", "--branch", "nobody"], 2),
    ] {
        context.run(&[&["diff"], arguments].concat()).assert_refused(code);
    }
    context.run(&["diff", "s.jsonl", "session.jsonl", "--at", "u1"]).assert_usage();
    context.run(&["diff"]).assert_usage();
}

#[test]
fn a_byte_order_mark_before_a_body_is_no_part_of_it() {
    let context = Context::new();
    for body in [r#"{"messages":["a"]}"#, r#"{"messages":[{"role":"user","content":"a"}]}"#] {
        context.write("bom.json", format!("\u{feff}{body}"));
        let run = context.run(&["diff", "bom.json", "bom.json"]);
        assert_eq!(run.code, 0, "{}", run.err);
    }
}

#[test]
fn a_body_of_anthropic_is_compared_with_no_other_apis() {
    let context = Context::new();
    let sure = r#"{"model":"claude-opus-4-8","max_tokens":3,"system":"s","messages":[{"role":"user","content":"hi"}]}"#;
    let plain = r#"{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}"#;
    let chat = r#"{"model":"gpt-4o","messages":[{"role":"system","content":"s"},{"role":"user","content":"hi"}]}"#;
    let gemini = r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#;
    for (name, body) in [("a", sure), ("plain", plain), ("chat", chat), ("gemini", gemini)] {
        context.write(name, body);
    }
    for other in ["chat", "gemini"] {
        let run = context.run(&["diff", "a", other]);
        assert_eq!(run.code, 2, "{other}: {}", run.out());
        assert!(run.err.contains("anthropic_messages"), "{}", run.err);
    }
    let run = context.run(&["diff", "a", "a", "--to", "gemini"]);
    assert_eq!(run.code, 2, "{}", run.out());
    // What may be of either is taken for what the other is.
    assert_eq!(context.run(&["diff", "plain", "plain"]).code, 0);
    assert!(context.run(&["diff", "plain", "chat"]).code < 2);
}

#[test]
fn requests_of_many_megabytes_are_compared_and_a_torn_line_is_named() {
    let context = Context::new();
    let body = |words: &str| {
        format!(
            r#"{{"model":"m","max_tokens":9,"system":"s","messages":[{{"role":"user","content":"{words}"}}]}}"#
        )
    };
    let two = format!("{}\n{}\n", body(&"a ".repeat(400_000)), body(&"b ".repeat(400_000)));
    context.write("two.jsonl", two.clone());
    assert_eq!(context.run(&["diff", "two.jsonl"]).code, 1);
    context.write("torn.jsonl", format!("{}\n{{\"model\":\"m\",\"mess", two.trim_end()));
    let run = context.run(&["diff", "torn.jsonl"]);
    assert_eq!(run.code, 3, "{}", run.out());
    assert!(run.err.contains("line 3"), "{}", run.err);
}
