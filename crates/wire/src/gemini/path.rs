//! Where in a call's arguments a piece of them stands: `$.edits[0]['old text']`.
//!
//! In: what Vertex writes beside a piece, one place as RFC 9535 spells it. Out: its steps. What
//! names several places (a wildcard, a slice, a filter) or none is no path here.

use json::limits::DEPTH_MAX;
use json::{Doc, Text};

/// A step from a value to one inside of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The member of an object.
    Member(Text),
    /// The element of an array.
    Item(u64),
}

/// The steps of a path; `None` where it is none, or deeper than JSON may be.
pub fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if steps.len() == DEPTH_MAX {
            return None;
        }
        let (step, after) = match rest.strip_prefix('.') {
            Some(name) => named(name)?,
            None => bracketed(rest.strip_prefix('[')?.trim_start())?,
        };
        steps.push(step);
        rest = after;
    }
    Some(steps)
}

/// A name after a dot, and what follows it.
fn named(rest: &str) -> Option<(Step, &str)> {
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    let is_name = !name.is_empty() && name != "*";
    is_name.then(|| (Step::Member(name.into()), after))
}

/// A number or a quoted name before a bracket, and what follows that.
fn bracketed(rest: &str) -> Option<(Step, &str)> {
    let (step, after) = match rest.chars().next()? {
        quote @ ('\'' | '"') => quoted(rest.get(1..)?, quote)?,
        _ => {
            let end = rest.find(|c: char| !c.is_ascii_digit())?;
            let (digits, after) = rest.split_at(end);
            (Step::Item(digits.parse().ok()?), after)
        }
    };
    Some((step, after.trim_start().strip_prefix(']')?))
}

/// A name up to its closing quote, escaped as JSON escapes, and what follows it.
fn quoted(rest: &str, quote: char) -> Option<(Step, &str)> {
    let mut literal = String::from('"');
    let mut chars = rest.char_indices();
    while let Some((at, next)) = chars.next() {
        match next {
            '\\' => match chars.next()?.1 {
                '\'' => literal.push('\''),
                escaped => literal.extend(['\\', escaped]),
            },
            _ if next == quote => {
                literal.push('"');
                let name = Doc::parse_str(&literal).ok()?.root().to_text()?;
                return Some((Step::Member(name), rest.get(at + 1..)?));
            }
            '"' => literal.push_str("\\\""),
            _ => literal.push(next),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_step_by_step() {
        let member = |name: &str| Step::Member(name.into());
        let read = |path: &str| steps(path).expect("a path");
        assert_eq!(read("$"), []);
        assert_eq!(
            read("$.foo.bar[0].data"),
            [member("foo"), member("bar"), Step::Item(0), member("data")]
        );
        assert_eq!(read("$['a.b'][\"c\"]"), [member("a.b"), member("c")]);
        assert_eq!(read(r#"$['it\'s "x" \n']['"']"#), [member("it's \"x\" \n"), member("\"")]);
        assert_eq!(read(r#"$["it's \" é"]"#), [member("it's \" é")]);
        assert_eq!(read("$[ 12 ].key-with-dashes"), [Step::Item(12), member("key-with-dashes")]);
    }

    #[test]
    fn what_names_no_one_place_is_no_path() {
        for path in [
            "",
            "a",
            "$a",
            "$.",
            "$..a",
            "$.*",
            "$[*]",
            "$[",
            "$[]",
            "$[1",
            "$[1:2]",
            "$[-1]",
            "$['a",
            "$['a'",
            "$['a\\",
            "$['\\x']",
            "$.a.",
            "$[99999999999999999999]",
        ] {
            assert_eq!(steps(path), None, "{path}");
        }
        let deep = |steps: usize| format!("${}", "[0]".repeat(steps));
        assert!(steps(&deep(DEPTH_MAX)).is_some());
        assert_eq!(steps(&deep(DEPTH_MAX + 1)), None);
    }
}
