//! Responses: every rollout of Codex goes back whole, and every recorded body to where it was for.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use stenograph::formats::{self, Format};
use stenograph::record::{Block, Entry, Fact, ProofKind, Role};
use stenograph::replay::{Now, Reader, Replayer, Target};

use crate::sessions::request;
use crate::{files, refused, shared};

/// Prefixes of a path that are asked.
const PREFIXES: usize = 8;

/// What a request of a path says.
fn asked(path: &[Arc<Entry>], target: &Target) -> Result<(Value, BTreeSet<String>), String> {
    let mut replayer = Replayer::new(Reader::plain("main"), target.clone());
    replayer.feed(path);
    let prepared = replayer.prepare(&Now::default()).map_err(|refusal| refusal.to_string())?;
    let found = refused(target, &prepared);
    if !found.is_empty() {
        return Err(found.join("; "));
    }
    let body = serde_json::from_slice(&prepared.request.body().to_vec()).expect("JSON");
    let changes = prepared.request.report().changes();
    Ok((body, changes.map(|change| change.kind.as_str().to_owned()).collect()))
}

/// The last model a path names, and who served it.
fn model(path: &[Arc<Entry>]) -> Option<(String, String)> {
    use stenograph::record::Source;
    path.iter().rev().find_map(|entry| match &entry.message()?.source {
        Some(Source::Model { platform, model, .. }) => {
            Some((platform.as_str().to_owned(), model.as_str().to_owned()))
        }
        _ => None,
    })
}

#[test]
fn every_rollout_goes_back_with_its_thoughts_its_calls_and_its_free_texts() {
    let Some(shared) = shared() else { return };
    let (mut rollouts, mut thoughts, mut customs, mut searches) = (0, 0, 0, 0);
    let mut failures = Vec::new();
    for file in files(&shared.join("corpus")) {
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let Ok(imported) = formats::import(&bytes, &name) else { continue };
        if imported.format != Format::Codex {
            continue;
        }
        rollouts += 1;
        let path = imported.record.branch_path("main");
        let Some((platform, model)) = model(&path) else { continue };
        let own = Target::openai_responses("openai", &*model);
        for target in [
            own.clone(),
            Target { store: true, ..own },
            Target::openai_responses("openai", "gpt-6"),
            Target::openai_responses("azure", "gpt-4o"),
            Target::openai_responses("chatgpt", &*model),
            Target::openai_responses("llm.example.org", "somebody-9"),
        ] {
            for part in 1..=PREFIXES {
                let prefix = &path[..path.len() * part / PREFIXES];
                let said =
                    |entry: &Arc<Entry>| entry.message().is_some_and(|m| m.role != Role::System);
                let why = request(prefix, &target).filter(|_| prefix.iter().any(said));
                failures.extend(why.map(|why| format!("{name} {:?}: {why}", target.to)));
            }
        }
        let (body, _) = match asked(&path, &Target::openai_responses(&platform, &*model)) {
            Ok(asked) => asked,
            Err(why) => {
                failures.push(format!("{name}: {why}"));
                continue;
            }
        };
        let items = body["input"].as_array().expect("items");
        let on_wire = |kind: &str| items.iter().filter(|item| item["type"] == kind).count();
        thoughts += on_wire("reasoning");
        customs += on_wire("custom_tool_call");
        searches += on_wire("tool_search_call");
        failures.extend(lost(&path, &body, &model).map(|why| format!("{name}: {why}")));
    }
    println!(
        "{rollouts} rollouts: {thoughts} thoughts, {customs} custom calls, {searches} searches"
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(rollouts > 10 && thoughts > 50 && customs > 5 && searches > 3);
}

/// A sealed thought of the model, or a call, that is on the path and not in the body.
fn lost(path: &[Arc<Entry>], body: &Value, model: &str) -> Option<String> {
    // What a compaction replaced is not looked for.
    if path.iter().any(|entry| matches!(entry.fact, Fact::Compaction(_))) {
        return None;
    }
    let wire = body.to_string();
    let mut calls = 0;
    for entry in path {
        let Some(message) = entry.message() else { continue };
        let acts = |block: &Block| !matches!(block, Block::Reasoning(_));
        for (at, block) in message.blocks.iter().enumerate() {
            match block {
                Block::Reasoning(thought) => {
                    let Some(proof) = &thought.proof else { continue };
                    let own = proof.kind == ProofKind::Encrypted && &*proof.issuer.model == model;
                    let followed = message.blocks[at..].iter().any(acts);
                    if own && followed && !wire.contains(proof.sealed.as_str()) {
                        return Some(format!("{}: a thought stays behind", entry.id));
                    }
                }
                Block::ToolUse(_) => calls += 1,
                _ => {}
            }
        }
    }
    let is_call = |item: &&Value| {
        matches!(
            item["type"].as_str(),
            Some("function_call" | "custom_tool_call" | "tool_search_call")
        )
    };
    let told = body["input"].as_array().into_iter().flatten().filter(is_call).count();
    (told != calls).then(|| format!("{told} of {calls} calls are told"))
}

#[test]
fn every_recorded_responses_body_goes_to_its_own_platform_and_elsewhere() {
    let Some(shared) = shared() else { return };
    let (mut bodies, mut kept, mut sealed) = (0, 0, 0);
    let mut failures = Vec::new();
    for file in files(&shared.join("corpus/streams")) {
        let bytes = std::fs::read(&file).expect("a recording");
        let Ok(value) = serde_json::from_slice::<Value>(&bytes) else { continue };
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        for exchange in value["exchanges"].as_array().into_iter().flatten() {
            let url = exchange["request"]["url"].as_str().unwrap_or_default();
            let body = &exchange["request"]["body"];
            if !url.contains("/responses") || body.get("input").is_none() {
                continue;
            }
            let bytes = serde_json::to_vec(body).expect("JSON");
            let imported = formats::import(&bytes, &name).expect("it imports");
            assert_eq!(imported.format, Format::OpenAiResponses, "{name}");
            bodies += 1;
            let path = imported.record.branch_path("main");
            let model = body["model"].as_str().unwrap_or("gpt-5.5");
            let own = Target::openai_responses("openai", model);
            for target in [
                own.clone(),
                Target { store: true, ..own.clone() },
                Target::openai_responses("azure", "gpt-6"),
                Target::openai_chat("openai", "gpt-4o"),
                Target::anthropic("claude-sonnet-4-5"),
            ] {
                let why = request(&path, &target);
                failures.extend(why.map(|why| format!("{name} {:?}: {why}", target.to)));
            }
            if url.contains("api.openai.com")
                && let Ok((wire, _)) = asked(&path, &own)
            {
                let count =
                    |body: &Value| body.to_string().matches("encrypted_content\":\"g").count();
                sealed += count(body);
                kept += count(&wire);
            }
        }
    }
    println!("{bodies} recorded bodies, {kept} of {sealed} sealed thoughts go back");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(bodies > 50 && kept > 0, "{bodies} bodies, {kept} thoughts");
}
