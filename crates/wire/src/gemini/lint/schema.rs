//! `parameters` as this API's own subset of OpenAPI (G-021).

use json::{Kind, Value};

use super::shapes::{member, same_name};
use super::verdict::Verdict;
use crate::gemini::platforms::Platform;
use crate::takes::Takes;

/// Keywords of the subset.
const KEYWORDS: &[&str] = &[
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "default",
    "enum",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "propertyOrdering",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
];

/// Keywords that newer versions have.
const NEWER: &[&str] = &["additionalProperties", "ref", "defs", "$ref", "$defs"];

/// Levels that are looked at.
const DEPTH_MAX: usize = 64;

/// A schema and those inside of it.
pub(super) fn check(
    platform: &Platform,
    schema: Value<'_, '_>,
    path: &str,
    depth: usize,
    verdict: &mut Verdict,
) {
    if schema.kind() != Kind::Object || depth > DEPTH_MAX {
        return;
    }
    for (key, value) in schema.members() {
        let key = key.as_str().unwrap_or_default();
        if KEYWORDS.iter().any(|known| same_name(known, &key)) {
            continue;
        }
        // Vertex documents them; the Gemini API was seen to refuse.
        let newer = NEWER.contains(&&*key) && platform.partial_args == Takes::Yes;
        let takes = if newer { Takes::Doubtful } else { Takes::No };
        verdict.unless(takes, "G-021", path.to_owned(), value.offset(), &[("name", &key)]);
    }
    let say = |verdict: &mut Verdict, takes: Takes, at: Value<'_, '_>, words: String| {
        verdict.say(takes, "G-021", path.to_owned(), at.offset(), words);
    };
    let kind = member(schema, "type");
    if let Some(list) = kind.filter(|kind| kind.kind() == Kind::Array) {
        let words = "Proto field is not repeating, cannot start list.".to_owned();
        say(verdict, Takes::No, list, words);
    }
    let kind = kind.and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    if let Some(other) =
        member(schema, "enum").and_then(|list| list.items().find(|one| one.kind() != Kind::String))
    {
        let words = format!("Invalid value at '{path}.enum' (TYPE_STRING), {}", other.raw());
        say(verdict, Takes::No, other, words);
    }
    if kind == "array" && member(schema, "items").is_none() {
        let words = format!("* GenerateContentRequest.{path}.items: missing field.");
        say(verdict, Takes::No, schema, words);
    }
    let properties = member(schema, "properties");
    if kind == "object" && depth > 0 && properties.is_some_and(|all| all.members().next().is_none())
    {
        let words = format!(
            "* GenerateContentRequest.{path}.properties: should be non-empty for OBJECT type"
        );
        say(verdict, Takes::Doubtful, schema, words);
    }
    for (name, value) in properties.into_iter().flat_map(Value::members) {
        let name = name.as_str().unwrap_or_default();
        let path = format!("{path}.properties[{name}]");
        check(platform, value, &path, depth + 1, verdict);
    }
    if let Some(items) = member(schema, "items") {
        check(platform, items, &format!("{path}.items"), depth + 1, verdict);
    }
    let any_of = member(schema, "anyOf").into_iter().flat_map(Value::items);
    for (index, one) in any_of.enumerate() {
        check(platform, one, &format!("{path}.anyOf[{index}]"), depth + 1, verdict);
    }
}
