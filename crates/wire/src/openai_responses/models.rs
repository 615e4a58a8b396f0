//! The models as data: what a model takes of this API.
//!
//! A row is a family: `gpt-5.6` is also `gpt-5.6-sol`. A name in no row is [`UNKNOWN`].

use crate::family::family;
use crate::openai_chat::models::Effort;
use crate::takes::Takes;
use Takes::{Doubtful, No, Yes};

/// Whether a thought goes back only under the prefix it was produced under.
pub use crate::anthropic_messages::models::Binding;

/// What a family of models takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// The start of the names of the family; empty for [`UNKNOWN`].
    pub id: &'static str,
    /// It reasons: it takes thoughts back and gives them sealed.
    pub reasons: Takes,
    /// What it takes of `reasoning.effort`.
    pub effort: Effort,
    /// Images (C-018).
    pub images: Takes,
    /// `temperature` and `top_p` (C-034).
    pub sampling: Takes,
    /// Tools declared in the conversation.
    pub additional_tools: Takes,
    /// A change of parameters in the conversation.
    pub configuration_update: Takes,
    /// Whether thoughts are bound to their prefix.
    pub binds_reasoning: Binding,
}

/// A model that does not reason.
const PLAIN: Model = Model {
    id: "",
    reasons: No,
    effort: Effort::Never,
    images: Yes,
    sampling: Yes,
    additional_tools: No,
    configuration_update: No,
    binds_reasoning: Binding::No,
};

/// A model that does, and whose thoughts are not known to be bound.
const REASONS: Model = Model {
    reasons: Yes,
    effort: Effort::Always,
    sampling: No,
    binds_reasoning: Binding::Unknown,
    ..PLAIN
};

/// gpt-5.4 and 5.5: the effort can be `none`.
const OR_NOT: Model = Model { effort: Effort::OrNone, ..REASONS };

/// gpt-5.6: tools can come in the conversation.
const GROWS: Model = Model { additional_tools: Yes, ..OR_NOT };

/// A model that is in no row.
pub static UNKNOWN: Model = Model {
    reasons: Doubtful,
    images: Doubtful,
    sampling: Doubtful,
    additional_tools: Doubtful,
    configuration_update: Doubtful,
    binds_reasoning: Binding::Unknown,
    ..PLAIN
};

/// Every family, each name once.
pub static MODELS: &[Model] = &[
    Model { id: "gpt-3.5-turbo", images: No, ..PLAIN },
    Model { id: "gpt-4", images: No, ..PLAIN },
    Model { id: "gpt-4-turbo", ..PLAIN },
    Model { id: "gpt-4o", ..PLAIN },
    Model { id: "chatgpt-4o", ..PLAIN },
    Model { id: "gpt-4.1", ..PLAIN },
    Model { id: "gpt-4.5", ..PLAIN },
    Model { id: "o1", ..REASONS },
    Model { id: "o1-mini", images: No, ..REASONS },
    Model { id: "o1-preview", images: No, ..REASONS },
    Model { id: "o3", ..REASONS },
    Model { id: "o3-mini", images: No, ..REASONS },
    Model { id: "o4-mini", ..REASONS },
    Model { id: "codex-mini", ..REASONS },
    Model { id: "gpt-5", ..REASONS },
    Model { id: "gpt-5.1", ..REASONS },
    Model { id: "gpt-5.2", ..REASONS },
    Model { id: "gpt-5.3", ..REASONS },
    Model { id: "gpt-5.4", ..OR_NOT },
    Model { id: "gpt-5.5", ..OR_NOT },
    Model { id: "gpt-5.6", ..GROWS },
    Model { id: "gpt-6", configuration_update: Yes, binds_reasoning: Binding::Yes, ..GROWS },
];

/// The row of a model's name; of several families the longest.
pub fn model(name: &str) -> &'static Model {
    family(name, MODELS, |model| model.id).unwrap_or(&UNKNOWN)
}

/// A name without the date of its snapshot: `gpt-5-2025-08-07` is a `gpt-5`.
pub fn undated(name: &str) -> &str {
    let Some((before, date)) = name.len().checked_sub(11).and_then(|at| name.split_at_checked(at))
    else {
        return name;
    };
    let is_date = date.bytes().zip(0..).all(|(byte, at)| match at {
        0 | 5 | 8 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    if is_date { before } else { name }
}
