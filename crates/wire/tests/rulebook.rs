//! The list of rule books: every dialect that has rules is in it.
#![allow(clippy::expect_used, clippy::panic)] // a test may

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use wire::rulebook::{BOOKS, all, find};

#[test]
fn every_dialect_with_rules_has_a_book() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders = fs::read_dir(source).expect("the source").map(|entry| entry.expect("an entry"));
    let with_rules: BTreeSet<String> = folders
        .filter(|folder| {
            let path = folder.path();
            let has_rules = path.join("rules.rs").exists() || path.join("rules").is_dir();
            path.join("request.rs").exists() && has_rules
        })
        .map(|folder| folder.file_name().to_string_lossy().into_owned())
        .collect();
    let books: BTreeSet<String> = BOOKS.iter().map(|book| book.dialect.to_owned()).collect();
    assert_eq!(books, with_rules);
    assert_eq!(books.len(), BOOKS.len());
}

#[test]
fn a_rule_is_found_in_its_book() {
    for book in BOOKS {
        assert!(!book.title.is_empty() && !book.rules.is_empty(), "{}", book.dialect);
        for rule in book.rules {
            let mut found = all(rule.id).map(|(book, rule)| (book.dialect, rule.title));
            assert!(found.any(|found| found == (book.dialect, rule.title)), "{}", rule.id);
        }
    }
    assert!(find("A-000").is_none() && find("").is_none());
}
