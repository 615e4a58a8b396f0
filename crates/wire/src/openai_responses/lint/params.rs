//! Parameters: what there has to be, and what a model or a platform does not take.

use json::{Kind, Value};

use super::{Body, Verdict};
use crate::report::Fill;
use crate::takes::Takes;

/// The fewest output tokens.
const OUTPUT_TOKENS_MIN: u64 = 16;

/// Characters of a cache key.
const CACHE_KEY_CHARS_MAX: usize = 64;

/// Items that a model has to know, with what else it knows by.
const CHANGES: [&str; 2] = ["additional_tools", "configuration_update"];

/// R-043, and that the body is an object.
pub(super) fn input(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let is_there = body.param("input").is_some_and(|input| match input.kind() {
        Kind::String => true,
        Kind::Array => input.items().next().is_some(),
        Kind::Null | Kind::Bool | Kind::Number | Kind::Object => false,
    });
    if !is_there && !body.goes_on {
        verdict.add("R-043", "input".to_owned(), body.root.offset(), &[]);
    }
}

/// C-034, R-042, R-046, R-049, R-052, R-055 and R-056.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    for name in ["temperature", "top_p"] {
        if let Some(value) = body.param(name).filter(|value| value.as_f64() != Some(1.0)) {
            verdict.unless(body.model.sampling, "C-034", name.to_owned(), value.offset(), &[]);
        }
    }
    let tokens = body.param("max_output_tokens");
    if let Some((tokens, value)) = tokens.and_then(|value| Some((value.as_u64()?, value)))
        && tokens < OUTPUT_TOKENS_MIN
    {
        let path = "max_output_tokens".to_owned();
        verdict.add("R-042", path, value.offset(), &[("value", &tokens)]);
    }
    if let (Some(_), Some(other)) = (body.param("previous_response_id"), body.param("conversation"))
    {
        verdict.add("R-046", "conversation".to_owned(), other.offset(), &[]);
    }
    if let Some(key) = body.param("prompt_cache_key") {
        let len = key.as_str().unwrap_or_default().chars().count();
        if len > CACHE_KEY_CHARS_MAX {
            verdict.add("R-056", "prompt_cache_key".to_owned(), key.offset(), &[("len", &len)]);
        }
    }
    compaction(body, verdict);
    changes(body, verdict);
    backend(body, verdict);
}

///
fn compaction(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let last = body.items.len().saturating_sub(1);
    for item in body.items.iter().filter(|item| item.kind == "compaction_trigger") {
        if item.index != last {
            verdict.add("R-049", item.path(""), item.value.offset(), &[]);
        }
    }
    if let Some(managed) = body.param("context_management") {
        let path = "context_management".to_owned();
        verdict.unless(body.platform.context_management, "R-049", path, managed.offset(), &[]);
    }
}

///
fn changes(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let [tools, _] = CHANGES;
    for item in body.items.iter().filter(|item| CHANGES.contains(&&*item.kind)) {
        let model = body.model;
        let is_tools = item.kind == tools;
        let takes = if is_tools { model.additional_tools } else { model.configuration_update };
        let fill: Fill<'_> = &[("kind", &item.kind)];
        verdict.unless(takes, "R-052", item.path(".type"), item.value.offset(), fill);
    }
}

///
fn backend(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let at = body.root.offset();
    let is = |name: &str, wanted: bool| body.param(name).and_then(Value::as_bool) == Some(wanted);
    let mut say = |takes: Takes, is_broken: bool, name: &str, words: &str| {
        if is_broken && takes == Takes::No {
            verdict.say("R-055", name.to_owned(), at, words.to_owned());
        }
    };
    let platform = &body.platform;
    say(platform.store, !is("store", false), "store", "Store must be set to false");
    say(platform.unstreamed, !is("stream", true), "stream", "Stream must be set to true");
    let instructed = body.param("instructions").is_some_and(|text| !text.is_str(""));
    say(platform.no_instructions, !instructed, "instructions", "Instructions are required");
    for name in ["max_output_tokens", "temperature", "top_p"] {
        let words = format!("Unsupported parameter: {name}");
        say(platform.limits, body.param(name).is_some(), name, &words);
    }
}
