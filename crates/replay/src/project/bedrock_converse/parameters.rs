//! Parameters of a request: in a fixed order ahead of everything else.
//!
//! What every family has a name for stands in `inferenceConfig`, what is Claude's own in
//! `additionalModelRequestFields`. The choice of a tool stands in `toolConfig`, which the head goes
//! on with.

use json::{Object, Raw, Text};
use record::Rung;
use wire::bedrock_converse::lint::{LintOptions, lint};

use super::Converse;
use crate::fold::Closed;
use crate::now::{Parameters, ThinkingChoice};
use crate::project::head::Head;
use crate::project::parameters::{Written, adjusted, chosen, open};
use crate::project::thinking::{Thinking, max_tokens};
use crate::refusal::Refusal;
use crate::report::Change;
use crate::wording;

/// Parameters this writer places itself, or that would not be what the record says.
const OWN: &[&str] = &["modelId", "messages", "system", "toolConfig", "promptVariables"];

const INFERENCE: &str = "inferenceConfig";
const ADDITIONAL: &str = "additionalModelRequestFields";
const TOOL_CHOICE: &str = "tool_choice";

/// Members of `inferenceConfig` and `additionalModelRequestFields` that are this writer's.
const OWN_MEMBERS: &[&str] = &["maxTokens", "max_tokens", "thinking", "anthropic_beta"];

/// Parameters that are no part of the prompt. Any other is taken to be, one that is not known
/// included.
const NO_PROMPT: &[&str] = &[
    INFERENCE,
    "additionalModelResponseFieldPaths",
    "performanceConfig",
    "requestMetadata",
    "serviceTier",
];

/// Writes the parameters of a request to the model of this name.
pub(in crate::project) fn write(
    to: &Converse,
    name: &str,
    asked: &Parameters,
    closed: &Closed,
    head: &Head,
    rung: Option<Rung>,
) -> Result<Written, Refusal> {
    let mut changes = Vec::new();
    let mut own = Own::of(to, asked, closed, rung, &mut changes)?;
    own.is_stand_in =
        matches!(head.tools.as_slice(), [one] if one.as_str() == wording::STAND_IN_TOOL);
    let mut chosen = chosen(asked, |name| OWN.contains(&name), &mut changes);
    if head.tools.is_empty() || own.is_stand_in {
        own.without(&mut chosen, &mut changes);
    }
    loop {
        let (says, prompt) = own.written(&chosen);
        let bytes = own.opened(&says, &chosen, !head.tools.is_empty());
        match refused(name, &bytes, &head.tools, &chosen) {
            Some(at) => changes.push(adjusted(chosen.remove(at).0)),
            None => {
                let Own { turned_off, .. } = own;
                return Ok(Written { says, bytes, prompt, betas: Vec::new(), changes, turned_off });
            }
        }
    }
}

/// What is not the caller's to choose.
struct Own {
    max_tokens: Option<u64>,
    thinking: Option<Raw>,
    betas: Vec<&'static str>,
    turned_off: bool,
    /// The one tool is the one that does nothing.
    is_stand_in: bool,
}

impl Own {
    fn of(
        to: &Converse,
        asked: &Parameters,
        closed: &Closed,
        rung: Option<Rung>,
        changes: &mut Vec<Change>,
    ) -> Result<Own, Refusal> {
        let Some(claude) = to.claude else {
            if asked.thinking != ThinkingChoice::AsRecorded {
                changes.push(adjusted("thinking"));
            }
            let max_tokens = asked.max_tokens.map(|max| max.max(1));
            let (thinking, betas) = (None, Vec::new());
            return Ok(Own { max_tokens, thinking, betas, turned_off: false, is_stand_in: false });
        };
        let max = max_tokens(claude, asked, changes);
        let thinking = Thinking::of(claude, asked.thinking, closed, max, rung, changes)?;
        let Thinking { parameter, turned_off, betas } = thinking;
        Ok(Own {
            max_tokens: Some(max),
            thinking: parameter,
            betas,
            turned_off,
            is_stand_in: false,
        })
    }

    /// Leaves out a choice among tools that are not there.
    fn without(&self, chosen: &mut Vec<(&str, &Raw)>, changes: &mut Vec<Change>) {
        if let Some(at) = chosen.iter().position(|(name, _)| *name == TOOL_CHOICE) {
            changes.push(adjusted(chosen.remove(at).0));
        }
    }

