//! What the beginning of a document says: the names at its top.

use super::bodies::CONVERSE_PARAMETERS;
use super::{not_json, unknown};
use crate::Format;
use crate::error::ImportError;

/// A document that goes on after its head: told by the names at its top.
///
/// Only the outline is looked at; reading the document says the rest.
pub(super) fn beginning(text: &[u8]) -> Result<Format, ImportError> {
    let start = text.trim_ascii_start();
    match start.first() {
        Some(b'[') => return Ok(Format::AnthropicMessages),
        Some(b'{') => {}
        _ => return Err(not_json(text)),
    }
    let names = names_at(start, 1);
    let has = |name: &str| names.contains(&name.as_bytes());
    if has("sessionId") && (has("uuid") || has("parentUuid")) {
        Ok(Format::ClaudeCode)
    } else if has("entry") || has("role") && has("blocks") && !has("kind") {
        Ok(Format::Record)
    } else if has("type") && has("payload") {
        Ok(Format::Codex)
    } else if has("info") && has("messages") {
        // A trajectory has these names too, and says what it is at its end.
        match names_at(start, 3).iter().any(|name| [&b"info"[..], b"parts"].contains(name)) {
            true => Ok(Format::OpenCode),
            false => Err(unknown("a session whose end was not seen; no format that is read")),
        }
    } else if has("projectHash") || has("lastUpdated") {
        Ok(Format::GeminiCli)
    } else if has("records") || has("header") || has("kind") && has("blocks") {
        Ok(Format::NeutralHistory)
    } else if CONVERSE_PARAMETERS.iter().any(|name| has(name)) {
        Ok(Format::BedrockConverse)
    } else if has("messages") || has("system") || has("max_tokens") {
        Ok(Format::AnthropicMessages)
    } else if has("contents") {
        Ok(Format::Gemini)
    } else if has("input") {
        Ok(Format::OpenAiResponses)
    } else {
        Err(unknown("a document without `messages`; no session format that is read"))
    }
}

/// Whether a neutral history may be one document: its head names the list of records.
pub(crate) fn names_records(head: &[u8]) -> bool {
    let names = names_at(head, 1);
    names.contains(&&b"records"[..]) || names.contains(&&b"header"[..])
}

/// The names of the members at a depth, 1 at the top, as far as the text goes.
fn names_at(text: &[u8], wanted: usize) -> Vec<&[u8]> {
    let mut names = Vec::new();
    let (mut depth, mut at) = (0usize, 0usize);
    while let Some(byte) = text.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let inner = at + 1;
                at = string_end(text, inner);
                let after = text.get(at + 1..).unwrap_or_default().trim_ascii_start();
                if depth == wanted && after.starts_with(b":") {
                    names.extend(text.get(inner..at));
                }
            }
            _ => {}
        }
        at += 1;
    }
    names
}

/// The index of the quote that ends a string whose inside begins at `at`.
fn string_end(text: &[u8], mut at: usize) -> usize {
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => break,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}
