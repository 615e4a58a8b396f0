//! The items of a body as a flat list, and the types there are.

use std::borrow::Cow;

use json::Value;

/// One item of `input`.
pub(super) struct Item<'d, 't> {
    pub(super) value: Value<'d, 't>,
    /// Its type; `message` where it has a role and no type.
    pub(super) kind: Cow<'t, str>,
    /// Index in `input`.
    pub(super) index: usize,
    /// The type's row.
    pub(super) shape: Option<&'static Shape>,
}

impl<'d, 't> Item<'d, 't> {
    /// `input[N]` and what follows.
    pub(super) fn path(&self, rest: &str) -> String {
        format!("input[{}]{rest}", self.index)
    }

    /// The member, unless it is null.
    pub(super) fn get(&self, name: &str) -> Option<Value<'d, 't>> {
        self.value.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn text(&self, name: &str) -> Option<Cow<'t, str>> {
        self.value.get_str(name)
    }

    pub(super) fn is_reasoning(&self) -> bool {
        self.kind == "reasoning"
    }

    /// Whether the model made it.
    pub(super) fn is_of_reply(&self) -> bool {
        match &*self.kind {
            "message" => self.text("role").as_deref() == Some("assistant"),
            "item_reference" => true,
            _ => self.shape.is_some_and(|shape| shape.is_of_reply),
        }
    }
}

/// A type of item.
pub(super) struct Shape {
    pub(super) kind: &'static str,
    /// How its ids begin; empty where that is not known.
    pub(super) prefix: &'static str,
    pub(super) required: &'static [&'static str],
    /// All members it has; none where it is the provider's own and goes back as it came.
    pub(super) members: &'static [&'static str],
    pub(super) is_of_reply: bool,
}

const fn of_reply(
    kind: &'static str,
    prefix: &'static str,
    required: &'static [&'static str],
) -> Shape {
    Shape { kind, prefix, required, members: &[], is_of_reply: true }
}

const fn of_ours(
    kind: &'static str,
    prefix: &'static str,
    required: &'static [&'static str],
) -> Shape {
    Shape { kind, prefix, required, members: &[], is_of_reply: false }
}

/// The types there are.
pub(super) const SHAPES: &[Shape] = &[
    Shape {
        members: &["type", "role", "content", "id", "status", "phase"],
        ..of_ours("message", "msg", &["role", "content"])
    },
    Shape {
        members: &[
            "type",
            "call_id",
            "name",
            "arguments",
            "id",
            "status",
            "namespace",
            "async",
            "caller",
        ],
        ..of_reply("function_call", "fc", &["call_id", "name", "arguments"])
    },
    Shape {
        members: &["type", "call_id", "output", "id", "status", "caller", "name", "namespace"],
        ..of_ours("function_call_output", "fc", &["output"])
    },
    Shape {
        members: &[
            "type",
            "call_id",
            "name",
            "input",
            "id",
            "status",
            "namespace",
            "async",
            "caller",
        ],
        ..of_reply("custom_tool_call", "ctc", &["call_id", "name", "input"])
    },
    Shape {
        members: &["type", "call_id", "output", "id", "status", "caller"],
        ..of_ours("custom_tool_call_output", "ctc", &["call_id", "output"])
    },
    Shape {
        members: &["type", "id", "summary", "encrypted_content", "content", "status"],
        // What it lacks has rules of its own.
        ..of_reply("reasoning", "rs", &[])
    },
    Shape { members: &["type", "id"], ..of_ours("item_reference", "", &["id"]) },
    Shape { members: &["type", "id", "encrypted_content"], ..of_ours("compaction", "cmp", &[]) },
    Shape { members: &["type", "id"], ..of_ours("compaction_trigger", "", &[]) },
    of_ours("additional_tools", "", &["role", "tools"]),
    of_ours("configuration_update", "", &[]),
    of_reply("tool_search_call", "tsc", &["arguments"]),
    of_ours("tool_search_output", "", &["tools"]),
    of_reply("web_search_call", "ws", &["status"]),
    of_reply("file_search_call", "fs", &["id", "queries", "status"]),
    of_reply("code_interpreter_call", "ci", &["id", "container_id", "status"]),
    of_reply("image_generation_call", "ig", &["id", "status"]),
    of_reply("computer_call", "cu", &["id", "call_id"]),
    of_ours("computer_call_output", "", &["call_id", "output"]),
    of_reply("local_shell_call", "lsh", &["id", "call_id", "action"]),
    of_ours("local_shell_call_output", "", &["output"]),
    of_reply("shell_call", "sh", &["call_id", "action"]),
    of_ours("shell_call_output", "", &["call_id", "output"]),
    of_reply("apply_patch_call", "apc", &["call_id", "operation"]),
    of_ours("apply_patch_call_output", "", &["call_id", "status"]),
    of_reply("mcp_list_tools", "mcpl", &["id", "server_label", "tools"]),
    of_reply("mcp_call", "mcp", &["id", "server_label", "name", "arguments"]),
    of_reply("mcp_approval_request", "mcpr", &["id", "server_label", "name", "arguments"]),
    of_ours("mcp_approval_response", "", &["approval_request_id", "approve"]),
    of_reply("program", "", &["call_id", "code"]),
    of_reply("program_output", "", &["call_id"]),
];

/// Reads `input`; what is not of the expected type reads as nothing.
pub(super) fn read<'d, 't>(input: Option<Value<'d, 't>>) -> Vec<Item<'d, 't>> {
    let items = input.into_iter().flat_map(Value::items).enumerate();
    items
        .map(|(index, value)| {
            let typed = value.get_str("type");
            let kind = typed.unwrap_or_else(|| {
                let is_message = value.get("role").is_some();
                if is_message { Cow::Borrowed("message") } else { Cow::Borrowed("") }
            });
            let shape = SHAPES.iter().find(|shape| shape.kind == kind);
            Item { value, kind, index, shape }
        })
        .collect()
}
