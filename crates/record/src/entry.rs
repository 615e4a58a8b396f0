//! An entry: an id, a parent, and one fact.

use std::fmt;
use std::sync::Arc;

use json::{Raw, Text};

use crate::compaction::Compaction;
use crate::head::Head;
use crate::message::Message;
use crate::sent::Sent;

/// The name of an entry, unique in its record. Ids have no order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId(Arc<str>);

impl EntryId {
    /// An id of this text.
    pub fn new(id: impl Into<Arc<str>>) -> EntryId {
        EntryId(id.into())
    }

    /// The text of the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::borrow::Borrow<str> for EntryId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for EntryId {
    fn from(id: &str) -> EntryId {
        EntryId::new(id)
    }
}

/// The place of a block: the entry of its message and its index there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockRef {
    /// The message entry.
    pub row: EntryId,
    /// Index into the message's blocks.
    pub block: u32,
}

/// Members of a JSON object that this build has no field for, kept as they were written.
///
/// A member whose name *has* a field stands here where the field cannot say what was written (a
/// wrong type, a member more inside it). It goes back to disk in the field's place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::box_collection, reason = "nearly always empty, so one word in every block")]
pub struct Rest(Option<Box<Vec<(Text, Raw)>>>);

impl Rest {
    /// No members.
    pub const NONE: Rest = Rest(None);

    /// Adds a member after those that are there.
    pub fn push(&mut self, name: Text, value: Raw) {
        self.0.get_or_insert_default().push((name, value));
    }

    /// Takes out every member of this name.
    pub fn remove(&mut self, name: &str) {
        if let Some(members) = &mut self.0 {
            members.retain(|(key, _)| key.as_str() != name);
            if members.is_empty() {
                self.0 = None;
            }
        }
    }

    /// The members, in the order they were written.
    pub fn iter(&self) -> impl Iterator<Item = &(Text, Raw)> {
        self.0.iter().flat_map(|members| members.iter())
    }

    /// The member of this name.
    pub fn get(&self, name: &str) -> Option<&Raw> {
        self.iter().find(|(key, _)| key.as_str() == name).map(|(_, value)| value)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

/// One line of a foreign file, byte for byte; or several in a row of which nothing can be read, or
/// all lines of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// Number of the first line in its file, from 1.
    pub number: u64,
    /// The bytes without the last line feed.
    pub bytes: Box<[u8]>,
    /// Whether that line feed was there.
    pub ended: bool,
}

/// Where an imported entry came from: the lines that an export gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The name of the foreign format.
    pub format: Arc<str>,
    /// The lines this entry was made of, in file order; one response may span several.
    pub lines: Vec<SourceLine>,
}

/// One thing that happened, with its place in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Unique in the record.
    pub id: EntryId,
    /// The entry before it on its branch; `None` for a root.
    pub parent: Option<EntryId>,
    /// Order of appending within the conversation.
    pub seq: u64,
    /// RFC 3339, as it was written; absent stays absent.
    pub time: Option<Text>,
    /// What happened.
    pub fact: Fact,
    /// The foreign lines it was imported from.
    pub origin: Option<Box<Origin>>,
    /// Members this build has no field for.
    pub rest: Rest,
}

impl Entry {
    /// The message of a message entry.
    pub fn message(&self) -> Option<&Message> {
        match &self.fact {
            Fact::Message(message) => Some(message),
            Fact::CallStarted(_)
            | Fact::Compaction(_)
            | Fact::Head(_)
            | Fact::Sent(_)
            | Fact::Retracted(_)
            | Fact::Opaque(_) => None,
        }
    }
}

/// What an entry says happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Somebody said something, a model replied, or a tool returned.
    Message(Box<Message>),
    /// A call was dispatched. Its result is a message.
    CallStarted(CallStarted),
    /// The view was shortened.
    Compaction(Box<Compaction>),
    /// An agent's recorded head moved.
    Head(Box<Head>),
    /// A request is about to leave.
    Sent(Box<Sent>),
    /// Blocks were taken out of every view.
    Retracted(Retracted),
    /// A kind this build does not know, or foreign content that is no message.
    Opaque(OpaqueFact),
}

/// A call was dispatched, written before it ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallStarted {
    /// The call's block.
    pub call: BlockRef,
}

/// Blocks, or a compaction, taken out of every view on every branch that holds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retracted {
    /// Single blocks.
    pub blocks: Vec<BlockRef>,
    /// Whole messages and compactions.
    pub entries: Vec<EntryId>,
    /// Why, in the words of who asked.
    pub reason: Text,
}

/// A fact this build keeps but does not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpaqueFact {
    /// What the source called it.
    pub kind: Text,
    /// Its content; `None` where the origin's lines are all there is.
    pub raw: Option<Raw>,
}
