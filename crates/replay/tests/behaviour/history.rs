//! A history being written by a test, and what its requests look like.

use std::sync::Arc;

use json::{Raw, Text};
use record::{
    Block, BlockRef, Compaction, CompactionKind, Entry, EntryId, Fact, Image, ImageSource, Input,
    Issuer, Message, Proof, ProofKind, Reasoning, Rest, ResultPart, Retracted, Role, Source,
    TextBlock, ToolResult, ToolUse,
};
use replay::{Now, Prepared, Reader, Refusal, Replayer, Report, Target};
use serde_json::Value;

/// A model that thinks, takes system messages in mid-conversation and does not bind thinking.
pub const OPUS_4_8: &str = "claude-opus-4-8";

/// A model that binds thinking to its prefix.
pub const OPUS_5_5: &str = "claude-opus-5-5";

/// A model with manual thinking.
pub const SONNET_4_5: &str = "claude-sonnet-4-5";

/// Entries in the order they are appended, ids by count: `e0`, `e1`, ...
#[derive(Clone, Default)]
pub struct History {
    pub path: Vec<Arc<Entry>>,
}

impl History {
    /// Appends a fact and gives its id.
    pub fn fact(&mut self, fact: Fact) -> EntryId {
        let id = EntryId::new(format!("e{}", self.path.len()));
        self.path.push(Arc::new(Entry {
            id: id.clone(),
            parent: self.path.last().map(|entry| entry.id.clone()),
            seq: self.path.len() as u64,
            time: None,
            fact,
            origin: None,
            rest: Rest::default(),
        }));
        id
    }

    pub fn message(&mut self, message: Message) -> EntryId {
        self.fact(Fact::Message(Box::new(message)))
    }

    pub fn user(&mut self, text: &str) -> EntryId {
        self.message(Message::new(Role::User, vec![Block::text(text)]))
    }

    pub fn system(&mut self, text: &str) -> EntryId {
        self.message(Message::new(Role::System, vec![Block::text(text)]))
    }

    pub fn reply(&mut self, blocks: Vec<Block>) -> EntryId {
        self.message(Message::new(Role::Assistant, blocks))
    }

    pub fn results(&mut self, blocks: Vec<Block>) -> EntryId {
        self.message(Message::new(Role::Tool, blocks))
    }

    /// Appends what a request has to have appended before it leaves.
    pub fn append(&mut self, prepared: &Prepared) {
        self.path.extend(prepared.append().iter().cloned().map(Arc::new));
    }

    /// A reply of `model` to the last `sent`.
    pub fn answer(&mut self, model: &str, blocks: Vec<Block>) -> EntryId {
        let sent = self.path.iter().rev().find(|entry| matches!(entry.fact, Fact::Sent(_)));
        let mut message = Message::new(Role::Assistant, blocks);
        message.answers = sent.map(|entry| entry.id.clone());
        message.source = Some(source(model));
        self.message(message)
    }

    pub fn prepare(&self, model: &str) -> Result<Prepared, Refusal> {
        self.prepare_for(Target::anthropic(model), &Now::default())
    }

    pub fn prepare_for(&self, target: Target, now: &Now) -> Result<Prepared, Refusal> {
        let mut replayer = Replayer::new(Reader::plain("main"), target);
        replayer.feed(&self.path);
        replayer.prepare(now)
    }

    /// The request body for a model; the linter has found nothing in it.
    pub fn body(&self, model: &str) -> Value {
        body(&self.prepare(model).expect("a request"))
    }

    /// Sends to a model: what is prepared is appended. Gives the body.
    pub fn send(&mut self, model: &str) -> Prepared {
        let prepared = self.prepare(model).expect("a request");
        body(&prepared);
        self.append(&prepared);
        prepared
    }
}

