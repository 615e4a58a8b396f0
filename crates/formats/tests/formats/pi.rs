//! Session files of pi.

use formats::Format;
use record::{Block, Fact, Message, Record, Source, StopKind};

use crate::view::{branch, findings, fixture, imported};

fn message<'r>(record: &'r Record, id: &str) -> &'r Message {
    let entry = record.entries.iter().find(|entry| entry.id.as_str() == id);
    entry.and_then(|entry| entry.message()).expect("a message of this id")
}

#[test]
fn the_view_is_the_path_to_the_last_line_and_a_branch_that_was_left_stays() {
    let imported = imported("pi/tree.jsonl");
    assert_eq!(imported.format, Format::Pi);
    assert_eq!(
        branch(&imported, "main"),
        [
            "u1 user: which beds are dry? | image image/png",
            "a1 assistant: thought \"look at both sensors\" signature=\"c2lnLWE=\" | \
             Reading both. | call toolu_n sensor {\"bed\":\"north\",\"n\":1.5} | \
             call toolu_s sensor {\"bed\":\"south\"}",
            "r1 tool: result toolu_n sensor: 41% + image image/png",
            "r2 tool: result toolu_s sensor error: no reply",
            "a2 assistant: North is fine, south does not answer.",
            "bs1 user: The following is a summary of a branch that this conversation came back \
             from:\n\n<summary>\nThe south valve is unreachable.</summary>",
            "cm1 user: Rain is due at noon.",
            "u3 user: then only log it",
            "a4 assistant: Logged.",
        ]
    );
    let left = branch(&imported, "branch-2");
    assert_eq!(left.last().expect("a tip"), "a3 assistant: I cannot reach its valve.");
    assert_eq!(imported.title.as_deref(), Some("Dry beds"));
    assert!(imported.findings.is_empty(), "{:?}", imported.findings);
}

#[test]
fn a_person_who_went_back_is_where_the_last_line_hangs() {
    let imported = imported("pi/went-back.jsonl");
    assert_eq!(branch(&imported, "main"), ["u1 user: one", "a1 assistant: 1"]);
    assert_eq!(branch(&imported, "branch-2").len(), 4);
}

