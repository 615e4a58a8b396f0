//! Streamed replies: of one call, its arguments a byte at a time; and of words, thoughts and calls,
//! over any dialect.

use std::sync::Arc;

use assemble::{Dialect, encode};
use json::{Raw, Text};
use record::{
    Block, Input, Issuer, Message, Proof, ProofKind, Reasoning, Rest, Role, Source, TextBlock,
    ToolUse,
};

/// Bytes of a frame of AWS's binary streams beside its headers and its payload.
const AROUND: usize = 16;

/// A reply of this many thoughts, texts and calls, as a dialect streams it.
pub fn turns(dialect: Dialect, turns: usize) -> Vec<u8> {
    let (platform, api, model) = (Text::from("p"), dialect.name().into(), Text::from("m"));
    let issuer = Issuer { platform: platform.clone(), account: None, api, model: model.clone() };
    let issuer = Arc::new(issuer);
    let words = "The wheel turns as it should: 12 teeth on 36.\nNothing to change. ".repeat(8);
    let mut blocks = Vec::new();
    for nth in 0..turns {
        let sealed = Raw::string(&"Eq0BCkYIAhgC".repeat(40).into());
        let kind = ProofKind::Signature;
        let issuer = Arc::clone(&issuer);
        let proof = Some(Box::new(Proof { issuer, kind, version: 1, sealed }));
        let (reasoning, rest) = (words.as_str().into(), Rest::NONE);
        blocks.push(Block::Reasoning(Reasoning { reasoning, proof, rest }));
        let (text, proof, rest) = (words.as_str().into(), None, Rest::NONE);
        blocks.push(Block::Text(TextBlock { text, proof, rest }));
        let mut input = json::Object::new();
        input.string("path", "a.txt").string("content", &words);
        let input = Input::new(input.finish().as_str().into());
        let (id, name) = (format!("call_{nth}").into(), "write".into());
        blocks.push(Block::ToolUse(ToolUse { id, name, input, proof: None, rest: Rest::NONE }));
    }
    let mut message = Message::new(Role::Assistant, blocks);
    let api = dialect.name().into();
    message.source = Some(Source::Model { platform, api, model, account: None });
    encode::stream(dialect, &message, "id").expect("a stream")
}

/// What stands in the frames of a stream.
pub fn payloads(dialect: Dialect, stream: &[u8]) -> Vec<String> {
    if dialect != Dialect::BedrockConverse {
        let text = std::str::from_utf8(stream).expect("text");
        let data = text.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
        return data.filter(|data| data.starts_with('{')).map(str::to_owned).collect();
    }
    let (mut payloads, mut rest) = (Vec::new(), stream);
    while !rest.is_empty() {
        let len = |at| u32::from_be_bytes(*rest[at..].first_chunk().expect("a length")) as usize;
        let (total, headers) = (len(0), len(4));
        let payload = &rest[AROUND - 4 + headers..total - 4];
        payloads.push(String::from_utf8(payload.to_vec()).expect("text"));
        rest = &rest[total..];
    }
    payloads
}

/// The stream of a call with this many deltas.
pub fn stream(deltas: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut frame = |data: &str| out.extend_from_slice(format!("data: {data}\n\n").as_bytes());
    frame(r#"{"type":"message_start","message":{"id":"m","model":"claude-opus-4-8"}}"#);
    frame(
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"n","input":{}}}"#,
    );
    for nth in 0..deltas {
        let piece = if nth == 0 || nth == deltas - 1 { "\\\"" } else { "x" };
        frame(&format!(
            r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"input_json_delta","partial_json":"{piece}"}}}}"#
        ));
    }
    frame(r#"{"type":"content_block_stop","index":0}"#);
    frame(r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#);
    frame(r#"{"type":"message_stop"}"#);
    out
}
