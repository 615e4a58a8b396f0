//! Every JSON document is what its schema in `docs/schemas` says.

use std::fs;

use stenograph::json::{Doc, Kind, Value};

use crate::context::{BAD_BODY, Context, project};

/// What of `value` is not as `schema` says. Only the words the schemas use are known.
pub fn violations(value: Value<'_, '_>, schema: Value<'_, '_>, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (word, rule) in schema.members() {
        match word.as_str().as_deref() {
            Some("type") if !is_of_type(value, rule) => {
                found.push(format!("{at}: not {}", rule.raw()))
            }
            Some("const") if value.raw() != rule.raw() => {
                found.push(format!("{at}: {}", value.raw()))
            }
            Some("enum") if rule.items().all(|one| one.raw() != value.raw()) => {
                found.push(format!("{at}: {} is none of {}", value.raw(), rule.raw()));
            }
            Some("required") => {
                let names = rule.items().map(|name| name.as_str().expect("a name"));
                let missing = names.filter(|name| value.get(name).is_none());
                found.extend(missing.map(|name| format!("{at}: no {name}")));
            }
            Some("properties") => {
                for (name, member) in value.members() {
                    let name = name.as_str().expect("a name");
                    match rule.get(&name) {
                        Some(schema) => {
                            found.extend(violations(member, schema, &format!("{at}.{name}")))
                        }
                        None => found.push(format!("{at}.{name}: not in the schema")),
                    }
                }
            }
            Some("items") => {
                for item in value.items() {
                    found.extend(violations(item, rule, &format!("{at}[]")));
                }
            }
            Some("type" | "const" | "enum" | "$schema" | "title" | "description") => {}
            Some("additionalProperties") => assert_eq!(rule.raw(), "false"),
            other => panic!("a word this test does not know: {other:?}"),
        }
    }
    found
}

fn is_of_type(value: Value<'_, '_>, name: Value<'_, '_>) -> bool {
    match name.as_str().as_deref() {
        Some("object") => value.kind() == Kind::Object,
        Some("array") => value.kind() == Kind::Array,
        Some("string") => value.kind() == Kind::String,
        Some("boolean") => value.kind() == Kind::Bool,
        Some("integer") => value.as_u64().is_some(),
        other => panic!("a type this test does not know: {other:?}"),
    }
}

fn assert_is_as_its_schema_says(document: &str) {
    assert!(document.ends_with("}\n") && document.lines().count() == 1, "{document}");
    let doc = Doc::parse_str(document).expect("JSON");
    let name = doc.root().get_str("schema").expect("a schema");
    let file = format!("{}.json", name.replace('/', "."));
    let text = fs::read_to_string(project().join("docs/schemas").join(&file)).expect(&file);
    let schema = Doc::parse_str(&text).expect("a schema in JSON");
    assert_eq!(violations(doc.root(), schema.root(), "$"), [""; 0], "{document}");
}

#[test]
fn documents_are_as_their_schemas_say() {
    let context = Context::with_session();
    context.write("bad.json", BAD_BODY);
    context.write("other.json", BAD_BODY.replace("4-5", "4-6"));
    let compacted = project().join("crates/cli/tests/steno/cases/diff-points/record.jsonl");
    context.write("compacted.jsonl", fs::read_to_string(compacted).expect("a record"));
    context.write("two.jsonl", format!("{BAD_BODY}\n{}\n", BAD_BODY.replace("user", "assistant")));
    context.write_below(".claude/projects/p/s.jsonl", crate::context::interrupted());
    context.write_below(".steno/config.toml", "max_tokens = 99\n[vendors.gate]\nfiles = \"no\"\n");
    context.write("empty.json", r#"{"messages":[],"model":"claude-opus-4-8"}"#);
    context.write("reply.sse", crate::replies::STREAM);
    context.write("cut.sse", crate::replies::cut());
    context.write("recording.json", crate::replies::recording());
    for (arguments, code) in [
        (&["replay", "session.jsonl", "-o", "body", "--json"][..], 0),
        (&["replay", "session.jsonl", "-o", "body", "--json", "--model", "gpt-5"], 0),
        (&["replay", "bad.json", "-o", "none", "--json"], 1),
        (&["check", "bad.json", "--json"], 1),
        (&["check", "body", "--json"], 0),
        (&["check", "two.jsonl", "bad.json", "--format", "json"], 1),
        (&["check", "--explain", "A-030", "--json"], 0),
        (&["check", "--explain", "C-017", "--json"], 0),
        (&["doctor", "session.jsonl", "--json"], 1),
        (&["doctor", "bad.json", "--json"], 1),
        (&["doctor", "empty.json", "--json"], 1),
        (&["doctor", "two.jsonl", "--json"], 1),
        (&["diff", "bad.json", "other.json", "--json"], 1),
        (&["diff", "two.jsonl", "--json"], 1),
        (&["diff", "session.jsonl", "--json"], 0),
        (&["diff", "compacted.jsonl", "--json"], 1),
        (&["doctor", "session.jsonl", "--all", "--json"], 1),
        (&["doctor", "empty.json", "--all", "--json"], 1),
        (&["import", "session.jsonl", "-o", "record", "--json"], 0),
        (&["import", "--discover", "--json"], 0),
        (&["assemble", "reply.sse", "--json"], 0),
        (&["assemble", "cut.sse", "--json"], 1),
        (&["assemble", "cut.sse", "--json", "--keep-cut"], 1),
        (&["assemble", "recording.json", "--json"], 1),
        (&["targets", "--json"], 0),
        (&["targets", "gate", "--json"], 0),
        (&["targets", "anthropic", "--json"], 0),
        (&["targets", "claude-opus-5", "--json"], 0),
        (&["config", "--json"], 0),
        (&["config", "path", "--json"], 0),
    ] {
        let run = context.run(arguments);
        assert_eq!(run.code, code, "{arguments:?} {}", run.err);
        assert_is_as_its_schema_says(run.out());
    }
    for command in ["replay", "import"] {
        let run = context.run(&[command, "session.jsonl", "--json"]);
        assert_is_as_its_schema_says(&run.err);
    }
    let run = context.run(&["replay", "empty.json", "--json"]);
    assert_eq!(run.code, 1);
    assert_is_as_its_schema_says(&format!("{}\n", run.err.lines().next().expect("a document")));
}

#[test]
fn a_document_that_is_not_as_its_schema_says_is_found() {
    let schema = Doc::parse_str(
        r#"{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}"#,
    )
    .expect("JSON");
    for (text, count) in [(r#"{"a":1}"#, 0), (r#"{"a":"1","b":2}"#, 2), ("{}", 1), ("[]", 2)] {
        let doc = Doc::parse_str(text).expect("JSON");
        assert_eq!(violations(doc.root(), schema.root(), "$").len(), count, "{text}");
    }
}
