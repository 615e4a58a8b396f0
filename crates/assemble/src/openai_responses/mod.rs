//! OpenAI Responses: a reply's events or body into chunks, and back.
//!
//! A reply is a list of items. A message is one block for each of its parts, a call and a thought
//! one block each; what only its provider reads is kept as the item it is.

pub(crate) mod body;
pub(crate) mod decode;
pub(crate) mod encode;
mod end;
pub mod item;
mod items;
mod outgoing;
mod places;

/// The dialect's name in issuers and sources.
pub const API: &str = "openai_responses";
