//! Parameters of a request: in a fixed order ahead of everything else. The model is none of them.

use json::{Object, Raw, Text};
use wire::gemini::lint::{LintOptions, lint};
use wire::gemini::models::Thinking;

use super::Gemini;
use crate::fold::Closed;
use crate::now::{Parameters, ThinkingChoice};
use crate::project::head::Head;
use crate::project::parameters::{Written, adjusted, chosen, open};
use crate::report::Change;

/// Where most parameters stand.
const GENERATION: &str = "generationConfig";

/// How a tool is chosen, which the caller names as other dialects do.
const TOOL_CONFIG: (&str, &str) = ("tool_choice", "toolConfig");

/// Parameters this writer places itself, or that would not be what the record says.
const OWN: &[&str] = &[
    "model",
    "contents",
    "tools",
    "systemInstruction",
    "cachedContent",
    GENERATION,
    "maxOutputTokens",
    "thinkingConfig",
];

/// Parameters that stand in the body itself; all others are the generation's.
const OUTER: &[&str] =
    &["toolConfig", "safetySettings", "labels", "modelArmorConfig", "serviceTier", "store"];

/// Parameters that are no part of the prompt. Any other is taken to be, one that is not known
/// included.
const NO_PROMPT: &[&str] = &[
    "maxOutputTokens",
    "stopSequences",
    "temperature",
    "topP",
    "topK",
    "candidateCount",
    "seed",
    "presencePenalty",
    "frequencyPenalty",
    "responseLogprobs",
    "logprobs",
    "labels",
    "safetySettings",
    "modelArmorConfig",
    "serviceTier",
    "store",
];

/// Writes the parameters of a request to the model of this name.
pub(in crate::project) fn write(
    gemini: &Gemini,
    name: &str,
    asked: &Parameters,
    closed: &Closed,
    head: &Head,
) -> Written {
    let mut changes = Vec::new();
    let mut own: Vec<(&str, Raw)> = Vec::new();
    if let Some(wanted) = asked.max_tokens {
        let ceiling = match gemini.model.output_tokens_max {
            0 => u64::MAX,
            max => max,
        };
        let max = wanted.clamp(1, ceiling);
        if max != wanted {
            changes.push(adjusted("max_tokens"));
        }
        own.push(("maxOutputTokens", Raw::number(max)));
    }
    let thinking = thinking(gemini, asked, closed, &mut changes);
    own.extend(thinking.map(|thinking| ("thinkingConfig", thinking)));
    let is_own = |name: &str| OWN.contains(&name) || name == TOOL_CONFIG.1;
    let mut chosen = chosen(asked, is_own, &mut changes);
    for (name, _) in &mut chosen {
        if *name == TOOL_CONFIG.0 {
            *name = TOOL_CONFIG.1;
        }
    }
    loop {
        let says = body(&own, &chosen, |_| true);
        let bytes = open(&says);
        let Some(at) = refused(gemini, name, &bytes, &head.tools, &chosen) else {
            let prompt = open(&body(&own, &chosen, |name| !NO_PROMPT.contains(&name)));
            return Written { says, bytes, prompt, betas: Vec::new(), changes, turned_off: false };
        };
        changes.push(adjusted(match chosen.remove(at).0 {
            name if name == TOOL_CONFIG.1 => TOOL_CONFIG.0,
            name => name,
        }));
    }
}

/// The parameters as an object.
fn body(own: &[(&str, Raw)], chosen: &[(&str, &Raw)], is_wanted: fn(&str) -> bool) -> Raw {
    let (mut outer, mut generation) = (Object::new(), Object::new());
    let mut generates = false;
    let own = own.iter().map(|(name, value)| (*name, value));
    let wanted = own.chain(chosen.iter().copied()).filter(|(name, _)| is_wanted(name));
    let (outside, inside): (Vec<_>, Vec<_>) = wanted.partition(|(name, _)| OUTER.contains(name));
    for (name, value) in inside {
        generation.raw(name, value);
        generates = true;
    }
    if generates {
        outer.raw(GENERATION, &generation.finish());
    }
    for (name, value) in outside {
        outer.raw(name, value);
    }
    outer.finish()
}

/// What asks the model to show its thoughts, or not to think; `None` is leaving it out.
fn thinking(
    gemini: &Gemini,
    asked: &Parameters,
    closed: &Closed,
    changes: &mut Vec<Change>,
) -> Option<Raw> {
    let wanted = match asked.thinking {
        ThinkingChoice::AsRecorded => closed.last_turn_thinks.filter(|thinks| *thinks),
        ThinkingChoice::On => Some(true),
        ThinkingChoice::Off => Some(false),
    };
    let mut config = Object::new();
    match (wanted?, gemini.model.thinking) {
        (true, Thinking::Level | Thinking::Budget { alone: true, .. }) => {
            config.raw("includeThoughts", &Raw::bool(true));
        }
        (true, Thinking::Budget { alone: false, .. }) => {
            // The model decides how much.
            config.raw("includeThoughts", &Raw::bool(true)).raw("thinkingBudget", &minus_one());
        }
        (false, Thinking::Budget { off: true, .. }) => {
            config.number("thinkingBudget", 0u64);
        }
        (false, Thinking::Never) => return None,
        (true, Thinking::Never | Thinking::Unknown)
        | (false, Thinking::Level | Thinking::Budget { off: false, .. } | Thinking::Unknown) => {
            if asked.thinking != ThinkingChoice::AsRecorded {
                changes.push(adjusted("thinking"));
            }
            return None;
        }
    }
    Some(config.finish())
}

fn minus_one() -> Raw {
    Raw::parse("-1").unwrap_or_else(|_| Raw::number(0u64))
}

/// Asks the rule book about the parameters alone. Gives one of the caller's that is refused, or
/// doubtful.
fn refused(
    gemini: &Gemini,
    name: &str,
    bytes: &[u8],
    tools: &[Text],
    chosen: &[(&str, &Raw)],
) -> Option<usize> {
    if chosen.is_empty() {
        return None;
    }
    let mut body = bytes.to_vec();
    for (index, tool) in tools.iter().enumerate() {
        let ahead: &[u8] =
            if index == 0 { br#","tools":[{"functionDeclarations":["# } else { b"," };
        body.extend_from_slice(ahead);
        body.extend_from_slice(br#"{"name":"#);
        json::escape::push_literal(&mut body, tool);
        body.push(b'}');
    }
    body.extend_from_slice(if tools.is_empty() { b"" } else { b"]}]" });
    body.extend_from_slice(br#","contents":[{"role":"user","parts":[{"text":"."}]}]}"#);
    let options = LintOptions { platform: gemini.platform, model: Some(name) };
    lint(&body, &options).iter().find_map(|finding| {
        let place = |name: &str| chosen.iter().position(|(known, _)| *known == name);
        let path = finding.path.strip_prefix(GENERATION).unwrap_or(&finding.path);
        match path.trim_start_matches('.').split(['.', '[']).next().unwrap_or_default() {
            // A body that cannot be read has no path.
            "" => Some(chosen.len() - 1),
            name => place(name),
        }
    })
}
