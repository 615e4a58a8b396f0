//! Any two bodies of an API, a line each: compared without a panic, and a body extends itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::prompt_cache::{Api, compare};

const DIALECTS: [&str; 6] = [
    "anthropic_messages",
    "openai_chat",
    "openai_responses",
    "gemini",
    "bedrock_converse",
    "ollama_chat",
];

fuzz_target!(|bytes: &[u8]| {
    let mut lines = bytes.splitn(2, |byte| *byte == b'\n').map(json::Doc::parse);
    let (Some(Ok(one)), Some(Ok(two))) = (lines.next(), lines.next()) else { return };
    for dialect in DIALECTS {
        let api = Api { dialect, model: "claude-opus-4-8", tokens: None };
        let _ = compare(one.root(), two.root(), &api);
        assert!(compare(one.root(), one.root(), &api).extends());
    }
});
