//! Content blocks as this API writes them, read: each an object with one member, named by its kind.

use std::sync::Arc;

use assemble::anthropic_messages::block::native;
use json::{Kind, Raw, Text, Value};
use record::limits::BLOCKS_MAX;
use record::{
    Block, FindingKind, Image, ImageSource, Input, Issuer, OpaqueBlock, Proof, ProofKind,
    Reasoning, Rest, ResultPart, TextBlock, ToolResult, ToolUse,
};
use wire::bedrock_converse::CONTENT_AS_WRITTEN;

use crate::anthropic::block::CallNames;
use crate::picture;
use crate::report::{Place, Report};
use crate::rest::rest_of;
use crate::source::one_line;

/// The kinds of blocks.
const KINDS: [&str; 14] = [
    "text",
    "image",
    "document",
    "video",
    "audio",
    "toolUse",
    "toolResult",
    "reasoningContent",
    "cachePoint",
    "guardContent",
    "citationsContent",
    "searchResult",
    "toolAddition",
    "toolRemoval",
];

/// Whether an object is a block of this API, by its one member.
pub(crate) fn is_block(value: Value<'_, '_>) -> bool {
    let mut members = value.members();
    let first = members.next().and_then(|(key, _)| key.as_str());
    members.next().is_none() && first.is_some_and(|name| KINDS.contains(&&*name))
}

/// Reads the blocks of one message.
pub(super) struct BlockReader<'r> {
    pub(super) issuer: Arc<Issuer>,
    pub(super) names: &'r mut CallNames,
    pub(super) report: &'r mut Report,
    pub(super) place: Place,
}

