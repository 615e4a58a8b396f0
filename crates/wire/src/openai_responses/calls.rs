//! Calls whose items name no tool: each type of them is of one tool.

/// A type of such calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unnamed {
    /// The type of its items.
    pub item: &'static str,
    /// The name the tool goes by.
    pub tool: &'static str,
    /// The member that holds what the tool is given.
    pub given: &'static str,
}

/// All of them.
pub const UNNAMED: [Unnamed; 5] = [
    Unnamed { item: "local_shell_call", tool: "local_shell", given: "action" },
    Unnamed { item: "tool_search_call", tool: "tool_search", given: "arguments" },
    Unnamed { item: "shell_call", tool: "shell", given: "action" },
    Unnamed { item: "apply_patch_call", tool: "apply_patch", given: "operation" },
    Unnamed { item: "computer_call", tool: "computer", given: "action" },
];

/// The row of a type of items; `None` where calls of it name their tool, or it is none of calls.
pub fn unnamed(item: &str) -> Option<Unnamed> {
    UNNAMED.into_iter().find(|row| row.item == item)
}
