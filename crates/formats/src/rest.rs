//! Members of a foreign object that a record has no field for, read and written.

use json::{Object, Raw, Value};
use record::Rest;

use crate::source::one_line;

/// Names that mean something in a record's own lines. A foreign member of such a name stays in the
/// lines it came from only: written beside the record's own it would be read back as that.
const OURS: [&str; 48] = [
    "agent",
    "answers",
    "audience",
    "author",
    "blob",
    "blocks",
    "build",
    "covers",
    "data",
    "digests",
    "entry",
    "file",
    "fills",
    "id",
    "images",
    "input",
    "interrupted",
    "is_error",
    "kind",
    "media_type",
    "meta",
    "name",
    "no_vision",
    "origin",
    "output",
    "parent_id",
    "parts",
    "proof",
    "raw",
    "reasoning",
    "ref",
    "renditions",
    "response",
    "role",
    "runs_logged",
    "seq",
    "source",
    "stenograph",
    "stop",
    "target",
    "text",
    "timestamp",
    "tip",
    "tool_name",
    "tool_use_id",
    "url",
    "usage",
    "v",
];

/// The members of an object beyond those that are known, in their order.
pub(crate) fn rest_of(value: Value<'_, '_>, known: &[&str]) -> Rest {
    let mut rest = Rest::default();
    for (key, member) in value.members() {
        let Some(name) = key.to_text() else { continue };
        if name.as_str() != "type" && !known.contains(&&*name) && !OURS.contains(&&*name) {
            rest.push(name, one_line(member));
        }
    }
    rest
}

/// An object of a type, to be gone on with.
pub(crate) fn typed(kind: &str) -> Object {
    let mut object = Object::new();
    object.string("type", kind);
    object
}

/// The object with the members that had no field, but for some.
pub(crate) fn with_rest(mut object: Object, rest: &Rest, but: &[&str]) -> Raw {
    for (name, value) in rest.iter().filter(|(name, _)| !but.contains(&name.as_str())) {
        object.raw(name, value);
    }
    object.finish()
}
