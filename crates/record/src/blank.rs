//! What counts as blank text: the one function that decides it.

/// Whether a text holds nothing but white space, byte order marks and zero-width spaces.
///
/// Providers refuse such a text block, so it is left out of every request.
///
/// ```
/// assert!(record::blank::is_blank(" \n\u{feff}\u{200b}"));
/// assert!(!record::blank::is_blank("\u{200d}a"));
/// ```
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || matches!(c, '\u{FEFF}' | '\u{200B}'))
}
