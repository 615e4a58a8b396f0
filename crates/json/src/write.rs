//! Objects and arrays being written, member by member, in the order given.

use crate::escape;
use crate::raw::Raw;
use crate::text::Text;

/// An object being written. Members come out in the order they are put in.
///
/// ```
/// let mut object = json::Object::new();
/// object.string("name", "ls").number("seq", 3u64);
/// assert_eq!(object.finish().as_str(), r#"{"name":"ls","seq":3}"#);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Object {
    out: String,
}

impl Object {
    /// An object without members.
    pub fn new() -> Object {
        Object::default()
    }

    fn key(&mut self, name: &str) {
        self.out.push(if self.out.is_empty() { '{' } else { ',' });
        self.out.push_str(&escape::literal(name));
        self.out.push(':');
    }

    /// Adds a string member.
    pub fn string(&mut self, name: &str, value: &str) -> &mut Object {
        self.key(name);
        self.out.push_str(&escape::literal(value));
        self
    }

    /// Adds a text member, as its source wrote it where only that says it all.
    pub fn text(&mut self, name: &str, value: &Text) -> &mut Object {
        self.key(name);
        self.out.push_str(&value.to_literal());
        self
    }

    /// Adds an integer member.
    pub fn number(&mut self, name: &str, value: impl Into<i128>) -> &mut Object {
        self.key(name);
        self.out.push_str(&value.into().to_string());
        self
    }

    /// Adds a boolean member.
    pub fn bool(&mut self, name: &str, value: bool) -> &mut Object {
        self.key(name);
        self.out.push_str(if value { "true" } else { "false" });
        self
    }

    /// Adds a member as it is written.
    pub fn raw(&mut self, name: &str, value: &Raw) -> &mut Object {
        self.key(name);
        self.out.push_str(value.as_str());
        self
    }

    /// Adds a string member if there is a value.
    pub fn optional_string(&mut self, name: &str, value: Option<&str>) -> &mut Object {
        if let Some(value) = value {
            self.string(name, value);
        }
        self
    }

    /// Adds a member as it is written, if there is one.
    pub fn optional_raw(&mut self, name: &str, value: Option<&Raw>) -> &mut Object {
        if let Some(value) = value {
            self.raw(name, value);
        }
        self
    }

    /// The finished object.
    pub fn finish(&self) -> Raw {
        Raw::trusted(if self.out.is_empty() { "{}".to_owned() } else { format!("{}}}", self.out) })
    }
}

/// An array being written.
#[derive(Clone, Debug, Default)]
pub struct Array {
    out: String,
}

impl Array {
    /// An array without elements.
    pub fn new() -> Array {
        Array::default()
    }

    /// The array of these elements.
    pub fn of<'r>(items: impl IntoIterator<Item = &'r Raw>) -> Raw {
        let mut array = Array::new();
        for item in items {
            array.raw(item);
        }
        array.finish()
    }

    /// The array of these strings.
    pub fn of_strings<'s>(items: impl IntoIterator<Item = &'s str>) -> Raw {
        let mut array = Array::new();
        for item in items {
            array.raw(&Raw::trusted(escape::literal(item)));
        }
        array.finish()
    }

    /// Adds an element as it is written.
    pub fn raw(&mut self, value: &Raw) -> &mut Array {
        self.out.push(if self.out.is_empty() { '[' } else { ',' });
        self.out.push_str(value.as_str());
        self
    }

    /// The finished array.
    pub fn finish(&self) -> Raw {
        Raw::trusted(if self.out.is_empty() { "[]".to_owned() } else { format!("{}]", self.out) })
    }
}
