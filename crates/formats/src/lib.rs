//! Foreign session files.
