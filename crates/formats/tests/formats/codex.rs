//! Rollouts of the Codex CLI.

use formats::Format;
use record::{Block, Entry, Fact, Message, ProofKind, Role, Source};
use std::sync::Arc;

use crate::view::{branch, findings, fixture, imported, main_of};

#[test]
fn items_are_the_history_and_those_of_one_response_make_one_message() {
    let main = main_of("codex/session.jsonl");
    assert_eq!(
        main,
        [
            "line:1 head",
            "line:2 system: Writing is allowed below the folder.",
            "line:3 user: <environment_context>\n<cwd>/home/ana/shop</cwd>\n</environment_context>",
            "line:6 user: why does the till fail? | image image/png",
            "line:8 assistant: thought \"Look first\\n\\nthen run\" encrypted=\"gAAAsealed\" \
             | Two looks at once. | call call_a shell {\"command\": [\"ls\"]}",
            "line:12 tool: result call_a shell: till.py\n",
            "line:13 assistant: call call_b view_image {\"path\":\"a.png\"} | opaque web_search_call",
            "line:15 tool: result call_b view_image: a picture + image ",
            "line:17 assistant: call call_c apply_patch *** Begin Patch\n*** End Patch",
            "line:18 tool: result call_c apply_patch error: patch refused",
            "line:19 assistant: It was the date.",
        ]
    );
}

#[test]
fn what_no_item_says_is_reported_and_the_name_of_the_thread_is_the_title() {
    let read = imported("codex/session.jsonl");
    assert_eq!(findings(&read.findings), ["IMAGE_CORRECTED 15", "KEPT_ASIDE 21", "KEPT_ASIDE 23"]);
    assert_eq!(read.title.as_deref(), Some("The till"));
}

#[test]
fn a_call_whose_result_is_missing_goes_on_until_the_tokens_are_counted() {
    let lines = |count: &str| {
        let call = |id: &str| {
            format!(
                r#"{{"type":"response_item","payload":{{"type":"function_call","call_id":"{id}","name":"f","arguments":""}}}}"#
            )
        };
        format!("{}\n{count}{}\n", call("a"), call("b"))
    };
    let count = r#"{"type":"event_msg","payload":{"type":"token_count","info":null}}"#;
    let rows = |text: String| {
        let read = formats::import(text.as_bytes(), "x").expect("it imports");
        branch(&read, "main")
    };
    assert_eq!(rows(lines("")), ["line:1 assistant: call a f  | call b f "]);
    assert_eq!(rows(lines(&format!("{count}\n"))).len(), 2);
}

fn message(entries: &[Arc<Entry>], id: &str) -> Message {
    let entry = entries.iter().find(|entry| entry.id.as_str() == id).expect("an entry");
    entry.message().expect("a message").clone()
}

#[test]
fn proofs_name_who_issued_them_and_members_without_a_field_stay() {
    let read = imported("codex/session.jsonl");
    let reply = message(&read.record.entries, "line:8");
    let Some(Block::Reasoning(thought)) = reply.blocks.first() else { panic!("a thought") };
    let proof = thought.proof.as_deref().expect("a proof");
    assert_eq!(proof.kind, ProofKind::Encrypted);
    assert_eq!(
        (&*proof.issuer.platform, &*proof.issuer.api, &*proof.issuer.model),
        ("openai", "openai_responses", "gpt-5.2-codex")
    );
    assert_eq!(thought.rest.get("id").map(|id| id.as_str()), Some("\"rs_1\""));
    assert!(thought.rest.get("summary").is_some());
    let Some(Block::Text(text)) = reply.blocks.get(1) else { panic!("a text") };
    assert_eq!(text.proof.as_ref().map(|proof| &proof.kind), Some(&ProofKind::ItemId));
    assert_eq!(text.rest.get("phase").map(|phase| phase.as_str()), Some("\"commentary\""));
    assert!(
        matches!(&reply.source, Some(Source::Model { model, .. }) if &**model == "gpt-5.2-codex")
    );
}

#[test]
fn tokens_are_those_of_the_response_before_and_cached_ones_are_counted_once() {
    let read = imported("codex/session.jsonl");
    let usage = message(&read.record.entries, "line:13").usage.expect("usage");
    assert_eq!((usage.input_tokens, usage.cache_read_input_tokens), (300, 600));
    assert_eq!(message(&read.record.entries, "line:17").usage, None);
}

