//! Parameters of a request: in a fixed order ahead of everything else.

use json::{Object, Raw, Text};
use record::Rung;
use wire::anthropic_messages::lint::{LintOptions, lint};
use wire::anthropic_messages::models::{Model, WhenOmitted};

use crate::fold::Closed;
use crate::now::{Parameters, ThinkingChoice};
use crate::project::parameters::{Written, adjusted, chosen, without_refused};
use crate::refusal::Refusal;

/// Output tokens asked for where the caller says nothing and the model allows more.
const MAX_TOKENS_DEFAULT: u64 = 32_000;

/// The smallest thinking budget of the manual mode (A-012).
const BUDGET_TOKENS_MIN: u64 = 1024;

/// Beta header that the recovery by dropped blocks needs (A-065).
const BINDING_CONTROLS: &str = "thinking-binding-controls-2026-08-01";

/// Parameters this writer places itself, or that would not be what the record says.
const OWN: &[&str] =
    &["model", "max_tokens", "thinking", "tools", "system", "messages", "cache_control"];

/// Parameters that are no part of the prompt: neither the cache nor what a thought is bound to
/// depends on them (A-063, A-087). Any other is taken to be, one that is not known included.
const NO_PROMPT: &[&str] = &[
    "max_tokens",
    "metadata",
    "stop_sequences",
    "stream",
    "temperature",
    "top_p",
    "top_k",
    "service_tier",
    "inference_geo",
    "billing_policy",
    "diagnostics",
    "fallback_credit_token",
    "user_profile_id",
];

/// Writes the parameters of a request to `model`.
pub(crate) fn write(
    model: &Model,
    name: &str,
    asked: &Parameters,
    closed: &Closed,
    tools: &[Text],
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
    let unheard = is_unheard(model, asked.thinking, thinking.is_some());
    if unheard && !turned_off {
        changes.push(adjusted("thinking"));
    }
    if rung == Some(Rung::DropBlock) {
        betas.push(BINDING_CONTROLS);
        thinking = Some(dropping(thinking));
    }
    let mut own = vec![("max_tokens", Raw::number(max_tokens))];
    own.extend(thinking.map(|thinking| ("thinking", thinking.finish())));
    let chosen = chosen(asked, |name| OWN.contains(&name), &mut changes);
    let refused = |bytes: &[u8], chosen: &[(&str, &Raw)]| refused(bytes, tools, &betas, chosen);
    let (bytes, prompt) = without_refused(name, &own, chosen, NO_PROMPT, &mut changes, refused);
    Ok(Written { bytes, prompt, betas, changes, turned_off })
}

/// Asks the rule book about the parameters alone: what a caller chose is somebody else's JSON, and
/// what a model takes of it are many rules (A-003, A-013, A-014, A-045, A-046). Gives one that is
/// refused.
fn refused(
    bytes: &[u8],
    tools: &[Text],
    betas: &[&'static str],
    chosen: &[(&str, &Raw)],
) -> Option<usize> {
    if chosen.is_empty() {
        return None;
    }
    let mut body = bytes.to_vec();
    for (index, tool) in tools.iter().enumerate() {
        body.extend_from_slice(if index == 0 { br#","tools":["# } else { b"," });
        body.extend_from_slice(br#"{"name":"#);
        json::escape::push_literal(&mut body, tool);
        body.extend_from_slice(br#","input_schema":{"type":"object"}}"#);
    }
    body.extend_from_slice(if tools.is_empty() { b"" } else { b"]" });
    body.extend_from_slice(br#","messages":[{"role":"user","content":"."}]}"#);
    let options = LintOptions { betas, ..LintOptions::default() };
    lint(&body, &options).iter().find_map(|finding| {
        let place = |name: &str| chosen.iter().position(|(known, _)| *known == name);
        match finding.path.split('.').next().unwrap_or_default() {
            // A body that cannot be read has no path.
            "" => Some(chosen.len() - 1),
            // How much to think stands elsewhere than whether to.
            "thinking" => place("output_config"),
            name => place(name),
        }
    })
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

/// The thinking parameter that also asks for blocks of another prefix to be dropped (A-065).
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
