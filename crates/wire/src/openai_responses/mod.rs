//! OpenAI Responses (`POST /v1/responses`), and who speaks it.
//!
//! [`request`] writes bodies, [`lint`] judges bodies; they share no code. [`rules`], [`platforms`]
//! and [`models`] are the tables both lean on. [`events`] are what a streamed reply is made of,
//! [`calls`] those of its items that name no tool.

pub mod calls;
pub mod events;
pub mod lint;
pub mod models;
pub mod platforms;
pub mod request;
pub mod rules;
