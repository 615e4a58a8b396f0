//! The settings: one row for each default of a flag that can be set.

use clap::ValueEnum;

use crate::commands::check::Platform;
use crate::ui::ColorChoice;

/// Which setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// `--to`
    To,
    /// `--model`
    Model,
    /// `--max-tokens`
    MaxTokens,
    /// `--vision`, `--no-vision`
    Vision,
    /// `--platform`
    Platform,
    /// `--color`
    Color,
    /// What shows pages on a terminal
    Pager,
}

/// What can be its value.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A text that is not empty.
    Text,
    /// A command line; an empty one is none.
    Command,
    /// A whole number from 1 on.
    Count,
    /// Yes or no.
    Flag,
    /// One of these words.
    Word(fn() -> Vec<String>),
}

/// One setting.
#[derive(Debug)]
pub struct Setting {
    /// Which it is.
    pub key: Key,
    /// The key in a file.
    pub name: &'static str,
    /// The variable that goes before every file.
    pub variable: &'static str,
    /// What can be its value.
    pub shape: Shape,
    /// What holds where nothing sets it, in words.
    pub otherwise: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Taken from the user's own file alone.
    pub is_users_own: bool,
}

/// A value that was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of [`Shape::Text`], [`Shape::Command`] and [`Shape::Word`].
    Text(String),
    /// Of [`Shape::Count`].
    Count(u64),
    /// Of [`Shape::Flag`].
    Flag(bool),
}

impl Value {
    /// The value as a variable holds it.
    pub fn text(&self) -> String {
        match self {
            Value::Text(text) => text.clone(),
            Value::Count(count) => count.to_string(),
            Value::Flag(flag) => flag.to_string(),
        }
    }
}

impl Shape {
    /// What is taken, in words.
    pub fn words(self) -> String {
        match self {
            Shape::Text => "a text that is not empty".to_owned(),
            Shape::Command => "a command, or \"\" for none".to_owned(),
            Shape::Count => "a whole number from 1 on".to_owned(),
            Shape::Flag => "true or false".to_owned(),
            Shape::Word(words) => one_of(&words()),
        }
    }

    /// A text as a value; none where it is not of this shape.
    pub fn value_of(self, text: &str) -> Option<Value> {
        match self {
            Shape::Text if text.is_empty() => None,
            Shape::Word(words) if !words().iter().any(|word| word == text) => None,
            Shape::Text | Shape::Command | Shape::Word(_) => Some(Value::Text(text.to_owned())),
            Shape::Count => text.parse().ok().filter(|count| *count > 0).map(Value::Count),
            Shape::Flag => text.parse().ok().map(Value::Flag),
        }
    }
}

/// Words in quotes, the last two joined by `or`.
pub fn one_of(words: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{}\"", word.as_ref())).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// The words of a flag.
fn words_of<T: ValueEnum>() -> Vec<String> {
    let values = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    values.map(|value| value.get_name().to_owned()).collect()
}

/// Every setting.
///
/// A pager is a program that is run: a project's file, which comes with whatever was cloned, names
/// none.
pub static SETTINGS: &[Setting] = &[
    Setting {
        key: Key::To,
        name: "to",
        variable: "STENO_TO",
        shape: Shape::Text,
        otherwise: "anthropic_messages",
        about: "API or vendor requests are for, one of `steno targets`",
        is_users_own: false,
    },
    Setting {
        key: Key::Model,
        name: "model",
        variable: "STENO_MODEL",
        shape: Shape::Text,
        otherwise: "the record's last, if it is of that API and vendor",
        about: "model requests for that `to` are for; other targets have none of it",
        is_users_own: false,
    },
    Setting {
        key: Key::MaxTokens,
        name: "max_tokens",
        variable: "STENO_MAX_TOKENS",
        shape: Shape::Count,
        otherwise: "the model's; in Chat Completions the vendor's",
        about: "most tokens the model may write",
        is_users_own: false,
    },
    Setting {
        key: Key::Vision,
        name: "vision",
        variable: "STENO_VISION",
        shape: Shape::Flag,
        otherwise: "as the vendor's row says; in anthropic_messages true",
        about: "whether images are sent",
        is_users_own: false,
    },
    Setting {
        key: Key::Platform,
        name: "platform",
        variable: "STENO_PLATFORM",
        shape: Shape::Word(words_of::<Platform>),
        otherwise: "claude-api",
        about: "who serves the model, for `steno check`",
        is_users_own: false,
    },
    Setting {
        key: Key::Color,
        name: "color",
        variable: "STENO_COLOR",
        shape: Shape::Word(words_of::<ColorChoice>),
        otherwise: "auto",
        about: "when to colour",
        is_users_own: false,
    },
    Setting {
        key: Key::Pager,
        name: "pager",
        variable: "STENO_PAGER",
        shape: Shape::Command,
        otherwise: "$PAGER, or less",
        about: "what shows pages on a terminal; only in the user's own file",
        is_users_own: true,
    },
];

/// The setting of this key.
pub fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_of_its_shape_or_none() {
        let count = |text| Shape::Count.value_of(text);
        assert_eq!([count("0"), count("-1"), count("x"), count("")], [None, None, None, None]);
        assert_eq!(count("4096"), Some(Value::Count(4096)));
        assert_eq!(Shape::Flag.value_of("false"), Some(Value::Flag(false)));
        assert_eq!(Shape::Flag.value_of("no"), None);
        assert_eq!(Shape::Text.value_of(""), None);
        assert_eq!(Shape::Command.value_of(""), Some(Value::Text(String::new())));
        let color = setting("color").expect("a setting").shape;
        assert_eq!(color.value_of("never"), Some(Value::Text("never".to_owned())));
        assert_eq!(color.value_of("sometimes"), None);
        assert_eq!(color.words(), "\"auto\", \"always\" or \"never\"");
    }

    #[test]
    fn a_variable_is_named_for_its_key() {
        for setting in SETTINGS {
            assert_eq!(setting.variable, format!("STENO_{}", setting.name.to_uppercase()));
        }
    }
}
