//! The shapes of the API: what has to be there, of which type, one member to a block.

use json::{Kind as JsonKind, Value};

use super::Body;
use super::conversation::{Block, Kind, Role};
use crate::bedrock_converse::rules::WRAPPED;
use crate::report::{Fill, Report};
use crate::takes::Takes;

/// Members of a body, `modelId` among them, which clients' own files have.
const PARAMETERS: &[&str] = &[
    "modelId",
    "messages",
    "system",
    "toolConfig",
    "inferenceConfig",
    "outputConfig",
    "additionalModelRequestFields",
    "additionalModelResponseFieldPaths",
    "guardrailConfig",
    "performanceConfig",
    "promptVariables",
    "requestMetadata",
    "serviceTier",
];

/// Stop sequences of a request (B-025).
const STOP_SEQUENCES_MAX: usize = 2500;

/// Characters of an id, and of a name (B-010).
const ID_CHARS_MAX: usize = 64;

const ID_PATTERN: &str = "[a-zA-Z0-9_.:-]+";
const NAME_PATTERN: &str = "[a-zA-Z0-9_-]+";

/// What a block, by its kind, has to hold besides.
const REQUIRED: &[(Kind, &[(&str, JsonKind)])] = &[
    (Kind::Image, &[("format", JsonKind::String), ("source", JsonKind::Object)]),
    (Kind::Document, &[("name", JsonKind::String), ("source", JsonKind::Object)]),
    (Kind::ToolUse, &[("toolUseId", JsonKind::String), ("name", JsonKind::String)]),
    (Kind::ToolResult, &[("toolUseId", JsonKind::String), ("content", JsonKind::Array)]),
    (Kind::CachePoint, &[("type", JsonKind::String)]),
];

/// B-010, B-011, B-024 and B-025.
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    if body.root.kind() != JsonKind::Object {
        let words = "The request body is no object".to_owned();
        return report.say("B-025", String::new(), body.root.offset(), words);
    }
    parameters(body, report);
    tools(body, report);
    for message in &body.messages {
        let path = format!("messages.{}", message.index);
        role(body, message.index, message.role, message.value, report);
        match message.value.get("content") {
            Some(content) if content.kind() == JsonKind::Array => {}
            Some(content) => wrong(format!("{path}.content"), content, "a list", report),
            None => missing(format!("{path}.content"), message.value, report),
        }
        for block in &message.blocks {
            one(block, report);
            match block.kind {
                Kind::ToolUse => call(body, block, report),
                Kind::ToolResult => result(body, block, report),
                Kind::Reasoning => thought(block, report),
                Kind::Text
                | Kind::Image
                | Kind::Document
                | Kind::Video
                | Kind::Audio
                | Kind::CachePoint
                | Kind::GuardContent
                | Kind::Citations
                | Kind::SearchResult
                | Kind::ToolAddition
                | Kind::ToolRemoval
                | Kind::Other => {}
            }
        }
    }
}

