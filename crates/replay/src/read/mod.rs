//! Read: one reader's view of one path, in causal order.
//!
//! In: entries in path order. Out: rows for `bind`, and the closing marks of `sent` entries. What
//! was stored while a request was under way waits for that request's reply, because that is the
//! order the model saw. [`edits`] is what later entries say about earlier ones.

pub(crate) mod ahead;
pub(crate) mod causal;
pub(crate) mod edits;
pub(crate) mod lookup;

use std::sync::Arc;

use json::Text;
use record::{Entry, Message};

/// Whose eyes a record is read with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    /// The agent that asks; its `sent` entries are the ones that close its turns.
    pub agent: Text,
}

impl Reader {
    /// A reader who sees every message presented to everyone or to this agent.
    pub fn plain(agent: impl Into<Text>) -> Reader {
        Reader { agent: agent.into() }
    }

    /// Whether a message is presented to this reader.
    pub(crate) fn sees(&self, message: &Message) -> bool {
        message.audience.as_ref().is_none_or(|list| list.contains(&self.agent))
    }
}

/// A message entry at its position on the path.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Position on the path.
    pub(crate) index: u32,
    /// It answers the request that was under way: nothing stands between the two.
    pub(crate) is_reply: bool,
    /// The entry; always a message.
    pub(crate) entry: Arc<Entry>,
}
