//! Gemini `generateContent`: a reply's chunks or body into ours, and back.
//!
//! A reply is a list of parts. Texts that follow each other are one, but a part that is signed, or
//! says more than its text, is a block of its own: a signature goes back on the part it came with.

mod arguments;
pub(crate) mod body;
pub(crate) mod decode;
pub(crate) mod encode;
mod end;
pub mod part;

/// The dialect's name in issuers and sources.
pub const API: &str = "gemini";
