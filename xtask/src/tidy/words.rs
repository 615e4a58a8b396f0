//! Words that must not be left in the source.

use super::finding::Finding;
use super::source::words;
use super::tree::Tree;

/// A word, the rule it breaks, what to do. Looked for in code and comments, not in literals.
const BANNED: &[(&str, &str, &str)] = &[
    ("todo!", "unfinished", "write it"),
    ("unimplemented!", "unfinished", "write it"),
    ("dbg!", "unfinished", "take it out"),
    ("TODO", "unfinished", "do it, or say in the documentation what is not covered"),
    ("FIXME", "unfinished", "fix it"),
    ("XXX", "unfinished", "say what it is about"),
    ("#[ignore", "test", "make the test run, or delete it"),
    ("should_panic", "test", "assert on the returned error"),
    ("unsafe", "unsafe", "find a safe way; only the bindings may"),
];
/// Where `unsafe` is allowed: code that other languages call.
const BINDINGS: &str = "bindings/";

/// Checks all Rust files.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust() {
        for (word, rule, advice) in BANNED {
            if *rule == "unsafe" && file.path.starts_with(BINDINGS) {
                continue;
            }
            // A comment may speak of unsafe code or of a test; it may not leave work behind.
            let comments = if *rule == "unfinished" { file.comments.as_str() } else { "" };
            for at in words(&file.code, word).chain(words(comments, word)) {
                findings.push(Finding::at(file, at, rule, format!("`{word}`: {advice}")));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&Tree::of(&[(path, text)])).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn each_banned_word_is_found() {
        for (word, _, _) in BANNED {
            assert_eq!(lines("src/a.rs", &format!("\n{word} x")), [2], "{word}");
        }
        assert_eq!(lines("src/a.rs", "// TODO: later"), [1]);
    }

    #[test]
    fn literals_longer_words_and_bindings_may_hold_them() {
        let text = "let a = \"TODO dbg! unsafe\"; // unsafe\n#![forbid(unsafe_code)]\nmytodo!();";
        assert_eq!(lines("src/a.rs", text), [0; 0]);
        assert_eq!(lines("bindings/python/src/lib.rs", "unsafe fn a() {}"), [0; 0]);
    }
}
