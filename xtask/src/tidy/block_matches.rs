//! A match over block kinds names every kind: a new kind must not fall into an old arm.
//!
//! Clippy holds the rule where `wildcard_enum_match_arm` is denied. This holds it in every file,
//! for a bare `_` and for a bare binding, and sees to it that clippy is asked.

use super::finding::Finding;
use super::source::{Source, closing, find_outside, is_word, words};
use super::tree::Tree;

const RULE: &str = "block match";
/// A pattern that begins like this is over block kinds.
const KINDS: &[&str] = &["Block::", "BlockKind::", "ResultPart::"];
const LINT: &str = "#![deny(clippy::wildcard_enum_match_arm)]";

/// Checks every match over block kinds outside of tests.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust() {
        let matches = block_matches(file);
        for (_, arms) in &matches {
            for (at, _) in arms.iter().filter(|(_, pattern)| is_catch_all(pattern)) {
                let advice = "name the kinds that end here, so that a new one is decided about";
                findings.push(Finding::at(file, *at, RULE, advice));
            }
        }
        if let Some((at, _)) = matches.first()
            && !asks_clippy(tree, file)
        {
            let advice = format!("put {LINT} at the top of this module or one above it");
            findings.push(Finding::at(file, *at, RULE, advice));
        }
    }
    findings
}

type Arm<'a> = (usize, &'a str);

/// Matches with at least one arm over block kinds: where, and their arms.
fn block_matches(file: &Source) -> Vec<(usize, Vec<Arm<'_>>)> {
    // A slice pattern asks how a list begins, not what a block is.
    let over_kinds = |(_, pattern): &Arm<'_>| {
        !pattern.starts_with('[') && KINDS.iter().any(|kind| words(pattern, kind).next().is_some())
    };
    words(&file.code, "match")
        .filter(|at| !file.is_test(*at))
        .filter_map(|at| Some((at, arms(&file.code, find_outside(&file.code, at, &['{', ';'])?))))
        .filter(|(_, arms)| arms.iter().any(over_kinds))
        .collect()
}

/// The patterns of a match whose body opens at `open`, each with its offset.
fn arms(code: &str, open: usize) -> Vec<Arm<'_>> {
    let end = closing(code, open) - 1;
    let mut arms = Vec::new();
    let mut at = open + 1;
    while let Some(arrow) = find_arrow(code, at, end) {
        let pattern = code.get(at..arrow).unwrap_or_default();
        let start = at + (pattern.len() - pattern.trim_start().len());
        arms.push((start, pattern.trim()));
        at = after_arm(code, arrow + "=>".len(), end);
    }
    arms
}

fn find_arrow(code: &str, from: usize, end: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at = find_outside(code, at, &['=']).filter(|at| *at < end)?;
        if code.get(at..).is_some_and(|rest| rest.starts_with("=>")) {
            return Some(at);
        }
        at += 1;
    }
}

/// Where the arm ends whose expression begins at `from`: past its comma or its block.
fn after_arm(code: &str, from: usize, end: usize) -> usize {
    let expression = code.get(from..end).unwrap_or_default();
    let start = from + (expression.len() - expression.trim_start().len());
    if code.get(start..).is_some_and(|rest| rest.starts_with('{')) {
        let closed = closing(code, start);
        let rest = code.get(closed..end).unwrap_or_default();
        let trimmed = rest.trim_start();
        // `{ .. }` ends the arm, `{ .. }.method(),` does not.
        if !trimmed.starts_with(['.', '?']) {
            let comma = usize::from(trimmed.starts_with(','));
            return closed + (rest.len() - trimmed.len()) + comma;
        }
    }
    find_outside(code, start, &[',', '}']).map_or(end, |at| at + 1).min(end)
}

fn is_catch_all(pattern: &str) -> bool {
    let pattern = pattern.strip_prefix('|').unwrap_or(pattern).trim();
    let binding = pattern.starts_with(|c: char| c.is_lowercase() || c == '_');
    binding && pattern.chars().all(is_word) && !matches!(pattern, "true" | "false")
}

/// Whether the lint is denied in the file or in a module above it.
fn asks_clippy(tree: &Tree, file: &Source) -> bool {
    let Some((home, inside)) = file.path.split_once("/src/") else { return true };
    let mut modules = vec![file.path.clone(), format!("{home}/src/lib.rs")];
    modules.push(format!("{home}/src/main.rs"));
    for (at, _) in inside.match_indices('/') {
        let module = inside.get(..at).unwrap_or_default();
        modules.push(format!("{home}/src/{module}.rs"));
        modules.push(format!("{home}/src/{module}/mod.rs"));
    }
    modules.iter().filter_map(|path| tree.file(path)).any(|module| module.code.contains(LINT))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<usize> {
        let text = format!("{LINT}\n{text}");
        let tree = Tree::of(&[("crates/replay/src/a.rs", &text)]);
        check(&tree).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_catch_all_over_block_kinds_is_found() {
        assert_eq!(found("match b {\n Block::Text(_) => 1,\n _ => 2,\n}"), [4]);
        assert_eq!(found("match b {\n Some(Block::Text(t)) => { a(t) }\n other => 2,\n}"), [4]);
        assert_eq!(found("match k {\n BlockKind::Text => { 1 }.into(),\n _ => 2 }"), [4]);
        let nested = "match a {\n 1 => match b { Block::Text(_) => 1,\n _ => 2 },\n _ => 3,\n}";
        assert_eq!(found(nested), [4]);
    }

    #[test]
    fn a_match_over_something_else_or_with_every_kind_named_is_fine() {
        assert_eq!(found("match b { 1 => Block::Text(x), _ => Block::Image(y) }"), [0; 0]);
        let named = "match b { Block::Text(_) if a >= 2 => 1, Block::Text(_) => 2, \
            Block::Image(_) | Block::Opaque(_) => match c { 1 => 1, _ => 2 } }";
        assert_eq!(found(named), [0; 0]);
        assert_eq!(found("match list { [Block::Text(_), ..] => 1, _ => 2 }"), [0; 0]);
        assert_eq!(found("match m { MessageBlock::A => 1, _ => 2 }"), [0; 0]);
    }

    #[test]
    fn the_lint_must_be_asked_for_in_the_module_or_above() {
        let text = "match b { Block::Text(_) => 1 }";
        let alone = [("crates/replay/src/read/a.rs", text)];
        assert_eq!(check(&Tree::of(&alone)).len(), 1);
        for above in ["crates/replay/src/lib.rs", "crates/replay/src/read/mod.rs"] {
            let samples = [("crates/replay/src/read/a.rs", text), (above, LINT)];
            assert_eq!(check(&Tree::of(&samples)), [], "{above}");
        }
    }
}
