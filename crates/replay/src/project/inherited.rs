//! What the request that was imported last asked for beside its conversation, and this one does
//! not: parameters are the caller's, and none is taken over unsaid. Each is named in the report.

use std::collections::BTreeMap;

use json::{Kind, Raw, Value, canonical};
use record::{Entry, Sent};

use crate::report::{Change, ChangeKind};

/// The member of a `sent` that holds parameters whose names mean something else in its line.
const PARAMETERS: &str = "parameters";

/// Members that hold parameters and are none themselves.
const HOLDERS: &[&str] = &[
    "generationConfig",
    "generation_config",
    "inferenceConfig",
    "additionalModelRequestFields",
    "toolConfig",
    "tool_config",
    "options",
];

/// What asks nothing of the model: how the reply travels, which form of the API is spoken, and
/// tools, which the head has.
const NO_PARAMETERS: &[&str] =
    &["stream", "stream_options", "anthropic_version", "toolConfig.tools"];

/// The parameters of an imported request that `says`, the parameters of this one, does not hold.
pub(crate) fn left_out(entry: &Entry, sent: &Sent, says: &Raw) -> Vec<Change> {
    let doc = says.doc();
    let mut said: BTreeMap<String, Value<'_, '_>> = BTreeMap::new();
    for (name, value) in doc.root().members() {
        parameters(&name.as_str().unwrap_or_default(), value, &mut |name, value| {
            said.insert(name, value);
        });
    }
    let mut changes = Vec::new();
    let mut take = |name: String, value: Value<'_, '_>| {
        let is_said = said.get(&name).is_some_and(|said| canonical::equal(*said, value));
        if !is_said && !value.is_null() && !NO_PARAMETERS.contains(&name.as_str()) {
            let (kind, row) = (ChangeKind::ParameterOmitted, Some(entry.id.clone()));
            changes.push(Change { kind, row, block: None, detail: Some(name.into()) });
        }
    };
    for (name, raw) in sent.rest.iter() {
        let doc = raw.doc();
        if name.as_str() != PARAMETERS {
            parameters(name, doc.root(), &mut take);
            continue;
        }
        for (name, value) in doc.root().members() {
            parameters(&name.as_str().unwrap_or_default(), value, &mut take);
        }
    }
    changes
}

/// The parameters that a member of a request is: itself, or each that it holds.
fn parameters<'d, 't>(
    name: &str,
    value: Value<'d, 't>,
    take: &mut impl FnMut(String, Value<'d, 't>),
) {
    if !HOLDERS.contains(&name) || value.kind() != Kind::Object {
        return take(name.to_owned(), value);
    }
    for (inner, value) in value.members() {
        take(format!("{name}.{}", inner.as_str().unwrap_or_default()), value);
    }
}
