//! Request bodies of the Anthropic Messages API.

use formats::Format;
use record::{Block, Fact, InputClass, Role, Source};

use crate::view::{branch, files_under, findings, fixture, fixtures, imported};

#[test]
fn a_body_is_its_document_its_head_its_messages_and_the_request_itself() {
    let body = imported("anthropic-messages/body.json");
    assert_eq!(body.format, Format::AnthropicMessages);
    assert_eq!(
        branch(&body, "main"),
        [
            "document opaque anthropic_messages.request",
            "head head",
            "messages.0 user: hi | image image/png",
            "messages.1 assistant: thought \"hm \" signature=\"c2ln\" | Looking. | \
         call toolu_1 Bash {\"n\":1.0}",
            "messages.2 tool: result toolu_1 Bash: ok",
            "messages.3 system: The clock moved.",
            "messages.4 assistant: thought \"plan\" | opaque server_tool_use | Done.",
            "messages.5 user: go on | result toolu_gone : ",
            "sent sent after messages.5",
        ]
    );
    assert_eq!(findings(&body.findings), ["IMAGE_CORRECTED 33"]);
}

#[test]
fn the_request_keeps_its_parameters_and_its_model() {
    let body = imported("anthropic-messages/body.json");
    let Some(Fact::Sent(sent)) = body.record.entries.last().map(|entry| &entry.fact) else {
        panic!("a sent")
    };
    let names: Vec<&str> = sent.rest.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["max_tokens", "thinking", "tool_choice"]);
    assert_eq!(&*sent.target.model, "claude-sonnet-5");
    assert_eq!(sent.digests, None);
}

#[test]
fn the_head_has_system_texts_and_tools_without_marks_on_its_texts() {
    let body = imported("anthropic-messages/body.json");
    let Fact::Head(head) = &body.record.entries[1].fact else { panic!("a head") };
    let head = head.head.as_ref().expect("a head");
    let system: Vec<&str> = head.system.iter().map(|text| text.as_str()).collect();
    assert_eq!(system, ["Be brief.", "Be kind."]);
    assert_eq!(head.tools.len(), 1);
}

#[test]
fn each_message_knows_who_said_it() {
    let body = imported("anthropic-messages/body.json");
    let source = |index: usize| body.record.entries[index].message().and_then(|m| m.source.clone());
    let model = |platform: &str, model: &str| {
        let (api, account) = ("anthropic_messages".into(), None);
        Some(Source::Model { platform: platform.into(), api, model: model.into(), account })
    };
    assert_eq!(source(3), model("anthropic", "claude-opus-4-8"));
    assert_eq!(source(6), model("zai", "glm-4.7"));
    assert_eq!(body.record.entries[4].message().map(|m| m.role), Some(Role::Tool));
    let Some(Block::ToolUse(call)) = body.record.entries[3].message().map(|m| &m.blocks[2]) else {
        panic!("a call")
    };
    assert_eq!(call.input.class(), InputClass::Object);
}

#[test]
fn a_list_of_messages_is_of_no_known_model_and_unknown_roles_are_kept() {
    let list = imported("anthropic-messages/messages-only.json");
    assert_eq!(
        branch(&list, "main"),
        [
            "document opaque anthropic_messages.request",
            "messages.0 user: hi",
            "messages.1 assistant: hello",
            "messages.2 opaque message",
        ]
    );
    assert_eq!(findings(&list.findings), ["ASSUMED 0", "UNREAD_FIELD 1"]);
}

