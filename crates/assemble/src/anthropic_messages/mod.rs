//! Anthropic Messages: a reply's events or body into chunks, and back.

pub mod block;
pub(crate) mod body;
pub(crate) mod decode;
pub(crate) mod encode;
mod end;

/// The dialect's name in issuers and sources.
pub const API: &str = "anthropic_messages";
