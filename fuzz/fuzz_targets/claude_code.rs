//! A line that Claude Code writes, then any bytes: importing never fails, it finds.

#![no_main]

use libfuzzer_sys::fuzz_target;

const FIRST: &[u8] = br#"{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","#;
const MESSAGE: &[u8] = br#""message":{"role":"user","content":"hello"}}"#;

fuzz_target!(|bytes: &[u8]| {
    let _ = formats::import(&[FIRST, MESSAGE, b"\n", bytes].concat(), "fuzz");
});
