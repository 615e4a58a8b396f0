//! Calls whose items name no tool: each type of them is of one tool.

use json::{Kind, Value};

use crate::member::filled;

/// A type of such calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unnamed {
    /// The type of its items.
    pub item: &'static str,
    /// The name the tool goes by.
    pub tool: &'static str,
    /// The member that holds what the tool is given.
    pub given: &'static str,
    /// The member that holds a list of these in its place, where there is one. The input of such a
    /// call is an object of that one member.
    pub several: Option<&'static str>,
}

impl Unnamed {
    /// The member of an item that holds what the tool is given.
    pub fn given_in(&self, item: Value<'_, '_>) -> &'static str {
        let is_list = |name: &&str| item.get(name).is_some_and(|list| list.kind() == Kind::Array);
        let several = self.several.filter(|_| filled(item, self.given).is_none());
        several.filter(is_list).unwrap_or(self.given)
    }

    /// The member that an input is sent as, and its value.
    pub fn sent_as<'d, 't>(&self, input: Value<'d, 't>) -> (&'static str, Value<'d, 't>) {
        let several = self.several.filter(|_| input.members().count() == 1);
        let list = several.and_then(|name| Some((name, input.get(name)?)));
        list.filter(|(_, list)| list.kind() == Kind::Array).unwrap_or((self.given, input))
    }
}

/// All of them.
pub const UNNAMED: [Unnamed; 5] = [
    Unnamed { item: "local_shell_call", tool: "local_shell", given: "action", several: None },
    Unnamed { item: "tool_search_call", tool: "tool_search", given: "arguments", several: None },
    Unnamed { item: "shell_call", tool: "shell", given: "action", several: None },
    Unnamed { item: "apply_patch_call", tool: "apply_patch", given: "operation", several: None },
    Unnamed { item: "computer_call", tool: "computer", given: "action", several: Some("actions") },
];

/// The row of a type of items; `None` where calls of it name their tool, or it is none of calls.
pub fn unnamed(item: &str) -> Option<Unnamed> {
    UNNAMED.into_iter().find(|row| row.item == item)
}
