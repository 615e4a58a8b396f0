//! Which crate may use which, and which crates from outside.
//!
//! The direction is the table below. Crates from outside stand in a table with the reason,
//! `docs/decisions/0003-dependencies.md`; one without a row there is a finding, a row without a
//! user is a note. Dev-dependencies may use any crate of ours, and need a row if from outside.

use super::finding::Finding;
use super::manifest::{Dependency, dependencies, is_package};
use super::source::Source;
use super::tree::Tree;

const RULE: &str = "dependency";
const REASONS: &str = "docs/decisions/0003-dependencies.md";
/// Our packages are named `stenograph-json`; the code says `json`.
const PREFIX: &str = "stenograph-";

const PRODUCT: &[&str] = &[
    "json",
    "record",
    "wire",
    "assemble",
    "replay",
    "formats",
    "store",
    "stenograph",
    "standin",
    "server",
];

/// A crate and the crates of ours it may use.
const DIRECTION: &[(&str, &[&str])] = &[
    ("json", &[]),
    ("record", &["json"]),
    ("wire", &["json"]),
    ("assemble", &["json", "record", "wire"]),
    ("replay", &["json", "record", "wire"]),
    ("formats", &["json", "record", "wire", "assemble", "replay"]),
    ("store", &["json", "record"]),
    ("stenograph", &["json", "record", "wire", "assemble", "replay", "formats", "store"]),
    ("standin", &["json", "wire", "assemble"]),
    ("server", &["stenograph"]),
    ("cli", PRODUCT),
    // Never a dependency of the product.
    ("testkit", PRODUCT),
    ("bench", PRODUCT),
    ("fuzz", PRODUCT),
    ("xtask", PRODUCT),
];

/// Checks every manifest.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let rows = tree.file(REASONS).map(rows).unwrap_or_default();
    let mut used = Vec::new();
    let mut findings = Vec::new();
    for manifest in tree.files.iter().filter(|file| file.name() == "Cargo.toml") {
        if !is_package(&manifest.text) {
            continue;
        }
        let name = manifest.path.rsplit('/').nth(1).unwrap_or_default();
        let Some((_, may_use)) = DIRECTION.iter().find(|(row, _)| *row == name) else {
            let advice = format!("give crate `{name}` a row in the table of tidy's dependencies");
            findings.push(Finding::new(&manifest.path, 1, RULE, advice));
            continue;
        };
        for dependency in dependencies(&manifest.text) {
            let advice = match ours(&dependency.name) {
                Some(other) => wrong_way(name, other, may_use, dependency.dev),
                None => without_reason(name, &dependency, &rows),
            };
            if let Some(advice) = advice {
                findings.push(Finding::new(&manifest.path, dependency.line, RULE, advice));
            }
            used.push(dependency.name);
        }
    }
    let unused = rows.iter().filter(|row| !used.contains(&row.name)).map(|row| {
        let advice = format!("nothing uses `{}`: take its row out", row.name);
        Finding::new(REASONS, row.line, RULE, advice).noted()
    });
    findings.extend(unused);
    findings
}

fn ours(dependency: &str) -> Option<&'static str> {
    let name = dependency.strip_prefix(PREFIX).unwrap_or(dependency);
    DIRECTION.iter().map(|(row, _)| *row).find(|row| *row == name)
}

fn wrong_way(name: &str, other: &str, may_use: &[&str], dev: bool) -> Option<String> {
    (!dev && !may_use.contains(&other))
        .then(|| format!("`{name}` may not use `{other}`: move the type to a crate both may use"))
}

fn without_reason(name: &str, dependency: &Dependency, rows: &[Row]) -> Option<String> {
    let outside = &dependency.name;
    let row = rows.iter().find(|row| row.name == *outside);
    let listed = row.is_some_and(|row| row.users.iter().any(|user| user == name));
    (!listed).then(|| format!("name `{outside}` with user `{name}` and the reason in {REASONS}"))
}

/// A row of the table of reasons: `| name | users | .. |`.
struct Row {
    name: String,
    users: Vec<String>,
    line: usize,
}

fn rows(reasons: &Source) -> Vec<Row> {
    let cells = |line: &str| -> Option<(String, Vec<String>)> {
        let mut cells = line.strip_prefix("| `")?.split('|');
        let name = cells.next()?.trim().trim_matches('`').to_owned();
        let users = cells.next()?.split(',').map(|user| user.trim().to_owned()).collect();
        Some((name, users))
    };
    let lines = reasons.text.lines().enumerate();
    lines
        .filter_map(|(index, line)| {
            let (name, users) = cells(line)?;
            Some(Row { name, users, line: index + 1 })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: (&str, &str) = (REASONS, "| crate | used by |\n|---|---|\n| `base64` | wire |\n");

    fn found(path: &str, dependencies: &str) -> Vec<String> {
        let manifest = format!("[package]\n[dependencies]\n{dependencies}");
        let tree = Tree::of(&[(path, &manifest), ROWS]);
        check(&tree).into_iter().filter(|f| !f.note).map(|f| f.to_string()).collect()
    }

    #[test]
    fn a_crate_uses_only_what_its_row_names() {
        assert_eq!(found("crates/wire/Cargo.toml", "json.workspace = true"), [""; 0]);
        let upward = found("crates/wire/Cargo.toml", "stenograph-record = \"1\"");
        assert_eq!(upward.len(), 1, "{upward:?}");
        assert_eq!(found("crates/wire/Cargo.toml", "testkit.workspace = true").len(), 1);
        let dev = "[dev-dependencies]\ntestkit.workspace = true";
        assert_eq!(found("crates/wire/Cargo.toml", dev), [""; 0]);
    }

    #[test]
    fn an_outside_crate_needs_a_row_for_its_user() {
        assert_eq!(found("crates/wire/Cargo.toml", "base64 = \"1\""), [""; 0]);
        assert_eq!(found("crates/record/Cargo.toml", "base64 = \"1\"").len(), 1);
        assert_eq!(found("crates/wire/Cargo.toml", "serde = \"1\"").len(), 1);
    }

    #[test]
    fn a_crate_without_a_row_is_found() {
        assert_eq!(found("crates/other/Cargo.toml", "").len(), 1);
        assert_eq!(check(&Tree::of(&[("Cargo.toml", "[workspace]\n")])), []);
    }

    #[test]
    fn a_reason_that_nothing_uses_is_a_note() {
        let notes = check(&Tree::of(&[ROWS]));
        assert!(matches!(notes.as_slice(), [note] if note.note && note.line == 3), "{notes:?}");
    }
}
