//! Where a request goes: an API, and with Chat Completions the vendor that speaks it.

use std::fmt;
use std::str::FromStr;

use stenograph::replay::Target;
use stenograph::wire::Finding;
use stenograph::wire::anthropic_messages::lint as anthropic;
use stenograph::wire::anthropic_messages::models::{self, DEFAULT_MODEL};
use stenograph::wire::openai_chat::lint as chat;
use stenograph::wire::openai_chat::vendors::{self, UNKNOWN, VENDORS};
use stenograph::wire::rule::Rule;

/// What `--to` takes, for a person.
pub const TARGETS: &str = "anthropic_messages, openai, azure, openrouter, deepseek, mistral, groq, \
     xai, cerebras, moonshot, qwen, zai, minimax, together, fireworks, vllm, llama.cpp, lmstudio, \
     ollama, or openai_chat/HOST";

/// What stands before a host nobody knows.
const ANY_HOST: &str = "openai_chat/";

/// An API, and who speaks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// The Anthropic Messages API.
    Anthropic,
    /// Chat Completions of a vendor's, by the name of its row or its host.
    Chat(String),
}

impl FromStr for To {
    type Err = String;

    fn from_str(text: &str) -> Result<To, String> {
        if matches!(text, "anthropic_messages" | "anthropic") {
            return Ok(To::Anthropic);
        }
        if let Some(host) = text.strip_prefix(ANY_HOST).filter(|host| !host.is_empty()) {
            return Ok(To::of_vendor(host));
        }
        match vendors::canonical(text) {
            Some(name) => Ok(To::Chat(name.to_owned())),
            None => Err(format!("targets are {TARGETS}")),
        }
    }
}

impl fmt::Display for To {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            To::Anthropic => f.write_str("anthropic_messages"),
            To::Chat(vendor) if self.knows_vendor() => f.write_str(vendor),
            To::Chat(vendor) => write!(f, "{ANY_HOST}{vendor}"),
        }
    }
}

impl To {
    /// Chat Completions of the vendor of this name or host.
    pub fn of_vendor(vendor: &str) -> To {
        To::Chat(vendors::canonical(vendor).unwrap_or(vendor).to_owned())
    }

    /// The name of the API.
    pub fn dialect(&self) -> &'static str {
        match self {
            To::Anthropic => "anthropic_messages",
            To::Chat(_) => "openai_chat",
        }
    }

    /// The target of a model there.
    pub fn target(&self, model: &str) -> Target {
        match self {
            To::Anthropic => Target::anthropic(model),
            To::Chat(vendor) => Target::openai_chat(vendor, model),
        }
    }

    /// The model where nobody names one.
    pub fn default_model(&self) -> Option<&'static str> {
        match self {
            To::Anthropic => Some(DEFAULT_MODEL),
            To::Chat(_) => None,
        }
    }

    /// Whether the model is in the table; the strictest row stands for any other. Most models of
    /// Chat Completions change nothing about their vendor, and are in none.
    pub fn knows_model(&self, model: &str) -> bool {
        match self {
            To::Anthropic => !models::model(model).id.is_empty(),
            To::Chat(_) => self.knows_vendor(),
        }
    }

    fn knows_vendor(&self) -> bool {
        match self {
            To::Anthropic => true,
            To::Chat(vendor) => VENDORS.iter().any(|(name, _)| name == vendor),
        }
    }

    /// What is said there about a body.
    pub fn lint(&self, body: &[u8], model: Option<&str>, betas: &[&str]) -> Vec<Finding> {
        match self {
            To::Anthropic => {
                let options = anthropic::LintOptions { betas, model, ..Default::default() };
                anthropic::lint(body, &options)
            }
            To::Chat(vendor) => {
                let vendor = vendors::vendor(vendor).unwrap_or(&UNKNOWN);
                chat::lint(body, &chat::LintOptions { vendor, model })
            }
        }
    }
}

/// The rule of an id, in whichever table it is.
pub fn rule(id: &str) -> Option<&'static Rule> {
    use stenograph::wire::{anthropic_messages, openai_chat};
    anthropic_messages::rules::rule(id).or_else(|| openai_chat::rules::rule(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vendor_goes_by_its_names_and_hosts_and_a_host_nobody_knows_by_itself() {
        for (text, to) in [
            ("anthropic", "anthropic_messages"),
            ("Kimi", "moonshot"),
            ("api.deepseek.com", "deepseek"),
            ("openai_chat/api.groq.com", "groq"),
            ("openai_chat/llm.example.org", "openai_chat/llm.example.org"),
        ] {
            assert_eq!(text.parse::<To>().map(|to| to.to_string()).as_deref(), Ok(to), "{text}");
        }
        for text in ["", "telepathy", "openai_chat/", "openai_chat"] {
            assert!(text.parse::<To>().is_err(), "{text}");
        }
        assert!(VENDORS.iter().all(|(name, _)| TARGETS.contains(name)));
    }
}
