//! Exported sessions of OpenCode.

use formats::Format;
use record::{Block, CompactionKind, Fact, Message, Record, Source, StopKind};

use crate::view::{branch, findings, imported};

fn message<'r>(record: &'r Record, id: &str) -> &'r Message {
    let entry = record.entries.iter().find(|entry| entry.id.as_str() == id);
    entry.and_then(|entry| entry.message()).expect("a message of this id")
}

#[test]
fn each_step_is_a_reply_followed_by_its_results() {
    let imported = imported("opencode/session.json");
    assert_eq!(imported.format, Format::OpenCode);
    assert_eq!(
        branch(&imported, "main"),
        [
            "document opaque opencode.session",
            "msg_1 user: what grows here? | image image/png | opaque file",
            "msg_2 assistant: thought \"\" encrypted=\"gAAA1\" | Looking. | \
             call call_1 read {\"path\":\"a\",\"n\":1.5} | call call_2 read {\"path\":\"b\"}",
            "msg_2:result.0 tool: result call_1 read: oaks + image image/png",
            "msg_2:result.1 tool: result call_2 read error: no such file",
            "msg_2:step.1 assistant: One is missing.",
            "msg_3 user: The following tool was executed by the user",
            "msg_4 assistant: thought \"hm\" encrypted=\"b3Bh\" | \
             call call_3 bash {\"command\":\"sleep\"}",
            "msg_4:result.0 tool: result call_3 bash: half",
            "msg_6 assistant: thought \"deep\" signature=\"c2ln\" | By hand.",
        ]
    );
    assert_eq!(imported.title.as_deref(), Some("Two gardens"));
    assert_eq!(findings(&imported.findings), ["UNREAD_FIELD 8", "KEPT_ASIDE 247"]);
}

#[test]
fn a_proof_says_which_api_its_message_came_over() {
    let imported = imported("opencode/session.json");
    let source = |id: &str| match &message(&imported.record, id).source {
        Some(Source::Model { platform, api, model, .. }) => format!("{platform} {api} {model}"),
        _ => panic!("a model"),
    };
    assert_eq!(source("msg_2"), "openai openai_responses gpt-5.4");
    assert_eq!(source("msg_4"), "github-copilot openai_chat gemini-3.1-pro");
    assert_eq!(source("msg_6"), "anthropic anthropic_messages claude-sonnet-4-5");
    let reply = message(&imported.record, "msg_2");
    let Some(Block::Reasoning(thought)) = reply.blocks.first() else { panic!("a thought") };
    assert_eq!(thought.rest.get("id").map(|raw| raw.as_str()), Some("\"rs_1\""));
    let Some(Block::ToolUse(call)) = reply.blocks.get(2) else { panic!("a call") };
    let proof = call.proof.as_ref().expect("a proof");
    assert_eq!((proof.kind.as_str(), proof.sealed.as_str()), ("item_id", "\"fc_1\""));
    let usage = reply.usage.as_ref().expect("a usage");
    assert_eq!((usage.input_tokens, usage.output_tokens), (10, 6));
    assert_eq!((usage.cache_read_input_tokens, usage.cache_creation_input_tokens), (30, 5));
}

#[test]
fn calls_that_wait_or_run_have_no_result_and_the_last_step_was_cut() {
    let imported = imported("opencode/cut.json");
    assert_eq!(
        branch(&imported, "main")[1..],
        [
            "m1 user: dig",
            "m2 assistant: call c1 dig {\"depth\": 1",
            "m2:step.1 assistant: call c2 dig {\"depth\":2}",
            "m2:step.2 assistant: Dug | call c3 dig {\"depth\":3}",
            "m2:step.2:result.0 tool: result c3 dig: done",
            "m3 assistant: ",
            "m4 user: again",
        ]
    );
    let cut = message(&imported.record, "m2:step.2");
    assert!(cut.interrupted && !message(&imported.record, "m2").interrupted);
    assert_eq!(cut.stop.as_ref().map(|stop| stop.kind), Some(StopKind::Aborted));
    let failed = message(&imported.record, "m3").stop.as_ref().expect("a stop");
    assert_eq!((failed.kind, failed.native.as_deref()), (StopKind::Error, Some("APIError")));
    assert!(failed.failure.as_ref().is_some_and(|failure| failure.as_str().contains("503")));
}

