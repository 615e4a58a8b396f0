//! Messages as this API and its vendors write them, read.

use std::sync::Arc;

use json::{Kind, Raw, Text, Value};
use record::limits::BLOCKS_MAX;
use record::{
    Block, FindingKind, Image, Input, Issuer, OpaqueBlock, Proof, ProofKind, Reasoning, Rest,
    ResultPart, TextBlock, ToolResult, ToolUse,
};

use super::image::image_of;
use super::{KEY, PART};
use crate::anthropic::block::CallNames;
use crate::report::{Place, Report};
use crate::rest::rest_of;
use crate::source::one_line;

/// Keys of an assistant message that hold its reasoning as a string (K-022).
const REASONING: [&str; 2] = ["reasoning_content", "reasoning"];

/// Reads the blocks of one message.
pub(super) struct MessageReader<'r> {
    pub(super) issuer: Arc<Issuer>,
    pub(super) names: &'r mut CallNames,
    pub(super) report: &'r mut Report,
    pub(super) place: Place,
}

impl MessageReader<'_> {
    /// The blocks of a content; `None` where it is neither a string nor an array.
    pub(super) fn content(&mut self, content: Option<Value<'_, '_>>) -> Option<Vec<Block>> {
        let Some(content) = content.filter(|content| !content.is_null()) else {
            return Some(Vec::new());
        };
        match content.kind() {
            Kind::String => {
                let text = content.to_text()?;
                Some(if text.is_empty() { Vec::new() } else { vec![Block::text(text)] })
            }
            Kind::Array if content.items().nth(BLOCKS_MAX).is_none() => {
                Some(content.items().map(|part| self.part(part)).collect())
            }
            _ => None,
        }
    }

    /// What an assistant message holds: its reasoning, its words, its calls.
    pub(super) fn assistant(&mut self, message: Value<'_, '_>) -> Option<Vec<Block>> {
        let mut blocks = self.reasoning(message);
        blocks.extend(self.content(message.get("content"))?);
        if let Some(text) = message.get("refusal").and_then(Value::to_text) {
            blocks.push(refusal(text, Rest::default()));
        }
        for call in message.get("tool_calls").into_iter().flat_map(Value::items) {
            blocks.push(self.call(call));
        }
        if let Some(function) = message.get("function_call").filter(|call| !call.is_null()) {
            blocks.push(self.function(function, Text::default(), Rest::default()));
        }
        (blocks.len() <= BLOCKS_MAX).then_some(blocks)
    }

    /// A message of the roles `tool` and `function`.
    pub(super) fn result(&mut self, message: Value<'_, '_>) -> Option<ToolResult> {
        let text = |name: &str| message.get(name).and_then(Value::to_text);
        let content = match message.get("content") {
            Some(content) if content.kind() == Kind::String => {
                let text = content.to_text().filter(|text| !text.is_empty());
                text.map(ResultPart::Text).into_iter().collect()
            }
            Some(content) if content.kind() == Kind::Array => {
                content.items().map(|part| self.result_part(part)).collect()
            }
            Some(content) if !content.is_null() => return None,
            Some(_) | None => Vec::new(),
        };
        let tool_use_id = text("tool_call_id").unwrap_or_default();
        let tool_name = text("name").or_else(|| self.names.get(&tool_use_id).cloned());
        Some(ToolResult {
            tool_use_id,
            tool_name: tool_name.unwrap_or_default(),
            content,
            is_error: false,
            rest: rest_of(message, &["role", "content", "tool_call_id", "name"]),
        })
    }

    fn part(&mut self, part: Value<'_, '_>) -> Block {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        let text = |name: &str| part.get(name).and_then(Value::to_text);
        let read = match &*kind {
            "text" => text("text").map(|text| {
                let rest = rest_of(part, &["text", "cache_control"]);
                Block::Text(TextBlock { text, proof: None, rest })
            }),
            "refusal" => text("refusal").map(|text| refusal(text, rest_of(part, &["refusal"]))),
            "image_url" => self.image(part).map(Block::Image),
            "thinking" => Some(self.thinking(part)),
            _ => return Block::Opaque(self.native(kind, part)),
        };
        read.unwrap_or_else(|| {
            let name = kind.as_str();
            self.unread(format!("a part {name:?} of an unknown shape is kept as it is"));
            Block::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
        })
    }

    fn result_part(&mut self, part: Value<'_, '_>) -> ResultPart {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        let read = match &*kind {
            "text" => part.get("text").and_then(Value::to_text).map(ResultPart::Text),
            "image_url" => self.image(part).map(ResultPart::Image),
            _ => None,
        };
        read.unwrap_or_else(|| ResultPart::Opaque(self.native(kind, part)))
    }

    fn image(&mut self, part: Value<'_, '_>) -> Option<Image> {
        let image_url = part.get("image_url")?;
        let (holder, url) = match image_url.get("url") {
            Some(url) => (image_url, url),
            None => (part, image_url),
        };
        let known = ["url", "image_url", "text", "cache_control"];
        Some(image_of(&url.to_text()?, holder, &known, self.report, self.place))
    }

    /// A thought that stands among the parts of the content (Mistral).
    fn thinking(&mut self, part: Value<'_, '_>) -> Block {
        let thinking = part.get("thinking");
        let whole = thinking.and_then(Value::to_text);
        let pieces = thinking.into_iter().flat_map(Value::items);
        let reasoning = whole.unwrap_or_else(|| {
            pieces
                .filter_map(|piece| Some(piece.get_str("text")?.into_owned()))
                .collect::<String>()
                .into()
        });
        let signature = part.get("signature").filter(|value| value.kind() == Kind::String);
        let proof = signature.map(|sealed| self.proof(ProofKind::Signature, one_line(sealed)));
        let mut rest = rest_of(part, &["thinking", "signature"]);
        rest.push(KEY.into(), Raw::string(&"content".into()));
        Block::Reasoning(Reasoning { reasoning, proof, rest })
    }

    /// Thoughts beside the content. The same text under two keys is one thought.
    fn reasoning(&mut self, message: Value<'_, '_>) -> Vec<Block> {
        let mut thoughts: Vec<Reasoning> = Vec::new();
        for key in REASONING {
            let Some(reasoning) = message.get(key).and_then(Value::to_text) else { continue };
            if reasoning.is_empty() || thoughts.iter().any(|known| known.reasoning == reasoning) {
                continue;
            }
            let mut rest = Rest::default();
            rest.push(KEY.into(), Raw::string(&key.into()));
            thoughts.push(Reasoning { reasoning, proof: None, rest });
        }
        let filled = |name| message.get(name).filter(|v: &Value<'_, '_>| !v.is_null());
        if let Some(details) = filled("reasoning_details") {
            self.details(&mut thoughts, details);
        }
        if let Some(sealed) = filled("encrypted_content") {
            let mut thought = taken(&mut thoughts);
            thought.proof = Some(self.proof(ProofKind::Encrypted, one_line(sealed)));
            thoughts.insert(0, thought);
        }
        thoughts.into_iter().map(Block::Reasoning).collect()
    }

    /// Typed details go back as one array: sealed where one of them is, else beside the text.
    fn details(&mut self, thoughts: &mut Vec<Reasoning>, details: Value<'_, '_>) {
        let sealed = details.items().any(|detail| {
            ["signature", "data"].iter().any(|name| detail.get(name).is_some_and(|v| !v.is_null()))
        });
        let texts: String = details
            .items()
            .filter_map(|detail| detail.get_str("text").or(detail.get_str("summary")))
            .collect();
        let proof = self.proof(ProofKind::Other("reasoning_details".into()), one_line(details));
        let mut thought = taken(thoughts);
        if thought.reasoning.is_empty() {
            thought.reasoning = texts.into();
        }
        if sealed {
            thought.proof = Some(proof);
        } else {
            thought.rest.push("reasoning_details".into(), proof.sealed);
        }
        thoughts.insert(0, thought);
    }

    fn call(&mut self, call: Value<'_, '_>) -> Block {
        let id = call.get("id").and_then(Value::to_text).unwrap_or_default();
        let rest = rest_of(call, &["id", "function"]);
        let function = call.get("function").or_else(|| call.get("custom"));
        let Some(function) = function else {
            let kind = call.get("type").and_then(Value::to_text).unwrap_or_default();
            return Block::Opaque(self.native(kind, call));
        };
        let mut block = self.function(function, id, rest);
        // Gemini behind this API signs its calls.
        let extra = call.get("extra_content").and_then(|extra| extra.get("google"));
        let signature = extra.and_then(|google| google.get("thought_signature"));
        if let (Block::ToolUse(call), Some(sealed)) = (&mut block, signature) {
            call.proof = Some(self.proof(ProofKind::Signature, one_line(sealed)));
        }
        block
    }

    fn function(&mut self, function: Value<'_, '_>, id: Text, rest: Rest) -> Block {
        let name = function.get("name").and_then(Value::to_text).unwrap_or_default();
        let arguments = function.get("arguments").or_else(|| function.get("input"));
        let input = match arguments.filter(|arguments| !arguments.is_null()) {
            Some(arguments) => match arguments.to_text() {
                Some(text) => Input::new(text),
                None => Input::of_value(arguments),
            },
            None => Input::new(Text::default()),
        };
        if !id.is_empty() {
            self.names.insert(id.clone(), name.clone());
        }
        Block::ToolUse(ToolUse { id, name, input, proof: None, rest })
    }

    /// A block that only its provider can read; it is its own proof.
    fn native(&self, kind: Text, value: Value<'_, '_>) -> OpaqueBlock {
        let proof = Some(self.proof(ProofKind::Native, Raw::string(&Text::default())));
        OpaqueBlock { kind, raw: one_line(value), proof }
    }

    fn proof(&self, kind: ProofKind, sealed: Raw) -> Box<Proof> {
        Box::new(Proof { issuer: Arc::clone(&self.issuer), kind, version: 1, sealed })
    }

    fn unread(&mut self, detail: String) {
        self.report.add(FindingKind::UnreadField, self.place, detail);
    }
}

/// The first thought; an empty one where there is none.
fn taken(thoughts: &mut Vec<Reasoning>) -> Reasoning {
    if thoughts.is_empty() {
        return Reasoning { reasoning: Text::default(), proof: None, rest: Rest::default() };
    }
    thoughts.remove(0)
}

/// A refusal is what the model said; that it was one is kept beside it.
fn refusal(text: Text, mut rest: Rest) -> Block {
    rest.push(PART.into(), Raw::string(&"refusal".into()));
    Block::Text(TextBlock { text, proof: None, rest })
}
