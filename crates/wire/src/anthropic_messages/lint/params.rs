//! Parameters, alone and against the model's row: limits, sampling, effort, thinking, forced
//! calls, prefill, pre-warm, context management.

use json::{Kind as JsonKind, Value};

use super::conversation::{Kind, Role};
use super::limits::{MESSAGES_MAX, TOP_P_THINKING_MIN};
use super::{Body, LintOptions, Platform};
use crate::anthropic_messages::models::{ForcedToolChoice, WhenOmitted};
use crate::anthropic_messages::rules::RULES;
use crate::report::Report;

///
pub(super) fn check(body: &Body<'_, '_>, options: &LintOptions<'_>, report: &mut Report) {
    envelope(body, options, report);
    output_tokens(body, report);
    thinking(body, report);
    sampling(body, report);
    effort(body, report);
    forced_calls(body, report);
    prefill(body, report);
    pre_warm(body, report);
    context_edits(body, report);
    compaction(body, report);
}

/// A finding that rests on the model's row: doubtful where the row is a guess.
fn refuse(
    body: &Body<'_, '_>,
    rule: &str,
    path: &str,
    value: Value<'_, '_>,
    words: String,
    report: &mut Report,
) {
    let say = if body.model.is_unknown() { Report::warn_say } else { Report::say };
    say(report, rule, path.to_owned(), value.offset(), words);
}

/// A-001, and the model where nothing else names it.
fn envelope(body: &Body<'_, '_>, options: &LintOptions<'_>, report: &mut Report) {
    let in_address = options.model.is_some() || body.platform != Platform::ClaudeApi;
    if body.param("model").is_none() && !in_address {
        let words = "model: Field required".to_owned();
        report.say("A-003", "model".to_owned(), body.root.offset(), words);
    }
    let Some(messages) = body.param("messages") else { return };
    let count = body.conversation.messages.len();
    if count == 0 && messages.kind() == JsonKind::Array {
        report.add("A-001", "messages".to_owned(), messages.offset(), &[]);
    }
    if let Some(extra) = body.conversation.messages.get(MESSAGES_MAX) {
        let words = format!("messages: List should have at most {MESSAGES_MAX} items");
        let path = format!("messages.{MESSAGES_MAX}");
        report.say("A-001", path, extra.value.offset(), words);
    }
}

///
fn output_tokens(body: &Body<'_, '_>, report: &mut Report) {
    let Some(value) = body.param("max_tokens") else { return };
    let Some(tokens) = value.as_u64() else { return };
    let max = u64::from(body.model.output_tokens_max);
    if tokens > max && !body.has_beta("output-") {
        let words = format!(
            "max_tokens: {tokens} > {max}, which is the maximum allowed number of output tokens \
             for {}",
            body.model_name
        );
        refuse(body, "A-012", "max_tokens", value, words, report);
    }
    let budget = body.param("thinking").and_then(|thinking| thinking.get("budget_tokens"));
    let Some(budget) = budget.filter(|_| !body.has_beta("interleaved-thinking-")) else { return };
    if budget.as_u64().is_some_and(|budget| budget >= tokens) {
        let words = "`max_tokens` must be greater than `thinking.budget_tokens`".to_owned();
        report.say("A-012", "thinking.enabled.budget_tokens".to_owned(), budget.offset(), words);
    }
}

///
fn thinking(body: &Body<'_, '_>, report: &mut Report) {
    let Some(value) = body.param("thinking") else { return };
    let Some(kind) = body.param_type("thinking") else { return };
    let model = body.model;
    let enabled = || RULES.iter().find(|rule| rule.id == "A-059").map_or("", |rule| rule.says);
    let words = match &*kind {
        "adaptive" if !model.thinking_adaptive => {
            "adaptive thinking is not supported on this model"
        }
        "enabled" if !model.thinking_enabled => enabled(),
        "disabled" if !model.thinking_disabled => model.thinking_disabled_refusal,
        "between_tools" if !model.thinking_between_tools => {
            "\"thinking.type.between_tools\" is not supported for this model."
        }
        "disabled" if model.thinking_disabled_caps_effort && has_high_effort(body) => {
            "\"thinking.type.disabled\" is not supported with effort above high on this model."
        }
        "between_tools" if has_high_effort(body) => {
            "\"thinking.type.between_tools\" is not supported with effort above high."
        }
        _ => return,
    };
    refuse(body, "A-059", "thinking", value, words.to_owned(), report);
}