fn parameters(body: &Body<'_, '_>, report: &mut Report) {
    for (key, value) in body.root.members() {
        let name = key.as_str().unwrap_or_default();
        if !PARAMETERS.contains(&&*name) {
            let words = format!("Unknown parameter in input: \"{name}\"");
            report.warn_say("B-025", name.into_owned(), value.offset(), words);
        }
    }
    match body.root.get("messages") {
        None if body.param("promptVariables").is_some() => {}
        None => missing("messages".to_owned(), body.root, report),
        Some(list) if list.kind() != JsonKind::Array => {
            wrong("messages".to_owned(), list, "a list", report);
        }
        Some(list) if list.items().next().is_none() => {
            let words = "A conversation must have at least one message.".to_owned();
            report.say("B-025", "messages".to_owned(), list.offset(), words);
        }
        Some(_) => {}
    }
    for (name, kind, what) in [
        ("system", JsonKind::Array, "a list"),
        ("toolConfig", JsonKind::Object, "an object"),
        ("inferenceConfig", JsonKind::Object, "an object"),
    ] {
        if let Some(value) = body.param(name).filter(|value| value.kind() != kind) {
            wrong(name.to_owned(), value, what, report);
        }
    }
    let config = body.param("inferenceConfig");
    for (key, value) in config.into_iter().flat_map(Value::members) {
        let name = key.as_str().unwrap_or_default();
        let path = format!("inferenceConfig.{name}");
        match &*name {
            "maxTokens" => {}
            "temperature" | "topP" => {
                let share = value.as_f64().is_some_and(|share| (0.0..=1.0).contains(&share));
                if !share && !value.is_null() {
                    let words = format!("Invalid range for parameter {path}, valid range: 0-1");
                    report.say("B-025", path, value.offset(), words);
                }
            }
            "stopSequences" => {
                if value.items().nth(STOP_SEQUENCES_MAX).is_some() {
                    let words = format!(
                        "Invalid length for parameter {path}, valid max length: \
                         {STOP_SEQUENCES_MAX}"
                    );
                    report.say("B-025", path, value.offset(), words);
                }
            }
            _ => {
                let words = format!("Unknown parameter in inferenceConfig: \"{name}\"");
                report.warn_say("B-025", path, value.offset(), words);
            }
        }
    }
    let max = body.param("inferenceConfig").and_then(|config| config.get("maxTokens"));
    if let Some(max) = max.filter(|max| !max.is_null() && max.as_u64().is_none_or(|max| max == 0)) {
        let words = "Invalid range for parameter inferenceConfig.maxTokens, valid min value: 1";
        report.say("B-025", "inferenceConfig.maxTokens".to_owned(), max.offset(), words.to_owned());
    }
}

/// B-024.
fn role(body: &Body<'_, '_>, index: usize, role: Role, value: Value<'_, '_>, report: &mut Report) {
    let takes = match role {
        Role::User | Role::Assistant => return,
        Role::System if body.claude.is_some_and(|claude| claude.system_mid_history) => {
            Takes::Doubtful
        }
        Role::System if body.model.is_unknown() => Takes::Doubtful,
        Role::System | Role::Other => Takes::No,
    };
    let value = value.get("role").unwrap_or(value);
    let said = value.as_str().unwrap_or_default();
    let path = format!("messages.{index}.role");
    let fill: Fill<'_> = &[("value", &said), ("nth", &(index + 1))];
    report.unless(takes, "B-024", path, value.offset(), fill);
}

/// B-025 for a block: one member, of a kind that is known, that holds what its kind has.
fn one(block: &Block<'_, '_>, report: &mut Report) {
    let path = block.path();
    if block.value.members().nth(1).is_some() {
        report.add("B-025", path.clone(), block.value.offset(), &[]);
    }
    let inner = block.inner;
    match block.kind {
        Kind::Other => {
            let words = format!("Unknown member of the block at {path}: \"{}\"", block.name);
            return report.warn_say("B-025", path, inner.offset(), words);
        }
        Kind::Text => {
            if inner.kind() != JsonKind::String {
                wrong(format!("{path}.text"), inner, "a text", report);
            }
            return;
        }
        Kind::Image
        | Kind::Document
        | Kind::Video
        | Kind::Audio
        | Kind::ToolUse
        | Kind::ToolResult
        | Kind::Reasoning
        | Kind::CachePoint
        | Kind::GuardContent
        | Kind::Citations
        | Kind::SearchResult
        | Kind::ToolAddition
        | Kind::ToolRemoval => {}
    }
    if inner.kind() != JsonKind::Object {
        return wrong(format!("{path}.{}", block.name), inner, "an object", report);
    }
    let required = REQUIRED.iter().find(|(kind, _)| *kind == block.kind);
    for (name, kind) in required.into_iter().flat_map(|(_, members)| members.iter()) {
        match inner.get(name) {
            Some(value) if value.kind() == *kind => {}
            Some(value) => wrong(block.member(name), value, named(*kind), report),
            None => missing(block.member(name), inner, report),
        }
    }
}

