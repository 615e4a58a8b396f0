//! Bodies of OpenAI Responses.

use std::sync::Arc;

use formats::Format;
use json::{Doc, Value};
use record::{Block, Fact, Message, ProofKind, Record, Role, Source};

use crate::view::{findings, fixture, imported, main_of};

const BODY: &str = "openai-responses/body.json";

fn message(record: &Record, id: &str) -> Message {
    let entry = record.entries.iter().find(|entry| entry.id.as_str() == id).expect("an entry");
    entry.message().expect("a message").clone()
}

#[test]
fn a_body_is_a_head_its_rows_and_a_request_that_left() {
    assert_eq!(
        main_of(BODY),
        [
            "document opaque openai_responses.request",
            "head head",
            "input.0 system: Be kind.",
            "input.1 user: what is this? | image image/png | opaque input_file",
            "input.2 assistant: thought \"I should look.\" encrypted=\"gAAA1\" | I look. \
             | call call_1 look { \"at\": \"the till\" } | call call_2 note a till\n",
            "input.6 tool: result call_1 look: a till",
            "input.7 tool: result call_2 note: noted",
            "input.8 assistant: opaque web_search_call | I cannot say. \
             | call call_3 shell {\"commands\":[\"ls\"]}",
            "input.11 tool: result call_3 shell: \
             [{\"stdout\":\"a\",\"stderr\":\"\",\"outcome\":{\"type\":\"exit\",\"exit_code\":0}}]",
            "input.12 system: change +1 -0",
            "input.13 opaque item",
            "input.14 assistant: opaque item_reference",
            "input.15 user: go on",
            "sent sent after input.15",
        ]
    );
    assert_eq!(
        findings(&imported(BODY).findings),
        ["ASSUMED 0", "UNREAD_FIELD 9", "UNREAD_FIELD 28"]
    );
}

