//! Every recorded Gemini body and every session of the Gemini CLI: to its own model, elsewhere, and
//! back.

use std::path::Path;
use std::sync::Arc;

use stenograph::formats::{self, Format};
use stenograph::record::{Block, Entry, Source};
use stenograph::replay::{Now, Prepared, Reader, Replayer, Target};

use crate::sessions::request;
use crate::{files, shared};

/// Where each is sent besides its own model.
fn elsewhere() -> [Target; 7] {
    [
        Target::gemini("gemini-2.5-flash"),
        Target::gemini("gemini-3.8-flash"),
        Target::vertex("gemini-3-flash-preview"),
        Target::vertex("gemini-2.0-flash"),
        Target::anthropic("claude-sonnet-4-5"),
        Target::anthropic("claude-opus-5-5"),
        Target::openai_chat("openai", "gpt-4o"),
    ]
}

#[test]
fn every_recorded_gemini_body_goes_to_its_model_and_elsewhere_and_back() {
    let Some(shared) = shared() else { return };
    let (mut bodies, mut signatures) = (0, 0);
    let mut failures = Vec::new();
    for path in files(&shared.join("corpus/streams")) {
        let bytes = std::fs::read(&path).expect("a recording");
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(&bytes) else { continue };
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        for (model, on_vertex, body) in gemini_bodies(&value) {
            bodies += 1;
            let mut body = body.clone();
            body["model"] = model.clone().into();
            if on_vertex {
                body["labels"] = serde_json::json!({});
            }
            let bytes = serde_json::to_vec(&body).expect("JSON");
            let imported = formats::import(&bytes, &name).expect("it imports");
            assert_eq!(imported.format, Format::Gemini, "{name}");
            let own = if on_vertex { Target::vertex(model) } else { Target::gemini(model) };
            let path = imported.record.branch_path("main");
            match judged(&name, &path, &own) {
                Ok(kept) => signatures += kept,
                Err(why) => failures.extend(why),
            }
        }
    }
    println!("{bodies} recorded bodies, {signatures} signatures kept");
    assert!(bodies > 60 && signatures > 20, "{bodies} bodies, {signatures} signatures");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The bodies of a recording, with the model and whether it is on Vertex.
fn gemini_bodies(value: &serde_json::Value) -> Vec<(String, bool, &serde_json::Value)> {
    let mut found = Vec::new();
    for exchange in value["exchanges"].as_array().into_iter().flatten() {
        let request = &exchange["request"];
        let url = request["url"].as_str().unwrap_or_default();
        let Some((host, model)) = url.split_once("/models/") else { continue };
        if request["body"]["contents"].is_array() {
            let model = model.split(':').next().unwrap_or(model).to_owned();
            found.push((model, host.contains("aiplatform"), &request["body"]));
        }
    }
    found
}

#[test]
fn every_gemini_session_goes_to_its_model_and_elsewhere_and_back() {
    let Some(shared) = shared() else { return };
    let (mut sessions, mut signatures) = (0, 0);
    let mut failures = Vec::new();
    for path in files(&shared.join("corpus")) {
        if !is_gemini(&path) {
            continue;
        }
        let bytes = std::fs::read(&path).expect("a recording");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let Ok(imported) = formats::import(&bytes, &name) else { continue };
        sessions += 1;
        for branch in imported.record.branches() {
            let path = imported.record.branch_path(branch);
            for part in 1..=4 {
                let prefix = &path[..path.len() * part / 4];
                match judged(&name, prefix, &own(prefix)) {
                    Ok(kept) => signatures += kept,
                    Err(why) => failures.extend(why),
                }
            }
        }
    }
    println!("{sessions} sessions, {signatures} signatures kept");
    assert!(sessions > 15, "{sessions} sessions");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Whether a file is a session in which a Gemini model spoke.
fn is_gemini(path: &Path) -> bool {
    let text = path.to_string_lossy();
    ["/gemini-cli/", "/opencode/", "/pi/", "/as-gemini-"].iter().any(|part| text.contains(part))
}

/// The target whose model spoke last over this API.
fn own(path: &[Arc<Entry>]) -> Target {
    let named = path.iter().rev().find_map(|entry| match &entry.message()?.source {
        Some(Source::Model { platform, api, model, .. }) if &**api == "gemini" => {
            Some((platform.clone(), model.clone()))
        }
        _ => None,
    });
    let mut target = Target::gemini("gemini-3-flash-preview");
    if let Some((platform, model)) = named {
        (target.to.platform, target.to.model) = (platform, model);
    }
    target
}

/// What is wrong with the requests of a path, or how many signatures its own model gets back.
fn judged(name: &str, path: &[Arc<Entry>], own: &Target) -> Result<usize, Vec<String>> {
    if path.iter().all(|entry| entry.message().is_none()) {
        return Ok(0);
    }
    let mut failures = Vec::new();
    for target in std::iter::once(own).chain(&elsewhere()) {
        let found = request(path, target);
        failures.extend(found.map(|why| format!("{name} {:?}: {why}", target.to)));
    }
    match there_and_back(path, own) {
        Ok(kept) if failures.is_empty() => Ok(kept),
        Ok(_) => Err(failures),
        Err(why) => {
            failures.push(format!("{name}: {why}"));
            Err(failures)
        }
    }
}

/// Sent to its model, to another API, and to its model again: the same bytes, its signatures in
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
    let (first_text, there_text) = (text(&first), text(&there));
    if first_text != text(&back) {
        return Err("it is another when it comes back".to_owned());
    }
    let mut kept = 0;
    for entry in &path {
        for block in entry.message().into_iter().flat_map(|message| &message.blocks) {
            let proof = match block {
                Block::Text(text) => text.proof.as_deref(),
                Block::ToolUse(call) => call.proof.as_deref(),
                Block::Reasoning(thought) => thought.proof.as_deref(),
                _ => None,
            };
            let Some(proof) = proof.filter(|proof| &*proof.issuer.api == "gemini") else {
                continue;
            };
            let sealed = format!("\"thoughtSignature\":{}", proof.sealed.as_str());
            kept += usize::from(first_text.contains(&sealed));
            if there_text.contains(&format!("ignature\":{}", proof.sealed.as_str())) {
                return Err(format!("{}: a signature went elsewhere", entry.id));
            }
        }
    }
    Ok(kept)
}
