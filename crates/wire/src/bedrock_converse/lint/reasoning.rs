//! What a model thought: where it stands, who reads it, and whether it is signed.

use super::Body;
use super::conversation::{Block, Kind, Role};
use crate::bedrock_converse::rules::WRAPPED;
use crate::report::Report;
use crate::takes::Takes;

/// B-019 and B-020.
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    for message in &body.messages {
        for block in message.blocks.iter().filter(|block| block.kind == Kind::Reasoning) {
            match message.role {
                Role::User | Role::System => {
                    report.add("B-019", block.path(), block.value.offset(), &[]);
                }
                Role::Assistant if body.model.claude => signed(block, report),
                Role::Assistant => read(body, block, report),
                Role::Other => {}
            }
        }
    }
}

/// B-019 for families that do not sign.
fn read(body: &Body<'_, '_>, block: &Block<'_, '_>, report: &mut Report) {
    let text = block.inner.get("reasoningText");
    let signature = text.and_then(|text| text.get("signature")).filter(|text| !text.is_null());
    // A signature is refused wherever none was given.
    let (field, takes) = match signature {
        Some(_) if !body.model.is_unknown() => ("reasoningText.signature", Takes::No),
        Some(_) => ("reasoningText.signature", Takes::Doubtful),
        None => ("reasoningText", body.model.reasoning),
    };
    let words = format!(
        "This model doesn't support the reasoningContent.{field} field. Remove \
         reasoningContent.{field} and try again."
    );
    report.say_unless(takes, "B-019", block.member(field), block.value.offset(), words);
}

/// B-020, as far as no key is needed.
fn signed(block: &Block<'_, '_>, report: &mut Report) {
    let path = block.path();
    if let Some(sealed) = block.inner.get("redactedContent") {
        if sealed.is_str("") {
            let words = format!("{WRAPPED}{path}: Invalid `data` in `redacted_thinking` block");
            report.say("B-020", path, sealed.offset(), words);
        }
        return;
    }
    let Some(text) = block.inner.get("reasoningText") else { return };
    match text.get("signature").filter(|signature| !signature.is_null()) {
        None => {
            let words = format!("{WRAPPED}{path}.thinking.signature: Field required");
            report.say("B-020", path, block.value.offset(), words);
        }
        Some(signature) if signature.is_str("") => {
            report.add("B-020", path, signature.offset(), &[]);
        }
        Some(_) => {}
    }
}
