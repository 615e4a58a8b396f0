//! The request writer: what it writes reads back as what was meant, in one fixed form.

use std::sync::Arc;

use json::Doc;
use wire::body::{Body, Ending};
use wire::openai_chat::lint::{LintOptions, lint};
use wire::openai_chat::request::{self, Role};
use wire::openai_chat::vendors::{ReasoningKey, vendor};
use wire::pages::{Bytes, Pages};

fn body(messages: Bytes, ending: Ending) -> Body {
    let lead: Arc<[u8]> = Arc::from(&br#"{"model":"m","messages":["#[..]);
    Body::new(vec![lead], messages, ending, Vec::new())
}

/// A round with reasoning, a call, its result and a picture; the last message stays open.
fn round(out: &mut Pages) {
    request::open_message(out, Role::System, true);
    request::content(out, &["be ", "brief"]);
    out.push(b"}");
    request::open_message(out, Role::User, false);
    request::content(out, &["a \"quote\"\n"]);
    out.push(b"}");
    request::open_message(out, Role::Assistant, false);
    request::reasoning(out, ReasoningKey::ReasoningContent, &["s", "o"]);
    request::content_null(out);
    request::open_calls(out);
    request::call(out, "c1", "ls", "{\"p\":\"/\"}", true);
    request::call(out, "c2", "cat", "{}", false);
    request::close_calls(out);
    out.push(b"}");
    request::open_result(out, "c1", false);
    request::content(out, &["ok"]);
    out.push(b"}");
    request::open_result(out, "c2", false);
    request::content(out, &["ok"]);
    out.push(b"}");
    request::open_message(out, Role::User, false);
    request::open_parts(out);
    request::text(out, &["look"], true);
    request::image_base64(out, "image/gif", Arc::new("R0lGODlhAQABAAAAACw="), false);
    request::image_url(out, "https://example.org/a.png", false);
}

#[test]
fn a_round_is_written_in_one_form() {
    let mut out = Pages::default();
    round(&mut out);
    let body = body(out.freeze(), Ending::Blocks);
    let expected = concat!(
        r#"{"model":"m","messages":[{"role":"system","content":"be brief"},"#,
        r#"{"role":"user","content":"a \"quote\"\n"},"#,
        r#"{"role":"assistant","reasoning_content":"so","content":null,"tool_calls":["#,
        r#"{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"p\":\"/\"}"}},"#,
        r#"{"id":"c2","type":"function","function":{"name":"cat","arguments":"{}"}}]},"#,
        r#"{"role":"tool","tool_call_id":"c1","content":"ok"},"#,
        r#"{"role":"tool","tool_call_id":"c2","content":"ok"},"#,
        r#"{"role":"user","content":[{"type":"text","text":"look"},"#,
        r#"{"type":"image_url","image_url":{"url":"data:image/gif;base64,R0lGODlhAQABAAAAACw="}},"#,
        r#"{"type":"image_url","image_url":{"url":"https://example.org/a.png"}}]}]}"#,
    );
    assert_eq!(String::from_utf8(body.to_vec()).expect("UTF-8"), expected);
    assert_eq!(body.len(), expected.len() as u64);
    let mut written = Vec::new();
    body.write_to(&mut written).expect("a vector takes everything");
    assert_eq!(written, expected.as_bytes());
    let vendor = vendor("llama.cpp").expect("a row");
    let findings = lint(expected.as_bytes(), &LintOptions { vendor, model: None });
    assert!(findings.iter().all(|finding| finding.severity == wire::Severity::Warning));
}

#[test]
fn reasoning_goes_under_the_key_of_the_vendor() {
    let written = |write: &dyn Fn(&mut Pages)| {
        let mut out = Pages::default();
        request::open_message(&mut out, Role::Assistant, true);
        write(&mut out);
        String::from_utf8(body(out.freeze(), Ending::Message).to_vec()).expect("UTF-8")
    };
    let reasoning = written(&|out| request::reasoning(out, ReasoningKey::Reasoning, &["r"]));
    assert!(reasoning.contains(r#""reasoning":"r""#));
    let details = written(&|out| request::reasoning_details(out, r#"[{"type":"x"}]"#));
    assert!(details.contains(r#""reasoning_details":[{"type":"x"}]"#));
    let none = written(&|out| request::reasoning(out, ReasoningKey::ThinkingPart, &["r"]));
    assert!(none.ends_with(r#"{"role":"assistant"}]}"#));
    let part = written(&|out| {
        request::open_parts(out);
        request::thinking(out, "r", None, true);
        request::text(out, &["a"], false);
        request::close_parts(out);
    });
    assert!(Doc::parse_str(&part).is_ok());
    assert!(part.contains(r#"{"type":"thinking","thinking":[{"type":"text","text":"r"}]}"#));
}

#[test]
fn the_next_request_extends_the_one_before() {
    let mut out = Pages::default();
    round(&mut out);
    let first = body(out.freeze(), Ending::Blocks);
    out.push(first.ending().of_message().as_bytes());
    request::open_message(&mut out, Role::Assistant, false);
    request::content(&mut out, &["done"]);
    let second = body(out.freeze(), Ending::Message);
    let sent = first.to_vec();
    let prefix = sent.strip_suffix(b"]}").expect("the body's end");
    assert!(second.to_vec().starts_with(prefix));
    assert_eq!(second.lead(), first.lead());
    let both = [&first, &second].map(|body| body.conversation().len());
    assert!(both[1] > both[0] && !second.is_empty());
}
