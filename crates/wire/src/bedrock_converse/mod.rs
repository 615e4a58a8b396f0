//! AWS Bedrock Converse (`POST /model/{modelId}/converse`) and the families of models it serves.
//!
//! [`request`] writes bodies, [`lint`] judges bodies; they share no code. [`rules`] and [`models`]
//! are the tables both lean on: a family is a row of data, never a branch. What a Claude model
//! accepts whoever serves it is its row in [`crate::anthropic_messages::models`]. [`events`] are
//! what a streamed reply is made of.

pub mod events;
pub mod lint;
pub mod models;
pub mod request;
pub mod rules;

/// The member beside a result that keeps its content as this API wrote it, where a part of it is
/// JSON: as text it says the same, and is another prompt.
pub const CONTENT_AS_WRITTEN: &str = "content_as_written";
