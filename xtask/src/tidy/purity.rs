//! The pure core takes values and gives values: no files, clock, environment, threads, randomness,
//! terminal. A reader or writer handed in by the caller is a value too.

use super::finding::Finding;
use super::source::{Source, closing, is_word, words};
use super::tree::Tree;

const RULE: &str = "purity";
const PURE: &[&str] = &["json", "record", "wire", "assemble", "replay"];
/// Modules of `std` that reach outside.
const MODULES: &[&str] = &["fs", "net", "env", "process", "thread"];
const CLOCKS_AND_LUCK: &[&str] = &["SystemTime", "Instant", "tokio::", "rand::"];
const TERMINAL: &[&str] =
    &["println!", "eprintln!", "print!", "eprint!", "stdin()", "stdout()", "stderr()"];

/// Checks the crates of the pure core, tests apart.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let pure = |file: &&Source| file.crate_name().is_some_and(|name| PURE.contains(&name));
    let mut findings = Vec::new();
    for file in tree.rust().filter(pure) {
        let used = std_modules(&file.code)
            .into_iter()
            .filter(|(_, name)| MODULES.contains(name))
            .map(|(at, name)| (at, format!("std::{name}")));
        let named = [CLOCKS_AND_LUCK, TERMINAL]
            .into_iter()
            .flatten()
            .flat_map(|word| words(&file.code, word).map(|at| (at, (*word).to_owned())));
        for (at, what) in used.chain(named).filter(|(at, _)| !file.is_test(*at)) {
            let advice = format!("take what `{what}` gives as an argument, or move the code out");
            findings.push(Finding::at(file, at, RULE, advice));
        }
    }
    findings
}

/// The modules named after `std::`, those of `std::{a, b::c}` included, with their offsets.
fn std_modules(code: &str) -> Vec<(usize, &str)> {
    let mut modules = Vec::new();
    for at in words(code, "std") {
        let path = at + "std::".len();
        let Some(rest) = code.get(at..).and_then(|text| text.strip_prefix("std::")) else {
            continue;
        };
        if rest.starts_with('{') {
            let group = code.get(path + 1..closing(code, path)).unwrap_or_default();
            modules.extend(group_items(group).into_iter().map(|name| (at, name)));
        } else {
            modules.push((at, identifier(rest)));
        }
    }
    modules
}

/// The first identifier of each item of a `use` group, nested groups aside.
fn group_items(group: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let mut depth = 0usize;
    let mut fresh = true;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => fresh = true,
            c if fresh && is_word(c) => {
                items.push(identifier(group.get(at..).unwrap_or_default()));
                fresh = false;
            }
            _ => {}
        }
    }
    items
}

fn identifier(text: &str) -> &str {
    text.split(|c| !is_word(c)).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&Tree::of(&[(path, text)])).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn reaching_outside_is_found_in_the_pure_core_alone() {
        let text = "use std::fs;\nuse std::{fmt, env::args};\nfn a() { println!(); }\n\
            type T = std::time::Instant;\nlet i = std::io::stdin();\nlet r = rand::random();\n";
        let mut found = lines("crates/replay/src/a.rs", text);
        found.sort_unstable();
        assert_eq!(found, [1, 2, 3, 4, 5, 6]);
        assert_eq!(lines("crates/cli/src/a.rs", text), [0; 0]);
    }

    #[test]
    fn values_comments_and_tests_are_pure() {
        let text = "use std::{fmt, io::{BufRead}};\n// std::fs\nlet operand = \"tokio\";\n\
            #[cfg(test)]\nmod tests { use std::fs; }\n";
        assert_eq!(lines("crates/replay/src/a.rs", text), [0; 0]);
    }
}