fn effort_level<'d, 't>(body: &Body<'d, 't>) -> Option<Value<'d, 't>> {
    body.param("output_config")?.get("effort").filter(|effort| !effort.is_null())
}

fn has_high_effort(body: &Body<'_, '_>) -> bool {
    effort_level(body).is_some_and(|effort| effort.is_str("xhigh") || effort.is_str("max"))
}

/// Whether the model thinks in this request; for an unknown model, unless it is told not to.
fn thinks(body: &Body<'_, '_>) -> bool {
    match body.param_type("thinking").as_deref() {
        Some("disabled" | "between_tools") => false,
        Some(_) => true,
        None => match body.model.thinking_when_omitted {
            WhenOmitted::Thinks | WhenOmitted::Unknown => true,
            WhenOmitted::DoesNotThink => false,
        },
    }
}

///
fn sampling(body: &Body<'_, '_>, report: &mut Report) {
    let [temperature, top_p, top_k] =
        ["temperature", "top_p", "top_k"].map(|name| body.param(name));
    let is_not_one = |value: &Value<'_, '_>| value.as_f64().is_some_and(|number| number != 1.0);
    if !body.model.sampling {
        let refused = [
            ("temperature", temperature.filter(is_not_one)),
            ("top_p", top_p.filter(is_not_one)),
            ("top_k", top_k),
        ];
        for (name, value) in refused {
            if let Some(value) = value {
                let words = format!("`{name}` is deprecated for this model.");
                refuse(body, "A-013", name, value, words, report);
            }
        }
        return;
    }
    if let (Some(_), Some(value), false) = (temperature, top_p, body.model.temperature_with_top_p) {
        let words = "`temperature` and `top_p` cannot both be specified for this model. Please \
                     use only one.";
        report.say("A-013", "top_p".to_owned(), value.offset(), words.to_owned());
    }
    if !thinks(body) {
        return;
    }
    if let Some(value) = temperature.filter(is_not_one) {
        let words = "`temperature` may only be set to 1 when thinking is enabled or in adaptive \
                     mode.";
        report.say("A-013", "temperature".to_owned(), value.offset(), words.to_owned());
    }
    if let Some(value) = top_k {
        let words = "`top_k` must be unset when thinking is enabled or in adaptive mode.";
        report.say("A-013", "top_k".to_owned(), value.offset(), words.to_owned());
    }
    let low = |value: &Value<'_, '_>| value.as_f64().is_some_and(|p| p < TOP_P_THINKING_MIN);
    if let Some(value) = top_p.filter(low) {
        let words = "`top_p` must be greater than or equal to 0.95 or unset when thinking is \
                     enabled or in adaptive mode.";
        report.say("A-013", "top_p".to_owned(), value.offset(), words.to_owned());
    }
}

/// A-014, for the request and for system messages that set it.
fn effort(body: &Body<'_, '_>, report: &mut Report) {
    let own = effort_level(body).map(|effort| ("output_config.effort".to_owned(), effort));
    let messages = body.conversation.messages.iter().enumerate();
    let later = messages.filter(|(_, message)| message.role == Role::System);
    let later = later.filter_map(|(index, message)| {
        let effort = message.value.get("output_config")?.get("effort")?;
        Some((format!("messages.{index}.output_config.effort"), effort))
    });
    for (path, value) in own.into_iter().chain(later) {
        let Some(level) = value.as_str() else { continue };
        let levels = body.model.efforts;
        if levels.contains(&&*level) {
            continue;
        }
        let words = if levels.is_empty() {
            "This model does not support the effort parameter.".to_owned()
        } else {
            let levels = levels.join(", ");
            format!(
                "This model does not support effort level '{level}'. Supported levels: {levels}."
            )
        };
        refuse(body, "A-014", &path, value, words, report);
    }
}

///
fn forced_calls(body: &Body<'_, '_>, report: &mut Report) {
    let Some(value) = body.param("tool_choice") else { return };
    if !matches!(body.param_type("tool_choice").as_deref(), Some("any" | "tool")) {
        return;
    }
    let model = body.model;
    match model.forced_tool_choice {
        ForcedToolChoice::Never => {
            let words = "tool_choice: type \"tool\" and \"any\" are not supported for this model.";
            refuse(body, "A-046", "tool_choice", value, words.to_owned(), report);
        }
        ForcedToolChoice::ThinkingOff if thinks(body) => {
            let words = "Thinking may not be enabled when tool_choice forces tool use.".to_owned();
            // Adaptive thinking let it pass where the model has both modes, and so did thinking
            // that nobody asked for.
            let asked = body.param_type("thinking");
            let adaptive = model.thinking_enabled && model.thinking_adaptive;
            let passed = asked.is_none() || adaptive && asked.as_deref() != Some("enabled");
            let say = if passed { Report::warn_say } else { Report::say };
            say(report, "A-046", "tool_choice".to_owned(), value.offset(), words);
        }
        ForcedToolChoice::ThinkingOff | ForcedToolChoice::Always => {}
    }
}

