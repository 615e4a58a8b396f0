//! One file per command: its arguments, what they ask for, and its run.

pub mod assemble;
pub mod check;
pub mod completions;
pub mod config;
pub mod diff;
mod discover;
pub mod doctor;
mod explain;
pub mod export;
pub mod import;
pub mod man;
pub mod replay;
pub mod show;
pub mod stream;
pub mod targets;
