//! What each provider's API accepts, without knowing what a record is.
//!
//! Per dialect: the request shapes and their writer, the rule book as a table with the linter that
//! applies it, the models as a table, and the events of a streamed reply. [`pages`] is where
//! request bytes are written, [`body`] what they come to, [`frames`] where the bytes of a stream
//! are cut.

pub mod anthropic_messages;
pub mod bedrock_converse;
pub mod body;
pub mod ending;
mod family;
pub mod finding;
pub mod frames;
pub mod gemini;
pub mod grammar;
mod host;
pub mod limits;
pub mod literal;
pub mod media;
mod member;
pub mod ollama_chat;
pub mod openai_chat;
pub mod openai_responses;
pub mod pages;
pub mod prompt_cache;
mod report;
pub mod rule;
pub mod rulebook;
mod surrogates;
pub mod takes;

pub use finding::{Finding, Severity};
