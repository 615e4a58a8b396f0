//! The request writer: what it writes reads back as what was meant, in one fixed form.

use std::sync::Arc;

use wire::bedrock_converse::lint::{LintOptions, lint};
use wire::bedrock_converse::request::{self, CACHE_POINT, Role};
use wire::body::{Body, Ending};
use wire::pages::Pages;

#[test]
fn a_round_is_written_in_one_form_and_its_cache_points_stand_behind_blocks() {
    let mut out = Pages::default();
    request::open_message(&mut out, Role::User, true);
    request::text(&mut out, &["a \"quote\"\n", "b"]);
    let first = out.len();
    out.push(b"]}");
    request::open_message(&mut out, Role::Assistant, false);
    request::reasoning(&mut out, "hm", "\"c2ln\\/\"");
    out.push(b",");
    request::redacted(&mut out, "\"c2VhbGVk\"");
    out.push(b",");
    request::tool_use(&mut out, "t1", "ls", "{\"p\":\"/\"}");
    out.push(b"]}");
    request::open_message(&mut out, Role::User, false);
    request::open_result(&mut out, "t1");
    request::text(&mut out, &["no"]);
    request::close_result(&mut out, true);
    out.push(b",");
    request::image(&mut out, "gif", Arc::new("R0lGODlhAQABAAAAACw="));
    let last = out.len();
    let lead: Arc<[u8]> = Arc::from(
        &br#"{"toolConfig":{"tools":[{"toolSpec":{"name":"ls","inputSchema":{"json":{"type":"object"}}}}]},"messages":["#[..],
    );
    let body = Body::new(vec![lead], out.freeze(), Ending::Blocks, vec![first, last]);
    let body = body.marked_by(CACHE_POINT);
    let expected = concat!(
        r#"{"toolConfig":{"tools":[{"toolSpec":{"name":"ls","inputSchema":{"json":{"type":"object"}}}}]},"messages":["#,
        r#"{"role":"user","content":[{"text":"a \"quote\"\nb"},{"cachePoint":{"type":"default"}}]},"#,
        r#"{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"c2ln\/"}}},"#,
        r#"{"reasoningContent":{"redactedContent":"c2VhbGVk"}},"#,
        r#"{"toolUse":{"toolUseId":"t1","name":"ls","input":{"p":"/"}}}]},"#,
        r#"{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"no"}],"status":"error"}},"#,
        r#"{"image":{"format":"gif","source":{"bytes":"R0lGODlhAQABAAAAACw="}}},{"cachePoint":{"type":"default"}}]}]}"#,
    );
    assert_eq!(String::from_utf8(body.to_vec()).expect("UTF-8"), expected);
    assert_eq!(body.len(), expected.len() as u64);
    let options = LintOptions { model: Some("anthropic.claude-opus-4-5") };
    assert_eq!(lint(&body.to_vec(), &options), []);
}
