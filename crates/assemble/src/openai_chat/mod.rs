//! OpenAI Chat Completions and the vendors that speak it: a reply's chunks or body into our chunks,
//! and back.
//!
//! A reply's reasoning, words and calls stand in separate members on this wire, so a stream alone
//! says in which order they came. What differs between vendors is in `wire::openai_chat`.

pub(crate) mod body;
mod calls;
mod content;
pub(crate) mod decode;
mod details;
pub mod encode;
mod end;
pub mod message;
mod pieces;
mod thought;

/// The dialect's name in issuers and sources.
pub const API: &str = "openai_chat";
