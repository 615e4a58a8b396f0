//! Tools: as this API writes them, and in the head's form.

use json::{Array, Kind, Object, Raw, Value};
use record::{Head, ToolDefinition};

use crate::openai_chat::tools::schema_of;
use crate::source::one_line;
use crate::typed::{typed_tool, written_by};

/// The type under which a tool of the service's own stands in a head.
const SYSTEM_TOOL: &str = "systemTool";

/// The tools of a body.
#[derive(Default)]
pub(super) struct Tools {
    pub(super) definitions: Vec<ToolDefinition>,
    /// As they were written, those of which the definition does not say all.
    pub(super) as_written: Array,
    pub(super) has_as_written: bool,
}

impl Tools {
    /// Takes one tool; `false` where it is none that is known, and so nothing but what was written.
    pub(super) fn take(&mut self, tool: Value<'_, '_>) -> bool {
        if tool.get("cachePoint").is_some() {
            return true;
        }
        let definition = definition_of(tool);
        if !definition.as_ref().is_some_and(|known| says_all(tool, known)) {
            self.as_written.raw(&one_line(tool));
            self.has_as_written = true;
        }
        let known = definition.is_some();
        self.definitions.extend(definition.or_else(|| typed(tool)));
        known
    }
}

/// A tool of a kind that is not known, by its one member.
fn typed(tool: Value<'_, '_>) -> Option<ToolDefinition> {
    let (kind, inner) = tool.members().next()?;
    typed_tool(&kind.as_str()?, inner.get("name").and_then(Value::to_text))
}

/// Whether a definition, written again, says everything that the tool does.
fn says_all(tool: Value<'_, '_>, definition: &ToolDefinition) -> bool {
    json::canonical::equal(written_of(definition).doc().root(), tool)
}

fn definition_of(tool: Value<'_, '_>) -> Option<ToolDefinition> {
    let mut object = Object::new();
    if let Some(own) = tool.get(SYSTEM_TOOL) {
        object.string("type", SYSTEM_TOOL).text("name", &own.get("name")?.to_text()?);
        return ToolDefinition::new(object.finish());
    }
    let spec = tool.get("toolSpec")?;
    object.text("name", &spec.get("name")?.to_text()?);
    let member = |name: &str| spec.get(name).filter(|value| !value.is_null()).map(one_line);
    object.optional_raw("description", member("description").as_ref());
    let schema = spec.get("inputSchema").and_then(|schema| schema.get("json"));
    let schema = schema.filter(|schema| schema.kind() == Kind::Object);
    object.raw("input_schema", &schema_of(schema));
    object.optional_raw("strict", member("strict").as_ref());
    ToolDefinition::new(object.finish())
}

/// The tools of a head as this API writes them.
pub(super) fn written(head: &Head) -> Option<Raw> {
    let read = |tool: Value<'_, '_>| definition_of(tool).or_else(|| typed(tool));
    let is_own = |tool: &ToolDefinition| tool.typed().is_none_or(|kind| &*kind == SYSTEM_TOOL);
    written_by(head, read, |tool| is_own(tool).then(|| written_of(tool)))
}

fn written_of(tool: &ToolDefinition) -> Raw {
    let doc = tool.wire().doc();
    let root = doc.root();
    let mut inner = Object::new();
    inner.text("name", tool.name());
    if root.get("type").is_some_and(|kind| kind.is_str(SYSTEM_TOOL)) {
        return under(SYSTEM_TOOL, &inner.finish());
    }
    inner.optional_raw("description", root.get("description").map(Raw::of).as_ref());
    let schema = root.get("input_schema").map_or_else(|| schema_of(None), Raw::of);
    inner.raw("inputSchema", &under("json", &schema));
    inner.optional_raw("strict", root.get("strict").map(Raw::of).as_ref());
    under("toolSpec", &inner.finish())
}

/// An object with one member.
pub(super) fn under(name: &str, inner: &Raw) -> Raw {
    let mut object = Object::new();
    object.raw(name, inner);
    object.finish()
}
