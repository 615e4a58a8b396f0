//! Which call a response answers, where one of them has no id.

use json::Text;

/// The calls of one response, with those that were answered.
#[derive(Default)]
pub(super) struct Ids {
    open: Vec<Open>,
    made: usize,
}

struct Open {
    name: Text,
    id: Text,
    /// The body names it so.
    has_own: bool,
    answered: bool,
}

impl Ids {
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
            self.made += 1;
            format!("call_{}", self.made).into()
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
