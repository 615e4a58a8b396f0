//! One configuration file: read whole, or refused whole.

use std::fs::File as Opened;
use std::io::{self, Read};
use std::path::Path;

use stenograph::json::Position;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::cell::{count, in_order};
use super::origin::Place;
use super::setting::{SETTINGS, Setting, Shape, Value, setting};
use super::vendors::{self, OwnVendor};
use super::wrong::Wrong;
use crate::exit::Exit;
use crate::failure::{Failure, words};

/// Bytes of a file.
const BYTES_MAX: u64 = 1 << 20;

/// The key of the table of vendors.
const VENDORS: &str = "vendors";

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The project's: `.steno/config.toml` in this folder or one above it.
    Project,
    /// The user's own.
    User,
}

/// What a file says.
#[derive(Debug, Default)]
pub struct File {
    /// What it sets.
    pub settings: Vec<(&'static Setting, Value, Place)>,
    /// The vendors it describes.
    pub vendors: Vec<OwnVendor>,
}

/// Reads a file; one that is not there says nothing.
pub fn read(path: &Path, scope: Scope) -> Result<File, Failure> {
    let what = || format!("cannot use the configuration `{}`", path.display());
    let text = match text(path) {
        Ok(Some(text)) => text,
        Ok(None) => return Ok(File::default()),
        Err(error) => {
            let hint = "mend the file or move it away; nothing of it is used";
            return Err(Failure::told(Exit::Data, what(), words(&error), hint));
        }
    };
    parse(&text, path, scope).map_err(|wrong| {
        let Position { line, column } = Position::of(text.as_bytes(), wrong.offset);
        let cause = format!("line {line}, column {column}: {}", wrong.cause);
        Failure::told(Exit::Usage, what(), cause, wrong.hint)
    })
}

fn text(path: &Path) -> io::Result<Option<String>> {
    let file = match Opened::open(path) {
        Ok(file) => file,
        Err(error) if is_absent(error.kind()) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_MAX {
        let cause = format!("it has more than {BYTES_MAX} bytes, the limit of a configuration");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, cause));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("it is not UTF-8 at byte {at}"))
    })?;
    Ok(Some(text))
}

/// A file where the folder should be holds no configuration either.
fn is_absent(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// What a file's text says.
pub fn parse(text: &str, path: &Path, scope: Scope) -> Result<File, Wrong> {
    let table = DeTable::parse(text).map_err(|error| Wrong {
        offset: error.span().map_or(text.len(), |span| span.start),
        cause: error.message().lines().collect::<Vec<_>>().join(", "),
        hint: "write it as TOML: `key = value`, text in quotes".to_owned(),
    })?;
    let line = |offset| Position::of(text.as_bytes(), offset).line;
    let mut file = File::default();
    for (key, value) in in_order(table.get_ref()) {
        let name = &**key.get_ref();
        if name == VENDORS {
            file.vendors = vendors::read(value, path, &line)?;
            continue;
        }
        let Some(setting) = setting(name) else {
            let known = SETTINGS.iter().map(|setting| setting.name).chain([VENDORS]);
            return Err(Wrong::key(key, known));
        };
        if setting.is_users_own && scope == Scope::Project {
            let cause = format!("`{name}` is taken from the user's own file alone");
            let hint = "it names a program to run: move it to the file that `steno config path` \
                        names";
            return Err(Wrong { offset: key.span().start, cause, hint: hint.to_owned() });
        }
        let place = Place { file: path.to_owned(), line: line(key.span().start) };
        file.settings.push((setting, value_of(setting.shape, value)?, place));
    }
    Ok(file)
}

fn value_of(shape: Shape, value: &Spanned<DeValue<'_>>) -> Result<Value, Wrong> {
    let found = match shape {
        Shape::Flag => value.get_ref().as_bool().map(Value::Flag),
        Shape::Count => count(value).map(Value::Count),
        Shape::Text | Shape::Command | Shape::Word(_) => {
            value.get_ref().as_str().and_then(|text| shape.value_of(text))
        }
    };
    found.ok_or_else(|| Wrong::value(value, &shape.words()))
}
