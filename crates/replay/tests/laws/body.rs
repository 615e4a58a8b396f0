//! A body as an independent parser reads it: its content units, cache marks taken out.

use replay::Prepared;
use serde_json::Value;
use testkit::Api;

/// Parameters of a Chat Completions body that are no part of the prompt, and what is no parameter.
const NO_PROMPT: &[&str] = &[
    "model",
    "messages",
    "tools",
    "max_tokens",
    "max_completion_tokens",
    "metadata",
    "options",
    "presence_penalty",
    "stop",
    "stream",
    "temperature",
    "top_p",
    "top_k",
    "service_tier",
];

/// Parameters of a Responses body that are no part of the prompt, and what is no parameter.
const RESPONSES_NO_PROMPT: &[&str] = &[
    "model",
    "input",
    "tools",
    "instructions",
    "include",
    "max_output_tokens",
    "metadata",
    "stream",
    "temperature",
    "top_p",
    "prompt_cache_key",
];

/// Members of a Gemini body that are no part of the prompt, and what is no parameter.
const GEMINI_NO_PROMPT: &[&str] =
    &["contents", "tools", "systemInstruction", "generationConfig", "safetySettings"];

/// A body, parsed.
pub(crate) struct Body {
    pub(crate) root: Value,
    api: Api,
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
    fn parse(bytes: &[u8], api: Api) -> Result<Body, String> {
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
        let tools = root.get_mut("toolConfig").and_then(|config| config.get_mut("tools"));
        if let Some(Value::Array(tools)) = tools {
            tools.retain(|tool| tool.get("cachePoint").is_none());
        }
        if let Some(Value::Array(blocks)) = root.get_mut("system") {
            blocks.retain(|block| block.get("cachePoint").is_none());
        }
        Ok(Body { root, api })
    }

    /// The body of a request over an API.
    pub(crate) fn of(prepared: &Prepared, api: Api) -> Result<Body, String> {
        Body::parse(&prepared.request.body().to_vec(), api)
    }

    /// Parameters that make a cached conversation another.
    pub(crate) fn parameters(&self) -> Vec<(&String, &Value)> {
        let members = self.root.as_object().into_iter().flatten();
        let generation = self.root["generationConfig"].as_object().into_iter().flatten();
        let thinking = generation.filter(|(name, _)| *name == "thinkingConfig");
        let choice = self.root["toolConfig"].as_object().into_iter().flatten();
        let choice = choice.filter(|(name, _)| *name == "toolChoice");
        let prompt = |name: &str| match self.api {
            Api::Chat => !NO_PROMPT.contains(&name),
            Api::Responses => !RESPONSES_NO_PROMPT.contains(&name),
            Api::Gemini => !GEMINI_NO_PROMPT.contains(&name),
            Api::Converse => CONVERSE_PROMPT.contains(&name),
            Api::Claude => matches!(name, "thinking" | "tool_choice" | "output_config" | "speed"),
        };
        members.filter(|(name, _)| prompt(name)).chain(thinking).chain(choice).collect()
    }

    /// Tools and system.
    pub(crate) fn head(&self) -> (Option<&Value>, Option<&Value>) {
        let system = match self.api {
            Api::Chat => self.root["messages"].get(0).filter(|_| self.ahead() > 0),
            Api::Responses => self.root.get("instructions"),
            Api::Claude | Api::Converse => self.root.get("system"),
            Api::Gemini => self.root.get("systemInstruction"),
        };
        (self.root.get("tools").or(self.root["toolConfig"].get("tools")), system)
    }

    /// Messages that hold system text ahead of the conversation.
    pub(crate) fn ahead(&self) -> usize {
        let first = &self.root["messages"][0];
        let text = first["content"].as_str().unwrap_or_default();
        // A model that takes no instructions is told them as a note.
        let takes_none = self.root["model"] == "o1-mini";
        let noted = takes_none && text.starts_with(crate::wording::SYSTEM_NOTE);
        let leads = matches!(first["role"].as_str(), Some("system" | "developer")) || noted;
        usize::from(self.api == Api::Chat && leads)
    }

    /// The messages of the conversation, with their places in the body.
    pub(crate) fn messages(&self) -> impl Iterator<Item = (usize, &Value)> {
        let name = match self.api {
            Api::Gemini => "contents",
            Api::Responses => "input",
            Api::Chat | Api::Claude | Api::Converse => "messages",
        };
        let messages = self.root[name].as_array().map(Vec::as_slice).unwrap_or_default();
        messages.iter().enumerate().skip(self.ahead())
    }

    /// Every content block of the conversation; of Chat Completions, every part of a user's message
    /// and every other message; of Responses, every part of a message and every other item.
    pub(crate) fn units(&self) -> Vec<Unit<'_>> {
        let mut units = Vec::new();
        for (message, value) in self.messages() {
            let role = value["role"].as_str().unwrap_or_default();
            let name = if self.api == Api::Gemini { "parts" } else { "content" };
            let content = value[name].as_array();
            let in_parts = match self.api {
                Api::Claude | Api::Gemini | Api::Converse => true,
                Api::Chat => role == "user",
                // One with an id, or a phase, is a unit.
                Api::Responses => {
                    let members = value.as_object().into_iter().flatten();
                    matches!(role, "user" | "assistant")
                        && members.filter(|(name, _)| *name != "type").count() == 2
                }
            };
            match content.filter(|_| in_parts) {
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