impl BlockReader<'_> {
    /// The blocks of a content; `None` where it is no array.
    pub(super) fn content(&mut self, content: Value<'_, '_>) -> Option<Vec<Block>> {
        let is_list = content.kind() == Kind::Array && content.items().nth(BLOCKS_MAX).is_none();
        let said = |block: &Value<'_, '_>| block.get("cachePoint").is_none();
        is_list.then(|| content.items().filter(said).map(|block| self.block(block)).collect())
    }

    /// One block. What has another shape than its kind says is opaque, and reported.
    fn block(&mut self, value: Value<'_, '_>) -> Block {
        let name = value.members().next().and_then(|(key, _)| key.to_text()).unwrap_or_default();
        let inner = value.get(&name).filter(|_| is_block(value));
        let read = inner.and_then(|inner| self.known(&name, inner, value));
        read.unwrap_or_else(|| {
            let what = if name.is_empty() { "a block without a member" } else { &*name };
            let detail = format!("{what} of an unknown shape is kept as it is");
            self.report.add(FindingKind::UnreadField, self.place, detail);
            Block::Opaque(OpaqueBlock { kind: name, raw: one_line(value), proof: None })
        })
    }

    fn known(&mut self, name: &str, inner: Value<'_, '_>, block: Value<'_, '_>) -> Option<Block> {
        match name {
            "text" => Some(Block::text(inner.to_text()?)),
            "citationsContent" => cited(inner),
            "reasoningContent" => self.thought(inner),
            "toolUse" if is_servers(inner) => Some(self.native(inner, block)),
            "toolResult" if is_servers(inner) => Some(self.native(inner, block)),
            "toolUse" => self.call(inner),
            "toolResult" => self.result(inner),
            "image" => Some(match self.image(inner) {
                Some(image) => Block::Image(image),
                None => self.native(inner, block),
            }),
            _ if inner.kind() == Kind::Object => Some(self.native(inner, block)),
            _ => None,
        }
    }

    fn thought(&mut self, inner: Value<'_, '_>) -> Option<Block> {
        let proof = |kind, sealed| {
            let issuer = Arc::clone(&self.issuer);
            Some(Box::new(Proof { issuer, kind, version: 1, sealed: Raw::of(sealed) }))
        };
        if let Some(sealed) = inner.get("redactedContent").filter(|s| s.kind() == Kind::String) {
            let (reasoning, rest) = (Text::default(), rest_of(inner, &["redactedContent"]));
            let proof = proof(ProofKind::Redacted, sealed);
            return Some(Block::Reasoning(Reasoning { reasoning, proof, rest }));
        }
        let text = inner.get("reasoningText")?;
        let signature = text.get("signature").filter(|signature| !signature.is_null());
        let proof = match signature {
            Some(sealed) if sealed.kind() != Kind::String => return None,
            Some(sealed) if sealed.raw() != "\"\"" => proof(ProofKind::Signature, sealed),
            Some(_) | None => None,
        };
        let (reasoning, rest) =
            (text.get("text")?.to_text()?, rest_of(text, &["text", "signature"]));
        Some(Block::Reasoning(Reasoning { reasoning, proof, rest }))
    }

    fn call(&mut self, inner: Value<'_, '_>) -> Option<Block> {
        let text = |name: &str| inner.get(name).and_then(Value::to_text);
        let (id, name) = (text("toolUseId")?, text("name")?);
        let input = inner.get("input").map_or("", Value::raw);
        if !id.is_empty() {
            self.names.insert(id.clone(), name.clone());
        }
        let rest = rest_of(inner, &["toolUseId", "name", "input"]);
        let input = Input::new(input.into());
        Some(Block::ToolUse(ToolUse { id, name, input, proof: None, rest }))
    }

    fn result(&mut self, inner: Value<'_, '_>) -> Option<Block> {
        let tool_use_id = inner.get("toolUseId")?.to_text()?;
        let list = inner.get("content").filter(|content| content.kind() == Kind::Array)?;
        let content: Vec<ResultPart> = list.items().map(|part| self.part(part)).collect();
        let is_error = inner.get("status").is_some_and(|status| status.is_str("error"));
        let known: &[&str] = match is_error {
            true => &["toolUseId", "content", "status"],
            false => &["toolUseId", "content"],
        };
        let mut rest = rest_of(inner, known);
        if list.items().any(|part| part.get("json").is_some()) {
            rest.push(CONTENT_AS_WRITTEN.into(), one_line(list));
        }
        let tool_name = self.names.get(&tool_use_id).cloned().unwrap_or_default();
        Some(Block::ToolResult(ToolResult { tool_use_id, tool_name, content, is_error, rest }))
    }

    fn part(&mut self, part: Value<'_, '_>) -> ResultPart {
        if let Some(text) = part.get("text").and_then(Value::to_text) {
            return ResultPart::Text(text);
        }
        if let Some(json) = part.get("json") {
            return ResultPart::Text(one_line(json).as_str().into());
        }
        if let Some(image) = part.get("image").and_then(|image| self.image(image)) {
            return ResultPart::Image(image);
        }
        let name = part.members().next().and_then(|(key, _)| key.to_text()).unwrap_or_default();
        ResultPart::Opaque(self.native_of(name, part))
    }

    /// An image whose bytes are here.
    fn image(&mut self, inner: Value<'_, '_>) -> Option<Image> {
        let source = inner.get("source").filter(|source| source.members().nth(1).is_none())?;
        let data = source.get("bytes")?.to_text()?;
        let format = inner.get_str("format")?;
        let image = Image::new(format!("image/{format}").into(), ImageSource::Base64(data));
        Some(picture::read(image, inner, &["format", "source"], self.report, self.place))
    }

    /// A block that only this API has.
    fn native(&self, inner: Value<'_, '_>, block: Value<'_, '_>) -> Block {
        let name = block.members().next().and_then(|(key, _)| key.to_text()).unwrap_or_default();
        let own = inner.get("type").and_then(Value::to_text).filter(|_| is_servers(inner));
        Block::Opaque(self.native_of(own.unwrap_or(name), block))
    }

    fn native_of(&self, kind: Text, value: Value<'_, '_>) -> OpaqueBlock {
        native(kind, value, &self.issuer)
    }
}

/// Whether a call is of the service's own tool, or a result of one.
fn is_servers(inner: Value<'_, '_>) -> bool {
    let kind = inner.get_str("type");
    kind.is_some_and(|kind| kind != "tool_use" && kind != "tool_result")
}

/// A text that cites: what it says, and what it cites beside it.
fn cited(inner: Value<'_, '_>) -> Option<Block> {
    let list = inner.get("content").filter(|content| content.kind() == Kind::Array)?;
    let mut text = String::new();
    for part in list.items() {
        text.push_str(&part.get_str("text")?);
    }
    let rest: Rest = rest_of(inner, &["content"]);
    Some(Block::Text(TextBlock { text: text.into(), proof: None, rest }))
}
