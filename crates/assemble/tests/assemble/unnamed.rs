//! Responses: calls whose items name no tool, and that run on our side.

use assemble::Dialect::OpenAiResponses;
use assemble::encode;
use record::{Message, StopKind};

use super::{clean, read, read_body, responses, told};

/// Each type of item, and the call it is.
const CALLS: [(&str, &str); 6] = [
    (
        r#"{"type":"shell_call","id":"sh_1","call_id":"c1","action":{"commands":["ls"]},"environment":{"type":"local"},"status":"completed"}"#,
        r#"call c1 shell({"commands":["ls"]}) [item_id "sh_1"]"#,
    ),
    (
        r#"{"type":"apply_patch_call","id":"apc_1","call_id":"c1","operation":{"type":"delete_file","path":"a"},"status":"completed"}"#,
        r#"call c1 apply_patch({"type":"delete_file","path":"a"}) [item_id "apc_1"]"#,
    ),
    (
        r#"{"type":"computer_call","id":"cu_1","call_id":"c1","action":{"type":"wait"},"pending_safety_checks":[],"status":"completed"}"#,
        r#"call c1 computer({"type":"wait"}) [item_id "cu_1"]"#,
    ),
    (
        r#"{"type":"computer_call","id":"cu_2","call_id":"c1","actions":[{"type":"wait"},{"type":"screenshot"}],"status":"completed"}"#,
        r#"call c1 computer({"actions":[{"type":"wait"},{"type":"screenshot"}]}) [item_id "cu_2"]"#,
    ),
    (
        r#"{"type":"local_shell_call","id":"lsh_1","call_id":"c1","action":{"type":"exec"},"status":"completed"}"#,
        r#"call c1 local_shell({"type":"exec"}) [item_id "lsh_1"]"#,
    ),
    (
        r#"{"type":"tool_search_call","id":"tsc_1","call_id":"c1","execution":"client","arguments":{"query":"x"},"status":"completed"}"#,
        r#"call c1 tool_search({"query":"x"}) [item_id "tsc_1"]"#,
    ),
];

/// A reply of this item, streamed; it begins with what is known of it before it is whole.
fn reply(item: &str) -> Message {
    let event = |kind: &str| {
        format!(r#"{{"type":"response.output_item.{kind}","output_index":0,"item":{item}}}"#)
    };
    let end = r#"{"type":"response.completed","response":{"object":"response","output":[]}}"#;
    let bytes = responses::streamed(&[event("added"), event("done")], end);
    clean(read(OpenAiResponses, "openai", &bytes))
}

#[test]
fn a_call_whose_item_names_no_tool_is_run_and_is_sent_again_in_its_own_shape() {
    for (item, expected) in CALLS {
        let message = Message { answers: None, ..reply(item) };
        assert_eq!(told(&message), [expected]);
        assert_eq!(message.stop.as_ref().expect("a stop").kind, StopKind::ToolCalls);
        let stream = encode::stream(OpenAiResponses, &message, "id").expect("a stream");
        let text = String::from_utf8(stream.clone()).expect("text");
        assert!(!text.contains("function_call"), "{text}");
        let body = encode::body(OpenAiResponses, &message, "id").expect("a body");
        let kept = |text: &str| !text.contains("function_call") && text.contains("\"status\"");
        assert!(kept(body.as_str()), "{body}");
        for mut again in [
            clean(read(OpenAiResponses, "openai", &stream)),
            clean(read_body(OpenAiResponses, "openai", body.as_str())),
        ] {
            again.answers = None;
            assert_eq!(again, message);
        }
    }
}

#[test]
fn a_call_that_is_given_nothing_is_sent_without_the_member() {
    let item = r#"{"type":"computer_call","call_id":"c1","status":"completed"}"#;
    let message = reply(item);
    assert_eq!(told(&message), ["call c1 computer()"]);
    let body = encode::body(OpenAiResponses, &message, "id").expect("a body");
    let doc = body.doc();
    let sent = doc.root().get("output").expect("output").items().next().expect("an item");
    assert!(sent.get("action").is_none() && sent.get("status").is_some(), "{body}");
}

#[test]
fn a_call_that_its_provider_runs_is_kept_and_not_run() {
    let hosted = CALLS[0].0.replace("\"local\"", "\"container_auto\"");
    let untold = CALLS[0].0.replace("\"type\":\"local\"", "");
    let server = CALLS[5].0.replace("\"client\"", "\"server\"");
    for item in [hosted, untold, server] {
        let message = reply(&item);
        assert!(message.blocks[0].as_tool_use().is_none(), "{item}");
        assert_eq!(message.stop.expect("a stop").kind, StopKind::Stop);
    }
    let unsaid = CALLS[0].0.replace("{\"type\":\"local\"}", "null");
    assert!(reply(&unsaid).blocks[0].as_tool_use().is_some());
}

#[test]
fn a_thought_is_streamed_part_by_part() {
    let item = r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"one"},{"type":"summary_text","text":"two"}]}"#;
    let stream = encode::stream(OpenAiResponses, &reply(item), "id").expect("a stream");
    let text = String::from_utf8(stream).expect("text");
    let deltas =
        text.lines().filter(|line| *line == "event: response.reasoning_summary_text.delta");
    assert_eq!(deltas.count(), 2);
}
