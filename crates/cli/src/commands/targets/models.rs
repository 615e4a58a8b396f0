//! The rows of the models, cell by cell.

use stenograph::wire::anthropic_messages::models::{self, Binding, ForcedToolChoice, WhenOmitted};
use stenograph::wire::bedrock_converse::models as converse;
use stenograph::wire::openai_chat::columns::Named;
use stenograph::wire::openai_chat::models::{self as chat, Effort, Instructions};
use stenograph::wire::openai_chat::vendors::Takes;

use crate::to::{ANTHROPIC_MESSAGES, BEDROCK_CONVERSE, OPENAI_CHAT};

/// A model's row.
pub struct ModelRow {
    /// Its name, or the beginning of its family's.
    pub id: &'static str,
    /// The API it is served over.
    pub api: &'static str,
    /// Names and values.
    pub cells: Vec<(&'static str, String)>,
}

/// Every model and family.
pub fn all() -> Vec<ModelRow> {
    let chat = chat::MODELS.iter().map(family);
    let bedrock = converse::MODELS.iter().map(bedrock);
    models::MODELS.iter().map(anthropic).chain(chat).chain(bedrock).collect()
}

/// The row of a name, if it is in one.
pub fn named(name: &str) -> Option<ModelRow> {
    let model = models::model(name);
    if !model.is_unknown() {
        return Some(anthropic(model));
    }
    let model = converse::model(name);
    if !model.is_unknown() {
        return Some(bedrock(model));
    }
    let model = chat::model(name, false);
    (!model.id.is_empty()).then(|| family(model))
}

/// No field is left out: a new one does not compile until it is here.
fn anthropic(model: &models::Model) -> ModelRow {
    let models::Model {
        id,
        thinking_adaptive,
        thinking_enabled,
        thinking_disabled,
        thinking_between_tools,
        thinking_when_omitted,
        thinking_disabled_caps_effort,
        thinking_disabled_refusal,
        forced_tool_choice,
        system_mid_history,
        system_mid_history_seen,
        prefill,
        sampling,
        temperature_with_top_p,
        efforts,
        cache_tokens_min,
        binds_thinking,
        keeps_all_thinking,
        images_max,
        output_tokens_max,
        reads,
    } = *model;
    let flag = |flag: bool| if flag { "yes" } else { "no" }.to_owned();
    let list = |names: &[&str]| if names.is_empty() { "none".into() } else { names.join(", ") };
    let refusal = if thinking_disabled { "" } else { thinking_disabled_refusal };
    let when_omitted = match thinking_when_omitted {
        WhenOmitted::Thinks => "thinks",
        WhenOmitted::DoesNotThink => "does not think",
        WhenOmitted::Unknown => "not known",
    };
    let forced = match forced_tool_choice {
        ForcedToolChoice::Never => "never",
        ForcedToolChoice::ThinkingOff => "where it does not think",
        ForcedToolChoice::Always => "always",
    };
    let binds = match binds_thinking {
        Binding::Yes => "yes",
        Binding::No => "no",
        Binding::Unknown => "not known",
    };
    let cells = vec![
        ("thinking_adaptive", flag(thinking_adaptive)),
        ("thinking_enabled", flag(thinking_enabled)),
        ("thinking_disabled", flag(thinking_disabled)),
        ("thinking_disabled_refusal", refusal.to_owned()),
        ("thinking_disabled_caps_effort", flag(thinking_disabled_caps_effort)),
        ("thinking_between_tools", flag(thinking_between_tools)),
        ("thinking_when_omitted", when_omitted.to_owned()),
        ("binds_thinking", binds.to_owned()),
        ("keeps_all_thinking", flag(keeps_all_thinking)),
        ("reads", list(reads)),
        ("efforts", list(efforts)),
        ("forced_tool_choice", forced.to_owned()),
        ("system_mid_history", flag(system_mid_history)),
        ("system_mid_history_seen", flag(system_mid_history_seen)),
        ("prefill", flag(prefill)),
        ("sampling", flag(sampling)),
        ("temperature_with_top_p", flag(temperature_with_top_p)),
        ("cache_tokens_min", cache_tokens_min.to_string()),
        ("images_max", images_max.to_string()),
        ("output_tokens_max", output_tokens_max.to_string()),
    ];
    ModelRow { id, api: ANTHROPIC_MESSAGES, cells }
}

/// As [`anthropic`]; what the family does not change is the vendor's.
fn family(model: &chat::Model) -> ModelRow {
    let chat::Model {
        id,
        instructions,
        tools_while_reasoning,
        reasons_when_omitted,
        always_thinks,
        effort,
        classic_parameters,
        images,
        system_mid,
        tools_in_system,
        calls_without_reasoning,
        tool_choice_required,
        ids,
    } = *model;
    let changed = |takes: Option<Takes>| takes.map_or("as the vendor", Named::name).to_owned();
    let role = match instructions {
        Instructions::System => "system",
        Instructions::Developer => "developer",
        Instructions::Neither => "neither",
    };
    let effort = match effort {
        Effort::Never => "never",
        Effort::Always => "always",
        Effort::OrNone => "or_none",
    };
    let ids = ids.map_or("as the vendor".to_owned(), |ids| match ids.exact_len {
        Some(len) => format!("{}, {len} characters", ids.charset.name()),
        None => ids.charset.name().to_owned(),
    });
    let cells = vec![
        ("instructions", role.to_owned()),
        ("tools_while_reasoning", tools_while_reasoning.name().to_owned()),
        ("reasons_when_omitted", if reasons_when_omitted { "yes" } else { "no" }.to_owned()),
        ("always_thinks", if always_thinks { "yes" } else { "no" }.to_owned()),
        ("effort", effort.to_owned()),
        ("classic_parameters", classic_parameters.name().to_owned()),
        ("images", changed(images)),
        ("system_mid", changed(system_mid)),
        ("tools_in_system", changed(tools_in_system)),
        ("calls_without_reasoning", changed(calls_without_reasoning)),
        ("tool_choice_required", changed(tool_choice_required)),
        ("ids", ids),
    ];
    ModelRow { id, api: OPENAI_CHAT, cells }
}

/// As [`anthropic`], of a family that Bedrock serves.
fn bedrock(model: &converse::Model) -> ModelRow {
    let converse::Model {
        id,
        claude,
        assistant_first,
        neighbours,
        prefill,
        ids,
        status,
        text_beside_tools,
        images,
        images_in_results,
        documents_in_results,
        buckets,
        buckets_in_results,
        reasoning,
        cache_points,
        system,
        server_tools,
    } = *model;
    let ids = match ids.exact_len {
        Some(len) => format!("{}, {len} characters", ids.charset.name()),
        None => ids.charset.name().to_owned(),
    };
    let takes = |takes: Takes| takes.name().to_owned();
    let cells = vec![
        ("claude", if claude { "yes" } else { "no" }.to_owned()),
        ("assistant_first", takes(assistant_first)),
        ("neighbours", takes(neighbours)),
        ("prefill", takes(prefill)),
        ("ids", ids),
        ("status", takes(status)),
        ("text_beside_tools", takes(text_beside_tools)),
        ("images", takes(images)),
        ("images_in_results", takes(images_in_results)),
        ("documents_in_results", takes(documents_in_results)),
        ("buckets", takes(buckets)),
        ("buckets_in_results", takes(buckets_in_results)),
        ("reasoning", takes(reasoning)),
        ("cache_points", takes(cache_points)),
        ("system", takes(system)),
        ("server_tools", takes(server_tools)),
    ];
    ModelRow { id, api: BEDROCK_CONVERSE, cells }
}
