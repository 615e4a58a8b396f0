//! The neutral history of the benchmarks: lines of records, or one document that holds them.
//!
//! Nothing in it is shaped after one provider. As lines, every entry keeps its line; as a document,
//! the first entry keeps the whole text, as for a request body.

mod read;
mod write;

pub(crate) use read::{import, import_lines};
pub(crate) use write::export;

/// The kind of the opaque first entry that keeps a document.
pub(crate) const DOCUMENT: &str = "neutral_history.document";

/// Names of dialects here and in the format.
pub(crate) const APIS: [(&str, &str); 5] = [
    ("anthropic_messages", "anthropic-messages"),
    ("openai_chat", "openai-chat"),
    ("openai_responses", "openai-responses"),
    ("gemini", "gemini"),
    ("bedrock_converse", "bedrock-converse"),
];
