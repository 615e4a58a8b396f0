//! Tools: as this API writes them, and in the head's form.

use json::{Array, Kind, Object, Raw, Text, Value};
use record::{Head, ToolDefinition};

use crate::body::TOOLS_AS_WRITTEN;
use crate::gemini_cli::part::member;
use crate::source::one_line;
use crate::typed::typed_tool;

/// The member of a tool that holds functions.
const DECLARATIONS: [&str; 2] = ["functionDeclarations", "function_declarations"];

/// The tools of a body.
#[derive(Default)]
pub(super) struct Tools<'d, 't> {
    pub(super) definitions: Vec<ToolDefinition>,
    /// Those that are no functions.
    pub(super) others: Vec<Value<'d, 't>>,
    /// Whether the definitions say all of it.
    pub(super) says_all: bool,
}

/// Reads a list of tools.
pub(super) fn read<'d, 't>(tools: Value<'d, 't>) -> Tools<'d, 't> {
    let mut out = Tools { definitions: Vec::new(), others: Vec::new(), says_all: true };
    for tool in tools.items() {
        let declarations = member(tool, "functionDeclarations");
        out.says_all &= tool.members().count() == 1;
        if declarations.is_none() {
            out.others.push(tool);
        }
        out.definitions.extend(tool.members().filter_map(own));
        for declaration in declarations.into_iter().flat_map(Value::items) {
            out.says_all &= is_plain(declaration);
            match definition_of(declaration) {
                Some(definition) => out.definitions.push(definition),
                None => out.others.push(declaration),
            }
        }
    }
    out.says_all &= out.others.is_empty();
    out
}

/// A tool that Google runs, by the member it is.
fn own((kind, _): (Value<'_, '_>, Value<'_, '_>)) -> Option<ToolDefinition> {
    let kind = kind.as_str().filter(|kind| !DECLARATIONS.contains(&&**kind))?;
    typed_tool(&kind, None)
}

/// Whether a declaration holds nothing but what the head's form has a place for.
fn is_plain(declaration: Value<'_, '_>) -> bool {
    let names = declaration.members().filter_map(|(name, _)| name.as_str());
    let known = ["name", "description", "parametersJsonSchema"];
    names.into_iter().all(|name| known.contains(&&*name))
        && declaration.get("parametersJsonSchema").is_some()
}

/// A function in the head's form. Without parameters it takes an empty object.
fn definition_of(declaration: Value<'_, '_>) -> Option<ToolDefinition> {
    let mut object = Object::new();
    object.text("name", &declaration.get("name")?.to_text()?);
    if let Some(description) = declaration.get("description").filter(|text| !text.is_null()) {
        object.raw("description", &one_line(description));
    }
    let is_object = |schema: &Value<'_, '_>| schema.kind() == Kind::Object;
    let schema = match member(declaration, "parametersJsonSchema").filter(is_object) {
        Some(schema) if schema.get("type").is_some() => one_line(schema),
        Some(schema) => typed(schema.members().map(|(name, value)| (text(name), one_line(value)))),
        None => match declaration.get("parameters").filter(is_object) {
            Some(schema) => {
                let lower = in_json_schema(schema, 0);
                match lower.doc().root().get("type") {
                    Some(_) => lower.clone(),
                    None => typed(
                        lower.doc().root().members().map(|(n, value)| (text(n), Raw::of(value))),
                    ),
                }
            }
            None => {
                let properties = (Text::from("properties"), Object::new().finish());
                typed(std::iter::once(properties))
            }
        },
    };
    object.raw("input_schema", &schema);
    ToolDefinition::new(object.finish())
}

fn text(name: Value<'_, '_>) -> Text {
    name.to_text().unwrap_or_default()
}

/// A schema of an object with these members.
fn typed(members: impl Iterator<Item = (Text, Raw)>) -> Raw {
    let mut object = Object::new();
    object.string("type", "object");
    for (name, value) in members {
        object.raw(&name, &value);
    }
    object.finish()
}

/// The member that says whether a value may be null.
const NULLABLE: &str = "nullable";

/// Levels of a schema that are read.
const DEPTH_MAX: usize = 64;

/// The types by the numbers that the API takes for their names.
const TYPES: [&str; 8] =
    ["unspecified", "string", "number", "integer", "boolean", "array", "object", "null"];

/// A schema of this API's subset as JSON Schema: its types are in lower case, and what may be null
/// is of the type `null` as well. That what a tool is called with may be null says nothing.
fn in_json_schema(schema: Value<'_, '_>, depth: usize) -> Raw {
    if schema.kind() != Kind::Object || depth > DEPTH_MAX {
        return one_line(schema);
    }
    let may_be_null = schema.get(NULLABLE).and_then(Value::as_bool) == Some(true) && depth > 0;
    let mut out = Object::new();
    for (name, value) in schema.members() {
        let name = text(name);
        let inner = match name.as_str() {
            NULLABLE if value.as_bool().is_some() => continue,
            "type" => match type_of(value) {
                Some(kind) if may_be_null && kind != "null" => Array::of_strings([&*kind, "null"]),
                Some(kind) => Raw::string(&kind.into()),
                None => one_line(value),
            },
            "enum" if may_be_null => with_null(value.items().map(one_line), Raw::null()),
            "items" => in_json_schema(value, depth + 1),
            "properties" => {
                let mut properties = Object::new();
                for (name, value) in value.members() {
                    properties.raw(&text(name), &in_json_schema(value, depth + 1));
                }
                properties.finish()
            }
            "anyOf" => {
                let schemas = value.items().map(|value| in_json_schema(value, depth + 1));
                let mut null = Object::new();
                null.string("type", "null");
                match may_be_null {
                    true => with_null(schemas, null.finish()),
                    false => Array::of(&schemas.collect::<Vec<_>>()),
                }
            }
            _ => one_line(value),
        };
        out.raw(&name, &inner);
    }
    out.finish()
}

/// The name of a type, in lower case.
fn type_of(value: Value<'_, '_>) -> Option<String> {
    match (value.to_text(), value.as_u64()) {
        (Some(kind), _) => Some(kind.to_ascii_lowercase()),
        (None, Some(number)) => TYPES.get(number as usize).map(|kind| (*kind).to_owned()),
        (None, None) => None,
    }
}

/// A list and what stands for null, once.
fn with_null(items: impl Iterator<Item = Raw>, null: Raw) -> Raw {
    let mut list: Vec<Raw> = items.filter(|item| *item != null).collect();
    list.push(null);
    Array::of(&list)
}

/// The tools of a head as this API writes them.
pub(super) fn written(head: &Head) -> Option<Raw> {
    if let Some(raw) = head.rest.get(TOOLS_AS_WRITTEN) {
        return Some(raw.clone());
    }
    let tools = head.head.as_deref().map(|head| head.tools.as_slice()).unwrap_or_default();
    let functions: Vec<_> = tools.iter().filter(|tool| tool.typed().is_none()).collect();
    if functions.is_empty() {
        return None;
    }
    let mut declarations = Array::new();
    for tool in functions {
        let doc = tool.wire().doc();
        let member = |name: &str| doc.root().get(name).map(Raw::of);
        let mut declaration = Object::new();
        declaration.text("name", tool.name());
        declaration.optional_raw("description", member("description").as_ref());
        declaration.optional_raw("parametersJsonSchema", member("input_schema").as_ref());
        declarations.raw(&declaration.finish());
    }
    let mut tool = Object::new();
    tool.raw("functionDeclarations", &declarations.finish());
    Some(Array::of([&tool.finish()]))
}
