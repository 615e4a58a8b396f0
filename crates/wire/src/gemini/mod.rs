//! Gemini `generateContent`, of the Gemini API and of Vertex.
//!
//! [`events`] are what a streamed reply is made of.

pub mod events;
