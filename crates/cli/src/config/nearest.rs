//! What somebody may have meant by a name that nothing has.

/// How alike a name has to be, from 0 to 1: as `clap` takes it for flags.
const ALIKE_MIN: f64 = 0.7;

/// The name that is most like it, if one is.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_lowercase();
    let alike = known.into_iter().map(|known| (strsim::jaro(&name, known), known));
    let best = alike.max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.filter(|(alike, _)| *alike > ALIKE_MIN).map(|(_, known)| known)
}

/// What to do about a name that nothing has.
pub fn hint<'n>(name: &str, known: impl IntoIterator<Item = &'n str>, otherwise: &str) -> String {
    match nearest(name, known) {
        Some(near) => format!("did you mean `{near}`? {otherwise}"),
        None => otherwise.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_told_from_another_name() {
        let known = ["model", "max_tokens", "vision"];
        assert_eq!(nearest("modle", known), Some("model"));
        assert_eq!(nearest("Vison", known), Some("vision"));
        assert_eq!(nearest("max-token", known), Some("max_tokens"));
        assert_eq!(nearest("zzz", known), None);
        assert_eq!(nearest("", known), None);
    }
}
