//! Findings in a vendor's words, as sure as the vendor's row is.

use crate::finding::Finding;
use crate::openai_chat::rules::{self, RULES};
use crate::openai_chat::vendors::{Takes, Wording};
use crate::report::{Fill, Report, filled};

/// The findings of one body.
pub(super) struct Verdict {
    report: Report,
    wording: Wording,
}

impl Verdict {
    pub(super) fn new(wording: Wording) -> Verdict {
        Verdict { report: Report::new(RULES), wording }
    }

    /// A broken rule that every vendor has.
    pub(super) fn refuse(&mut self, rule: &str, path: String, offset: usize, fill: Fill<'_>) {
        self.unless(Takes::No, rule, path, offset, fill);
    }

    /// A broken rule, unless the vendor takes it; where that is not known, a warning.
    pub(super) fn unless(
        &mut self,
        takes: Takes,
        rule: &str,
        path: String,
        offset: usize,
        fill: Fill<'_>,
    ) {
        let say = match takes {
            Takes::Yes => return,
            Takes::Doubtful => Report::warn_say,
            Takes::No => Report::say,
        };
        let template = rules::rule(rule).map(|rule| rules::says(rule, self.wording));
        let words = filled(template.unwrap_or_default(), &path, fill);
        say(&mut self.report, rule, path, offset, words);
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
