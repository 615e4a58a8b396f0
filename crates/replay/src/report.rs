//! The report: every block that was changed or left out, and what moved.

use std::fmt;

use record::EntryId;
use wire::pages::Chain;

use crate::project::bedrock_converse;
use crate::target::{BEDROCK_CONVERSE, GEMINI, OPENAI_CHAT, OPENAI_RESPONSES};
use wire::openai_chat::vendors::Form;

/// What happened to a block's content on its way to the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// It is on the wire in another form or place.
    Changed,
    /// It is not on the wire.
    Omitted,
    /// Words of ours stand where the history has a gap.
    Added,
}

/// The kinds of changes, each with its effect and the provider rule it obeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// An unanswered call got a stand-in for its result.
    GapFilled,
    /// A result stands directly after its call instead of where it was stored.
    ResultHoisted,
    /// A result came after its gap had been told; it stands as evidence.
    ResultLate,
    /// A result whose call is not in the view stands as evidence.
    ResultOrphan,
    /// A second, different result stands as evidence.
    ResultSecond,
    /// An identical second result is left out.
    ResultDuplicate,
    /// A result without output says so.
    ResultEmpty,
    /// Text under the tool role is carried by the user side.
    ToolText,
    /// A call's id is another on the wire.
    CallIdRewritten,
    /// A call's name is another on the wire.
    CallNameRewritten,
    /// Arguments that are no object are carried as raw text.
    CallArgsUnparsed,
    /// A call outside an assistant message is named in a note.
    CallMisplaced,
    /// Blank text is left out.
    BlankText,
    /// Text stands before the first call of its message.
    TextMoved,
    /// A thought without a proof this target reads is left out.
    ThinkingWithheld,
    /// A thought whose prefix is not known to be this one is left out.
    ThinkingOut,
    /// A thought that would end its message is left out.
    ThinkingTrailing,
    /// A message's proofs cannot be read; it is carried from its blocks alone.
    InvalidReplayState,
    /// An image is left out and a marker stands in its place.
    ImageUnseen,
    /// An image's type is the one its bytes have.
    ImageTypeCorrected,
    /// An image's smaller form, made on import, is on the wire.
    ImageRendition,
    /// An image stands after the results instead of inside one.
    ImageMoved,
    /// A block kept verbatim is named in a note.
    OpaqueNoted,
    /// A file that is text, or what a search found, is told in words.
    FileTold,
    /// A file goes out without all that was said of it, or as a file of another type.
    FileAdapted,
    /// Citations are left out, their text is not.
    CitationsOmitted,
    /// A lone surrogate, or a NUL where the wire takes none, is written as U+FFFD.
    SurrogateReplaced,
    /// A system text in mid-conversation is a note on the user side.
    SystemNoted,
    /// A system message was sent and now stands after a later user message.
    SystemFloated,
    /// A declared change is part of this view's head.
    ChangeFolded,
    /// A result's output is cleared from the view.
    Cleared,
    /// Retracted content leaves a note.
    Redacted,
    /// An old block of current authority is left out.
    StalePrincipal,
    /// Earlier rows are replaced by a compaction's handoff.
    Compacted,
    /// A compaction without a usable handoff is not applied.
    CompactionPairInvalid,
    /// A continuation prompt stands here.
    ContinueAdded,
    /// A note tells of a call that was cut off and not run.
    DroppedCallNoted,
    /// A note tells that the reply was interrupted.
    InterruptedNoted,
    /// Thinking is off in this request.
    ThinkingTurnedOff,
    /// A parameter the model does not take is left out, or is another.
    ParameterAdjusted,
    /// A parameter of the request that was imported is not in this one, or is another.
    ParameterOmitted,
    /// A reply its provider refused to go on with is left out.
    RefusedReply,
    /// A member of a tool definition that the wire does not take is left out.
    ToolMemberOmitted,
    /// A call is told in a record of actions on the user side.
    CallTold,
    /// A result is told in a record of actions on the user side.
    ResultTold,
    /// What follows on the user side goes on in a message that was sent.
    MessageJoined,
    /// An empty thought stands where one is due beside calls.
    ReasoningEmpty,
    /// A tool goes by another name on the wire.
    ToolRenamed,
    /// A tool is left out: its provider runs it, or there are no tools here.
    ToolOmitted,
    /// A tool that does nothing stands for those the history calls.
    StandInTool,
    /// Nothing is known of the vendor: it is written to as to the strictest.
    VendorUnknown,
    /// A signature of another provider, model or account is left out, its block is not.
    SignatureOmitted,
    /// The documented stand-in for a signature is on a call that came without one.
    SignatureStandIn,
}

