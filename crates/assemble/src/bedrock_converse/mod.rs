//! AWS Bedrock Converse: a reply's events or body into chunks, and back.
//!
//! A block is an object of one member, whose name is its kind. What of that only the service reads
//! (its own tools' calls and results, documents) is kept as the block it is.

pub mod block;
pub(crate) mod body;
pub(crate) mod decode;
pub(crate) mod encode;
mod end;

/// The dialect's name in issuers and sources.
pub const API: &str = "bedrock_converse";
