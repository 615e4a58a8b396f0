//! Request bodies of AWS Bedrock Converse.
//!
//! In: an object with `messages` (whatever else it carries), or the array of messages alone. Out:
//! a record whose first entry keeps the document, line for line, then the head, the messages, and
//! where the body names a model (`modelId`, which clients' own files have; the address has it
//! otherwise) a `sent` directly after the last of them.
//!
//! Tools stand in the head as the Anthropic API writes them; what that has no place for is kept
//! beside them. A part of a result that is JSON is read as its text, and the content is kept as it
//! was written. Cache points are no history.
//!
//! [`request`] reads the body, [`block`] a block, [`tools`] the tools, [`write`] writes back.

mod block;
mod request;
mod tools;
mod write;

pub(crate) use block::is_block;
pub(crate) use request::import;
pub(crate) use write::export;

/// The dialect's name in issuers and sources.
const API: &str = "bedrock_converse";

/// Who serves it.
const PLATFORM: &str = "bedrock";

/// The kind of the opaque first entry that keeps the document.
const DOCUMENT: &str = "bedrock_converse.request";
