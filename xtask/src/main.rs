//! `cargo xtask <task>`: what the project does to itself. No part of the product.

mod licences;
mod rules;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask tidy | licences | rules [--check]";

fn main() -> ExitCode {
    let Some(root) = Path::new(env!("CARGO_MANIFEST_DIR")).parent() else {
        eprintln!("xtask: the workspace root above {} is missing", env!("CARGO_MANIFEST_DIR"));
        return ExitCode::from(2);
    };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => tidy::run(root),
        ["licences"] => licences::run(root),
        ["rules"] => rules::run(root, false),
        ["rules", "--check"] => rules::run(root, true),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
