//! One text file, and for Rust which of its bytes are code, comment or literal.
//!
//! A check that looks for a word looks in [`Source::code`], where comments and literals are blanked
//! out, so that a rule can be named in a string without breaking it. Offsets are the same in all
//! three texts. This is a scanner, no parser: it knows tokens and braces, nothing more.

use std::ops::Range;

/// A file's text and, for Rust, its masks.
pub struct Source {
    /// Path from the project root, with `/`.
    pub path: String,
    /// The file as it is.
    pub text: String,
    /// The text with comments and literals blanked; empty unless Rust.
    pub code: String,
    /// The text with all but comments blanked; empty unless Rust.
    pub comments: String,
    /// Code that is built for tests only.
    tests: Vec<Range<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Code,
    Comment,
    Literal,
}

impl Source {
    /// The source of `text`; Rust if `path` says so.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Source {
        let (path, text) = (path.into(), text.into());
        let (code, comments) = if path.ends_with(".rs") {
            (masked(&text, Kind::Code), masked(&text, Kind::Comment))
        } else {
            (String::new(), String::new())
        };
        let mut tests = test_regions(&code);
        if is_test_path(&path) {
            tests.push(0..text.len());
        }
        Source { path, text, code, comments, tests }
    }

    /// Whether this is a Rust file.
    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The crate whose `src` folder the file is in.
    pub fn crate_name(&self) -> Option<&str> {
        let (home, _) = self.path.split_once("/src/")?;
        home.rsplit('/').next()
    }

    /// The line of a byte offset, from 1.
    pub fn line(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
    }

    /// Whether the offset lies in code that is built for tests only.
    pub fn is_test(&self, offset: usize) -> bool {
        self.tests.iter().any(|region| region.contains(&offset))
    }
}

/// Offsets at which `word` stands in `code`; no identifier runs on at either end.
pub fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let (before, after) = (code.get(..*at), code.get(at + word.len()..));
        let runs_on_before =
            word.starts_with(is_word) && before.is_some_and(|b| b.ends_with(is_word));
        let runs_on_after =
            word.ends_with(is_word) && after.is_some_and(|a| a.starts_with(is_word));
        !runs_on_before && !runs_on_after
    })
}

/// Whether `c` can be part of an identifier.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The end of the bracketed text of `code` that opens at `open`, its closing bracket included.
pub fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0usize;
    for (at, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return at + 1;
        }
    }
    code.len()
}

/// The first of `stops` at or after `from`, outside of any brackets opened there.
pub fn find_outside(code: &str, from: usize, stops: &[char]) -> Option<usize> {
    let mut at = from;
    while let Some(c) = code.get(at..).and_then(|rest| rest.chars().next()) {
        if stops.contains(&c) {
            return Some(at);
        }
        at = if matches!(c, '{' | '(' | '[') { closing(code, at) } else { at + c.len_utf8() };
    }
    None
}

fn is_test_path(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "tests" | "benches" | "tests.rs"))
}

fn test_regions(code: &str) -> Vec<Range<usize>> {
    code.match_indices("#[cfg(test)]")
        .filter_map(|(start, attribute)| {
            let stop = find_outside(code, start + attribute.len(), &['{', ';'])?;
            let block = code.get(stop..)?.starts_with('{');
            Some(start..if block { closing(code, stop) } else { stop })
        })
        .collect()
}

fn masked(text: &str, kept: Kind) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (kind, length) = token(rest);
        let (token, after) = rest.split_at(length);
        if kind == kept {
            masked.push_str(token);
        } else {
            masked.extend(token.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        }
        rest = after;
    }
    masked
}

/// Kind and length of the token `rest` begins with.
fn token(rest: &str) -> (Kind, usize) {
    if rest.starts_with("//") {
        return (Kind::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Kind::Comment, block_comment(rest));
    }
    let (word, after) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
    let literal = match word {
        "" | "b" | "c" if after.starts_with('"') => Some(quoted(after, '"')),
        "" | "b" if after.starts_with('\'') => character(after),
        "r" | "br" | "cr" => raw_string(after),
        _ => None,
    };
    match literal {
        Some(length) => (Kind::Literal, word.len() + length),
        None if word.is_empty() => (Kind::Code, rest.chars().next().map_or(1, char::len_utf8)),
        None => (Kind::Code, word.len()),
    }
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(tail) = rest.get(at..).filter(|tail| !tail.is_empty()) {
        if tail.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += tail.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// Length of the literal that `rest` opens with `quote`.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return at + 1;
        }
    }
    rest.len()
}

/// Length of a character literal; `None` for a lifetime.
fn character(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    match chars.next()? {
        (_, '\\') => Some(quoted(rest, '\'')),
        _ => chars.next().filter(|(_, c)| *c == '\'').map(|(at, _)| at + 1),
    }
}

/// Length of a raw string from its hashes on; `None` for a raw identifier or a plain name.
fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let body = rest.get(hashes..)?.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = body.find(&end).map_or(body.len(), |at| at + end.len());
    Some(hashes + 1 + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_out_of_code() {
        let text =
            "let a = \"x // y\"; // z\nlet b = r#\"\"q\"\"#; let c = '\"'; 'd: loop {} /* e */";
        let source = Source::new("a.rs", text);
        assert_eq!(source.code.len(), text.len());
        let code: String = source.code.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(code, "let a = ; let b = ; let c = ; 'd: loop {}");
        let comments: Vec<&str> = source.comments.split_whitespace().collect();
        assert_eq!(comments, ["//", "z", "/*", "e", "*/"]);
    }

    #[test]
    fn code_after_a_test_module_is_no_test() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() {} }\nfn c() {}";
        let source = Source::new("src/a.rs", text);
        let at = |name: &str| text.find(name).map(|at| source.is_test(at));
        assert_eq!([at("a()"), at("b()"), at("c()")], [Some(false), Some(true), Some(false)]);
        assert!(Source::new("crates/x/tests/a.rs", text).is_test(0));
    }

    #[test]
    fn words_are_whole() {
        assert_eq!(words("unsafe_code unsafe xunsafe", "unsafe").collect::<Vec<_>>(), [12]);
        assert_eq!(words("xdbg!() dbg!(x) a::b", "dbg!").collect::<Vec<_>>(), [8]);
    }

    #[test]
    fn an_unclosed_literal_or_comment_runs_to_the_end() {
        for text in ["\"abc", "r#\"abc\"", "/* /* abc */", "b'\\", "'"] {
            assert_eq!(Source::new("a.rs", text).code.len(), text.len(), "{text}");
        }
    }
}
