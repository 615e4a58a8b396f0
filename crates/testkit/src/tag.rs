//! What is extreme about a history, so that a test can say that every extreme occurred.

macro_rules! tags {
    ($($name:ident),* $(,)?) => {
        /// An extreme of a history.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum Tag { $($name),* }

        impl Tag {
            /// Every tag.
            pub const ALL: &'static [Tag] = &[$(Tag::$name),*];
        }
    };
}

tags! {
    OrphanResult, OrphanCall, DuplicateId, ReusedId, LongId, PunctuatedId, EmptyId, SurrogateId,
    RewrittenFormId, EmptyRow, BlankText, ThinkingOnly, TrailingThinking, RedactedThinking,
    UnsignedThinking, MalformedProof, ForeignProof, IssuerMismatch, LoneSurrogate, Nul,
    LargeResult, DeepInput, MalformedInput, WrongMagic, NotBase64, AssistantImage, ErrorImage,
    Over20Images, Over100Images, UnknownKind, ServerPair, ServerHalf, PauseTurn, Document,
    ThousandCalls, InFlight, OtherAgentSent, OtherTargetSent, ImportedSent, Compaction,
    InvalidCompaction, RetainedSuffix, HandoffByUser, SplitAsFound, Microcompaction,
    RetractedBlock, RetractedRow, RetractedCompaction, RetractedElsewhere, HeadEntry, LeadingSystem,
    MidSystem, SystemChange, CallStarted, CorruptLine, WholeTurnRow, ToolText,
    ResultBesideText, FarResult, SecondDifferentResult, SecondSameResult, LateResult, Interrupted,
    DroppedCall, Audience,
    OtherReplyBetween, LeakedPrincipal, ErrorResult, EmptyResult, PrincipalChange, Running,
    NoContinue, BadTool, SmallBody, Rung, ToolChoice, ExtraParameters, Rendition, ImageLimit,
    Imitation, WrongSide, StaleAnswer, MetaKind, MixedTurn, StandInSignature,
}

/// A set of tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tags(u128);

impl Tags {
    /// Adds a tag.
    pub fn add(&mut self, tag: Tag) {
        self.0 |= 1 << tag as u32;
    }

    /// Whether the tag is there.
    pub fn has(self, tag: Tag) -> bool {
        self.0 & (1 << tag as u32) != 0
    }
}
