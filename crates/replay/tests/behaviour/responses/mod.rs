//! The same of Responses: items in the order in which they were produced, thoughts sealed, ids only
//! where the server keeps what it is sent.

mod calls;
mod head;
mod items;
mod reasoning;

use std::sync::Arc;

use json::{Raw, Text};
use record::{
    Block, EntryId, Input, Issuer, Message, OpaqueBlock, Proof, ProofKind, Reasoning, Rest, Role,
    Source, TextBlock, ToolUse,
};
use replay::{Now, Prepared, Target};
use serde_json::Value;
use wire::Severity;
use wire::openai_responses::lint::{LintOptions, lint};
use wire::openai_responses::platforms::{UNKNOWN, platform};

use crate::history::History;

/// A model whose thoughts are not bound, that is not told what to store.
pub fn gpt() -> Target {
    Target::openai_responses("openai", "gpt-5.5")
}

/// The same, and the server keeps what it is sent.
pub fn stored() -> Target {
    Target { store: true, ..gpt() }
}

/// The body of a request, in which the linter found nothing it would refuse.
pub fn body(target: &Target, prepared: &Prepared) -> Value {
    let bytes = prepared.request.body().to_vec();
    let platform = platform(&target.to.platform).unwrap_or(&UNKNOWN);
    let mut found = lint(&bytes, &LintOptions { platform, model: None });
    found.retain(|finding| finding.severity == Severity::Error);
    assert!(found.is_empty(), "{found:#?}\n{}", String::from_utf8_lossy(&bytes));
    serde_json::from_slice(&bytes).expect("a body is JSON")
}

pub fn prepare(history: &History, target: &Target) -> Prepared {
    history.prepare_for(target.clone(), &Now::default()).expect("a request")
}

pub fn asked(history: &History, target: &Target) -> Value {
    body(target, &prepare(history, target))
}

/// Types of the items; of a message its role.
pub fn outline(body: &Value) -> String {
    let items = body["input"].as_array().expect("items").iter();
    let kinds = items.map(|item| match item["type"].as_str().expect("a type") {
        "message" => item["role"].as_str().expect("a role"),
        kind => kind,
    });
    kinds.collect::<Vec<_>>().join(" ")
}

/// The first text of a message.
pub fn says(body: &Value, at: usize) -> &str {
    let content = &body["input"][at]["content"];
    content.as_str().or(content[0]["text"].as_str()).unwrap_or_else(|| panic!("text in {body}"))
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
        account: to.account,
    });
    history.message(message)
}

pub fn proof(target: &Target, kind: ProofKind, sealed: &str) -> Option<Box<Proof>> {
    let to = target.to.clone();
    let issuer =
        Issuer { platform: to.platform, account: to.account, api: to.dialect, model: to.model };
    let sealed = Raw::string(&Text::from(sealed));
    Some(Box::new(Proof { issuer: Arc::new(issuer), kind, version: 1, sealed }))
}

fn rest(members: &[(&str, &str)]) -> Rest {
    let mut rest = Rest::default();
    for (name, value) in members {
        rest.push((*name).into(), Raw::parse(value).expect("JSON"));
    }
    rest
}

/// A thought that a target sealed.
pub fn sealed(target: &Target, text: &str, sealed: &str) -> Block {
    let summary = format!(r#"[{{"type":"summary_text","text":"{text}"}}]"#);
    let id = format!("\"rs_{sealed}\"");
    Block::Reasoning(Reasoning {
        reasoning: text.into(),
        proof: proof(target, ProofKind::Encrypted, sealed),
        rest: rest(&[("id", &id), ("summary", &summary)]),
    })
}

/// Words that a target named.
pub fn said(target: &Target, id: &str, text: &str, members: &[(&str, &str)]) -> Block {
    let proof = proof(target, ProofKind::ItemId, id);
    Block::Text(TextBlock { text: text.into(), proof, rest: rest(members) })
}

/// A call that a target named.
pub fn called(
    target: &Target,
    id: &str,
    call_id: &str,
    input: &str,
    members: &[(&str, &str)],
) -> Block {
    Block::ToolUse(ToolUse {
        id: call_id.into(),
        name: "grep".into(),
        input: Input::new(input.into()),
        proof: proof(target, ProofKind::ItemId, id),
        rest: rest(members),
    })
}

/// An item that only a target reads.
pub fn native(target: &Target, kind: &str, raw: &str) -> Block {
    let proof = proof(target, ProofKind::Native, "");
    let raw = Raw::parse(raw).expect("JSON");
    Block::Opaque(OpaqueBlock { kind: kind.into(), raw, proof })
}
