//! Hostile histories for the law tests: generated from a seed, played, shrunk and described.
//!
//! A [`Script`] is a list of [`Op`]s: entries to append, and requests to make. [`generate`] makes
//! one from a seed; [`play`] runs it as a harness would, appending what `prepare` asks for, so
//! that every `sent` says the truth about what was sent; [`shrink`] takes out what a failure does
//! not need. Every generated text carries a marker of its own ([`text::marker`]), so that a judge
//! can trace what became of it.
//!
//! **Invariants.** A seed gives the same script on every machine. Never a dependency of the
//! product.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test kit fails loudly"
)]

mod chat;
mod converse;
mod describe;
mod edits;
mod gemini;
mod generate;
mod image;
mod mixed;
mod opaque;
mod play;
mod principal;
mod reply;
mod responses;
mod results;
mod rng;
mod script;
mod shrink;
mod tag;
pub mod text;

pub use describe::describe;
pub use generate::generate;
pub use play::{Played, Player, Request, play};
pub use principal::principal;
pub use rng::Rng;
pub use script::{AGENTS, Api, Choice, Op, OpKind, Script, TARGETS, TargetRow, op_id, target};
pub use shrink::shrink;
pub use tag::{Tag, Tags};
