//! Which call a response answers, where one of them has no id.

use std::collections::HashSet;

use json::{Text, Value};

use crate::gemini_cli::part::member;

/// The calls of one response, with those that were answered.
pub(super) struct Ids {
    open: Vec<Open>,
    made: usize,
    /// Ids that the body names: none is made that is one of them.
    named: HashSet<Text>,
}

struct Open {
    name: Text,
    id: Text,
    /// The body names it so.
    has_own: bool,
    answered: bool,
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
        Ids { open: Vec::new(), made: 0, named: named.collect() }
    }

    /// Another response begins: what the last left open is answered by nothing without an id.
    pub(super) fn response(&mut self) {
        self.open.clear();
    }

    /// The id of a call: its own, or one made here.
    pub(super) fn of_call(&mut self, name: &Text, own: Text) -> Text {
        let has_own = !own.is_empty();
        let id = if has_own {
            own
        } else {
            loop {
                self.made += 1;
                let id = Text::from(format!("call_{}", self.made));
                if !self.named.contains(&id) {
                    break id;
                }
            }
        };
        self.open.push(Open { name: name.clone(), id: id.clone(), has_own, answered: false });
        id
    }

    /// The id of the call that is answered: by its own id, else, where one of the two has none, the
    /// first of its name that has no answer yet. None of them: its own.
    pub(super) fn of_answer(&mut self, name: &Text, own: Text) -> Text {
        let of_id = |call: &Open| !call.answered && !own.is_empty() && call.id == own;
        let of_name =
            |call: &Open| !call.answered && call.name == *name && (own.is_empty() || !call.has_own);
        let at = self.open.iter().position(of_id);
        let at = at.or_else(|| self.open.iter().position(of_name));
        let call = at.and_then(|at| self.open.get_mut(at));
        match call {
            Some(call) => {
                call.answered = true;
                call.id.clone()
            }
            None => own,
        }
    }
}
