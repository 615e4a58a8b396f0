//! Bodies of Gemini's `generateContent`.

use std::sync::Arc;

use formats::Format;
use record::limits::BLOCKS_MAX;
use record::{Block, Fact, Message, ProofKind, Record, Role, Source};

use crate::view::{findings, fixture, imported, main_of};

#[test]
fn a_body_is_a_head_its_contents_and_a_request_that_left() {
    assert_eq!(
        main_of("gemini/body.json"),
        [
            "document opaque gemini.request",
            "head head",
            "contents.0 user: what is this? | image image/png | image image/jpeg \
             | opaque inlineData",
            "contents.1 assistant: thought \"I should look.\" | Looking. \
             | call call_1 look {\"at\":\"the till\"} | call call_2 count {\"what\":[\"coins\"]}",
            "contents.2 tool: result call_2 count: {\"coins\":7,\"notes\":null} \
             | result call_1 look: a till",
            "contents.3 assistant: opaque executableCode | opaque codeExecutionResult \
             | Fourteen. | ",
            "contents.4 user: go on",
            "sent sent after contents.4",
        ]
    );
    assert_eq!(findings(&imported("gemini/body.json").findings), ["UNREAD_FIELD 53"]);
}

#[test]
fn contents_of_the_model_in_a_row_are_one_response_and_calls_without_ids_are_paired_by_name() {
    assert_eq!(
        main_of("gemini/contents.json"),
        [
            "document opaque gemini.request",
            "contents.0 user: list files",
            "contents.1 assistant: call call_1 ls {\"p\":\"/\"} | call call_2 cat {}",
            "contents.3 tool: result call_1 ls: a.txt",
            "contents.4 user: result call_2 cat error: no such file | thanks",
            "contents.5 tool: result  stray: x",
            "contents.6 user: opaque fileData",
            "contents.7 opaque content",
        ]
    );
    let found = imported("gemini/contents.json").findings;
    assert_eq!(findings(&found), ["ASSUMED 0", "UNREAD_FIELD 1"]);
}

#[test]
fn contents_of_the_model_with_more_parts_than_a_message_may_have_are_several_responses() {
    let content = |parts: usize| {
        let parts = vec![r#"{"text":"x"}"#; parts].join(",");
        format!(r#"{{"role":"model","parts":[{parts}]}}"#)
    };
    for (more, responses) in [(BLOCKS_MAX - 1, vec![BLOCKS_MAX]), (BLOCKS_MAX, vec![1, BLOCKS_MAX])]
    {
        let body = format!(
            r#"[{{"role":"user","parts":[{{"text":"go"}}]}},{},{}]"#,
            content(1),
            content(more)
        );
        let record = formats::import(body.as_bytes(), "contents.json").expect("an import").record;
        let blocks: Vec<usize> = record
            .entries
            .iter()
            .filter_map(|entry| entry.message().filter(|row| row.role == Role::Assistant))
            .map(|message| message.blocks.len())
            .collect();
        assert_eq!(blocks, responses);
    }
}

/// An id is made that no call of the body has, and a result goes to the call of its own id.
#[test]
fn an_id_that_is_made_is_no_id_of_the_body() {
    let body = br#"[{"role":"user","parts":[{"text":"go"}]},
        {"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},
            {"functionCall":{"name":"g","args":{},"id":"call_1"}}]},
        {"role":"user","parts":[
            {"functionResponse":{"name":"g","id":"call_1","response":{"output":"of g"}}},
            {"functionResponse":{"name":"f","response":{"output":"of f"}}}]}]"#;
    let record = formats::import(body, "contents.json").expect("an import").record;
    let calls: Vec<String> = message(&record, "contents.1")
        .blocks
        .iter()
        .filter_map(Block::as_tool_use)
        .map(|call| format!("{} {}", call.name, call.id))
        .collect();
    assert_eq!(calls, ["f call_2", "g call_1"]);
    let results: Vec<String> = message(&record, "contents.2")
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::ToolResult(result) => {
                Some(format!("{} {}", result.tool_name, result.tool_use_id))
            }
            _ => None,
        })
        .collect();
    assert_eq!(results, ["g call_1", "f call_2"]);
}

fn head(record: &Record) -> record::Head {
    let mut heads = record.entries.iter().filter_map(|entry| match &entry.fact {
        Fact::Head(head) => Some((**head).clone()),
        _ => None,
    });
    heads.next_back().expect("a head")
}

fn message(record: &Record, id: &str) -> Message {
    let entry = record.entries.iter().find(|entry| entry.id.as_str() == id).expect("an entry");
    entry.message().expect("a message").clone()
}

