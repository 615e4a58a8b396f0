//! Google's `generateContent`, over the Gemini API and over Vertex.
//!
//! [`request`] writes bodies, [`lint`] judges bodies; they share no code. [`rules`], [`models`] and
//! [`platforms`] are the tables both lean on. [`events`] are what a streamed reply is made of. The
//! model is no member of a body: it stands in the address.

pub mod events;
pub mod lint;
pub mod models;
pub mod path;
pub mod platforms;
pub mod request;
pub mod rules;
