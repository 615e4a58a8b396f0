//! Which call a piece belongs to.
//!
//! By `index`; where there is none, by `id`; where neither is there, to the last call. A name that
//! comes with another id begins another call, even under an index that is taken: some hosts begin
//! again at 0 with every chunk. At some vendors a name alone does.

use std::collections::BTreeMap;

use json::{Raw, Text, Value};
use record::Rest;
use wire::openai_chat::events::filled;
use wire::openai_chat::streams::CallPieces;

use super::message::{FREEFORM, call_rest, function_of, is_freeform};
use crate::named::Named;

/// The calls of a reply so far.
#[derive(Debug, Default)]
pub(super) struct Calls {
    list: Vec<Call>,
    by_index: BTreeMap<u64, usize>,
    by_id: BTreeMap<Text, usize>,
}

/// A call.
#[derive(Debug)]
pub(super) struct Call {
    /// Its block.
    pub(super) block: u64,
    id: Text,
    rest: Named<Raw>,
    /// Its tool takes any text.
    pub(super) is_freeform: bool,
    /// Where its signature stands, as it was last written.
    pub(super) signed: Option<Raw>,
}

/// A piece, and where it goes.
pub(super) struct Piece {
    /// The call's place in the list.
    pub(super) at: usize,
    /// It is the first of its call.
    pub(super) is_new: bool,
}

impl Calls {
    /// Finds the call of a piece; a new one has its block at `block`.
    pub(super) fn place(&mut self, piece: Value<'_, '_>, pieces: CallPieces, block: u64) -> Piece {
        let id = filled(piece, "id").and_then(Value::to_text).filter(|id| !id.is_empty());
        let index = piece.get("index").and_then(Value::as_u64);
        let function = function_of(piece);
        let is_named = function.and_then(|function| function.get_str("name"));
        let is_named = is_named.is_some_and(|name| !name.is_empty());
        let known = match pieces {
            CallPieces::Named if is_named => None,
            CallPieces::Named | CallPieces::Joined => self.known(index, id.as_ref(), is_named),
        };
        if let Some(at) = known {
            return Piece { at, is_new: false };
        }
        let at = self.list.len();
        if let Some(index) = index {
            self.by_index.insert(index, at);
        }
        let id = id.unwrap_or_default();
        if !id.is_empty() {
            self.by_id.insert(id.clone(), at);
        }
        let (rest, is_freeform) = (Named::default(), is_freeform(piece));
        self.list.push(Call { block, id, rest, is_freeform, signed: None });
        Piece { at, is_new: true }
    }

    fn known(&self, index: Option<u64>, id: Option<&Text>, is_named: bool) -> Option<usize> {
        let by_id = id.and_then(|id| self.by_id.get(id)).copied();
        match index {
            Some(index) => {
                let at = *self.by_index.get(&index)?;
                let call = self.list.get(at)?;
                let is_other = id.is_some_and(|id| !call.id.is_empty() && call.id != *id);
                // The one that this id names may stand under an index that another took since.
                if is_other && is_named { by_id } else { Some(at) }
            }
            None if id.is_some() => by_id,
            None if is_named => None,
            None => self.list.len().checked_sub(1),
        }
    }

    /// Takes the members of a piece that are neither its id nor its halves; gives the bytes that
    /// are held for them.
    pub(super) fn beside(&mut self, at: usize, piece: Value<'_, '_>) -> usize {
        let Some(call) = self.list.get_mut(at) else { return 0 };
        if let Some(id) = filled(piece, "id").and_then(Value::to_text)
            && call.id.is_empty()
        {
            call.id = id.clone();
            self.by_id.insert(id, at);
        }
        let mut held = 0;
        for (name, value) in call_rest(piece).iter() {
            held += name.len() + value.as_str().len();
            call.rest.set(name, value.clone());
        }
        if piece.get("extra_content").is_some() {
            held += piece.raw().len();
            call.signed = Some(Raw::one_line(piece));
        }
        held
    }

    pub(super) fn get(&self, at: usize) -> Option<&Call> {
        self.list.get(at)
    }

    /// The calls, in the order in which they were first seen.
    pub(super) fn into_list(self) -> Vec<Call> {
        self.list
    }
}

impl Call {
    /// The members that stand beside the call in a record.
    pub(super) fn into_rest(self) -> Rest {
        let mut rest = self.rest.into_rest();
        if self.is_freeform {
            rest.push(FREEFORM.into(), Raw::string(&"text".into()));
        }
        rest
    }
}
