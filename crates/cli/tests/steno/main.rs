//! Whole runs of the built `steno`.

mod bad_input;
mod cases;
mod context;
mod documents;
mod output;
mod readme;
mod terminal;
