//! What an adapter keeps of a response as a whole, beyond its content: its id, its usage as it was
//! written, whatever else stood beside.

use std::collections::BTreeMap;

use json::{Object, Raw, Value};

/// The version of what is kept.
const VERSION: u32 = 1;

/// Members of a response, gathered while it streams. They are written in the order of their names,
/// so that it does not matter in which order they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members(BTreeMap<String, Raw>);

impl Members {
    /// Takes the members of an object but those of these lists, and those that are null; a newer
    /// one stands in place of an older. Gives the bytes that are held for them.
    pub(crate) fn take(&mut self, object: Value<'_, '_>, known: &[&[&str]]) -> usize {
        let mut held = 0;
        for (key, value) in object.members() {
            let Some(name) = key.as_str() else { continue };
            if value.is_null() || known.iter().any(|list| list.contains(&&*name)) {
                continue;
            }
            // Most chunks of a stream repeat what those before them said.
            if self.0.get(&*name).is_none_or(|before| before.as_str() != value.raw()) {
                held += name.len() + value.raw().len();
                self.0.insert(name.into_owned(), Raw::one_line(value));
            }
        }
        held
    }

    /// Sets a member.
    pub(crate) fn set(&mut self, name: &str, value: Raw) {
        self.0.insert(name.into(), value);
    }

    /// Sets a member to the object of others, where there are any.
    pub(crate) fn set_object(&mut self, name: &str, members: &Members) {
        if !members.0.is_empty() {
            let mut object = Object::new();
            for (name, value) in &members.0 {
                object.raw(name, value);
            }
            self.0.insert(name.into(), object.finish());
        }
    }

    /// The member of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Raw> {
        self.0.get(name)
    }

    /// The members, in the order of their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Raw)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// As a row keeps it.
    pub(crate) fn finish(&self, kind: &str) -> Raw {
        let mut object = Object::new();
        object.string("kind", kind).number("version", VERSION);
        for (name, value) in &self.0 {
            object.raw(name, value);
        }
        object.finish()
    }

    /// Whether an adapter of this kind kept what a row keeps.
    pub(crate) fn was_kept(response: Option<&Raw>, kind: &str) -> bool {
        let doc = response.map(Raw::doc).unwrap_or_default();
        doc.root().get("kind").is_some_and(|of| of.is_str(kind))
    }

    /// What a row keeps, where an adapter of this kind kept it.
    pub(crate) fn of(response: Option<&Raw>, kind: &str) -> Members {
        let mut members = Members::default();
        if let Some(doc) = response.filter(|_| Members::was_kept(response, kind)).map(Raw::doc) {
            members.take(doc.root(), &[&["kind", "version"]]);
        }
        members
    }
}
