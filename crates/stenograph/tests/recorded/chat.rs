//! Every recorded body of Chat Completions: to its own vendor, elsewhere, and back.

use std::sync::Arc;

use stenograph::formats::{self, Format};
use stenograph::record::{Block, Entry, Fact};
use stenograph::replay::{Now, Prepared, Reader, Replayer, Target};

use crate::sessions::request;
use crate::{files, shared};

/// Where each body is sent besides its own vendor.
const ELSEWHERE: [(&str, &str); 4] = [
    ("openai", "gpt-4o"),
    ("mistral", "mistral-large"),
    ("openrouter", "deepseek/deepseek-v4"),
    ("llm.example.org", "somebody-9"),
];

#[test]
fn every_recorded_chat_body_goes_to_its_vendor_and_elsewhere_and_back() {
    let Some(shared) = shared() else { return };
    let (mut bodies, mut thoughts) = (0, 0);
    let mut failures = Vec::new();
    for path in files(&shared.join("corpus/streams")) {
        let bytes = std::fs::read(&path).expect("a recording");
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(&bytes) else { continue };
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        for body in chat_bodies(&value) {
            let bytes = serde_json::to_vec(&body).expect("JSON");
            let Ok(imported) = formats::import(&bytes, &name) else { continue };
            if imported.format != Format::OpenAiChat {
                continue;
            }
            bodies += 1;
            let path = imported.record.branch_path("main");
            let mut targets: Vec<Target> = ELSEWHERE
                .iter()
                .map(|(vendor, model)| Target::openai_chat(vendor, *model))
                .collect();
            targets.push(Target::anthropic("claude-sonnet-4-5"));
            targets.push(Target::anthropic("claude-opus-5-5"));
            for target in own(&path).iter().chain(&targets) {
                let found = request(&path, target);
                failures.extend(found.map(|why| format!("{name} {:?}: {why}", target.to)));
            }
            match own(&path).map(|own| there_and_back(&path, &own)) {
                Some(Ok(kept)) => thoughts += kept,
                Some(Err(why)) => failures.push(format!("{name}: {why}")),
                None => {}
            }
        }
    }
    println!("{bodies} recorded bodies, {thoughts} thoughts kept");
    assert!(bodies > 100 && thoughts > 0, "{bodies} bodies, {thoughts} thoughts");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Every object in a recording that may be such a body.
fn chat_bodies(value: &serde_json::Value) -> Vec<serde_json::Value> {
    match value {
        serde_json::Value::Object(members) => {
            if members.contains_key("messages") && members.contains_key("model") {
                return vec![value.clone()];
            }
            members.values().flat_map(chat_bodies).collect()
        }
        serde_json::Value::Array(items) => items.iter().flat_map(chat_bodies).collect(),
        serde_json::Value::String(text) if text.starts_with('{') => {
            serde_json::from_str(text).map(|inner| chat_bodies(&inner)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// The target a body was for, where its model's name tells the vendor.
fn own(path: &[Arc<Entry>]) -> Option<Target> {
    let to = path.iter().rev().find_map(|entry| match &entry.fact {
        Fact::Sent(sent) => Some(&sent.target),
        _ => None,
    })?;
    (!to.platform.is_empty()).then(|| Target::openai_chat(&to.platform, to.model.clone()))
}

/// Sent to its vendor, to another API, and to its vendor again: the same bytes, its thoughts in
/// them, and none of them elsewhere. How many there are.
fn there_and_back(path: &[Arc<Entry>], own: &Target) -> Result<usize, String> {
    let claude = Target::anthropic("claude-sonnet-4-5");
    let mut path = path.to_vec();
    let mut asked = |target: &Target| -> Result<Prepared, String> {
        let mut replayer = Replayer::new(Reader::plain("main"), target.clone());
        replayer.feed(&path);
        let prepared = replayer.prepare(&Now::default()).map_err(|refusal| refusal.to_string())?;
        path.extend(prepared.append().iter().cloned().map(Arc::new));
        Ok(prepared)
    };
    let (first, there, back) = (asked(own)?, asked(&claude)?, asked(own)?);
    let text =
        |prepared: &Prepared| String::from_utf8(prepared.request.body().to_vec()).expect("UTF-8");
    if text(&first) != text(&back) {
        return Err("it is another when it comes back".to_owned());
    }
    let withheld = |prepared: &Prepared, row| {
        let mut changes = prepared.request.report().changes();
        changes.any(|change| {
            change.row.as_ref() == Some(row) && change.kind.as_str() == "THINKING_WITHHELD"
        })
    };
    let (first_text, there_text) = (text(&first), text(&there));
    let mut kept = 0;
    for entry in &path {
        for block in entry.message().into_iter().flat_map(|message| &message.blocks) {
            let Block::Reasoning(thought) = block else { continue };
            if thought.reasoning.is_empty() || withheld(&first, &entry.id) {
                continue;
            }
            let literal = serde_json::to_string(thought.reasoning.as_str()).expect("JSON");
            if first_text.contains(&literal) {
                kept += 1;
            }
            if thought.reasoning.len() > 20 && there_text.contains(&literal) {
                return Err(format!("{}: a thought went elsewhere", entry.id));
            }
        }
    }
    Ok(kept)
}
