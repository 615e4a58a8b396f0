//! What is odd about a request body as JSON: members that are there twice, have another shape than
//! the API's, or are none of its parameters.
//!
//! In: the document. Out: values and what is odd about each. The document itself keeps them all.

use std::collections::HashSet;

use json::{Kind, Value};
use wire::anthropic_messages::lint::is_parameter;

/// Everything odd, in no particular order.
pub(super) fn of<'d, 't>(root: Value<'d, 't>) -> Vec<(Value<'d, 't>, String)> {
    let mut odd = Vec::new();
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        open.extend(value.items());
        let mut names = HashSet::new();
        for (key, member) in value.members() {
            if let Some(name) = key.to_text().filter(|name| !names.insert(name.clone())) {
                odd.push((key, format!("`{name}` is there more than once; the last counts")));
            }
            open.push(member);
        }
    }
    if root.kind() == Kind::Object {
        parameters(root, &mut odd);
    }
    odd
}

fn parameters<'d, 't>(root: Value<'d, 't>, odd: &mut Vec<(Value<'d, 't>, String)>) {
    for (key, value) in root.members() {
        let Some(name) = key.to_text() else { continue };
        let kept = |what: &str| format!("{what} is kept as it is");
        let words = match (name.as_str(), value.kind()) {
            ("system", Kind::String | Kind::Array | Kind::Null) => None,
            ("system", _) => Some(kept("a system that is neither a text nor a list of texts")),
            ("tools", Kind::Array | Kind::Null) | ("messages", Kind::Array) => None,
            ("tools" | "messages", _) => Some(kept(&format!("`{name}` that is no list"))),
            (name, _) if is_parameter(name) => None,
            (name, _) => Some(kept(&format!("`{name}`, no parameter of this API,"))),
        };
        odd.extend(words.map(|words| (value, words)));
        if name.as_str() != "system" {
            continue;
        }
        let is_text =
            |block: &Value<'_, '_>| block.get("type").is_some_and(|kind| kind.is_str("text"));
        // One without a text is reported where it is read.
        let others = value.items().filter(|block| !is_text(block) && block.get("text").is_some());
        odd.extend(
            others.map(|block| (block, "a system block of another type is read as text".into())),
        );
    }
}
