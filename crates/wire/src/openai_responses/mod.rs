//! OpenAI Responses (`POST /v1/responses`).
//!
//! [`events`] are what a streamed reply is made of.

pub mod events;
