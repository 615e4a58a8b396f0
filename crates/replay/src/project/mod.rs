//! Project: what was bound, as one dialect writes it.

pub(crate) mod anthropic_messages;