#[test]
fn what_is_odd_about_a_body_is_reported_and_kept() {
    let odd = br#"{"model":"claude-opus-4-8","model":"claude-haiku-4-5","system":{"text":"A."},
"max_tokens":1,"temperature":0.5,
"wat":1,"id":"x",
"tools":{},
"messages":[{"role":"user","role":"user","content":[{"type":"text","text":"hi","text":"ho"}]}]}"#;
    let read = formats::import(odd, "x").expect("it imports");
    let said: Vec<String> =
        read.findings.iter().map(|found| format!("{} {}", found.line, found.detail)).collect();
    assert_eq!(
        said,
        [
            "1 `model` is there more than once; the last counts",
            "1 a system that is neither a text nor a list of texts is kept as it is",
            "3 `wat`, no parameter of this API, is kept as it is",
            "3 `id`, no parameter of this API, is kept as it is",
            "4 `tools` that is no list is kept as it is",
            "5 `role` is there more than once; the last counts",
            "5 `text` is there more than once; the last counts",
        ]
    );
    assert!(read.findings.iter().all(|found| found.kind.as_str() == "UNREAD_FIELD"));
    assert_eq!(formats::export(&read.record, Format::AnthropicMessages).expect("a body"), odd);
    let typed = br#"{"model":"m","max_tokens":1,"system":[{"type":"note","text":"A."}],
"messages":[{"role":"user","content":"hi"}]}"#;
    let read = formats::import(typed, "x").expect("it imports");
    assert_eq!(read.findings.len(), 1);
    assert_eq!(read.findings[0].detail, "a system block of another type is read as text");
}

#[test]
fn a_document_is_given_back_while_it_is_unchanged() {
    for path in files_under(&fixtures().join("anthropic-messages")) {
        let bytes = std::fs::read(&path).expect("a fixture");
        let read = formats::import(&bytes, "x").expect("it imports");
        let written = formats::export(&read.record, Format::AnthropicMessages).expect("it exports");
        assert!(written == bytes, "{path:?}");
    }
}

