//! The wording table as the specification has it, a copy of its own: everything on the wire that
//! nobody stored.

/// A wording: its pieces, with any text between them.
type Wording = &'static [&'static str];

/// Texts of the user side that are a block of their own.
const NOTES: &[Wording] = &[
    &["[Runtime note: the conversation continues from here.]"],
    &["[Image not seen: ", ". It was not visible to this model and has not been looked at.]"],
    &[
        "[Runtime note: the reply above reached the output limit while a call to ",
        " was being written. That call was discarded and nothing was run.]",
    ],
    &[
        "[Runtime note: the reply above reached the output limit while calls to ",
        " were being written. Those calls were discarded and nothing was run.]",
    ],
    &["[Runtime note: the reply above was interrupted before it finished.]"],
    &[
        "[Runtime note: the reply above was interrupted before it finished.] A call to ",
        " was being written and was not run.",
    ],
    &["[Record note: a block of kind \"", "\" is stored here; this build cannot show it.]"],
    &["[Removed from the record on request: ", " was here.]"],
    &["[Record note: a text file", " was given here. It says:]"],
    &["[Record note: a search result was given here: ", ". It says:]"],
    &["Image returned by ", " (call ", "):"],
    &[CONTINUATION],
];

/// What stands for instructions where there are none.
pub(crate) const NO_INSTRUCTIONS: &str =
    "[Runtime note: no instructions are recorded for this conversation.]";

/// The message before a handoff where none was stored.
pub(crate) const CONTINUATION: &str = "Earlier conversation has been compacted. Continue from \
     the handoff below and treat it as the record of what came before.";

/// What stands for a result.
const RESULTS: &[Wording] = &[
    &["This call did not complete before this request was made: it was still running. Its \
         result, if one comes, follows later in the conversation."],
    &["This call did not complete: it was never started, so it had no effect. Make it again if \
         it is still needed."],
    &["This call did not complete in the record: the turn ended before a result was saved. \
         Result unavailable. The call may have run, in whole or in part, or not at all. Check the \
         current state before repeating anything with side effects."],
    &["(no output)"],
    &["[Removed from the record on request: ", " was here.]"],
    &["[Record note: a text file", " was given here. It says:]"],
    &["[Record note: a search result was given here: ", ". It says:]"],
    &["[Image not seen: ", ". It was not visible to this model and has not been looked at.]"],
    &["[Record note: a block of kind \"", "\" is stored here; this build cannot show it.]"],
    &[
        "[Tool output cleared to save space: ",
        " bytes were here. The call ran; the full output is kept in the conversation record.]",
    ],
    &[
        "[Tool output cleared to save space: ",
        " bytes were here. The call ran and reported an error; the full output is kept in the \
         conversation record.]",
    ],
];

/// What goes before a stored text.
const LATE: Wording = &[
    "[Runtime note: a result for call ",
    " (",
    "), reported above as not completed, arrived later.]\n",
];

/// Whether a text of the user side is one of the table's notes.
pub(crate) fn is_note(text: &str) -> bool {
    NOTES.iter().any(|wording| matches(wording, text))
}

/// Whether a result's text is one of the table's stand-ins, or several lines of them.
pub(crate) fn is_result(text: &str) -> bool {
    RESULTS.iter().any(|wording| matches(wording, text))
}

/// What a text of evidence says after its label; `None` where it is none.
pub(crate) fn evidence(text: &str) -> Option<&str> {
    let text = match text.strip_prefix(LATE[0]) {
        Some(rest) => rest.split_once(LATE[2])?.1,
        None => text,
    };
    let rest = text.strip_prefix("Result (").or_else(|| text.strip_prefix("Error ("))?;
    // A tool's name may hold anything, the label's end is the first of these after it.
    Some(rest.split_once("): ")?.1)
}

/// The words before a system text on the user side.
pub(crate) const SYSTEM_NOTE: &str = "[System note] ";

/// The first line of an authority block.
pub(crate) const AUTHORITY: &str =
    "[Runtime principal: observed for this request, not conversation memory]\n";

/// What the operator says to a model without tools.
pub(crate) const NO_TOOLS: &str = "No tools are available in this conversation.";

/// The head of a record of actions.
pub(crate) const ACTIONS: &str = "[Record of actions taken]";

/// The place of an image that stands behind the results.
pub(crate) const IMAGE_BEHIND: &str = "[image attached in the next user message]";

/// Whether a line is the one before a late result.
pub(crate) fn is_late(line: &str) -> bool {
    line.starts_with(LATE[0]) && line.ends_with(LATE[2].trim_end())
}

fn matches(wording: Wording, text: &str) -> bool {
    let (Some(first), Some(last)) = (wording.first(), wording.last()) else { return false };
    if wording.len() == 1 {
        return text == *first;
    }
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    for piece in &wording[1..wording.len() - 1] {
        let Some((_, after)) = rest.split_once(piece) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}
