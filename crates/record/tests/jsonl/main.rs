//! The record's own JSONL: what is written is what is read, whatever stands in the file.

mod damage;
mod generate;
mod laws;
mod random;
mod reading;
mod schema;
mod writing;
