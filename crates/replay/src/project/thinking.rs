//! What a Claude model is asked about thinking, whoever serves it, and how much it may write.

use json::{Object, Raw};
use record::Rung;
use wire::anthropic_messages::models::{Model, WhenOmitted};

use super::parameters::adjusted;
use crate::fold::Closed;
use crate::now::{Parameters, ThinkingChoice};
use crate::refusal::Refusal;
use crate::report::Change;

/// Output tokens asked for where the caller says nothing and the model allows more.
const MAX_TOKENS_DEFAULT: u64 = 32_000;

/// The smallest thinking budget of the manual mode.
const BUDGET_TOKENS_MIN: u64 = 1024;

/// Beta header that the recovery by dropped blocks needs.
const BINDING_CONTROLS: &str = "thinking-binding-controls-2026-08-01";

/// What a request says of thinking.
pub(super) struct Thinking {
    /// The parameter; none where it is left out.
    pub(super) parameter: Option<Raw>,
    /// Thinking is off because the conversation cannot be sent with it.
    pub(super) turned_off: bool,
    /// The betas it needs.
    pub(super) betas: Vec<&'static str>,
}

impl Thinking {
    /// Decides it for a request of this many output tokens.
    pub(super) fn of(
        model: &Model,
        asked: ThinkingChoice,
        closed: &Closed,
        max_tokens: u64,
        rung: Option<Rung>,
        changes: &mut Vec<Change>,
    ) -> Result<Thinking, Refusal> {
        let mut thinks = match asked {
            ThinkingChoice::AsRecorded => closed.last_turn_thinks.unwrap_or(false),
            ThinkingChoice::On => true,
            ThinkingChoice::Off => false,
        };
        let manual = model.thinking_enabled && !model.thinking_adaptive;
        let lacks_thought = closed.turn_runs && !closed.assistant_starts_with_thinking;
        let turned_off = thinks && manual && lacks_thought;
        if turned_off {
            if !model.thinking_disabled && model.thinking_when_omitted == WhenOmitted::Thinks {
                let what = "the thought before the running calls";
                return Err(Refusal::CannotCarry { rule: "A-051", what });
            }
            thinks = false;
        }
        let mut betas = Vec::new();
        let mut thinking = thinking(model, thinks, max_tokens);
        if is_unheard(model, asked, thinking.is_some()) && !turned_off {
            changes.push(adjusted("thinking"));
        }
        if rung == Some(Rung::DropBlock) {
            betas.push(BINDING_CONTROLS);
            thinking = Some(dropping(thinking));
        }
        let parameter = thinking.map(|thinking| thinking.finish());
        Ok(Thinking { parameter, turned_off, betas })
    }
}

/// Output tokens: what is asked for, as far as the model writes so many.
pub(super) fn max_tokens(model: &Model, asked: &Parameters, changes: &mut Vec<Change>) -> u64 {
    let ceiling = match model.output_tokens_max {
        0 => MAX_TOKENS_DEFAULT,
        max => u64::from(max),
    };
    let wanted = asked.max_tokens.unwrap_or(MAX_TOKENS_DEFAULT.min(ceiling));
    let max_tokens = wanted.clamp(1, ceiling);
    if max_tokens != wanted {
        changes.push(adjusted("max_tokens"));
    }
    max_tokens
}

/// Whether what was asked about thinking cannot be said to this model.
fn is_unheard(model: &Model, asked: ThinkingChoice, said: bool) -> bool {
    let omitted = model.thinking_when_omitted;
    match asked {
        ThinkingChoice::AsRecorded => false,
        ThinkingChoice::On => !said && omitted != WhenOmitted::Thinks,
        ThinkingChoice::Off => !said && omitted != WhenOmitted::DoesNotThink,
    }
}

/// The thinking parameter that also asks for blocks of another prefix to be dropped.
fn dropping(thinking: Option<Object>) -> Object {
    let mut binding = Object::new();
    binding.string("prefix_mismatch_behavior", "drop_block");
    let mut with = thinking.unwrap_or_else(|| {
        let mut adaptive = Object::new();
        adaptive.string("type", "adaptive");
        adaptive
    });
    with.raw("block_binding", &binding.finish());
    with
}

/// The thinking parameter, in the form the model takes; `None` is leaving it out.
fn thinking(model: &Model, thinks: bool, max_tokens: u64) -> Option<Object> {
    let mut out = Object::new();
    let thinks_alone = model.thinking_when_omitted == WhenOmitted::Thinks;
    if thinks {
        if thinks_alone {
            return None;
        }
        if model.thinking_adaptive {
            out.string("type", "adaptive");
            return Some(out);
        }
        let budget = (max_tokens / 2).max(BUDGET_TOKENS_MIN);
        if model.thinking_enabled && budget < max_tokens {
            out.string("type", "enabled").number("budget_tokens", budget);
            return Some(out);
        }
        return None;
    }
    if thinks_alone && model.thinking_disabled {
        out.string("type", "disabled");
        return Some(out);
    }
    if thinks_alone && model.thinking_between_tools {
        out.string("type", "between_tools");
        return Some(out);
    }
    None
}