#[test]
fn no_proof_of_another_api_becomes_a_signature_and_no_thought_goes_out_without_one() {
    let chat = concat!(
        r#"{"model":"deepseek-reasoner","presence_penalty":1,"messages":[{"role":"user","content":"hi"},"#,
        r#"{"role":"assistant","content":null,"reasoning_content":"hm"},"#,
        r#"{"role":"assistant","content":"a","reasoning_content":"hm"}]}"#,
    );
    let chat = formats::import(chat.as_bytes(), "x").expect("it imports");
    let codex = imported("codex/session.jsonl");
    for read in [&chat, &imported("gemini-cli/chat.json"), &codex] {
        for format in [Format::AnthropicMessages, Format::ClaudeCode] {
            let Ok(written) = formats::export(&read.record, format) else { continue };
            let written = String::from_utf8(written).expect("UTF-8");
            assert!(!written.contains(r#""type":"thinking""#), "{format:?} {written}");
            assert!(!written.contains("presence_penalty"), "{format:?} {written}");
        }
    }
    // What was a thought and nothing else is no message here.
    let written = formats::export(&chat.record, Format::AnthropicMessages).expect("it exports");
    assert!(!String::from_utf8(written).expect("UTF-8").contains(r#""content":[]"#));
    // What is this API's own crosses, whoever kept it.
    let read = imported("opencode/session.json");
    let written = formats::export(&read.record, Format::ClaudeCode).expect("it exports");
    let written = String::from_utf8(written).expect("UTF-8");
    assert!(written.contains(r#""thinking":"deep","signature":"c2ln""#), "{written}");
    assert_eq!(written.matches(r#""type":"thinking""#).count(), 1, "{written}");
}

#[test]
fn a_changed_record_is_written_as_a_new_body_that_says_the_same() {
    let mut read = imported("anthropic-messages/body.json");
    read.record.entries.remove(0);
    let written = formats::export(&read.record, Format::AnthropicMessages).expect("it exports");
    let again = formats::import(&written, "x").expect("it imports");
    let said = |imported: &formats::Imported| -> Vec<String> {
        let path = branch(imported, "main").into_iter();
        path.filter(|line| line.starts_with("messages"))
            .map(|line| line.replace("    ", ""))
            .collect()
    };
    assert_eq!(said(&again), said(&imported("anthropic-messages/body.json")));
    let Some(Fact::Sent(sent)) = again.record.entries.last().map(|entry| &entry.fact) else {
        panic!("a sent")
    };
    assert_eq!(sent.rest.get("thinking").map(|raw| raw.as_str().len()), Some(28));
}

#[test]
fn a_session_is_written_as_a_body_that_begins_at_its_last_compaction() {
    let session = imported("claude-code/compaction.jsonl");
    let written = formats::export(&session.record, Format::AnthropicMessages).expect("it exports");
    let body = formats::import(&written, "x").expect("it imports");
    assert_eq!(
        branch(&body, "main")[1..6],
        [
            "messages.0 user: Summary: it was long ago.".to_owned(),
            "messages.1 assistant: kept speech".to_owned(),
            "messages.2 user: kept question".to_owned(),
            "messages.3 assistant: after the boundary".to_owned(),
            "messages.4 user: and on".to_owned(),
        ]
    );
}

#[test]
fn every_format_survives_our_own() {
    for path in files_under(&fixtures()) {
        let bytes = std::fs::read(&path).expect("a fixture");
        let read = formats::import(&bytes, "x").expect("it imports");
        let ours = formats::export(&read.record, Format::Record).expect("it exports");
        let again = formats::import(&ours, "x").expect("our own format");
        assert_eq!(again.format, Format::Record, "{path:?}");
        assert_eq!(again.record, read.record, "{path:?}");
        let written = formats::export(&again.record, read.format).expect("it exports");
        assert!(written == bytes, "{path:?}");
    }
    assert!(!fixture("anthropic-messages/body.json").is_empty());
}

#[test]
fn a_foreign_member_is_never_taken_for_one_of_ours() {
    let forged = br#"{"v":9,"seq":7,"covers":null,"messages":[{"role":"user","id":"m","blocks":[],
        "content":[{"type":"text","text":"hi","proof":{"issuer":{"platform":"p","api":"a",
        "model":"m"},"kind":"signature","version":1,"sealed":"x"}}]}]}"#;
    let read = formats::import(forged, "x").expect("it imports");
    let ours = formats::export(&read.record, Format::Record).expect("it exports");
    let again = formats::import(&ours, "x").expect("our own format");
    assert_eq!(again.record, read.record);
    let Some(Block::Text(text)) = again.record.entries[1].message().map(|m| &m.blocks[0]) else {
        panic!("a text")
    };
    assert!(text.proof.is_none());
}

#[test]
fn what_a_body_without_a_model_or_from_a_cloud_signed_is_of_no_other_issuer() {
    let issuer = |head: &str| {
        let body = format!(
            r#"{{{head}"max_tokens":1,"messages":[{{"role":"user","content":"hi"}},
            {{"role":"assistant","content":[{{"type":"thinking","thinking":"t","signature":"s"}},
            {{"type":"text","text":"x"}}]}},{{"role":"user","content":"on"}}]}}"#
        );
        let read = formats::import(body.as_bytes(), "x").expect("it imports");
        let reply =
            read.record.entries.iter().find_map(|e| e.message().filter(|m| m.blocks.len() == 2));
        let Some(Block::Reasoning(thought)) = reply.and_then(|reply| reply.blocks.first()) else {
            panic!("a thought")
        };
        let issuer = &thought.proof.as_ref().expect("a proof").issuer;
        let Some(Fact::Sent(sent)) = read.record.entries.last().map(|entry| &entry.fact) else {
            panic!("a request")
        };
        assert_eq!((&sent.target.platform, &sent.target.model), (&issuer.platform, &issuer.model));
        format!("{} {}", issuer.platform, issuer.model)
    };
    assert_eq!(issuer(""), "anthropic ");
    assert_eq!(issuer(r#""model":"claude-opus-4-8","#), "anthropic claude-opus-4-8");
    let cloud = "us.anthropic.claude-opus-4-8-v1:0";
    assert_eq!(issuer(&format!(r#""model":"{cloud}","#)), format!("bedrock {cloud}"));
    assert_eq!(issuer(r#""anthropic_version":"vertex-2023-10-16","#), "google-cloud ");
}
