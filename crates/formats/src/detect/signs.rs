//! The signs of the formats: what their lines and documents have, and no other's.

use json::{Kind, Value};

use crate::harness::HARNESSES;
use crate::{Format, codex, copilot_cli, gemini_cli, opencode, pi};

/// How the files of a format are told.
pub(super) struct Sign {
    pub(super) format: Format,
    /// Whether a line is one of this format, and of no other.
    line: fn(Value<'_, '_>) -> bool,
    /// Whether a document is one of this format, and of no other.
    document: fn(Value<'_, '_>) -> bool,
}

/// Formats of our own and of the benchmarks: no line of theirs is taken for a request body.
const OWN: [Sign; 2] = [
    Sign { format: Format::NeutralHistory, line: is_neutral, document: has_records },
    Sign { format: Format::Record, line: is_record, document: never },
];

/// Formats of others. The first sign that fits decides.
const SIGNS: &[Sign] = &[
    Sign { format: Format::Codex, line: codex::is_line, document: never },
    Sign { format: Format::Pi, line: pi::is_line, document: never },
    Sign { format: Format::CopilotCli, line: copilot_cli::is_line, document: never },
    Sign {
        format: Format::GeminiCli,
        line: gemini_cli::is_line,
        document: gemini_cli::is_document,
    },
    Sign { format: Format::ClaudeCode, line: is_claude_code, document: never },
    Sign { format: Format::OpenCode, line: never, document: opencode::is_document },
];

/// The format of our own that a line is of.
pub(super) fn own_line(line: Value<'_, '_>) -> Option<Format> {
    OWN.iter().find(|sign| (sign.line)(line)).map(|sign| sign.format)
}

/// The format that a line is of.
pub(super) fn line(line: Value<'_, '_>) -> Option<Format> {
    let harness = || HARNESSES.iter().find(|harness| (harness.is_line)(line));
    let sign = SIGNS.iter().find(|sign| (sign.line)(line)).map(|sign| sign.format);
    sign.or_else(|| harness().map(|harness| harness.format))
}

/// The format that a document is of.
pub(super) fn document(root: Value<'_, '_>) -> Option<Format> {
    let harness = || HARNESSES.iter().find(|harness| (harness.is_document)(root));
    let sign = OWN.iter().chain(SIGNS).find(|sign| (sign.document)(root)).map(|sign| sign.format);
    sign.or_else(|| harness().map(|harness| harness.format))
}

fn never(_: Value<'_, '_>) -> bool {
    false
}

fn has_records(root: Value<'_, '_>) -> bool {
    root.get("records").is_some()
}

fn is_neutral(line: Value<'_, '_>) -> bool {
    let has = |name: &str| line.get(name).is_some();
    match line.get_str("kind").as_deref() {
        Some("header") => has("v"),
        Some("msg") => has("role") && has("blocks"),
        Some(_) | None => false,
    }
}

/// Entries and ref moves of our own JSONL.
fn is_record(line: Value<'_, '_>) -> bool {
    let has = |name: &str| line.get(name).is_some();
    let string = |name: &str| line.get(name).is_some_and(|value| value.kind() == Kind::String);
    has("stenograph")
        || string("entry")
        || string("role") && has("blocks")
        || string("ref") && has("tip")
}

fn is_claude_code(line: Value<'_, '_>) -> bool {
    let has = |name: &str| line.get(name).is_some();
    let message = line.get("message");
    match line.get_str("type").as_deref() {
        Some("user" | "assistant") => {
            message.is_some_and(|message| message.get("parts").is_none())
                && (has("uuid") || has("sessionId"))
        }
        Some("summary") => has("leafUuid"),
        Some("file-history-snapshot") => has("snapshot"),
        Some("queue-operation") => has("operation") && has("sessionId"),
        Some("attachment" | "progress") => has("uuid") && has("parentUuid"),
        // Others write system lines of this shape too, so these alone do not decide.
        Some(_) | None => false,
    }
}
