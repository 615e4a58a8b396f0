//! Escapes that are valid JSON and no text: half a surrogate pair, and NUL.

/// The first lone surrogate escape. In valid JSON a backslash stands in strings only.
pub(crate) fn lone(body: &[u8]) -> Option<(usize, &'static str)> {
    let mut at = 0;
    while let Some(found) = body.get(at..)?.iter().position(|byte| *byte == b'\\') {
        at += found;
        match unit(body, at) {
            Some(0xD800..=0xDBFF) => {
                if !matches!(unit(body, at + 6), Some(0xDC00..=0xDFFF)) {
                    return Some((at, "no low surrogate in string"));
                }
                at += 12;
            }
            Some(0xDC00..=0xDFFF) => return Some((at, "invalid high surrogate in string")),
            Some(_) => at += 6,
            None => at += 2,
        }
    }
    None
}

/// The UTF-16 unit of a `\uXXXX` that stands here.
fn unit(body: &[u8], at: usize) -> Option<u16> {
    let digits = body.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// The first escape that stands for NUL.
pub(crate) fn nul(body: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = body.get(at..)?.iter().position(|byte| *byte == b'\\') {
        at += found;
        match unit(body, at) {
            Some(0) => return Some(at),
            Some(_) => at += 6,
            None => at += 2,
        }
    }
    None
}