#[test]
fn what_the_harness_says_on_the_persons_side_is_not_the_persons() {
    let read = imported("codex/session.jsonl");
    let source = |id| message(&read.record.entries, id).source;
    assert!(matches!(source("line:3"), Some(Source::Runtime { .. })));
    assert_eq!(source("line:6"), Some(Source::User));
}

#[test]
fn a_rollback_is_a_branch_and_the_dropped_turns_keep_one() {
    let read = imported("codex/rolled-back.jsonl");
    assert_eq!(
        branch(&read, "main"),
        ["line:2 user: one", "line:4 assistant: 1", "line:12 user: two again"]
    );
    assert_eq!(
        branch(&read, "branch-2"),
        [
            "line:2 user: one",
            "line:4 assistant: 1",
            "line:6 user: two",
            "line:7 assistant: 2",
            "line:8 user: three",
        ]
    );
    assert_eq!(read.record.branches().len(), 2);
}

#[test]
fn a_compaction_has_its_summary_and_what_it_kept_and_a_sealed_one_applies_nothing() {
    let read = imported("codex/compaction.jsonl");
    let compaction = |id: &str| {
        let entry = read.record.entries.iter().find(|e| e.id.as_str() == id).expect("an entry");
        let Fact::Compaction(compaction) = &entry.fact else { panic!("a compaction") };
        (**compaction).clone()
    };
    let sealed = compaction("line:5");
    assert!(!sealed.is_valid());
    assert!(sealed.rest.get("replacement_history").is_some());
    let applied = compaction("line:7");
    assert!(applied.is_valid() && applied.handoff_by_user && applied.split_as_found);
    assert_eq!(applied.retained, ["line:6".into()]);
    assert_eq!(findings(&read.findings), ["COMPACTION_PAIR_INVALID 5"]);
}

#[test]
fn items_without_envelope_are_read_too() {
    assert_eq!(
        main_of("codex/bare-items.jsonl"),
        [
            "line:1 head",
            "line:3 user: list",
            "line:4 assistant: thought \"\" item_id=\"rs_9\" \
             | call call_1 local_shell {\"type\":\"exec\",\"command\":[\"ls\"]}",
            "line:6 tool: result call_1 local_shell: a.txt",
            "line:7 assistant: call call_2 tool_search {\"query\":\"mail\"}",
            "line:8 tool: result call_2 tool_search: [{\"type\":\"namespace\",\"name\":\"mail\"}]",
        ]
    );
}

#[test]
fn a_whole_item_in_a_damaged_line_is_read_and_every_byte_is_given_back() {
    let read = imported("codex/damage.jsonl");
    assert_eq!(branch(&read, "main"), ["line:2.1 user: whole"]);
    assert_eq!(
        findings(&read.findings),
        ["CORRUPT_LINE 2", "RECOVERED_OBJECT 2", "CORRUPT_LINE 4"]
            .map(|line| line.replace('4', "3"))
    );
    let written = formats::export(&read.record, Format::Codex).expect("it exports");
    assert_eq!(written, fixture("codex/damage.jsonl"));
}

#[test]
fn what_is_appended_is_written_after_the_lines_and_read_back() {
    let mut read = imported("codex/session.jsonl");
    let appended: Vec<Arc<Entry>> = read.record.branch_path("main");
    let mut parent = appended.last().map(|entry| entry.id.clone());
    for entry in &appended {
        let mut again = Entry::clone(entry);
        again.id = format!("again:{}", entry.id).as_str().into();
        again.parent = parent.replace(again.id.clone());
        again.origin = None;
        read.record.entries.push(Arc::new(again));
    }
    read.record.refs.clear();
    let written = formats::export(&read.record, Format::Codex).expect("it exports");
    assert!(written.starts_with(&fixture("codex/session.jsonl")));
    let again = formats::import(&written, "x").expect("it imports");
    let blocks = |entries: &[Arc<Entry>]| -> Vec<(Role, usize)> {
        let rows = entries.iter().filter_map(|entry| entry.message());
        rows.map(|row| (row.role, row.blocks.len())).collect()
    };
    let main = again.record.branch_path("main");
    let (first, second) = main.split_at(appended.len());
    let kinds = |role: Role| blocks(second).iter().filter(|(r, _)| *r == role).map(|r| r.1).sum();
    let before = |role: Role| blocks(first).iter().filter(|(r, _)| *r == role).map(|r| r.1).sum();
    for role in [Role::System, Role::User, Role::Assistant, Role::Tool] {
        let (after, before): (usize, usize) = (kinds(role), before(role));
        assert_eq!(after, before, "{role:?}");
    }
}

