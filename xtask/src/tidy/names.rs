//! Names that say nothing about what is inside.

use super::finding::Finding;
use super::source::{Source, is_word, words};
use super::tree::Tree;

const RULE: &str = "name";
/// No file, folder or module is called this.
const BANNED: &[&str] =
    &["utils", "util", "helpers", "helper", "common", "misc", "manager", "shared"];
/// No type's name ends in this.
const BANNED_ENDINGS: &[&str] = &["Utils", "Util", "Helpers", "Helper", "Misc", "Manager"];
const CODE_FOLDERS: &[&str] = &["crates/", "xtask/", "fuzz/", "bindings/", "tests/", "bench/"];

/// Checks the paths of code and the names of modules and types.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut last_folder = String::new();
    for file in &tree.files {
        if !CODE_FOLDERS.iter().any(|folder| file.path.starts_with(folder)) {
            continue;
        }
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let stem = file.name().split('.').next().unwrap_or_default();
        let folder_is_bad = folder.split('/').any(|part| BANNED.contains(&part));
        if BANNED.contains(&stem) || (folder_is_bad && folder != last_folder) {
            let advice = "name it by the concept it holds".to_owned();
            findings.push(Finding::new(&file.path, 1, RULE, advice));
        }
        last_folder = folder.to_owned();
        findings.extend(declared(file));
    }
    findings
}

fn declared(file: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for keyword in ["mod", "struct", "enum", "trait", "type"] {
        for at in words(&file.code, keyword) {
            let rest = file.code.get(at + keyword.len()..).unwrap_or_default().trim_start();
            let name = rest.split(|c| !is_word(c)).next().unwrap_or_default();
            let inline = keyword == "mod" && !rest.starts_with(&format!("{name};"));
            if (inline && BANNED.contains(&name))
                || BANNED_ENDINGS.iter().any(|ending| name.ends_with(ending))
            {
                let advice = format!("name `{name}` by what it is in the domain");
                findings.push(Finding::at(file, at, RULE, advice));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn a_name_that_says_nothing_is_found() {
        assert_eq!(count("crates/wire/src/utils.rs", ""), 1);
        assert_eq!(count("crates/wire/tests/common/mod.rs", ""), 1);
        assert_eq!(count("crates/server/panel/helper.ts", ""), 1);
        assert_eq!(count("crates/wire/src/a.rs", "mod shared { }\nstruct StoreManager;"), 2);
    }

    #[test]
    fn a_name_of_the_domain_is_fine() {
        let text = "mod usage { }\nstruct Utilisation;\n// struct Manager\nlet common = 1;";
        assert_eq!(count("crates/wire/src/usage.rs", text), 0);
        assert_eq!(count("docs/shared.md", ""), 0);
    }
}