impl ChangeKind {
    /// Every kind.
    pub const ALL: [ChangeKind; 53] = [
        ChangeKind::GapFilled,
        ChangeKind::ResultHoisted,
        ChangeKind::ResultLate,
        ChangeKind::ResultOrphan,
        ChangeKind::ResultSecond,
        ChangeKind::ResultDuplicate,
        ChangeKind::ResultEmpty,
        ChangeKind::ToolText,
        ChangeKind::CallIdRewritten,
        ChangeKind::CallNameRewritten,
        ChangeKind::CallArgsUnparsed,
        ChangeKind::CallMisplaced,
        ChangeKind::BlankText,
        ChangeKind::TextMoved,
        ChangeKind::ThinkingWithheld,
        ChangeKind::ThinkingOut,
        ChangeKind::ThinkingTrailing,
        ChangeKind::InvalidReplayState,
        ChangeKind::ImageUnseen,
        ChangeKind::ImageTypeCorrected,
        ChangeKind::ImageRendition,
        ChangeKind::ImageMoved,
        ChangeKind::OpaqueNoted,
        ChangeKind::FileTold,
        ChangeKind::FileAdapted,
        ChangeKind::CitationsOmitted,
        ChangeKind::SurrogateReplaced,
        ChangeKind::SystemNoted,
        ChangeKind::SystemFloated,
        ChangeKind::ChangeFolded,
        ChangeKind::Cleared,
        ChangeKind::Redacted,
        ChangeKind::StalePrincipal,
        ChangeKind::Compacted,
        ChangeKind::CompactionPairInvalid,
        ChangeKind::ContinueAdded,
        ChangeKind::DroppedCallNoted,
        ChangeKind::InterruptedNoted,
        ChangeKind::ThinkingTurnedOff,
        ChangeKind::ParameterAdjusted,
        ChangeKind::ParameterOmitted,
        ChangeKind::RefusedReply,
        ChangeKind::ToolMemberOmitted,
        ChangeKind::CallTold,
        ChangeKind::ResultTold,
        ChangeKind::MessageJoined,
        ChangeKind::ReasoningEmpty,
        ChangeKind::ToolRenamed,
        ChangeKind::ToolOmitted,
        ChangeKind::StandInTool,
        ChangeKind::VendorUnknown,
        ChangeKind::SignatureOmitted,
        ChangeKind::SignatureStandIn,
    ];

