//! OpenAI Chat Completions (`POST /v1/chat/completions`) and the vendors that speak it.
//!
//! [`request`] writes bodies, [`lint`] judges bodies; they share no code. [`rules`], [`vendors`]
//! and [`models`] are the tables both lean on: a vendor is a row of data, never a branch. Ollama's
//! native API (`POST /api/chat`) is one of them, whose messages have another
//! [`Form`](vendors::Form).
//! [`columns`] names what such a row says. [`events`] are what a streamed reply is made of,
//! [`streams`] how vendors differ in that.

pub mod columns;
pub mod events;
pub mod lint;
pub mod models;
pub mod request;
pub mod rules;
pub mod streams;
pub mod vendors;
