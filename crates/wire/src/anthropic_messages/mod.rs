//! Anthropic Messages (`POST /v1/messages`).
//!
//! [`request`] writes bodies, [`lint`] judges bodies; they share no code. [`rules`] and [`models`]
//! are the tables both lean on. [`events`] are what a streamed reply is made of.

pub mod events;
pub mod lint;
pub mod models;
pub mod request;
pub mod rules;
pub mod typed_tools;