    /// Name and effect, in one table.
    fn row(self) -> (&'static str, Effect) {
        use Effect::{Added, Changed, Omitted};
        match self {
            ChangeKind::GapFilled => ("GAP_FILLED", Added),
            ChangeKind::ResultHoisted => ("RESULT_HOISTED", Changed),
            ChangeKind::ResultLate => ("RESULT_LATE", Changed),
            ChangeKind::ResultOrphan => ("RESULT_ORPHAN", Changed),
            ChangeKind::ResultSecond => ("RESULT_SECOND", Changed),
            ChangeKind::ResultDuplicate => ("RESULT_DUPLICATE", Omitted),
            ChangeKind::ResultEmpty => ("RESULT_EMPTY", Added),
            ChangeKind::ToolText => ("TOOL_TEXT", Changed),
            ChangeKind::CallIdRewritten => ("CALL_ID_REWRITTEN", Changed),
            ChangeKind::CallNameRewritten => ("CALL_NAME_REWRITTEN", Changed),
            ChangeKind::CallArgsUnparsed => ("CALL_ARGS_UNPARSED", Changed),
            ChangeKind::CallMisplaced => ("CALL_MISPLACED", Changed),
            ChangeKind::BlankText => ("BLANK_TEXT", Omitted),
            ChangeKind::TextMoved => ("TEXT_MOVED", Changed),
            ChangeKind::ThinkingWithheld => ("THINKING_WITHHELD", Omitted),
            ChangeKind::ThinkingOut => ("THINKING_OUT", Omitted),
            ChangeKind::ThinkingTrailing => ("THINKING_TRAILING", Omitted),
            ChangeKind::InvalidReplayState => ("INVALID_REPLAY_STATE", Changed),
            ChangeKind::ImageUnseen => ("IMAGE_UNSEEN", Changed),
            ChangeKind::ImageTypeCorrected => ("IMAGE_TYPE_CORRECTED", Changed),
            ChangeKind::ImageRendition => ("IMAGE_RENDITION", Changed),
            ChangeKind::ImageMoved => ("IMAGE_MOVED", Changed),
            ChangeKind::OpaqueNoted => ("OPAQUE_NOTED", Changed),
            ChangeKind::FileTold => ("FILE_TOLD", Changed),
            ChangeKind::FileAdapted => ("FILE_ADAPTED", Changed),
            ChangeKind::CitationsOmitted => ("CITATIONS_OMITTED", Changed),
            ChangeKind::SurrogateReplaced => ("SURROGATE_REPLACED", Changed),
            ChangeKind::SystemNoted => ("SYSTEM_NOTED", Changed),
            ChangeKind::SystemFloated => ("SYSTEM_FLOATED", Changed),
            ChangeKind::ChangeFolded => ("CHANGE_FOLDED", Changed),
            ChangeKind::Cleared => ("CLEARED", Changed),
            ChangeKind::Redacted => ("REDACTED", Omitted),
            ChangeKind::StalePrincipal => ("STALE_PRINCIPAL", Omitted),
            ChangeKind::Compacted => ("COMPACTED", Omitted),
            ChangeKind::CompactionPairInvalid => ("COMPACTION_PAIR_INVALID", Omitted),
            ChangeKind::ContinueAdded => ("CONTINUE_ADDED", Added),
            ChangeKind::DroppedCallNoted => ("DROPPED_CALL_NOTED", Added),
            ChangeKind::InterruptedNoted => ("INTERRUPTED_NOTED", Added),
            ChangeKind::ThinkingTurnedOff => ("THINKING_TURNED_OFF", Changed),
            ChangeKind::ParameterAdjusted => ("PARAMETER_ADJUSTED", Changed),
            ChangeKind::ParameterOmitted => ("PARAMETER_OMITTED", Omitted),
            ChangeKind::RefusedReply => ("REFUSED_REPLY", Omitted),
            ChangeKind::ToolMemberOmitted => ("TOOL_MEMBER_OMITTED", Omitted),
            ChangeKind::CallTold => ("CALL_TOLD", Changed),
            ChangeKind::ResultTold => ("RESULT_TOLD", Changed),
            ChangeKind::MessageJoined => ("MESSAGE_JOINED", Changed),
            ChangeKind::ReasoningEmpty => ("REASONING_EMPTY", Added),
            ChangeKind::ToolRenamed => ("TOOL_RENAMED", Changed),
            ChangeKind::ToolOmitted => ("TOOL_OMITTED", Omitted),
            ChangeKind::StandInTool => ("STAND_IN_TOOL", Added),
            ChangeKind::VendorUnknown => ("VENDOR_UNKNOWN", Changed),
            ChangeKind::SignatureOmitted => ("SIGNATURE_OMITTED", Changed),
            ChangeKind::SignatureStandIn => ("SIGNATURE_STAND_IN", Added),
        }
    }

