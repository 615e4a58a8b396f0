//! A body as an independent parser reads it: its content units, cache marks taken out.

use replay::Prepared;
use serde_json::Value;

/// A body, parsed.
pub(crate) struct Body {
    pub(crate) root: Value,
}

/// A content block: message, index, role, block.
pub(crate) struct Unit<'v> {
    pub(crate) message: usize,
    pub(crate) block: usize,
    pub(crate) role: &'v str,
    pub(crate) value: &'v Value,
}

impl Body {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Body, String> {
        let mut root: Value = serde_json::from_slice(bytes)
            .map_err(|error| format!("no JSON: {error}\n{}", String::from_utf8_lossy(bytes)))?;
        for list in ["tools", "system"] {
            if let Some(Value::Array(items)) = root.get_mut(list) {
                items.iter_mut().for_each(unmark);
            }
        }
        if let Some(Value::Array(messages)) = root.get_mut("messages") {
            for message in messages {
                if let Some(Value::Array(blocks)) = message.get_mut("content") {
                    blocks.iter_mut().for_each(unmark);
                }
            }
        }
        Ok(Body { root })
    }

    pub(crate) fn of(prepared: &Prepared) -> Result<Body, String> {
        Body::parse(&prepared.request.body().to_vec())
    }

    /// Parameters that make a cached conversation another.
    pub(crate) fn parameters(&self) -> Vec<(&String, &Value)> {
        let members = self.root.as_object().into_iter().flatten();
        let prompt =
            |name: &str| matches!(name, "thinking" | "tool_choice" | "output_config" | "speed");
        members.filter(|(name, _)| prompt(name)).collect()
    }

    /// Tools and system.
    pub(crate) fn head(&self) -> (Option<&Value>, Option<&Value>) {
        (self.root.get("tools"), self.root.get("system"))
    }

    /// Every content block of the conversation.
    pub(crate) fn units(&self) -> Vec<Unit<'_>> {
        let mut units = Vec::new();
        let messages = self.root["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        for (message, value) in messages.iter().enumerate() {
            let role = value["role"].as_str().unwrap_or_default();
            let blocks = value["content"].as_array().map(Vec::as_slice).unwrap_or_default();
            for (block, value) in blocks.iter().enumerate() {
                units.push(Unit { message, block, role, value });
            }
        }
        units
    }
}

fn unmark(block: &mut Value) {
    if let Value::Object(members) = block {
        members.remove("cache_control");
    }
}

/// The conversation's bytes, without marks, up to the end of its last block.
pub(crate) fn conversation(prepared: &Prepared) -> Vec<u8> {
    prepared.request.body().conversation().runs_from(0).concat()
}

/// Parameters, tools and system as bytes.
pub(crate) fn lead(prepared: &Prepared) -> Vec<u8> {
    prepared.request.body().lead().iter().flat_map(|piece| piece.iter().copied()).collect()
}
