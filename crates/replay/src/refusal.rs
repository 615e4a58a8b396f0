//! The closed list of reasons for which no request is made.

use std::fmt;

use record::EntryId;

/// Who sets a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitOf {
    /// The provider, by its documentation or by what the caller says of it.
    Provider,
    /// This library, where what the provider takes is not known.
    Ours,
}

/// Why there is no request. Each has a cause in the history that can be checked there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The view has nothing the model could be asked.
    NothingToSay,
    /// The request is larger than a limit, with every image left out.
    TooLarge {
        /// What there is too much of: `bytes` or `messages`.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// How many there may be.
        limit: u64,
        /// Who sets the limit.
        of: LimitOf,
    },
    /// Whatever was left out, something more had to be, as often as was tried.
    NeverSettles {
        /// How often it was tried.
        attempts: u64,
    },
    /// A compaction stands between a call and its result.
    CompactionSplitsRound {
        /// The compaction.
        compaction: EntryId,
        /// The row with the other half.
        row: EntryId,
    },
    /// A block the target requires cannot be supplied.
    CannotCarry {
        /// The rule that requires it.
        rule: &'static str,
        /// What is missing.
        what: &'static str,
    },
    /// A tool definition that this dialect cannot write.
    ToolDefinition {
        /// The tool.
        name: String,
        /// Why not.
        why: &'static str,
    },
}

impl Refusal {
    /// The name in reports.
    pub fn as_str(&self) -> &'static str {
        match self {
            Refusal::NothingToSay => "nothing_to_say",
            Refusal::TooLarge { .. } => "too_large",
            Refusal::NeverSettles { .. } => "never_settles",
            Refusal::CompactionSplitsRound { .. } => "compaction_splits_round",
            Refusal::CannotCarry { .. } => "cannot_carry",
            Refusal::ToolDefinition { .. } => "tool_definition",
        }
    }

    /// What the caller can do.
    pub fn hint(&self) -> &'static str {
        match self {
            Refusal::NothingToSay => "add a user message, or allow the continuation prompt",
            Refusal::TooLarge { .. } => "compact the conversation first",
            Refusal::NeverSettles { .. } => "compact the conversation first, and report it",
            Refusal::CompactionSplitsRound { .. } => {
                "supersede that compaction by one whose cut stands between rounds"
            }
            Refusal::CannotCarry { .. } => "choose a model without that requirement",
            Refusal::ToolDefinition { .. } => "correct or remove the tool definition",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NothingToSay => f.write_str("the history has nothing to say to a model"),
            Refusal::TooLarge { what, count, limit, of: LimitOf::Provider } => {
                write!(f, "the request has {count} {what}, the provider takes {limit}")
            }
            Refusal::TooLarge { what, count, limit, of: LimitOf::Ours } => {
                write!(f, "the request has {count} {what}, our limit is {limit}")
            }
            Refusal::NeverSettles { attempts } => {
                write!(f, "after {attempts} attempts the request still had to leave something out")
            }
            Refusal::CompactionSplitsRound { compaction, row } => {
                write!(f, "compaction {compaction} splits the round of row {row}")
            }
            Refusal::CannotCarry { rule, what } => write!(f, "{what} cannot be carried ({rule})"),
            Refusal::ToolDefinition { name, why } => write!(f, "tool {name:?}: {why}"),
        }
    }
}

impl std::error::Error for Refusal {}
