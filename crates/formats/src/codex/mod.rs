//! Rollout files of the Codex CLI: one JSON object a line, each with a `type` and a `payload`.
//!
//! In: lines in the order they were written. Out: a record.
//!
//! * **The items are the history** (`response_item`): what the model said, called and was given.
//!   Events (`event_msg`) say the same for the screen and stand aside; what only an event says is
//!   reported.
//! * **One response, one message.** Items a model made follow each other until its tokens are
//!   counted, somebody speaks, or every call made so far has its result.
//! * **A rollback is a branch**: what follows it hangs off what the dropped turns hung off, and the
//!   dropped turns end in a branch of their own.
//! * **A compaction whose summary is sealed or empty applies nothing**: only its issuer could read
//!   it, so the whole history stays in view.
//! * **Where tokens are counted on a plan, the backend of ChatGPT served it**, not the API: neither
//!   reads what the other sealed.
//! * Older files hold the items as lines of their own, without envelope; those are read too.
//!
//! [`rollout`] reads the lines into entries ([`item`], [`compaction`], [`login`]), [`write`] writes
//! back.

mod compaction;
mod item;
mod login;
mod rollout;
mod write;

use std::io::{self, BufRead};

use json::Value;

use crate::source::Keep;
use crate::{Imported, lines};

pub(crate) use write::export;

/// Who serves it, where the file does not say.
const PLATFORM: &str = "openai";

/// Reads a rollout.
pub(crate) fn import(input: impl BufRead, file: &str, keep: Keep) -> io::Result<Imported> {
    let mut rollout = rollout::Rollout::new(file);
    lines::read(&mut rollout, input, keep)?;
    Ok(rollout.finish())
}

/// Whether a line is one of a rollout: an envelope, or in older files an item by itself.
pub(crate) fn is_line(line: Value<'_, '_>) -> bool {
    let has = |name: &str| line.get(name).is_some();
    let kind = line.get_str("type").unwrap_or_default();
    match &*kind {
        "session_meta" | "response_item" | "event_msg" => has("payload"),
        "turn_context" | "compacted" | "world_state" => has("payload"),
        "function_call" | "custom_tool_call" => has("call_id"),
        "function_call_output" | "custom_tool_call_output" => has("call_id"),
        "reasoning" => has("summary"),
        "" => has("id") && has("timestamp") && has("instructions"),
        _ => false,
    }
}