#[test]
fn tools_stand_in_the_head_as_the_anthropic_api_writes_them() {
    let head = head(&imported("gemini/body.json").record);
    let declared = head.head.expect("a declaration");
    let system: Vec<&str> = declared.system.iter().map(|text| text.as_str()).collect();
    assert_eq!(system, ["You help in a shop.", "Be kind."]);
    let tools: Vec<String> = declared
        .tools
        .iter()
        .map(|tool| tool.wire().as_str().split_whitespace().collect::<String>())
        .collect();
    assert_eq!(
        tools,
        [
            r#"{"name":"look","description":"Looks.","input_schema":{"type":"object","properties":{"at":{"type":"string"}}}}"#,
            r#"{"name":"count","input_schema":{"type":"object","properties":{"what":{"type":"array","items":{"type":"string"}}},"required":["what"]}}"#,
            r#"{"name":"wait","input_schema":{"type":"object"}}"#,
            r#"{"type":"codeExecution","name":"codeExecution"}"#,
        ]
    );
    let kept = head.rest.get("tools_as_written").expect("what has no place there");
    assert!(kept.as_str().contains("codeExecution"));
}

#[test]
fn a_signature_is_a_field_of_its_part_and_its_issuer_is_known() {
    let record = imported("gemini/body.json").record;
    let reply = message(&record, "contents.1");
    let Some(Source::Model { platform, api, model, .. }) = &reply.source else { panic!("a model") };
    assert_eq!((&**platform, &**api, &**model), ("google", "gemini", "gemini-3-pro-preview"));
    let proofs: Vec<Option<&str>> = reply
        .blocks
        .iter()
        .filter_map(Block::as_tool_use)
        .map(|call| call.proof.as_ref().map(|proof| proof.sealed.as_str()))
        .collect();
    assert_eq!(proofs, [Some("\"c2lnMQ==\""), None]);
    let last = message(&record, "contents.3");
    let Some(Block::Text(text)) = last.blocks.last() else { panic!("a text") };
    assert_eq!(text.proof.as_ref().map(|proof| proof.sealed.as_str()), Some("\"c2lnMg==\""));
    let Some(Block::Opaque(code)) = last.blocks.first() else { panic!("code") };
    assert_eq!(code.proof.as_ref().map(|proof| &proof.kind), Some(&ProofKind::Native));
}

#[test]
fn a_part_in_snake_case_is_kept_as_the_wire_writes_it() {
    let record = imported("gemini/contents.json").record;
    let row = message(&record, "contents.6");
    let Some(Block::Opaque(file)) = row.blocks.first() else { panic!("a file") };
    assert_eq!(
        file.raw.as_str(),
        r#"{"fileData":{"mimeType":"application/pdf","fileUri":"gs://shop/a.pdf"}}"#
    );
}

#[test]
fn an_unchanged_body_is_given_back_and_a_changed_one_is_written_anew() {
    let bytes = fixture("gemini/body.json");
    let mut record = imported("gemini/body.json").record;
    assert_eq!(formats::export(&record, Format::Gemini).expect("it exports"), bytes);
    let last = record.entries.last().expect("an entry").clone();
    let mut more = record::Entry::clone(&last);
    more.id = "more".into();
    more.parent = Some(last.id.clone());
    more.fact = Fact::Message(Box::new(Message::new(Role::Assistant, vec![Block::text("Well.")])));
    record.entries.push(Arc::new(more));
    record.refs.clear();
    let written = formats::export(&record, Format::Gemini).expect("it exports");
    let again = formats::import(&written, "x").expect("it imports").record;
    let system = |record: &Record| head(record).head.map(|head| head.system.clone());
    assert_eq!(system(&again), system(&record));
    let rows = |record: &Record| -> Vec<Vec<Block>> {
        record.entries.iter().filter_map(|e| e.message()).map(|m| m.blocks.clone()).collect()
    };
    let count = rows(&record).len();
    assert_eq!(rows(&again)[..count - 1], rows(&record)[..count - 1]);
    assert_eq!(rows(&again)[count - 1], [Block::text("Well.")]);
}

