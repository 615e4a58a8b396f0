//! A session as a request body of a dialect, as it is recorded: nothing is mended.
//!
//! A body is what it is. What a session is not, and every client puts around it, is added: the next
//! prompt where the model spoke last, the parameters without which no body is read. What another
//! harness keeps beside a block for itself is left out, as that harness does.
#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use stenograph::formats::{self, Format};
use stenograph::json::{Array, Doc, Kind, Object, Raw, Value};
use stenograph::record::{
    Block, Entry, Fact, Issuer, ProofKind, Reasoning, Record, Rest, ResultPart, Role, Source,
};

use crate::view::View;

/// Parameters of a body of Anthropic Messages, where a session has none.
const MAX_TOKENS: u64 = 1024;

/// Members of an item that Codex keeps for itself.
const NOT_SENT: &[&str] = &["metadata", "internal_chat_message_metadata_passthrough"];

/// What stands for the next prompt.
const PROMPT: &str = "(the next prompt)";

/// The dialect of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Anthropic Messages.
    AnthropicMessages,
    /// Chat Completions.
    OpenAiChat,
    /// Ollama's native API.
    OllamaChat,
    /// Gemini.
    Gemini,
    /// Responses.
    OpenAiResponses,
    /// Bedrock Converse.
    BedrockConverse,
}

impl Form {
    /// Every one.
    pub const ALL: [Form; 6] = [
        Form::AnthropicMessages,
        Form::OpenAiChat,
        Form::OllamaChat,
        Form::OpenAiResponses,
        Form::Gemini,
        Form::BedrockConverse,
    ];

    /// The format that is written.
    pub fn format(self) -> Format {
        match self {
            Form::AnthropicMessages => Format::AnthropicMessages,
            Form::OpenAiChat => Format::OpenAiChat,
            Form::OllamaChat => Format::OllamaChat,
            Form::Gemini => Format::Gemini,
            Form::OpenAiResponses => Format::OpenAiResponses,
            Form::BedrockConverse => Format::BedrockConverse,
        }
    }

    /// The dialect's name in a record.
    fn api(self) -> &'static str {
        match self {
            Form::AnthropicMessages => "anthropic_messages",
            Form::OpenAiChat => "openai_chat",
            Form::OllamaChat => "ollama_chat",
            Form::OpenAiResponses => "openai_responses",
            Form::Gemini => "gemini",
            Form::BedrockConverse => "bedrock_converse",
        }
    }

    /// The member that holds the messages, and the role of the model's.
    fn list(self) -> (&'static str, &'static str) {
        match self {
            Form::AnthropicMessages
            | Form::OpenAiChat
            | Form::OllamaChat
            | Form::BedrockConverse => ("messages", "assistant"),
            Form::OpenAiResponses => ("input", "assistant"),
            Form::Gemini => ("contents", "model"),
        }
    }

    /// Whether what a format keeps beside a block is the dialect's own.
    fn is_of(self, format: &str) -> bool {
        let native: &[Format] = match self {
            Form::AnthropicMessages => &[Format::AnthropicMessages, Format::ClaudeCode],
            Form::OpenAiChat => &[Format::OpenAiChat],
            Form::OllamaChat => &[Format::OllamaChat],
            Form::Gemini => &[Format::Gemini, Format::GeminiCli],
            Form::OpenAiResponses => &[Format::OpenAiResponses, Format::Codex],
            Form::BedrockConverse => &[Format::BedrockConverse],
        };
        native.iter().any(|native| native.name() == format)
    }

    /// Whether a thought that another format holds is one this dialect has a place for.
    fn reads(self, thought: &Reasoning) -> bool {
        let kind = thought.proof.as_deref().map(|proof| &proof.kind);
        match self {
            // One without a proof is sent by many clients, and refused.
            Form::AnthropicMessages | Form::BedrockConverse => {
                matches!(kind, None | Some(ProofKind::Signature | ProofKind::Redacted))
            }
            Form::OpenAiChat | Form::OllamaChat | Form::Gemini | Form::OpenAiResponses => false,
        }
    }
}

/// The session as a body of a dialect; in words, why it cannot be one as it is.
pub fn body(view: &View, form: Form) -> Result<Vec<u8>, String> {
    let imported = &view.session.imported;
    if imported.format == form.format() && view.is_whole {
        return written(&imported.record, form);
    }
    let mut entries: Vec<Arc<Entry>> = Vec::new();
    for mut entry in view.path.iter().filter_map(|entry| bare(entry, imported.format, form)) {
        let before = entries.last().map(|before| before.id.clone());
        if entry.parent != before {
            Arc::make_mut(&mut entry).parent = before;
        }
        entries.push(entry);
    }
    let record = Record { entries, refs: Vec::new() };
    Ok(completed(written(&record, form)?, form))
}

/// A record as a body; a list of messages that is one gets what a client puts around it.
fn written(record: &Record, form: Form) -> Result<Vec<u8>, String> {
    let body = formats::export(record, form.format()).map_err(|error| error.to_string())?;
    match Doc::parse(&body) {
        Ok(doc) if doc.root().kind() == Kind::Array => {
            let mut out = Object::new();
            out.raw(form.list().0, &Raw::of(doc.root()));
            Ok(completed(out.finish().as_str().as_bytes().to_vec(), form))
        }
        Ok(_) | Err(_) => Ok(body),
    }
}

