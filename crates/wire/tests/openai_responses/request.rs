//! The writer: each item in its one form, without the brace that closes it.

use wire::openai_responses::request::{self, Call, Role};
use wire::pages::Pages;

fn written(write: impl FnOnce(&mut Pages)) -> String {
    let mut pages = Pages::default();
    write(&mut pages);
    let bytes = pages.freeze().runs_from(0).concat();
    String::from_utf8(bytes).expect("text")
}

#[test]
fn messages_are_of_parts_and_a_reply_without_id_is_a_string() {
    let user = written(|out| {
        request::open_message(out, Role::User, true);
        request::input_text(out, &["a\0", "b"], true);
        request::image_url(out, "low", "https://example.org/a.png", false);
    });
    assert_eq!(
        user,
        "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\
         \"a\u{fffd}b\"},{\"type\":\"input_image\",\"detail\":\"low\",\"image_url\":\
         \"https://example.org/a.png\"}"
    );
    let reply = written(|out| request::reply(out, "hi", Some("commentary"), false));
    assert_eq!(
        reply,
        r#",{"type":"message","role":"assistant","phase":"commentary","content":"hi""#
    );
    let named = written(|out| {
        request::open_output_message(out, "msg_1", None, true);
        request::refusal(out, "no", true);
        request::close_parts(out);
    });
    assert_eq!(
        named,
        r#"{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"refusal","refusal":"no"}]"#
    );
}

#[test]
fn a_call_has_what_is_known_of_it() {
    let call = Call {
        is_custom: false,
        id: Some("fc_1"),
        call_id: "call_1",
        name: "ls",
        input: "{\"a\": 1}",
        namespace: Some("files"),
    };
    assert_eq!(
        written(|out| request::call(out, &call, true)),
        r#"{"type":"function_call","id":"fc_1","call_id":"call_1","name":"ls","namespace":"files","arguments":"{\"a\": 1}""#
    );
    let call = Call { is_custom: true, id: None, namespace: None, ..call };
    assert_eq!(
        written(|out| request::call(out, &call, false)),
        r#",{"type":"custom_tool_call","call_id":"call_1","name":"ls","input":"{\"a\": 1}""#
    );
    let output = written(|out| {
        request::open_output(out, true, "call_1", false);
        request::output(out, &["Error: ", "no"]);
    });
    assert_eq!(
        output,
        r#",{"type":"custom_tool_call_output","call_id":"call_1","output":"Error: no""#
    );
}

#[test]
fn a_thought_keeps_the_bytes_of_what_is_sealed() {
    let sealed = written(|out| {
        request::reasoning(out, Some("rs_1"), "[]", Some(r#""g\u0041\/""#), true);
    });
    assert_eq!(
        sealed,
        r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"g\u0041\/""#
    );
    let item = written(|out| request::item(out, r#"{"type":"compaction"}"#, false));
    assert_eq!(item, r#",{"type":"compaction""#);
}
