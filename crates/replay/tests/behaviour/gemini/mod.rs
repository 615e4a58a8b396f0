//! The same of Gemini: contents of parts, and signatures on them.

mod calls;
mod head;
mod parts;
mod signatures;

use std::sync::Arc;

use json::{Raw, Text};
use record::{Block, EntryId, Issuer, Message, Proof, ProofKind, Role, Source, TextBlock};
use replay::{Now, Prepared, Target};
use serde_json::Value;
use wire::gemini::lint::{LintOptions, lint};
use wire::gemini::platforms::platform;

use crate::history::{History, call};

/// A model that signs its calls and wants the signatures back.
pub fn three() -> Target {
    Target::gemini("gemini-3-pro-preview")
}

/// One that asks for none.
pub fn two() -> Target {
    Target::gemini("gemini-2.5-flash")
}

/// The first on Vertex.
pub fn vertex() -> Target {
    Target::vertex("gemini-3-pro-preview")
}

/// The body of a request, in which the linter found nothing.
pub fn body(target: &Target, prepared: &Prepared) -> Value {
    let bytes = prepared.request.body().to_vec();
    let platform = platform(&target.to.platform);
    let found = lint(&bytes, &LintOptions { platform, model: Some(target.to.model.as_str()) });
    assert!(found.is_empty(), "{found:#?}\n{}", String::from_utf8_lossy(&bytes));
    serde_json::from_slice(&bytes).expect("a body is JSON")
}

pub fn prepare(history: &History, target: &Target) -> Prepared {
    history.prepare_for(target.clone(), &Now::default()).expect("a request")
}

pub fn asked(history: &History, target: &Target) -> Value {
    body(target, &prepare(history, target))
}

/// Sends: what is prepared is appended.
pub fn send(history: &mut History, target: &Target) -> Prepared {
    let prepared = prepare(history, target);
    body(target, &prepared);
    history.append(&prepared);
    prepared
}

/// A reply of a target to the last `sent`.
pub fn answer(history: &mut History, target: &Target, blocks: Vec<Block>) -> EntryId {
    let sent = history.path.iter().rev().find(|entry| matches!(entry.fact, record::Fact::Sent(_)));
    let mut message = Message::new(Role::Assistant, blocks);
    message.answers = sent.map(|entry| entry.id.clone());
    let to = target.to.clone();
    message.source = Some(Source::Model {
        platform: to.platform,
        api: to.dialect,
        model: to.model,
        account: None,
    });
    history.message(message)
}

/// What a target signs or marks as its own.
pub fn proof(target: &Target, kind: ProofKind, sealed: &str) -> Option<Box<Proof>> {
    let to = target.to.clone();
    let issuer = Issuer { platform: to.platform, account: None, api: to.dialect, model: to.model };
    let sealed = Raw::string(&Text::from(sealed));
    Some(Box::new(Proof { issuer: Arc::new(issuer), kind, version: 1, sealed }))
}

/// A call that a target signed.
pub fn signed_call(target: &Target, id: &str, name: &str, signature: &str) -> Block {
    match call(id, name, "{}") {
        Block::ToolUse(mut call) => {
            call.proof = proof(target, ProofKind::Signature, signature);
            Block::ToolUse(call)
        }
        other => other,
    }
}

/// A text that a target signed.
pub fn signed_text(target: &Target, text: &str, signature: &str) -> Block {
    let proof = proof(target, ProofKind::Signature, signature);
    Block::Text(TextBlock { text: text.into(), proof, rest: record::Rest::default() })
}

/// A thought that a target signed.
pub fn signed_thought(target: &Target, text: &str, signature: &str) -> Block {
    let proof = proof(target, ProofKind::Signature, signature);
    crate::history::reasoning(text, proof.map(|proof| *proof))
}

/// `role: kinds; ...`: a part by its first member, `+sig` where it is signed.
pub fn outline(body: &Value) -> String {
    let contents = body["contents"].as_array().expect("contents");
    let outlines = contents.iter().map(|content| {
        let parts = content["parts"].as_array().expect("parts").iter().map(|part| {
            let members = part.as_object().expect("a part");
            let beside = ["thought", "thoughtSignature"];
            let name = members.keys().find(|name| !beside.contains(&name.as_str()));
            let thought = if part["thought"] == true { "thought-" } else { "" };
            let signed = if members.contains_key("thoughtSignature") { "+sig" } else { "" };
            format!("{thought}{}{signed}", name.expect("data"))
        });
        let parts: Vec<String> = parts.collect();
        format!("{}: {}", content["role"].as_str().expect("role"), parts.join(" "))
    });
    outlines.collect::<Vec<_>>().join("; ")
}

/// A part.
pub fn part(body: &Value, content: usize, part: usize) -> &Value {
    &body["contents"][content]["parts"][part]
}

/// What a function responded.
pub fn response(body: &Value, content: usize, index: usize) -> &Value {
    &part(body, content, index)["functionResponse"]["response"]
}
