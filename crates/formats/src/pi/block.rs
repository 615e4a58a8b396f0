//! Content blocks as pi writes them, read.

use std::sync::Arc;

use json::{Doc, Kind, Raw, Text, Value};
use record::{
    Block, FindingKind, Image, ImageSource, Input, Issuer, OpaqueBlock, Proof, ProofKind,
    Reasoning, Rest, ResultPart, TextBlock, ToolUse,
};

use crate::report::{Place, Report};
use crate::rest::rest_of;
use crate::source::one_line;

/// Our names of the dialects pi speaks.
pub(crate) const APIS: [(&str, &str); 10] = [
    ("anthropic-messages", "anthropic_messages"),
    ("openai-completions", "openai_chat"),
    ("openai-responses", "openai_responses"),
    ("openai-codex-responses", "openai_responses"),
    ("azure-openai-responses", "openai_responses"),
    ("google-generative-ai", "gemini"),
    ("google-gemini-cli", "gemini"),
    ("google-vertex", "gemini"),
    ("bedrock-converse-stream", "bedrock_converse"),
    ("mistral-conversations", "openai_chat"),
];

/// The dialect a provider is spoken to in, where a line does not say.
const API_OF_PROVIDER: [(&str, &str); 4] = [
    ("anthropic", "anthropic_messages"),
    ("openai", "openai_responses"),
    ("openai-codex", "openai_responses"),
    ("google", "gemini"),
];

/// Our names of providers, where they differ.
pub(crate) const PLATFORMS: [(&str, &str); 2] =
    [("amazon-bedrock", "bedrock"), ("google-vertex", "google-cloud")];

fn ours(table: &[(&'static str, &'static str)], theirs: &str) -> Option<&'static str> {
    table.iter().find(|(name, _)| *name == theirs).map(|(_, ours)| *ours)
}

/// Who made a message, as far as it says.
pub(crate) fn issuer(message: Value<'_, '_>) -> Arc<Issuer> {
    let text = |name: &str| message.get(name).and_then(Value::to_text).unwrap_or_default();
    let (provider, api) = (text("provider"), text("api"));
    let api = match ours(&APIS, &api).or_else(|| ours(&API_OF_PROVIDER, &provider)) {
        Some(api) => api.into(),
        None => api.replace('-', "_").into(),
    };
    let platform = ours(&PLATFORMS, &provider).map_or(provider, Text::from);
    Arc::new(Issuer { platform, account: None, api, model: text("model") })
}

/// Reads the blocks of one message.
pub(crate) struct BlockReader<'r> {
    pub(crate) issuer: Arc<Issuer>,
    pub(crate) report: &'r mut Report,
    pub(crate) place: Place,
}