/// A request's body, judged by the linter.
pub fn body(prepared: &Prepared) -> Value {
    let bytes = prepared.request.body().to_vec();
    let options = wire::anthropic_messages::lint::LintOptions {
        betas: prepared.request.betas(),
        ..Default::default()
    };
    let findings = wire::anthropic_messages::lint::lint(&bytes, &options);
    let errors: Vec<_> = findings
        .iter()
        .filter(|finding| finding.severity == wire::finding::Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{}", String::from_utf8_lossy(&bytes));
    serde_json::from_slice(&bytes).expect("a body is JSON")
}

/// `role: kind, kind; role: ...` of a body's messages.
pub fn outline(body: &Value) -> String {
    let messages = body["messages"].as_array().expect("messages");
    let outlines: Vec<String> = messages
        .iter()
        .map(|message| {
            let kinds: Vec<&str> = message["content"]
                .as_array()
                .expect("content")
                .iter()
                .map(|block| block["type"].as_str().expect("type"))
                .collect();
            format!("{}: {}", message["role"].as_str().expect("role"), kinds.join(" "))
        })
        .collect();
    outlines.join("; ")
}

/// The text of `messages[message].content[block]`, of a text block or a result.
pub fn text_at(body: &Value, message: usize, block: usize) -> &str {
    let block = &body["messages"][message]["content"][block];
    block["text"]
        .as_str()
        .or(block["content"].as_str())
        .unwrap_or_else(|| panic!("text in {block}"))
}

pub fn changes(report: &Report) -> Vec<&'static str> {
    report.changes().map(|change| change.kind.as_str()).collect()
}

/// The conversation's bytes without cache marks, up to the end of its last block.
pub fn conversation(prepared: &Prepared) -> Vec<u8> {
    prepared.request.body().conversation().iter().copied().collect()
}

/// Whether a request extends another byte for byte, its head included.
pub fn extends(next: &Prepared, previous: &Prepared) -> bool {
    let (next_body, body) = (body(next), body(previous));
    next_body["system"] == body["system"]
        && next_body["tools"] == body["tools"]
        && conversation(next).starts_with(&conversation(previous))
}

pub fn source(model: &str) -> Source {
    Source::Model {
        platform: "anthropic".into(),
        api: "anthropic_messages".into(),
        model: model.into(),
        account: None,
    }
}

pub fn issuer(model: &str) -> Arc<Issuer> {
    Arc::new(Issuer {
        platform: "anthropic".into(),
        account: None,
        api: "anthropic_messages".into(),
        model: model.into(),
    })
}

pub fn call(id: &str, name: &str, input: &str) -> Block {
    Block::ToolUse(ToolUse {
        id: id.into(),
        name: name.into(),
        input: Input::new(input.into()),
        proof: None,
        rest: Rest::default(),
    })
}

pub fn result(id: &str, output: &str) -> Block {
    result_of(id, vec![ResultPart::Text(output.into())], false)
}

pub fn result_of(id: &str, content: Vec<ResultPart>, is_error: bool) -> Block {
    Block::ToolResult(ToolResult {
        tool_use_id: id.into(),
        tool_name: "grep".into(),
        content,
        is_error,
        rest: Rest::default(),
    })
}

pub fn thought(model: &str, text: &str, signature: &str) -> Block {
    let sealed = Raw::string(&Text::from(signature));
    let kind = ProofKind::Signature;
    let proof = Proof { issuer: issuer(model), kind, version: 1, sealed };
    reasoning(text, Some(proof))
}

pub fn reasoning(text: &str, proof: Option<Proof>) -> Block {
    let proof = proof.map(Box::new);
    Block::Reasoning(Reasoning { reasoning: text.into(), proof, rest: Rest::default() })
}

pub fn blank(text: &str) -> Block {
    Block::Text(TextBlock { text: text.into(), proof: None, rest: Rest::default() })
}

/// A valid PNG of one pixel.
pub const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

pub fn pixel() -> Image {
    Image::new("image/png".into(), ImageSource::Base64(PIXEL.into()))
}

pub fn at(row: &EntryId, block: u32) -> BlockRef {
    BlockRef { row: row.clone(), block }
}

pub fn compaction(handoff: &str, retained_from: Option<EntryId>) -> Fact {
    Fact::Compaction(Box::new(Compaction {
        kind: CompactionKind::Boundary,
        continuation: None,
        handoff: Some(handoff.into()),
        handoff_by_user: false,
        retained_from,
        retained: Vec::new(),
        split_as_found: false,
        cleared: Vec::new(),
        rest: Rest::default(),
    }))
}

pub fn clearing(cleared: Vec<BlockRef>) -> Fact {
    Fact::Compaction(Box::new(Compaction {
        kind: CompactionKind::Micro,
        continuation: None,
        handoff: None,
        handoff_by_user: false,
        retained_from: None,
        retained: Vec::new(),
        split_as_found: false,
        cleared,
        rest: Rest::default(),
    }))
}

pub fn retraction(blocks: Vec<BlockRef>, entries: Vec<EntryId>) -> Fact {
    Fact::Retracted(Retracted { blocks, entries, reason: "asked".into() })
}
