//! Event logs of the Copilot CLI: one JSON object a line, each naming the event before it.
//!
//! In: events. Out: a record.
//!
//! * **What was sent is read**: a prompt in the words it was transformed into, a notification of
//!   the runtime, the system text (a head, where it is not what it was before), a reply with its
//!   thought and its calls, and of each call the result the model was given. Every other event
//!   stands beside the path.
//! * **Who thought it**: the service seals a thought (`reasoningOpaque`), or the model's own API
//!   does (`encryptedContent`). Where an event names no model, the one selected last made it.
//! * **Subagents** are side chains by the call that started them.
//!
//! [`session`] reads the events, [`write`] writes back.

mod session;
mod write;

use std::io::{self, BufRead};

use json::{Kind, Value};

use crate::source::Keep;
use crate::{Format, Imported, lines};

pub(crate) use write::export;

/// Reads an event log.
pub(crate) fn import(input: impl BufRead, file: &str, keep: Keep) -> io::Result<Imported> {
    let mut session = session::Session::new(file);
    lines::read(&mut session, input, keep)?;
    let (record, report) = session.finish();
    Ok(Imported { format: Format::CopilotCli, record, findings: report.finish(), title: None })
}

/// Whether a line is an event of this log.
pub(crate) fn is_line(root: Value<'_, '_>) -> bool {
    const GROUPS: [&str; 9] = [
        "session",
        "user",
        "assistant",
        "tool",
        "system",
        "hook",
        "permission",
        "subagent",
        "skill",
    ];
    let kind = root.get_str("type").unwrap_or_default();
    let group = kind.split_once('.').is_some_and(|(group, _)| GROUPS.contains(&group));
    let data = root.get("data").is_some_and(|data| data.kind() == Kind::Object);
    data && (group || &*kind == "abort")
}
