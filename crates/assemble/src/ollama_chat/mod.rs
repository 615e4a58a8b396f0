//! Ollama's native API: a reply's chunks or body into ours, and back.
//!
//! Calls have no ids on this wire, and get one of their place in the reply.

pub(crate) mod body;
pub(crate) mod decode;
pub(crate) mod encode;
mod end;

/// The dialect's name in issuers and sources.
pub const API: &str = "ollama_chat";

/// The member that thoughts stand under.
pub const THINKING: &str = "thinking";
