//! The parameters as bytes: what a caller asks for, and what a request needs to be valid.

use json::Raw;
use record::Rung;

use super::head::Head;
use super::{Dialect, anthropic_messages, openai_chat};
use crate::fold::Closed;
use crate::now::Parameters;
use crate::refusal::Refusal;
use crate::report::{Change, ChangeKind};

/// The parameters as bytes, and what they need beside the body.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// `{"model":...` without the closing brace.
    pub(crate) bytes: Vec<u8>,
    /// Of those, the ones that are part of the prompt; the model is the target's.
    pub(crate) prompt: Vec<u8>,
    pub(crate) betas: Vec<&'static str>,
    /// What was left out or is another.
    pub(crate) changes: Vec<Change>,
    /// Thinking is off because the running tool loop has no thought to begin with.
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
