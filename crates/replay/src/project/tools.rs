//! Tools of a head as functions: what every dialect that has no other tools says of one.

use json::{Kind, Object, Raw};
use record::ToolDefinition;

use super::head::refuse;
use crate::refusal::Refusal;

/// A tool that takes arguments of a schema.
pub(super) struct Function {
    pub(super) description: Option<Raw>,
    /// The schema of its arguments, an object's; none where it says nothing of them.
    pub(super) schema: Option<Raw>,
    /// Whatever else its definition says.
    pub(super) others: Vec<(String, Raw)>,
}

/// Members that every definition has a place for, and those that say nothing to a model.
const READ: &[&str] = &["type", "name", "description", "input_schema", "cache_control"];

/// Whether a tool is a provider's own, of a type of its own.
pub(super) fn is_typed(tool: &ToolDefinition) -> bool {
    tool.typed().is_some()
}

/// Reads a tool as a function.
pub(super) fn function(tool: &ToolDefinition) -> Result<Function, Refusal> {
    if tool.wire().has_lone_surrogate() {
        return Err(refuse(tool, "the definition holds a lone surrogate"));
    }
    let doc = tool.wire().doc();
    let member = |name: &str| doc.root().get(name).filter(|value| !value.is_null());
    let description = member("description");
    if description.is_some_and(|text| text.kind() != Kind::String) {
        return Err(refuse(tool, "the description is not a string"));
    }
    let schema = match member("input_schema") {
        Some(schema) if schema.kind() == Kind::Object => {
            if !schema.get("type").is_some_and(|kind| kind.is_str("object")) {
                return Err(refuse(tool, "input_schema.type is not \"object\""));
            }
            Some(Raw::compact(schema))
        }
        Some(_) => return Err(refuse(tool, "input_schema is no object")),
        None => None,
    };
    let others = doc.root().members().filter_map(|(key, value)| {
        let key = key.as_str()?.into_owned();
        let other = !value.is_null() && !READ.contains(&&*key);
        other.then(|| (key, Raw::compact(value)))
    });
    Ok(Function { description: description.map(Raw::compact), schema, others: others.collect() })
}

/// A schema that takes no argument.
pub(super) fn empty_schema() -> Raw {
    let mut schema = Object::new();
    schema.string("type", "object").raw("properties", &Object::new().finish());
    schema.finish()
}
