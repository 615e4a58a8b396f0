//! Every module says what it is, before anything else.

use super::finding::Finding;
use super::source::Source;
use super::tree::Tree;

/// Checks every Rust file of a `src` folder.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let undocumented = tree.rust().filter(|file| file.crate_name().is_some() && !has_docs(file));
    undocumented
        .map(|file| {
            let advice = "begin with `//!`: what this is, what goes in and out, what is not here";
            Finding::new(&file.path, 1, "module doc", advice)
        })
        .collect()
}

fn has_docs(file: &Source) -> bool {
    let mut lines = file.text.lines().map(str::trim_start);
    lines.find(|line| !line.is_empty() && !line.starts_with("#!")).is_some_and(|first| {
        first.strip_prefix("//!").is_some_and(|words| !words.trim().is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn a_module_without_a_first_sentence_is_found() {
        assert_eq!(count("crates/wire/src/a.rs", "use x;\n//! Late.\n"), 1);
        assert_eq!(count("crates/wire/src/a.rs", "//!\n"), 1);
        assert_eq!(count("crates/wire/src/a.rs", ""), 1);
    }

    #[test]
    fn a_first_sentence_is_enough() {
        assert_eq!(count("crates/wire/src/a.rs", "#![deny(x)]\n\n//! Usage.\n"), 0);
        assert_eq!(count("crates/wire/tests/a.rs", ""), 0);
    }
}
