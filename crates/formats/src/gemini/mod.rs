//! Request bodies of Gemini's `generateContent`.
//!
//! In: an object with `contents` (whatever else it carries), or the array of contents alone. Out: a
//! record whose first entry keeps the document, line for line, then the head, the contents, and a
//! `sent` directly after the last of them.
//!
//! * **Contents of the model in a row are one response**, and so one row.
//! * **A call without an id gets one**, and its response the same: by the name, of one name in
//!   order.
//! * Tools stand in the head as the Anthropic API writes them, types in lower case; what that has
//!   no place for is kept beside them.
//! * Members are read in camel case and in snake case, as the API reads them.
//!
//! [`request`] reads the body, [`ids`] pairs calls and responses, [`tools`] reads and writes tools,
//! [`write`] writes back. Parts are read as the Gemini CLI keeps them.

mod ids;
mod request;
mod tools;
mod write;

use json::{Kind, Value};

pub(crate) use request::import;
pub(crate) use write::export;

use crate::gemini_cli::{API, PLATFORM};

/// The kind of the opaque first entry that keeps the document.
const DOCUMENT: &str = "gemini.request";

/// Whether a value is a list of contents: its first has parts, or is of the model.
pub(crate) fn are_contents(list: Value<'_, '_>) -> bool {
    let parts = |content: Value<'_, '_>| content.get("parts").is_some();
    list.kind() == Kind::Array && list.items().next().is_some_and(parts)
}
