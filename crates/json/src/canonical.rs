//! One spelling per value: keys sorted by their UTF-8 bytes, no white space, numbers normalised.
//!
//! Two texts of equal values have equal canonical forms, so the form is what is compared and
//! hashed.
//! Of repeated keys the last counts. `1`, `1.0` and `1e0` are one number; numbers a 64-bit float
//! cannot hold exactly keep their digits as written.

use crate::doc::{Kind, Value};
use crate::escape::push_literal;

/// The canonical form of a value.
///
/// ```
/// let form = |text: &str| json::Doc::parse_str(text).map(|doc| json::canonical::of(doc.root()));
/// assert_eq!(form(r#"{"b":1.0,"a":[ "\u0041" ]}"#)?, r#"{"a":["A"],"b":1}"#);
/// # Ok::<(), json::ParseError>(())
/// ```
pub fn of(value: Value<'_, '_>) -> String {
    let mut out = Vec::new();
    push(&mut out, value);
    String::from_utf8(out).unwrap_or_default()
}

/// Whether two values are equal: same members whatever their order, same numbers whatever their
/// spelling.
pub fn equal(left: Value<'_, '_>, right: Value<'_, '_>) -> bool {
    left.raw() == right.raw() || of(left) == of(right)
}

fn push(out: &mut Vec<u8>, value: Value<'_, '_>) {
    match value.kind() {
        Kind::Null | Kind::Bool => out.extend_from_slice(value.raw().as_bytes()),
        Kind::Number => out.extend_from_slice(number(value.raw()).as_bytes()),
        // A lone surrogate has no UTF-8; its literal keeps two different ones apart.
        Kind::String => match value.to_text() {
            Some(text) => out.extend_from_slice(text.to_literal().as_bytes()),
            None => out.extend_from_slice(b"\"\""),
        },
        Kind::Array => {
            out.push(b'[');
            for (index, item) in value.items().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                push(out, item);
            }
            out.push(b']');
        }
        Kind::Object => push_object(out, value),
    }
}

fn push_object(out: &mut Vec<u8>, value: Value<'_, '_>) {
    let mut members: Vec<_> =
        value.members().filter_map(|(key, value)| Some((key.as_str()?, value))).collect();
    members.sort_by(|left, right| left.0.cmp(&right.0));
    out.push(b'{');
    let mut first = true;
    for (index, (key, member)) in members.iter().enumerate() {
        if members.get(index + 1).is_some_and(|next| next.0 == *key) {
            continue;
        }
        if !first {
            out.push(b',');
        }
        first = false;
        push_literal(out, key);
        out.push(b':');
        push(out, *member);
    }
    out.push(b'}');
}

fn number(raw: &str) -> String {
    if let Ok(integer) = raw.parse::<i128>() {
        return integer.to_string();
    }
    match raw.parse::<f64>() {
        Ok(float) if float.is_finite() && float == float.trunc() && float.abs() < 1e15 => {
            format!("{}", float as i64)
        }
        Ok(float) if float.is_finite() && format!("{float:e}").len() >= significant(raw) => {
            format!("{float:e}")
        }
        _ => raw.to_owned(),
    }
}

/// A lower bound of the bytes a lossless spelling needs: longer digits than a float has stay raw.
fn significant(raw: &str) -> usize {
    let mantissa = raw.split(['e', 'E']).next().unwrap_or(raw);
    let digits = mantissa.trim_start_matches(['-', '0', '.']).trim_end_matches(['0', '.']);
    digits.bytes().filter(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use crate::Doc;

    fn form(text: &str) -> String {
        super::of(Doc::parse_str(text).expect("JSON").root())
    }

    #[test]
    fn spelling_does_not_matter_and_value_does() {
        assert_eq!(form("[1,1.0,1e0,10E-1,-0.0,0]"), "[1,1,1,1,0,0]");
        assert_eq!(form(r#"{"b":1,"a":2,"b":3}"#), r#"{"a":2,"b":3}"#);
        assert_ne!(form("0.1"), form("0.10000000000000000000001"));
        assert_ne!(form("123456789012345678901234567890"), form("123456789012345678901234567891"));
        assert_ne!(form(r#"["\ud800"]"#), form(r#"["\ud801"]"#));
        assert_ne!(form("[]"), form("{}"));
    }
}
