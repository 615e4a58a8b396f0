//! Every recorded reply of every dialect: assembled without a finding,
//! cut at any place to the same message, sent again and equal, and projected to its own provider
//! with every proof byte for byte. Where the recording holds the client's next request, the same
//! blocks and signatures stand in it.

use std::sync::Arc;

use serde_json::Value;
use stenograph::assemble::{self, Asked, Dialect, Failed, Reply, Stream, encode};
use stenograph::formats;
use stenograph::json::Doc;
use stenograph::record::{
    self, Block, Entry, EntryId, Fact, Issuer, Message, ProofKind, Reasoning, Record, Rest,
    ResultPart, Role, ToolResult,
};
use stenograph::replay::{Now, Reader, Replayer, Target};
use stenograph::wire::bedrock_converse::events::from_base64;
use stenograph::wire::frames::http::without_chunk_lengths;
use stenograph::wire::openai_chat::vendors::{self, ReasoningKey};

use crate::{files, refused, shared};

/// One answered request of a recording.
struct Exchange {
    name: String,
    dialect: Dialect,
    vendor: String,
    url: String,
    request: Value,
    body: Value,
    /// The request after it, if it goes on with this conversation.
    next: Option<Value>,
}

/// The exchanges of a dialect that were answered.
fn exchanges(dialect: Dialect) -> Option<Vec<Exchange>> {
    let shared = shared()?;
    let mut found = Vec::new();
    let all = files(&shared.join("corpus/streams")).into_iter();
    for path in all.filter(|path| path.extension().is_some_and(|end| end == "json")) {
        let recording = std::fs::read(&path).expect("a recording");
        let value: Value = serde_json::from_slice(&recording).expect("JSON");
        let vendor = path.parent().and_then(|dir| dir.file_name()).expect("a vendor");
        let vendor = vendor.to_string_lossy().into_owned();
        let vendor = vendors::canonical(&vendor).map_or(vendor.clone(), str::to_owned);
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let list = value["exchanges"].as_array().expect("exchanges").clone();
        for (index, exchange) in list.iter().enumerate() {
            let url = exchange["request"]["url"].as_str().unwrap_or_default();
            let is_of = match dialect {
                Dialect::AnthropicMessages => url.contains("/messages"),
                Dialect::OpenAiChat => url.contains("chat/completions"),
                Dialect::OpenAiResponses => url.contains("/responses"),
                Dialect::Gemini => url.contains("enerateContent"),
                Dialect::BedrockConverse => url.contains("/converse"),
                Dialect::OllamaChat => url.ends_with("/api/chat"),
            };
            let body = exchange["response"]["body"].clone();
            let is_lines = dialect == Dialect::OllamaChat;
            let is_answer = is_lines
                || body.is_object()
                || body.is_array()
                || body.as_str().is_some_and(|b| b.contains("data:"));
            if !is_of || exchange["response"]["status"] != 200 || !is_answer {
                continue;
            }
            let next = list.get(index + 1).map(|next| next["request"]["body"].clone());
            found.push(Exchange {
                name: format!("{name} {index}"),
                dialect,
                vendor: vendor.clone(),
                url: url.to_owned(),
                request: exchange["request"]["body"].clone(),
                body,
                next,
            });
        }
    }
    Some(found)
}

impl Exchange {
    /// Who served the model, by the folder it is recorded in.
    fn platform(&self) -> &str {
        match (self.dialect, self.vendor.as_str()) {
            (Dialect::AnthropicMessages, _) => "anthropic",
            (Dialect::BedrockConverse, _) => "bedrock",
            (Dialect::Gemini, "google-vertex") => "google-cloud",
            (Dialect::Gemini, _) => "google",
            (Dialect::OpenAiChat | Dialect::OpenAiResponses | Dialect::OllamaChat, vendor) => {
                vendor
            }
        }
    }

