//! Blocks only a provider can read, and blocks nobody can.

use std::sync::Arc;

use json::Raw;
use record::{Issuer, OpaqueBlock, Proof, ProofKind};

use crate::rng::Rng;
use crate::tag::{Tag, Tags};
use crate::text::marker;

/// A native block of the Claude API, with its proof.
fn native(kind: &str, raw: String, platform: &str) -> OpaqueBlock {
    let issuer = Issuer {
        platform: platform.into(),
        account: None,
        api: "anthropic_messages".into(),
        model: "claude-sonnet-4-5".into(),
    };
    let proof = Proof {
        issuer: Arc::new(issuer),
        kind: ProofKind::Native,
        version: 1,
        sealed: Raw::parse("null").unwrap(),
    };
    OpaqueBlock { kind: kind.into(), raw: Raw::parse(&raw).unwrap(), proof: Some(Box::new(proof)) }
}

fn platform(rng: &mut Rng) -> &'static str {
    if rng.one_in(8) { "bedrock" } else { "anthropic" }
}

/// A server tool's call; its id is made of the number.
pub(crate) fn server_call(rng: &mut Rng, number: u64) -> OpaqueBlock {
    let (id, mark) = (format!("srvtoolu_{number}"), marker(number));
    let more = match rng.below(12) {
        0 => ",\"container\":null",
        1 => ",\"caller\":{\"type\":\"direct\"}",
        _ => "",
    };
    let input = if rng.one_in(10) { "\"q\"".into() } else { format!("{{\"query\":\"{mark}\"}}") };
    let raw = format!(
        r#"{{"type":"server_tool_use","id":"{id}","name":"web_search","input":{input}{more}}}"#
    );
    native("server_tool_use", raw, platform(rng))
}

/// The result of the server tool call of `number`, with a marker of its own.
pub(crate) fn server_result(rng: &mut Rng, number: u64, own: u64) -> OpaqueBlock {
    let mark = marker(own);
    let content = match rng.below(8) {
        0 => r#"{"type":"web_search_tool_result_error","error_code":"unavailable"}"#.to_owned(),
        1 => format!("\"{mark}\""),
        2 => "[]".to_owned(),
        3 => format!(r#"[{{"type":"web_search_result","title":"{mark}"}}]"#),
        _ => format!(
            r#"[{{"type":"web_search_result","title":"{mark}","url":"https://example.com","encrypted_content":"e"}}]"#
        ),
    };
    let raw = format!(
        r#"{{"type":"web_search_tool_result","tool_use_id":"srvtoolu_{number}","content":{content}}}"#
    );
    native("web_search_tool_result", raw, platform(rng))
}

/// A document or search result, well formed or not, with or without the proof that it is native.
pub(crate) fn document(rng: &mut Rng, tags: &mut Tags, number: u64) -> OpaqueBlock {
    tags.add(Tag::Document);
    let mark = marker(number);
    let (kind, raw) = match rng.below(9) {
        0 => ("document", r#"{"type":"document","source":{"type":"text","data":"MARK"}}"#),
        1 => (
            "document",
            r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"MARK"}}"#,
        ),
        2 => (
            "document",
            r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"MARK"},"title":"t","cache_control":{"type":"ephemeral"}}"#,
        ),
        3 => (
            "search_result",
            r#"{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"MARK"}]}"#,
        ),
        4 => ("search_result", r#"{"type":"search_result","source":"MARK"}"#),
        5 => (
            "document",
            r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"MARK"},"title":7,"citations":{"enabled":true}}"#,
        ),
        6 => (
            "search_result",
            r#"{"type":"search_result","source":7,"title":"t","content":[{"text":"MARK"}],"citations":[]}"#,
        ),
        _ => (
            "document",
            r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"MARK"}}"#,
        ),
    };
    let mut block = native(kind, raw.replace("MARK", &mark), platform(rng));
    if rng.one_in(6) {
        block.proof = None;
    }
    block
}

/// A kind this build does not know.
pub(crate) fn unknown(rng: &mut Rng, tags: &mut Tags, number: u64) -> OpaqueBlock {
    tags.add(Tag::UnknownKind);
    let kinds = ["mystery", "audio", "text", "tool_use", "thinking", "a\"b", "compaction", ""];
    let kind = *rng.pick(&kinds);
    let raw = format!(r#"{{"type":{},"x":"{}"}}"#, json::escape::literal(kind), marker(number));
    let mut block = native(kind, raw, platform(rng));
    if rng.one_in(2) {
        block.proof = None;
    }
    block
}