impl BlockReader<'_> {
    /// The blocks of a message's content; `None` where it is neither a string nor an array.
    pub(crate) fn content(&mut self, content: Value<'_, '_>) -> Option<Vec<Block>> {
        match content.kind() {
            Kind::String => {
                let text = content.to_text().unwrap_or_default();
                Some(if text.is_empty() { Vec::new() } else { vec![Block::text(text)] })
            }
            Kind::Array => Some(content.items().map(|item| self.block(item)).collect()),
            Kind::Null | Kind::Bool | Kind::Number | Kind::Object => None,
        }
    }

    fn block(&mut self, value: Value<'_, '_>) -> Block {
        let kind = value.get("type").and_then(Value::to_text).unwrap_or_default();
        let read = match &*kind {
            "text" => self.text(value),
            "thinking" => self.thinking(value),
            "toolCall" => self.call(value),
            "image" => self.image(value).map(Block::Image),
            _ => None,
        };
        read.unwrap_or_else(|| Block::Opaque(self.unread(kind, value)))
    }

    fn unread(&mut self, kind: Text, value: Value<'_, '_>) -> OpaqueBlock {
        let detail = format!("a block of type {:?} is kept as it is", &*kind);
        self.report.add(FindingKind::UnreadField, self.place, detail);
        OpaqueBlock { kind, raw: one_line(value), proof: None }
    }

    /// A signed text: a signature, or the id (and phase) of a Responses message.
    fn text(&mut self, value: Value<'_, '_>) -> Option<Block> {
        let text = value.get("text")?.to_text()?;
        let mut rest = rest_of(value, &["text", "textSignature"]);
        let signature = value.get("textSignature").and_then(Value::to_text);
        let proof = signature.filter(|signature| !signature.is_empty()).map(|signature| {
            let named = self.issuer.api.as_str() == "openai_responses";
            let parsed = Doc::parse_str(&signature).ok();
            let id = parsed.as_ref().and_then(|doc| doc.root().get("id")?.to_text());
            if let Some(phase) = parsed.as_ref().and_then(|doc| doc.root().get("phase")) {
                rest.push("phase".into(), one_line(phase));
            }
            match id {
                Some(id) => self.proof(ProofKind::ItemId, Raw::string(&id)),
                None if named => self.proof(ProofKind::ItemId, Raw::string(&signature)),
                None => self.proof(ProofKind::Signature, Raw::string(&signature)),
            }
        });
        Some(Block::Text(TextBlock { text, proof, rest }))
    }

    fn thinking(&mut self, value: Value<'_, '_>) -> Option<Block> {
        let reasoning = value.get("thinking")?.to_text()?;
        let mut rest = rest_of(value, &["thinking", "thinkingSignature", "redacted"]);
        let redacted = value.get("redacted").and_then(Value::as_bool).unwrap_or(false);
        let signature = value.get("thinkingSignature").and_then(Value::to_text);
        let proof = match signature.filter(|signature| !signature.is_empty()) {
            Some(sealed) if redacted => Some(self.proof(ProofKind::Redacted, Raw::string(&sealed))),
            Some(item) if item.starts_with('{') => {
                let proof = self.reasoning_item(&item, &mut rest);
                if proof.is_none() {
                    rest.push("thinkingSignature".into(), Raw::string(&item));
                }
                proof
            }
            // In chat completions it is the name of the member that the thought came in.
            Some(member) if self.issuer.api.as_str() == "openai_chat" => {
                rest.push("thinkingSignature".into(), Raw::string(&member));
                None
            }
            Some(sealed) => Some(self.proof(ProofKind::Signature, Raw::string(&sealed))),
            None => None,
        };
        Some(Block::Reasoning(Reasoning { reasoning, proof, rest }))
    }

    /// A reasoning item of the Responses API, whole.
    fn reasoning_item(&mut self, item: &Text, rest: &mut Rest) -> Option<Box<Proof>> {
        let doc = Doc::parse_str(item).ok()?;
        let root = doc.root();
        let string = |name: &str| root.get(name).filter(|value| value.kind() == Kind::String);
        for name in ["id", "summary"] {
            if let Some(member) = root.get(name) {
                rest.push(name.into(), one_line(member));
            }
        }
        let (kind, sealed) = match (string("encrypted_content"), string("id")) {
            (Some(encrypted), _) => (ProofKind::Encrypted, Raw::of(encrypted)),
            (None, Some(id)) => (ProofKind::ItemId, Raw::of(id)),
            (None, None) => return None,
        };
        let mut proof = self.proof(kind, sealed);
        let Issuer { platform, account, api: _, model } = (*self.issuer).clone();
        proof.issuer =
            Arc::new(Issuer { platform, account, api: "openai_responses".into(), model });
        Some(proof)
    }

    /// A call. What signs it is a thought signature, an encrypted detail, or, behind a bar in its
    /// id, the id of its Responses item.
    fn call(&mut self, value: Value<'_, '_>) -> Option<Block> {
        let id = value.get("id").and_then(Value::to_text).unwrap_or_else(|| {
            let detail = "a call has no id; it is taken as empty";
            self.report.add(FindingKind::UnreadField, self.place, detail);
            Text::default()
        });
        let name = value.get("name")?.to_text()?;
        let input = match value.get("arguments") {
            Some(text) if text.kind() == Kind::String => Input::new(text.to_text()?),
            Some(input) => Input::of_value(input),
            None => Input::new(Text::default()),
        };
        let signature = value.get("thoughtSignature").and_then(Value::to_text);
        let proof = match signature.filter(|signature| !signature.is_empty()) {
            Some(detail)
                if Doc::parse_str(&detail).is_ok_and(|d| d.root().kind() == Kind::Object) =>
            {
                Some(self.proof(ProofKind::Encrypted, Raw::string(&detail)))
            }
            Some(signature) => Some(self.proof(ProofKind::Signature, Raw::string(&signature))),
            None if self.issuer.api.as_str() == "openai_responses" => {
                let item = id.split_once('|').map(|(_, item)| Text::from(item));
                item.map(|item| self.proof(ProofKind::ItemId, Raw::string(&item)))
            }
            None => None,
        };
        let rest = rest_of(value, &["id", "name", "arguments", "thoughtSignature"]);
        Some(Block::ToolUse(ToolUse { id, name, input, proof, rest }))
    }

    fn image(&mut self, value: Value<'_, '_>) -> Option<Image> {
        let text = |name: &str| value.get(name).and_then(Value::to_text);
        let image = Image::new(text("mimeType")?, ImageSource::Base64(text("data")?));
        Some(crate::picture::read(image, value, &["mimeType", "data"], self.report, self.place))
    }

    /// The parts of a result: a string, or text and images.
    pub(crate) fn result(&mut self, content: Value<'_, '_>) -> Option<Vec<ResultPart>> {
        match content.kind() {
            Kind::String => {
                let text = content.to_text()?;
                Some(if text.is_empty() { Vec::new() } else { vec![ResultPart::Text(text)] })
            }
            Kind::Array => Some(content.items().map(|part| self.result_part(part)).collect()),
            Kind::Null | Kind::Bool | Kind::Number | Kind::Object => None,
        }
    }

    fn result_part(&mut self, part: Value<'_, '_>) -> ResultPart {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        let read = match &*kind {
            "text" => part.get("text").and_then(Value::to_text).map(ResultPart::Text),
            "image" => self.image(part).map(ResultPart::Image),
            _ => None,
        };
        read.unwrap_or_else(|| ResultPart::Opaque(self.unread(kind, part)))
    }

    fn proof(&self, kind: ProofKind, sealed: Raw) -> Box<Proof> {
        Box::new(Proof { issuer: Arc::clone(&self.issuer), kind, version: 1, sealed })
    }
}
