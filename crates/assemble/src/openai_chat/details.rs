//! Typed reasoning that comes in pieces (OpenRouter, MiniMax): one item for each index, type and
//! id, its texts joined, everything else as it came last. What comes out is what a body would hold.

use std::collections::BTreeMap;

use json::{Array, Raw, Text, Value};
use wire::openai_chat::events::filled;

use super::pieces::Pieces;

/// Members of an item that come in pieces.
const JOINED: [&str; 3] = ["text", "summary", "data"];

/// The items so far.
#[derive(Debug, Default)]
pub(super) struct Details {
    items: Vec<Item>,
    /// The last item of an index and a type.
    by_index: BTreeMap<(u64, Text), usize>,
    /// The item of an index, a type and an id.
    by_id: BTreeMap<(Option<u64>, Text, Text), usize>,
}

#[derive(Debug, Default)]
struct Item {
    kind: Text,
    id: Text,
    pieces: Pieces,
}

impl Details {
    /// Takes a list of pieces.
    pub(super) fn take(&mut self, list: Value<'_, '_>) {
        for piece in list.items() {
            let at = self.place(piece);
            if let Some(item) = self.items.get_mut(at) {
                item.pieces.take(piece, &JOINED);
            }
        }
    }

    /// The place of the item that a piece belongs to; a new one is begun. The item before it goes
    /// on, unless both have ids and these differ.
    fn place(&mut self, piece: Value<'_, '_>) -> usize {
        let text = |name: &str| filled(piece, name).and_then(Value::to_text).unwrap_or_default();
        let (kind, id) = (text("type"), text("id"));
        let index = piece.get("index").and_then(Value::as_u64);
        let before = match index {
            Some(index) => self.by_index.get(&(index, kind.clone())).copied(),
            None => self.items.len().checked_sub(1),
        };
        let goes_on = |item: &Item| {
            item.kind == kind && (id.is_empty() || item.id.is_empty() || item.id == id)
        };
        let before = before.filter(|at| self.items.get(*at).is_some_and(goes_on));
        let by_id = (index, kind.clone(), id.clone());
        let known = before.or_else(|| self.by_id.get(&by_id).copied());
        let at = known.unwrap_or(self.items.len());
        if at == self.items.len() {
            self.items.push(Item { kind: kind.clone(), ..Item::default() });
        }
        if let Some(index) = index {
            self.by_index.insert((index, kind), at);
        }
        if let Some(item) = self.items.get_mut(at).filter(|_| !id.is_empty()) {
            item.id = id;
            self.by_id.insert(by_id, at);
        }
        at
    }

    /// The whole list; `None` where there never was one, or nothing in it.
    pub(super) fn finish(self) -> Option<Raw> {
        let items = self.items.into_iter().map(|item| item.pieces.finish());
        let items: Vec<Raw> = items.collect();
        (!items.is_empty()).then(|| Array::of(&items))
    }
}
