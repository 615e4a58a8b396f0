//! Findings, as sure as the tables are.

use crate::finding::Finding;
use crate::gemini::rules::RULES;
use crate::report::{Fill, Report};
use crate::takes::Takes;

/// The findings of one body.
pub(super) struct Verdict {
    report: Report,
}

impl Verdict {
    pub(super) fn new() -> Verdict {
        Verdict { report: Report::new(RULES) }
    }

    /// A broken rule that everybody has.
    pub(super) fn refuse(&mut self, rule: &str, path: String, offset: usize, fill: Fill<'_>) {
        self.report.add(rule, path, offset, fill);
    }

    /// A broken rule, unless it is taken; where that is not known, a warning.
    pub(super) fn unless(
        &mut self,
        takes: Takes,
        rule: &str,
        path: String,
        offset: usize,
        fill: Fill<'_>,
    ) {
        self.report.unless(takes, rule, path, offset, fill);
    }

    /// A broken rule in words of the caller's.
    pub(super) fn say(
        &mut self,
        takes: Takes,
        rule: &str,
        path: String,
        offset: usize,
        words: String,
    ) {
        match takes {
            Takes::Yes => {}
            Takes::Doubtful => self.report.warn_say(rule, path, offset, words),
            Takes::No => self.report.say(rule, path, offset, words),
        }
    }

    pub(super) fn finish(self) -> Vec<Finding> {
        self.report.finish()
    }
}

/// The one of two that takes less.
pub(super) fn least(one: Takes, other: Takes) -> Takes {
    match (one, other) {
        (Takes::No, _) | (_, Takes::No) => Takes::No,
        (Takes::Doubtful, _) | (_, Takes::Doubtful) => Takes::Doubtful,
        (Takes::Yes, Takes::Yes) => Takes::Yes,
    }
}

/// The one of two that takes more.
pub(super) fn most(one: Takes, other: Takes) -> Takes {
    match (one, other) {
        (Takes::Yes, _) | (_, Takes::Yes) => Takes::Yes,
        (Takes::Doubtful, _) | (_, Takes::Doubtful) => Takes::Doubtful,
        (Takes::No, Takes::No) => Takes::No,
    }
}
