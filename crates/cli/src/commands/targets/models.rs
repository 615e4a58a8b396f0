//! The rows of the models, cell by cell.

use stenograph::wire::anthropic_messages::models::{self, Binding, ForcedToolChoice, WhenOmitted};
use stenograph::wire::bedrock_converse::models as converse;
use stenograph::wire::gemini::models::{self as gemini, Thinking};
use stenograph::wire::openai_chat::columns::Named;
use stenograph::wire::openai_chat::models::{self as chat, Effort, Instructions};
use stenograph::wire::openai_chat::vendors::Takes;
use stenograph::wire::openai_responses::models as responses;

use crate::to::{ANTHROPIC_MESSAGES, BEDROCK_CONVERSE, GEMINI, OPENAI_CHAT, OPENAI_RESPONSES};

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
    let anthropic = models::MODELS.iter().map(anthropic);
    let gemini = gemini::MODELS.iter().map(google);
    let responses = responses::MODELS.iter().map(over_responses);
    let families = chat::MODELS.iter().map(family);
    let bedrock = converse::MODELS.iter().map(bedrock);
    anthropic.chain(gemini).chain(families).chain(responses).chain(bedrock).collect()
}

/// The row of a name, if it is in one.
pub fn named(name: &str) -> Option<ModelRow> {
    let model = models::model(name);
    if !model.is_unknown() {
        return Some(anthropic(model));
    }
    let model = gemini::model(name);
    if !model.id.is_empty() {
        return Some(google(model));
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
    let binds = bound(binds_thinking);
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

/// As [`anthropic`], over Gemini.
fn google(model: &gemini::Model) -> ModelRow {
    let gemini::Model {
        id,
        calls_unsigned,
        call_ids,
        ids,
        parts_in_responses,
        server_tools,
        last_model,
        parts_beside_responses,
        thinking,
        output_tokens_max,
    } = *model;
    let thinks = match thinking {
        Thinking::Never => "never".to_owned(),
        Thinking::Level => "a level".to_owned(),
        Thinking::Unknown => "not known".to_owned(),
        Thinking::Budget { min, max, off, alone } => {
            let off = if off { ", or off" } else { "" };
            let alone = if alone { "" } else { "; not unless asked" };
            format!("a budget of {min} to {max}{off}{alone}")
        }
    };
    let max = if output_tokens_max == 0 { String::new() } else { output_tokens_max.to_string() };
    let cells = vec![
        ("calls_unsigned", calls_unsigned.name().to_owned()),
        ("call_ids", call_ids.name().to_owned()),
        ("ids", ids.charset.name().to_owned()),
        ("parts_in_responses", parts_in_responses.name().to_owned()),
        ("parts_beside_responses", parts_beside_responses.name().to_owned()),
        ("server_tools", server_tools.name().to_owned()),
        ("last_model", last_model.name().to_owned()),
        ("thinking", thinks),
        ("output_tokens_max", max),
    ];
    ModelRow { id, api: GEMINI, cells }
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
    let effort = asked(effort);
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

/// As [`anthropic`], over Responses.
fn over_responses(model: &responses::Model) -> ModelRow {
    let responses::Model {
        id,
        reasons,
        effort,
        images,
        sampling,
        additional_tools,
        configuration_update,
        binds_reasoning,
    } = *model;
    let cells = vec![
        ("reasons", reasons.name().to_owned()),
        ("effort", asked(effort).to_owned()),
        ("images", images.name().to_owned()),
        ("sampling", sampling.name().to_owned()),
        ("additional_tools", additional_tools.name().to_owned()),
        ("configuration_update", configuration_update.name().to_owned()),
        ("binds_reasoning", bound(binds_reasoning).to_owned()),
    ];
    ModelRow { id, api: OPENAI_RESPONSES, cells }
}

fn bound(binding: Binding) -> &'static str {
    match binding {
        Binding::Yes => "yes",
        Binding::No => "no",
        Binding::Unknown => "not known",
    }
}

fn asked(effort: Effort) -> &'static str {
    match effort {
        Effort::Never => "never",
        Effort::Always => "always",
        Effort::OrNone => "or_none",
    }
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