    /// The rules of Anthropic Messages and of Chat Completions, in one table; none where it is now
    /// one rule, now another, or the caller's wish.
    fn rules(self) -> (Option<&'static str>, Option<&'static str>) {
        match self {
            ChangeKind::GapFilled => (Some("A-030"), Some("C-001")),
            ChangeKind::ResultHoisted => (Some("A-031"), Some("C-001")),
            ChangeKind::ResultLate => (Some("A-032"), Some("C-002")),
            ChangeKind::ResultOrphan => (Some("A-032"), Some("C-002")),
            ChangeKind::ResultSecond => (Some("A-033"), Some("C-004")),
            ChangeKind::ResultDuplicate => (Some("A-033"), Some("C-004")),
            ChangeKind::ResultEmpty => (Some("A-023"), Some("C-012")),
            ChangeKind::ToolText => (Some("A-034"), Some("C-002")),
            ChangeKind::CallIdRewritten => (Some("A-040"), None),
            ChangeKind::CallNameRewritten => (Some("A-041"), Some("C-010")),
            ChangeKind::CallArgsUnparsed => (Some("A-036"), Some("K-010")),
            ChangeKind::CallMisplaced => (Some("A-034"), Some("C-008")),
            ChangeKind::BlankText => (Some("A-021"), None),
            ChangeKind::TextMoved => (Some("A-029"), None),
            ChangeKind::ThinkingWithheld => (Some("A-050"), Some("K-021")),
            ChangeKind::ThinkingOut => (Some("A-060"), None),
            ChangeKind::ThinkingTrailing => (Some("A-010"), Some("C-011")),
            ChangeKind::InvalidReplayState => (Some("A-053"), None),
            ChangeKind::ImageUnseen => (Some("A-090"), Some("C-018")),
            ChangeKind::ImageTypeCorrected => (Some("A-091"), Some("C-017")),
            ChangeKind::ImageRendition => (Some("A-094"), None),
            ChangeKind::ImageMoved => (Some("A-037"), Some("C-014")),
            ChangeKind::OpaqueNoted => (Some("A-003"), Some("L-3")),
            ChangeKind::FileTold | ChangeKind::FileAdapted => (None, Some("K-037")),
            ChangeKind::CitationsOmitted => (Some("A-026"), None),
            ChangeKind::SurrogateReplaced => (Some("A-004"), Some("G-10")),
            ChangeKind::SystemNoted => (Some("A-070"), Some("K-002")),
            ChangeKind::SystemFloated => (Some("A-073"), None),
            ChangeKind::ChangeFolded => (Some("A-075"), Some("K-004")),
            ChangeKind::ContinueAdded => (Some("A-008"), Some("K-043")),
            ChangeKind::ThinkingTurnedOff => (Some("A-051"), None),
            ChangeKind::ToolMemberOmitted => (Some("A-003"), None),
            ChangeKind::MessageJoined => (None, Some("K-041")),
            ChangeKind::ReasoningEmpty => (None, Some("K-020")),
            ChangeKind::ToolRenamed => (None, Some("C-010")),
            ChangeKind::StandInTool => (None, Some("K-032")),
            ChangeKind::CallTold
            | ChangeKind::ResultTold
            | ChangeKind::Cleared
            | ChangeKind::Redacted
            | ChangeKind::StalePrincipal
            | ChangeKind::Compacted
            | ChangeKind::CompactionPairInvalid
            | ChangeKind::DroppedCallNoted
            | ChangeKind::InterruptedNoted
            | ChangeKind::ParameterAdjusted
            | ChangeKind::ParameterOmitted
            | ChangeKind::RefusedReply
            | ChangeKind::ToolOmitted
            | ChangeKind::VendorUnknown
            | ChangeKind::SignatureOmitted
            | ChangeKind::SignatureStandIn => (None, None),
        }
    }

