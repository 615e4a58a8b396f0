//! AWS Bedrock Converse (`POST /model/{modelId}/converse`).
//!
//! [`events`] are what a streamed reply is made of.

pub mod events;
