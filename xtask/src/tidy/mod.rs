//! The rules of STYLE.md that a machine can hold, one file per rule.
//!
//! In: the project's text files. Out: findings, printed as `path:line: rule: what to do`, and exit
//! code 1 if there are any. Notes are printed and fail nothing. What rustfmt, rustc and clippy
//! already hold is not checked again here.

mod block_matches;
mod characters;
mod dependencies;
mod finding;
mod fixtures;
mod length;
mod machine_paths;
mod manifest;
mod module_docs;
mod names;
mod purity;
mod source;
mod tree;
mod words;

use std::path::Path;
use std::process::ExitCode;

use finding::Finding;
use tree::Tree;

const CHECKS: &[fn(&Tree) -> Vec<Finding>] = &[
    dependencies::check,
    purity::check,
    length::check,
    names::check,
    words::check,
    block_matches::check,
    module_docs::check,
    characters::check,
    machine_paths::check,
    fixtures::check,
];

/// Checks the project under `root` and prints what was found.
pub fn run(root: &Path) -> ExitCode {
    let tree = match Tree::read(root) {
        Ok(tree) => tree,
        Err(error) => {
            eprintln!("tidy: cannot read the project under {}: {error}", root.display());
            return ExitCode::from(2);
        }
    };
    let mut findings: Vec<Finding> = CHECKS.iter().flat_map(|check| check(&tree)).collect();
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    let notes = findings.iter().filter(|finding| finding.note).count();
    let failures = findings.len() - notes;
    eprintln!("tidy: {} files, {failures} findings, {notes} notes", tree.files.len());
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
