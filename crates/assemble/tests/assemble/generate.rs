//! Chunk sequences and streams from a seed, hostile ones among them.

use std::collections::BTreeMap;
use std::sync::Arc;

use assemble::Dialect;
use assemble::chunk::{BlockType, Chunk, End, Failure, Finish, FinishReason};
use json::Raw;
use record::{
    Block, Input, Issuer, Message, OpaqueBlock, Proof, ProofKind, Reasoning, Rest, Role, Source,
    Stop, StopKind, TextBlock, ToolUse, Usage,
};
use testkit::Rng;

use super::fold::proof;

/// What was said in each block that has a proof, by the proof.
type Sealed = BTreeMap<String, String>;

/// Chunks in any order, and for each proof what its block said by then.
pub fn chunks(seed: u64) -> (Vec<Chunk>, Sealed) {
    let mut rng = Rng::new(seed);
    let mut chunks = Vec::new();
    let mut said: BTreeMap<u64, (usize, String, bool)> = BTreeMap::new();
    let mut sealed = Sealed::new();
    for _ in 0..rng.below(40) {
        let index = *rng.pick(&[0, 1, 2, 3, 4, 1 << 63, u64::MAX]);
        let kind = rng.below(3);
        let piece = *rng.pick(&["", "a", "{}", "{\"k\":", "1}", "\u{1f642}"]);
        match rng.below(10) {
            0 => {
                let start = match kind {
                    0 => BlockType::Text,
                    1 => BlockType::Reasoning,
                    _ => BlockType::ToolCall,
                };
                said.entry(index).or_insert((kind, String::new(), false));
                chunks.push(Chunk::BlockStart { index, kind: start });
            }
            1 | 2 => {
                if let Some((_, text, ended)) = said.get_mut(&index)
                    && !std::mem::replace(ended, true)
                {
                    sealed.insert(format!("{index}"), text.clone());
                }
                let proof = proof(&format!("{index}"));
                let end = End::Sealed { proof, rest: Rest::NONE };
                chunks.push(Chunk::BlockEnd { index, end });
            }
            _ => {
                let (own, text, ended) = said.entry(index).or_insert((kind, String::new(), false));
                if *own == kind && !*ended {
                    text.push_str(piece);
                }
                let text = piece.into();
                chunks.push(match kind {
                    0 => Chunk::TextDelta { index, text },
                    1 => Chunk::ReasoningDelta { index, text },
                    _ => {
                        let (id, name) = (Some(format!("c{index}").into()), Some("n".into()));
                        Chunk::ToolCallDelta { index, id, name, arguments: text }
                    }
                });
            }
        }
    }
    let reason = match rng.below(6) {
        0 => FinishReason::Stop,
        1 => FinishReason::ToolCalls,
        2 => FinishReason::MaxTokens,
        3 => FinishReason::Refused,
        4 => FinishReason::Error(Failure::default()),
        _ => return (chunks, sealed),
    };
    chunks.push(Chunk::Finish(Finish { reason, ..Finish::default() }));
    (chunks, sealed)
}

