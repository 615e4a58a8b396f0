//! Members: which the schema has, in camel case and in snake case (G-006).

use json::{Kind, Value};

use super::Body;
use super::contents::{Content, Part};
use super::verdict::Verdict;
use crate::takes::Takes;

/// The member of this name in camel case, or its form in snake case, unless it is null.
pub(super) fn member<'d, 't>(value: Value<'d, 't>, name: &str) -> Option<Value<'d, 't>> {
    let found = value.get(name).or_else(|| {
        let mut members = value.members();
        members.find_map(|(own, value)| same_name(name, &own.as_str()?).then_some(value))
    });
    found.filter(|value| !value.is_null())
}

/// Whether a member is this one: `fileUri`, and also `file_uri`.
pub(super) fn same_name(camel: &str, member: &str) -> bool {
    let (mut camel, mut member) = (camel.chars(), member.chars());
    loop {
        match (camel.next(), member.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) if one == other => {}
            (Some(one), Some('_')) if one.is_ascii_uppercase() => {
                if member.next() != Some(one.to_ascii_lowercase()) {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

const ROOT: &[&str] = &[
    "model",
    "contents",
    "systemInstruction",
    "tools",
    "toolConfig",
    "generationConfig",
    "safetySettings",
    "cachedContent",
    "labels",
    "modelArmorConfig",
    "serviceTier",
    "store",
];
const PART: &[&str] = &[
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
    "thought",
    "thoughtSignature",
    "videoMetadata",
    "mediaResolution",
    "partMetadata",
];
const TOOL: &[&str] = &[
    "functionDeclarations",
    "googleSearch",
    "googleSearchRetrieval",
    "googleMaps",
    "codeExecution",
    "urlContext",
    "computerUse",
    "fileSearch",
    "retrieval",
    "enterpriseWebSearch",
    "parallelAiSearch",
    "exaAiSearch",
    "mcpServers",
];
const DECLARATION: &[&str] = &[
    "name",
    "description",
    "parameters",
    "parametersJsonSchema",
    "response",
    "responseJsonSchema",
    "behavior",
];
const TOOL_CONFIG: &[&str] =
    &["functionCallingConfig", "retrievalConfig", "includeServerSideToolInvocations"];
const CALLING_CONFIG: &[&str] = &["mode", "allowedFunctionNames", "streamFunctionCallArguments"];
const GENERATION: &[&str] = &[
    "maxOutputTokens",
    "temperature",
    "topP",
    "topK",
    "stopSequences",
    "candidateCount",
    "seed",
    "presencePenalty",
    "frequencyPenalty",
    "responseLogprobs",
    "logprobs",
    "responseMimeType",
    "responseSchema",
    "responseJsonSchema",
    "responseFormat",
    "responseModalities",
    "thinkingConfig",
    "mediaResolution",
    "speechConfig",
    "audioTimestamp",
    "imageConfig",
    "routingConfig",
    "modelSelectionConfig",
    "enableAffectiveDialog",
    "enableEnhancedCivicAnswers",
    "audioTranscriptionConfig",
    "translationConfig",
];
const THINKING: &[&str] = &["includeThoughts", "thinkingBudget", "thinkingLevel"];

/// Members of what a data member holds.
fn data(name: &str) -> &'static [&'static str] {
    match name {
        "inlineData" => &["mimeType", "data", "displayName"],
        "fileData" => &["mimeType", "fileUri", "displayName"],
        "functionCall" => &["id", "name", "args", "partialArgs", "willContinue"],
        "functionResponse" => &["id", "name", "response", "parts", "willContinue", "scheduling"],
        "executableCode" => &["language", "code", "id"],
        "codeExecutionResult" => &["outcome", "output", "id"],
        "toolCall" => &["id", "toolType", "args"],
        "toolResponse" => &["id", "toolType", "response"],
        _ => &[],
    }
}

/// G-006. Parameters are added to the API over the years: one that is not known is doubtful.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    members(body.root, ROOT, "", Takes::Doubtful, verdict);
    for content in &body.contents {
        members(content.value, &["role", "parts"], &content.path(""), Takes::No, verdict);
        for part in &content.parts {
            self::part(body, content, part, verdict);
        }
    }
    if let Some(system) = body.param("systemInstruction") {
        members(system, &["role", "parts"], "systemInstruction", Takes::No, verdict);
    }
    for (index, tool) in body.param("tools").into_iter().flat_map(Value::items).enumerate() {
        members(tool, TOOL, &format!("tools[{index}]"), Takes::Doubtful, verdict);
    }
    for (tool, index, value) in body.declarations() {
        let path = format!("tools[{tool}].functionDeclarations[{index}]");
        members(value, DECLARATION, &path, Takes::No, verdict);
    }
    if let Some(config) = body.param("toolConfig") {
        members(config, TOOL_CONFIG, "toolConfig", Takes::Doubtful, verdict);
        if let Some(calling) = member(config, "functionCallingConfig") {
            let path = "toolConfig.functionCallingConfig";
            members(calling, CALLING_CONFIG, path, Takes::Doubtful, verdict);
        }
    }
    if let Some(config) = body.param("generationConfig") {
        members(config, GENERATION, "generationConfig", Takes::Doubtful, verdict);
        if let Some(thinking) = member(config, "thinkingConfig") {
            let path = "generationConfig.thinkingConfig";
            members(thinking, THINKING, path, Takes::Doubtful, verdict);
        }
    }
}

fn part(
    body: &Body<'_, '_>,
    content: &Content<'_, '_>,
    part: &Part<'_, '_>,
    verdict: &mut Verdict,
) {
    let path = content.part_path(part, "");
    members(part.value, PART, &path, Takes::No, verdict);
    let platform = body.platform;
    if let Some(metadata) = member(part.value, "partMetadata") {
        let fill: crate::report::Fill<'_> = &[("name", &"partMetadata")];
        verdict.unless(platform.part_metadata, "G-006", path.clone(), metadata.offset(), fill);
    }
    let Some((name, value)) = part.data.filter(|(name, _)| *name != "text") else { return };
    let path = format!("{path}.{name}");
    members(value, data(name), &path, Takes::No, verdict);
    let of_platform: &[(&str, Takes)] = match name {
        "functionCall" => {
            &[("partialArgs", platform.partial_args), ("willContinue", platform.partial_args)]
        }
        "functionResponse" => &[("willContinue", platform.part_metadata)],
        _ => &[],
    };
    for (name, takes) in of_platform {
        if let Some(value) = member(value, name) {
            verdict.unless(*takes, "G-006", path.clone(), value.offset(), &[("name", name)]);
        }
    }
}

/// What an object has that its schema has not; `takes` is what becomes of it.
fn members(value: Value<'_, '_>, known: &[&str], path: &str, takes: Takes, verdict: &mut Verdict) {
    if value.kind() != Kind::Object {
        let words = format!("Invalid value at '{path}' (type), {}", short(value));
        return verdict.say(Takes::No, "G-006", path.to_owned(), value.offset(), words);
    }
    for (name, inner) in value.members() {
        let name = name.as_str().unwrap_or_default();
        if known.iter().any(|known| same_name(known, &name)) {
            continue;
        }
        let path = if path.is_empty() { name.clone().into_owned() } else { path.to_owned() };
        verdict.unless(takes, "G-006", path, inner.offset(), &[("name", &name)]);
    }
}

/// A value as an answer names it.
pub(super) fn short(value: Value<'_, '_>) -> String {
    const CHARS_MAX: usize = 60;
    value.raw().chars().take(CHARS_MAX).collect()
}
