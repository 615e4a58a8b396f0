//! What a request says of a history, behaviour by behaviour.
//!
//! Numbers in comments are those of the acceptance tests of the record's specification.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod binding;
mod calls;
mod causal;
mod chat;
mod compaction;
mod converse;
mod fork;
mod gemini;
mod history;
mod images;
mod lost;
mod matrix;
mod microcompaction;
mod principal;
mod reply;
mod responses;
mod retraction;
mod said;
mod system;
mod thinking;
mod transcript;
