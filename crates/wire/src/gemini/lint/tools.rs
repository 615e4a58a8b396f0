//! Declarations, and the choice among them.

use std::collections::BTreeSet;

use json::Value;

use super::shapes::member;
use super::verdict::Verdict;
use super::{Body, parts, schema};
use crate::report::Fill;
use crate::takes::Takes;

/// Declarations that everybody takes, and that anybody does (G-019).
const DECLARATIONS_MAX: usize = 128;
const DECLARATIONS_MAX_NEWER: usize = 512;

/// G-018 to G-021.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let mut names = BTreeSet::new();
    let mut count = 0;
    for (tool, index, value) in body.declarations() {
        let path = format!("tools[{tool}].functionDeclarations[{index}]");
        parts::name(value, "G-018", &path, verdict);
        let name = value.get_str("name").unwrap_or_default();
        let at = value.offset();
        if !names.insert(name.clone()) {
            let fill: Fill<'_> = &[("name", &name)];
            verdict.refuse("G-019", path.clone(), at, fill);
        }
        count += 1;
        let takes = match count {
            count if count == DECLARATIONS_MAX + 1 => Takes::Doubtful,
            count if count == DECLARATIONS_MAX_NEWER + 1 => Takes::No,
            _ => Takes::Yes,
        };
        let words = format!("At most {DECLARATIONS_MAX} function declarations are supported.");
        verdict.say(takes, "G-019", path.clone(), at, words);
        if let Some(parameters) = member(value, "parameters") {
            let path = format!("{path}.parameters");
            schema::check(body.platform, parameters, &path, 0, verdict);
        }
    }
    mixed(body, count > 0, verdict);
    choice(body, &names, verdict);
}

/// G-019: built-in tools beside functions.
fn mixed(body: &Body<'_, '_>, has_functions: bool, verdict: &mut Verdict) {
    let tools = body.param("tools");
    let built_in = tools.into_iter().flat_map(Value::items).find(|tool| {
        let mut names = tool.members().filter_map(|(name, _)| name.as_str());
        names.any(|name| !matches!(&*name, "functionDeclarations" | "function_declarations"))
    });
    let Some(built_in) = built_in.filter(|_| has_functions) else { return };
    let config = body.param("toolConfig");
    let asked = config.and_then(|config| member(config, "includeServerSideToolInvocations"));
    let takes = match body.model.server_tools {
        Takes::Yes if asked.and_then(Value::as_bool) != Some(true) => {
            body.platform.mixed_tools_unasked
        }
        takes @ (Takes::Yes | Takes::Doubtful | Takes::No) => takes,
    };
    let words = "Tool use with function calling is unsupported".to_owned();
    verdict.say(takes, "G-019", "tools".to_owned(), built_in.offset(), words);
}

/// G-020.
fn choice(body: &Body<'_, '_>, names: &BTreeSet<std::borrow::Cow<'_, str>>, verdict: &mut Verdict) {
    let config = body.param("toolConfig");
    let calling = config.and_then(|config| member(config, "functionCallingConfig"));
    let Some(calling) = calling else { return };
    let path = "toolConfig.functionCallingConfig".to_owned();
    // Where only built-in tools are declared, it is read past.
    let has_tools = body.param("tools").is_some_and(|tools| tools.items().next().is_some());
    if names.is_empty() && !has_tools {
        return verdict.refuse("G-020", path, calling.offset(), &[]);
    }
    let allowed = member(calling, "allowedFunctionNames").into_iter().flat_map(Value::items);
    for name in allowed {
        let text = name.as_str().unwrap_or_default();
        if !names.contains(&text) {
            let words = format!("Function name {text} is not in the function declarations.");
            verdict.say(Takes::No, "G-020", path.clone(), name.offset(), words);
        }
    }
}
