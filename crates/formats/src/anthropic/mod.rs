//! Request bodies of the Anthropic Messages API.
//!
//! In: an object with `messages` (whatever else it carries), or the array of messages alone. Out:
//! a record whose first entry keeps the document, line for line, then the head, the messages, and
//! a `sent` directly after the last of them, since a request proves its own rows.

pub(crate) mod block;
mod oddities;
mod platform;
mod request;
pub(crate) mod write;

pub(crate) use request::{import, main_ref, parse, role_of, sent_of};
pub(crate) use write::export;

/// The kind of the opaque first entry that keeps the document.
pub(crate) const DOCUMENT: &str = "anthropic_messages.request";