fn answers(calls: &[(&str, &str)], responses: &[(&str, &str)]) -> Vec<String> {
    let part = |kind: &str, (id, name): &(&str, &str), data: &str| {
        let id = if id.is_empty() { String::new() } else { format!(r#""id":"{id}","#) };
        format!(r#"{{"{kind}":{{{id}"name":"{name}",{data}}}}}"#)
    };
    let calls: Vec<_> =
        calls.iter().map(|call| part("functionCall", call, r#""args":{}"#)).collect();
    let responses: Vec<_> = (responses.iter().zip(0..))
        .map(|(one, n)| part("functionResponse", one, &format!(r#""response":{{"output":"{n}"}}"#)))
        .collect();
    let body = format!(
        r#"[{{"role":"user","parts":[{{"text":"go"}}]}},{{"role":"model","parts":[{}]}},
        {{"role":"user","parts":[{}]}}]"#,
        calls.join(","),
        responses.join(",")
    );
    let record = formats::import(body.as_bytes(), "contents.json").expect("an import").record;
    let calls = message(&record, "contents.1").blocks.clone();
    let calls: Vec<_> = calls.iter().filter_map(Block::as_tool_use).collect();
    let ids: std::collections::BTreeSet<_> = calls.iter().map(|call| &call.id).collect();
    assert_eq!(ids.len(), calls.len(), "two calls of one id: {body}");
    let answered = |block: &Block| {
        let result = block.as_tool_result().expect("a result");
        let of = calls.iter().position(|call| call.id == result.tool_use_id);
        format!("{} to {}", result.output(), of.map_or("none".into(), |at| at.to_string()))
    };
    message(&record, "contents.2").blocks.iter().map(answered).collect()
}

/// G-013, G-017
#[test]
fn a_response_answers_the_call_of_its_id_and_name_and_else_the_next_in_order() {
    let same = [("a", "f"), ("a", "g")];
    assert_eq!(answers(&same, &[("a", "g"), ("a", "f")]), ["0 to 1", "1 to 0"]);
    assert_eq!(answers(&same, &[("a", "h"), ("a", "h")]), ["0 to 0", "1 to 1"]);
    assert_eq!(answers(&[("a", "f"), ("a", "f")], &[("a", "f"), ("a", "f")]), ["0 to 0", "1 to 1"]);
    let two = [("a", "f"), ("b", "g")];
    assert_eq!(answers(&two, &[("b", "g"), ("a", "f")]), ["0 to 1", "1 to 0"]);
    assert_eq!(answers(&two, &[("b", "f"), ("a", "g")]), ["0 to 0", "1 to 1"]);
    assert_eq!(answers(&two, &[("b", "h"), ("c", "f")]), ["0 to 1", "1 to none"]);
    assert_eq!(answers(&[("", "f"), ("b", "f")], &[("c", "f"), ("", "f")]), ["0 to 0", "1 to 1"]);
}

/// G-017
#[test]
fn a_call_whose_id_another_has_is_renamed_and_that_is_said() {
    let assumed = |ids: [&str; 2]| -> Vec<String> {
        let [first, second] = ids.map(|id| match id {
            "" => r#"{"functionCall":{"name":"f","args":{}}}"#.to_owned(),
            id => format!(r#"{{"functionCall":{{"id":"{id}","name":"f","args":{{}}}}}}"#),
        });
        let body = format!(
            r#"{{"model":"gemini-3-pro","contents":[{{"role":"user","parts":[{{"text":"go"}}]}},
            {{"role":"model","parts":[{first},{second}]}}]}}"#
        );
        let read = formats::import(body.as_bytes(), "x").expect("an import");
        let renamed = read.findings.into_iter().filter(|found| found.detail.contains("the id"));
        renamed.map(|found| format!("{} {}", found.kind.as_str(), found.detail)).collect()
    };
    assert_eq!(assumed(["d", "d"]), [r#"ASSUMED a second call has the id "d": it is call_1"#]);
    assert!(assumed(["d", "e"]).is_empty() && assumed(["", ""]).is_empty());
}

/// The model stands in the address of a request, which the body does not have.
#[test]
fn what_a_body_without_a_model_signed_is_of_no_known_model_and_what_it_drew_stays_a_part() {
    let body = br#"{"contents":[{"role":"user","parts":[{"text":"draw"}]},
        {"role":"model","parts":[{"text":"here","thoughtSignature":"czE="},
            {"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="},"thoughtSignature":"czI="}]},
        {"role":"user","parts":[{"text":"more"}]}],"generationConfig":{"topK":3}}"#;
    let read = formats::import(body, "body.json").expect("an import");
    assert_eq!(findings(&read.findings), ["ASSUMED 0"]);
    let reply = message(&read.record, "contents.1");
    let [Block::Text(text), Block::Opaque(drawn)] = &reply.blocks[..] else { panic!("{reply:?}") };
    for proof in [&text.proof, &drawn.proof] {
        let issuer = &proof.as_ref().expect("a proof").issuer;
        assert_eq!((&*issuer.platform, &*issuer.model), ("google", ""));
    }
    let Some(Fact::Sent(sent)) = read.record.entries.last().map(|entry| &entry.fact) else {
        panic!("a request")
    };
    assert!(sent.target.model.is_empty() && sent.rest.get("generationConfig").is_some());
}

/// Other APIs read JSON Schema, which has no `nullable`.
#[test]
fn what_may_be_null_is_of_two_types_in_the_head() {
    let body = br#"{"contents":[{"role":"user","parts":[{"text":"go"}]}],"tools":[{"functionDeclarations":[
        {"name":"f","parameters":{"type":"OBJECT","nullable":true,"properties":{
            "a":{"type":"STRING","nullable":true,"enum":["x"]},
            "b":{"type":"INTEGER","nullable":false},
            "c":{"anyOf":[{"type":"NUMBER"}],"nullable":true},
            "nullable":{"type":"ARRAY","items":{"type":"BOOLEAN","nullable":true}}}}}]}]}"#;
    let record = formats::import(body, "x").expect("an import").record;
    let declared = head(&record).head.expect("a declaration");
    assert_eq!(
        declared.tools[0].wire().as_str(),
        r#"{"name":"f","input_schema":{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null]},"b":{"type":"integer"},"c":{"anyOf":[{"type":"number"},{"type":"null"}]},"nullable":{"type":"array","items":{"type":["boolean","null"]}}}}}"#
    );
}