/// B-010 and B-011.
fn call(body: &Body<'_, '_>, block: &Block<'_, '_>, report: &mut Report) {
    id(body, block, report);
    if let Some(value) = block.inner.get("name")
        && let Some(name) = value.as_str()
    {
        let member = block.constrained("name");
        pattern(&name, &member, block.member("name"), value, NAME_PATTERN, report);
    }
    let input = block.inner.get("input");
    if input.is_none_or(|input| input.kind() != JsonKind::Object) {
        let at = input.unwrap_or(block.inner).offset();
        report.add("B-011", block.member("input"), at, &[]);
    }
}

fn result(body: &Body<'_, '_>, block: &Block<'_, '_>, report: &mut Report) {
    id(body, block, report);
    let content = block.inner.get("content").into_iter().flat_map(Value::items);
    for (index, part) in content.enumerate() {
        let path = block.member(&format!("content.{index}"));
        let mut members = part.members();
        let known = members.next().and_then(|(key, _)| key.as_str()).is_some_and(|name| {
            matches!(&*name, "text" | "json" | "image" | "document" | "video" | "searchResult")
        });
        if members.next().is_some() || part.members().next().is_none() {
            report.add("B-025", path, part.offset(), &[]);
        } else if !known {
            let words = format!("Unknown member of the block at {path}");
            report.warn_say("B-025", path, part.offset(), words);
        }
    }
    let status = block.inner.get("status").filter(|status| !status.is_null());
    if let Some(status) = status.filter(|s| !s.is_str("success") && !s.is_str("error")) {
        wrong(block.member("status"), status, "`success` or `error`", report);
    }
}

/// B-010 for an id: the API's pattern, and the narrower one of a family.
fn id(body: &Body<'_, '_>, block: &Block<'_, '_>, report: &mut Report) {
    let Some(value) = block.inner.get("toolUseId") else { return };
    let Some(id) = value.as_str() else { return };
    let path = block.member("toolUseId");
    let member = block.constrained("toolUseId");
    if !pattern(&id, &member, path.clone(), value, ID_PATTERN, report) || block.is_servers() {
        return;
    }
    let ids = body.model.ids;
    if ids.allows(&id) {
        return;
    }
    let nine = ids.exact_len.is_some();
    let words = if nine {
        format!("{WRAPPED}Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9.")
    } else {
        format!("{WRAPPED}{path}: String should match pattern '^[a-zA-Z0-9_-]+$'")
    };
    // Outside of Mistral's, the narrow pattern is not known to be asked for.
    let takes = if nine { ids.others } else { Takes::Doubtful };
    report.say_unless(takes, "B-010", path, value.offset(), words);
}

/// Whether a value keeps the API's own constraints; a finding if not.
fn pattern(
    text: &str,
    member: &str,
    path: String,
    value: Value<'_, '_>,
    pattern: &str,
    report: &mut Report,
) -> bool {
    let punctuation = if pattern == ID_PATTERN { "_.:-" } else { "_-" };
    let plain = |sign: char| sign.is_ascii_alphanumeric() || punctuation.contains(sign);
    let words = if text.is_empty() {
        format!(
            "Value '' at '{member}' failed to satisfy constraint: Member must have length greater \
             than or equal to 1"
        )
    } else if text.chars().count() > ID_CHARS_MAX {
        format!(
            "Value '{text}' at '{member}' failed to satisfy constraint: Member must have length \
             less than or equal to {ID_CHARS_MAX}"
        )
    } else if !text.chars().all(plain) {
        let fill: Fill<'_> = &[("value", &text), ("member", &member), ("pattern", &pattern)];
        report.add("B-010", path, value.offset(), fill);
        return false;
    } else {
        return true;
    };
    report.say("B-010", path, value.offset(), words);
    false
}

/// B-025 for a thought: a text, or what is sealed.
fn thought(block: &Block<'_, '_>, report: &mut Report) {
    let text = block.inner.get("reasoningText");
    let sealed = block.inner.get("redactedContent");
    match (text, sealed) {
        (Some(text), None) => {
            if text.get("text").is_none_or(|text| text.kind() != JsonKind::String) {
                missing(block.member("reasoningText.text"), text, report);
            }
        }
        (None, Some(sealed)) if sealed.kind() == JsonKind::String => {}
        (None, Some(sealed)) => wrong(block.member("redactedContent"), sealed, "a text", report),
        (Some(_), Some(_)) | (None, None) => {
            report.add(
                "B-025",
                format!("{}.{}", block.path(), block.name),
                block.inner.offset(),
                &[],
            );
        }
    }
}

