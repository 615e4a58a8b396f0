//! What an assistant message holds on this wire, read.

use std::sync::Arc;

use json::{Raw, Text, Value};
use record::jsonl::rest_of;
use record::{
    Block, Input, Issuer, OpaqueBlock, Proof, ProofKind, Reasoning, Rest, TextBlock, ToolUse,
};
use wire::openai_chat::events::{REASONING_KEYS, filled};

/// The member of a thought that names the key it came under.
pub const KEY: &str = "key";

/// The member of a text that names the part it was, where that was a refusal.
pub const PART: &str = "part";

/// The member of a call that says it takes any text.
pub const FREEFORM: &str = "custom";

/// The kind of a proof, and the member of a thought, that is a vendor's typed reasoning.
pub const DETAILS: &str = "reasoning_details";

/// The member of a message that is spoken audio.
pub(crate) const AUDIO: &str = "audio";

/// The member of a message that is a list of images.
const IMAGES: &str = "images";

/// Members of a message that blocks are read from.
pub const KNOWN: [&str; 10] = [
    "role",
    "content",
    "refusal",
    "tool_calls",
    "function_call",
    "reasoning_content",
    "reasoning",
    "reasoning_text",
    DETAILS,
    "encrypted_content",
];

/// Members of a message beyond those that blocks are read from. A record's results have `images`
/// too, its messages do not: here they are kept.
pub(crate) fn beside(message: Value<'_, '_>, known: &[&str]) -> Rest {
    let mut rest = rest_of(message, known);
    if let Some(images) = filled(message, IMAGES) {
        rest.push(IMAGES.into(), Raw::one_line(images));
    }
    rest
}

/// Whether there is content among the members that stand beside the blocks.
pub(crate) fn has_media(rest: &Rest) -> bool {
    let is_empty = |value: &Raw| ["[]", "{}", "null", "\"\""].contains(&value.as_str());
    [IMAGES, AUDIO].iter().any(|name| rest.get(name).is_some_and(|value| !is_empty(value)))
}

/// Thoughts beside the content. The same text under two keys is one thought.
pub fn thoughts(message: Value<'_, '_>, issuer: &Arc<Issuer>) -> Vec<Block> {
    let mut thoughts: Vec<Reasoning> = Vec::new();
    for key in REASONING_KEYS {
        let Some(reasoning) = message.get(key).and_then(Value::to_text) else { continue };
        if !reasoning.is_empty() && thoughts.iter().all(|known| known.reasoning != reasoning) {
            thoughts.push(Reasoning { reasoning, proof: None, rest: came_under(key) });
        }
    }
    let details = filled(message, DETAILS);
    let seal = Seal {
        details: details.map(Raw::one_line),
        encrypted: filled(message, "encrypted_content").map(Raw::one_line),
    };
    if seal.is_empty() {
        return thoughts.into_iter().map(Block::Reasoning).collect();
    }
    if thoughts.is_empty() {
        let (reasoning, rest) = (seal.text().into(), Rest::NONE);
        thoughts.push(Reasoning { reasoning, proof: None, rest });
    }
    if let Some(first) = thoughts.first_mut() {
        first.proof = seal.onto(&mut first.rest, issuer);
    }
    thoughts.into_iter().map(Block::Reasoning).collect()
}

/// The rest of a thought that came under this key.
pub(crate) fn came_under(key: &str) -> Rest {
    let mut rest = Rest::default();
    rest.push(KEY.into(), Raw::string(&key.into()));
    rest
}

/// What a vendor gives beside a thought's text.
#[derive(Debug, Default)]
pub(crate) struct Seal {
    /// Typed reasoning, which goes back as it came.
    pub(crate) details: Option<Raw>,
    /// One sealed string for the message.
    pub(crate) encrypted: Option<Raw>,
}

impl Seal {
    pub(crate) fn is_empty(&self) -> bool {
        self.details.is_none() && self.encrypted.is_none()
    }

    /// The text that typed reasoning holds.
    fn text(&self) -> String {
        let doc = self.details.as_ref().map(Raw::doc).unwrap_or_default();
        doc.root().items().filter_map(detail_text).collect()
    }

    /// The proof; typed reasoning in which nothing is sealed stands beside the text.
    pub(crate) fn onto(self, rest: &mut Rest, issuer: &Arc<Issuer>) -> Option<Box<Proof>> {
        let mut proof = None;
        if let Some(sealed) = self.encrypted {
            proof = Some(sealed_by(issuer, ProofKind::Encrypted, sealed));
        }
        if let Some(details) = self.details {
            let is_sealed = |detail: Value<'_, '_>| {
                ["signature", "data"].iter().any(|name| filled(detail, name).is_some())
            };
            if proof.is_none() && details.doc().root().items().any(is_sealed) {
                let kind = ProofKind::Other(DETAILS.into());
                proof = Some(sealed_by(issuer, kind, details));
            } else {
                rest.push(DETAILS.into(), details);
            }
        }
        proof
    }
}

/// The text of one typed detail.
pub(crate) fn detail_text(detail: Value<'_, '_>) -> Option<String> {
    let text = detail.get_str("text").or_else(|| detail.get_str("summary"))?;
    Some(text.into_owned())
}

