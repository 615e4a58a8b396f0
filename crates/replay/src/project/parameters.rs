//! The parameters as bytes: what a caller asks for, and what a request needs to be valid.

use json::{Object, Raw};
use record::Rung;

use super::head::Head;
use super::{Dialect, anthropic_messages, bedrock_converse, gemini, openai_chat, openai_responses};
use crate::fold::Closed;
use crate::now::Parameters;
use crate::refusal::Refusal;
use crate::report::{Change, ChangeKind};

/// The parameters as bytes, and what they need beside the body.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// All of them, as an object.
    pub(crate) says: Raw,
    /// The same as a body begins with them, its object still open.
    pub(crate) bytes: Vec<u8>,
    /// Of those, the ones that are part of the prompt; the model is the target's.
    pub(crate) prompt: Vec<u8>,
    pub(crate) betas: Vec<&'static str>,
    /// What was left out or is another.
    pub(crate) changes: Vec<Change>,
    /// Thinking is off because the conversation cannot be sent with it (A-051, C-025, K-020).
    pub(crate) turned_off: bool,
}

/// Writes the parameters of a request to the model of this name.
pub(crate) fn write(
    dialect: &Dialect,
    name: &str,
    asked: &Parameters,
    closed: &Closed,
    head: &Head,
    rung: Option<Rung>,
) -> Result<Written, Refusal> {
    match dialect {
        Dialect::AnthropicMessages(model) => {
            anthropic_messages::parameters::write(model, name, asked, closed, &head.tools, rung)
        }
        Dialect::OpenAiChat(chat) => {
            Ok(openai_chat::parameters::write(chat, name, asked, closed, head))
        }
        Dialect::OpenAiResponses(to) => {
            Ok(openai_responses::parameters::write(to, name, asked, closed, head))
        }
        Dialect::Gemini(own) => Ok(gemini::parameters::write(own, name, asked, closed, head)),
        Dialect::BedrockConverse(to) => {
            bedrock_converse::parameters::write(to, name, asked, closed, head, rung)
        }
    }
}

/// The parameters a caller chose that are its to choose, each once; `is_own` tells the writer's.
pub(super) fn chosen<'a>(
    asked: &'a Parameters,
    is_own: impl Fn(&str) -> bool,
    changes: &mut Vec<Change>,
) -> Vec<(&'a str, &'a Raw)> {
    let mut chosen: Vec<(&str, &Raw)> = Vec::new();
    let choice = asked.tool_choice.iter().map(|choice| ("tool_choice", choice));
    let extra = asked.extra.iter().map(|(name, value)| (name.as_str(), value));
    for (name, value) in choice.chain(extra) {
        if is_own(name) || chosen.iter().any(|(known, _)| *known == name) {
            changes.push(adjusted(name));
        } else {
            chosen.push((name, value));
        }
    }
    chosen
}

/// Writes the writer's own parameters and those of the chosen that are not refused: all of them as
/// [`Written::says`], and without those of `no_prompt` as [`Written::prompt`].
///
/// `refused` gives the place of a chosen one that is not taken in these bytes.
pub(super) fn without_refused(
    name: &str,
    own: &[(&str, Raw)],
    mut chosen: Vec<(&str, &Raw)>,
    no_prompt: &[&str],
    changes: &mut Vec<Change>,
    refused: impl Fn(&[u8], &[(&str, &Raw)]) -> Option<usize>,
) -> (Raw, Vec<u8>) {
    loop {
        let (mut out, mut prompt) = (Object::new(), Object::new());
        out.string("model", name);
        let own = own.iter().map(|(name, value)| (*name, value));
        for (name, value) in own.chain(chosen.iter().copied()) {
            out.raw(name, value);
            if !no_prompt.contains(&name) {
                prompt.raw(name, value);
            }
        }
        let says = out.finish();
        match refused(&open(&says), &chosen) {
            Some(at) => changes.push(adjusted(chosen.remove(at).0)),
            None => return (says, open(&prompt.finish())),
        }
    }
}

/// A parameter that is left out, or is another than was asked for.
pub(super) fn adjusted(name: &str) -> Change {
    let detail = Some(name.into());
    Change { kind: ChangeKind::ParameterAdjusted, row: None, block: None, detail }
}

/// An object without its closing brace.
pub(super) fn open(object: &Raw) -> Vec<u8> {
    let text = object.as_str();
    text.get(..text.len() - 1).unwrap_or_default().as_bytes().to_vec()
}
