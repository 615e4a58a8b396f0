//! Conserved, over Bedrock Converse: the blocks of Anthropic Messages in another spelling, records
//! of actions as Chat Completions has them.

use serde_json::{Value, json};

use crate::body::Body;
use crate::chat::{Side, is_made};
use crate::conserved::Judge;

impl Judge<'_> {
    /// Looks at every block of a body.
    pub(crate) fn converse(&mut self, body: &Body) -> Result<(), String> {
        for text in body.root["system"].as_array().into_iter().flatten() {
            self.said(text["text"].as_str().unwrap_or_default(), Side::System)?;
        }
        for tool in body.root["toolConfig"]["tools"].as_array().into_iter().flatten() {
            self.count(&tool.to_string());
        }
        for unit in body.units() {
            let side = if unit.role == "assistant" { Side::Assistant } else { Side::User };
            self.converse_block(unit.value, side)?;
        }
        Ok(())
    }

    fn converse_block(&mut self, block: &Value, side: Side) -> Result<(), String> {
        let server = |inner: &Value| inner.get("type").is_some();
        let (name, inner) =
            block.as_object().and_then(|block| block.iter().next()).ok_or("none")?;
        match (name.as_str(), side) {
            ("text", _) => self.said(inner.as_str().unwrap_or_default(), side),
            ("reasoningContent", Side::Assistant) => {
                self.thought(&match inner.get("redactedContent") {
                    Some(data) => json!({"type": "redacted_thinking", "data": data}),
                    None => json!({
                        "type": "thinking",
                        "thinking": inner["reasoningText"]["text"],
                        "signature": inner["reasoningText"]["signature"],
                    }),
                })
            }
            ("toolUse", Side::Assistant) if !server(inner) => {
                let name = inner["name"].as_str().unwrap_or_default();
                self.called(name, is_made(name), &inner["input"])
            }
            ("toolResult", Side::User) => {
                for part in inner["content"].as_array().into_iter().flatten() {
                    if let Some(text) = part["text"].as_str() {
                        self.said(text, Side::Tool)?;
                    } else {
                        self.converse_block(part, Side::Tool)?;
                    }
                }
                Ok(())
            }
            ("image", Side::User | Side::Tool) => {
                self.image_of(inner["source"]["bytes"].as_str().unwrap_or_default(), block)
            }
            _ => self.verbatim(block),
        }
    }
}