/// the last message is no assistant's, unless the turn waits for a server tool.
fn prefill(body: &Body<'_, '_>, report: &mut Report) {
    let Some(turn) = body.conversation.turns.last() else { return };
    if turn.role != Role::Assistant || body.model.prefill {
        return;
    }
    let blocks = body.conversation.blocks(&turn.blocks);
    let answered: std::collections::HashSet<_> = blocks
        .iter()
        .filter(|block| block.kind == Kind::ServerResult)
        .map(|block| block.id())
        .collect();
    let waits = |block: &super::conversation::Block<'_, '_>| {
        block.kind == Kind::ServerToolUse && !answered.contains(&block.id())
    };
    if blocks.iter().any(waits) {
        return;
    }
    let Some(last) = body.conversation.messages.last() else { return };
    let path = format!("messages.{}", body.conversation.messages.len() - 1);
    let paused = blocks.last().is_some_and(|block| block.kind == Kind::ServerResult);
    let add = if paused || body.model.is_unknown() { Report::warn } else { Report::add };
    add(report, "A-008", path, last.value.offset(), &[]);
}

/// `max_tokens: 0` writes the cache and asks for nothing.
fn pre_warm(body: &Body<'_, '_>, report: &mut Report) {
    if body.param("max_tokens").and_then(Value::as_u64) != Some(0) {
        return;
    }
    let stream = body.param("stream").filter(|stream| stream.as_bool() == Some(true));
    let thinking = body
        .param("thinking")
        .filter(|thinking| thinking.get("type").is_some_and(|kind| kind.is_str("enabled")));
    let config = body.param("output_config").and_then(|config| config.get("format"));
    let format = config.filter(|format| !format.is_null()).or_else(|| body.param("output_format"));
    let choice = body.param("tool_choice").filter(|choice| {
        choice.get("type").is_some_and(|kind| kind.is_str("any") || kind.is_str("tool"))
    });
    let refused = [
        ("stream", stream),
        ("thinking", thinking),
        ("output_config.format", format),
        ("tool_choice", choice),
    ];
    for (name, value) in refused {
        if let Some(value) = value {
            report.add("A-088", name.to_owned(), value.offset(), &[("param", &name)]);
        }
    }
}

/// where the schema does not say it.
fn context_edits(body: &Body<'_, '_>, report: &mut Report) {
    let edits = body.param("context_management").and_then(|config| config.get("edits"));
    for (index, edit) in edits.into_iter().flat_map(|edits| edits.items()).enumerate() {
        let is_thinking =
            edit.get("type").is_some_and(|kind| kind.is_str("clear_thinking_20251015"));
        if is_thinking && index > 0 {
            report.add("A-120", format!("context_management.edits.{index}"), edit.offset(), &[]);
        }
    }
}

/// compaction blocks, and compaction on demand.
fn compaction(body: &Body<'_, '_>, report: &mut Report) {
    for (index, block) in body.conversation.all().iter().enumerate() {
        if block.kind != Kind::Compaction {
            continue;
        }
        if let Some(content) = block.value.get("content").filter(|content| content.is_str("")) {
            let path = format!("{}.compaction.content", block.path());
            let words = format!("{path}: compaction content must not be empty");
            report.say("A-122", path, content.offset(), words);
        }
        let signed = block.value.get("signature").is_some_and(|proof| !proof.is_null());
        if signed && index > 0 {
            let path = block.path();
            let words = format!("{path}: compaction_block_misplaced");
            report.say("A-123", path, block.value.offset(), words);
        }
    }
    let Some(value) = body.param("compaction") else { return };
    if body.param("context_management").is_some() {
        report.add("A-123", "compaction".to_owned(), value.offset(), &[]);
    }
    let calls = body.conversation.messages.last().is_some_and(|message| {
        let blocks = body.conversation.blocks(&message.blocks);
        blocks.iter().any(|block| block.kind == Kind::ToolUse)
    });
    if calls {
        let words = "compaction: compaction_block_incomplete_turn".to_owned();
        report.say("A-123", "compaction".to_owned(), value.offset(), words);
    }
}
