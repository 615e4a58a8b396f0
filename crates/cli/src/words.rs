//! What the names of changes mean, in words for a person, and how places are named.
#![deny(clippy::wildcard_enum_match_arm)]

use std::borrow::Cow;

use stenograph::formats::three_logs;
use stenograph::record::{Block, EntryId, Finding, FindingKind};
use stenograph::replay::{Change, ChangeKind, Effect};

use crate::view::View;

/// Length of an id written as a UUID, and how much of one is shown.
const UUID_CHARS: usize = 36;
const UUID_SHOWN: usize = 8;

/// What was done, in a sentence about one block.
pub fn of_change(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::GapFilled => "a call without a result gets a stand-in that says so",
        ChangeKind::ResultHoisted => "a result stands directly after its call",
        ChangeKind::ResultLate => "a result that came after its gap was told stands as evidence",
        ChangeKind::ResultOrphan => "a result without its call stands as evidence",
        ChangeKind::ResultSecond => "a second, different result stands as evidence",
        ChangeKind::ResultDuplicate => "an identical second result is left out",
        ChangeKind::ResultEmpty => "a result without output says so",
        ChangeKind::ToolText => "text under the tool role is carried by the user side",
        ChangeKind::CallIdRewritten => "a call's id is mapped to one the provider takes",
        ChangeKind::CallNameRewritten => "a call's name is mapped to one the provider takes",
        ChangeKind::CallArgsUnparsed => "arguments that are no object are carried as raw text",
        ChangeKind::CallMisplaced => "a call outside of an assistant message is named in a note",
        ChangeKind::BlankText => "a blank text block is left out",
        ChangeKind::TextMoved => "text after a call stands before the first call",
        ChangeKind::ThinkingWithheld => "a thought without a proof this model reads is left out",
        ChangeKind::ThinkingOut => "a thought whose prefix is not this one is left out",
        ChangeKind::ThinkingTrailing => "a thought that would end its message is left out",
        ChangeKind::InvalidReplayState => "a message's proofs cannot be read and are left out",
        ChangeKind::ImageUnseen => "an image is left out, a marker stands in its place",
        ChangeKind::ImageTypeCorrected => "an image's type is the one its bytes have",
        ChangeKind::ImageRendition => "an image's smaller form, made on import, is sent",
        ChangeKind::ImageMoved => "an image stands after the results instead of inside one",
        ChangeKind::OpaqueNoted => "a block of an unknown kind is named in a note",
        ChangeKind::FileAdapted => "a file goes out without all that was said of it",
        ChangeKind::FileTold => "a file that is text, or a search result, is told in words",
        ChangeKind::CitationsOmitted => "citations are left out, their text is not",
        ChangeKind::SurrogateReplaced => "a lone surrogate or a NUL is written as U+FFFD",
        ChangeKind::SystemNoted => "a system text inside the conversation is a note",
        ChangeKind::SystemFloated => "a system message stands after a later user message",
        ChangeKind::ChangeFolded => "a declared change is part of the tools and system text",
        ChangeKind::Cleared => "a result's output is cleared from the view",
        ChangeKind::Redacted => "retracted content leaves a note",
        ChangeKind::StalePrincipal => "an old block of current authority is left out",
        ChangeKind::Compacted => "earlier messages are replaced by a compaction's handoff",
        ChangeKind::CompactionPairInvalid => "a compaction without a handoff is not applied",
        ChangeKind::ContinueAdded => "a continuation prompt is added",
        ChangeKind::DroppedCallNoted => "a note tells of a call that was cut off and not run",
        ChangeKind::InterruptedNoted => "a note tells that the reply was interrupted",
        ChangeKind::ThinkingTurnedOff => "thinking is off in this request",
        ChangeKind::ParameterAdjusted => {
            "a parameter the model does not take is left out or another"
        }
        ChangeKind::RefusedReply => "a reply the provider refused to go on with is left out",
        ChangeKind::ToolMemberOmitted => {
            "a member of a tool that the wire does not take is left out"
        }
        ChangeKind::CallTold => "a call is told in a record of actions",
        ChangeKind::ResultTold => "a result is told in a record of actions",
        ChangeKind::MessageJoined => "a message goes on in one that was sent before",
        ChangeKind::ReasoningEmpty => "an empty thought stands where one is due beside calls",
        ChangeKind::ToolRenamed => "a tool's name is mapped to one the vendor takes",
        ChangeKind::ParameterOmitted => "a parameter of the recorded request is not taken over",
        ChangeKind::ToolOmitted => "a tool that cannot be called there is left out",
        ChangeKind::StandInTool => "a tool that does nothing stands for those the history calls",
        ChangeKind::VendorUnknown => "nothing is known of the vendor: written as for the strictest",
        ChangeKind::SignatureOmitted => "a signature of another issuer is left out",
        ChangeKind::SignatureStandIn => "the documented stand-in for a signature is on a call",
    }
}

