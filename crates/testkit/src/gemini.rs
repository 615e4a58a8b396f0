//! What Gemini has of its own: signatures on any part, stand-ins for them, parts that it ran.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use json::{Raw, Text};
use record::{Block, Issuer, OpaqueBlock, Proof, ProofKind, Reasoning, Rest};

use crate::generate::Gen;
use crate::rng::Rng;
use crate::script;
use crate::tag::{Tag, Tags};
use crate::text::{self, lone_surrogate, marker};

/// Ways to choose a tool.
pub(crate) const TOOL_CHOICES: &[&str] = &[
    r#"{"functionCallingConfig":{"mode":"AUTO"}}"#,
    r#"{"functionCallingConfig":{"mode":"NONE"}}"#,
    r#"{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["grep"]}}"#,
    r#""auto""#,
];

/// Parameters that most models take, and what is no parameter.
pub(crate) const EXTRA_PARAMETERS: &[(&str, &str)] = &[
    ("temperature", "0.5"),
    ("topP", "0.97"),
    ("topK", "7"),
    ("stopSequences", r#"["STOP"]"#),
    ("stopSequences", r#"["1","2","3","4","5","6"]"#),
    ("safetySettings", "[]"),
    ("cachedContent", r#""cachedContents/c""#),
    ("thinkingConfig", r#"{"thinkingBudget":0}"#),
    ("mood", r#""mild""#),
    ("contents", "[]"),
];

/// A part that the provider ran and what came of it: the kinds, and the parts.
type Ran = [(&'static str, &'static str); 2];

const RAN_CODE: Ran = [
    ("executableCode", r#"{"executableCode":{"language":"PYTHON","code":"MARK"}}"#),
    ("codeExecutionResult", r#"{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"OWN"}}"#),
];

const RAN_TOOL: Ran = [
    ("toolCall", r#"{"toolCall":{"id":"t","toolType":"URL_CONTEXT","args":{"a":"MARK"}}}"#),
    (
        "toolResponse",
        r#"{"toolResponse":{"id":"t","toolType":"URL_CONTEXT","response":{"a":"OWN"}}}"#,
    ),
];

fn issuer(target: usize) -> Issuer {
    let to = script::target(target).to;
    Issuer { platform: to.platform, account: None, api: to.dialect, model: to.model }
}

fn proof(issuer: Issuer, kind: ProofKind, sealed: &str) -> Box<Proof> {
    let sealed = Raw::parse(sealed).unwrap();
    Box::new(Proof { issuer: Arc::new(issuer), kind, version: 1, sealed })
}

fn native(target: usize, kind: &str, part: &str) -> OpaqueBlock {
    let raw = Raw::parse(part).unwrap();
    let proof = Some(proof(issuer(target), ProofKind::Native, r#""""#));
    OpaqueBlock { kind: kind.into(), raw, proof }
}

impl Gen {
    /// A signature of a target's, or one that is not, or none.
    fn signature(&mut self, target: usize) -> Option<Box<Proof>> {
        let number = self.mark();
        let mut issuer = issuer(target);
        let mut sealed = format!("\"c2ln{number:0>8}\"");
        match self.rng.weighted(&[50, 40, 4, 3, 3, 3, 2, 2]) {
            0 => {}
            1 => return None,
            2 => {
                self.tags.add(Tag::IssuerMismatch);
                issuer.model = "gemini-3-flash-preview".into();
            }
            3 => {
                self.tags.add(Tag::ForeignProof);
                issuer.account = Some("somebody".into());
            }
            4 => {
                self.tags.add(Tag::StandInSignature);
                sealed = r#""skip_thought_signature_validator""#.to_owned();
            }
            5 => {
                self.tags.add(Tag::ForeignProof);
                (issuer.api, issuer.platform) = ("openai_responses".into(), "openai".into());
            }
            6 => {
                self.tags.add(Tag::MalformedProof);
                sealed = r#"{"a":1}"#.to_owned();
            }
            _ => {
                self.tags.add(Tag::MalformedProof);
                sealed = r#""no base64!""#.to_owned();
            }
        }
        let mut proof = proof(issuer, ProofKind::Signature, &sealed);
        if self.rng.one_in(40) {
            self.tags.add(Tag::MalformedProof);
            proof.version = 2;
        }
        Some(proof)
    }

    /// A thought, with a signature of its own or without.
    pub(crate) fn gemini_thought(&mut self, target: usize) -> Reasoning {
        let number = self.mark();
        let mut reasoning: Text = text::marker(number).into();
        if self.rng.one_in(12) {
            reasoning = "".into();
        } else if self.rng.one_in(30) {
            self.tags.add(Tag::LoneSurrogate);
            reasoning = lone_surrogate(&reasoning);
        }
        let proof = self.signature(target);
        if proof.is_none() {
            self.tags.add(Tag::UnsignedThinking);
        }
        Reasoning { reasoning, proof, rest: Rest::default() }
    }

    /// Signs the blocks of a reply, and puts in parts that the provider ran.
    pub(crate) fn sign(&mut self, target: usize, blocks: &mut Vec<Block>) {
        for block in blocks.iter_mut() {
            match block {
                Block::Text(text) => text.proof = self.signature(target),
                Block::ToolUse(call) => call.proof = self.signature(target),
                Block::ToolResult(_)
                | Block::Reasoning(_)
                | Block::Image(_)
                | Block::SystemChange(_)
                | Block::Opaque(_) => {}
            }
        }
        let has_calls =
            blocks.iter().any(|b| matches!(b, Block::ToolUse(_) | Block::ToolResult(_)));
        if has_calls || !self.rng.one_in(8) {
            // A block put in before a call would be another call's to its results.
            return;
        }
        self.tags.add(Tag::ServerPair);
        let (number, own) = (self.mark(), self.mark());
        for (kind, part) in *self.rng.pick(&[RAN_CODE, RAN_TOOL]) {
            if self.rng.one_in(8) {
                self.tags.add(Tag::ServerHalf);
                continue;
            }
            let part = part.replace("OWN", &marker(own)).replace("MARK", &marker(number));
            blocks.push(Block::Opaque(native(target, kind, &part)));
        }
        if self.rng.one_in(2) {
            blocks.push(Block::text(self.text()));
        }
    }
}

/// Documents and files, some of them well formed: the kind, and its part. `MARK` is a marker.
const DOCUMENTS: &[(&str, &str)] = &[
    (
        "inlineData",
        r#"{"inlineData":{"mimeType":"text/plain","data":"aGk="},"partMetadata":{"m":"MARK"}}"#,
    ),
    (
        "inlineData",
        r#"{"inlineData":{"mimeType":"audio/ogg","data":"T2dnUw=="},"partMetadata":{"m":"MARK"}}"#,
    ),
    (
        "fileData",
        r#"{"fileData":{"mimeType":"application/pdf","fileUri":"https://generativelanguage.googleapis.com/v1beta/files/MARK"}}"#,
    ),
    ("fileData", r#"{"fileData":{"mimeType":"application/pdf","fileUri":"file:///MARK"}}"#),
    ("inlineData", r#"{"inlineData":{"mimeType":"text/plain","data":"MARK"}}"#),
    ("inlineData", r#"{"inlineData":{"data":"MARK"}}"#),
    ("inlineData", r#"{"inlineData":{"mimeType":"image/png","data":"aGk=","mood":"MARK"}}"#),
    ("inlineData", r#"{"inlineData":{"mimeType":"image/png","data":"aGk="},"x":"MARK"}"#),
];

/// A document or a file, with or without the proof that it is native.
pub(crate) fn document(rng: &mut Rng, tags: &mut Tags, target: usize, number: u64) -> OpaqueBlock {
    tags.add(Tag::Document);
    let (kind, part) = *rng.pick(DOCUMENTS);
    let mut block = native(target, kind, &part.replace("MARK", &marker(number)));
    if rng.one_in(6) {
        block.proof = None;
    }
    block
}
