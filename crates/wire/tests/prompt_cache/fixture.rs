//! Fixtures of one JSON line each, and bodies compared.

use json::{Doc, Value};
use wire::prompt_cache::{Api, Comparison, compare};

/// The lines of a fixture file, each handed on.
pub fn each(text: &str, mut check: impl FnMut(Value<'_, '_>)) {
    for line in text.lines() {
        check(Doc::parse_str(line).expect(line).root());
    }
}

/// Two bodies compared, as one API's and model's.
pub fn compared(before: &str, after: &str, dialect: &str, model: &str) -> Comparison {
    let (before, after) = (Doc::parse_str(before), Doc::parse_str(after));
    let (before, after) = (before.expect("JSON"), after.expect("JSON"));
    compare(before.root(), after.root(), &Api { dialect, model, tokens: None })
}

/// The same for Anthropic Messages.
pub fn claudes(before: &str, after: &str) -> Comparison {
    compared(before, after, "anthropic_messages", "claude-sonnet-4-5")
}