/// Whether a rule asks for tools that a session may not have recorded, though they were sent.
pub fn asks_for_tools(rule: &str) -> bool {
    ["A-048", "B-009", "K-032"].contains(&rule)
}

/// Whether a rule asks for parameters that a session has none of, though they were sent.
pub fn asks_for_parameters(rule: &str) -> bool {
    rule == "R-055"
}

/// An entry without what its harness keeps beside its blocks, and without thoughts that the dialect
/// has no place for: no client sends them. None where nothing is left of a message.
fn bare(entry: &Arc<Entry>, format: Format, form: Form) -> Option<Arc<Entry>> {
    let from = entry.origin.as_deref().map_or(format.name(), |origin| &origin.format);
    if form == Form::OpenAiResponses && from == Format::Codex.name() {
        return Some(as_sent(entry));
    }
    let Some(message) = entry.message().filter(|_| !form.is_of(from)) else {
        return Some(Arc::clone(entry));
    };
    let mut message = message.clone();
    message.rest = Rest::default();
    message.blocks.retain(|block| block.as_reasoning().is_none_or(|thought| form.reads(thought)));
    if message.blocks.is_empty() {
        return None;
    }
    // A client that sends on what it holds of another API sends it as this one's.
    let issuer = Arc::new(Issuer { api: form.api().into(), ..Issuer::default() });
    if message.role == Role::Assistant {
        let Issuer { platform, account, api, model } = (*issuer).clone();
        message.source = Some(Source::Model { platform, api, model, account });
    }
    for block in &mut message.blocks {
        match block {
            Block::Text(text) => text.rest = Rest::default(),
            Block::ToolUse(call) => call.rest = Rest::default(),
            Block::ToolResult(result) => {
                result.rest = Rest::default();
                for part in &mut result.content {
                    match part {
                        ResultPart::Image(image) => image.rest = Rest::default(),
                        ResultPart::Opaque(part) => part.proof = None,
                        ResultPart::Text(_) => {}
                    }
                }
            }
            Block::Reasoning(thought) => {
                thought.rest = Rest::default();
                if let Some(proof) = &mut thought.proof {
                    proof.issuer = Arc::clone(&issuer);
                }
            }
            Block::Image(image) => image.rest = Rest::default(),
            Block::Opaque(block) => block.proof = None,
            Block::SystemChange(_) => {}
        }
    }
    Some(Arc::new(Entry { fact: Fact::Message(message.into()), ..(**entry).clone() }))
}

/// An entry of Codex without what its files say beside an item.
fn as_sent(entry: &Arc<Entry>) -> Arc<Entry> {
    let Some(message) = entry.message() else { return Arc::clone(entry) };
    let mut message = message.clone();
    for block in &mut message.blocks {
        let rest = match block {
            Block::Text(text) => &mut text.rest,
            Block::ToolUse(call) => &mut call.rest,
            Block::ToolResult(result) => &mut result.rest,
            Block::Reasoning(thought) => &mut thought.rest,
            Block::Image(_) | Block::SystemChange(_) | Block::Opaque(_) => continue,
        };
        let mut kept = Rest::default();
        for (name, value) in rest.iter().filter(|(name, _)| !NOT_SENT.contains(&name.as_str())) {
            kept.push(name.clone(), value.clone());
        }
        *rest = kept;
    }
    Arc::new(Entry { fact: Fact::Message(message.into()), ..(**entry).clone() })
}

/// With the next prompt and the parameters a session has not.
fn completed(body: Vec<u8>, form: Form) -> Vec<u8> {
    let Ok(doc) = Doc::parse(&body) else { return body };
    let root = doc.root();
    let mut out = Object::new();
    match form {
        Form::AnthropicMessages if root.get("max_tokens").is_none() => {
            out.number("max_tokens", MAX_TOKENS);
        }
        // Clients that keep the history themselves have none of it stored.
        Form::OpenAiResponses if root.get("store").is_none() => {
            out.bool("store", false);
        }
        Form::AnthropicMessages
        | Form::OpenAiChat
        | Form::OllamaChat
        | Form::OpenAiResponses
        | Form::Gemini
        | Form::BedrockConverse => {}
    }
    for (name, value) in root.members() {
        let name = name.as_str().unwrap_or_default();
        let is_list = name == form.list().0 && value.kind() == Kind::Array;
        out.raw(&name, &if is_list { prompted(value, form) } else { Raw::of(value) });
    }
    out.finish().as_str().as_bytes().to_vec()
}

/// The messages, and a prompt where the model spoke last.
fn prompted(messages: Value<'_, '_>, form: Form) -> Raw {
    let mut out = Array::new();
    let mut is_models = false;
    for message in messages.items() {
        is_models = message.get("role").is_some_and(|role| role.is_str(form.list().1));
        out.raw(&Raw::of(message));
    }
    if is_models {
        let mut prompt = Object::new();
        prompt.string("role", "user");
        let member = match form {
            Form::AnthropicMessages
            | Form::OpenAiChat
            | Form::OllamaChat
            | Form::OpenAiResponses => None,
            Form::Gemini => Some("parts"),
            Form::BedrockConverse => Some("content"),
        };
        match member {
            None => prompt.string("content", PROMPT),
            Some(member) => {
                let mut part = Object::new();
                part.string("text", PROMPT);
                prompt.raw(member, &Array::of([&part.finish()]))
            }
        };
        out.raw(&prompt.finish());
    }
    out.finish()
}
