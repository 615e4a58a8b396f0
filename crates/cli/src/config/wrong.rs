//! What is wrong in a file, and at which byte of it.

use toml::Spanned;
use toml::de::{DeString, DeValue};

use super::nearest;

/// Names that are listed where none is near.
const NAMES_LISTED: usize = 12;

/// Why a file is refused.
#[derive(Debug)]
pub struct Wrong {
    /// Byte of the file.
    pub offset: usize,
    /// Why.
    pub cause: String,
    /// What to do.
    pub hint: String,
}

impl Wrong {
    /// A value that is not what its key takes.
    pub fn value(value: &Spanned<DeValue<'_>>, wanted: &str) -> Wrong {
        let given = match value.get_ref() {
            DeValue::String(text) => format!("\"{text}\""),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Boolean(flag) => flag.to_string(),
            other => format!("a value of type {}", other.type_str()),
        };
        let cause = format!("{given} is no value of this key");
        Wrong { offset: value.span().start, cause, hint: format!("it takes {wanted}") }
    }

    /// A key that nothing has.
    pub fn key<'n>(
        key: &Spanned<DeString<'_>>,
        known: impl IntoIterator<Item = &'n str> + Clone,
    ) -> Wrong {
        let name = &**key.get_ref();
        let known: Vec<&str> = known.into_iter().collect();
        let listed = match known.len() {
            ..=NAMES_LISTED => format!("the keys are {}", known.join(", ")),
            _ => "`steno targets openai` shows the columns of a row".to_owned(),
        };
        let hint = nearest::hint(name, known.iter().copied(), &listed);
        Wrong { offset: key.span().start, cause: format!("unknown key `{name}`"), hint }
    }
}