#[test]
fn history_that_the_server_holds_is_said_to_be_missing_ahead_of_all_else() {
    let said = |members: &str| -> Vec<String> {
        let body = format!(
            r#"{{"model":"gpt-5.5","input":[{{"type":"reasoning","summary":[],"encrypted_content":"g"}}],{members}}}"#
        );
        let read = formats::import(body.as_bytes(), "x").expect("it imports");
        read.findings
            .iter()
            .map(|found| format!("{} {}", found.kind.as_str(), found.detail))
            .collect()
    };
    for name in ["previous_response_id", "conversation", "prompt"] {
        let said = said(&format!(r#""{name}":"a""#));
        let missing = format!("HISTORY_ELSEWHERE {name}: what stands behind it is not in the file");
        assert_eq!(said.first(), Some(&missing));
        assert!(said.len() == 2, "{said:?}");
    }
    assert_eq!(said(r#""conversation":{"id":"c"},"prompt":{"id":"p"}"#).len(), 3);
    assert_eq!(said(r#""previous_response_id":null"#).len(), 1);
}

#[test]
fn proofs_and_what_has_no_field_stay_with_their_blocks() {
    let record = imported(BODY).record;
    let reply = message(&record, "input.2");
    let Some(Source::Model { platform, api, model, .. }) = &reply.source else {
        panic!("{reply:?}")
    };
    assert_eq!((&**platform, &**api, &**model), ("openai", "openai_responses", "gpt-5.5"));
    let [Block::Reasoning(thought), Block::Text(text), Block::ToolUse(call), Block::ToolUse(note)] =
        reply.blocks.as_slice()
    else {
        panic!("{reply:?}");
    };
    let proof = thought.proof.as_ref().expect("a proof");
    assert_eq!((&proof.kind, proof.sealed.as_str()), (&ProofKind::Encrypted, "\"gAAA1\""));
    assert_eq!(thought.rest.get("id").expect("an id").as_str(), "\"rs_1\"");
    let proof = text.proof.as_ref().expect("a proof");
    assert_eq!((&proof.kind, proof.sealed.as_str()), (&ProofKind::ItemId, "\"msg_1\""));
    assert_eq!(text.rest.get("phase").expect("a phase").as_str(), "\"commentary\"");
    assert_eq!(call.rest.get("namespace").expect("a namespace").as_str(), "\"shop\"");
    assert_eq!(note.rest.get("item").expect("a kind").as_str(), "\"custom_tool_call\"");
    assert_eq!(message(&record, "input.1").role, Role::User);
}

#[test]
fn tools_stand_in_the_head_as_the_anthropic_api_writes_them() {
    let record = imported(BODY).record;
    let mut heads = record.entries.iter().filter_map(|entry| match &entry.fact {
        Fact::Head(head) => Some(head),
        _ => None,
    });
    let head = heads.next_back().expect("a head");
    let declared = head.head.as_ref().expect("a declaration");
    assert_eq!(
        declared.system.iter().map(|text| text.as_str()).collect::<Vec<_>>(),
        ["You help in a shop."]
    );
    let tools: Vec<&str> = declared.tools.iter().map(|tool| tool.wire().as_str()).collect();
    assert_eq!(
        tools,
        [
            r#"{"name":"look","description":"Looks.","input_schema":{"type": "object", "properties": {}},"strict":true}"#,
            r#"{"name":"note","description":"Writes it down.","input_schema":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]},"format":{"type": "grammar", "syntax": "regex", "definition": ".*"}}"#,
            r#"{"type":"web_search","name":"web_search"}"#,
        ]
    );
    let kept = head.rest.get("tools_as_written").expect("what has no place there");
    assert_eq!(kept.as_str(), r#"[{"type": "web_search"}]"#);
}

#[test]
fn an_input_of_one_text_and_a_list_alone_are_read() {
    let asked = formats::import(br#"{"model":"o3","input":"hi"}"#, "x").expect("it imports");
    assert_eq!(message(&asked.record, "input").blocks, [Block::text("hi")]);
    let list =
        br#"[{"type":"reasoning","id":"rs_1","summary":[]},{"role":"assistant","content":"a"}]"#;
    let listed = formats::import(list, "x").expect("it imports");
    let reply = message(&listed.record, "input.0");
    assert_eq!((reply.blocks.len(), reply.source), (2, None));
}

#[test]
fn a_body_comes_back_byte_for_byte_and_a_longer_one_is_written() {
    let bytes = fixture(BODY);
    let mut record = imported(BODY).record;
    assert_eq!(formats::export(&record, Format::OpenAiResponses).expect("it exports"), bytes);

    let mut next = (**record.entries.last().expect("an entry")).clone();
    next.parent = Some(next.id);
    next.id = record::EntryId::new("next");
    let said = Message::new(Role::User, vec![Block::text("more"), Block::text("and more")]);
    next.fact = Fact::Message(Box::new(said));
    record.refs.last_mut().expect("a branch").tip = Some(next.id.clone());
    record.entries.push(Arc::new(next));
    let written = formats::export(&record, Format::OpenAiResponses).expect("it exports");
    let (was, is) = (Doc::parse(&bytes).expect("JSON"), Doc::parse(&written).expect("JSON"));
    let input = |doc: &Doc<'_>| -> Vec<String> {
        let items = doc.root().get("input").into_iter().flat_map(Value::items);
        items.map(json::canonical::of).collect()
    };
    let (before, after) = (input(&was), input(&is));
    let same = before.iter().filter(|item| after.contains(item)).count();
    // A developer and a user who spoke in the short form, an output of one part, and what nobody
    // could read: those are written otherwise, or not at all.
    assert_eq!((before.len(), same, after.len()), (16, 11, 16));
    assert_eq!(
        after.last().map(String::as_str),
        Some(
            r#"{"content":[{"text":"more","type":"input_text"},{"text":"and more","type":"input_text"}],"role":"user","type":"message"}"#
        )
    );
    let of = |doc: &Doc<'_>, name: &str| doc.root().get(name).map(json::canonical::of);
    for name in ["model", "store", "include", "instructions", "tools"] {
        assert_eq!(of(&was, name), of(&is, name), "{name}");
    }
}

/// Names that mean something else in a line of ours.
#[test]
fn a_parameter_of_any_name_is_kept_and_written_back() {
    let body = br#"{"model":"gpt-5.5","reasoning":{"effort":"low"},"text":{"verbosity":"low"},
        "parameters":1,"store":false,"input":"hi"}"#;
    let mut record = formats::import(body, "x").expect("it imports").record;
    let mut next = (**record.entries.last().expect("an entry")).clone();
    next.parent = Some(next.id);
    next.id = record::EntryId::new("next");
    next.fact = Fact::Message(Box::new(Message::new(Role::User, vec![Block::text("more")])));
    record.refs.last_mut().expect("a branch").tip = Some(next.id.clone());
    record.entries.push(Arc::new(next));
    let ours = formats::export(&record, Format::Record).expect("our own format");
    assert_eq!(formats::import(&ours, "x").expect("it imports").record, record);
    let written = formats::export(&record, Format::OpenAiResponses).expect("it exports");
    let (was, is) = (Doc::parse(body).expect("JSON"), Doc::parse(&written).expect("JSON"));
    let of = |doc: &Doc<'_>, name: &str| doc.root().get(name).map(json::canonical::of);
    for name in ["model", "reasoning", "text", "parameters", "store"] {
        assert!(of(&was, name).is_some() && of(&was, name) == of(&is, name), "{name}");
    }
}
