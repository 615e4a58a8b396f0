//! Request bodies of OpenAI Chat Completions, and of the vendors that speak it; in another
//! [`Form`], of Ollama's native API.
//!
//! In: an object with `messages` (whatever else it carries), or the array of messages alone. Out:
//! a record whose first entry keeps the document, line for line, then the head, the messages, and
//! where the body names a model a `sent` directly after the last of them.
//!
//! System and developer messages at the front are the head's system text, later ones are messages.
//! Tools stand in the head as the Anthropic API writes them; what that has no place for is kept
//! beside them. A call's arguments are the string the model wrote. Reasoning remembers the key it
//! came under, since one model has several keys with several vendors; it has a proof only where
//! something in it is signed or sealed.
//!
//! [`request`] reads the body, [`message`] a message, [`tools`] the tools, [`write`] writes back;
//! [`ollama`] what Ollama has otherwise.

mod image;
mod message;
mod ollama;
mod platform;
mod request;
pub(crate) mod tools;
mod write;

use wire::openai_chat::vendors::Form;

use crate::Format;

pub(crate) use image::{image_of, url_of};
pub(crate) use message::MessageReader;
pub use platform::platform_of;
pub(crate) use request::import;
pub(crate) use tools::Tools;
pub(crate) use write::{export, messages_of};

/// The name of Chat Completions in issuers and sources.
pub(crate) const API: &str = assemble::openai_chat::API;

/// The kind of the opaque first entry that keeps the document.
fn document(form: Form) -> &'static str {
    match form {
        Form::Completions => "openai_chat.request",
        Form::Ollama => "ollama_chat.request",
    }
}

/// The format of bodies in a form.
fn format(form: Form) -> Format {
    match form {
        Form::Completions => Format::OpenAiChat,
        Form::Ollama => Format::OllamaChat,
    }
}
