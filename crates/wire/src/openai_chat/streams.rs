//! How vendors stream, as data: one row for each that does it otherwise than the original.
//!
//! What can be told from a chunk itself is no row: which key the reasoning stands under, where the
//! usage stands, an id that comes again, no `[DONE]`.

use super::vendors;

/// How the pieces of calls belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallPieces {
    /// By `index`, and where there is none by `id`.
    Joined,
    /// A piece that names its tool begins a call, whatever its `index` says.
    Named,
}

/// Whether `completion_tokens` holds the tokens of the reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasoningTokens {
    /// They are among them.
    Within,
    /// They come on top.
    Beside,
}

/// Whether a stream with calls says how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReasons {
    /// It does; one that does not is told of.
    Given,
    /// It may be an empty word or none.
    MayLack,
}

/// How a vendor streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// How the pieces of calls belong together.
    pub calls: CallPieces,
    /// Whether the output is counted with the reasoning.
    pub reasoning_tokens: ReasoningTokens,
    /// Whether a stream with calls has a finish reason.
    pub finish_reasons: FinishReasons,
}

const THE_ORIGINAL: Stream = Stream {
    calls: CallPieces::Joined,
    reasoning_tokens: ReasoningTokens::Within,
    finish_reasons: FinishReasons::Given,
};

/// The vendors that stream otherwise, by the names their platform goes by.
pub const STREAMS: &[(&str, Stream)] = &[
    // Parallel calls all have index 0 and may have no id.
    ("google", Stream { calls: CallPieces::Named, ..THE_ORIGINAL }),
    // Older builds give every call the index 0.
    ("ollama", Stream { calls: CallPieces::Named, ..THE_ORIGINAL }),
    // `total_tokens` is prompt, completion and reasoning (section 7); calls may end with an empty
    // finish reason (section 6).
    (
        "xai",
        Stream {
            reasoning_tokens: ReasoningTokens::Beside,
            finish_reasons: FinishReasons::MayLack,
            ..THE_ORIGINAL
        },
    ),
];

/// How the vendor of this name streams.
pub fn stream(vendor: &str) -> Stream {
    let name = vendors::canonical(vendor).unwrap_or(vendor);
    let row = STREAMS.iter().find(|(known, _)| *known == name);
    row.map_or(THE_ORIGINAL, |(_, stream)| *stream)
}
