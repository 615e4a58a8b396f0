//! Any bytes as a body for Anthropic's Messages API: the linter finds, and does not panic.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = wire::anthropic_messages::lint::lint(bytes, &Default::default());
});
