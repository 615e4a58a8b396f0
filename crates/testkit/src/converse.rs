//! What only Bedrock Converse has: its own blocks, parameters and choices.

use std::sync::Arc;

use json::Raw;
use record::{Issuer, OpaqueBlock, Proof, ProofKind};

use crate::generate::Gen;
use crate::script;
use crate::tag::Tag;
use crate::text::marker;

/// Ways to choose a tool, and one of another API.
pub(crate) const TOOL_CHOICES: &[&str] =
    &[r#"{"auto":{}}"#, r#"{"any":{}}"#, r#"{"tool":{"name":"grep"}}"#, r#"{"type":"any"}"#];

/// Parameters that most families take, and what is no parameter.
pub(crate) const EXTRA_PARAMETERS: &[(&str, &str)] = &[
    ("inferenceConfig", r#"{"temperature":0.5,"maxTokens":7}"#),
    ("inferenceConfig", r#"{"temperature":2}"#),
    ("inferenceConfig", r#"{"stopSequences":["STOP"]}"#),
    ("additionalModelRequestFields", r#"{"top_k":5,"thinking":{"type":"disabled"}}"#),
    ("requestMetadata", r#"{"a":"b"}"#),
    ("performanceConfig", r#"{"latency":"standard"}"#),
    ("messages", "[]"),
    ("system", r#"[{"text":"s"}]"#),
    ("nobody_knows", "1"),
];

/// Blocks of the user's side, with a marker in place of MARK.
const BLOCKS: &[(&str, &str)] = &[
    ("document", r#"{"document":{"format":"txt","name":"MARK","source":{"bytes":"aGk="}}}"#),
    ("guardContent", r#"{"guardContent":{"text":{"text":"MARK"}}}"#),
    ("searchResult", r#"{"searchResult":{"source":"MARK","title":"t","content":[{"text":"x"}]}}"#),
    ("searchResult", r#"{"searchResult":{"source":"MARK"},"text":"x"}"#),
];

impl Gen {
    fn converse_native(&mut self, target: usize, kind: &str, raw: &str) -> OpaqueBlock {
        let to = script::target(target).to;
        let mut issuer =
            Issuer { platform: to.platform, account: None, api: to.dialect, model: to.model };
        if self.rng.one_in(8) {
            self.tags.add(Tag::IssuerMismatch);
            issuer.model = "another".into();
        }
        let proof = Proof {
            issuer: Arc::new(issuer),
            kind: ProofKind::Native,
            version: 1,
            sealed: Raw::parse("null").unwrap(),
        };
        let raw = Raw::parse(raw).unwrap();
        OpaqueBlock { kind: kind.into(), raw, proof: Some(Box::new(proof)) }
    }

    /// A block of the user's side, well formed or not.
    pub(crate) fn converse_block(&mut self, target: usize) -> OpaqueBlock {
        let mark = marker(self.mark());
        let (kind, raw) = *self.rng.pick(BLOCKS);
        self.tags.add(Tag::Document);
        self.converse_native(target, kind, &raw.replace("MARK", &mark))
    }

    /// A call of the service's own tool, and its result.
    pub(crate) fn converse_pair(&mut self, target: usize) -> [OpaqueBlock; 2] {
        let (number, own) = (self.mark(), self.mark());
        let (mark, result) = (marker(number), marker(own));
        let call = format!(
            r#"{{"toolUse":{{"toolUseId":"srv{number}","name":"nova_code_interpreter","input":{{"snippet":"{mark}"}},"type":"server_tool_use"}}}}"#
        );
        let result = format!(
            r#"{{"toolResult":{{"toolUseId":"srv{number}","content":[{{"json":{{"stdOut":"{result}"}}}}],"type":"nova_code_interpreter_result","status":"success"}}}}"#
        );
        [
            self.converse_native(target, "toolUse", &call),
            self.converse_native(target, "toolResult", &result),
        ]
    }
}