    /// The same of Gemini.
    fn gemini_rule(self) -> Option<&'static str> {
        Some(match self {
            ChangeKind::GapFilled | ChangeKind::ResultOrphan | ChangeKind::ResultLate => "G-012",
            ChangeKind::ResultSecond | ChangeKind::ResultDuplicate => "G-012",
            ChangeKind::ResultHoisted => "G-011",
            ChangeKind::ToolText => "G-002",
            ChangeKind::CallIdRewritten => "G-017",
            ChangeKind::CallNameRewritten | ChangeKind::ToolRenamed => "G-018",
            ChangeKind::CallArgsUnparsed => "G-016",
            ChangeKind::BlankText => "G-005",
            ChangeKind::ThinkingWithheld | ChangeKind::InvalidReplayState => "G-024",
            ChangeKind::ThinkingTrailing => "G-003",
            ChangeKind::ImageUnseen | ChangeKind::ImageTypeCorrected => "G-028",
            ChangeKind::ImageMoved => "G-029",
            ChangeKind::OpaqueNoted | ChangeKind::FileTold | ChangeKind::FileAdapted => "G-006",
            ChangeKind::SurrogateReplaced => "G-10",
            ChangeKind::SystemNoted => "G-027",
            ChangeKind::ContinueAdded => "G-007",
            ChangeKind::MessageJoined => "G-009",
            ChangeKind::SignatureOmitted => "G-024",
            ChangeKind::SignatureStandIn => "G-022",
            ChangeKind::ResultEmpty
            | ChangeKind::CallMisplaced
            | ChangeKind::TextMoved
            | ChangeKind::ThinkingOut
            | ChangeKind::ImageRendition
            | ChangeKind::CitationsOmitted
            | ChangeKind::SystemFloated
            | ChangeKind::ChangeFolded
            | ChangeKind::Cleared
            | ChangeKind::Redacted
            | ChangeKind::StalePrincipal
            | ChangeKind::Compacted
            | ChangeKind::CompactionPairInvalid
            | ChangeKind::DroppedCallNoted
            | ChangeKind::InterruptedNoted
            | ChangeKind::ThinkingTurnedOff
            | ChangeKind::ParameterAdjusted
            | ChangeKind::ParameterOmitted
            | ChangeKind::RefusedReply
            | ChangeKind::ToolMemberOmitted
            | ChangeKind::CallTold
            | ChangeKind::ResultTold
            | ChangeKind::ReasoningEmpty
            | ChangeKind::ToolOmitted
            | ChangeKind::StandInTool
            | ChangeKind::VendorUnknown => return None,
        })
    }

    /// The name in reports.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// What it did.
    pub fn effect(self) -> Effect {
        self.row().1
    }

    /// The rule of a dialect (such as `anthropic_messages`) that the unchanged block would have
    /// broken; none where the kind alone does not say which.
    pub fn rule(self, dialect: &str) -> Option<&'static str> {
        let (anthropic, chat) = self.rules();
        match dialect {
            OPENAI_CHAT => chat,
            OPENAI_RESPONSES => {
                RESPONSES_RULES.iter().find(|(kind, _)| *kind == self).map(|(_, rule)| *rule)
            }
            GEMINI => self.gemini_rule(),
            BEDROCK_CONVERSE => bedrock_converse::rules::of(self),
            _ if dialect == Form::Ollama.api() => chat,
            _ => anthropic,
        }
    }
}

/// The rules of Responses by kind.
const RESPONSES_RULES: &[(ChangeKind, &str)] = &[
    (ChangeKind::GapFilled, "R-001"),
    (ChangeKind::ResultLate, "R-002"),
    (ChangeKind::ResultOrphan, "R-002"),
    (ChangeKind::ResultSecond, "R-005"),
    (ChangeKind::ResultDuplicate, "R-005"),
    (ChangeKind::ToolText, "R-002"),
    (ChangeKind::CallIdRewritten, "R-033"),
    (ChangeKind::CallNameRewritten, "C-010"),
    (ChangeKind::ToolRenamed, "C-010"),
    (ChangeKind::ThinkingWithheld, "R-027"),
    (ChangeKind::ThinkingOut, "R-050"),
    (ChangeKind::ThinkingTrailing, "R-020"),
    (ChangeKind::InvalidReplayState, "R-027"),
    (ChangeKind::ImageUnseen, "C-017"),
    (ChangeKind::ImageTypeCorrected, "C-017"),
    (ChangeKind::OpaqueNoted, "R-039"),
    (ChangeKind::SurrogateReplaced, "G-10"),
    (ChangeKind::ToolMemberOmitted, "R-040"),
];

