//! The schema is the one in `docs/schemas`, and the codec writes nothing that is not in it.

use std::path::Path;

use record::schema::{SHAPES, Strictness, UNIONS, json_schema};
use record::{FindingKind, Rest, jsonl};
use serde_json::Value;

use crate::generate;

#[test]
fn the_committed_schema_is_current() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/record.v1.schema.json");
    let current = json_schema(Strictness::Reader);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &current).expect("the schema can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == current, "run the test with UPDATE=1 and commit {}", path.display());
}

#[test]
fn every_written_line_is_valid() {
    let schema: Value = serde_json::from_str(&json_schema(Strictness::Reader)).expect("JSON");
    for seed in 0..1500 {
        for line in lines(&jsonl::save(&generate::record(seed))) {
            if let Err(why) = check(&schema, &schema, &line) {
                panic!("seed {seed}: {why}\n{line}");
            }
        }
    }
}

/// With unknown members taken out, every member that is written is named, and every one that a
/// writer writes is there.
#[test]
fn every_written_member_is_in_the_table() {
    let schema: Value = serde_json::from_str(&json_schema(Strictness::Writer)).expect("JSON");
    for seed in 0..1500 {
        let mut record = generate::record(seed);
        record.refs.iter_mut().for_each(|moved| moved.rest = Rest::default());
        for mut line in lines(&jsonl::save(&record)) {
            drop_unknown(&mut line);
            if let Err(why) = check(&schema, &schema, &line) {
                panic!("seed {seed}: {why}\n{line}");
            }
        }
    }
}

#[test]
fn every_shape_and_union_of_the_table_is_named_once_and_used() {
    let text = json_schema(Strictness::Reader);
    let names = SHAPES.iter().map(|shape| shape.name).chain(UNIONS.iter().map(|u| u.name));
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        assert!(seen.insert(name), "{name} twice");
        assert!(text.contains(&format!("\"#/$defs/{name}\"")), "{name} is not used");
    }
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema: Value = serde_json::from_str(&json_schema(Strictness::Reader)).expect("JSON");
    let refused = [
        r#"{"entry":"message","role":"robot","blocks":[]}"#,
        r#"{"entry":"message","role":"user"}"#,
        r#"{"entry":"message","role":"user","blocks":[{"type":"text"}]}"#,
        r#"{"entry":"sent","agent":"a"}"#,
        r#"{"v":2,"ref":"main","tip":null}"#,
        "[]",
    ];
    for line in refused {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert!(check(&schema, &schema, &line).is_err(), "{line}");
    }
    let old = r#"{"role":"user","blocks":[{"type":"text","text":"a"}]}"#;
    let old: Value = serde_json::from_str(old).expect("JSON");
    assert_eq!(check(&schema, &schema, &old), Ok(()));
}

/// The lines in which nothing is unreadable, as another parser reads them.
fn lines(saved: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(saved).expect("lines are text");
    let sound = text.lines().filter(|line| {
        let findings = jsonl::load(line.as_bytes(), "f").findings;
        findings.iter().all(|finding| finding.kind != FindingKind::UnreadField)
    });
    sound.filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The generator's unknown members are those whose names begin with `x` and a digit.
fn drop_unknown(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !is_unknown(name));
            members.values_mut().for_each(drop_unknown);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_unknown),
        _ => {}
    }
}

fn is_unknown(name: &str) -> bool {
    name.starts_with('x') && name.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

/// The part of JSON Schema that the table makes use of.
fn check(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    for (keyword, wanted) in schema.as_object().expect("a schema is an object") {
        let holds = match keyword.as_str() {
            "$schema" | "title" | "description" | "$defs" | "properties" => true,
            "$ref" => {
                let name = wanted.as_str().and_then(|path| path.strip_prefix("#/$defs/"));
                check(root, &root["$defs"][name.expect("a local name")], value)?;
                true
            }
            "type" => match wanted {
                Value::Array(types) => types.iter().any(|wanted| is_type(wanted, value)),
                one => is_type(one, value),
            },
            "const" => value == wanted,
            "enum" => wanted.as_array().is_some_and(|all| all.contains(value)),
            "minimum" => value.as_u64().is_some(),
            "pattern" => value.as_str().is_some_and(|text| text.len() == 64),
            "not" => check(root, wanted, value).is_err(),
            "required" => wanted.as_array().is_some_and(|names| {
                names.iter().all(|name| value.get(name.as_str().expect("a name")).is_some())
            }),
            "additionalProperties" => value.as_object().is_none_or(|members| {
                members.keys().all(|name| schema["properties"].get(name).is_some())
            }),
            "items" => {
                for item in value.as_array().into_iter().flatten() {
                    check(root, wanted, item)?;
                }
                true
            }
            "anyOf" => {
                let all = wanted.as_array().expect("a list");
                let tried: Vec<_> = all.iter().map(|one| check(root, one, value)).collect();
                if !tried.iter().any(Result::is_ok) {
                    return Err(format!(
                        "{:?}",
                        tried.into_iter().filter_map(Result::err).collect::<Vec<_>>()
                    ));
                }
                true
            }
            other => panic!("the check does not know `{other}`"),
        };
        if !holds {
            return Err(format!("{keyword} {wanted} does not hold of {value}"));
        }
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(value) = value.get(name) {
            check(root, schema, value).map_err(|why| format!("{name}: {why}"))?;
        }
    }
    Ok(())
}

fn is_type(wanted: &Value, value: &Value) -> bool {
    match wanted.as_str().expect("a type") {
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "null" => value.is_null(),
        other => panic!("the check does not know the type `{other}`"),
    }
}
