//! Findings as a SARIF 2.1.0 log, which code hosts and editors read.

use std::collections::BTreeMap;

use stenograph::json::{Array, Object, Raw};
use stenograph::wire::rule::Rule;
use stenograph::wire::rulebook;
use stenograph::wire::{Finding, Severity};

use crate::places::Places;
use crate::source::Source;

/// Where the format is described.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log of one run.
#[derive(Debug, Default)]
pub struct Sarif {
    /// Rules that were broken, each with its index.
    rules: BTreeMap<(&'static str, &'static str), usize>,
    /// The same in the order of their indices.
    broken: Vec<&'static Rule>,
    results: Vec<Raw>,
}

impl Sarif {
    /// Adds the findings of a body.
    pub fn add(&mut self, source: &Source, places: &Places, findings: &[Finding]) {
        for finding in findings {
            let place = places.at(finding.offset);
            let mut region = Object::new();
            region
                .number("startLine", place.line as u64)
                .number("startColumn", place.column as u64);
            let mut artifact = Object::new();
            artifact.string("uri", &uri(&source.name));
            let mut physical = Object::new();
            physical.raw("artifactLocation", &artifact.finish()).raw("region", &region.finish());
            let mut location = Object::new();
            location.raw("physicalLocation", &physical.finish());
            if !finding.path.is_empty() {
                let mut logical = Object::new();
                logical.string("fullyQualifiedName", &finding.path);
                location.raw("logicalLocations", &Array::of(&[logical.finish()]));
            }
            let mut result = Object::new();
            result.string("ruleId", finding.rule);
            if let Some(index) = self.index_of(finding) {
                result.number("ruleIndex", index as u64);
            }
            result
                .string("level", level(finding.severity))
                .raw("message", &text(&finding.message))
                .raw("locations", &Array::of(&[location.finish()]));
            self.results.push(result.finish());
        }
    }

    fn index_of(&mut self, finding: &Finding) -> Option<usize> {
        let mut rules = rulebook::all(finding.rule).map(|(_, rule)| rule);
        let rule = rules.find(|rule| rule.title == finding.title)?;
        let next = self.broken.len();
        let index = *self.rules.entry((rule.id, rule.title)).or_insert(next);
        if index == next {
            self.broken.push(rule);
        }
        Some(index)
    }

    /// The log.
    pub fn finish(self) -> Raw {
        let rules: Vec<Raw> = self.broken.iter().map(|rule| described(rule)).collect();
        let mut driver = Object::new();
        driver
            .string("name", "steno")
            .string("version", env!("CARGO_PKG_VERSION"))
            .raw("rules", &Array::of(&rules));
        let mut tool = Object::new();
        tool.raw("driver", &driver.finish());
        let mut run = Object::new();
        run.raw("tool", &tool.finish())
            .string("columnKind", "unicodeCodePoints")
            .raw("results", &Array::of(&self.results));
        let mut log = Object::new();
        log.string("$schema", SCHEMA)
            .string("version", "2.1.0")
            .raw("runs", &Array::of(&[run.finish()]));
        log.finish()
    }
}

fn described(rule: &Rule) -> Raw {
    let mut configuration = Object::new();
    configuration.string("level", level(rule.severity));
    let mut out = Object::new();
    out.string("id", rule.id)
        .raw("shortDescription", &text(rule.title))
        .raw("fullDescription", &text(&format!("{}. Broken by: {}.", rule.title, rule.why)))
        .raw("help", &text(&format!("Fix: {}.", rule.fix)))
        .raw("defaultConfiguration", &configuration.finish());
    out.finish()
}

/// The word for a severity; the two lists have the same.
fn level(severity: Severity) -> &'static str {
    severity.as_str()
}

fn text(text: &str) -> Raw {
    let mut out = Object::new();
    out.string("text", text);
    out.finish()
}

/// A file's name as a reference: what no path of one holds as it is becomes its bytes' numbers.
fn uri(name: &str) -> String {
    let mut out = String::new();
    if name.starts_with('/') {
        out.push_str("file://");
    }
    for byte in name.bytes() {
        match byte {
            b'\\' => out.push('/'),
            b'/' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_name_is_a_reference() {
        assert_eq!(uri("a/b c.json"), "a/b%20c.json");
        assert_eq!(uri("b\u{fc}.json"), "b%C3%BC.json");
        assert_eq!(uri("/home/ada/x.json"), "file:///home/ada/x.json");
    }
}