/// B-010 and B-025 for the tools.
fn tools(body: &Body<'_, '_>, report: &mut Report) {
    let Some(config) = body.param("toolConfig").filter(|c| c.kind() == JsonKind::Object) else {
        return;
    };
    choice(config, report);
    let Some(list) = config.get("tools").filter(|list| list.kind() == JsonKind::Array) else {
        return missing("toolConfig.tools".to_owned(), config, report);
    };
    if list.items().next().is_none() {
        let words = "Invalid length for parameter toolConfig.tools, value: 0, valid min length: 1";
        report.say("B-025", "toolConfig.tools".to_owned(), list.offset(), words.to_owned());
    }
    for (index, tool) in list.items().enumerate() {
        let path = format!("toolConfig.tools.{index}");
        let Some(spec) = tool.get("toolSpec") else {
            if tool.get("systemTool").is_none() && tool.get("cachePoint").is_none() {
                report.add("B-025", path, tool.offset(), &[]);
            }
            continue;
        };
        let path = format!("{path}.toolSpec");
        match spec.get("name").and_then(|name| Some((name, name.as_str()?))) {
            Some((value, name)) => {
                let member = format!("toolConfig.tools.{}.member.toolSpec.name", index + 1);
                pattern(&name, &member, format!("{path}.name"), value, NAME_PATTERN, report);
            }
            None => missing(format!("{path}.name"), spec, report),
        }
        if let Some(empty) = spec.get("description").filter(|text| text.is_str("")) {
            let words = format!(
                "Invalid length for parameter {path}.description, value: 0, valid min length: 1"
            );
            report.say("B-025", format!("{path}.description"), empty.offset(), words);
        }
        schema(body, spec, &format!("{path}.inputSchema"), report);
    }
}

/// B-025 for the choice of a tool: one of three.
fn choice(config: Value<'_, '_>, report: &mut Report) {
    let Some(choice) = config.get("toolChoice").filter(|choice| !choice.is_null()) else { return };
    let mut members = choice.members();
    let is_known = members.next().is_some_and(|(key, value)| {
        let inner = value.kind() == JsonKind::Object;
        let named = value.get("name").is_some_and(|name| name.kind() == JsonKind::String);
        inner && (key.is_str("auto") || key.is_str("any") || key.is_str("tool") && named)
    });
    if !is_known || members.next().is_some() {
        report.add("B-025", "toolConfig.toolChoice".to_owned(), choice.offset(), &[]);
    }
}

fn schema(body: &Body<'_, '_>, spec: Value<'_, '_>, path: &str, report: &mut Report) {
    let Some(schema) = spec.get("inputSchema").and_then(|schema| schema.get("json")) else {
        return missing(format!("{path}.json"), spec, report);
    };
    if schema.kind() != JsonKind::Object {
        return wrong(format!("{path}.json"), schema, "an object", report);
    }
    if !schema.get("type").is_some_and(|kind| kind.is_str("object")) {
        let words = format!("The value at {path}.json.type must be one of the following: object.");
        let takes = body.unless_claude();
        let takes = if takes == Takes::Yes { Takes::Doubtful } else { takes };
        report.say_unless(takes, "B-025", format!("{path}.json"), schema.offset(), words);
    }
}

fn missing(path: String, value: Value<'_, '_>, report: &mut Report) {
    let words = format!("Missing required parameter in input: \"{path}\"");
    report.say("B-025", path, value.offset(), words);
}

fn wrong(path: String, value: Value<'_, '_>, what: &str, report: &mut Report) {
    let words = format!("Invalid type for parameter {path}: it is not {what}");
    report.say("B-025", path, value.offset(), words);
}

fn named(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Null => "null",
        JsonKind::Bool => "a boolean",
        JsonKind::Number => "a number",
        JsonKind::String => "a text",
        JsonKind::Array => "a list",
        JsonKind::Object => "an object",
    }
}
