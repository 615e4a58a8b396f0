//! A rule book's row: what holds in a body, what the provider answers where it does not, the fix.
//!
//! Each dialect has its own table of these, sorted by id; its linter fills the templates.

use crate::finding::Severity;

/// How well a rule is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// Documented and observed, or measured twice.
    Proven,
    /// Documented only.
    Documented,
    /// Observed only.
    Observed,
    /// Inferred.
    Inferred,
}

/// When the provider looks: the order in which findings are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Reading the body.
    Parse,
    /// Types, patterns, keys.
    Schema,
    /// Sizes and media.
    Media,
    /// Order of roles, emptiness, marks.
    Roles,
    /// Calls and results.
    Pairing,
    /// What an assistant turn begins and ends with.
    FinalThinking,
    /// Signatures and the prefix they are bound to.
    Signature,
    /// What the model can do.
    Model,
}

/// Whether the linter judges a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// By this id.
    Here,
    /// As a case of another rule.
    Under(&'static str),
    /// Not at all: a body alone does not show it; [`Rule::why`] says what is missing.
    Never,
}

/// One rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The rule's id, such as `A-030`.
    pub id: &'static str,
    /// What holds in a body that keeps the rule.
    pub title: &'static str,
    /// What the provider answers, as a template; of several wordings the first.
    pub says: &'static str,
    /// HTTP status of the answer.
    pub status: u16,
    /// The usual severity; a finding may be milder where recorded traffic was accepted.
    pub severity: Severity,
    /// Why the rule is broken in practice, or why it cannot be checked.
    pub why: &'static str,
    /// What to send instead.
    pub fix: &'static str,
    /// How well the rule is known.
    pub confidence: Confidence,
    /// When the provider looks.
    pub phase: Phase,
    /// Whether the linter judges it.
    pub checked: Checked,
}

/// The rule of this id in a table sorted by id.
pub(crate) fn find(table: &'static [Rule], id: &str) -> Option<&'static Rule> {
    table.binary_search_by(|rule| rule.id.cmp(id)).ok().and_then(|at| table.get(at))
}
