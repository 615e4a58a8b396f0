//! Items and request bodies of the OpenAI Responses API.
//!
//! In: an object with `input`, a text or a list of items; or the list alone, or under `messages`.
//! Out: a record whose first entry keeps the document, line for line, then the head, a row for what
//! somebody said or returned, a row for the items that a model made one after another, and where
//! the body names a model a `sent` directly after the last row.
//!
//! `instructions` are the head's system text; messages of the operator are rows. Tools stand in the
//! head as the Anthropic API writes them; what that has no place for is kept beside them.
//!
//! [`item`] reads an item's blocks and [`items`] writes a row's, both for Codex as well;
//! [`request`] reads a body, [`tools`] its tools, [`write`] writes it back.

mod item;
mod items;
mod request;
mod tools;
mod write;

pub(crate) use item::ItemReader;
pub(crate) use items::items_of;
pub(crate) use request::import;
pub(crate) use write::export;

/// The kind of the opaque first entry that keeps the document.
const DOCUMENT: &str = "openai_responses.request";

/// The dialect's name in issuers and sources.
pub(crate) const API: &str = "openai_responses";

/// The member of a block that names the item it came from, where that is not the usual one.
const ITEM: &str = "item";