/// A reply as its dialect gives it, and the platform that gave it.
pub fn reply(dialect: Dialect, seed: u64) -> (&'static str, Message) {
    let mut rng = Rng::new(seed);
    let platform = match dialect {
        Dialect::AnthropicMessages => "anthropic",
        Dialect::OpenAiChat => *rng.pick(&["openai", "openrouter", "mistral", "deepseek"]),
        Dialect::OpenAiResponses => *rng.pick(&["openai", "azure"]),
        Dialect::Gemini => *rng.pick(&["google", "google-cloud"]),
        Dialect::BedrockConverse => "bedrock",
        Dialect::OllamaChat => "ollama",
    };
    let issuer = Arc::new(Issuer {
        platform: platform.into(),
        account: None,
        api: dialect.name().into(),
        // No reply of Bedrock's names its model: it stands in the address.
        model: if dialect == Dialect::BedrockConverse { "" } else { "some-model" }.into(),
    });
    let mut maker = Maker { rng, issuer };
    let blocks = match dialect {
        Dialect::AnthropicMessages => maker.anthropic(),
        Dialect::OpenAiChat | Dialect::OllamaChat => maker.chat(platform),
        Dialect::OpenAiResponses => maker.responses(),
        Dialect::Gemini => maker.gemini(),
        Dialect::BedrockConverse => maker.bedrock(),
    };
    let has_calls = blocks.iter().any(|block| block.as_tool_use().is_some());
    let mut message = Message::new(Role::Assistant, blocks);
    let Issuer { platform: by, api, model, .. } = (*maker.issuer).clone();
    message.source = Some(Source::Model { platform: by, api, model, account: None });
    let (kind, native) = match (dialect, has_calls) {
        (Dialect::AnthropicMessages, true) => (StopKind::ToolCalls, "tool_use"),
        (Dialect::AnthropicMessages, false) => (StopKind::Stop, "end_turn"),
        (Dialect::OpenAiChat, true) => (StopKind::ToolCalls, "tool_calls"),
        (Dialect::OpenAiChat, false) => (StopKind::MaxTokens, "length"),
        (Dialect::Gemini, true) => (StopKind::ToolCalls, "STOP"),
        (Dialect::Gemini, false) => (StopKind::MaxTokens, "MAX_TOKENS"),
        (Dialect::OllamaChat, true) => (StopKind::ToolCalls, "stop"),
        (Dialect::OllamaChat, false) => (StopKind::MaxTokens, "length"),
        (Dialect::BedrockConverse, true) => (StopKind::ToolCalls, "tool_use"),
        (Dialect::BedrockConverse, false) => (StopKind::Stop, "end_turn"),
        (Dialect::OpenAiResponses, true) => (StopKind::ToolCalls, "completed"),
        (Dialect::OpenAiResponses, false) => (StopKind::MaxTokens, "max_output_tokens"),
    };
    let (native, dropped_calls) = (Some(native.into()), Vec::new());
    message.stop = Some(Stop { kind, native, failure: None, dropped_calls, rest: Rest::NONE });
    let (input, output) = (maker.rng.below(900) as u64, maker.rng.below(900) as u64);
    message.usage = Some(Usage { input_tokens: input, output_tokens: output, ..Usage::default() });
    let response = match dialect {
        Dialect::AnthropicMessages => format!(
            r#"{{"kind":"anthropic_messages","version":1,"id":"msg_1","usage":{{"input_tokens":{input},"output_tokens":{output}}}}}"#
        ),
        Dialect::OpenAiChat => format!(
            r#"{{"kind":"openai_chat","version":1,"created":5,"id":"chatcmpl-1","model":"some-model","usage":{{"prompt_tokens":{input},"completion_tokens":{output}}}}}"#
        ),
        Dialect::BedrockConverse => format!(
            r#"{{"kind":"bedrock_converse","version":1,"additionalModelResponseFields":{{"a":1}},"metrics":{{"latencyMs":1}},"usage":{{"inputTokens":{input},"outputTokens":{output}}}}}"#
        ),
        Dialect::OllamaChat => format!(
            r#"{{"kind":"ollama_chat","version":1,"created_at":"1","eval_count":{output},"model":"some-model","prompt_eval_count":{input}}}"#
        ),
        Dialect::Gemini => format!(
            r#"{{"kind":"gemini","version":1,"modelVersion":"some-model","responseId":"r","usageMetadata":{{"promptTokenCount":{input},"candidatesTokenCount":{output}}}}}"#
        ),
        Dialect::OpenAiResponses => {
            let details = if has_calls {
                ""
            } else {
                r#""incomplete_details":{"reason":"max_output_tokens"},"#
            };
            format!(
                r#"{{"kind":"openai_responses","version":1,"id":"resp_1",{details}"model":"some-model","usage":{{"input_tokens":{input},"output_tokens":{output}}}}}"#
            )
        }
    };
    message.response = Some(Raw::parse(&response).expect("JSON"));
    (platform, message)
}

struct Maker {
    rng: Rng,
    issuer: Arc<Issuer>,
}

impl Maker {
    fn words(&mut self) -> String {
        const WORDS: [&str; 8] = [
            "yes",
            " \u{1f642}",
            "\"quoted\"",
            "\n\n",
            "data: [DONE]",
            "\u{4e00}",
            "</think>",
            "\\",
        ];
        let words = 1 + self.rng.below(20);
        (0..words).map(|_| *self.rng.pick(&WORDS)).collect()
    }

    fn proof(&self, kind: ProofKind, sealed: Raw) -> Option<Box<Proof>> {
        Some(Box::new(Proof { issuer: Arc::clone(&self.issuer), kind, version: 1, sealed }))
    }

    fn text(&mut self) -> Block {
        Block::text(self.words())
    }