/// The word for what a change did.
pub fn of_effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Changed => "changed",
        Effect::Omitted => "omitted",
        Effect::Added => "added",
    }
}

/// Whether a finding of an import says that the file is damaged. The others say how it was read.
pub fn is_damage(kind: FindingKind) -> bool {
    match kind {
        FindingKind::CorruptLine
        | FindingKind::DuplicateRow
        | FindingKind::DanglingParent
        | FindingKind::UnreadField
        | FindingKind::CompactionPairInvalid
        | FindingKind::EnvelopeMisaligned
        | FindingKind::ResultMismatch
        | FindingKind::LegacyToolRecord
        | FindingKind::HistoryElsewhere
        | FindingKind::ImageCorrected => true,
        FindingKind::CollapsedBlock
        | FindingKind::RecoveredObject
        | FindingKind::Assumed
        | FindingKind::KeptAside
        | FindingKind::SeveralConversations => false,
    }
}

/// An id, short where it is long and its beginning tells it apart.
pub fn short(id: &EntryId) -> Cow<'_, str> {
    let text = id.as_str();
    match text.get(..UUID_SHOWN) {
        Some(start) if text.len() == UUID_CHARS && text.is_ascii() => Cow::Borrowed(start),
        _ => Cow::Borrowed(text),
    }
}

/// Where a finding stands, beside the file's name.
pub fn place_of_finding(finding: &Finding) -> String {
    match (finding.line, finding.offset) {
        (0, 0) => "the file".to_owned(),
        (0, offset) => format!("byte {offset}"),
        (line, _) => match three_logs::file_of(&finding.file) {
            Some(file) => format!("{file}, line {line}"),
            None => format!("line {line}"),
        },
    }
}

/// Where the block of a change is stored: entry, block, and lines of the file.
pub fn place_of_change(view: &View, change: &Change) -> String {
    let Some(row) = &change.row else { return "the request".to_owned() };
    let mut place = format!("entry {}", short(row));
    if let Some(block) = change.block {
        place.push_str(&format!(" block {block}"));
    }
    let Some(entry) = view.entry(row) else { return place };
    let lines = entry.origin.as_deref().map_or(&[][..], |origin| &origin.lines);
    // Where each block came from a line of its own, that line is the place.
    let blocks = entry.message().map_or(0, |message| message.blocks.len());
    let own = change.block.filter(|_| blocks == lines.len());
    let own = own.and_then(|block| lines.get(block as usize));
    match (own, lines) {
        (Some(line), _) | (None, [line]) => match three_logs::place(line.number) {
            Some((file, line)) => place.push_str(&format!(" ({file}, line {line})")),
            None => place.push_str(&format!(" (line {})", line.number)),
        },
        (None, [first, .., last]) => place.push_str(&span(first.number, last.number)),
        (None, []) => {}
    }
    place
}

/// From the first to the last line of an entry, which may be in files of a directory.
fn span(first: u64, last: u64) -> String {
    match (three_logs::place(first), three_logs::place(last)) {
        (Some((file, from)), Some((other, to))) if file == other => {
            format!(" ({file}, lines {from}-{to})")
        }
        (Some((file, from)), Some((other, to))) => {
            format!(" ({file}, line {from}, to {other}, line {to})")
        }
        (None, _) | (_, None) => format!(" (lines {first}-{last})"),
    }
}

/// The stored block a change is about.
pub fn block_of<'v>(view: &'v View, change: &Change) -> Option<&'v Block> {
    let message = view.entry(change.row.as_ref()?)?.message()?;
    message.blocks.get(change.block? as usize)
}

/// The id of the call or result a change is about.
pub fn call_id_of<'v>(view: &'v View, change: &Change) -> Option<&'v str> {
    match block_of(view, change)? {
        Block::ToolUse(call) => Some(&call.id),
        Block::ToolResult(result) => Some(&result.tool_use_id),
        Block::Text(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => None,
    }
}
