//! Which call a response answers: by its id and its name, and where these are missing, or are of
//! two calls, by order.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

use json::{Text, Value};

use crate::gemini_cli::part::member;

/// The calls of one response, with those that were answered.
pub(super) struct Ids {
    calls: Vec<Call>,
    by_both: Waiting<(Text, Text)>,
    by_id: Waiting<Text>,
    by_name: Waiting<Text>,
    /// Of those, the calls that the body gives no id.
    by_name_alone: Waiting<Text>,
    made: usize,
    /// Ids that the body names: none is made that is one of them.
    named: HashSet<Text>,
}

struct Call {
    /// The id it has in the record.
    id: Text,
    answered: bool,
}

/// Calls by what a response says of them, in order.
struct Waiting<Key>(HashMap<Key, VecDeque<usize>>);

impl<Key: Eq + Hash> Waiting<Key> {
    fn new() -> Waiting<Key> {
        Waiting(HashMap::new())
    }

    fn push(&mut self, key: Key, call: usize) {
        self.0.entry(key).or_default().push_back(call);
    }

    /// The first that has no answer yet.
    fn first(&mut self, key: &Key, calls: &[Call]) -> Option<usize> {
        let waiting = self.0.get_mut(key)?;
        let answered = |call: &usize| calls.get(*call).is_none_or(|call| call.answered);
        while waiting.front().is_some_and(answered) {
            waiting.pop_front();
        }
        waiting.front().copied()
    }
}

impl Ids {
    pub(super) fn new(root: Value<'_, '_>) -> Ids {
        let contents = root.get("contents").unwrap_or(root);
        let parts =
            contents.items().flat_map(|content| content.get("parts")).flat_map(Value::items);
        let named = parts.flat_map(|part| {
            let sides = ["functionCall", "functionResponse"].map(|side| member(part, side));
            sides.into_iter().flatten().filter_map(|side| side.get("id")?.to_text())
        });
        Ids {
            calls: Vec::new(),
            by_both: Waiting::new(),
            by_id: Waiting::new(),
            by_name: Waiting::new(),
            by_name_alone: Waiting::new(),
            made: 0,
            named: named.collect(),
        }
    }

    /// Another response begins: what the last left open is answered by nothing without an id.
    pub(super) fn response(&mut self) {
        self.calls.clear();
        self.by_both.0.clear();
        self.by_id.0.clear();
        self.by_name.0.clear();
        self.by_name_alone.0.clear();
    }

    /// The id of a call: its own; one made here where it has none, or another call of the response
    /// has the same.
    pub(super) fn of_call(&mut self, name: &Text, own: Text) -> Text {
        let at = self.calls.len();
        let is_taken = self.by_id.0.contains_key(&own);
        self.by_name.push(name.clone(), at);
        if own.is_empty() {
            self.by_name_alone.push(name.clone(), at);
        } else {
            self.by_both.push((own.clone(), name.clone()), at);
            self.by_id.push(own.clone(), at);
        }
        let id = if own.is_empty() || is_taken { self.make() } else { own };
        self.calls.push(Call { id: id.clone(), answered: false });
        id
    }

    fn make(&mut self) -> Text {
        loop {
            self.made += 1;
            let id = Text::from(format!("call_{}", self.made));
            if !self.named.contains(&id) {
                return id;
            }
        }
    }

    /// The id of the call that is answered; its own where that is none of them.
    pub(super) fn of_answer(&mut self, name: &Text, own: Text) -> Text {
        let call = self.answered(name, &own).and_then(|at| self.calls.get_mut(at));
        match call {
            Some(call) => {
                call.answered = true;
                call.id.clone()
            }
            None => own,
        }
    }

    /// The call of this id and name; where the two are of two calls, the first of these that waits;
    /// where nothing is called so, the one of this id; where a call has no id, the first so called.
    fn answered(&mut self, name: &Text, own: &Text) -> Option<usize> {
        let calls = &self.calls;
        if own.is_empty() {
            return self.by_name.first(name, calls);
        }
        let both = (own.clone(), name.clone());
        if self.by_both.0.contains_key(&both) {
            let own = self.by_both.first(&both, calls);
            return own.or_else(|| self.by_name_alone.first(name, calls));
        }
        if self.by_id.0.contains_key(own) {
            let waiting = [self.by_id.first(own, calls), self.by_name.first(name, calls)];
            return waiting.into_iter().flatten().min();
        }
        self.by_name_alone.first(name, calls)
    }
}