    fn asked(&self) -> Asked {
        let model = match self.dialect {
            Dialect::AnthropicMessages | Dialect::Gemini => "",
            Dialect::BedrockConverse => self.url.split('/').nth(4).unwrap_or_default(),
            Dialect::OpenAiChat | Dialect::OpenAiResponses | Dialect::OllamaChat => {
                self.request["model"].as_str().unwrap_or_default()
            }
        };
        let platform = self.platform();
        let api = self.dialect.name().into();
        let (platform, model) = (platform.into(), model.into());
        let issuer = Arc::new(Issuer { platform, account: None, api, model });
        Asked { issuer, answers: Some("sent".into()), runs_logged: false }
    }

    fn reply(&self, packet: usize) -> Result<Reply, Failed> {
        let binary = self.body["base64"].as_str().and_then(from_base64);
        let text = self.body.as_str().map(|text| {
            let whole = without_chunk_lengths(text.as_bytes());
            whole.unwrap_or_else(|| text.as_bytes().to_vec())
        });
        let Some(stream) = binary.or(text) else {
            let text = self.body.to_string();
            return self.read_body(&text);
        };
        let mut reader = Stream::new(self.dialect, self.asked());
        for packet in stream.chunks(packet) {
            reader.push(packet, &mut |_| {}).expect("within the limits");
        }
        reader.finish(&mut |_| {})
    }

    fn read_body(&self, text: &str) -> Result<Reply, Failed> {
        let doc = Doc::parse_str(text).expect("JSON");
        assemble::body(self.dialect, &self.asked(), doc.root())
    }

    /// What is wrong with a reply on the way through a stream and a body of our own.
    fn sent_again(&self, message: &Message) -> Option<String> {
        let stream = encode::stream(self.dialect, message, "id").expect("a stream");
        let body = encode::body(self.dialect, message, "id").expect("a body");
        let mut reader = Stream::new(self.dialect, self.asked());
        reader.push(&stream, &mut |_| {}).expect("within the limits");
        let streamed = reader.finish(&mut |_| {}).ok().map(|reply| reply.message);
        let whole = self.read_body(body.as_str()).ok().map(|reply| reply.message);
        let expected = Some(compact(message));
        let same =
            streamed.as_ref().map(compact) == expected && whole.as_ref().map(compact) == expected;
        (!same).then(|| format!("{}: what is sent again is another message", self.name))
    }
}

/// The message without white space between the tokens of its arguments.
fn compact(message: &Message) -> Message {
    let mut message = message.clone();
    for block in &mut message.blocks {
        if let Block::ToolUse(call) = block
            && let Ok(doc) = Doc::parse_str(&call.input.text().clone())
        {
            call.input = stenograph::record::Input::of_value(doc.root());
        }
    }
    message
}

/// Replies that are meant to fail, by the recording they are in.
const FAILING: [&str; 4] = [
    "pydantic-ai--test-tool-use-failed-error-streaming.json 0",
    "pydantic-ai--test-invalid-response.json",
    // The model called a tool that was not declared.
    "pydantic-ai--test-multimodal-tool-return-matrix-tool-return-content-url-image-googl.json 0",
    // The prompt was blocked: no model saw it, and nobody replied.
    "pydantic-ai--test-google-model-armor-prompt-template-text-gets-blocked.json 0",
];

/// Recordings whose stream is odd, and is told to be.
const ODD: [&str; 3] = [
    "pydantic-ai--test-openrouter-stream-error.json",
    // Calls, and no finish reason.
    "llm--test-tools-streaming-variant-a.json",
    "llm--test-tools-streaming-variant-b.json",
];

