//! What was odd about a stream: never an error, never passed over in silence.

use crate::limits::{FINDING_BYTES_MAX, FINDING_WORDS_MAX};

/// The closed list of what assembling reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FindingKind {
    /// Something came out of turn, is not of the form its dialect has, or says another thing than
    /// what came before it did.
    MalformedStream,
    /// Proofs beside the blocks that do not fit them were set aside, all of them.
    EnvelopeMisaligned,
    /// Something this build has no name for was passed over.
    Unknown,
    /// Bytes that are no UTF-8 were replaced.
    NotUtf8,
}

impl FindingKind {
    /// The name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            FindingKind::MalformedStream => "MALFORMED_STREAM",
            FindingKind::EnvelopeMisaligned => "ENVELOPE_MISALIGNED",
            FindingKind::Unknown => "UNKNOWN",
            FindingKind::NotUtf8 => "NOT_UTF8",
        }
    }
}

/// A finding, once for all of its kind: a stream may repeat one without end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// How often it was met.
    pub count: u64,
    /// What was met, in words, each once: the first [`FINDING_WORDS_MAX`] that differ.
    pub words: Vec<String>,
}

/// Findings of one stream, in the order in which their kinds were first met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings(Vec<Finding>);

impl Findings {
    pub(crate) fn add(&mut self, kind: FindingKind, detail: impl FnOnce() -> String) {
        let Some(finding) = self.0.iter_mut().find(|finding| finding.kind == kind) else {
            self.0.push(Finding { kind, count: 1, words: vec![cut(detail())] });
            return;
        };
        finding.count += 1;
        if finding.words.len() < FINDING_WORDS_MAX {
            let words = cut(detail());
            if !finding.words.contains(&words) {
                finding.words.push(words);
            }
        }
    }

    pub(crate) fn into_vec(self) -> Vec<Finding> {
        self.0
    }
}

fn cut(mut words: String) -> String {
    if words.len() > FINDING_BYTES_MAX {
        let mut ends = words.char_indices().map(|(at, _)| at);
        let end = ends.rfind(|at| *at <= FINDING_BYTES_MAX).unwrap_or(0);
        words.truncate(end);
        words.push_str(" ...");
    }
    words
}
