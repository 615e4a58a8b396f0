//! What messages and results hold: something, and nothing blank.

use json::{Kind as JsonKind, Value};

use super::Body;
use super::conversation::{Block, Kind};
use crate::report::Report;

/// B-004, B-005, B-012, B-013 and B-015.
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    for message in &body.messages {
        let content = message.value.get("content");
        let is_list = |content: &Value<'_, '_>| content.kind() == JsonKind::Array;
        if let Some(content) = content.filter(is_list)
            && content.items().next().is_none()
        {
            let path = format!("messages.{}", message.index);
            report.add("B-004", path, content.offset(), &[]);
        }
        let alone = message.said().all(|block| is_blank(block.text().as_deref()));
        for block in &message.blocks {
            if let Some(text) = block.text() {
                blank(&text, alone, block.path(), block.inner.offset(), report);
            } else if block.kind == Kind::ToolResult {
                result(body, block, report);
            }
        }
    }
}

/// B-005: refused where it is empty, or all there is; else only by some.
fn blank(text: &str, alone: bool, path: String, offset: usize, report: &mut Report) {
    if !is_blank(Some(text)) {
        return;
    }
    let refused = text.is_empty() || alone && text.chars().all(char::is_whitespace);
    let add = if refused { Report::add } else { Report::warn };
    add(report, "B-005", path, offset, &[]);
}

fn result(body: &Body<'_, '_>, block: &Block<'_, '_>, report: &mut Report) {
    let status = block.inner.get("status").filter(|status| !status.is_null());
    if let Some(status) = status.filter(|_| !block.is_servers()) {
        let (path, at) = (block.member("status"), status.offset());
        report.unless(body.model.status, "B-013", path, at, &[]);
    }
    let Some(content) = block.inner.get("content").filter(|c| c.kind() == JsonKind::Array) else {
        return;
    };
    let inside = format!("{}.toolResult", block.path());
    if content.items().next().is_none() {
        if status.is_some_and(|status| status.is_str("error")) {
            report.add("B-012", inside.clone(), content.offset(), &[]);
        } else {
            report.warn("B-004", inside.clone(), content.offset(), &[]);
        }
    }
    for (index, part) in content.items().enumerate() {
        let path = format!("{inside}.content.{index}");
        if let Some(text) = part.get("text").and_then(Value::as_str) {
            blank(&text, false, path, part.offset(), report);
        } else if let Some(value) = part.get("json").filter(|v| v.kind() != JsonKind::Object) {
            report.add("B-015", format!("{path}.json"), value.offset(), &[]);
        }
    }
}

/// White space, byte order marks and zero-width spaces only.
fn is_blank(text: Option<&str>) -> bool {
    let unseen = |sign: char| sign.is_whitespace() || matches!(sign, '\u{feff}' | '\u{200b}');
    text.is_some_and(|text| text.chars().all(unseen))
}
