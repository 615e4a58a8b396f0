//! The formats, over small files of their own, over recorded ones, and over damage.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

mod anthropic;
mod appended;
mod bedrock_converse;
mod claude_code;
mod codex;
mod copilot_cli;
mod damage;
mod detection;
mod gemini;
mod gemini_cli;
mod harnesses;
mod neutral;
mod ollama_chat;
mod openai_chat;
mod openai_responses;
mod opencode;
mod pi;
mod recorded;
mod three_logs;
mod view;
