//! Project: what was bound, as one dialect writes it.
//!
//! What holds for every dialect is here: what has been said, what stands open, notes, evidence and
//! the order on the user's side. What one dialect writes is in its folder, and [`Dialect`] chooses.

pub(crate) mod anthropic_messages;
mod attachment;
pub(crate) mod bedrock_converse;
mod blocks;
mod cleared;
pub(crate) mod conversation;
mod dialect;
pub(crate) mod evidence;
mod gemini;
mod handoff;
pub(crate) mod head;
mod ids;
pub(crate) mod image;
pub(crate) mod inherited;
mod input;
mod lost;
mod made;
mod notes;
mod openai_chat;
mod openai_responses;
mod output;
pub(crate) mod parameters;
mod person;
mod prefix;
mod proof;
mod rounds;
mod speech;
mod system;
mod thinking;
mod told;
mod tools;

pub(crate) use bedrock_converse::Converse;
pub(crate) use conversation::Conversation;
pub(crate) use dialect::Dialect;
pub(crate) use gemini::Gemini;
pub(crate) use openai_chat::Chat;
pub(crate) use openai_responses::Responses;
