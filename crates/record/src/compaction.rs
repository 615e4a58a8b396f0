//! Compactions: what replaced an earlier part of the view.

use json::Text;

use crate::blank::is_blank;
use crate::entry::{BlockRef, EntryId, Rest};

/// What a missing or malformed continuation message reads as.
pub const CONTINUATION_DEFAULT: &str = "Earlier conversation has been compacted. Continue from \
     the handoff below and treat it as the record of what came before.";

/// Which kind of shortening it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompactionKind {
    /// A handoff stands for everything before it.
    Boundary,
    /// The outputs of some results are cleared from the view.
    Micro,
}

/// A compaction pair, or a microcompaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compaction {
    /// Which kind.
    pub kind: CompactionKind,
    /// The user-side message before the handoff; the default text where `None`.
    pub continuation: Option<Text>,
    /// The handoff's text; `None` where its message has another role or no string content.
    pub handoff: Option<Text>,
    /// The handoff is the person's to read, not the assistant's to have said: a foreign summary
    /// that its harness sent as a user message. Then it stands alone, under the user role.
    pub handoff_by_user: bool,
    /// First message kept verbatim from before the boundary; nothing is kept where `None`.
    pub retained_from: Option<EntryId>,
    /// Single messages kept verbatim, where the source names them one by one.
    pub retained: Vec<EntryId>,
    /// Made by another harness: a round it split is repaired, not refused.
    pub split_as_found: bool,
    /// Results whose output leaves the view (microcompaction).
    pub cleared: Vec<BlockRef>,
    /// The members of the record this build has no field for (`reason`, `strategy`, `usage`, ...).
    pub rest: Rest,
}

impl Compaction {
    /// Whether a boundary can be applied: it has a handoff that is not blank, and that the
    /// assistant said, unless another harness made it.
    pub fn is_valid(&self) -> bool {
        (!self.handoff_by_user || self.split_as_found)
            && self.handoff.as_ref().is_some_and(|text| !is_blank(text))
    }
}
