//! The head as bytes: what stands ahead of the conversation besides the parameters.

use std::sync::Arc;

use json::Text;
use record::{Digest, ToolDefinition};
use wire::rule::Rule;
use wire::{Finding, Severity};

use super::{Dialect, anthropic_messages, bedrock_converse, gemini, openai_chat, openai_responses};
use crate::declare::Declare;
use crate::refusal::Refusal;
use crate::report::Change;

/// A head as bytes, in two parts between which a cache breakpoint can go.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    /// Up to where a breakpoint can go: the closing brace of the last block of
    /// `"tools":[...],"system":[...`, or all of the tools.
    pub(crate) before_mark: Vec<u8>,
    /// The rest, the system text still open where there is one.
    pub(crate) after_mark: Vec<u8>,
    pub(crate) has_system: bool,
    /// Names of the tools.
    pub(crate) tools: Vec<Text>,
    pub(crate) digest: Digest,
    pub(crate) changes: Vec<Change>,
    /// Values of the beta header its tools need.
    pub(crate) betas: Vec<&'static str>,
}

/// Writes the head in force.
///
/// `calls` says whether calls stand in the conversation: some vendors want a tool beside them.
pub(crate) fn write(dialect: &Dialect, declare: &Declare, calls: bool) -> Result<Head, Refusal> {
    match dialect {
        Dialect::AnthropicMessages(_) => anthropic_messages::head::write(declare),
        Dialect::OpenAiChat(chat) => openai_chat::head::write(chat, declare, calls),
        Dialect::OpenAiResponses(to) => openai_responses::head::write(to, declare),
        Dialect::Gemini(own) => gemini::head::write(own, declare),
        Dialect::BedrockConverse(to) => bedrock_converse::head::write(to, declare, calls),
    }
}

/// Parameters and head, up to the conversation's first byte; whether a cache breakpoint is in it.
pub(crate) fn lead(
    dialect: &Dialect,
    parameters: &[u8],
    head: &Head,
    principal: Option<&str>,
) -> (Vec<Arc<[u8]>>, bool) {
    match dialect {
        Dialect::AnthropicMessages(_) => {
            let least = dialect.marked_bytes_min().unwrap_or_default();
            anthropic_messages::head::lead(parameters, head, principal, least)
        }
        Dialect::OpenAiChat(chat) => {
            (openai_chat::head::lead(chat, parameters, head, principal), false)
        }
        Dialect::OpenAiResponses(to) => {
            (openai_responses::head::lead(to, parameters, head, principal), false)
        }
        Dialect::Gemini(_) => (gemini::head::lead(parameters, head, principal), false),
        Dialect::BedrockConverse(_) => {
            let least = dialect.marked_bytes_min();
            bedrock_converse::head::lead(parameters, head, principal, least)
        }
    }
}

/// Messages of the head's own that stand before the conversation's.
pub(crate) fn messages_ahead(dialect: &Dialect, head: &Head, has_principal: bool) -> u64 {
    match dialect {
        Dialect::AnthropicMessages(_)
        | Dialect::OpenAiResponses(_)
        | Dialect::Gemini(_)
        | Dialect::BedrockConverse(_) => 0,
        Dialect::OpenAiChat(_) => u64::from(head.has_system || has_principal),
    }
}

/// The refusal of a tool that cannot be written.
pub(super) fn refuse(tool: &ToolDefinition, why: &'static str) -> Refusal {
    Refusal::ToolDefinition { name: tool.name().as_str().to_owned(), why }
}

/// Refuses the tools where the rule book does.
pub(super) fn judged(
    findings: &[Finding],
    rule: fn(&str) -> Option<&'static Rule>,
) -> Result<(), Refusal> {
    let refused = |finding: &&Finding| {
        finding.severity == Severity::Error && finding.path.starts_with("tool")
    };
    match findings.iter().find(refused) {
        Some(finding) => {
            let why = rule(finding.rule).map_or("the provider refuses it", |rule| rule.title);
            Err(Refusal::ToolDefinition { name: finding.path.clone(), why })
        }
        None => Ok(()),
    }
}