    fn call(&mut self, nth: u64) -> Block {
        let mut input = json::Object::new();
        input.string("path", &self.words()).number("n", nth);
        let input = Input::new(input.finish().as_str().into());
        let id = format!("call_{nth}").into();
        Block::ToolUse(ToolUse { id, name: "ls".into(), input, proof: None, rest: Rest::NONE })
    }

    fn anthropic(&mut self) -> Vec<Block> {
        let mut blocks = vec![self.text()];
        for nth in 0..self.rng.below(6) as u64 {
            let block = match self.rng.below(5) {
                0 => self.text(),
                1 => self.call(nth),
                2 => {
                    let sealed = Raw::string(&self.words().into());
                    let proof = self.proof(ProofKind::Redacted, sealed);
                    Block::Reasoning(Reasoning { reasoning: "".into(), proof, rest: Rest::NONE })
                }
                3 => {
                    let sealed = Raw::string(&self.words().into());
                    let proof = self.proof(ProofKind::Signature, sealed);
                    let reasoning = self.words().into();
                    Block::Reasoning(Reasoning { reasoning, proof, rest: Rest::NONE })
                }
                _ => {
                    let raw = r#"{"type":"server_tool_use","id":"s","name":"n","input":{"q":1}}"#;
                    let raw = Raw::parse(raw).expect("JSON");
                    let proof = self.proof(ProofKind::Native, Raw::string(&"".into()));
                    Block::Opaque(OpaqueBlock { kind: "server_tool_use".into(), raw, proof })
                }
            };
            blocks.push(block);
        }
        blocks
    }

    fn rest(&self, members: &[(&str, &str)]) -> Rest {
        let mut rest = Rest::default();
        for (name, value) in members {
            rest.push((*name).into(), Raw::parse(value).expect("JSON"));
        }
        rest
    }

