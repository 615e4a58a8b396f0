//! Anthropic Messages (`POST /v1/messages`).

pub mod request;
