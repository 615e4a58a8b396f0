//! The models as data: what each family takes, and the strictest row for a name nobody knows.
//!
//! A row is a family: `gemini-3` is also `gemini-3-pro-preview`; of several the longest counts.

use crate::grammar::{Charset, Grammar};
use crate::takes::Takes;
use Takes::{Doubtful, No, Yes};

/// How a model is told how much to think (G-032).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinking {
    /// It does not think.
    Never,
    /// `thinkingBudget` between these; 0 besides where it can be turned off.
    Budget {
        /// The least.
        min: i64,
        /// The most.
        max: i64,
        /// Whether 0 is taken.
        off: bool,
        /// Whether it thinks where nothing is said.
        alone: bool,
    },
    /// `thinkingLevel`; it cannot be turned off.
    Level,
    /// Not known.
    Unknown,
}

/// What a family of models takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// The start of the names of the family; empty for [`UNKNOWN`].
    pub id: &'static str,
    /// The first call of a step without a signature (G-022).
    pub calls_unsigned: Takes,
    /// Ids of calls, wherever it is served (G-017).
    pub call_ids: Takes,
    /// Which ids (G-017).
    pub ids: Grammar,
    /// `functionResponse.parts` (G-029).
    pub parts_in_responses: Takes,
    /// Parts of server tools, and built-in tools beside functions (G-019, G-030).
    pub server_tools: Takes,
    /// A request that ends with the model (G-007), where the platform does not refuse it.
    pub last_model: Takes,
    /// On Vertex, text or media beside function responses (G-014).
    pub parts_beside_responses: Takes,
    /// How it is told how much to think (G-032).
    pub thinking: Thinking,
    /// Upper limit of `maxOutputTokens`; 0 where it is not known.
    pub output_tokens_max: u64,
}

/// The model a history that names none is sent to.
pub const DEFAULT_MODEL: &str = "gemini-3-flash-preview";

/// Any id at all.
const ANY: Grammar = Grammar { charset: Charset::Any, max_len: None, exact_len: None, others: Yes };

/// Ids of models of other makers.
const WORD: Grammar =
    Grammar { charset: Charset::Word, max_len: Some(64), exact_len: None, others: No };

/// The same, where it is not known that others are refused.
const WORD_OR_MORE: Grammar = Grammar { others: Doubtful, ..WORD };

/// Names of functions that every server takes, as one is made (G-018).
pub const NAMES: Grammar =
    Grammar { charset: Charset::LetterFirst, max_len: Some(64), exact_len: None, others: No };

/// A model that is in no row: what one refuses, it refuses.
pub static UNKNOWN: Model = Model {
    id: "",
    calls_unsigned: Doubtful,
    call_ids: Doubtful,
    ids: WORD_OR_MORE,
    parts_in_responses: Doubtful,
    server_tools: Doubtful,
    last_model: Doubtful,
    parts_beside_responses: No,
    thinking: Thinking::Unknown,
    output_tokens_max: 0,
};

/// Before Gemini 2.5.
const EARLY: Model = Model {
    id: "",
    calls_unsigned: Yes,
    call_ids: Doubtful,
    ids: ANY,
    parts_in_responses: No,
    server_tools: No,
    last_model: Doubtful,
    parts_beside_responses: Doubtful,
    thinking: Thinking::Never,
    output_tokens_max: 8_192,
};

/// Gemini 2.5, which thinks by a budget.
const BUDGETED: Model = Model { output_tokens_max: 65_536, ..EARLY };

/// Gemini 3, which signs its calls.
const SIGNING: Model = Model {
    calls_unsigned: No,
    call_ids: Yes,
    parts_in_responses: Yes,
    server_tools: Yes,
    parts_beside_responses: No,
    thinking: Thinking::Level,
    ..BUDGETED
};

/// From 3.5 on no turn of the model may stand last.
const ASKED: Model = Model { last_model: No, ..SIGNING };

const PRO: Thinking = Thinking::Budget { min: 128, max: 32_768, off: false, alone: true };
const FLASH: Thinking = Thinking::Budget { min: 1, max: 24_576, off: true, alone: true };
const FLASH_LITE: Thinking = Thinking::Budget { min: 512, max: 24_576, off: true, alone: false };

/// Models of other makers behind the same wire.
const FOREIGN: Model = Model { calls_unsigned: Yes, ids: WORD, ..UNKNOWN };

/// Every family, each name once.
pub static MODELS: &[Model] = &[
    Model { id: "gemini-1.5", ..EARLY },
    Model { id: "gemini-2.0", ..EARLY },
    Model { id: "gemini-2.5-pro", thinking: PRO, ..BUDGETED },
    Model { id: "gemini-2.5-flash", thinking: FLASH, ..BUDGETED },
    Model { id: "gemini-2.5-flash-lite", thinking: FLASH_LITE, ..BUDGETED },
    Model { id: "gemini-2.5-flash-image", ..BUDGETED },
    Model { id: "gemini-3", ..SIGNING },
    Model { id: "gemini-3.1", ..SIGNING },
    Model { id: "gemini-3.5", ..ASKED },
    Model { id: "gemini-3.6", ..ASKED },
    Model { id: "gemini-3.7", ..ASKED },
    Model { id: "gemini-3.8", ..ASKED },
    Model { id: "claude", ..FOREIGN },
    Model { id: "gpt-oss", ..FOREIGN },
];

/// The row of a model's name, with a path before it or not.
pub fn model(name: &str) -> &'static Model {
    let bare = bare(name);
    let of_family = |model: &&Model| {
        let rest = bare.strip_prefix(model.id);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', ':', '@']))
    };
    MODELS.iter().filter(of_family).max_by_key(|model| model.id.len()).unwrap_or(&UNKNOWN)
}

/// A model's name without the path it stands behind: `models/`, a publisher's.
pub fn bare(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
