//! The rules of this wire that a block would have broken unchanged.

use crate::report::ChangeKind;

/// The rule behind a change; none where it is now one, now another, or the caller's wish.
pub(crate) fn of(kind: ChangeKind) -> Option<&'static str> {
    match kind {
        ChangeKind::GapFilled
        | ChangeKind::ResultLate
        | ChangeKind::ResultOrphan
        | ChangeKind::ResultSecond
        | ChangeKind::ResultDuplicate
        | ChangeKind::ToolText
        | ChangeKind::CallMisplaced => Some("B-007"),
        ChangeKind::ResultHoisted => Some("B-008"),
        ChangeKind::ResultEmpty => Some("B-004"),
        ChangeKind::CallIdRewritten | ChangeKind::CallNameRewritten | ChangeKind::ToolRenamed => {
            Some("B-010")
        }
        ChangeKind::CallArgsUnparsed => Some("B-011"),
        ChangeKind::BlankText => Some("B-005"),
        ChangeKind::TextMoved => Some("B-029"),
        ChangeKind::ThinkingWithheld => Some("B-019"),
        ChangeKind::ThinkingOut | ChangeKind::InvalidReplayState => Some("B-020"),
        ChangeKind::ThinkingTrailing | ChangeKind::ContinueAdded => Some("B-003"),
        ChangeKind::ImageUnseen | ChangeKind::ImageTypeCorrected | ChangeKind::ImageRendition => {
            Some("B-018")
        }
        ChangeKind::ImageMoved => Some("B-016"),
        ChangeKind::OpaqueNoted
        | ChangeKind::FileTold
        | ChangeKind::FileAdapted
        | ChangeKind::SurrogateReplaced
        | ChangeKind::ToolMemberOmitted => Some("B-025"),
        ChangeKind::SystemNoted => Some("B-024"),
        ChangeKind::MessageJoined => Some("B-002"),
        ChangeKind::StandInTool => Some("B-009"),
        ChangeKind::CallTold | ChangeKind::ResultTold => Some("B-014"),
        ChangeKind::CitationsOmitted
        | ChangeKind::SystemFloated
        | ChangeKind::ChangeFolded
        | ChangeKind::ThinkingTurnedOff
        | ChangeKind::ReasoningEmpty
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
        | ChangeKind::SignatureOmitted
        | ChangeKind::SignatureStandIn
        | ChangeKind::VendorUnknown => None,
    }
}
