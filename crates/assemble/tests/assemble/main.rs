//! From a provider's stream to a row: nothing that was not finished is run, and every proof stays
//! with its block.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod anthropic;
mod bedrock;
mod chat;
mod cut;
mod encode;
mod envelope;
mod fold;
mod gemini;
mod gemini_calls;
mod generate;
mod goes_on;
mod hostile;
mod odd;
mod ollama;
mod responses;
mod sent;
mod unnamed;

use std::sync::Arc;

use assemble::{Asked, Dialect, Failed, Reply, Stream};
use json::{Doc, Text};
use record::{Block, Issuer, Message, Proof};

/// A reply that this platform gives.
fn asked(platform: &str, dialect: Dialect) -> Asked {
    let issuer = Issuer {
        platform: platform.into(),
        account: None,
        api: dialect.name().into(),
        model: Text::default(),
    };
    Asked { issuer: Arc::new(issuer), answers: Some("sent-1".into()), runs_logged: false }
}

/// A stream, read at once.
fn read(dialect: Dialect, platform: &str, bytes: &[u8]) -> Result<Reply, Failed> {
    let mut stream = Stream::new(dialect, asked(platform, dialect));
    stream.push(bytes, &mut |_| {}).expect("within the limits");
    stream.finish(&mut |_| {})
}

/// A body, read.
fn read_body(dialect: Dialect, platform: &str, body: &str) -> Result<Reply, Failed> {
    let doc = Doc::parse_str(body).expect("JSON");
    assemble::body(dialect, &asked(platform, dialect), doc.root())
}

/// An event stream of these data.
fn sse<S: AsRef<str>>(frames: impl IntoIterator<Item = S>) -> Vec<u8> {
    let frames = frames.into_iter().map(|data| format!("data: {}\n\n", data.as_ref()));
    frames.collect::<String>().into_bytes()
}

/// A reply without anything odd about its stream.
fn clean(reply: Result<Reply, Failed>) -> Message {
    let reply = reply.expect("a reply");
    assert_eq!(reply.findings, []);
    reply.message
}

/// The blocks in short: what each is, and its content.
fn told(message: &Message) -> Vec<String> {
    message.blocks.iter().map(told_block).collect()
}

fn told_block(block: &Block) -> String {
    let sealed = |proof: &Option<Box<Proof>>| {
        proof
            .as_ref()
            .map_or(String::new(), |proof| format!(" [{} {}]", proof.kind.as_str(), proof.sealed))
    };
    match block {
        Block::Text(text) => format!("text {}{}", text.text, sealed(&text.proof)),
        Block::Reasoning(thought) => {
            format!("thought {}{}", thought.reasoning, sealed(&thought.proof))
        }
        Block::ToolUse(call) => {
            let (id, name, input) = (&call.id, &call.name, call.input.text());
            format!("call {id} {name}({input}){}", sealed(&call.proof))
        }
        Block::Opaque(block) => format!("{} {}{}", block.kind, block.raw, sealed(&block.proof)),
        Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => panic!("no model's"),
    }
}
