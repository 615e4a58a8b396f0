//! Every recorded Claude Code and Anthropic file: read, projected, given back.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use stenograph::formats::{self, Format};
use stenograph::record::{Entry, Record, Role};
use stenograph::replay::{Now, Reader, Refusal, Replayer, Target};

use crate::{files, refused, shared};

/// One of each kind: manual thinking, native system messages, bound thinking, nothing known.
const MODELS: [&str; 5] = [
    "claude-sonnet-4-5",
    "claude-opus-4-8",
    "claude-opus-5-5",
    "claude-haiku-4-5",
    "claude-unheard-of-9",
];

/// Vendors of Chat Completions, each with a model: what most take, what few do, and no tools.
const VENDORS: [(&str, &str, bool); 6] = [
    ("openai", "gpt-5.4", true),
    ("mistral", "mistral-large", true),
    ("deepseek", "deepseek-v4-pro", true),
    ("llm.example.org", "somebody-9", true),
    ("ollama", "qwen3", false),
    ("ollama_chat", "qwen3", false),
];

/// Platforms of Responses, each with a model: one that binds its thoughts, and one nobody knows.
const RESPONSES: [(&str, &str); 2] = [("openai", "gpt-6"), ("llm.example.org", "somebody-9")];

/// Prefixes of a path that are tried besides the whole of it.
const PREFIXES: usize = 12;

fn is_ours(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    text.contains("/claude-code/") || name.starts_with("cc-") || name.starts_with("as-claude-")
}

