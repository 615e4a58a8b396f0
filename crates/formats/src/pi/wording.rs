//! What pi puts around a text it sends on the user's side.

use json::Value;

/// Around the summary of a compaction.
pub(crate) const COMPACTION: [&str; 2] = [
    "The conversation history before this point was compacted into the following summary:\n\n\
     <summary>\n",
    "\n</summary>",
];

/// Around the summary of a branch that was left.
pub(crate) const BRANCH: [&str; 2] = [
    "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n",
    "</summary>",
];

/// A text in its frame.
pub(crate) fn framed([before, after]: [&str; 2], text: &str) -> String {
    format!("{before}{text}{after}")
}

/// The inside of a frame, where the text stands in one.
pub(crate) fn unframed<'t>([before, after]: [&str; 2], text: &'t str) -> Option<&'t str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

/// A command a person ran, and what it printed.
pub(crate) fn bash_execution(message: Value<'_, '_>) -> Option<String> {
    let truth = |name: &str| message.get(name).and_then(Value::as_bool).unwrap_or(false);
    let mut text = format!("Ran `{}`\n", message.get_str("command")?);
    match message.get_str("output").filter(|output| !output.is_empty()) {
        Some(output) => text.push_str(&format!("```\n{output}\n```")),
        None => text.push_str("(no output)"),
    }
    let code = message.get("exitCode").filter(|code| !code.is_null() && code.raw() != "0");
    if truth("cancelled") {
        text.push_str("\n\n(command cancelled)");
    } else if let Some(code) = code {
        text.push_str(&format!("\n\nCommand exited with code {}", code.raw()));
    }
    if let Some(path) = message.get_str("fullOutputPath").filter(|_| truth("truncated")) {
        text.push_str(&format!("\n\n[Output truncated. Full output: {path}]"));
    }
    Some(text)
}
