//! Members of a foreign object that a record has no field for.

use json::{Raw, Value};

use crate::entry::Rest;

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

/// The members of a foreign object beyond its `type` and those that are known, in their order,
/// each on one line. Those whose names mean something in our own lines are left out.
pub fn rest_of(value: Value<'_, '_>, known: &[&str]) -> Rest {
    let mut rest = Rest::default();
    for (key, member) in value.members() {
        let Some(name) = key.to_text() else { continue };
        if name.as_str() != "type" && !known.contains(&&*name) && !OURS.contains(&&*name) {
            rest.push(name, Raw::one_line(member));
        }
    }
    rest
}
