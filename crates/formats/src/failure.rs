//! How a result says that its call failed, where a format has no mark for it: in its text, as a
//! request of that API does.
#![deny(clippy::wildcard_enum_match_arm)]

use std::borrow::Cow;

use record::{ResultPart, ToolResult};

/// The parts of a result. Those of a failed call begin with "Error".
pub(crate) fn told(result: &ToolResult) -> Cow<'_, [ResultPart]> {
    if !result.is_error {
        return Cow::Borrowed(&result.content);
    }
    let mut content = result.content.clone();
    match content.first_mut() {
        Some(ResultPart::Text(text)) if text.starts_with("Error") => {}
        // A text that is put together anew would lose its lone surrogates.
        Some(ResultPart::Text(text)) if !text.has_lone_surrogate() => {
            *text = format!("Error: {text}").into();
        }
        Some(ResultPart::Text(_) | ResultPart::Image(_) | ResultPart::Opaque(_)) => {
            content.insert(0, ResultPart::Text("Error:".into()));
        }
        None => content.push(ResultPart::Text("Error: (no output)".into())),
    }
    Cow::Owned(content)
}
