//! Tools that are no functions: a provider runs them, or its API alone has their form. A head holds
//! their type and name, and what they were written as beside it; no other API is asked for them.

use std::collections::{HashMap, VecDeque};

use json::{Array, Doc, Object, Raw, Text, Value};
use record::{Head, ToolDefinition};

use crate::body::TOOLS_AS_WRITTEN;

/// What a tool of free text is called in a head, where `custom` is a tool like any other.
const FREE_TEXT: &str = "custom_tool";

/// A tool of a type, by its name where it has one.
pub(crate) fn typed_tool(kind: &str, name: Option<Text>) -> Option<ToolDefinition> {
    if kind.is_empty() || kind == "function" {
        return None;
    }
    let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| kind.into());
    let mut object = Object::new();
    object.string("type", if kind == "custom" { FREE_TEXT } else { kind }).text("name", &name);
    ToolDefinition::new(object.finish())
}

/// The tools of a head as an API writes them, as they were written where that says more; none where
/// there are none. `read` reads one that was written; `write` gives none for a tool of another API.
pub(crate) fn written_by(
    head: &Head,
    read: impl Fn(Value<'_, '_>) -> Option<ToolDefinition>,
    write: impl Fn(&ToolDefinition) -> Option<Raw>,
) -> Option<Raw> {
    let as_written = head.rest.get(TOOLS_AS_WRITTEN).map(Raw::doc);
    let mut originals: HashMap<Text, VecDeque<Raw>> = HashMap::new();
    for tool in as_written.as_ref().map(Doc::root).into_iter().flat_map(Value::items) {
        if let Some(known) = read(tool) {
            originals.entry(known.name().clone()).or_default().push_back(Raw::of(tool));
        }
    }
    let mut list: Vec<Raw> = Vec::new();
    for tool in head.head.iter().flat_map(|head| &head.tools) {
        let original = originals.get_mut(tool.name()).and_then(VecDeque::pop_front);
        list.extend(original.or_else(|| write(tool)));
    }
    (!list.is_empty()).then(|| Array::of(&list))
}
