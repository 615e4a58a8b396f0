//! An object being written into a line, member by member.

use json::escape::push_literal;
use json::{Raw, Text};

use crate::entry::{EntryId, Rest};

/// An object being written. A member that a rest holds under a field's name is written in the
/// field's place; what the rests hold comes last.
pub(super) struct Members<'o, 'r> {
    out: &'o mut Vec<u8>,
    rests: &'r [&'r Rest],
    empty: bool,
}

impl<'o, 'r> Members<'o, 'r> {
    pub(super) fn open(out: &'o mut Vec<u8>, rests: &'r [&'r Rest]) -> Members<'o, 'r> {
        out.push(b'{');
        Members { out, rests, empty: true }
    }

    fn separate(&mut self) {
        if !self.empty {
            self.out.push(b',');
        }
        self.empty = false;
    }

    /// Adds a member, unless a rest holds one of its name. Names of fields need no escaping.
    pub(super) fn value(&mut self, name: &str, write: impl FnOnce(&mut Vec<u8>)) {
        if self.rests.iter().any(|rest| rest.get(name).is_some()) {
            return;
        }
        self.separate();
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        write(self.out);
    }

    pub(super) fn string(&mut self, name: &str, value: &str) {
        self.value(name, |out| push_literal(out, value));
    }

    pub(super) fn text(&mut self, name: &str, value: &Text) {
        self.value(name, |out| push_text(out, value));
    }

    pub(super) fn optional_text(&mut self, name: &str, value: Option<&Text>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    pub(super) fn id(&mut self, name: &str, id: &EntryId) {
        self.string(name, id.as_str());
    }

    /// Adds an id, or `null` where there is none.
    pub(super) fn id_or_null(&mut self, name: &str, id: Option<&EntryId>) {
        match id {
            Some(id) => self.id(name, id),
            None => self.value(name, |out| out.extend_from_slice(b"null")),
        }
    }

    pub(super) fn number(&mut self, name: &str, value: u64) {
        self.value(name, |out| out.extend_from_slice(value.to_string().as_bytes()));
    }

    pub(super) fn bool(&mut self, name: &str, value: bool) {
        self.value(name, |out| out.extend_from_slice(if value { b"true" } else { b"false" }));
    }

    pub(super) fn raw(&mut self, name: &str, value: &Raw) {
        self.value(name, |out| push_raw(out, value));
    }

    pub(super) fn optional_raw(&mut self, name: &str, value: Option<&Raw>) {
        if let Some(value) = value {
            self.raw(name, value);
        }
    }

    pub(super) fn array<T>(
        &mut self,
        name: &str,
        items: &[T],
        write: impl FnMut(&mut Vec<u8>, &T),
    ) {
        self.value(name, |out| push_array(out, items, write));
    }

    /// Adds an array if it has elements.
    pub(super) fn filled_array<T>(
        &mut self,
        name: &str,
        items: &[T],
        write: impl FnMut(&mut Vec<u8>, &T),
    ) {
        if !items.is_empty() {
            self.array(name, items, write);
        }
    }

    pub(super) fn close(mut self) {
        for (name, value) in self.rests.iter().flat_map(|rest| rest.iter()) {
            self.separate();
            push_text(self.out, name);
            self.out.push(b':');
            push_raw(self.out, value);
        }
        self.out.push(b'}');
    }
}

pub(super) fn push_array<T>(
    out: &mut Vec<u8>,
    items: &[T],
    mut write: impl FnMut(&mut Vec<u8>, &T),
) {
    out.push(b'[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
}

pub(super) fn push_text(out: &mut Vec<u8>, text: &Text) {
    if text.has_lone_surrogate() {
        out.extend_from_slice(text.to_literal().as_bytes());
    } else {
        push_literal(out, text);
    }
}

/// Appends a value as it is written. A line feed in it can only stand between tokens, where a
/// space says the same without ending the line.
pub(super) fn push_raw(out: &mut Vec<u8>, raw: &Raw) {
    let start = out.len();
    out.extend_from_slice(raw.as_str().as_bytes());
    let written = out.get_mut(start..).unwrap_or_default();
    if written.contains(&b'\n') {
        written.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
    }
}
