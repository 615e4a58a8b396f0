//! Arguments of a call where a dialect takes them as an object.

/// Brackets with which a text nests little, however they stand.
const BRACKETS_MAX: usize = 100;

/// Levels of a body around the arguments of a call, and some more.
const AROUND: usize = 16;

/// Whether an object nests at most as deep as a body can take it.
pub(super) fn nests_little(text: &str) -> bool {
    let padded = || format!("{}{text}{}", "[".repeat(AROUND), "]".repeat(AROUND));
    brackets(text) <= BRACKETS_MAX || json::Doc::parse_str(&padded()).is_ok()
}

/// How many brackets a text opens; counted in bytes, run by run, which is done in vectors.
fn brackets(text: &str) -> usize {
    let opens = |byte: &u8| u8::from(matches!(byte, b'{' | b'['));
    let runs = text.as_bytes().chunks(usize::from(u8::MAX));
    runs.map(|run| usize::from(run.iter().map(opens).sum::<u8>())).sum()
}
