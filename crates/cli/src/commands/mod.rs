//! One file per command: its arguments, what they ask for, and its run.

pub mod check;
pub mod doctor;
mod explain;
pub mod replay;
