//! What was found wrong while loading: never an error, never a loss in silence.

use std::fmt;

/// The closed list of what loading reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FindingKind {
    /// A line is not a JSON object, or is over a limit; it is kept raw.
    CorruptLine,
    /// A second entry of one id; the first counts.
    DuplicateRow,
    /// A parent that is not in the record; file order stands in for it.
    DanglingParent,
    /// A field has a type this build cannot read; it is kept raw.
    UnreadField,
    /// Identical repeated blocks of one response were taken once.
    CollapsedBlock,
    /// A complete object was recovered from a damaged line.
    RecoveredObject,
    /// A compaction without a usable summary applies nothing.
    CompactionPairInvalid,
    /// A replay envelope that does not fit its blocks was set aside whole.
    EnvelopeMisaligned,
    /// Something the format does not name was assumed, and is said.
    Assumed,
    /// Content that is kept and exported again but takes no part in the view.
    KeptAside,
    /// An image whose type or data is not what it says.
    ImageCorrected,
    /// The file names history that is kept elsewhere and is not in it.
    HistoryElsewhere,
    /// The file holds several conversations.
    SeveralConversations,
    /// A result and the record of its run differ; the record counts.
    ResultMismatch,
    /// The record of a run without what the model was given is no result.
    LegacyToolRecord,
}

impl FindingKind {
    /// Every kind, for tables and tests.
    pub const ALL: [FindingKind; 15] = [
        FindingKind::CorruptLine,
        FindingKind::DuplicateRow,
        FindingKind::DanglingParent,
        FindingKind::UnreadField,
        FindingKind::CollapsedBlock,
        FindingKind::RecoveredObject,
        FindingKind::CompactionPairInvalid,
        FindingKind::EnvelopeMisaligned,
        FindingKind::Assumed,
        FindingKind::KeptAside,
        FindingKind::ImageCorrected,
        FindingKind::HistoryElsewhere,
        FindingKind::SeveralConversations,
        FindingKind::ResultMismatch,
        FindingKind::LegacyToolRecord,
    ];

    /// The name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            FindingKind::CorruptLine => "CORRUPT_LINE",
            FindingKind::DuplicateRow => "DUPLICATE_ROW",
            FindingKind::DanglingParent => "DANGLING_PARENT",
            FindingKind::UnreadField => "UNREAD_FIELD",
            FindingKind::CollapsedBlock => "COLLAPSED_BLOCK",
            FindingKind::RecoveredObject => "RECOVERED_OBJECT",
            FindingKind::CompactionPairInvalid => "COMPACTION_PAIR_INVALID",
            FindingKind::EnvelopeMisaligned => "ENVELOPE_MISALIGNED",
            FindingKind::Assumed => "ASSUMED",
            FindingKind::KeptAside => "KEPT_ASIDE",
            FindingKind::ImageCorrected => "IMAGE_CORRECTED",
            FindingKind::HistoryElsewhere => "HISTORY_ELSEWHERE",
            FindingKind::SeveralConversations => "SEVERAL_CONVERSATIONS",
            FindingKind::ResultMismatch => "RESULT_MISMATCH",
            FindingKind::LegacyToolRecord => "LEGACY_TOOL_RECORD",
        }
    }
}

/// A place in a file: a line, or a value of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1; 0 where the file has no lines.
    pub line: u64,
    /// Byte offset of the line or value in the file.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u64,
}

impl Place {
    /// The byte offset behind it.
    pub fn end(self) -> u64 {
        self.offset + self.bytes
    }
}

/// One finding, with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// The file, as the caller named it.
    pub file: String,
    /// Line, from 1; 0 where the file has no lines.
    pub line: u64,
    /// Byte offset of the line (or value) in the file.
    pub offset: u64,
    /// How many bytes it concerns.
    pub bytes: u64,
    /// What exactly, in a sentence.
    pub detail: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}:{} (byte {}, {} bytes): {}",
            self.kind.as_str(),
            self.file,
            self.line,
            self.offset,
            self.bytes,
            self.detail
        )
    }
}
