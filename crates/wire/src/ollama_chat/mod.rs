//! Ollama's native API (`POST /api/chat`): a form of Chat Completions of its own.
//!
//! [`events`] are what a streamed reply is made of; what a request holds is a row of
//! [`openai_chat`](crate::openai_chat).

pub mod events;
