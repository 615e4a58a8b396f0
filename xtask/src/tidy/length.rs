//! How long a file, a function and a line may be.

use super::finding::Finding;
use super::source::{Source, closing, find_outside, words};
use super::tree::Tree;

/// Lines of a file above which it is worth a look.
const FILE_LINES_SOFT: usize = 400;
/// Lines of a file, at most.
const FILE_LINES: usize = 800;
/// Lines of a function, at most, its signature included.
const FUNCTION_LINES: usize = 70;
/// Characters of a line, at most.
const LINE_CHARS: usize = 100;

/// Files that may be longer, each with the reason.
const LONG_FILES: &[(&str, &str)] = &[
    ("crates/wire/src/anthropic_messages/rules.rs", "a table, one row a rule"),
    ("crates/wire/src/openai_chat/rules.rs", "a table, one row a rule"),
];

/// Checks the lengths of all Rust files.
pub fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust()
        .flat_map(|file| [file_length(file), functions(file), lines(file)])
        .flatten()
        .collect()
}

fn file_length(file: &Source) -> Vec<Finding> {
    let count = file.text.lines().count();
    if count <= FILE_LINES_SOFT || LONG_FILES.iter().any(|(path, _)| *path == file.path) {
        return Vec::new();
    }
    if count > FILE_LINES {
        let advice = format!("{count} lines, at most {FILE_LINES}: split it by concept");
        vec![Finding::new(&file.path, 1, "file length", advice)]
    } else {
        let advice = format!("{count} lines, aim at {FILE_LINES_SOFT}: is it one concept?");
        vec![Finding::new(&file.path, 1, "file length", advice).noted()]
    }
}

fn functions(file: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    // A test is a story, told from top to bottom.
    if file.path.contains("/tests/") {
        return findings;
    }
    for start in words(&file.code, "fn") {
        let Some(body) = find_outside(&file.code, start, &['{', ';', '}', ')']) else { continue };
        if !file.code.get(body..).is_some_and(|rest| rest.starts_with('{')) {
            continue;
        }
        let end = closing(&file.code, body);
        let count = 1 + file.line(end) - file.line(start);
        if count > FUNCTION_LINES {
            let advice = format!("{count} lines, at most {FUNCTION_LINES}: take a step out of it");
            findings.push(Finding::at(file, start, "function length", advice));
        }
    }
    findings
}

/// Characters of a literal that may make its line long: sample data reads worse in pieces.
const LITERAL_CHARS: usize = 60;

fn lines(file: &Source) -> Vec<Finding> {
    let counted = file.text.lines().map(|line| (line, line.chars().count())).enumerate();
    counted
        .filter(|(_, (line, count))| *count > LINE_CHARS && !is_of_a_literal(line))
        .map(|(index, (_, count))| (index, count))
        .map(|(index, count)| {
            let advice = format!("{count} characters, at most {LINE_CHARS}: break it");
            Finding::new(&file.path, index + 1, "line length", advice)
        })
        .collect()
}

/// Whether a line is long for one literal: from its first quote to its last is most of it.
fn is_of_a_literal(line: &str) -> bool {
    let code = line.trim_start();
    let quotes = code.find('"').zip(code.rfind('"'));
    !code.starts_with("//")
        && quotes.is_some_and(|(first, last)| {
            code.get(first..last).is_some_and(|text| text.chars().count() > LITERAL_CHARS)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, &'static str, bool)> {
        let findings = check(&Tree::of(&[("src/a.rs", text)]));
        findings.into_iter().map(|finding| (finding.line, finding.rule, finding.note)).collect()
    }

    fn function(lines: usize) -> String {
        format!("\nfn a<T>(b: [u8; 2]) -> T\n{{\n{}}}\n", "    b();\n".repeat(lines - 3))
    }

    #[test]
    fn a_function_of_seventy_lines_is_the_longest() {
        assert_eq!(found(&function(70)), []);
        assert_eq!(found(&function(71)), [(2, "function length", false)]);
    }

    #[test]
    fn a_function_type_or_a_declaration_has_no_length() {
        let text = format!("trait A {{\n    fn a();\n    fn b(c: fn());\n{}}}\n", "\n".repeat(80));
        assert_eq!(found(&text), []);
    }

    #[test]
    fn a_line_of_a_hundred_characters_is_the_longest() {
        assert_eq!(found(&format!("//{}", "\u{e9}".repeat(98))), []);
        assert_eq!(found(&format!("//{}", "x".repeat(99))), [(1, "line length", false)]);
    }

    #[test]
    fn a_long_file_is_a_note_and_a_very_long_one_a_finding() {
        assert_eq!(found(&"//\n".repeat(400)), []);
        assert_eq!(found(&"//\n".repeat(401)), [(1, "file length", true)]);
        assert_eq!(found(&"//\n".repeat(801)), [(1, "file length", false)]);
    }
}
