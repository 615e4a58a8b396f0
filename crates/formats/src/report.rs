//! Findings as they are collected.

use std::collections::HashMap;

use record::{Finding, FindingKind};

pub(crate) use record::Place;

/// Content of one kind that was kept aside: said once, however many lines it is.
#[derive(Debug)]
struct Aside {
    kind: String,
    first: Place,
    count: u64,
}

/// What was found in one file.
#[derive(Debug)]
pub(crate) struct Report {
    file: String,
    findings: Vec<Finding>,
    asides: Vec<Aside>,
    /// Index into `asides` by kind.
    aside_of: HashMap<String, usize>,
}

impl Report {
    pub(crate) fn new(file: &str) -> Report {
        Report {
            file: file.to_owned(),
            findings: Vec::new(),
            asides: Vec::new(),
            aside_of: HashMap::new(),
        }
    }

    pub(crate) fn add(&mut self, kind: FindingKind, place: Place, detail: impl Into<String>) {
        self.findings.push(Finding {
            kind,
            file: self.file.clone(),
            line: place.line,
            offset: place.offset,
            bytes: place.bytes,
            detail: detail.into(),
        });
    }

    /// Content of this kind stands beside the view.
    pub(crate) fn keep_aside(&mut self, kind: &str, place: Place) {
        let known = self.aside_of.get(kind).and_then(|index| self.asides.get_mut(*index));
        match known {
            Some(aside) => {
                aside.count += 1;
                aside.first.bytes += place.bytes;
            }
            None => {
                self.aside_of.insert(kind.to_owned(), self.asides.len());
                self.asides.push(Aside { kind: kind.to_owned(), first: place, count: 1 });
            }
        }
    }

    /// Everything found, in file order.
    pub(crate) fn finish(mut self) -> Vec<Finding> {
        for Aside { kind, first, count } in std::mem::take(&mut self.asides) {
            let times = if count == 1 { String::new() } else { format!(" ({count} lines)") };
            self.add(FindingKind::KeptAside, first, format!("{kind}: no part of the view{times}"));
        }
        self.findings.sort_by_key(|finding| (finding.line, finding.offset));
        self.findings
    }
}
