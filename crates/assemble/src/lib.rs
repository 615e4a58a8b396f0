//! What a provider answers, as the message of a record, and back.
//!
//! A reply comes as a stream or as a body. Its dialect's decoder turns it into chunks of one closed
//! vocabulary ([`Chunk`]), and one fold ([`Assembler`]) makes a row of them. A block's proof is
//! inside of it from the start, so no step can put it beside another block. Which blocks are kept
//! is decided once; calls to run exist only in the finished row ([`Reply::calls`]).
//!
//! [`Stream`] takes bytes, [`body`] a parsed body. [`Live`] is what a surface shows on the way.
//! [`encode`] is the way back.
//!
//! **Invariants.** No I/O, clock or randomness. How a stream was cut into packets changes nothing.
//! Nothing here panics on any input; what goes over a limit is a [`StreamError`]. Work and memory
//! are linear in what comes in.

pub mod anthropic_messages;
pub mod bedrock_converse;
pub mod chunk;
mod emitted;
pub mod encode;
mod envelope;
mod finding;
mod fold;
pub mod gemini;
mod growing;
mod keep;
pub mod limits;
mod live;
mod named;
pub mod ollama_chat;
pub mod openai_chat;
pub mod openai_responses;
mod outcome;
mod reply;
mod response;
mod stream;

pub use chunk::{Chunk, Failure};
pub use finding::{Finding, FindingKind};
pub use fold::Assembler;
pub use live::Live;
pub use reply::{Asked, Failed, Reply, StreamError};
pub use stream::{Dialect, Stream, body};