/// A part of the content that is text, a refusal or a thought; `None` where it is none of these.
pub fn part(part: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Block> {
    let text = |name: &str| part.get(name).and_then(Value::to_text);
    match &*part.get_str("type")? {
        "text" => {
            let rest = rest_of(part, &["text", "cache_control"]);
            Some(Block::Text(TextBlock { text: text("text")?, proof: None, rest }))
        }
        "refusal" => Some(refusal(text("refusal")?, rest_of(part, &["refusal"]))),
        "thinking" => {
            let proof = signature_of(part)
                .map(|sealed| sealed_by(issuer, ProofKind::Signature, Raw::one_line(sealed)));
            let (reasoning, rest) = (thinking_text(part), in_a_part(thinking_rest(part)));
            Some(Block::Reasoning(Reasoning { reasoning, proof, rest }))
        }
        _ => None,
    }
}

/// The signature of a part that is a thought.
pub(crate) fn signature_of<'d, 't>(part: Value<'d, 't>) -> Option<Value<'d, 't>> {
    part.get("signature").filter(|value| value.kind() == json::Kind::String)
}

/// What is thought in a part of the content (Mistral).
pub(crate) fn thinking_text(part: Value<'_, '_>) -> Text {
    let thinking = part.get("thinking");
    let pieces = thinking.into_iter().flat_map(Value::items);
    thinking.and_then(Value::to_text).unwrap_or_else(|| {
        let texts = pieces.filter_map(|piece| Some(piece.get_str("text")?.into_owned()));
        texts.collect::<String>().into()
    })
}

/// Members of a thought in a part beyond its text and signature.
pub(crate) fn thinking_rest(part: Value<'_, '_>) -> Rest {
    rest_of(part, &["thinking", "signature"])
}

/// The rest of a thought that was a part.
pub(crate) fn in_a_part(mut rest: Rest) -> Rest {
    rest.push(KEY.into(), Raw::string(&"content".into()));
    rest
}

/// A refusal is what the model said; that it was one is kept beside it.
pub fn refusal(text: Text, mut rest: Rest) -> Block {
    rest.push(PART.into(), Raw::string(&"refusal".into()));
    Block::Text(TextBlock { text, proof: None, rest })
}

/// A part that only its vendor can read; it is its own proof.
pub fn native(kind: Text, value: Value<'_, '_>, issuer: &Arc<Issuer>) -> OpaqueBlock {
    let proof = Some(sealed_by(issuer, ProofKind::Native, Raw::string(&Text::default())));
    OpaqueBlock { kind, raw: Raw::one_line(value), proof }
}

/// The calls of a message.
pub fn calls(message: Value<'_, '_>, issuer: &Arc<Issuer>) -> Vec<Block> {
    let list = message.get("tool_calls").into_iter().flat_map(Value::items);
    let mut calls: Vec<Block> = list.map(|call| self::call(call, issuer)).collect();
    if let Some(function) = filled(message, "function_call")
        && !is_hollow(function)
    {
        calls.push(called(function, Text::default(), None, Rest::NONE));
    }
    calls
}

/// Some hosts fill what they do not use with empty texts.
pub(crate) fn is_hollow(function: Value<'_, '_>) -> bool {
    function.members().all(|(_, value)| value.is_null() || value.raw() == "\"\"")
}

fn call(call: Value<'_, '_>, issuer: &Arc<Issuer>) -> Block {
    let id = call.get("id").and_then(Value::to_text).unwrap_or_default();
    let (Some(function), mut rest) = (function_of(call), call_rest(call)) else {
        let kind = call.get("type").and_then(Value::to_text).unwrap_or_default();
        return Block::Opaque(native(kind, call, issuer));
    };
    if is_freeform(call) {
        rest.push(FREEFORM.into(), Raw::string(&"text".into()));
    }
    let proof = call_proof(call, issuer);
    called(function, id, proof, rest)
}

/// The half of a call that names the tool and has the arguments.
pub(crate) fn function_of<'d, 't>(call: Value<'d, 't>) -> Option<Value<'d, 't>> {
    let half = |name: &str| filled(call, name).filter(|half| !is_hollow(*half));
    half("function").or_else(|| half("custom")).or_else(|| filled(call, "function"))
}

/// Whether a call's tool takes any text.
pub(crate) fn is_freeform(call: Value<'_, '_>) -> bool {
    filled(call, "function").is_none() && filled(call, "custom").is_some()
}

/// Members of a call beyond its id and its halves.
pub(crate) fn call_rest(call: Value<'_, '_>) -> Rest {
    rest_of(call, &["id", "index", "function", "custom", "arguments"])
}

/// Gemini behind this API signs its calls.
pub(crate) fn call_proof(call: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Box<Proof>> {
    let google = call.get("extra_content").and_then(|extra| extra.get("google"))?;
    let sealed = filled(google, "thought_signature")?;
    Some(sealed_by(issuer, ProofKind::Signature, Raw::one_line(sealed)))
}

/// The arguments, which some hosts write as an object.
pub(crate) fn arguments_of(function: Value<'_, '_>) -> Option<Input> {
    let arguments = filled(function, "arguments").or_else(|| filled(function, "input"))?;
    Some(match arguments.to_text() {
        Some(text) => Input::new(text),
        None => Input::of_value(arguments),
    })
}

fn called(function: Value<'_, '_>, id: Text, proof: Option<Box<Proof>>, rest: Rest) -> Block {
    let name = function.get("name").and_then(Value::to_text).unwrap_or_default();
    let input = arguments_of(function).unwrap_or_else(|| Input::new(Text::default()));
    Block::ToolUse(ToolUse { id, name, input, proof, rest })
}

/// A proof of this issuer.
pub(crate) fn sealed_by(issuer: &Arc<Issuer>, kind: ProofKind, sealed: Raw) -> Box<Proof> {
    Box::new(Proof { issuer: Arc::clone(issuer), kind, version: 1, sealed })
}
