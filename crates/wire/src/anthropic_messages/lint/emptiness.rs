//! What has to hold something: messages and text blocks, wherever they stand.

use json::{Kind as JsonKind, Value};

use super::Body;
use super::conversation::{Block, Conversation, Kind, Message, Role};
use crate::report::Report;

/// in messages and in the top-level system.
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    if let Some(system) = body.param("system") {
        let blocks = system.items().enumerate();
        texts(blocks.map(|(index, text)| (format!("system.{index}"), text)), report);
    }
    let last = body.conversation.messages.len();
    for (index, message) in body.conversation.messages.iter().enumerate() {
        let blocks = body.conversation.blocks(&message.blocks);
        let may_be_empty = match message.role {
            Role::Assistant => index + 1 == last,
            Role::System => true, // judged by A-074
            Role::User | Role::Other => false,
        };
        if blocks.is_empty() && !may_be_empty && is_empty(message.value.get("content")) {
            let path = format!("messages.{index}");
            report.add("A-011", path, message.value.offset(), &[("n", &index)]);
        }
        let alone = blocks.iter().all(|block| is_blank(block.text()));
        for block in blocks {
            own_text(block, alone, report);
            nested_texts(block, report);
        }
    }
    prefill(&body.conversation, report);
}

fn is_empty(content: Option<Value<'_, '_>>) -> bool {
    content.is_some_and(|content| match content.kind() {
        JsonKind::String | JsonKind::Array => true,
        JsonKind::Null | JsonKind::Bool | JsonKind::Number | JsonKind::Object => false,
    })
}

/// for a block of a message.
fn own_text(block: &Block<'_, '_>, alone: bool, report: &mut Report) {
    let Some(text) = block.text().filter(|_| block.kind == Kind::Text) else { return };
    let value = block.value;
    let offset = value.get("text").unwrap_or(value).offset();
    if text.is_empty() {
        empty_text(block.path(), value, offset, report);
    } else if is_blank(Some(&*text)) {
        // Beside other content, and for signs that only look like nothing, it was accepted.
        let refused = alone && text.chars().all(char::is_whitespace);
        let add = if refused { Report::add } else { Report::warn };
        add(report, "A-021", block.path(), offset, &[]);
    }
}

fn empty_text(path: String, value: Value<'_, '_>, offset: usize, report: &mut Report) {
    if value.get("cache_control").is_some_and(|mark| !mark.is_null()) {
        report.add("A-022", path.clone(), offset, &[]);
    }
    report.add("A-020", path, offset, &[]);
}

/// for what a result, a search result or a document holds.
fn nested_texts(block: &Block<'_, '_>, report: &mut Report) {
    if block.kind == Kind::Document {
        return document_texts(block, report);
    }
    if !matches!(block.kind, Kind::ToolResult | Kind::McpToolResult | Kind::SearchResult) {
        return;
    }
    let content = block.value.get("content");
    let Some(content) = content.filter(|content| content.kind() == JsonKind::Array) else { return };
    let path = format!("{}.{}.content", block.path(), block.tag());
    if block.kind == Kind::ToolResult && content.items().next().is_none() {
        return report.add("A-023", path, content.offset(), &[]);
    }
    let blocks = content.items().enumerate();
    texts(blocks.map(|(index, text)| (format!("{path}.{index}"), text)), report);
}

fn document_texts(block: &Block<'_, '_>, report: &mut Report) {
    let Some(content) = block.value.get("source").and_then(|source| source.get("content")) else {
        return;
    };
    let path = format!("{}.document.source.content.content", block.path());
    let blocks = content.items().enumerate();
    texts(blocks.map(|(index, text)| (format!("{path}.{index}"), text)), report);
}

fn texts<'d, 't>(blocks: impl Iterator<Item = (String, Value<'d, 't>)>, report: &mut Report)
where
    't: 'd,
{
    for (path, value) in blocks {
        let Some(text) = value.get("text").filter(|_| is_text(value)) else { continue };
        let Some(content) = text.as_str() else { continue };
        if content.is_empty() {
            if path.starts_with("system") {
                let words = "system: text content blocks must be non-empty".to_owned();
                report.say("A-020", path, text.offset(), words);
            } else {
                empty_text(path, value, text.offset(), report);
            }
        } else if is_blank(Some(&*content)) {
            report.warn("A-021", path, text.offset(), &[]);
        }
    }
}

fn is_text(value: Value<'_, '_>) -> bool {
    value.get("type").is_some_and(|tag| tag.is_str("text"))
}

/// White space, byte order marks and zero-width spaces only.
fn is_blank(text: Option<impl AsRef<str>>) -> bool {
    let unseen = |sign: char| sign.is_whitespace() || matches!(sign, '\u{feff}' | '\u{200b}');
    text.is_some_and(|text| text.as_ref().chars().all(unseen))
}

/// what the model would continue does not end with white space.
fn prefill(conversation: &Conversation<'_, '_>, report: &mut Report) {
    let is_assistant = |message: &&Message<'_, '_>| message.role == Role::Assistant;
    let Some(message) = conversation.messages.last().filter(is_assistant) else { return };
    let Some(block) = conversation.blocks(&message.blocks).last() else { return };
    if block.text().is_some_and(|text| text.ends_with(char::is_whitespace)) {
        report.add("A-009", block.path(), block.value.offset(), &[]);
    }
}
