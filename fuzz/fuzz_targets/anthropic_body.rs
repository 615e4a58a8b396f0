//! Any bytes as the messages of a body for Anthropic's Messages API, imported.

#![no_main]

use libfuzzer_sys::fuzz_target;

const BEFORE: &[u8] = br#"{"model":"claude-sonnet-4-5","max_tokens":1,"messages":"#;

fuzz_target!(|bytes: &[u8]| {
    let _ = formats::import(&[BEFORE, bytes, b"}"].concat(), "fuzz");
});
