//! The same of Chat Completions: what a vendor takes otherwise is a row, and each has its test.

mod calls;
mod head;
mod images;
mod ollama;
mod order;
mod own;
mod reasoning;

use json::{Raw, Text};
use record::{Block, EntryId, Message, Reasoning, Rest, Role, Source};
use replay::{Now, Prepared, Target};
use serde_json::Value;
use wire::openai_chat::lint::{LintOptions, lint};
use wire::openai_chat::vendors::{UNKNOWN, vendor};

use crate::history::History;

/// A vendor that takes most, a model without reasoning.
pub fn openai() -> Target {
    Target::openai_chat("openai", "gpt-4o")
}

/// A vendor that takes no user message after a result, and ids of nine signs.
pub fn mistral() -> Target {
    Target::openai_chat("mistral", "mistral-large")
}

/// A vendor whose reasoning is due beside calls.
pub fn deepseek() -> Target {
    Target::openai_chat("deepseek", "deepseek-v4-pro")
}

/// A host nobody knows.
pub fn unknown() -> Target {
    Target::openai_chat("llm.example.org", "somebody-9")
}

/// The body of a request, in which the linter found nothing.
pub fn body(target: &Target, prepared: &Prepared) -> Value {
    let bytes = prepared.request.body().to_vec();
    let native = target.to.dialect.as_str() == "ollama_chat";
    let name = if native { &target.to.dialect } else { &target.to.platform };
    let known = target.row.as_ref().or_else(|| vendor(name));
    let vendor = known.unwrap_or(&UNKNOWN);
    let found = lint(&bytes, &LintOptions { vendor, model: None });
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

/// A thought that came under a key.
pub fn thought(key: &str, text: &str) -> Block {
    let mut rest = Rest::default();
    rest.push("key".into(), Raw::string(&Text::from(key)));
    Block::Reasoning(Reasoning { reasoning: text.into(), proof: None, rest })
}

/// `role kinds; role kinds; ...`: a text is `text`, however it is written; calls are `call`.
pub fn outline(body: &Value) -> String {
    let messages = body["messages"].as_array().expect("messages");
    let outlines: Vec<String> = messages
        .iter()
        .map(|message| {
            let mut kinds: Vec<&str> = match &message["content"] {
                Value::String(text) if text.is_empty() => Vec::new(),
                Value::String(_) => vec!["text"],
                Value::Array(parts) => {
                    parts.iter().map(|part| part["type"].as_str().expect("type")).collect()
                }
                _ => Vec::new(),
            };
            kinds.extend(message["tool_calls"].as_array().into_iter().flatten().map(|_| "call"));
            format!("{}: {}", message["role"].as_str().expect("role"), kinds.join(" "))
        })
        .collect();
    outlines.join("; ")
}

/// A message's text, of its first part where it has parts.
pub fn text_at(body: &Value, message: usize) -> &str {
    part_at(body, message, 0)
}

/// The text of a part.
pub fn part_at(body: &Value, message: usize, part: usize) -> &str {
    let content = &body["messages"][message]["content"];
    content.as_str().or(content[part]["text"].as_str()).unwrap_or_else(|| panic!("text in {body}"))
}
