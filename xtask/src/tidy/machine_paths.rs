//! No path of one machine stands in the project.

use super::finding::Finding;
use super::tree::Tree;

/// Absolute folders that exist on somebody's machine only. Spelled in two parts, so that this file
/// does not find itself.
const FOLDERS: &[&str] =
    &[concat!("/", "work/"), concat!("/", "root/"), concat!("/tmp/", "target")];

/// Checks all text files.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &tree.files {
        for folder in FOLDERS {
            let starts_a_path = |at: &usize| {
                let before = file.text.get(..*at).and_then(|text| text.chars().next_back());
                !before.is_some_and(|c| c.is_alphanumeric() || "_-.~}$*/>".contains(c))
            };
            let places = file.text.match_indices(folder).map(|(at, _)| at).filter(starts_a_path);
            for at in places {
                let advice = format!("`{folder}` is of one machine: use a path of the project");
                findings.push(Finding::at(file, at, "machine path", advice));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_folder_of_a_machine_is_found() {
        for folder in FOLDERS {
            let text = format!("a\npath = \"{folder}x\"\n");
            let found = check(&Tree::of(&[("docs/a.md", &text)]));
            assert!(matches!(found.as_slice(), [finding] if finding.line == 2), "{found:?}");
        }
    }

    #[test]
    fn a_folder_of_that_name_elsewhere_is_fine() {
        let text = format!("~{0}x /home/ada{0}x ${{HOME}}{0}x", FOLDERS.first().unwrap());
        assert_eq!(check(&Tree::of(&[("docs/a.md", &text)])), []);
    }
}
