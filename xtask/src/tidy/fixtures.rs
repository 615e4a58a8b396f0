//! Every folder of cases is read by a test.
//!
//! A folder named `cases` under a `tests` folder is known to a test when some Rust file of the same
//! crate, or any script under the project's `tests`, names it with the folder above it: `a/cases`.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::tree::Tree;

/// Checks the folders of cases.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let folders: BTreeSet<&str> =
        tree.files.iter().filter_map(|file| cases_folder(&file.path)).collect();
    folders
        .into_iter()
        .filter(|folder| !is_named(tree, folder))
        .map(|folder| {
            let advice = "no test reads these cases: name the folder in one, or delete it";
            Finding::new(folder, 1, "fixture", advice)
        })
        .collect()
}

/// `../tests/../cases`, if the path leads through such a folder.
fn cases_folder(path: &str) -> Option<&str> {
    let at = path.find("/cases/")?;
    let folder = path.get(..at + "/cases".len())?;
    folder.split('/').any(|part| part == "tests").then_some(folder)
}

fn is_named(tree: &Tree, folder: &str) -> bool {
    let mut parts = folder.rsplit('/').skip(1);
    let name = format!("{}/cases", parts.next().unwrap_or_default());
    let (home, _) = folder.split_once("tests/").unwrap_or_default();
    tree.files.iter().any(|file| {
        let is_fixture = cases_folder(&file.path).is_some();
        file.path.starts_with(home) && !is_fixture && file.text.contains(&name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: (&str, &str) = ("crates/wire/tests/lint/cases/a/input.json", "lint/cases");

    #[test]
    fn cases_that_no_test_names_are_found() {
        let found = check(&Tree::of(&[CASE, ("crates/json/tests/lint.rs", "\"lint/cases\"")]));
        assert!(matches!(found.as_slice(), [one] if one.path == "crates/wire/tests/lint/cases"));
    }

    #[test]
    fn cases_that_a_test_of_the_crate_names_are_fine() {
        let runner = ("crates/wire/tests/lint.rs", "fn a() { read(\"tests/lint/cases\") }");
        assert_eq!(check(&Tree::of(&[CASE, runner])), []);
    }
}
