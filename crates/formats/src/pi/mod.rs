//! Session files of pi: one JSON object a line, a tree by `parentId`.
//!
//! In: lines, versions 1 (no ids: file order) to 3, and those of harnesses built on it. Out: a
//! record.
//!
//! * **A line of type `message` is a message**; so are what an extension said to the model
//!   (`custom_message`), the summary of a branch that was left, and a command a person ran, all in
//!   the words they are sent in ([`wording`]). Every other line stands beside the path.
//! * **The view is the path to the last line**, wherever that hangs: a person who went back left a
//!   branch, and it stays one.
//! * **A reply that was cut** keeps what it said. A call in it that has no result was never run and
//!   becomes a dropped call.
//! * **A compaction** is sent as a user message, followed by what it kept.
//!
//! [`session`] reads the lines, [`block`] their content, [`write`] writes back.

mod block;
mod session;
mod wording;
mod write;

use std::io::{self, BufRead};

use json::{Kind, Value};

use crate::source::Keep;
use crate::{Format, Imported, lines};

pub(crate) use write::export;

/// Reads a session file.
pub(crate) fn import(input: impl BufRead, file: &str, keep: Keep) -> io::Result<Imported> {
    let mut session = session::Session::new(file);
    lines::read(&mut session, input, keep)?;
    let (record, report, title) = session.finish();
    Ok(Imported { format: Format::Pi, record, findings: report.finish(), title })
}

/// Whether a line is one of this format, and of no other: others write messages like a person's.
pub(crate) fn is_line(root: Value<'_, '_>) -> bool {
    let has = |name: &str| root.get(name).is_some_and(|value| value.kind() == Kind::String);
    match root.get_str("type").as_deref() {
        // Another harness begins its files alike, but for the time.
        Some("session") if root.get("createdAt").is_some() => false,
        Some("session") => has("id") && (root.get("version").is_some() || has("cwd")),
        Some("message") => root.get("message").is_some_and(is_reply_or_result),
        Some("model_change") => has("provider") && has("modelId"),
        Some("thinking_level_change") => has("thinkingLevel"),
        Some("compaction") => has("summary") && has("timestamp"),
        Some(_) | None => false,
    }
}

fn is_reply_or_result(message: Value<'_, '_>) -> bool {
    match message.get_str("role").as_deref() {
        Some("toolResult" | "bashExecution") => true,
        Some("assistant") => {
            ["api", "provider", "stopReason"].iter().any(|n| message.get(n).is_some())
        }
        Some(_) | None => false,
    }
}
