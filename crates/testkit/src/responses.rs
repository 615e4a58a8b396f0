//! Items as the Responses API gives them.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use json::{Raw, Text};
use record::{Block, Issuer, OpaqueBlock, Proof, ProofKind, Reasoning, Rest};

use crate::generate::Gen;
use crate::script::{self, TARGETS};
use crate::tag::Tag;
use crate::text::{self, lone_surrogate};

/// Parameters that are taken, and some that are not.
pub(crate) const EXTRA_PARAMETERS: &[(&str, &str)] = &[
    ("temperature", "0.5"),
    ("temperature", "1"),
    ("top_p", "0.97"),
    ("metadata", r#"{"user_id":"u"}"#),
    ("text", r#"{"verbosity":"low"}"#),
    ("reasoning", r#"{"effort":"low"}"#),
    ("parallel_tool_calls", "false"),
    ("prompt_cache_key", r#""session""#),
    ("context_management", "[]"),
    ("input", "[]"),
    ("store", "true"),
    ("previous_response_id", r#""resp_1""#),
    ("max_output_tokens", "9"),
];

impl Gen {
    /// A thought sealed for the target, named by its id, or spoiled.
    pub(crate) fn responses_thought(&mut self, target: usize) -> Reasoning {
        let number = self.mark();
        let mark = text::marker(number);
        let mut thought =
            Reasoning { reasoning: mark.as_str().into(), proof: None, rest: Rest::default() };
        let sealed = format!("\"enc{number}\"");
        let id = match self.rng.below(12) {
            0 => "rs_1".to_owned(),
            1 => format!("call_{number}"),
            2 => format!("rs_{}", "x".repeat(80)),
            _ => format!("rs_{number}"),
        };
        if !self.rng.one_in(4) {
            thought.rest.push("id".into(), Raw::string(&id.as_str().into()));
        }
        let summary = match self.rng.below(10) {
            0 => None,
            1 => Some("7".to_owned()),
            2 => Some(format!(r#"[{{"type":"summary_text","text":"{mark}","x":1}}]"#)),
            _ => Some(format!(r#"[{{"type":"summary_text","text":"{mark}"}}]"#)),
        };
        if let Some(summary) = summary {
            thought.rest.push("summary".into(), Raw::parse(&summary).unwrap());
        }
        match self.rng.weighted(&[60, 14, 6, 6, 4, 4, 3, 3]) {
            0 => thought.proof = Some(self.item_proof(target, ProofKind::Encrypted, &sealed)),
            1 => {
                let id = json::escape::literal(&id);
                thought.proof = Some(self.item_proof(target, ProofKind::ItemId, &id));
            }
            2 => self.tags.add(Tag::UnsignedThinking),
            3 => {
                self.tags.add(Tag::MalformedProof);
                let spoiled = *self.rng.pick(&["\"\"", "{}", "\"\\ud800\"", "\"\\u0000\""]);
                thought.proof = Some(self.item_proof(target, ProofKind::Encrypted, spoiled));
            }
            4 => {
                self.tags.add(Tag::ForeignProof);
                thought.proof = Some(self.item_proof(target, ProofKind::Signature, &sealed));
            }
            5 => {
                let plain = format!(r#"[{{"type":"reasoning_text","text":"{mark}"}}]"#);
                thought.rest.push("content".into(), Raw::parse(&plain).unwrap());
                thought.proof = Some(self.item_proof(target, ProofKind::Encrypted, &sealed));
            }
            6 => {
                self.tags.add(Tag::LoneSurrogate);
                thought.reasoning = lone_surrogate(&mark);
            }
            _ => {
                self.tags.add(Tag::MalformedProof);
                let mut proof = self.item_proof(target, ProofKind::Encrypted, &sealed);
                proof.version = 2;
                thought.proof = Some(proof);
            }
        }
        thought
    }

    fn item_proof(&mut self, target: usize, kind: ProofKind, sealed: &str) -> Box<Proof> {
        let to = script::target(target).to;
        let mut issuer =
            Issuer { platform: to.platform, account: None, api: to.dialect, model: to.model };
        match self.rng.below(24) {
            0 | 1 => {
                self.tags.add(Tag::IssuerMismatch);
                issuer.model = "another".into();
            }
            2 => {
                self.tags.add(Tag::ForeignProof);
                issuer.platform = "elsewhere".into();
            }
            3 => issuer.model = format!("{}-2026-03-05", issuer.model).as_str().into(),
            _ => {}
        }
        let sealed = Raw::parse(sealed).unwrap();
        Box::new(Proof { issuer: Arc::new(issuer), kind, version: 1, sealed })
    }

    /// Blocks of a reply as items of this API: mostly with ids, some of other kinds.
    pub(crate) fn named_items(&mut self, target: usize, mut blocks: Vec<Block>) -> Vec<Block> {
        if !TARGETS[target].is_responses() {
            return blocks;
        }
        let named = !self.rng.one_in(4);
        let mut last = None;
        for block in &mut blocks {
            let number = self.mark();
            match block {
                Block::Text(text) if named => {
                    // Two parts of one message.
                    let id = last.take().filter(|_| self.rng.one_in(3));
                    let id = id.unwrap_or_else(|| format!("\"msg_{number}\""));
                    text.proof = Some(self.item_proof(target, ProofKind::ItemId, &id));
                    last = Some(id);
                    if self.rng.one_in(2) {
                        let phase = *self.rng.pick(&["commentary", "final_answer", "neither"]);
                        text.rest.push("phase".into(), Raw::string(&phase.into()));
                    }
                    if self.rng.one_in(6) {
                        text.rest.push("item".into(), Raw::string(&"refusal".into()));
                    }
                }
                Block::ToolUse(call) => {
                    last = None;
                    let custom = self.rng.one_in(5);
                    if custom {
                        let kind: Text = "custom_tool_call".into();
                        call.rest.push("item".into(), Raw::string(&kind));
                    }
                    if self.rng.one_in(8) {
                        call.rest.push("namespace".into(), Raw::string(&"files".into()));
                    }
                    if named && !self.rng.one_in(8) {
                        let prefix = if custom { "ctc" } else { "fc" };
                        let id = format!("\"{prefix}_{number}\"");
                        call.proof = Some(self.item_proof(target, ProofKind::ItemId, &id));
                    }
                }
                Block::Text(_)
                | Block::ToolResult(_)
                | Block::Reasoning(_)
                | Block::Image(_)
                | Block::SystemChange(_)
                | Block::Opaque(_) => last = None,
            }
        }
        if self.rng.one_in(8) {
            // Behind what is declared: calls are known by their places.
            let item = self.hosted_item(target);
            blocks.push(Block::Opaque(item));
        }
        blocks
    }

    /// An item of a tool that the provider runs, or a sealed compaction.
    fn hosted_item(&mut self, target: usize) -> OpaqueBlock {
        let number = self.mark();
        let mark = text::marker(number);
        let action = format!(r#"{{"type":"search","query":"{mark}"}}"#);
        let (kind, members) = match self.rng.below(6) {
            0 => ("compaction", format!(r#""id":"cmp_{number}","encrypted_content":"{mark}""#)),
            1 => ("web_search_call", format!(r#""status":"completed","action":{action}"#)),
            2 => (
                "web_search_call",
                format!(r#""id":"ws_1","status":"completed","action":{action}"#),
            ),
            3 => ("shell_call", format!(r#""id":"sh_{number}","action":{action}"#)),
            4 => (
                "file_search_call",
                format!(r#""id":"fs_{number}","queries":["{mark}"],"status":"completed""#),
            ),
            _ => (
                "web_search_call",
                format!(r#""id":"ws_{number}","status":"completed","action":{action}"#),
            ),
        };
        let raw = format!(r#"{{"type":"{kind}",{members}}}"#);
        let proof = self.item_proof(target, ProofKind::Native, "\"\"");
        OpaqueBlock { kind: kind.into(), raw: Raw::parse(&raw).unwrap(), proof: Some(proof) }
    }
}
