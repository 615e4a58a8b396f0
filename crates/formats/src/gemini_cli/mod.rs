//! Chats of the Gemini CLI: a document of messages, or in newer versions one record a line.
//!
//! In: either. Out: a record; of a document the first entry keeps it.
//!
//! * **A message of the model is a response**: its thoughts, its words and its calls, then a row
//!   for the result of each call. Newer ones hold the parts of the API themselves, signatures
//!   included.
//! * **A record of an id that was there** is the same message, more of it written: the last counts,
//!   at the place of the first.
//! * **A rewind** takes back what follows: it stays, as a branch.
//! * What the interface told the person (`info`, `error`, `warning`) stands beside the path.
//!
//! [`chat`] puts messages together, [`part`] reads their parts, [`write`] writes back.

mod chat;
pub(crate) mod part;
pub(crate) mod write;

use json::{Doc, Kind, Value};

use crate::error::ImportError;
use crate::source::{BOM, Keep};
use crate::{Format, Imported, lines};

pub(crate) use part::{By, PartReader};
pub(crate) use write::export;

/// The kind of the opaque first entry that keeps a document.
pub(crate) const DOCUMENT: &str = "gemini_cli.chat";

/// Who serves the models.
pub(crate) const PLATFORM: &str = "google";
/// The dialect's name in issuers and sources.
pub(crate) const API: &str = "gemini";

/// Reads a chat, in either form.
pub(crate) fn import(bytes: &[u8], file: &str) -> Result<Imported, ImportError> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let mut chat = chat::Chat::new(file);
    match Doc::parse(text) {
        Ok(doc) if is_document(doc.root()) => chat.document(doc.root(), text, bytes),
        Ok(_) | Err(_) => lines::read(&mut chat, bytes, Keep::Lines)?,
    }
    let (record, findings, title) = chat.finish();
    Ok(Imported { format: Format::GeminiCli, record, findings, title })
}

/// Whether a document is a chat.
pub(crate) fn is_document(root: Value<'_, '_>) -> bool {
    let Some(list) = root.get("messages").filter(|list| list.kind() == Kind::Array) else {
        return false;
    };
    let named = root.get("sessionId").is_some() && root.get("projectHash").is_some();
    named || list.items().any(|message| message.get("type").is_some_and(|t| t.is_str("gemini")))
}

/// Whether a line is a record of a chat, and of no other format.
pub(crate) fn is_line(root: Value<'_, '_>) -> bool {
    let has = |name: &str| root.get(name).is_some();
    let told = root.get_str("type").as_deref() == Some("gemini") && has("id") && has("content");
    told || has("sessionId") && has("projectHash") && !has("messages")
}
