//! The request writer: what it writes reads back as what was meant, in one fixed form.

use std::sync::Arc;

use wire::body::{Body, Ending};
use wire::gemini::lint::{LintOptions, lint};
use wire::gemini::request::{self, Role};
use wire::pages::{Bytes, Pages};

use crate::fixture::PNG;

fn body(contents: Bytes) -> Body {
    let lead: Arc<[u8]> = Arc::from(&br#"{"contents":["#[..]);
    Body::new(vec![lead], contents, Ending::Blocks, Vec::new())
}

/// A round with a thought, a call, its responses and a picture; the last content stays open.
fn round(out: &mut Pages) {
    let next = |out: &mut Pages, role| {
        out.push(Ending::Blocks.of_message().as_bytes());
        request::open_content(out, role, false);
    };
    request::open_content(out, Role::User, true);
    request::text(out, &["a \"quote\"\n", "b"], None);
    next(out, Role::Model);
    request::thought(out, "hm", "\"czE=\"");
    out.push(b",");
    request::text(out, &["x"], Some("\"czI=\""));
    out.push(b",");
    request::function_call(out, Some("1"), "ls", "{\"p\":\"/\"}", Some("\"czM=\""));
    out.push(b",");
    request::function_call(out, None, "pwd", "{}", None);
    out.push(b",");
    request::function_call(out, None, "id", "{}", None);
    next(out, Role::User);
    request::open_response(out, Some("1"), "ls", "output", &["o", "k"]);
    request::beside(out, true);
    request::inline_data(out, "image/png", Arc::new(PNG));
    request::beside(out, false);
    request::file_data(out, "text/plain", "https://generativelanguage.googleapis.com/f");
    request::close_response(out, true);
    out.push(b",");
    request::open_response(out, None, "pwd", "error", &["no"]);
    request::close_response(out, false);
    out.push(b",");
    request::open_response_as_it_was(out, None, "id", "{\"uid\": 7}");
    request::close_response(out, false);
}

#[test]
fn a_round_is_written_in_one_form() {
    let mut out = Pages::default();
    round(&mut out);
    let body = body(out.freeze());
    let expected = [
        r#"{"contents":[{"role":"user","parts":[{"text":"a \"quote\"\nb"}]},"#,
        r#"{"role":"model","parts":[{"text":"hm","thought":true,"thoughtSignature":"czE="},"#,
        r#"{"text":"x","thoughtSignature":"czI="},"#,
        r#"{"functionCall":{"id":"1","name":"ls","args":{"p":"/"}},"thoughtSignature":"czM="},"#,
        r#"{"functionCall":{"name":"pwd","args":{}}},"#,
        r#"{"functionCall":{"name":"id","args":{}}}]},"#,
        r#"{"role":"user","parts":[{"functionResponse":{"id":"1","name":"ls","#,
        r#""response":{"output":"ok"},"#,
        r#""parts":[{"inlineData":{"mimeType":"image/png","data":""#,
        PNG,
        r#""}},{"fileData":{"mimeType":"text/plain","#,
        r#""fileUri":"https://generativelanguage.googleapis.com/f"}}]}},"#,
        r#"{"functionResponse":{"name":"pwd","response":{"error":"no"}}},"#,
        r#"{"functionResponse":{"name":"id","response":{"uid": 7}}}]}]}"#,
    ]
    .concat();
    assert_eq!(String::from_utf8(body.to_vec()).expect("UTF-8"), expected);
    assert_eq!(body.len(), expected.len() as u64);
    let options = LintOptions { model: Some("gemini-3-pro-preview"), ..LintOptions::default() };
    let findings = lint(expected.as_bytes(), &options);
    assert!(findings.iter().all(|finding| finding.severity == wire::Severity::Warning));
}

#[test]
fn the_next_request_extends_the_one_before() {
    let mut out = Pages::default();
    round(&mut out);
    let first = body(out.freeze());
    out.push(first.ending().of_message().as_bytes());
    request::open_content(&mut out, Role::Model, false);
    request::text(&mut out, &["done"], None);
    let second = body(out.freeze());
    let sent = first.to_vec();
    let prefix = sent.strip_suffix(b"]}").expect("the body's end");
    assert!(second.to_vec().starts_with(prefix));
}
