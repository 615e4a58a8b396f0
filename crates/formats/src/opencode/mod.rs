//! Exported sessions of OpenCode: one document of messages, each a list of parts.
//!
//! In: a document. Out: a record whose first entry keeps it, line for line, then its messages.
//!
//! * **A step is a response**: a row of its own, followed by the results of its calls. A call
//!   that is pending or running has no result.
//! * **Proofs** are told by the name they stand under in a part's metadata ([`proof`]); they say
//!   which API the row came over.
//! * **A compaction** is a question and its summary, an assistant's message. A result the harness
//!   cleared is named by a microcompaction at the end.
//! * **What was reverted** stays, as a branch.
//!
//! [`read`] reads, [`write`] writes back.

mod part;
mod proof;
mod read;
mod write;

use json::{Kind, Value};

pub(crate) use read::import;
pub(crate) use write::export;

/// The kind of the opaque first entry that keeps the document.
pub(crate) const DOCUMENT: &str = "opencode.session";

/// What a person is made to ask when a summary is due.
pub(crate) const COMPACTION_QUESTION: &str = "What did we do so far?";

/// What stands for a command that a person had a subagent run.
pub(crate) const SUBTASK: &str = "The following tool was executed by the user";

/// Whether a document is an exported session.
pub(crate) fn is_document(root: Value<'_, '_>) -> bool {
    let Some(list) = root.get("messages").filter(|list| list.kind() == Kind::Array) else {
        return false;
    };
    let is_message = |m: Value<'_, '_>| m.get("info").is_some() && m.get("parts").is_some();
    match list.items().next() {
        Some(_) => list.items().any(is_message),
        None => root.get("info").is_some_and(|info| info.kind() == Kind::Object),
    }
}