#[test]
fn a_plan_that_tokens_are_counted_on_names_the_backend_that_sealed_the_thoughts() {
    let lines = |plan: &str, provider: &str| {
        [
            format!(r#"{{"type":"session_meta","payload":{{"id":"s1","model_provider":"{provider}"}}}}"#),
            r#"{"type":"turn_context","payload":{"model":"gpt-5.5"}}"#.to_owned(),
            r#"{"type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"gAAA"}}"#.to_owned(),
            r#"{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}}"#.to_owned(),
            format!(r#"{{"type":"event_msg","payload":{{"type":"token_count","info":null,"rate_limits":{{"plan_type":{plan}}}}}}}"#),
        ]
        .join("\n")
    };
    let platforms = |plan: &str, provider: &str| {
        let read = formats::import(lines(plan, provider).as_bytes(), "x").expect("it imports");
        let reply = message(&read.record.entries, "line:3");
        let Some(Source::Model { platform, .. }) = reply.source else { panic!("a model") };
        let Some(Block::Reasoning(thought)) = reply.blocks.into_iter().next() else {
            panic!("a thought")
        };
        let sealed_by = thought.proof.expect("a proof").issuer.platform.clone();
        [platform.to_string(), sealed_by.to_string()]
    };
    assert_eq!(platforms(r#""pro""#, "openai"), ["chatgpt", "chatgpt"]);
    assert_eq!(platforms("null", "openai"), ["openai", "openai"]);
    assert_eq!(platforms(r#""pro""#, "azure"), ["azure", "azure"]);
}

/// The backends of the replies of a rollout, a turn for each of these counts of its tokens; `""`
/// is a turn without one.
fn backends(counts: &[&str]) -> Vec<String> {
    let mut lines = vec![
        r#"{"type":"session_meta","payload":{"id":"s1","model_provider":"openai"}}"#.to_owned(),
    ];
    for count in counts {
        lines.extend([
            r#"{"type":"turn_context","payload":{"model":"gpt-5.5"}}"#.to_owned(),
            r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Go on."}]}}"#.to_owned(),
            r#"{"type":"event_msg","payload":{"type":"user_message","message":"Go on."}}"#.to_owned(),
            r#"{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}}"#.to_owned(),
        ]);
        if !count.is_empty() {
            lines.push(format!(
                r#"{{"type":"event_msg","payload":{{"type":"token_count","info":null,"rate_limits":{count}}}}}"#
            ));
        }
    }
    let read = formats::import(lines.join("\n").as_bytes(), "x").expect("it imports");
    let rows = read.record.entries.iter().filter_map(|entry| entry.message());
    rows.filter_map(|row| match &row.source {
        Some(Source::Model { platform, .. }) => Some(platform.to_string()),
        _ => None,
    })
    .collect()
}

#[test]
fn each_turn_has_the_backend_that_its_own_tokens_were_counted_on() {
    let plus = r#"{"plan_type":"plus"}"#;
    assert_eq!(backends(&["null", plus, "null"]), ["openai", "chatgpt", "openai"]);
}

#[test]
fn a_turn_without_a_count_goes_by_the_one_before_it_and_else_by_the_one_after() {
    let plus = r#"{"plan_type":"plus"}"#;
    assert_eq!(backends(&["", plus, "", "null"]), ["chatgpt", "chatgpt", "chatgpt", "openai"]);
    let unnamed = r#"{"plan_type":null}"#;
    assert_eq!(backends(&["null", unnamed, plus]), ["openai", "openai", "chatgpt"]);
}

#[test]
fn a_name_that_is_no_plan_names_no_backend_of_plans() {
    for (plan, backend) in
        [("api", "openai"), ("", "openai"), ("go", "chatgpt"), ("edu", "chatgpt")]
    {
        assert_eq!(backends(&[&format!(r#"{{"plan_type":"{plan}"}}"#)]), [backend], "{plan}");
    }
}
