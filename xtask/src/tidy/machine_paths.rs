//! No path of one machine stands in the project.
//!
//! Every absolute path is one, but for those that each system has, an invented person's, and what
//! only looks like a path: an API's address, and the end of a path in the project.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::tree::Tree;

/// First folders that are the same everywhere.
const OF_EVERY_SYSTEM: &[&str] = &["bin", "dev", "etc", "proc", "usr", "var"];

/// First parts of addresses.
const OF_AN_API: &[&str] = &["api", "chat", "v1"];

/// The people of fixtures and examples, at home.
const HOMES: &[&str] = &["home", "Users"];
const PEOPLE: &[&str] = &["ada", "ana"];

/// Folders of recorded sessions, which lie beside the project.
const BESIDE: &[&str] = &["cases", "corpus"];

/// Checks all text files.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let folders: BTreeSet<&str> = tree
        .files
        .iter()
        .filter_map(|file| file.path.rsplit_once('/'))
        .flat_map(|(folder, _)| folder.split('/'))
        .chain(BESIDE.iter().copied())
        .collect();
    let mut findings = Vec::new();
    // Where a work tree keeps its history is written by git.
    for file in tree.files.iter().filter(|file| file.path != ".git") {
        for (at, first, second) in absolute_paths(&file.text) {
            let known = OF_EVERY_SYSTEM.contains(&first)
                || OF_AN_API.contains(&first)
                || folders.contains(first)
                || (HOMES.contains(&first) && PEOPLE.contains(&second));
            if !known {
                let advice = format!(
                    "`/{first}/{second}` is of one machine: use a path of the project, or of \
                     `/home/ada`"
                );
                findings.push(Finding::at(file, at, "machine path", advice));
            }
        }
    }
    findings
}

/// Where absolute paths of two parts or more begin, and these parts.
fn absolute_paths(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    text.match_indices('/').filter_map(|(at, _)| {
        let before = text.get(..at)?.chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || "_-.~}$*/>:%?)".contains(c)) {
            return None;
        }
        let (first, rest) = part(text.get(at + 1..)?)?;
        let (second, _) = part(rest.strip_prefix('/')?)?;
        Some((at, first, second))
    })
}

/// The part of a path that a text begins with, and what follows it.
fn part(text: &str) -> Option<(&str, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let (part, rest) = text.split_at(end);
    part.starts_with(|c: char| c.is_ascii_alphabetic()).then_some((part, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> usize {
        check(&Tree::of(&[("docs/a.md", text)])).len()
    }

    #[test]
    fn an_absolute_path_of_a_machine_is_found_whatever_its_folder() {
        for folder in ["work", "root", "mnt", "tmp", "opt", "data", "home", "Users"] {
            let text = format!("a\npath = \"{}\"\n", ["", folder, "x", "y"].join("/"));
            let found = check(&Tree::of(&[("docs/a.md", &text)]));
            assert!(matches!(found.as_slice(), [finding] if finding.line == 2), "{found:?}");
        }
    }

    #[test]
    fn what_every_system_has_and_an_invented_home_are_fine() {
        let known = "/usr/bin/env /dev/null /home/ada/x /Users/ana/y /v1/messages \"/docs/a.md\"";
        assert_eq!(found(known), 0);
    }

    #[test]
    fn a_part_of_a_longer_path_and_an_address_are_fine() {
        assert_eq!(found("a/srv/x ~/srv/x ${HOME}/srv/x https://example.org/srv/x and/or </b>"), 0);
    }
}
