//! An object that comes in pieces: some of its texts are joined, everything else stands as it came
//! last.

use json::{Object, Raw, Text, Value};

use crate::growing::Growing;
use crate::named::Named;

/// The object so far.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    members: Named<Member>,
}

#[derive(Debug)]
enum Member {
    Joined(Growing),
    Last(Raw),
}

impl Pieces {
    /// Takes a piece; the texts under these names are joined.
    pub(super) fn take(&mut self, piece: Value<'_, '_>, joined: &[&str]) {
        for (key, value) in piece.members() {
            let Some(name) = key.to_text() else { continue };
            let text = value.to_text().filter(|_| joined.contains(&name.as_str()));
            match (self.members.get_mut(&name), text) {
                (Some(Member::Joined(growing)), Some(text)) => growing.push(&text),
                (Some(_), None) if value.is_null() => {}
                (_, Some(text)) => self.members.set(&name, Member::Joined(begun(&text))),
                (_, None) => self.members.set(&name, Member::Last(Raw::one_line(value))),
            }
        }
    }

    /// The whole object.
    pub(super) fn finish(self) -> Raw {
        let mut object = Object::new();
        for (name, member) in self.members.into_list() {
            match member {
                Member::Joined(growing) => object.text(&name, &growing.into_text()),
                Member::Last(raw) => object.raw(&name, &raw),
            };
        }
        object.finish()
    }
}

fn begun(text: &Text) -> Growing {
    let mut growing = Growing::default();
    growing.push(text);
    growing
}
