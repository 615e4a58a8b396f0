//! Tools: as this API writes them, and in the head's form.

use json::{Array, Doc, Kind, Object, Raw, Text, Value};
use record::{Head, ToolDefinition};

use crate::body::TOOLS_AS_WRITTEN;
use crate::source::one_line;

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
        let function = tool.get("function").or_else(|| tool.get("name").map(|_| tool));
        let definition = function.and_then(definition_of);
        let plain = function.is_some_and(|function| says_all(tool, function));
        if definition.is_none() || !plain {
            self.as_written.raw(&one_line(tool));
            self.has_as_written = true;
        }
        let known = definition.is_some();
        self.definitions.extend(definition);
        known
    }
}

/// Whether a definition holds everything a tool says.
fn says_all(tool: Value<'_, '_>, function: Value<'_, '_>) -> bool {
    let outer = tool.members().filter_map(|(key, _)| key.as_str());
    let inner = function.members().filter_map(|(key, _)| key.as_str());
    let wrapped = tool.get("function").is_some();
    wrapped
        && tool.get_str("type").as_deref() == Some("function")
        && outer.into_iter().all(|name| name == "type" || name == "function")
        && inner.into_iter().all(|name| matches!(&*name, "name" | "description" | "parameters"))
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
    ToolDefinition::new(object.finish())
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
pub(super) fn written(head: &Head) -> Array {
    let name_of = |tool: Value<'_, '_>| {
        tool.get("function").unwrap_or(tool).get("name").and_then(Value::to_text)
    };
    written_by(head, name_of, function_of)
}

/// The tools of a head as an API writes them: as they were written where that says more. `name_of`
/// gives the name of one that was written, where it has one.
pub(crate) fn written_by(
    head: &Head,
    name_of: impl Fn(Value<'_, '_>) -> Option<Text>,
    write: impl Fn(&ToolDefinition) -> Raw,
) -> Array {
    let as_written = head.rest.get(TOOLS_AS_WRITTEN).map(Raw::doc);
    let as_written = as_written.as_ref().map(Doc::root);
    let originals = || as_written.into_iter().flat_map(Value::items);
    let mut out = Array::new();
    for tool in head.head.iter().flat_map(|head| &head.tools) {
        let original =
            originals().find(|original| name_of(*original).as_ref() == Some(tool.name()));
        out.raw(&original.map_or_else(|| write(tool), Raw::of));
    }
    for original in originals().filter(|original| name_of(*original).is_none()) {
        out.raw(&Raw::of(original));
    }
    out
}

/// A tool of the head's form as a function.
fn function_of(tool: &ToolDefinition) -> Raw {
    let doc = tool.wire().doc();
    let mut function = Object::new();
    function.text("name", tool.name());
    function.optional_raw("description", doc.root().get("description").map(Raw::of).as_ref());
    function.optional_raw("parameters", doc.root().get("input_schema").map(Raw::of).as_ref());
    let mut object = Object::new();
    object.string("type", "function").raw("function", &function.finish());
    object.finish()
}
