//! Tools: as this API writes them, and in the head's form.

use json::{Array, Kind, Object, Raw, Value};
use record::{Head, ToolDefinition};

use crate::source::one_line;
use crate::typed::{typed_tool, written_by};

/// The schema of a tool that takes free text, for those who know only arguments.
const FREE_TEXT: &str =
    r#"{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}"#;

/// The schema of a tool that takes nothing.
const NOTHING: &str = r#"{"type":"object","properties":{}}"#;

/// The tools of a body.
#[derive(Default)]
pub(super) struct Tools {
    pub(super) definitions: Vec<ToolDefinition>,
    /// As they were written, those of which the definition does not say all.
    pub(super) as_written: Array,
    pub(super) has_as_written: bool,
}

impl Tools {
    /// Takes one tool; `false` where it is neither a function nor a custom tool, and so nothing but
    /// what was written.
    pub(super) fn take(&mut self, tool: Value<'_, '_>) -> bool {
        let function = definition_of(tool);
        if function.as_ref().is_none_or(|definition| !says_all(tool, definition)) {
            self.as_written.raw(&one_line(tool));
            self.has_as_written = true;
        }
        let known = function.is_some();
        self.definitions.extend(function.or_else(|| typed(tool)));
        known
    }
}

/// A tool that is neither a function nor a custom tool, by its type.
fn typed(tool: Value<'_, '_>) -> Option<ToolDefinition> {
    typed_tool(&tool.get_str("type")?, tool.get("name").and_then(Value::to_text))
}

/// Whether what is written of a definition is the tool again.
fn says_all(tool: Value<'_, '_>, definition: &ToolDefinition) -> bool {
    let again = tool_of(definition);
    json::canonical::of(tool) == json::canonical::of(again.doc().root())
}

/// A function or a custom tool in the head's form. What else it says stands in it as well; a custom
/// tool is known by its `format`.
pub(super) fn definition_of(tool: Value<'_, '_>) -> Option<ToolDefinition> {
    let kind = tool.get_str("type")?;
    let mut object = Object::new();
    object.text("name", &tool.get("name")?.to_text()?);
    if let Some(description) = tool.get("description").filter(|text| !text.is_null()) {
        object.raw("description", &one_line(description));
    }
    match &*kind {
        "function" => {
            let schema = tool.get("parameters").filter(|schema| schema.get("type").is_some());
            object.raw("input_schema", &schema.map_or_else(|| constant(NOTHING), one_line));
            let strict = tool.get("strict").filter(|strict| strict.kind() == Kind::Bool);
            object.optional_raw("strict", strict.map(one_line).as_ref());
        }
        "custom" => {
            object.raw("input_schema", &constant(FREE_TEXT));
            let format = tool.get("format").filter(|format| format.kind() == Kind::Object);
            let text = || constant(r#"{"type":"text"}"#);
            object.raw("format", &format.map_or_else(text, one_line));
        }
        _ => return None,
    }
    ToolDefinition::new(object.finish())
}

fn constant(text: &str) -> Raw {
    Raw::parse(text).unwrap_or_else(|_| Object::new().finish())
}

/// The tools of a head as this API writes them.
pub(super) fn written(head: &Head) -> Option<Raw> {
    let read = |tool: Value<'_, '_>| definition_of(tool).or_else(|| typed(tool));
    written_by(head, read, |tool| tool.typed().is_none().then(|| tool_of(tool)))
}

/// A tool of the head's form as this API writes it.
fn tool_of(tool: &ToolDefinition) -> Raw {
    let doc = tool.wire().doc();
    let member = |name: &str| doc.root().get(name).map(Raw::of);
    let mut object = Object::new();
    let format = member("format");
    object.string("type", if format.is_some() { "custom" } else { "function" });
    object.text("name", tool.name());
    object.optional_raw("description", member("description").as_ref());
    if format.is_none() {
        object.optional_raw("parameters", member("input_schema").as_ref());
    }
    object.optional_raw("strict", member("strict").as_ref());
    object.optional_raw("format", format.as_ref());
    object.finish()
}
