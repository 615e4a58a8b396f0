//! Whole runs of the built `steno`.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

mod bad_input;
mod bodies;
mod cases;
mod configured;
mod context;
mod diff;
mod documents;
mod everyday;
mod output;
mod readme;
mod replies;
mod shells;
mod show;
mod targets;
mod terminal;
mod walk;
