//! Typed reasoning that comes in pieces (OpenRouter, MiniMax): one item for each index and type,
//! its texts joined, everything else as it came last. What comes out is what a body would hold.

use std::collections::BTreeMap;

use json::{Array, Object, Raw, Text, Value};

use crate::growing::Growing;
use crate::named::Named;

/// Members of an item that come in pieces.
const JOINED: [&str; 3] = ["text", "summary", "data"];

/// The items so far.
#[derive(Debug, Default)]
pub(super) struct Details {
    items: Vec<Item>,
    by_index: BTreeMap<(u64, Text), usize>,
    is_there: bool,
}

#[derive(Debug, Default)]
struct Item {
    kind: Text,
    members: Named<Member>,
}

#[derive(Debug)]
enum Member {
    Joined(Growing),
    Last(Raw),
}

impl Details {
    /// Takes a list of pieces.
    pub(super) fn take(&mut self, list: Value<'_, '_>) {
        self.is_there = true;
        for piece in list.items() {
            let kind = piece.get("type").and_then(Value::to_text).unwrap_or_default();
            let at = match piece.get("index").and_then(Value::as_u64) {
                Some(index) => {
                    let next = self.items.len();
                    *self.by_index.entry((index, kind.clone())).or_insert(next)
                }
                // Without an index a piece goes on with the item before it, if that is of its type.
                None => match self.items.last() {
                    Some(last) if last.kind == kind => self.items.len() - 1,
                    _ => self.items.len(),
                },
            };
            if at == self.items.len() {
                self.items.push(Item { kind, members: Named::default() });
            }
            if let Some(item) = self.items.get_mut(at) {
                item.take(piece);
            }
        }
    }

    /// The whole list; `None` where there never was one, or nothing in it.
    pub(super) fn finish(self) -> Option<Raw> {
        if !self.is_there || self.items.is_empty() {
            return None;
        }
        let items: Vec<Raw> = self.items.into_iter().map(Item::finish).collect();
        Some(Array::of(&items))
    }
}

impl Item {
    fn take(&mut self, piece: Value<'_, '_>) {
        for (key, value) in piece.members() {
            let Some(name) = key.to_text() else { continue };
            let text = value.to_text().filter(|_| JOINED.contains(&name.as_str()));
            match (self.members.get_mut(&name), text) {
                (Some(Member::Joined(growing)), Some(text)) => growing.push(&text),
                (Some(_), None) if value.is_null() => {}
                (_, Some(text)) => self.members.set(&name, Member::Joined(begun(&text))),
                (_, None) => self.members.set(&name, Member::Last(Raw::one_line(value))),
            }
        }
    }

    fn finish(self) -> Raw {
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