#[test]
fn a_summary_is_the_assistants_and_a_cleared_result_is_cleared() {
    let imported = imported("opencode/compaction.json");
    let path = branch(&imported, "main");
    assert_eq!(
        path[6..],
        [
            "m5 compaction: All that was.",
            "m7 user: next",
            "m8 user: What did we do so far?",
            "m9 assistant: ",
            "cleared cleared: m2:result.0.0",
        ]
    );
    let compactions = imported.record.entries.iter().filter_map(|entry| match &entry.fact {
        Fact::Compaction(compaction) => Some(compaction),
        _ => None,
    });
    let boundary = compactions.into_iter().find(|c| c.kind == CompactionKind::Boundary);
    let boundary = boundary.expect("a boundary");
    assert!(!boundary.handoff_by_user && boundary.split_as_found);
    assert_eq!(boundary.continuation.as_deref(), Some("What did we do so far?"));
    assert_eq!(boundary.retained_from.as_ref().map(|id| id.as_str()), Some("m3"));
}

#[test]
fn what_was_reverted_is_a_branch() {
    let imported = imported("opencode/reverted.json");
    assert_eq!(branch(&imported, "main")[1..], ["m1 user: one", "m2 assistant: 1"]);
    let reverted = branch(&imported, "branch-2");
    assert_eq!(reverted.last().expect("a tip"), "m4 assistant: 2");
}

#[test]
fn odd_shapes_are_reported_and_never_fail() {
    let imported = imported("opencode/odd.json");
    assert_eq!(
        branch(&imported, "main")[1..],
        [
            "messages.1 user: no id",
            "m3 user: same",
            "m3#3 user: same id",
            "m4 assistant: opaque tool",
        ]
    );
    assert_eq!(
        findings(&imported.findings),
        ["UNREAD_FIELD 6", "UNREAD_FIELD 12", "KEPT_ASIDE 13", "UNREAD_FIELD 60"]
    );
}

/// Where a part's metadata holds a proof, its kind, and the API the message came over.
const PROOFS: [[&str; 4]; 11] = [
    ["anthropic", "signature", "signature", "anthropic_messages"],
    ["anthropic", "redactedData", "redacted", "anthropic_messages"],
    ["openai", "reasoningEncryptedContent", "encrypted", "openai_responses"],
    ["openai", "itemId", "item_id", "openai_responses"],
    ["azure", "reasoningEncryptedContent", "encrypted", "openai_responses"],
    ["azure", "itemId", "item_id", "openai_responses"],
    ["google", "thoughtSignature", "signature", "gemini"],
    ["vertex", "thoughtSignature", "signature", "gemini"],
    ["bedrock", "signature", "signature", "bedrock_converse"],
    ["bedrock", "redactedData", "redacted", "bedrock_converse"],
    ["copilot", "reasoningOpaque", "encrypted", "openai_chat"],
];

fn one_reply(provider: &str, metadata: &str) -> Message {
    let document = format!(
        r#"{{"info":{{"id":"s"}},"messages":[{{"info":{{"id":"a","role":"assistant",
        "providerID":"{provider}","modelID":"m"}},"parts":[{{"type":"reasoning","text":"hm"
        {metadata}}}]}}]}}"#
    );
    let read = formats::import(document.as_bytes(), "x").expect("it imports");
    message(&read.record, "a").clone()
}

#[test]
fn every_place_of_a_proof_says_its_kind_and_its_api() {
    for [owner, member, kind, api] in PROOFS {
        let reply = one_reply("p", &format!(r#","metadata":{{"{owner}":{{"{member}":"x"}}}}"#));
        let Some(Block::Reasoning(thought)) = reply.blocks.first() else { panic!("a thought") };
        let proof = thought.proof.as_ref().expect("a proof");
        let found = (proof.kind.as_str(), &*proof.issuer.api, proof.sealed.as_str());
        assert_eq!(found, (kind, api, "\"x\""), "{owner}.{member}");
        assert!(matches!(&reply.source, Some(Source::Model { api: a, .. }) if &**a == api));
    }
}

#[test]
fn a_provider_says_the_api_where_no_part_does() {
    for (provider, platform, api) in [
        ("anthropic", "anthropic", "anthropic_messages"),
        ("openai", "openai", "openai_responses"),
        ("google", "google", "gemini"),
        ("google-vertex", "google-cloud", ""),
        ("amazon-bedrock", "bedrock", "bedrock_converse"),
        ("p", "p", ""),
    ] {
        let Some(Source::Model { platform: p, api: a, .. }) = one_reply(provider, "").source else {
            panic!("a model")
        };
        assert_eq!((&*p, &*a), (platform, api), "{provider}");
    }
}