fn judge(dialect: Dialect, least: usize) -> Vec<(Exchange, Reply)> {
    let mut replies = Vec::new();
    let mut failures = Vec::new();
    for exchange in exchanges(dialect).unwrap_or_default() {
        let name = &exchange.name;
        let reply = exchange.reply(usize::MAX);
        for packet in [1, 7, 64] {
            if exchange.reply(packet) != reply {
                failures.push(format!("{name}: packets of {packet} bytes give another message"));
            }
        }
        let reply = match reply {
            Ok(reply) => reply,
            Err(_) if FAILING.iter().any(|failing| name.starts_with(failing)) => continue,
            Err(failed) => {
                failures.push(format!("{name}: {failed}"));
                continue;
            }
        };
        if !reply.findings.is_empty() && !ODD.iter().any(|odd| name.starts_with(odd)) {
            failures.push(format!("{name}: {:?}", reply.findings));
        }
        failures.extend(exchange.sent_again(&reply.message));
        replies.push((exchange, reply));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    if shared().is_some() {
        println!("{} replies of {}", replies.len(), dialect.name());
        assert!(replies.len() >= least, "{} replies", replies.len());
    }
    replies
}

#[test]
fn every_recorded_reply_of_chat_completions_is_assembled_with_every_thought_and_goes_on() {
    let mut failures = Vec::new();
    let mut thoughts = 0;
    for (exchange, reply) in judge(Dialect::OpenAiChat, 150) {
        match goes_on(&exchange, &reply) {
            Ok(body) => {
                for block in crossing(&reply.message) {
                    let due = chat_form(&exchange.vendor, block);
                    thoughts += usize::from(due.is_some());
                    if due.is_some_and(|due| !body.contains(&due)) {
                        let name = &exchange.name;
                        failures.push(format!("{name}: a thought is not in the next request"));
                    }
                }
            }
            Err(why) => failures.push(format!("{}: {why}", exchange.name)),
        }
    }
    println!("{thoughts} thoughts stand in the next request");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// How a thought has to stand in its vendor's next request, if that has a place for it.
fn chat_form(vendor: &str, block: &Block) -> Option<String> {
    let thought = block.as_reasoning()?;
    let key = vendors::vendor(vendor)?.reasoning_key?;
    match (key, &thought.proof) {
        (ReasoningKey::ReasoningDetails, Some(proof)) => Some(proof.sealed.as_str().to_owned()),
        (ReasoningKey::ReasoningContent | ReasoningKey::Reasoning, None) => {
            Some(format!("\"{}\":{}", key.as_str(), thought.reasoning.to_literal()))
        }
        (ReasoningKey::ThinkingPart, None) => Some(thought.reasoning.to_literal()),
        _ => None,
    }
}

#[test]
fn every_recorded_reply_of_anthropic_messages_is_assembled_with_every_proof_and_goes_on() {
    let mut failures = Vec::new();
    let mut compared = 0;
    for (exchange, reply) in judge(Dialect::AnthropicMessages, 45) {
        let name = &exchange.name;
        let proofs: Vec<String> = reply.message.blocks.iter().filter_map(proof_of).collect();
        if proofs != recorded_proofs(&exchange.body) {
            failures.push(format!("{name}: its proofs are not those that were recorded"));
        }
        match goes_on(&exchange, &reply) {
            Ok(body) => {
                let crossing = crossing(&reply.message).iter().filter_map(proof_of);
                let missing = crossing.filter(|proof| !body.contains(proof)).count();
                if missing > 0 {
                    failures.push(format!("{name}: {missing} proofs are not in the next request"));
                }
            }
            Err(why) => failures.push(format!("{name}: {why}")),
        }
        if let Some(next) = answered(&exchange) {
            compared += 1;
            let (ours, theirs) = (said(&reply.message), said_in(&next));
            if ours != theirs {
                failures.push(format!("{name}: {ours:?} is not {theirs:?}"));
            }
        }
    }
    println!("{compared} replies compared with the client's next request");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_recorded_reply_of_responses_is_assembled_with_every_proof_and_item() {
    let mut failures = Vec::new();
    for (exchange, reply) in judge(Dialect::OpenAiResponses, 80) {
        let recorded = recorded_items(&exchange.body);
        let missing = recorded.iter().filter(|item| !holds(&reply.message, item)).count();
        if missing > 0 {
            failures.push(format!("{}: {missing} items are not in the message", exchange.name));
        }
        // One in plain text goes back to nobody.
        let sealed = crossing(&reply.message).iter().filter(|block| {
            block.as_reasoning().is_some_and(|thought| {
                let is_plain = thought.rest.get("content").is_some_and(|of| of.as_str() != "[]");
                let proof = thought.proof.as_ref();
                !is_plain && proof.is_some_and(|proof| proof.kind == ProofKind::Encrypted)
            })
        });
        failures.extend(left_behind(&exchange, &reply, sealed.filter_map(proof_of)));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_recorded_reply_of_gemini_is_assembled_with_every_signature() {
    let mut failures = Vec::new();
    for (exchange, reply) in judge(Dialect::Gemini, 84) {
        let mut recorded = 0;
        let count = |text: &str| text.matches("thoughtSignature").count();
        match exchange.body.as_str() {
            Some(stream) => recorded += count(stream),
            None => recorded += count(&exchange.body.to_string()),
        }
        let kept = reply.message.blocks.iter().filter(|block| match block {
            Block::Text(text) => text.proof.is_some(),
            Block::Reasoning(thought) => thought.proof.is_some(),
            Block::ToolUse(call) => call.proof.is_some(),
            Block::Opaque(part) => count(part.raw.as_str()) > 0,
            Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => false,
        });
        let kept = kept.count();
        if kept != recorded {
            failures.push(format!("{}: {kept} of {recorded} signatures", exchange.name));
        }
        let called = reply.message.blocks.iter().filter_map(Block::as_tool_use);
        let signed = called.filter_map(|call| call.proof.as_ref());
        let signatures = signed.map(|proof| proof.sealed.as_str().to_owned());
        failures.extend(left_behind(&exchange, &reply, signatures));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_recorded_reply_of_bedrock_is_assembled_with_every_signature() {
    let mut streams = 0;
    for (exchange, reply) in judge(Dialect::BedrockConverse, 18) {
        streams += usize::from(exchange.body["base64"].is_string());
        let recorded = exchange.body.to_string().matches("\"signature\"").count();
        let kept = reply.message.blocks.iter().filter_map(proof_of).count();
        assert!(kept >= recorded, "{}: {kept} of {recorded} signatures", exchange.name);
        let crossing = crossing(&reply.message).iter().filter_map(proof_of);
        assert_eq!(left_behind(&exchange, &reply, crossing), None);
    }
    assert!(streams >= 4 || shared().is_none(), "{streams} binary streams");
}

#[test]
fn every_recorded_reply_of_ollama_is_assembled() {
    for (exchange, reply) in judge(Dialect::OllamaChat, 2) {
        assert_eq!(left_behind(&exchange, &reply, []), None);
    }
}

/// Chunks that a harness recorded for its own tests, one reply a line.
#[test]
fn every_line_of_recorded_gemini_chunks_is_a_reply_or_says_why_not() {
    let Some(shared) = shared() else { return };
    let (mut replies, mut failures) = (0, Vec::new());
    for path in files(&shared.join("corpus/streams/google-gemini")) {
        let text = std::fs::read_to_string(&path).expect("text");
        for line in text.lines().filter(|_| path.extension().is_some_and(|end| end == "jsonl")) {
            let doc = Doc::parse_str(line).expect("JSON");
            let Some(response) = doc.root().get("response") else { continue };
            match assemble::body(Dialect::Gemini, &Asked::default(), response) {
                Ok(reply) => {
                    replies += 1;
                    failures.extend((!reply.findings.is_empty()).then(|| line.to_owned()));
                }
                // Made up without an end, or without anything said.
                Err(failed)
                    if ["STREAM_CUT", "EMPTY_RESPONSE"].contains(&&*failed.failure.code) => {}
                Err(failed) if &*failed.failure.code == "MALFORMED_FUNCTION_CALL" => {}
                Err(failed) => failures.push(format!("{failed}: {line}")),
            }
        }
    }
    println!("{replies} replies");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(replies > 150, "{replies}");
}

/// The items of a recorded reply, found without our reader.
fn recorded_items(body: &Value) -> Vec<Value> {
    let Some(stream) = body.as_str() else {
        return body["output"].as_array().cloned().unwrap_or_default();
    };
    let data = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    let events = data.filter_map(|data| serde_json::from_str::<Value>(data).ok());
    let done = events.filter(|event| event["type"] == "response.output_item.done");
    done.map(|event| event["item"].clone()).collect()
}

/// Whether a message holds what an item says: its id, and its seal or its text.
fn holds(message: &Message, item: &Value) -> bool {
    let is = |proof: &Option<Box<record::Proof>>, value: &Value| {
        proof.as_ref().is_some_and(|proof| {
            serde_json::from_str::<Value>(proof.sealed.as_str()).is_ok_and(|own| own == *value)
        })
    };
    let text = |parts: &Value| {
        let texts = parts.as_array().into_iter().flatten();
        texts.filter_map(|part| part["text"].as_str()).map(str::to_owned).collect::<Vec<_>>()
    };
    message.blocks.iter().any(|block| match block {
        Block::Text(said) => {
            is(&said.proof, &item["id"]) && text(&item["content"]).contains(&said.text.to_string())
        }
        Block::Reasoning(thought) if item["encrypted_content"].is_string() => {
            is(&thought.proof, &item["encrypted_content"])
        }
        Block::Reasoning(thought) => {
            let all = [text(&item["content"]), text(&item["summary"])].concat();
            is(&thought.proof, &item["id"])
                && all.iter().all(|text| thought.reasoning.contains(text.as_str()))
        }
        Block::ToolUse(call) => {
            is(&call.proof, &item["id"])
                && item["call_id"] == call.id.as_str()
                && item["name"] == call.name.as_str()
        }
        Block::Opaque(block) => {
            serde_json::from_str::<Value>(block.raw.as_str()).is_ok_and(|raw| raw == *item)
        }
        Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => false,
    })
}

/// A thought's proof, as it was written.
fn proof_of(block: &Block) -> Option<String> {
    let Block::Reasoning(Reasoning { proof, .. }) = block else { return None };
    proof.as_ref().map(|proof| proof.sealed.as_str().to_owned())
}

/// Every signature and sealed payload of a recorded reply, found without our reader.
fn recorded_proofs(body: &Value) -> Vec<String> {
    let sealed = |block: &Value| {
        let value = match block["type"].as_str() {
            Some("thinking" | "signature_delta") => &block["signature"],
            Some("redacted_thinking") => &block["data"],
            _ => return None,
        };
        value.as_str().filter(|value| !value.is_empty()).map(|_| value.to_string())
    };
    let Some(stream) = body.as_str() else {
        return body["content"].as_array().into_iter().flatten().filter_map(sealed).collect();
    };
    let data = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    let events = data.filter_map(|data| serde_json::from_str::<Value>(data).ok());
    events
        .filter_map(|event| sealed(&event["delta"]).or_else(|| sealed(&event["content_block"])))
        .collect()
}

/// The blocks of a reply that something stands after: a thought at the end has nothing to precede.
fn crossing(message: &Message) -> &[Block] {
    let blocks = message.blocks.as_slice();
    let trailing = blocks.iter().rev().take_while(|block| block.as_reasoning().is_some()).count();
    &blocks[..blocks.len() - trailing]
}

/// What is wrong with the request that goes on after a reply: it is refused, or one of these proofs
/// is not in it.
fn left_behind(
    exchange: &Exchange,
    reply: &Reply,
    proofs: impl IntoIterator<Item = String>,
) -> Option<String> {
    match goes_on(exchange, reply) {
        Ok(body) => {
            let missing = proofs.into_iter().filter(|proof| !body.contains(proof)).count();
            (missing > 0)
                .then(|| format!("{}: {missing} proofs are not in the next request", exchange.name))
        }
        Err(why) => Some(format!("{}: {why}", exchange.name)),
    }
}

/// The body of the request that goes on after a reply; else what is wrong with it.
fn goes_on(exchange: &Exchange, reply: &Reply) -> Result<String, String> {
    let mut record = match exchange.dialect {
        Dialect::AnthropicMessages | Dialect::OpenAiChat => {
            let request = serde_json::to_vec(&exchange.request).expect("JSON");
            formats::import(&request, "request").map_err(|error| error.to_string())?.record
        }
        Dialect::OpenAiResponses
        | Dialect::Gemini
        | Dialect::BedrockConverse
        | Dialect::OllamaChat => Record::default(),
    };
    let mut push = |id: &str, message: Message| {
        let parent = record.entries.last().map(|entry| entry.id.clone());
        let id = EntryId::new(id);
        let fact = Fact::Message(Box::new(message));
        let (origin, rest) = (None, Rest::NONE);
        let entry = Entry { id, parent, seq: 0, time: None, fact, origin, rest };
        record.entries.push(Arc::new(entry));
    };
    if !matches!(exchange.dialect, Dialect::AnthropicMessages | Dialect::OpenAiChat) {
        push("asked", Message::new(Role::User, vec![Block::text("Go.")]));
    }
    push("reply", reply.message.clone());
    for (index, call) in reply.calls() {
        let result = ToolResult {
            tool_use_id: call.id.clone(),
            tool_name: call.name.clone(),
            content: vec![ResultPart::Text("done".into())],
            is_error: false,
            rest: Rest::NONE,
        };
        let message = Message::new(Role::Tool, vec![Block::ToolResult(result)]);
        push(&format!("result-{index}"), message);
    }
    if reply.calls().next().is_none() {
        push("more", Message::new(Role::User, vec![Block::text("Go on.")]));
    }
    let model = match &reply.message.source {
        Some(stenograph::record::Source::Model { model, .. }) => model.clone(),
        _ => return Err("it has no model".into()),
    };
    let target = match exchange.dialect {
        Dialect::AnthropicMessages => Target::anthropic(model),
        Dialect::OpenAiChat => Target::openai_chat(&exchange.vendor, model),
        Dialect::OpenAiResponses => Target::openai_responses(exchange.platform(), model),
        Dialect::Gemini if exchange.platform() == "google" => Target::gemini(model),
        Dialect::Gemini => Target::vertex(model),
        Dialect::OllamaChat => Target::ollama_chat(model),
        Dialect::BedrockConverse => Target::bedrock(model),
    };
    let mut replayer = Replayer::new(Reader::plain("main"), target.clone());
    replayer.feed(&record.entries);
    let prepared = replayer.prepare(&Now::default()).map_err(|refusal| refusal.to_string())?;
    let found = refused(&target, &prepared);
    if !found.is_empty() {
        return Err(found.join("; "));
    }
    Ok(String::from_utf8(prepared.request.body().to_vec()).expect("text"))
}

/// The reply as it stands in the client's next request, if that goes on with this conversation.
fn answered(exchange: &Exchange) -> Option<Value> {
    let sent = exchange.request["messages"].as_array()?;
    let next = exchange.next.as_ref()?["messages"].as_array()?;
    let reply = next.get(sent.len())?;
    (reply["role"] == "assistant").then(|| reply.clone())
}

/// What a model said, thought and called, in short.
fn said(message: &Message) -> Vec<String> {
    let block = |block: &Block| match block {
        Block::Text(text) if text.text.trim().is_empty() => None,
        Block::Text(text) => Some(format!("text {}", text.text)),
        Block::Reasoning(thought) => {
            let sealed = thought.proof.as_ref().map(|proof| proof.sealed.as_str().to_owned());
            Some(format!("thought {} {}", thought.reasoning, sealed.unwrap_or_default()))
        }
        Block::ToolUse(call) => {
            let input: Value = serde_json::from_str(call.input.text()).expect("JSON");
            Some(format!("call {} {} {}", call.id, call.name, canonical(&input)))
        }
        Block::Opaque(_) | Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => None,
    };
    message.blocks.iter().filter_map(block).collect()
}

/// The same of a message on the wire.
fn said_in(message: &Value) -> Vec<String> {
    if let Some(text) = message["content"].as_str() {
        return vec![format!("text {text}")];
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let block = |block: &Value| match block["type"].as_str()? {
        "text" if text(&block["text"]).trim().is_empty() => None,
        "text" => Some(format!("text {}", text(&block["text"]))),
        "thinking" => Some(format!("thought {} {}", text(&block["thinking"]), block["signature"])),
        "redacted_thinking" => Some(format!("thought  {}", block["data"])),
        "tool_use" => {
            let (id, name) = (text(&block["id"]), text(&block["name"]));
            Some(format!("call {id} {name} {}", canonical(&block["input"])))
        }
        _ => None,
    };
    message["content"].as_array().into_iter().flatten().filter_map(block).collect()
}

/// A value with its keys in one order.
fn canonical(value: &Value) -> String {
    let text = value.to_string();
    let doc = Doc::parse_str(&text).expect("JSON");
    stenograph::json::canonical::of(doc.root()).to_string()
}
