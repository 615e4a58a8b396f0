//! Families of models: a row of a table stands for every name that begins with its own.

/// The row of a model's name as people and gateways write it, with the vendor's or an author's
/// path before it; of several families the longest.
pub(crate) fn family<'m, M>(
    name: &str,
    models: &'m [M],
    id: impl Fn(&M) -> &'static str,
) -> Option<&'m M> {
    let bare = bare(name);
    let of_family = |model: &&M| {
        let rest = bare.strip_prefix(id(model));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', ':', '@']))
    };
    models.iter().filter(of_family).max_by_key(|model| id(model).len())
}

/// The last part of the path in lower case, `2p5` as `2.5`.
fn bare(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let bytes = name.as_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let dotted = name.char_indices().map(|(at, sign)| {
        let point = sign == 'p' && digit(at.checked_sub(1)) && digit(Some(at + 1));
        if point { '.' } else { sign }
    });
    dotted.collect()
}
