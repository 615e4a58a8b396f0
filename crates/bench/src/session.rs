//! A session file of Claude Code, as long as wanted: an invented session, repeated.

use serde_json::{Value, json};

use crate::random::Random;

const MODEL: &str = "claude-sonnet-4-5";
const SIGNATURE_CHARS: usize = 480;

/// A session file of at least so many bytes.
pub fn session(bytes: usize) -> String {
    let mut file = File { out: String::new(), parent: Value::Null, random: Random::new(5), id: 0 };
    while file.out.len() < bytes {
        file.turn();
    }
    file.out
}

struct File {
    out: String,
    /// The `uuid` of the line before.
    parent: Value,
    random: Random,
    id: u64,
}

impl File {
    fn id(&mut self, prefix: &str) -> String {
        self.id += 1;
        format!("{prefix}{:08x}{:016x}", self.id, self.random.bits())
    }

    fn line(&mut self, kind: &str, message: Value, result: Option<Value>) {
        let uuid = self.id("");
        let mut line = json!({"parentUuid": self.parent, "isSidechain": false, "userType": "external",
            "cwd": "/home/ada/mill", "sessionId": "5e551070-0000-4000-8000-000000000001",
            "version": "2.0.1", "gitBranch": "main", "type": kind, "message": message,
            "uuid": uuid, "timestamp": "2026-01-02T03:04:05.678Z"});
        // What the harness itself keeps of a tool's result, beside what the model is told.
        if let (Some(result), Some(members)) = (result, line.as_object_mut()) {
            members.insert("toolUseResult".into(), result);
        }
        self.parent = uuid.into();
        self.out.push_str(&line.to_string());
        self.out.push('\n');
    }

    fn reply(&mut self, id: &str, block: Value, stop: &str) {
        let usage = json!({"input_tokens": 12, "output_tokens": 345,
            "cache_creation_input_tokens": 678, "cache_read_input_tokens": 90_123});
        let message = json!({"id": id, "type": "message", "role": "assistant", "model": MODEL,
            "content": [block], "stop_reason": stop, "stop_sequence": null, "usage": usage});
        self.line("assistant", message, None);
    }

    /// A person asks, the model thinks, calls, reads the result and answers.
    fn turn(&mut self) {
        let ask = "Why does the second wheel turn slower than the first? Look at `gear.rs`.";
        self.line("user", json!({"role": "user", "content": ask}), None);
        let id = self.id("msg_");
        let thought = "The ratio is computed from teeth, so I read where the teeth come from. ";
        let signature = "EqRkCg+/".repeat(SIGNATURE_CHARS / 8);
        let thought =
            json!({"type": "thinking", "thinking": thought.repeat(6), "signature": signature});
        self.reply(&id, thought, "tool_use");
        let call = self.id("toolu_");
        let input = json!({"file_path": "/home/ada/mill/src/gear.rs", "limit": 200});
        let block = json!({"type": "tool_use", "id": call, "name": "Read", "input": input});
        self.reply(&id, block, "tool_use");
        let source =
            "    let ratio = wheel.teeth as f64 / pinion.teeth as f64; // \"n\u{fc}tzlich\"\n";
        let lines = self.random.between(5, 120) as usize;
        let text = source.repeat(lines);
        let result = json!({"type": "tool_result", "tool_use_id": call, "content": &text});
        let kept = json!({"type": "text", "file": {"filePath": "/home/ada/mill/src/gear.rs",
            "content": text, "numLines": lines, "startLine": 1, "totalLines": lines}});
        self.line("user", json!({"role": "user", "content": [result]}), Some(kept));
        let id = self.id("msg_");
        let answer = "The pinion's teeth are read as the wheel's.\n\nI would swap the arguments. ";
        let answer = json!({"type": "text", "text": answer.repeat(8)});
        self.reply(&id, answer, "end_turn");
    }
}
