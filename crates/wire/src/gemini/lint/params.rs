//! What stands beside the contents, as far as it depends on the rest or on the model.

use json::{Kind, Value};

use super::Body;
use super::shapes::member;
use super::verdict::Verdict;
use crate::gemini::models::Thinking;
use crate::takes::Takes;

/// Stop sequences (G-006).
const STOP_SEQUENCES_MAX: usize = 5;

/// G-006, G-031, G-032 and G-034.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    system(body, verdict);
    cached(body, verdict);
    let Some(generation) = body.param("generationConfig") else { return };
    if let Some(list) = member(generation, "stopSequences")
        && list.items().count() > STOP_SEQUENCES_MAX
    {
        let path = "generationConfig.stopSequences".to_owned();
        let words = format!("At most {STOP_SEQUENCES_MAX} stop sequences are supported.");
        verdict.say(Takes::No, "G-006", path, list.offset(), words);
    }
    if let Some(thinking) = member(generation, "thinkingConfig") {
        self::thinking(body, thinking, verdict);
    }
}

/// G-034.
fn system(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let Some(system) = body.param("systemInstruction") else { return };
    let parts = member(system, "parts");
    // One part may stand without a list.
    let one = parts.filter(|parts| parts.kind() == Kind::Object);
    let list: Vec<Value<'_, '_>> = parts.into_iter().flat_map(Value::items).chain(one).collect();
    if list.is_empty() {
        let words = "* GenerateContentRequest.system_instruction.parts: contents.parts must not \
                     be empty.";
        let path = "systemInstruction.parts".to_owned();
        return verdict.say(Takes::No, "G-034", path, system.offset(), words.to_owned());
    }
    for (index, part) in list.into_iter().enumerate() {
        let path = format!("systemInstruction.parts[{index}]");
        match part.get_str("text") {
            None => verdict.refuse("G-034", path, part.offset(), &[]),
            Some(text) if text.is_empty() => {
                verdict.unless(body.platform.empty_text, "G-034", path, part.offset(), &[]);
            }
            Some(_) => {}
        }
    }
}

/// G-031.
fn cached(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let Some(cached) = body.param("cachedContent") else { return };
    if ["systemInstruction", "tools", "toolConfig"].iter().any(|name| body.param(name).is_some()) {
        verdict.refuse("G-031", "cachedContent".to_owned(), cached.offset(), &[]);
    }
}

/// G-032.
fn thinking(body: &Body<'_, '_>, config: Value<'_, '_>, verdict: &mut Verdict) {
    let budget = member(config, "thinkingBudget");
    let level = member(config, "thinkingLevel");
    let path = "generationConfig.thinkingConfig".to_owned();
    let at = config.offset();
    if budget.is_some() && level.is_some() {
        return verdict.refuse("G-032", path, at, &[]);
    }
    let asked = budget.or(level).is_some();
    match body.model.thinking {
        Thinking::Never if asked => {
            let words = "Thinking is not supported for this model.".to_owned();
            verdict.say(Takes::No, "G-032", path, at, words);
        }
        Thinking::Budget { .. } if level.is_some() => {
            let words = "Thinking level is not supported for this model.".to_owned();
            verdict.say(Takes::No, "G-032", path, at, words);
        }
        Thinking::Budget { min, max, off, .. } => {
            let Some(budget) = budget.and_then(Value::as_f64) else { return };
            let budget = budget as i64;
            let fits = budget == -1 || (min..=max).contains(&budget) || (budget == 0 && off);
            if !fits {
                let words = format!(
                    "Budget {budget} is invalid. {}",
                    if budget == 0 {
                        "This model only works in thinking mode.".to_owned()
                    } else {
                        format!("Please choose a value between {min} and {max}.")
                    }
                );
                verdict.say(Takes::No, "G-032", path, at, words);
            }
        }
        Thinking::Never | Thinking::Level | Thinking::Unknown => {}
    }
}
