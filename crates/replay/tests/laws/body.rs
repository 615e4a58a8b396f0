//! A body as an independent parser reads it: its content units, cache marks taken out.

use replay::Prepared;
use serde_json::Value;
use testkit::Wire;

/// Parameters of a Chat Completions body that are no part of the prompt, and what is no parameter.
const NO_PROMPT: &[&str] = &[
    "model",
    "messages",
    "tools",
    "max_tokens",
    "max_completion_tokens",
    "metadata",
    "presence_penalty",
    "stop",
    "stream",
    "temperature",
    "top_p",
    "top_k",
    "service_tier",
];

/// A body, parsed.
pub(crate) struct Body {
    pub(crate) root: Value,
    wire: Wire,
}

/// Parameters of a Converse body that are part of the prompt.
const CONVERSE_PROMPT: &[&str] =
    &["additionalModelRequestFields", "outputConfig", "guardrailConfig", "nobody_knows"];

/// A content block: message, index, role, block.
pub(crate) struct Unit<'v> {
    pub(crate) message: usize,
    pub(crate) block: usize,
    pub(crate) role: &'v str,
    pub(crate) value: &'v Value,
}

impl Body {
    fn parse(bytes: &[u8], wire: Wire) -> Result<Body, String> {
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
                    blocks.retain(|block| block.get("cachePoint").is_none());
                    blocks.iter_mut().for_each(unmark);
                }
            }
        }
        for list in ["/system", "/toolConfig/tools"] {
            if let Some(Value::Array(blocks)) = root.pointer_mut(list) {
                blocks.retain(|block| block.get("cachePoint").is_none());
            }
        }
        Ok(Body { root, wire })
    }

    /// The body of a request over this wire.
    pub(crate) fn of(prepared: &Prepared, wire: Wire) -> Result<Body, String> {
        Body::parse(&prepared.request.body().to_vec(), wire)
    }

    /// Parameters that make a cached conversation another.
    pub(crate) fn parameters(&self) -> Vec<(&String, &Value)> {
        let members = self.root.as_object().into_iter().flatten();
        let choice = self.root["toolConfig"].as_object().into_iter().flatten();
        let choice = choice.filter(|(name, _)| *name == "toolChoice");
        let prompt = |name: &str| match self.wire {
            Wire::Chat => !NO_PROMPT.contains(&name),
            Wire::Converse => CONVERSE_PROMPT.contains(&name),
            Wire::Anthropic => {
                matches!(name, "thinking" | "tool_choice" | "output_config" | "speed")
            }
        };
        members.filter(|(name, _)| prompt(name)).chain(choice).collect()
    }

    /// Tools and system.
    pub(crate) fn head(&self) -> (Option<&Value>, Option<&Value>) {
        let system = match self.wire {
            Wire::Chat => self.root["messages"].get(0).filter(|_| self.ahead() > 0),
            Wire::Anthropic | Wire::Converse => self.root.get("system"),
        };
        (self.root.get("tools").or(self.root.pointer("/toolConfig/tools")), system)
    }

    /// Messages that hold system text ahead of the conversation.
    pub(crate) fn ahead(&self) -> usize {
        let first = &self.root["messages"][0];
        let text = first["content"].as_str().unwrap_or_default();
        // A model that takes no instructions is told them as a note.
        let takes_none = self.root["model"] == "o1-mini";
        let noted = takes_none && text.starts_with(crate::wording::SYSTEM_NOTE);
        let leads = matches!(first["role"].as_str(), Some("system" | "developer")) || noted;
        usize::from(self.wire == Wire::Chat && leads)
    }

    /// The messages of the conversation, with their places in the body.
    pub(crate) fn messages(&self) -> impl Iterator<Item = (usize, &Value)> {
        let messages = self.root["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        messages.iter().enumerate().skip(self.ahead())
    }

    /// Every content block of the conversation; of Chat Completions, every part of a user's message
    /// and every other message.
    pub(crate) fn units(&self) -> Vec<Unit<'_>> {
        let mut units = Vec::new();
        for (message, value) in self.messages() {
            let role = value["role"].as_str().unwrap_or_default();
            let content = value["content"].as_array();
            match content.filter(|_| self.wire != Wire::Chat || role == "user") {
                Some(blocks) => {
                    for (block, value) in blocks.iter().enumerate() {
                        units.push(Unit { message, block, role, value });
                    }
                }
                None => units.push(Unit { message, block: 0, role, value }),
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
