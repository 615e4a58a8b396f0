//! The models as data: what a model changes about the row of the vendor that serves it.
//!
//! A row is a family: `gpt-5.6` is also `gpt-5.6-sol`. A name in no row changes nothing, except
//! where the vendor serves OpenAI's models ([`UNKNOWN`]).

use super::vendors::{Grammar, NINE, Takes};
use crate::family::family;
use Takes::{Doubtful, No, Yes};

/// In which role a model takes its instructions (C-019).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// `system`.
    System,
    /// `developer` where the vendor takes it; `system` is accepted.
    Developer,
    /// Neither role is accepted.
    Neither,
}

/// What a model takes of `reasoning_effort`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// It is refused, or not known to be taken.
    Never,
    /// How much; not `none`.
    Always,
    /// How much, or `none`.
    OrNone,
}

/// What a family of models changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// The start of the names of the family; empty for [`UNKNOWN`].
    pub id: &'static str,
    /// The role of its instructions.
    pub instructions: Instructions,
    /// Function tools while it reasons (C-025).
    pub tools_while_reasoning: Takes,
    /// It reasons where a request does not say (C-025).
    pub reasons_when_omitted: bool,
    /// It cannot be asked not to reason (K-020).
    pub always_thinks: bool,
    /// What `reasoning_effort` it takes.
    pub effort: Effort,
    /// `max_tokens`, `stop`, `prediction` and a `temperature` of its own (C-034).
    pub classic_parameters: Takes,
    /// Images (C-018).
    pub images: Option<Takes>,
    /// System messages after the first user message (K-002).
    pub system_mid: Option<Takes>,
    /// `tools` in a system message (K-004).
    pub tools_in_system: Option<Takes>,
    /// Calls without their reasoning (K-020), where the vendor has a place for reasoning.
    pub calls_without_reasoning: Option<Takes>,
    /// A forced call (K-033).
    pub tool_choice_required: Option<Takes>,
    /// Ids of calls (M-4).
    pub ids: Option<Grammar>,
}

/// A model that changes nothing.
const PLAIN: Model = Model {
    id: "",
    instructions: Instructions::System,
    tools_while_reasoning: Yes,
    reasons_when_omitted: false,
    always_thinks: false,
    effort: Effort::Never,
    classic_parameters: Yes,
    images: None,
    system_mid: None,
    tools_in_system: None,
    calls_without_reasoning: None,
    tool_choice_required: None,
    ids: None,
};

/// An OpenAI model that is in no row.
pub static UNKNOWN: Model = Model {
    instructions: Instructions::System,
    tools_while_reasoning: Doubtful,
    reasons_when_omitted: true,
    classic_parameters: Doubtful,
    images: Some(Doubtful),
    ..PLAIN
};

/// A model of another vendor that is in no row.
static NEUTRAL: Model = PLAIN;

/// Without eyes.
const BLIND: Model = Model { images: Some(No), ..PLAIN };

/// OpenAI's reasoning models.
const REASONS: Model = Model {
    instructions: Instructions::Developer,
    effort: Effort::Always,
    classic_parameters: No,
    ..PLAIN
};

/// The first two of them.
const EARLY: Model = Model {
    instructions: Instructions::Neither,
    effort: Effort::Never,
    images: Some(No),
    ..REASONS
};

/// gpt-5.4 and 5.5: a reasoning effort and tools exclude each other.
const TOOLS_OR_EFFORT: Model =
    Model { tools_while_reasoning: No, effort: Effort::OrNone, system_mid: Some(Yes), ..REASONS };

/// gpt-5.6 and later: the effort is there unless it is `none`.
const TOOLS_OR_REASONING: Model = Model { reasons_when_omitted: true, ..TOOLS_OR_EFFORT };

/// Reasoning has to come back with calls.
const REMEMBERS: Model = Model { calls_without_reasoning: Some(No), ..PLAIN };

/// Reasoning and system messages as [`REMEMBERS`], and system messages anywhere.
const REMEMBERS_AND_LISTENS: Model = Model { system_mid: Some(Yes), ..REMEMBERS };

