//! System text, and parameters that depend on each other.

use std::collections::HashSet;

use json::Value;

use super::Body;
use super::conversation::{Kind, Role};
use crate::anthropic_messages::models::{ForcedToolChoice, WhenOmitted};
use crate::bedrock_converse::rules::WRAPPED;
use crate::report::Report;
use crate::takes::Takes;

/// B-021, B-023 and B-027.
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    system(body, report);
    forced(body, report);
    sampling(body, report);
    server_tools(body, report);
}

/// B-023.
fn system(body: &Body<'_, '_>, report: &mut Report) {
    let blocks: Vec<Value<'_, '_>> =
        body.param("system").into_iter().flat_map(Value::items).collect();
    if let Some(first) = blocks.first() {
        let path = "system".to_owned();
        report.unless(body.model.system, "B-023", path, first.offset(), &[]);
    }
    for (index, block) in blocks.iter().enumerate() {
        let text = block.get("text").and_then(|text| Some((text.offset(), text.as_str()?)));
        let Some((offset, text)) = text else { continue };
        if !text.chars().all(char::is_whitespace) {
            continue;
        }
        let words = format!(
            "The text field in the SystemContentBlock object at system.{index} is blank. Add text \
             to the text field, and try again."
        );
        let takes = if text.is_empty() { Takes::No } else { Takes::Doubtful };
        report.say_unless(takes, "B-023", format!("system.{index}"), offset, words);
    }
}

/// The thinking parameter of Claude's own API.
fn thinking<'d, 't>(body: &Body<'d, 't>) -> Option<Value<'d, 't>> {
    body.param("additionalModelRequestFields")?.get("thinking").filter(|value| !value.is_null())
}

/// Whether the model thinks in this request.
fn thinks(body: &Body<'_, '_>) -> bool {
    match thinking(body).and_then(|thinking| thinking.get_str("type")).as_deref() {
        Some("enabled" | "adaptive" | "between_tools") => true,
        Some(_) => false,
        None => {
            body.claude.is_some_and(|claude| claude.thinking_when_omitted == WhenOmitted::Thinks)
        }
    }
}

/// B-021 for a choice of tools.
fn forced(body: &Body<'_, '_>, report: &mut Report) {
    let Some(claude) = body.claude else { return };
    let choice = body.param("toolConfig").and_then(|config| config.get("toolChoice"));
    let Some(choice) = choice else { return };
    if choice.get("any").is_none() && choice.get("tool").is_none() {
        return;
    }
    let path = "toolConfig.toolChoice".to_owned();
    match claude.forced_tool_choice {
        ForcedToolChoice::Never => {
            let words = format!(
                "{WRAPPED}tool_choice: type \"tool\" and \"any\" are not supported for this model."
            );
            let takes = if claude.is_unknown() { Takes::Doubtful } else { Takes::No };
            report.say_unless(takes, "B-021", path, choice.offset(), words);
        }
        ForcedToolChoice::ThinkingOff if thinks(body) => {
            report.add("B-021", path, choice.offset(), &[]);
        }
        ForcedToolChoice::ThinkingOff | ForcedToolChoice::Always => {}
    }
}

/// B-021 for sampling.
fn sampling(body: &Body<'_, '_>, report: &mut Report) {
    let (Some(claude), Some(config)) = (body.claude, body.param("inferenceConfig")) else { return };
    for name in ["temperature", "topP"] {
        let Some(value) = config.get(name).filter(|value| !value.is_null()) else { continue };
        if value.as_f64() == Some(1.0) {
            continue;
        }
        let path = format!("inferenceConfig.{name}");
        let manual = thinks(body) && name == "temperature";
        if manual && claude.sampling {
            let words = format!(
                "{WRAPPED}`temperature` may only be set to 1 when thinking is enabled or in \
                 adaptive mode."
            );
            report.say("B-021", path, value.offset(), words);
        } else if !claude.sampling {
            let words = format!("{WRAPPED}`{name}` is deprecated for this model.");
            let takes = if claude.is_unknown() { Takes::Doubtful } else { Takes::No };
            report.say_unless(takes, "B-021", path, value.offset(), words);
        }
    }
}

/// B-027.
fn server_tools(body: &Body<'_, '_>, report: &mut Report) {
    for message in body.messages.iter().filter(|message| message.role == Role::Assistant) {
        let mut called = HashSet::new();
        for block in message.blocks.iter().filter(|block| block.is_servers()) {
            let (path, offset) = (block.member("type"), block.value.offset());
            report.unless(body.model.server_tools, "B-027", path.clone(), offset, &[]);
            if block.kind == Kind::ToolUse {
                called.insert(block.id());
            } else if !called.contains(&block.id()) {
                let words = "a result of the service's own tool without its call".to_owned();
                report.say_unless(Takes::Doubtful, "B-027", path, offset, words);
            }
        }
    }
}