    /// All of them but the choice among tools as [`Written::says`], and what is part of the prompt
    /// as [`Written::prompt`].
    fn written(&self, chosen: &[(&str, &Raw)]) -> (Raw, Vec<u8>) {
        let given = |name: &str| given(chosen, name);
        let mut inference = Object::new();
        if let Some(max) = self.max_tokens {
            inference.number("maxTokens", max);
        }
        members(&mut inference, given(INFERENCE));
        let mut additional = Object::new();
        if let Some(thinking) = &self.thinking {
            additional.raw("thinking", thinking);
        }
        if !self.betas.is_empty() {
            let betas = self.betas.iter().map(|beta| Raw::string(&(*beta).into()));
            let betas: Vec<Raw> = betas.collect();
            additional.raw("anthropic_beta", &json::Array::of(&betas));
        }
        members(&mut additional, given(ADDITIONAL));
        let additional = additional.finish();
        let (mut out, mut prompt) = (Object::new(), Object::new());
        out.raw(INFERENCE, &inference.finish());
        if additional.as_str() != "{}" {
            out.raw(ADDITIONAL, &additional);
            prompt.raw(ADDITIONAL, &additional);
        }
        for (name, value) in chosen {
            if ![INFERENCE, ADDITIONAL, TOOL_CHOICE].contains(name) {
                out.raw(name, value);
                if !NO_PROMPT.contains(name) {
                    prompt.raw(name, value);
                }
            }
        }
        if let Some(choice) = given(TOOL_CHOICE) {
            prompt.raw(TOOL_CHOICE, choice);
        }
        (out.finish(), prompt.finish().as_str().as_bytes().to_vec())
    }

    /// As [`Written::bytes`]: where there are tools, their object is open.
    fn opened(&self, says: &Raw, chosen: &[(&str, &Raw)], tools: bool) -> Vec<u8> {
        let mut bytes = open(says);
        if tools {
            bytes.extend_from_slice(br#","toolConfig":{"#);
            if let Some(choice) = given(chosen, TOOL_CHOICE) {
                bytes.extend_from_slice(br#""toolChoice":"#);
                bytes.extend_from_slice(choice.as_str().as_bytes());
                bytes.push(b',');
            }
        }
        bytes
    }
}

fn given<'r>(chosen: &[(&str, &'r Raw)], name: &str) -> Option<&'r Raw> {
    chosen.iter().find(|(own, _)| *own == name).map(|(_, raw)| *raw)
}

/// Adds the members of an object that are not this writer's.
fn members(out: &mut Object, given: Option<&Raw>) {
    let Some(given) = given else { return };
    for (key, value) in given.doc().root().members() {
        let key = key.as_str().unwrap_or_default();
        if !OWN_MEMBERS.contains(&&*key) {
            out.raw(&key, &Raw::compact(value));
        }
    }
}

/// Asks the rule book about the parameters alone. Gives one of the caller's that is refused, or
/// that is not known to be taken.
fn refused(name: &str, bytes: &[u8], tools: &[Text], chosen: &[(&str, &Raw)]) -> Option<usize> {
    if chosen.is_empty() {
        return None;
    }
    let mut body = bytes.to_vec();
    for (index, tool) in tools.iter().enumerate() {
        body.extend_from_slice(if index == 0 { br#""tools":["# } else { b"," });
        body.extend_from_slice(br#"{"toolSpec":{"name":"#);
        json::escape::push_literal(&mut body, tool);
        body.extend_from_slice(br#","inputSchema":{"json":{"type":"object"}}}}"#);
    }
    body.extend_from_slice(if tools.is_empty() { b"" } else { b"]}" });
    body.extend_from_slice(br#","messages":[{"role":"user","content":[{"text":"."}]}]}"#);
    lint(&body, &LintOptions { model: Some(name) }).iter().find_map(|finding| {
        let place = |name: &str| chosen.iter().position(|(known, _)| *known == name);
        match finding.path.split('.').next().unwrap_or_default() {
            // A body that cannot be read has no path.
            "" => Some(chosen.len() - 1),
            "toolConfig" => place(TOOL_CHOICE),
            name => place(name),
        }
    })
}
