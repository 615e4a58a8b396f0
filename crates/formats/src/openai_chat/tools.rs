//! Tools: as this API writes them, and in the head's form.

use json::{Array, Kind, Object, Raw, Value};
use record::{Head, ToolDefinition};

use crate::source::one_line;
use crate::typed::{typed_tool, written_by};

/// The tools of a body.
#[derive(Default)]
pub(crate) struct Tools {
    pub(crate) definitions: Vec<ToolDefinition>,
    /// As they were written, those of which the definition does not say all.
    pub(super) as_written: Array,
    pub(super) has_as_written: bool,
}

impl Tools {
    /// Takes one tool; `false` where it is no function, and so nothing but what was written.
    pub(crate) fn take(&mut self, tool: Value<'_, '_>) -> bool {
        let function = function_in(tool);
        if !function.is_some_and(|function| says_all(tool, function)) {
            self.as_written.raw(&one_line(tool));
            self.has_as_written = true;
        }
        let known = function.and_then(definition_of).is_some();
        self.definitions.extend(read(tool));
        known
    }
}

/// A tool in the head's form: a function, or by its type what is none.
fn read(tool: Value<'_, '_>) -> Option<ToolDefinition> {
    match function_in(tool) {
        Some(function) => definition_of(function),
        None => {
            let kind = tool.get_str("type")?;
            let inner = tool.get(&kind).unwrap_or(tool);
            typed_tool(&kind, inner.get("name").and_then(Value::to_text))
        }
    }
}

/// The function a tool is, which in older bodies stands there by itself.
fn function_in<'d, 't>(tool: Value<'d, 't>) -> Option<Value<'d, 't>> {
    let is_bare = tool.get("type").is_none_or(|kind| kind.is_str("function"));
    tool.get("function").or_else(|| tool.get("name").filter(|_| is_bare).map(|_| tool))
}

/// Whether a definition holds everything a tool says.
fn says_all(tool: Value<'_, '_>, function: Value<'_, '_>) -> bool {
    let outer = tool.members().filter_map(|(key, _)| key.as_str());
    let inner = function.members().filter_map(|(key, _)| key.as_str());
    let wrapped = tool.get("function").is_some();
    wrapped
        && tool.get_str("type").as_deref() == Some("function")
        && outer.into_iter().all(|name| name == "type" || name == "function")
        && inner.into_iter().all(|name| match &*name {
            "name" | "description" | "parameters" => true,
            "strict" => strict_of(function).is_some(),
            _ => false,
        })
        && function.get("parameters").is_some_and(|schema| schema.get("type").is_some())
}

/// A function in the head's form. Without parameters it takes an empty object.
fn definition_of(function: Value<'_, '_>) -> Option<ToolDefinition> {
    let mut object = Object::new();
    object.text("name", &function.get("name")?.to_text()?);
    if let Some(description) = function.get("description").filter(|text| !text.is_null()) {
        object.raw("description", &one_line(description));
    }
    let parameters = function.get("parameters").filter(|schema| schema.kind() == Kind::Object);
    object.raw("input_schema", &schema_of(parameters));
    object.optional_raw("strict", strict_of(function).map(one_line).as_ref());
    ToolDefinition::new(object.finish())
}

/// Whether a call's arguments are held to the schema, where a function says.
fn strict_of<'d, 't>(function: Value<'d, 't>) -> Option<Value<'d, 't>> {
    function.get("strict").filter(|strict| strict.kind() == Kind::Bool)
}

/// A schema of an object's, completed where it does not say that it is one.
pub(crate) fn schema_of(parameters: Option<Value<'_, '_>>) -> Raw {
    match parameters {
        Some(schema) if schema.get("type").is_some() => one_line(schema),
        parameters => {
            let mut object = Object::new();
            object.string("type", "object");
            for (key, value) in parameters.into_iter().flat_map(Value::members) {
                object.raw(&key.as_str().unwrap_or_default(), &one_line(value));
            }
            if parameters.is_none_or(|schema| schema.get("properties").is_none()) {
                object.raw("properties", &Object::new().finish());
            }
            object.finish()
        }
    }
}

/// The tools of a head as this API writes them.
pub(super) fn written(head: &Head) -> Option<Raw> {
    written_by(head, read, |tool| tool.typed().is_none().then(|| function_of(tool)))
}

/// A tool of the head's form as a function.
fn function_of(tool: &ToolDefinition) -> Raw {
    let doc = tool.wire().doc();
    let mut function = Object::new();
    function.text("name", tool.name());
    function.optional_raw("description", doc.root().get("description").map(Raw::of).as_ref());
    function.optional_raw("parameters", doc.root().get("input_schema").map(Raw::of).as_ref());
    function.optional_raw("strict", doc.root().get("strict").map(Raw::of).as_ref());
    let mut object = Object::new();
    object.string("type", "function").raw("function", &function.finish());
    object.finish()
}
