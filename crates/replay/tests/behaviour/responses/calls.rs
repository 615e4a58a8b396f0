//! Calls and what was returned to them.

use record::{Block, Image, ImageSource, ResultPart, ToolResult};
use replay::Target;
use serde_json::json;

use super::{answer, asked, body, called, gpt, outline, prepare, rest, says};
use crate::history::{History, call, changes, result, result_of};

/// A PNG of one pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk\
    YPhfz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC";

/// Acceptance 54, 55, 56: one output each, in call order; what is not known is not claimed.
#[test]
fn an_unanswered_call_gets_one_output_that_claims_no_success() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("call_1", "grep", "{}"), call("call_2", "ls", "{}")]);
    history.results(vec![result("call_2", "b")]);
    history.user("stop");
    let prepared = prepare(&history, &gpt());
    let body = body(&gpt(), &prepared);
    assert_eq!(
        outline(&body),
        "user function_call function_call function_call_output function_call_output user"
    );
    let gap = body["input"][3]["output"].as_str().expect("a text");
    assert!(gap.starts_with("Error: This call did not complete in the record"));
    assert!(gap.contains("may have run"));
    assert_eq!(body["input"][4]["output"], "b");
    assert_eq!(changes(prepared.request.report()), ["GAP_FILLED"]);
}

/// Acceptance 57, 58, 60: nothing stands between a call and its output, and an orphan is evidence.
#[test]
fn a_result_stands_with_its_call_and_one_without_is_told_on_the_users_side() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("call_1", "grep", "{}")]);
    history.user("wait");
    history.results(vec![result("call_1", "a"), result("call_9", "three matches")]);
    let body = asked(&history, &gpt());
    assert_eq!(outline(&body), "user function_call function_call_output user user");
    assert_eq!(says(&body, 3), "wait");
    assert_eq!(says(&body, 4), "Result (grep): three matches");
}

/// Acceptance 76, and 80, 81: what the model wrote is what is sent.
#[test]
fn arguments_are_the_bytes_the_model_wrote_and_an_error_says_so_once() {
    for (input, sent) in [("{\"a\" :1 }", "{\"a\" :1 }"), ("{\"a\":", "{\"a\":"), ("", "{}")] {
        let mut history = History::default();
        history.user("go");
        history.reply(vec![call("call_1", "grep", input)]);
        let failed = vec![ResultPart::Text("no such file".into())];
        history.results(vec![result_of("call_1", failed, true)]);
        let body = asked(&history, &gpt());
        assert_eq!(body["input"][1]["arguments"], sent);
        assert_eq!(body["input"][2]["output"], "Error: no such file");
    }
}

/// Acceptance 77, 78: ids are kept where they can be, and made anew for both halves.
#[test]
fn an_id_that_is_too_long_or_taken_is_another_in_both_halves() {
    let long = "c".repeat(86);
    let mut history = History::default();
    history.user("go");
    for (id, output) in [("call_0", "1"), ("call_0", "2"), (long.as_str(), "3"), ("a|b", "4")] {
        history.reply(vec![call(id, "grep", "{}")]);
        history.results(vec![result(id, output)]);
    }
    let body = asked(&history, &gpt());
    let ids: Vec<&str> = (0..4)
        .map(|nth| {
            let (call, output) = (&body["input"][1 + 2 * nth], &body["input"][2 + 2 * nth]);
            assert_eq!(call["call_id"], output["call_id"]);
            assert_eq!(output["output"], (nth + 1).to_string());
            call["call_id"].as_str().expect("an id")
        })
        .collect();
    assert_eq!((ids[0], ids[3]), ("call_0", "a|b"));
    assert!(ids[1] != "call_0" && ids[2].len() <= 64);
}

#[test]
fn a_custom_tools_text_stays_one_in_both_halves() {
    let custom = [("item", "\"custom_tool_call\"")];
    let mut history = History::default();
    history.user("go");
    let reply = vec![
        called(&gpt(), "ctc_1", "call_1", "*** Begin Patch", &custom),
        called(&gpt(), "ctc_2", "call_2", "", &custom),
    ];
    answer(&mut history, &gpt(), reply);
    history.results(vec![result("call_1", "done")]);
    let body = asked(&history, &gpt());
    assert_eq!(
        outline(&body),
        "user custom_tool_call custom_tool_call custom_tool_call_output custom_tool_call_output"
    );
    assert_eq!(
        (&body["input"][1]["input"], &body["input"][2]["input"]),
        (&json!("*** Begin Patch"), &json!(""))
    );
}

#[test]
fn a_search_for_tools_goes_back_whole_to_its_model_and_as_a_function_elsewhere() {
    let tools = r#"[{"type":"namespace","name":"wiki","tools":[]}]"#;
    let history = |of: &Target, output: &str| {
        let mut history = History::default();
        history.user("go");
        let members = [("item", "\"tool_search_call\""), ("execution", "\"client\"")];
        answer(
            &mut history,
            of,
            vec![called(of, "tsc_1", "call_1", r#"{"query":"wiki"}"#, &members)],
        );
        history.results(vec![Block::ToolResult(ToolResult {
            tool_use_id: "call_1".into(),
            tool_name: "tool_search".into(),
            content: vec![ResultPart::Text(output.into())],
            is_error: false,
            rest: rest(&[("item", "\"tool_search_output\"")]),
        })]);
        history
    };
    let whole = history(&gpt(), tools);
    let body = asked(&whole, &gpt());
    assert_eq!(outline(&body), "user tool_search_call tool_search_output");
    assert_eq!(body["input"][1]["arguments"], json!({"query": "wiki"}));
    assert_eq!(body["input"][2]["tools"][0]["name"], "wiki");
    for (history, target) in [
        (&whole, Target::openai_responses("openai", "o3")),
        (&history(&gpt(), "nothing found"), gpt()),
    ] {
        assert_eq!(outline(&asked(history, &target)), "user function_call function_call_output");
    }
}

/// Acceptance 69, 70, 73: images where they were, also inside of a result.
#[test]
fn images_stand_where_they_were_and_are_told_to_a_model_without_eyes() {
    let image = |detail: &str| {
        let mut image = Image::new("image/png".into(), ImageSource::Base64(PNG.into()));
        image.rest = rest(&[("detail", detail)]);
        image
    };
    let mut history = History::default();
    let shown = vec![Block::text("look"), Block::Image(image("\"low\""))];
    history.message(record::Message::new(record::Role::User, shown));
    history.reply(vec![call("call_1", "shot", "{}")]);
    let parts = vec![ResultPart::Text("here".into()), ResultPart::Image(image("\"huge\""))];
    history.results(vec![result_of("call_1", parts, true)]);
    let body = asked(&history, &gpt());
    assert_eq!(outline(&body), "user function_call function_call_output");
    let url = format!("data:image/png;base64,{PNG}");
    assert_eq!(
        body["input"][0]["content"][1],
        json!({"type": "input_image", "detail": "low", "image_url": url})
    );
    assert_eq!(
        body["input"][2]["output"],
        json!([{"type": "input_text", "text": "Error: here"},
            {"type": "input_image", "detail": "auto", "image_url": url}])
    );
    let blind = asked(&history, &Target::openai_responses("openai", "o3-mini"));
    assert_eq!(outline(&blind), "user function_call function_call_output");
    assert!(!blind.to_string().contains("base64"));
    assert!(
        blind["input"][0]["content"][1]["text"]
            .as_str()
            .is_some_and(|text| { text.starts_with("[Image not seen: image/png. ") })
    );
}
