//! Any bytes as a body of any API: the linter finds, and does not panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::{anthropic_messages, bedrock_converse, gemini, openai_chat, openai_responses};

fuzz_target!(|bytes: &[u8]| {
    let _ = anthropic_messages::lint::lint(bytes, &Default::default());
    let _ = bedrock_converse::lint::lint(bytes, &Default::default());
    let _ = gemini::lint::lint(bytes, &Default::default());
    let _ = openai_chat::lint::lint(bytes, &Default::default());
    let _ = openai_responses::lint::lint(bytes, &Default::default());
});
