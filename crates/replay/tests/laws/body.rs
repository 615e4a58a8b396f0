//! A body as an independent parser reads it: its content units, cache marks taken out.

use replay::Prepared;
use serde_json::Value;
use testkit::TARGETS;

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

/// What a body is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Claude,
    Chat,
    Responses,
}

impl Form {
    /// That of the target of an index.
    pub(crate) fn of(target: usize) -> Form {
        let row = &TARGETS[target];
        match (row.is_chat(), row.is_responses()) {
            (true, _) => Form::Chat,
            (_, true) => Form::Responses,
            _ => Form::Claude,
        }
    }
}

/// A body, parsed.
pub(crate) struct Body {
    pub(crate) root: Value,
    form: Form,
}

/// A content block: message, index, role, block.
pub(crate) struct Unit<'v> {
    pub(crate) message: usize,
    pub(crate) block: usize,
    pub(crate) role: &'v str,
    pub(crate) value: &'v Value,
}

impl Body {
    fn parse(bytes: &[u8], form: Form) -> Result<Body, String> {
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
        Ok(Body { root, form })
    }

    /// The body of a request in this form.
    pub(crate) fn of(prepared: &Prepared, form: Form) -> Result<Body, String> {
        Body::parse(&prepared.request.body().to_vec(), form)
    }

    /// Parameters that make a cached conversation another.
    pub(crate) fn parameters(&self) -> Vec<(&String, &Value)> {
        let members = self.root.as_object().into_iter().flatten();
        let prompt = |name: &str| match self.form {
            Form::Claude => {
                matches!(name, "thinking" | "tool_choice" | "output_config" | "speed")
            }
            Form::Chat => !NO_PROMPT.contains(&name),
            Form::Responses => !RESPONSES_NO_PROMPT.contains(&name),
        };
        members.filter(|(name, _)| prompt(name)).collect()
    }

    /// Tools and system.
    pub(crate) fn head(&self) -> (Option<&Value>, Option<&Value>) {
        let system = match self.form {
            Form::Claude => self.root.get("system"),
            Form::Chat => self.root["messages"].get(0).filter(|_| self.ahead() > 0),
            Form::Responses => self.root.get("instructions"),
        };
        (self.root.get("tools"), system)
    }

    /// Messages that hold system text ahead of the conversation.
    pub(crate) fn ahead(&self) -> usize {
        let first = &self.root["messages"][0];
        let text = first["content"].as_str().unwrap_or_default();
        // A model that takes no instructions is told them as a note.
        let takes_none = self.root["model"] == "o1-mini";
        let noted = takes_none && text.starts_with(crate::wording::SYSTEM_NOTE);
        let leads = matches!(first["role"].as_str(), Some("system" | "developer")) || noted;
        usize::from(self.form == Form::Chat && leads)
    }

    /// The messages of the conversation, with their places in the body.
    pub(crate) fn messages(&self) -> impl Iterator<Item = (usize, &Value)> {
        let list = if self.form == Form::Responses { "input" } else { "messages" };
        let messages = self.root[list].as_array().map(Vec::as_slice).unwrap_or_default();
        messages.iter().enumerate().skip(self.ahead())
    }

    /// Every content block of the conversation; of Chat Completions, every part of a user's message
    /// and every other message; of Responses, every part of a message and every other item.
    pub(crate) fn units(&self) -> Vec<Unit<'_>> {
        let mut units = Vec::new();
        for (message, value) in self.messages() {
            let role = value["role"].as_str().unwrap_or_default();
            let content = value["content"].as_array();
            let in_parts = match self.form {
                Form::Claude => true,
                Form::Chat => role == "user",
                Form::Responses => matches!(role, "user" | "assistant"),
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