#[test]
fn every_claude_code_session_imports_projects_and_comes_back_byte_for_byte() {
    let Some(shared) = shared() else { return };
    let sessions: Vec<_> =
        files(&shared.join("corpus")).into_iter().filter(|p| is_ours(p)).collect();
    assert!(sessions.len() > 40, "{} sessions", sessions.len());
    let mut failures = Vec::new();
    for path in &sessions {
        let bytes = std::fs::read(path).expect("a recording");
        let name = path.file_name().expect("a name").to_string_lossy();
        let imported = formats::import(&bytes, &name).expect("an import");
        assert_eq!(imported.format, Format::ClaudeCode, "{name}");
        let exported = formats::export(&imported.record, Format::ClaudeCode).expect("an export");
        if exported != bytes {
            failures.push(format!("{name}: the export is not the file"));
        }
        failures.extend(project(&name, &imported.record));
        failures.extend(own_format(&name, &imported.record));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Where sessions of the harnesses are that share their readers.
const HARNESSES: [&str; 21] = [
    "aider/",
    "cline/cl-compaction-",
    "cline/cl-session-",
    "cursor/",
    "entire-compact/",
    "factory-ai-droid/",
    "google-adk/",
    "kiro/",
    "many-tools/as-antigravity-",
    "many-tools/as-cursor-",
    "many-tools/as-droid-",
    "many-tools/as-grok-001",
    "many-tools/as-grok-004",
    "many-tools/as-hermes-",
    "many-tools/as-kimi-001",
    "many-tools/as-kimi-002",
    "many-tools/as-kimi-003",
    "many-tools/as-legacy-",
    "many-tools/as-qwen-",
    "swe-agent/",
    "tau-bench/",
];

#[test]
fn every_session_of_the_other_harnesses_imports_projects_and_comes_back() {
    let Some(shared) = shared() else { return };
    let corpus = shared.join("corpus");
    let (mut sessions, mut failures) = (0, Vec::new());
    for path in files(&corpus) {
        let name = path.strip_prefix(&corpus).expect("below").to_string_lossy().into_owned();
        if !HARNESSES.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        sessions += 1;
        let bytes = std::fs::read(&path).expect("a recording");
        let imported = formats::import(&bytes, &name).expect("an import");
        let exported = formats::export(&imported.record, imported.format).expect("an export");
        if exported != bytes {
            failures.push(format!("{name}: the export is not the file"));
        }
        failures.extend(project(&name, &imported.record));
        failures.extend(own_format(&name, &imported.record));
    }
    println!("{sessions} sessions");
    assert!(sessions > 40, "{sessions} sessions");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The fixtures of the formats, of which every one is there in every checkout.
#[test]
fn every_fixture_of_a_format_projects() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/fixtures");
    let mut failures = Vec::new();
    for path in files(&fixtures) {
        let name = path.strip_prefix(&fixtures).expect("below").to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).expect("a fixture");
        let imported = formats::import(&bytes, &name).expect("an import");
        failures.extend(project(&name, &imported.record));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The record's own file gives it back.
fn own_format(name: &str, record: &Record) -> Option<String> {
    let saved = stenograph::record::jsonl::save(record);
    let loaded = stenograph::record::jsonl::load(&saved, name);
    (loaded.record != *record).then(|| format!("{name}: load(save(x)) is not x"))
}

fn project(name: &str, record: &Record) -> Vec<String> {
    let mut branches: BTreeSet<String> =
        record.branches().iter().map(|branch| branch.as_str().to_owned()).collect();
    branches.insert("main".to_owned());
    let mut failures = Vec::new();
    for branch in branches {
        let path = record.branch_path(&branch);
        for model in MODELS {
            for length in lengths(path.len()) {
                let prefix = &path[..length];
                failures.extend(
                    request(prefix, &Target::anthropic(model))
                        .map(|why| format!("{name} {branch} {model} {length}: {why}")),
                );
            }
        }
        let chat = VENDORS
            .map(|(vendor, model, tools)| Target { tools, ..Target::openai_chat(vendor, model) });
        let gemini = [
            Target::gemini("gemini-3-pro-preview"),
            Target::gemini("gemini-2.5-flash"),
            Target::vertex("gemini-3.8-flash"),
            Target::vertex("model-unheard-of-9"),
        ];
        for target in chat.into_iter().chain(gemini) {
            let vendor = target.to.platform.clone();
            for length in [path.len() / 2, path.len()] {
                failures.extend(
                    request(&path[..length], &target)
                        .map(|why| format!("{name} {branch} {vendor} {length}: {why}")),
                );
            }
        }
        for (platform, model) in RESPONSES {
            let target = Target::openai_responses(platform, model);
            for length in [path.len() / 2, path.len()] {
                failures.extend(
                    request(&path[..length], &target)
                        .map(|why| format!("{name} {branch} {platform} {length}: {why}")),
                );
            }
        }
    }
    failures
}

fn lengths(len: usize) -> BTreeSet<usize> {
    (1..=PREFIXES)
        .map(|part| len * part / PREFIXES)
        .chain([1, 2, 3])
        .filter(|n| *n <= len)
        .collect()
}

/// Whether an entry says nothing to a model but what an operator says.
fn is_silent(entry: &Entry) -> bool {
    entry.message().is_none_or(|message| message.role == Role::System)
}

/// What is wrong with the request of a path, if anything is.
pub fn request(path: &[Arc<Entry>], target: &Target) -> Option<String> {
    let mut replayer = Replayer::new(Reader::plain("main"), target.clone());
    replayer.feed(path);
    let prepared = match replayer.prepare(&Now::default()) {
        Ok(prepared) => prepared,
        Err(Refusal::NothingToSay) if path.iter().all(|entry| is_silent(entry)) => {
            return None;
        }
        Err(refusal) => return Some(refusal.to_string()),
    };
    let found = refused(target, &prepared);
    if !found.is_empty() {
        return Some(found.join("; "));
    }
    let mut with_sent = path.to_vec();
    with_sent.extend(prepared.append().iter().cloned().map(Arc::new));
    replayer.feed(&with_sent);
    let again = replayer.prepare(&Now::default());
    let same = again.is_ok_and(|again| {
        again.append().is_empty()
            && again.request.body().to_vec() == prepared.request.body().to_vec()
    });
    (!same).then(|| "the same request again is another".to_owned())
}

/// Request bodies that a provider accepted: read, projected and given back.
#[test]
fn every_recorded_anthropic_request_imports_projects_and_comes_back() {
    let Some(shared) = shared() else { return };
    let mut bodies = 0;
    let mut failures = Vec::new();
    for path in files(&shared.join("corpus/streams/anthropic")) {
        let recording = std::fs::read(&path).expect("a recording");
        let value: serde_json::Value = serde_json::from_slice(&recording).expect("JSON");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        for body in request_bodies(&value) {
            bodies += 1;
            let bytes = serde_json::to_vec(&body).expect("JSON");
            let imported = match formats::import(&bytes, &name) {
                Ok(imported) => imported,
                Err(error) => {
                    failures.push(format!("{name}: {error}"));
                    continue;
                }
            };
            let exported = formats::export(&imported.record, Format::AnthropicMessages);
            let back: Option<serde_json::Value> =
                exported.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
            if back.as_ref() != Some(&body) {
                failures.push(format!("{name}: the export is not the body"));
            }
            failures.extend(project(&name, &imported.record));
        }
    }
    println!("{bodies} recorded bodies");
    assert!(bodies > 30, "{bodies} bodies");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Every object in a recording that is an Anthropic request body.
fn request_bodies(value: &serde_json::Value) -> Vec<serde_json::Value> {
    let mut found = Vec::new();
    match value {
        serde_json::Value::Object(members) => {
            let is_body = members.contains_key("messages")
                && members.contains_key("model")
                && members.contains_key("max_tokens");
            let anthropic = members
                .get("model")
                .and_then(|model| model.as_str())
                .is_some_and(|model| model.contains("claude"));
            if is_body && anthropic {
                found.push(value.clone());
            } else {
                found.extend(members.values().flat_map(request_bodies));
            }
        }
        serde_json::Value::Array(items) => found.extend(items.iter().flat_map(request_bodies)),
        serde_json::Value::String(text) if text.starts_with('{') => {
            if let Ok(inner) = serde_json::from_str::<serde_json::Value>(text) {
                found.extend(request_bodies(&inner));
            }
        }
        _ => {}
    }
    found
}
