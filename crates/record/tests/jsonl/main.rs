//! The record's own JSONL: what is written is what is read, whatever stands in the file.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "all of it is tests"
)]

mod damage;
mod docs;
mod generate;
mod laws;
mod random;
mod reading;
mod schema;
mod writing;
