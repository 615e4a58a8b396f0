//! Neutral histories of a given size: text, calls and results, thoughts with signatures, images.
//!
//! About 40 % of the messages carry a call or a result.

use serde_json::{Value, json};

use crate::random::Random;

/// How large a history is.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Messages, at least.
    pub messages: usize,
    /// How many times longer than usual the results are.
    pub results: u64,
    /// An image every so many messages.
    pub image_every: usize,
    /// Another seed, another history.
    pub seed: u64,
}

/// A thousand messages, about 2 MB.
pub const H1000: Shape = Shape { messages: 1000, results: 1, image_every: 97, seed: 2 };

/// Ten thousand messages, about 20 MB.
pub const H10000: Shape = Shape { messages: 10_000, results: 1, image_every: 97, seed: 3 };

/// Ten thousand messages with longer results and more images, about 50 MB.
pub const H50MB: Shape = Shape { messages: 10_000, results: 4, image_every: 19, seed: 4 };

const WORDS: &[&str] = &[
    "agent",
    "record",
    "stream",
    "block",
    "replay",
    "cursor",
    "branch",
    "merge",
    "index",
    "table",
    "query",
    "parse",
    "error",
    "retry",
    "token",
    "budget",
    "window",
    "cache",
    "prefix",
    "header",
    "payload",
    "schema",
    "result",
    "folder",
    "compile",
    "deploy",
    "latency",
    "kernel",
    "socket",
    "gr\u{f6}\u{df}e",
    "na\u{ef}ve",
    "\u{6570}\u{636e}",
    "fa\u{e7}ade",
    "\u{1f642}",
];

const TOOLS: &[(&str, &str)] = &[
    ("read_file", "path"),
    ("write_file", "content"),
    ("run_command", "command"),
    ("search", "pattern"),
    ("screenshot", "display"),
];

/// A PNG's first 24 bytes: 640 by 480 pixels.
const PNG_HEAD: &str = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHg";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const IMAGE_CHARS: usize = 66_668;
const SIGNATURE_CHARS: usize = 480;
const MODEL: &str = "claude-sonnet-4-5";

/// The history of a shape, as JSONL.
pub fn history(shape: Shape) -> String {
    let mut writer = Writer { random: Random::new(shape.seed), out: String::new(), count: 0 };
    let tools: Vec<Value> = TOOLS.iter().map(|(name, argument)| tool(name, argument)).collect();
    let system = format!("You are a careful engineering agent. {}", writer.text(300));
    writer.line(&json!({"kind": "header", "v": 1, "name": "", "system": system, "tools": tools}));
    let mut calls = 0;
    while writer.count <= shape.messages {
        let mut blocks = vec![writer.text_block(8, 60)];
        if writer.count % shape.image_every < 2 {
            blocks.push(writer.image());
        }
        writer.message("user", &[], blocks);
        for _ in 0..writer.random.pick(&[0, 0, 0, 1, 2]) {
            writer.round(shape, &mut calls);
        }
        let mut blocks = Vec::new();
        if writer.random.percent(35) {
            blocks.push(writer.thought());
        }
        blocks.push(writer.text_block(40, 200));
        writer.message("assistant", &[("stop", "end_turn")], blocks);
    }
    let last = json!({"type": "text", "text": "Continue."});
    writer.message("user", &[], vec![last]);
    writer.out
}

fn tool(name: &str, argument: &str) -> Value {
    json!({"name": name, "description": format!("Does what {name} says."),
        "input_schema": {"type": "object", "properties": {argument: {"type": "string"}},
            "required": [argument]}})
}

struct Writer {
    random: Random,
    out: String,
    count: usize,
}

impl Writer {
    fn line(&mut self, value: &Value) {
        self.out.push_str(&value.to_string());
        self.out.push('\n');
        self.count += 1;
    }

    fn message(&mut self, role: &str, members: &[(&str, &str)], blocks: Vec<Value>) {
        let mut message = json!({"kind": "msg", "role": role, "blocks": blocks});
        if role == "assistant" {
            message["provider"] = "anthropic".into();
            message["api"] = "anthropic-messages".into();
            message["model"] = MODEL.into();
        }
        for (name, value) in members {
            message[*name] = (*value).into();
        }
        self.line(&message);
    }

    fn text(&mut self, words: u64) -> String {
        let words: Vec<&str> = (0..words).map(|_| self.random.pick(WORDS)).collect();
        words.join(" ")
    }

    fn lines(&mut self, lines: u64) -> String {
        let lines: Vec<String> = (0..lines).map(|_| self.text(12)).collect();
        lines.join("\n")
    }

    fn text_block(&mut self, least: u64, most: u64) -> Value {
        let words = self.random.between(least, most);
        json!({"type": "text", "text": self.text(words)})
    }

    fn base64(&mut self, chars: usize) -> String {
        (0..chars).map(|_| char::from(self.random.pick(BASE64))).collect()
    }

    fn thought(&mut self) -> Value {
        let words = self.random.between(30, 160);
        json!({"type": "reasoning", "text": self.text(words),
            "signature": self.base64(SIGNATURE_CHARS)})
    }

    fn image(&mut self) -> Value {
        let data = PNG_HEAD.to_owned() + &self.base64(IMAGE_CHARS - PNG_HEAD.len());
        json!({"type": "image", "media_type": "image/png", "data": data})
    }

    /// A reply with calls, and their results.
    fn round(&mut self, shape: Shape, calls: &mut u64) {
        let mut blocks = Vec::new();
        if self.random.percent(50) {
            blocks.push(self.thought());
        }
        if self.random.percent(50) {
            blocks.push(self.text_block(5, 25));
        }
        let mut results = Vec::new();
        for _ in 0..self.random.pick(&[1, 1, 1, 2, 3]) {
            *calls += 1;
            let (name, argument) = self.random.pick(TOOLS);
            let id = format!("toolu_{calls:06}{:018x}", self.random.bits());
            let lines = if name == "write_file" { self.random.between(3, 30) } else { 1 };
            let input = json!({argument: self.lines(lines), "limit": self.random.between(1, 9999)});
            blocks.push(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
            let lines = self.random.between(2, 40) * shape.results;
            let mut content = vec![json!({"type": "text", "text": self.lines(lines)})];
            if name == "screenshot" && self.random.percent(12) {
                content.push(self.image());
            }
            let is_error = content.len() == 1 && self.random.percent(6);
            results.push(json!({"type": "tool_result", "call_id": id, "name": name,
                "is_error": is_error, "content": content}));
        }
        self.message("assistant", &[("stop", "tool_use")], blocks);
        for result in results {
            self.message("tool", &[], vec![result]);
        }
    }
}
