//! The wording table: with stored text, every byte of text on a wire.
//!
//! Nothing of it ever stands in an assistant message. A shipped wording is never edited: a new one
//! raises [`crate::BUILD`].

use json::escape::literal;
use record::GapWording;

/// `CONTINUE`
pub(crate) const CONTINUE: &str = "[Runtime note: the conversation continues from here.]";

/// A result without output.
pub(crate) const NO_OUTPUT: &str = "(no output)";

/// Before a system text on the user side.
pub(crate) const SYSTEM_NOTE: &str = "[System note] ";

/// The key under which arguments that are no object cross.
pub(crate) const UNPARSED_ARGUMENTS: &str = "_unparsed_arguments";

/// A tool without a name, where one has to be named.
pub(crate) const UNNAMED: &str = "unnamed";

/// Before an error's words, where the wire has no flag for one.
pub(crate) const ERROR: &str = "Error: ";

/// How an error's words begin where they say themselves that they are one's.
pub(crate) const ERROR_BEGINS: &str = "Error";

/// The place of a result's image that stands in the next user message (C-014).
pub(crate) const IMAGE_BEHIND: &str = "[image attached in the next user message]";

/// The head of a round that is told as a record.
pub(crate) const ACTIONS: &str = "[Record of actions taken]";

/// Before a result in such a record.
pub(crate) const CAME: &str = "\n  result: ";

/// Before an error in such a record.
pub(crate) const CAME_ERROR: &str = "\n  error: ";

/// Before a stand-in in such a record.
pub(crate) const CAME_NOT: &str = "\n  did not complete: ";

/// What the operator says to a model without tools.
pub(crate) const NO_TOOLS: &str = "No tools are available in this conversation.";

/// What stands for instructions where a platform wants some and the record has none.
pub(crate) const NO_INSTRUCTIONS: &str =
    "[Runtime note: no instructions are recorded for this conversation.]";

/// The tool that stands for those a history calls where a vendor wants one.
pub(crate) const STAND_IN_TOOL: &str = "unavailable";

/// What it does.
pub(crate) const STAND_IN_DESCRIPTION: &str = "No tool is available in this request.";

const RUNNING: &str = "This call did not complete before this request was made: it was still \
     running. Its result, if one comes, follows later in the conversation.";
const NOT_STARTED: &str = "This call did not complete: it was never started, so it had no effect. \
     Make it again if it is still needed.";
const UNKNOWN: &str = "This call did not complete in the record: the turn ended before a result \
     was saved. Result unavailable. The call may have run, in whole or in part, or not at all. \
     Check the current state before repeating anything with side effects.";

/// The stand-in for an unanswered call.
pub(crate) fn gap(wording: &GapWording) -> &str {
    match wording {
        GapWording::Running => RUNNING,
        GapWording::NotStarted => NOT_STARTED,
        GapWording::Unknown => UNKNOWN,
        GapWording::Text(text) => text,
    }
}

/// Why an image is not seen; that the model has no vision goes without saying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnseenReason {
    NoVision,
    AssistantImage,
    DataMissing,
    NotAccepted,
    SizeLimit,
    Cleared,
}

impl UnseenReason {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            UnseenReason::NoVision => "no vision",
            UnseenReason::AssistantImage => {
                "this provider cannot carry an image in an assistant message"
            }
            UnseenReason::DataMissing => "the image data is missing",
            UnseenReason::NotAccepted => "this provider does not accept this image",
            UnseenReason::SizeLimit => "left out to keep the request within its size limit",
            UnseenReason::Cleared => "cleared",
        }
    }
}

/// The marker of an image that is not seen.
pub(crate) fn unseen(media_type: &str, reason: UnseenReason) -> String {
    let why = match reason {
        UnseenReason::NoVision => String::new(),
        UnseenReason::AssistantImage
        | UnseenReason::DataMissing
        | UnseenReason::NotAccepted
        | UnseenReason::SizeLimit
        | UnseenReason::Cleared => format!(" ({})", reason.as_str()),
    };
    format!(
        "[Image not seen: {media_type}{why}. It was not visible to this model and has not been \
         looked at.]"
    )
}

/// `CLEARED`
pub(crate) fn cleared(bytes: usize, is_error: bool) -> String {
    let ran = if is_error { "The call ran and reported an error" } else { "The call ran" };
    format!(
        "[Tool output cleared to save space: {bytes} bytes were here. {ran}; the full output is \
         kept in the conversation record.]"
    )
}

/// A call in a record of actions, up to its arguments.
pub(crate) fn called(name: &str) -> String {
    format!("\n- {name} was called with ")
}

/// `DROPPED_CALL`
pub(crate) fn dropped_calls(names: &[&str]) -> String {
    match names {
        [name] => format!(
            "[Runtime note: the reply above reached the output limit while a call to {name} was \
             being written. That call was discarded and nothing was run.]"
        ),
        _ => format!(
            "[Runtime note: the reply above reached the output limit while calls to {} were being \
             written. Those calls were discarded and nothing was run.]",
            names.join(", ")
        ),
    }
}

/// `INTERRUPTED`
pub(crate) fn interrupted(names: &[&str]) -> String {
    let calls: String = names
        .iter()
        .map(|name| format!(" A call to {name} was being written and was not run."))
        .collect();
    format!("[Runtime note: the reply above was interrupted before it finished.]{calls}")
}

/// `RECORD_NOTE`, of a kind.
pub(crate) fn opaque(kind: &str) -> String {
    format!("[Record note: a block of kind \"{kind}\" is stored here; this build cannot show it.]")
}

/// `RECORD_NOTE`, of a file that is told as its text.
pub(crate) fn file(name: &str) -> String {
    let named = if name.is_empty() { String::new() } else { format!(" called {}", literal(name)) };
    format!("[Record note: a text file{named} was given here. It says:]\n")
}

/// `RECORD_NOTE`, of what a search found.
pub(crate) fn found(source: &str, title: &str) -> String {
    let (source, title) = (literal(source), literal(title));
    format!("[Record note: a search result was given here: {title}, from {source}. It says:]\n")
}

/// `LATE`, the line before a late result.
pub(crate) fn late(id: &str, name: &str) -> String {
    format!(
        "[Runtime note: a result for call {id} ({name}), reported above as not completed, arrived \
         later.]\n"
    )
}

/// `REDACTED`
pub(crate) fn redacted(what: &str) -> String {
    format!("[Removed from the record on request: {what} was here.]")
}

/// The label of images that stand after the results instead of inside one.
pub(crate) fn image_label(tool: &str, id: &str) -> String {
    format!("Image returned by {tool} (call {id}):")
}

/// The beginning of evidence: a result that is bound to no call.
pub(crate) fn evidence(name: &str, is_error: bool) -> String {
    let name = if name.is_empty() { UNNAMED } else { name };
    if is_error { format!("Error ({name}): ") } else { format!("Result ({name}): ") }
}
