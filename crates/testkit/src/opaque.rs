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

/// A server tool's call, made from the code of another or not; its id is made of the number.
pub(crate) fn server_call(rng: &mut Rng, number: u64, caller: Option<u64>) -> OpaqueBlock {
    let (id, mark) = (format!("srvtoolu_{number}"), marker(number));
    let more = match (rng.below(12), caller) {
        (_, Some(caller)) => format!(",{}", called_by(rng, caller)),
        (0, None) => ",\"container\":null".to_owned(),
        (1, None) => ",\"caller\":{\"type\":\"direct\"}".to_owned(),
        (_, None) => String::new(),
    };
    let input = if rng.one_in(10) { "\"q\"".into() } else { format!("{{\"query\":\"{mark}\"}}") };
    let raw = format!(
        r#"{{"type":"server_tool_use","id":"{id}","name":"web_search","input":{input}{more}}}"#
    );
    native("server_tool_use", raw, platform(rng))
}

/// The member that names the server call from whose code a call was made.
pub(crate) fn called_by(rng: &mut Rng, caller: u64) -> String {
    let version = *rng.pick(&["20250825", "20260120"]);
    format!(r#""caller":{{"type":"code_execution_{version}","tool_id":"srvtoolu_{caller}"}}"#)
}

/// The result of the server tool call of `number`, with a marker of its own.
pub(crate) fn server_result(rng: &mut Rng, number: u64, own: u64) -> OpaqueBlock {
    let mark = marker(own);
    let content = match rng.below(8) {
        0 => r#"{"type":"web_search_tool_result_error","error_code":"unavailable"}"#.to_owned(),
        1 => format!("\"{mark}\""),
        2 => "[]".to_owned(),
        3 => format!(r#"[{{"type":"web_search_result","title":"{mark}"}}]"#),
        _ => {
            let rest = r#""url":"https://example.com","encrypted_content":"e""#;
            format!(r#"[{{"type":"web_search_result","title":"{mark}",{rest}}}]"#)
        }
    };
    let kind = "web_search_tool_result";
    let id = format!("srvtoolu_{number}");
    let raw = format!(r#"{{"type":"{kind}","tool_use_id":"{id}","content":{content}}}"#);
    native(kind, raw, platform(rng))
}

/// Documents and search results, some of them well formed: the kind, and the members after `type`.
const DOCUMENTS: &[(&str, &str)] = &[
    ("document", r#""source":{"type":"text","media_type":"text/plain","data":"MARK"}"#),
    ("document", r#""source":{"type":"text","media_type":"text/plain","data":"MARK"}"#),
    (
        "document",
        r#""source":{"type":"text","media_type":"text/plain","data":"MARK"},"title":"t","#,
    ),
    ("document", r#""source":{"type":"text","media_type":"text/plain","data":"MARK"},"title":7"#),
    ("document", r#""source":{"type":"text","data":"MARK"}"#),
    ("document", r#""source":{"type":"base64","media_type":"application/pdf","data":"MARK"}"#),
    ("search_result", r#""source":"s","title":"t","content":[{"type":"text","text":"MARK"}]"#),
    ("search_result", r#""source":"MARK""#),
    ("search_result", r#""source":7,"title":"t","content":[{"text":"MARK"}],"citations":[]"#),
];

/// A document or search result, well formed or not, with or without the proof that it is native.
pub(crate) fn document(rng: &mut Rng, tags: &mut Tags, number: u64) -> OpaqueBlock {
    tags.add(Tag::Document);
    let (kind, members) = *rng.pick(DOCUMENTS);
    let cached =
        if members.ends_with(',') { r#""cache_control":{"type":"ephemeral"}"# } else { "" };
    let raw = format!(r#"{{"type":"{kind}",{members}{cached}}}"#);
    let mut block = native(kind, raw.replace("MARK", &marker(number)), platform(rng));
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