    /// Items: messages of several parts, sealed and named thoughts, calls of every kind.
    fn responses(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for nth in 0..1 + self.rng.below(6) as u64 {
            let id = |kind: &str| Raw::string(&format!("{kind}_{nth}").into());
            let named = self.rng.below(4) > 0;
            let named_by = |maker: &Maker, kind: &str| {
                if named { maker.proof(ProofKind::ItemId, id(kind)) } else { None }
            };
            match self.rng.below(5) {
                0 => {
                    let proof = named_by(self, "msg");
                    let rest = self.rest(&[
                        ("annotations", "[]"),
                        ("status", r#""completed""#),
                        ("phase", r#""final_answer""#),
                    ]);
                    let text = self.words().into();
                    blocks.push(Block::Text(TextBlock { text, proof: proof.clone(), rest }));
                    if proof.is_some() && self.rng.below(2) == 0 {
                        let (text, rest) =
                            (self.words().into(), self.rest(&[("item", r#""refusal""#)]));
                        blocks.push(Block::Text(TextBlock { text, proof, rest }));
                    }
                }
                1 => {
                    let reasoning = self.words();
                    let mut part = json::Object::new();
                    part.string("type", "summary_text").string("text", &reasoning);
                    let summary = json::Array::of([&part.finish()]);
                    let rest =
                        self.rest(&[("summary", summary.as_str()), ("id", id("rs").as_str())]);
                    let sealed = Raw::string(&self.words().into());
                    let proof = self.proof(ProofKind::Encrypted, sealed);
                    blocks.push(Block::Reasoning(Reasoning {
                        reasoning: reasoning.into(),
                        proof,
                        rest,
                    }));
                }
                2 => {
                    let reasoning = self.words();
                    let mut part = json::Object::new();
                    part.string("type", "reasoning_text").string("text", &reasoning);
                    let content = json::Array::of([&part.finish()]);
                    let rest = self.rest(&[("summary", "[]"), ("content", content.as_str())]);
                    let proof = named_by(self, "rs");
                    blocks.push(Block::Reasoning(Reasoning {
                        reasoning: reasoning.into(),
                        proof,
                        rest,
                    }));
                }
                3 => {
                    let Block::ToolUse(mut call) = self.call(nth) else { continue };
                    call.proof = named_by(self, "fc");
                    call.rest = self.rest(&[("status", r#""completed""#)]);
                    if self.rng.below(2) == 0 {
                        call.input = Input::new(self.words().into());
                        call.rest = self
                            .rest(&[("namespace", r#""crm""#), ("item", r#""custom_tool_call""#)]);
                    }
                    blocks.push(Block::ToolUse(call));
                }
                _ => {
                    let raw =
                        Raw::parse(r#"{"type":"compaction","id":"cmp_1","encrypted_content":"e"}"#);
                    let proof = self.proof(ProofKind::Native, Raw::string(&"".into()));
                    let raw = raw.expect("JSON");
                    blocks.push(Block::Opaque(OpaqueBlock {
                        kind: "compaction".into(),
                        raw,
                        proof,
                    }));
                }
            }
        }
        blocks
    }

    /// Parts: no two plain texts in a row, for a stream does not tell them apart.
    fn gemini(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for nth in 0..1 + self.rng.below(6) as u64 {
            let sealed = Raw::string(&self.words().into());
            let proof = self.proof(ProofKind::Signature, sealed);
            let (text, rest) = (self.words().into(), Rest::NONE);
            match self.rng.below(5) {
                0 => blocks.push(Block::Text(TextBlock { text, proof, rest })),
                1 => {
                    blocks.push(Block::Reasoning(Reasoning { reasoning: text, proof, rest }));
                    blocks.push(self.text());
                    let (reasoning, proof) = (self.words().into(), None);
                    let rest = Rest::NONE;
                    blocks.push(Block::Reasoning(Reasoning { reasoning, proof, rest }));
                    blocks.push(self.call(nth));
                }
                2 => {
                    let rest = self.rest(&[("partMetadata", "{}")]);
                    blocks.push(Block::Text(TextBlock { text, proof: None, rest }));
                }
                3 => {
                    let Block::ToolUse(mut call) = self.call(nth) else { continue };
                    call.proof = proof;
                    blocks.push(Block::ToolUse(call));
                }
                _ => {
                    let raw = r#"{"codeExecutionResult":{"outcome":"OUTCOME_OK"},"thoughtSignature":"s"}"#;
                    let raw = Raw::parse(raw).expect("JSON");
                    let proof = self.proof(ProofKind::Native, Raw::string(&"".into()));
                    let kind = "codeExecutionResult".into();
                    blocks.push(Block::Opaque(OpaqueBlock { kind, raw, proof }));
                }
            }
        }
        blocks
    }

    fn bedrock(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for nth in 0..1 + self.rng.below(6) as u64 {
            let sealed = Raw::string(&self.words().into());
            blocks.push(match self.rng.below(5) {
                0 => self.text(),
                1 => {
                    let proof = self.proof(ProofKind::Signature, sealed);
                    let (reasoning, rest) = (self.words().into(), Rest::NONE);
                    Block::Reasoning(Reasoning { reasoning, proof, rest })
                }
                2 => {
                    let proof = self.proof(ProofKind::Redacted, sealed);
                    Block::Reasoning(Reasoning { reasoning: "".into(), proof, rest: Rest::NONE })
                }
                3 => self.call(nth),
                _ => {
                    let raw =
                        r#"{"toolUse":{"input":{"q":1},"name":"n","type":"server_tool_use"}}"#;
                    let raw = Raw::parse(raw).expect("JSON");
                    let proof = self.proof(ProofKind::Native, Raw::string(&"".into()));
                    Block::Opaque(OpaqueBlock { kind: "toolUse".into(), raw, proof })
                }
            });
        }
        blocks
    }

    fn chat(&mut self, platform: &str) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut rest = Rest::default();
        let reasoning = self.words();
        let key = match platform {
            "openai" => None,
            "mistral" => Some("content"),
            "ollama" => Some("thinking"),
            "openrouter" => Some("reasoning"),
            _ => Some("reasoning_content"),
        };
        if let Some(key) = key {
            let mut proof = None;
            if platform == "openrouter" {
                let mut detail = json::Object::new();
                detail.string("type", "reasoning.text").string("text", &reasoning);
                detail.string("signature", "s").number("index", 0);
                let sealed = json::Array::of([&detail.finish()]);
                proof = self.proof(ProofKind::Other("reasoning_details".into()), sealed);
            }
            rest.push("key".into(), Raw::string(&key.into()));
            blocks.push(Block::Reasoning(Reasoning { reasoning: reasoning.into(), proof, rest }));
        }
        blocks.push(Block::Text(TextBlock {
            text: self.words().into(),
            proof: None,
            rest: Rest::NONE,
        }));
        for nth in 0..self.rng.below(4) as u64 {
            blocks.push(self.call(nth));
        }
        blocks
    }
}
