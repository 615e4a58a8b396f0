//! Branches: refs to tips, with a log of their moves.

use json::Text;

use crate::entry::{EntryId, Rest};

/// A branch moved. The last move of a name is where the branch is; undo is one more move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefMove {
    /// The branch.
    pub branch: Text,
    /// Where it points now; `None` for a branch that was deleted.
    pub tip: Option<EntryId>,
    /// Why it moved (`append`, `fork`, `undo`, ...).
    pub reason: Text,
    /// RFC 3339, as written.
    pub time: Option<Text>,
    /// Members this build has no field for.
    pub rest: Rest,
}
