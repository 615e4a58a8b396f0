//! Code and comments are ASCII, and no character hides.
//!
//! A literal may hold any character that can be seen; one that cannot (a zero-width space, a mark
//! that turns the reading direction) is written as an escape, everywhere.

use super::finding::Finding;
use super::source::Source;
use super::tree::Tree;

const RULE: &str = "character";

/// Checks all Rust files, one finding a line.
pub fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust().flat_map(check_file).collect()
}

fn check_file(file: &Source) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for (at, c) in file.text.char_indices().filter(|(_, c)| !c.is_ascii() || c.is_control()) {
        let outside_literals = |mask: &str| mask.get(at..).is_some_and(|rest| rest.starts_with(c));
        let advice = if hides(c) {
            format!("write it as an escape: \\u{{{:x}}}", u32::from(c))
        } else if !c.is_ascii()
            && (outside_literals(&file.code) || outside_literals(&file.comments))
        {
            format!("`{c}`: say it in ASCII")
        } else {
            continue;
        };
        let finding = Finding::at(file, at, RULE, advice);
        if findings.last().is_none_or(|last| last.line != finding.line) {
            findings.push(finding);
        }
    }
    findings
}

fn hides(c: char) -> bool {
    let control = c.is_control() && c != '\n';
    let invisible = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    control || invisible || (c.is_whitespace() && !c.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        check(&Tree::of(&[("src/a.rs", text)])).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn other_than_ascii_in_code_or_comment_is_found() {
        assert_eq!(lines("// \u{a7}3\nlet \u{e9} = \"\u{e9}\";\n"), [1, 2]);
    }

    #[test]
    fn a_character_that_hides_is_found_in_a_literal() {
        assert_eq!(lines("let a = \"\u{202e}\u{200b}\";\nlet b = '\u{a0}';\n\tx();"), [1, 2, 3]);
    }

    #[test]
    fn a_visible_character_in_a_literal_is_fine() {
        assert_eq!(lines("let a = \"\u{e9}\u{2502}\u{1f600}\";\nlet b = r\"\u{e9}\";\n"), [0; 0]);
    }
}
