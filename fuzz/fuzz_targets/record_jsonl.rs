//! Any bytes as our own file: loading never fails, it finds.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = record::jsonl::load(bytes, "fuzz");
});
