//! What a linter says about a request body: the rule, the place, the provider's words, the fix.

/// How sure it is that a finding costs the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The provider refuses the request.
    Error,
    /// The request may pass: refused by some endpoints or models, or silently harmful.
    Warning,
}

impl Severity {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// One broken rule at one place of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Id of the rule in its dialect's table, such as `A-030`.
    pub rule: &'static str,
    /// What the rule says, by which those of one id in several books are told apart.
    pub title: &'static str,
    /// Whether the provider refuses.
    pub severity: Severity,
    /// Where, in the provider's own form (`messages.3.content.0.tool_use.id`,
    /// `messages[3].tool_calls[0].id`); empty for the body as a whole.
    pub path: String,
    /// Byte offset of the offending value in the body.
    pub offset: usize,
    /// What the provider answers, filled in.
    pub message: String,
    /// What to send instead.
    pub fix: &'static str,
}