/// One block that is not on the wire as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// The row; `None` where it is the request's, not a row's.
    pub row: Option<EntryId>,
    /// The block; `None` where it is the whole row.
    pub block: Option<u32>,
    /// What exactly, where the kind does not say it all.
    pub detail: Option<Box<str>>,
}

/// A content unit of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// The parameters.
    Parameters,
    /// Tools or system text.
    Head,
    /// A content block.
    Content {
        /// Index of the message.
        message: u64,
        /// Index of the block in it.
        block: u64,
    },
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unit::Parameters => f.write_str("parameters"),
            Unit::Head => f.write_str("tools/system"),
            Unit::Content { message, block } => write!(f, "messages[{message}].content[{block}]"),
        }
    }
}

/// Why a request does not extend the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MovedReason {
    /// A parameter changed.
    Parameters,
    /// Tools or system text changed.
    Head,
    /// The current authority changed.
    Authority,
    /// A compaction was applied.
    Compaction,
    /// Results were cleared.
    Microcompaction,
    /// Content was retracted.
    Retraction,
    /// Thinking is no longer sent.
    ThinkingSpan,
    /// Images were left out.
    Images,
    /// A system message gave way to a user message.
    DemotedSystemNote,
    /// What the target can carry changed.
    Capability,
    /// This build writes what was sent differently.
    Build,
}

impl MovedReason {
    /// Every reason.
    pub const ALL: [MovedReason; 11] = [
        MovedReason::Parameters,
        MovedReason::Head,
        MovedReason::Authority,
        MovedReason::Compaction,
        MovedReason::Microcompaction,
        MovedReason::Retraction,
        MovedReason::ThinkingSpan,
        MovedReason::Images,
        MovedReason::DemotedSystemNote,
        MovedReason::Capability,
        MovedReason::Build,
    ];

    /// The reason of this name.
    pub(crate) fn named(name: &str) -> Option<MovedReason> {
        MovedReason::ALL.into_iter().find(|reason| reason.as_str() == name)
    }

    /// The name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            MovedReason::Parameters => "parameters",
            MovedReason::Head => "head",
            MovedReason::Authority => "authority",
            MovedReason::Compaction => "compaction",
            MovedReason::Microcompaction => "microcompaction",
            MovedReason::Retraction => "retraction",
            MovedReason::ThinkingSpan => "thinking span",
            MovedReason::Images => "images",
            MovedReason::DemotedSystemNote => "demoted system note",
            MovedReason::Capability => "capability",
            MovedReason::Build => "build",
        }
    }
}

/// What a move costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Bytes of this request from the first unit that moved on: they are written to the cache anew.
    pub cache_bytes: u64,
    /// Messages whose thinking is no longer sent.
    pub thoughts: u64,
}

/// The first place at which a request differs from the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The place.
    pub unit: Unit,
    /// Why.
    pub reason: MovedReason,
    /// What it costs.
    pub cost: Cost,
}

/// What a request does not say as it is stored, and where it departs from the previous one.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub(crate) changes: Chain<Vec<Change>>,
    /// Where this request stops extending the previous one of this agent and target.
    pub moved: Option<Moved>,
    /// Messages on the wire.
    pub messages: u64,
    /// Messages that carry thinking.
    pub thoughts: u64,
    /// Cache breakpoints in the body.
    pub cache_breakpoints: u32,
}

impl Report {
    /// Every block that was changed, left out or added, in the order of the wire.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_that_several_rules_or_a_wish_bring_about_names_none() {
        for kind in [
            ChangeKind::CallTold,
            ChangeKind::ResultTold,
            ChangeKind::CallIdRewritten,
            ChangeKind::BlankText,
            ChangeKind::ThinkingTurnedOff,
            ChangeKind::ToolMemberOmitted,
        ] {
            assert_eq!(kind.rule(OPENAI_CHAT), None, "{}", kind.as_str());
        }
        assert_eq!(ChangeKind::GapFilled.rule(OPENAI_CHAT), Some("C-001"));
    }
}