#[test]
fn a_second_session_in_one_file_is_a_branch_of_its_own_and_is_said() {
    let session = |id: &str, said: &str| {
        let message = format!(r#"{{"role":"user","content":"{said}"}}"#);
        format!(
            "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"cwd\":\"/\"}}\n\
             {{\"type\":\"message\",\"id\":\"m-{id}\",\"parentId\":null,\"message\":{message}}}\n"
        )
    };
    let both = [session("s-1", "water"), session("s-2", "weed")].concat();
    let read = formats::import(both.as_bytes(), "x").expect("it imports");
    assert_eq!(findings(&read.findings), ["SEVERAL_CONVERSATIONS 3"]);
    assert_eq!(branch(&read, "main"), ["m-s-2 user: weed"]);
    assert_eq!(branch(&read, "branch-2"), ["m-s-1 user: water"]);
}

#[test]
fn a_reply_says_who_made_it_what_it_used_and_how_it_ended() {
    let imported = imported("pi/tree.jsonl");
    let reply = message(&imported.record, "a1");
    let Some(Source::Model { platform, api, model, .. }) = &reply.source else { panic!("a model") };
    assert_eq!(
        (&**platform, &**api, &**model),
        ("anthropic", "anthropic_messages", "claude-sonnet-4-5")
    );
    let usage = reply.usage.as_ref().expect("a usage");
    assert_eq!((usage.input_tokens, usage.output_tokens), (3, 5));
    assert_eq!((usage.cache_read_input_tokens, usage.cache_creation_input_tokens), (7, 11));
    let stop = reply.stop.as_ref().expect("a stop");
    assert_eq!((stop.kind, stop.native.as_deref()), (StopKind::ToolCalls, Some("toolUse")));
    let injected = message(&imported.record, "cm1");
    assert!(matches!(&injected.source, Some(Source::Runtime { what }) if &**what == "weather"));
}

#[test]
fn what_was_cut_keeps_its_words_and_a_call_without_a_result_was_never_run() {
    let imported = imported("pi/cut.jsonl");
    assert_eq!(
        branch(&imported, "main")[..7],
        [
            "u1 user: plant it",
            "a1 assistant: I will dig",
            "u2 user: go on",
            "a2 assistant: ",
            "a3 assistant: Half of a sent",
            "a4 assistant: call toolu_2 dig {\"depth\":4}",
            "r4 tool: result toolu_2 dig: dug",
        ]
    );
    let cut = message(&imported.record, "a1");
    assert!(cut.interrupted);
    let stop = cut.stop.as_ref().expect("a stop");
    let [dropped] = stop.dropped_calls.as_slice() else { panic!("one dropped call") };
    let member = |name: &str| dropped.rest.get(name).map(|raw| raw.as_str());
    assert_eq!((&*dropped.name, member("id")), ("dig", Some("\"toolu_1\"")));
    assert_eq!((member("args_bytes"), member("closed")), (Some("10"), Some("false")));
    let failed = message(&imported.record, "a2");
    assert!(!failed.interrupted && failed.blocks.is_empty());
    let failure = failed.stop.as_ref().and_then(|stop| stop.failure.as_ref());
    assert_eq!(failure.map(|raw| raw.as_str()), Some("\"503 overloaded\""));
    assert!(message(&imported.record, "a4").interrupted);
}

#[test]
fn a_command_a_person_ran_is_said_as_the_harness_says_it() {
    let imported = imported("pi/cut.jsonl");
    assert_eq!(
        branch(&imported, "main")[7..],
        [
            "b1 user: Ran `ls beds`\n```\nnorth\nsouth\n```",
            "b2 user: Ran `false`\n(no output)\n\nCommand exited with code 2\n\n\
             [Output truncated. Full output: /var/out.log]",
            "b3 user: Ran `sleep 9`\n```\nzz\n```\n\n(command cancelled)",
            "a5 assistant: All planted.",
        ]
    );
    assert_eq!(findings(&imported.findings), ["KEPT_ASIDE 12"]);
}

#[test]
fn a_compaction_is_said_by_the_user_and_keeps_from_the_line_it_names_or_the_next_message() {
    let imported = imported("pi/compaction.jsonl");
    let boundary = |id: &str| {
        let entry = imported.record.entries.iter().find(|entry| entry.id.as_str() == id);
        match &entry.expect("an entry").fact {
            Fact::Compaction(compaction) => (**compaction).clone(),
            _ => panic!("a compaction"),
        }
    };
    let first = boundary("c1");
    assert!(first.handoff_by_user && first.split_as_found && first.is_valid());
    let handoff = "The conversation history before this point was compacted into the following \
                   summary:\n\n<summary>\nTwo beds were planted.\n</summary>";
    assert_eq!(first.handoff.as_deref(), Some(handoff));
    // It names a change of the thinking level: the message after it is the first that is kept.
    assert_eq!(first.retained_from.as_ref().map(|id| id.as_str()), Some("u2"));
    assert_eq!(boundary("c2").retained_from, None);
    assert!(!boundary("c3").is_valid());
    assert_eq!(findings(&imported.findings), ["DANGLING_PARENT 9", "COMPACTION_PAIR_INVALID 10"]);
}

#[test]
fn the_first_version_has_no_ids_and_counts_its_lines() {
    let imported = imported("pi/version-1.jsonl");
    let ids: Vec<String> =
        branch(&imported, "main").iter().map(|l| l.chars().take(6).collect()).collect();
    assert_eq!(ids, ["line:2", "line:3", "line:5", "line:6", "line:7", "line:8"]);
    let kept = imported.record.entries.iter().find_map(|entry| match &entry.fact {
        Fact::Compaction(compaction) => compaction.retained_from.clone(),
        _ => None,
    });
    assert_eq!(kept.expect("what it kept").as_str(), "line:5");
    assert!(imported.findings.is_empty(), "{:?}", imported.findings);
}

/// Kind, issuer's API and sealed content of each proof of a message.
fn proofs(message: &Message) -> Vec<String> {
    let proof = |block: &Block| match block {
        Block::Text(text) => text.proof.clone(),
        Block::ToolUse(call) => call.proof.clone(),
        Block::Reasoning(thought) => thought.proof.clone(),
        _ => None,
    };
    let proofs = message.blocks.iter().filter_map(proof);
    proofs.map(|p| format!("{} {} {}", p.kind.as_str(), &*p.issuer.api, p.sealed)).collect()
}

#[test]
fn what_signs_a_block_is_read_as_what_it_is() {
    let imported = imported("pi/signatures.jsonl");
    let of = |id: &str| proofs(message(&imported.record, id));
    assert_eq!(
        of("a1"),
        [
            "encrypted openai_responses \"gAAAx\"",
            "item_id openai_responses \"msg_7\"",
            "item_id openai_responses \"fc_7\"",
        ]
    );
    assert_eq!(
        of("a2"),
        ["item_id openai_responses \"rs_8\"", "item_id openai_responses \"msg_8\""]
    );
    assert_eq!(of("a3"), ["signature gemini \"Z2Vt\"", "signature gemini \"dHh0\""]);
    assert_eq!(
        of("a4"),
        [r#"encrypted openai_chat "{\"type\":\"reasoning.encrypted\",\"data\":\"eD0=\"}""#]
    );
    assert_eq!(of("a5"), ["redacted bedrock_converse \"cmVk\""]);
    assert!(of("a6").is_empty());
    let rest = |id: &str, name: &str| match message(&imported.record, id).blocks.first() {
        Some(Block::Reasoning(thought)) => thought.rest.get(name).map(|raw| raw.to_string()),
        _ => None,
    };
    assert_eq!(rest("a1", "id").as_deref(), Some("\"rs_7\""));
    assert!(rest("a1", "summary").is_some_and(|summary| summary.contains("**Sum**")));
    assert_eq!(rest("a4", "thinkingSignature").as_deref(), Some("\"reasoning_content\""));
    assert_eq!(rest("a6", "thinkingSignature").as_deref(), Some("\"{not json\""));
    let Some(Source::Model { platform, .. }) = &message(&imported.record, "a5").source else {
        panic!("a model")
    };
    assert_eq!(&**platform, "bedrock");
}

#[test]
fn damage_is_reported_what_is_whole_is_read_and_every_byte_comes_back() {
    let bytes = fixture("pi/damage.jsonl");
    let read = formats::import(&bytes, "x").expect("it imports");
    assert_eq!(
        branch(&read, "main"),
        [
            "u1 user: start",
            "a1 assistant: started",
            "u2 user: kept whole",
            "u3 user: after a lost line",
            "m6 user: opaque hologram",
        ]
    );
    assert_eq!(
        findings(&read.findings),
        [
            "CORRUPT_LINE 4",
            "RECOVERED_OBJECT 4",
            "DANGLING_PARENT 5",
            "DUPLICATE_ROW 6",
            "KEPT_ASIDE 7",
            "UNREAD_FIELD 8",
            "UNREAD_FIELD 9",
            "UNREAD_FIELD 10",
            "KEPT_ASIDE 11",
            "CORRUPT_LINE 13",
        ]
    );
    assert_eq!(formats::export(&read.record, Format::Pi).expect("it exports"), bytes);
}

/// Provider and API as a reply has them, and as the record names them.
const ROUTES: [[&str; 4]; 16] = [
    ["p", "anthropic-messages", "p", "anthropic_messages"],
    ["p", "openai-completions", "p", "openai_chat"],
    ["p", "openai-responses", "p", "openai_responses"],
    ["p", "openai-codex-responses", "p", "openai_responses"],
    ["p", "azure-openai-responses", "p", "openai_responses"],
    ["p", "google-generative-ai", "p", "gemini"],
    ["p", "google-gemini-cli", "p", "gemini"],
    ["google-vertex", "google-vertex", "google-cloud", "gemini"],
    ["amazon-bedrock", "bedrock-converse-stream", "bedrock", "bedrock_converse"],
    ["p", "mistral-conversations", "p", "openai_chat"],
    ["p", "new-api", "p", "new_api"],
    ["anthropic", "", "anthropic", "anthropic_messages"],
    ["openai", "", "openai", "openai_responses"],
    ["openai-codex", "", "openai-codex", "openai_responses"],
    ["google", "", "google", "gemini"],
    ["p", "", "p", ""],
];

#[test]
fn every_route_has_its_name() {
    for [provider, api, platform, dialect] in ROUTES {
        let line = format!(
            r#"{{"type":"message","id":"a","parentId":null,"message":{{"role":"assistant",
            "provider":"{provider}","api":"{api}","model":"m","content":"x"}}}}"#
        );
        let line = line.replace('\n', "");
        let read = formats::import(line.as_bytes(), "x").expect("it imports");
        let Some(Source::Model { platform: p, api: a, .. }) = &message(&read.record, "a").source
        else {
            panic!("a model")
        };
        assert_eq!((&**p, &**a), (platform, dialect), "{provider} {api}");
    }
}

#[test]
fn a_signature_of_another_api_than_the_reply_names_is_not_written_as_its_own() {
    let read = imported("copilot-cli/events.jsonl");
    let before = proofs_of(&read.record);
    let written = formats::export(&read.record, Format::Pi).expect("it exports");
    let again = formats::import(&written, "x").expect("it imports");
    let forged: Vec<_> =
        proofs_of(&again.record).into_iter().filter(|proof| !before.contains(proof)).collect();
    assert_eq!(forged, []);
}

/// Every proof of a thought: the API that issued it, and what it sealed.
fn proofs_of(record: &record::Record) -> Vec<(String, String)> {
    let messages = record.entries.iter().filter_map(|entry| entry.message());
    let proofs = messages.flat_map(|message| &message.blocks).filter_map(|block| match block {
        record::Block::Reasoning(thought) => thought.proof.as_deref(),
        _ => None,
    });
    proofs.map(|p| (p.issuer.api.to_string(), p.sealed.as_str().to_owned())).collect()
}