/// The same, and its reasoning cannot be turned off.
const ALWAYS_REMEMBERS: Model = Model { always_thinks: true, ..REMEMBERS_AND_LISTENS };

/// Mistral's, wherever they are served.
const NINE_SIGNS: Model = Model { ids: Some(Grammar { others: Doubtful, ..NINE }), ..PLAIN };

/// Every family, each name once.
pub static MODELS: &[Model] = &[
    Model { id: "gpt-3.5-turbo", ..BLIND },
    Model { id: "gpt-4", ..BLIND },
    Model { id: "gpt-4-turbo", ..PLAIN },
    Model { id: "gpt-4o", ..PLAIN },
    Model { id: "chatgpt-4o", ..PLAIN },
    Model { id: "gpt-4.1", ..PLAIN },
    Model { id: "gpt-4.5", ..PLAIN },
    Model { id: "o1-mini", ..EARLY },
    Model { id: "o1-preview", ..EARLY },
    Model { id: "o1", ..REASONS },
    Model { id: "o3", ..REASONS },
    Model { id: "o3-mini", images: Some(No), ..REASONS },
    Model { id: "o4-mini", ..REASONS },
    Model { id: "gpt-5", ..REASONS },
    Model { id: "gpt-5.1", ..REASONS },
    Model { id: "gpt-5.2", ..REASONS },
    Model { id: "gpt-5.3", ..REASONS },
    Model { id: "gpt-5.4", ..TOOLS_OR_EFFORT },
    Model { id: "gpt-5.5", ..TOOLS_OR_EFFORT },
    Model { id: "gpt-5.6", ..TOOLS_OR_REASONING },
    Model { id: "gpt-6", ..TOOLS_OR_REASONING },
    Model { id: "deepseek-reasoner", ..REMEMBERS },
    Model { id: "deepseek-v4", ..REMEMBERS },
    Model { id: "deepseek-v4-pro", ..REMEMBERS_AND_LISTENS },
    Model { id: "deepseek-pro", ..REMEMBERS_AND_LISTENS },
    Model { id: "deepseek-flash", ..REMEMBERS },
    Model { id: "deepseek-chat", calls_without_reasoning: Some(Yes), ..PLAIN },
    Model { id: "kimi-k2", calls_without_reasoning: Some(Yes), ..PLAIN },
    Model { id: "kimi-k2-thinking", calls_without_reasoning: Some(Doubtful), ..PLAIN },
    Model { id: "kimi-k2.5", ..REMEMBERS },
    Model { id: "kimi-k2.6", ..REMEMBERS_AND_LISTENS },
    Model { id: "kimi-k2.7", ..REMEMBERS_AND_LISTENS },
    Model { id: "kimi-k2.7-code", ..ALWAYS_REMEMBERS },
    Model { id: "kimi-k3", tools_in_system: Some(Yes), ..ALWAYS_REMEMBERS },
    Model { id: "mimo", ..REMEMBERS },
    Model { id: "qwen3-coder", tool_choice_required: Some(Doubtful), ..PLAIN },
    Model { id: "qwen-3-coder", tool_choice_required: Some(Doubtful), ..PLAIN },
    Model { id: "mistral", ..NINE_SIGNS },
    Model { id: "magistral", ..NINE_SIGNS },
    Model { id: "ministral", ..NINE_SIGNS },
    Model { id: "devstral", ..NINE_SIGNS },
    Model { id: "codestral", ..NINE_SIGNS },
    Model { id: "pixtral", ..NINE_SIGNS },
];

/// The row of a model's name as people and gateways write it, with the vendor's or an author's
/// path before it; of several families the longest. `serves_openai` is the vendor's.
pub fn model(name: &str, serves_openai: bool) -> &'static Model {
    let family = family(name, MODELS, |model| model.id);
    family.unwrap_or(if serves_openai { &UNKNOWN } else { &NEUTRAL })
}
