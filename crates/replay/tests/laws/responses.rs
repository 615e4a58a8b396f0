//! Conserved, over Responses: the same judge reads items.

use record::{Issuer, ProofKind};
use serde_json::{Value, json};
use testkit::target;
use testkit::text::markers;
use wire::openai_responses::models::undated;

use crate::body::Body;
use crate::chat::Side;
use crate::conserved::Judge;
use crate::stored::What;

impl Judge<'_> {
    /// Looks at every item of a body.
    pub(crate) fn responses(&mut self, body: &Body) -> Result<(), String> {
        if let Some(text) = body.root["instructions"].as_str() {
            self.said(text, Side::System)?;
        }
        for item in body.root["input"].as_array().into_iter().flatten() {
            match item["type"].as_str().unwrap_or_default() {
                "message" => self.item_message(item)?,
                "reasoning" => self.item_thought(item)?,
                "function_call" => self.item_call(item, "arguments")?,
                "custom_tool_call" => self.item_call(item, "input")?,
                "function_call_output" | "custom_tool_call_output" => {
                    self.item_content(&item["output"], Side::Tool)?;
                }
                _ => self.item_verbatim(item)?,
            }
        }
        Ok(())
    }

    fn item_message(&mut self, item: &Value) -> Result<(), String> {
        let side = match item["role"].as_str().unwrap_or_default() {
            "developer" => Side::System,
            "user" => Side::User,
            "assistant" => Side::Assistant,
            role => return Err(format!("a role nobody has: {role:?}")),
        };
        self.item_content(&item["content"], side)
    }

    fn item_content(&mut self, content: &Value, side: Side) -> Result<(), String> {
        if let Some(text) = content.as_str() {
            return self.said(text, side);
        }
        for part in content.as_array().ok_or_else(|| format!("content that is none: {content}"))? {
            let kind = part["type"].as_str().unwrap_or_default();
            let text = part["text"].as_str().or(part["refusal"].as_str()).unwrap_or_default();
            match (kind, side) {
                ("input_text", Side::User | Side::System | Side::Tool)
                | ("output_text" | "refusal", Side::Assistant) => self.said(text, side)?,
                ("input_image", Side::User | Side::Tool) => {
                    let url = part["image_url"].as_str().unwrap_or_default();
                    let key = url.split_once(";base64,").map_or(url, |(_, data)| data);
                    self.image_of(key, part)?;
                }
                _ => self.verbatim(part)?,
            }
        }
        Ok(())
    }

    fn item_call(&mut self, item: &Value, member: &str) -> Result<(), String> {
        if item[member] == "" {
            self.calls += 1;
            return Ok(());
        }
        self.chat_call(&json!({ "name": item["name"], "arguments": item[member] }))
    }

    /// A thought: the target's own, with its text and under its own seal.
    fn item_thought(&mut self, item: &Value) -> Result<(), String> {
        let parts = item["summary"].as_array().ok_or("a thought without summary")?;
        let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
        let text = texts.join("\n\n");
        self.count(&text);
        let key = item["encrypted_content"].as_str().or(item["id"].as_str()).unwrap_or_default();
        let known = self.stored.sealed.get(key).is_some_and(|thought| {
            let to = target(self.request.target).to;
            thought.reasoning.as_str() == text
                && thought.proof.as_ref().is_some_and(|proof| {
                    let Issuer { platform, api, model, .. } = &*proof.issuer;
                    let sealed = item.get("encrypted_content").is_some();
                    *platform == to.platform
                        && *api == to.dialect
                        && undated(model) == undated(&to.model)
                        && (proof.kind == ProofKind::Encrypted) == sealed
                })
        });
        if known { Ok(()) } else { Err(format!("thought nobody had: {item}")) }
    }

    /// An item that goes back as it came; its id may stay behind.
    fn item_verbatim(&mut self, item: &Value) -> Result<(), String> {
        let text = item.to_string();
        self.count(&text);
        let known = match self.place(&text).map(|place| place.what) {
            Some(What::Opaque(opaque)) => {
                let raw: Value =
                    serde_json::from_str(opaque.raw.as_str()).map_err(|e| e.to_string())?;
                let own = opaque.proof.as_ref().is_some_and(|proof| {
                    proof.issuer.platform == target(self.request.target).to.platform
                });
                let members = item.as_object().into_iter().flatten();
                own && !markers(&text).is_empty()
                    && members.into_iter().all(|(name, value)| raw.get(name) == Some(value))
            }
            _ => false,
        };
        if known { Ok(()) } else { Err(format!("item nobody stored: {item}")) }
    }
}
