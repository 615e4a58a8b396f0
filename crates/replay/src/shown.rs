//! What people are shown of a conversation: every block once, calls tied to their results,
//! retractions kept to.
//!
//! In: the rows of a path. Out: one list, of which the transcript, the terminal, Markdown and HTML
//! are made. Not here: how any of them says it.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use record::jsonl::CORRUPT_LINE;
use record::{
    Block, BlockKind, BlockRef, Compaction, CompactionKind, Entry, EntryId, Fact, Image, Message,
    OpaqueBlock, Reasoning, Role, Source, SystemChange, ToolResult, ToolUse,
};

use crate::principal::is_principal_block;
use crate::wording;

/// One thing of a conversation that people are shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'r> {
    /// The entry it stands in.
    pub entry: &'r Entry,
    /// What it is.
    pub what: What<'r>,
}

impl Shown<'_> {
    /// Whether a call names it as its result: whoever shows the call shows it there.
    pub fn is_bound(&self) -> bool {
        matches!(self.what, What::Result { bound: true, .. } | What::Removed { bound: true, .. })
    }
}

/// What people are shown.
#[derive(Clone, Copy, Debug)]
pub enum What<'r> {
    /// Speech.
    Text {
        /// Who speaks.
        role: Role,
        /// What was said; U+FFFD where the source held a lone surrogate.
        text: &'r str,
    },
    /// A thought. Never speech.
    Thought(&'r Reasoning),
    /// A call.
    Call {
        /// The call.
        call: &'r ToolUse,
        /// What became of it.
        outcome: Outcome,
    },
    /// What a call returned.
    Result {
        /// The result.
        result: &'r ToolResult,
        /// A call names this as its result; else it stands alone.
        bound: bool,
    },
    /// A picture.
    Image {
        /// Who shows it.
        role: Role,
        /// The picture.
        image: &'r Image,
    },
    /// A declared change of tools and system text.
    SystemChange(&'r SystemChange),
    /// A block of a kind this build cannot show.
    Opaque(&'r OpaqueBlock),
    /// From here on a handoff stands for what came before.
    Compaction(&'r Compaction),
    /// Something taken out of every view.
    Removed {
        /// What it was.
        was: BlockKind,
        /// A call names this as its result.
        bound: bool,
    },
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its result is at this place among what is shown.
    Result(usize),
    /// It was never answered: it may have run, or not.
    Unanswered,
    /// It was never started: its reply's runs are logged, no line of the log is damaged, and it is
    /// in none.
    NotStarted,
}

/// The words that stand where something was taken out.
pub fn removed() -> String {
    wording::redacted("content")
}

/// What people are shown of these rows, in their order: every block once, but for what says who a
/// request runs as. `retractions` are those of the whole record; those among the rows count anyway.
pub fn shown<'r>(rows: &'r [Arc<Entry>], retractions: &'r [Arc<Entry>]) -> Vec<Shown<'r>> {
    let retracted = Retractions::of(rows, retractions);
    let starts = Starts::of(rows);
    let mut all: Vec<Shown<'r>> = Vec::new();
    let mut open = OpenCalls::new();
    for entry in rows.iter().map(Arc::as_ref) {
        match &entry.fact {
            Fact::Message(message) => {
                for (block, index) in message.blocks.iter().zip(0u32..) {
                    let removed = retracted.holds(entry, index, block);
                    let Some(mut what) = what(message, block, removed) else { continue };
                    bind(&mut open, &mut all, &mut what, block, entry);
                    if let What::Call { outcome, .. } = &mut what
                        && !starts.may_hold(entry, message, index)
                    {
                        *outcome = Outcome::NotStarted;
                    }
                    all.push(Shown { entry, what });
                }
            }
            Fact::Compaction(compaction) if compaction.kind == CompactionKind::Boundary => {
                let removed = retracted.entries.contains(&entry.id);
                let was = What::Removed { was: BlockKind::Text, bound: false };
                let what = if removed { was } else { What::Compaction(compaction) };
                all.push(Shown { entry, what });
            }
            Fact::Compaction(_)
            | Fact::CallStarted(_)
            | Fact::Head(_)
            | Fact::Sent(_)
            | Fact::Retracted(_)
            | Fact::Opaque(_) => {}
        }
    }
    all
}

/// Calls that wait for their results, by id: where they are among what is shown.
type OpenCalls<'r> = BTreeMap<&'r str, Vec<usize>>;

/// A block as it is shown; `None` for what says who a request runs as.
fn what<'r>(message: &'r Message, block: &'r Block, removed: bool) -> Option<What<'r>> {
    if removed {
        return Some(What::Removed { was: block.kind(), bound: false });
    }
    Some(match block {
        Block::Text(text) if is_runtime(message) && is_principal_block(&text.text) => return None,
        Block::Text(text) => What::Text { role: message.role, text: &text.text },
        Block::ToolUse(call) => What::Call { call, outcome: Outcome::Unanswered },
        Block::ToolResult(result) => What::Result { result, bound: false },
        Block::Reasoning(thought) => What::Thought(thought),
        Block::Image(image) => What::Image { role: message.role, image },
        Block::SystemChange(change) => What::SystemChange(change),
        Block::Opaque(opaque) => What::Opaque(opaque),
    })
}

/// Ties a result to the first call that waits for it. A call whose id is used again by a later
/// message waits no longer.
fn bind<'r>(
    open: &mut OpenCalls<'r>,
    all: &mut [Shown<'r>],
    what: &mut What<'r>,
    block: &'r Block,
    entry: &Entry,
) {
    match block {
        Block::ToolUse(call) => {
            let waiting = open.entry(&call.id).or_default();
            waiting.retain(|at| all.get(*at).is_some_and(|call| call.entry.id == entry.id));
            waiting.push(all.len());
        }
        Block::ToolResult(result) => {
            let waiting = open.get_mut(result.tool_use_id.as_str());
            let Some(waiting) = waiting.filter(|waiting| !waiting.is_empty()) else { return };
            let call = waiting.remove(0);
            let at = all.len();
            if let Some(Shown { what: What::Call { outcome, .. }, .. }) = all.get_mut(call) {
                *outcome = Outcome::Result(at);
            }
            if let What::Result { bound, .. } | What::Removed { bound, .. } = what {
                *bound = true;
            }
        }
        Block::Text(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => {}
    }
}

/// Which calls of these rows were dispatched, as far as that is logged.
struct Starts<'r> {
    calls: BTreeSet<&'r BlockRef>,
    /// A line of what the record was loaded from was lost: nothing is known not to have run.
    damaged: bool,
}

impl<'r> Starts<'r> {
    fn of(rows: &'r [Arc<Entry>]) -> Starts<'r> {
        let mut starts = Starts { calls: BTreeSet::new(), damaged: false };
        for entry in rows {
            match &entry.fact {
                Fact::CallStarted(started) => {
                    starts.calls.insert(&started.call);
                }
                Fact::Opaque(opaque) => starts.damaged |= &*opaque.kind == CORRUPT_LINE,
                Fact::Message(_)
                | Fact::Compaction(_)
                | Fact::Head(_)
                | Fact::Sent(_)
                | Fact::Retracted(_) => {}
            }
        }
        starts
    }

    /// Whether a call of this block may have been dispatched.
    fn may_hold(&self, entry: &Entry, message: &Message, block: u32) -> bool {
        if !message.runs_logged || self.damaged {
            return true;
        }
        self.calls.contains(&BlockRef { row: entry.id.clone(), block })
    }
}

/// What was taken out of every view, of these rows.
struct Retractions<'r> {
    blocks: BTreeSet<&'r BlockRef>,
    entries: BTreeSet<&'r EntryId>,
    calls: BTreeSet<&'r str>,
}

impl<'r> Retractions<'r> {
    fn of(rows: &'r [Arc<Entry>], elsewhere: &'r [Arc<Entry>]) -> Retractions<'r> {
        let facts = || {
            rows.iter().chain(elsewhere).filter_map(|entry| match &entry.fact {
                Fact::Retracted(retracted) => Some(retracted),
                Fact::Message(_)
                | Fact::CallStarted(_)
                | Fact::Compaction(_)
                | Fact::Head(_)
                | Fact::Sent(_)
                | Fact::Opaque(_) => None,
            })
        };
        let mut own = Retractions {
            blocks: facts().flat_map(|retracted| &retracted.blocks).collect(),
            entries: facts().flat_map(|retracted| &retracted.entries).collect(),
            calls: BTreeSet::new(),
        };
        for entry in rows {
            let Some(message) = entry.message() else { continue };
            for (block, index) in message.blocks.iter().zip(0u32..) {
                if let Block::ToolUse(call) = block
                    && own.holds(entry, index, block)
                {
                    own.calls.insert(call.id.as_str());
                }
            }
        }
        own
    }

    /// Whether a block is out; a result goes with its call.
    fn holds(&self, entry: &Entry, block: u32, of: &Block) -> bool {
        let at = BlockRef { row: entry.id.clone(), block };
        self.entries.contains(&entry.id)
            || self.blocks.contains(&at)
            || matches!(of, Block::ToolResult(result)
                if self.calls.contains(result.tool_use_id.as_str()))
    }
}

/// Whether a message is the operator's or the runtime's, not somebody's words.
fn is_runtime(message: &Message) -> bool {
    message.role == Role::System || matches!(message.source, Some(Source::Runtime { .. }))
}
