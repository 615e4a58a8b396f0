//! Parameters of a request: in a fixed order ahead of everything else.

use json::{Object, Raw};
use record::Rung;
use wire::anthropic_messages::models::{ForcedToolChoice, Model, WhenOmitted};

use crate::fold::Closed;
use crate::now::{Parameters, ThinkingChoice};
use crate::refusal::Refusal;
use crate::report::{Change, ChangeKind};

/// Output tokens asked for where the caller says nothing and the model allows more.
const MAX_TOKENS_DEFAULT: u64 = 32_000;

/// The smallest thinking budget of the manual mode.
const BUDGET_TOKENS_MIN: u64 = 1024;

/// Beta header that the recovery by dropped blocks needs.
const BINDING_CONTROLS: &str = "thinking-binding-controls-2026-08-01";

/// Parameters newer models refuse, and thinking does not go with.
const SAMPLING: &[&str] = &["temperature", "top_p", "top_k"];

/// Parameters this writer places itself, or that would not be what the record says.
const OWN: &[&str] =
    &["model", "max_tokens", "thinking", "tool_choice", "tools", "system", "messages"];

/// The parameters as bytes, and what they need beside the body.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// `{"model":...` without the closing brace.
    pub(crate) bytes: Vec<u8>,
    pub(crate) betas: Vec<&'static str>,
    /// What was left out or is another.
    pub(crate) changes: Vec<Change>,
    /// Thinking is off because the running tool loop has no thought to begin with.
    pub(crate) turned_off: bool,
}

/// Writes the parameters of a request to `model`.
pub(crate) fn write(
    model: &Model,
    name: &str,
    asked: &Parameters,
    closed: &Closed,
    has_tools: bool,
    rung: Option<Rung>,
) -> Result<Written, Refusal> {
    let ceiling = match model.output_tokens_max {
        0 => MAX_TOKENS_DEFAULT,
        max => u64::from(max),
    };
    let mut changes = Vec::new();
    let wanted = asked.max_tokens.unwrap_or(MAX_TOKENS_DEFAULT.min(ceiling));
    let max_tokens = wanted.clamp(1, ceiling);
    if max_tokens != wanted {
        changes.push(adjusted("max_tokens"));
    }
    let mut thinks = match asked.thinking {
        ThinkingChoice::AsRecorded => closed.last_turn_thinks.unwrap_or(false),
        ThinkingChoice::On => true,
        ThinkingChoice::Off => false,
    };
    let manual = model.thinking_enabled && !model.thinking_adaptive;
    let lacks_thought = closed.ends_with_results && !closed.assistant_starts_with_thinking;
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
    let unheard = is_unheard(model, asked.thinking, thinking.is_some());
    if unheard && !turned_off {
        changes.push(adjusted("thinking"));
    }
    if rung == Some(Rung::DropBlock) {
        betas.push(BINDING_CONTROLS);
        thinking = Some(dropping(thinking));
    }
    let mut out = Object::new();
    out.string("model", name).number("max_tokens", max_tokens);
    if let Some(thinking) = thinking {
        out.raw("thinking", &thinking.finish());
    }
    if let Some(choice) = &asked.tool_choice {
        if has_tools && may_choose(model, choice, thinks) {
            out.raw("tool_choice", choice);
        } else {
            changes.push(adjusted("tool_choice"));
        }
    }
    for (name, value) in &asked.extra {
        let sampling = SAMPLING.contains(&name.as_str()) && (!model.sampling || thinks);
        if OWN.contains(&name.as_str()) || sampling {
            changes.push(adjusted(name));
        } else {
            out.raw(name, value);
        }
    }
    Ok(Written { bytes: open(&out.finish()), betas, changes, turned_off })
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

fn adjusted(name: &str) -> Change {
    let detail = Some(name.into());
    Change { kind: ChangeKind::ParameterAdjusted, row: None, block: None, detail }
}

/// Whether the model takes this choice: some never take a forced call.
fn may_choose(model: &Model, choice: &Raw, thinks: bool) -> bool {
    let doc = choice.doc();
    let forced = matches!(doc.root().get_str("type").as_deref(), Some("any" | "tool"));
    match model.forced_tool_choice {
        ForcedToolChoice::Always => true,
        ForcedToolChoice::ThinkingOff => !forced || !thinks,
        ForcedToolChoice::Never => !forced,
    }
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

fn open(object: &Raw) -> Vec<u8> {
    let text = object.as_str();
    text.get(..text.len() - 1).unwrap_or_default().as_bytes().to_vec()
}
