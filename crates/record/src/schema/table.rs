//! The table itself.

use super::Holds::{
    Any, AnyObject, Count, Digest, Either, Exactly, Flag, List, Named, NamedOrNull, OneOf, Text,
    TextOrNull, Version,
};
use super::Need::{Always, Optional, Written};
use super::{Field, Holds, Need, Shape, Union};

const fn field(name: &'static str, holds: Holds, need: Need, about: &'static str) -> Field {
    Field { name, holds, need, about }
}

/// Objects told apart by a member.
pub const UNIONS: &[Union] = &[
    Union {
        name: "line",
        about: "One line of a file.",
        of: &[
            "header",
            "ref_move",
            "message",
            "call_started",
            "compaction",
            "head",
            "sent",
            "retracted",
            "opaque",
        ],
        open: Some((
            "entry",
            &["message", "call_started", "compaction", "head", "sent", "retracted", "opaque"],
        )),
    },
    Union {
        name: "block",
        about: "A content block.",
        of: &["text", "tool_use", "tool_result", "reasoning", "image", "system_change", "wrapped"],
        open: Some((
            "type",
            &["text", "tool_use", "tool_result", "reasoning", "image", "system_change"],
        )),
    },
    Union {
        name: "part",
        about: "A part of a result.",
        of: &["text_part", "image", "wrapped"],
        open: Some(("type", &["text", "image"])),
    },
    Union {
        name: "fill",
        about: "What had to be said to make a request valid.",
        of: &[
            "gap",
            "thinking_out",
            "image_out",
            "call_id",
            "continue",
            "change_form",
            "change_off",
            "recovery",
        ],
        open: Some((
            "fill",
            &[
                "gap",
                "thinking_out",
                "image_out",
                "call_id",
                "continue",
                "change_form",
                "change_off",
                "recovery",
            ],
        )),
    },
    Union {
        name: "source",
        about: "Who produced a message.",
        of: &["source_user", "source_model", "source_tool", "source_runtime"],
        open: Some(("kind", &["user", "model", "tool", "runtime"])),
    },
];

/// Every object of the format.
pub const SHAPES: &[Shape] = &[
    Shape {
        name: "header",
        about: "The first line of a file.",
        fields: &[
            field("stenograph", Exactly("record"), Always, "What the file holds."),
            field("v", Version(1), Always, "The version of its lines."),
        ],
    },
    Shape {
        name: "ref_move",
        about: "A branch moved. The last move of a name is where it is.",
        fields: &[
            field("v", Version(1), Written, "The version of the line's form."),
            field("ref", Text, Always, "The branch."),
            field("tip", TextOrNull, Always, "The entry it points at; null where it was deleted."),
            field("reason", Text, Written, "Why it moved."),
            field("timestamp", Text, Optional, "RFC 3339, as written."),
        ],
    },
    Shape {
        name: "message",
        about: "A message: one per response of a model, one per result.",
        fields: &[
            field("v", Version(1), Written, "The version of the line's form."),
            field("entry", Exactly("message"), Written, "The kind of fact."),
            field("id", Text, Written, "The entry's name, unique in the record."),
            field(
                "parent_id",
                TextOrNull,
                Written,
                "The entry before it on its branch; null for a root. Absent: the line before.",
            ),
            field("seq", Count, Written, "Order of appending."),
            field("timestamp", Text, Optional, "RFC 3339, as it was written. Absent stays absent."),
            field("role", OneOf(&["system", "user", "assistant", "tool"]), Always, "Who speaks."),
            field("blocks", List(&Named("block")), Always, "What it says, in order."),
            field("source", Named("source"), Optional, "Who produced it."),
            field("author", Text, Optional, "The participant who wrote it."),
            field("audience", List(&Text), Optional, "Those it is presented to. Absent: everyone."),
            field("answers", Text, Optional, "The sent entry this reply answers."),
            field("usage", Named("usage"), Optional, "Tokens as the provider counted them."),
            field("stop", Named("stop"), Optional, "How the reply ended."),
            field("interrupted", Flag, Optional, "The stream was cut by cancellation."),
            field(
                "runs_logged",
                Flag,
                Optional,
                "A call_started is recorded for every call of it.",
            ),
            field("response", Any, Optional, "What the adapter keeps of the response as a whole."),
            field("meta", Named("meta"), Optional, "What the message is for, and free members."),
            field("origin", Named("origin"), Optional, "The foreign lines it was imported from."),
        ],
    },
    Shape {
        name: "call_started",
        about: "A call was dispatched.",
        fields: &[
            field("v", Version(1), Written, "The version of the line's form."),
            field("entry", Exactly("call_started"), Always, "The kind of fact."),
            field("id", Text, Written, "The entry's name, unique in the record."),
            field(
                "parent_id",
                TextOrNull,
                Written,
                "The entry before it on its branch; null for a root. Absent: the line before.",
            ),
            field("seq", Count, Written, "Order of appending."),
            field("timestamp", Text, Optional, "RFC 3339, as it was written. Absent stays absent."),
            field("row", Text, Always, "The entry of the message."),
            field("block", Count, Always, "Index into its blocks."),
            field("origin", Named("origin"), Optional, "The foreign lines it was imported from."),
        ],
    },
    Shape {
        name: "compaction",
        about: "What replaced an earlier part of the view.",
        fields: &[
            field("v", Version(1), Written, "The version of the line's form."),
            field("entry", Exactly("compaction"), Always, "The kind of fact."),
            field("id", Text, Written, "The entry's name, unique in the record."),
            field(
                "parent_id",
                TextOrNull,
                Written,
                "The entry before it on its branch; null for a root. Absent: the line before.",
            ),
            field("seq", Count, Written, "Order of appending."),
            field("timestamp", Text, Optional, "RFC 3339, as it was written. Absent stays absent."),
            field(
                "kind",
                OneOf(&["boundary", "micro"]),
                Written,
                "A handoff, or results cleared. Absent: boundary.",
            ),
            field(
                "continuation_user_message",
                Named("spoken"),
                Optional,
                "The user message before the handoff.",
            ),
            field(
                "handoff_message",
                Named("spoken"),
                Optional,
                "The handoff; under the user role it stands alone.",
            ),
            field("retained_from", Text, Optional, "The first message kept verbatim from before."),
            field("retained", List(&Text), Optional, "Single messages kept verbatim."),
            field(
                "cleared",
                List(&Named("block_ref")),
                Optional,
                "Results whose output leaves the view.",
            ),
            field(
                "split",
                Exactly("as-found"),
                Optional,
                "Made by another harness: a round it split is repaired.",
            ),
            field("origin", Named("origin"), Optional, "The foreign lines it was imported from."),
        ],
    },
    Shape {
        name: "head",
        about: "An agent's recorded head moved.",
        fields: &[
            field("v", Version(1), Written, "The version of the line's form."),
            field("entry", Exactly("head"), Always, "The kind of fact."),
            field("id", Text, Written, "The entry's name, unique in the record."),
            field(
                "parent_id",
                TextOrNull,
                Written,
                "The entry before it on its branch; null for a root. Absent: the line before.",
            ),
            field("seq", Count, Written, "Order of appending."),
            field("timestamp", Text, Optional, "RFC 3339, as it was written. Absent stays absent."),
            field("agent", Text, Always, "Whose head it is."),
            field("reason", Text, Always, "Why it moved."),
            field(
                "head",
                NamedOrNull("head_declaration"),
                Written,
                "Tools and system text; null where it was retired.",
            ),
            field(
                "folds_through",
                Text,
                Optional,
                "The agent's own change rows up to here are folded in.",
            ),
            field("owners", List(&Text), Optional, "Whose rows count as the agent's own."),
            field("origin", Named("origin"), Optional, "The foreign lines it was imported from."),
        ],
    },
    Shape {
        name: "sent",
        about: "A request is about to leave.",
        fields: &[
            field("v", Version(1), Written, "The version of the line's form."),
            field("entry", Exactly("sent"), Always, "The kind of fact."),
            field("id", Text, Written, "The entry's name, unique in the record."),
            field(
                "parent_id",
                TextOrNull,
                Written,
                "The entry before it on its branch; null for a root. Absent: the line before.",
            ),
            field("seq", Count, Written, "Order of appending."),
            field("timestamp", Text, Optional, "RFC 3339, as it was written. Absent stays absent."),
            field("agent", Text, Always, "Who asks."),
            field("target", Named("target"), Always, "Where it goes."),
            field("covers", TextOrNull, Always, "The tip it covers."),
            field("fills", List(&Named("fill")), Always, "What had to be said to make it valid."),
            field("no_vision", Flag, Optional, "The caller lets this model see no image."),
            field("digests", Named("digests"), Optional, "What was sent, as BLAKE3 digests."),
            field("build", Count, Always, "The version of wording, id form and layout."),
            field("origin", Named("origin"), Optional, "The foreign lines it was imported from."),
        ],
    },
    Shape {
        name: "retracted",
        about: "Blocks, messages or compactions taken out of every view.",
        fields: &[
            field("v", Version(1), Written, "The version of the line's form."),
            field("entry", Exactly("retracted"), Always, "The kind of fact."),
            field("id", Text, Written, "The entry's name, unique in the record."),
            field(
                "parent_id",
                TextOrNull,
                Written,
                "The entry before it on its branch; null for a root. Absent: the line before.",
            ),
            field("seq", Count, Written, "Order of appending."),
            field("timestamp", Text, Optional, "RFC 3339, as it was written. Absent stays absent."),
            field("what", List(&Named("retraction")), Always, "What is taken out."),
            field("reason", Text, Always, "Why."),
            field("origin", Named("origin"), Optional, "The foreign lines it was imported from."),
        ],
    },
    Shape {
        name: "opaque",
        about: "A fact this build keeps but does not read.",
        fields: &[
            field("v", Version(1), Written, "The version of the line's form."),
            field("entry", Exactly("opaque"), Always, "The kind of fact."),
            field("id", Text, Written, "The entry's name, unique in the record."),
            field(
                "parent_id",
                TextOrNull,
                Written,
                "The entry before it on its branch; null for a root. Absent: the line before.",
            ),
            field("seq", Count, Written, "Order of appending."),
            field("timestamp", Text, Optional, "RFC 3339, as it was written. Absent stays absent."),
            field("kind", Text, Always, "What its source called it."),
            field("raw", Any, Optional, "Its content; absent where the origin is all there is."),
            field("origin", Named("origin"), Optional, "The foreign lines it was imported from."),
        ],
    },
    Shape {
        name: "text",
        about: "Visible speech.",
        fields: &[
            field("type", Exactly("text"), Always, "The kind of block."),
            field("text", Text, Always, "What was said."),
            field("proof", Named("proof"), Optional, "What its provider signed or named it with."),
        ],
    },
    Shape {
        name: "tool_use",
        about: "A call.",
        fields: &[
            field("type", Exactly("tool_use"), Always, "The kind of block."),
            field("id", Text, Always, "The id its result names."),
            field("name", Text, Always, "The tool, as the model wrote it."),
            field("input", Text, Always, "The arguments: the exact text the model wrote."),
            field("proof", Named("proof"), Optional, "What its provider signed or named it with."),
        ],
    },
    Shape {
        name: "tool_result",
        about: "What a call returned.",
        fields: &[
            field("type", Exactly("tool_result"), Always, "The kind of block."),
            field("tool_use_id", Text, Always, "The call it answers."),
            field("tool_name", Text, Written, "The tool; empty where the source has none."),
            field(
                "output",
                Text,
                Written,
                "What the model was given; beside parts, their texts joined by line feeds.",
            ),
            field("images", List(&Named("image_ref")), Optional, "Images after the output."),
            field(
                "parts",
                List(&Named("part")),
                Optional,
                "The content, where output and images cannot say it; wins on reading.",
            ),
            field("is_error", Flag, Written, "The tool reported an error."),
        ],
    },
    Shape {
        name: "reasoning",
        about: "A thought. Never speech.",
        fields: &[
            field("type", Exactly("reasoning"), Always, "The kind of block."),
            field(
                "reasoning",
                Text,
                Always,
                "Its text; empty where it was redacted or not displayed.",
            ),
            field("proof", Named("proof"), Optional, "What its provider signed or named it with."),
        ],
    },
    Shape {
        name: "image",
        about: "An image.",
        fields: &[
            field("type", Exactly("image"), Always, "The kind of block."),
            field("media_type", Text, Written, "The type its source declared."),
            field("data", Text, Optional, "The bytes, in standard base64."),
            field("blob", Text, Optional, "Or the hash of a blob of the store."),
            field("url", Text, Optional, "Or a URL, never fetched here."),
            field("file", Text, Optional, "Or the id of a file the provider holds."),
            field("renditions", Any, Optional, "Smaller forms, made once on the way in."),
        ],
    },
    Shape {
        name: "image_ref",
        about: "An image of a result.",
        fields: &[
            field("media_type", Text, Written, "The type its source declared."),
            field("data", Text, Optional, "The bytes, in standard base64."),
            field("blob", Text, Optional, "Or the hash of a blob of the store."),
            field("url", Text, Optional, "Or a URL, never fetched here."),
            field("file", Text, Optional, "Or the id of a file the provider holds."),
            field("renditions", Any, Optional, "Smaller forms, made once on the way in."),
        ],
    },
    Shape {
        name: "system_change",
        about: "A declared change of the head.",
        fields: &[
            field("type", Exactly("system_change"), Always, "The kind of block."),
            field(
                "define_tools",
                List(&AnyObject),
                Optional,
                "Tools added, or redefined by name, as the wire writes them.",
            ),
            field("remove_tools", List(&Text), Optional, "Names of tools removed."),
            field("add_system", List(&Text), Optional, "System texts added."),
        ],
    },
    Shape {
        name: "wrapped",
        about: "A block that cannot be written as it is among ours.",
        fields: &[
            field("type", Exactly("opaque"), Always, "The kind of block."),
            field("kind", Text, Always, "The type its source gave it."),
            field("raw", Any, Always, "The whole block."),
            field("proof", Named("proof"), Optional, "What its provider signed or named it with."),
        ],
    },
    Shape {
        name: "text_part",
        about: "A text of a result.",
        fields: &[
            field("type", Exactly("text"), Always, "The kind of block."),
            field("text", Text, Always, "The text."),
        ],
    },
    Shape {
        name: "proof",
        about: "A proof of one block.",
        fields: &[
            field("issuer", Named("issuer"), Always, "Who alone can read it back."),
            field(
                "kind",
                Text,
                Always,
                "signature, redacted, encrypted, item_id, native, or another adapter's.",
            ),
            field("version", Count, Always, "The adapter's version of sealed."),
            field("sealed", Any, Always, "The proof, byte for byte."),
        ],
    },
    Shape {
        name: "issuer",
        about: "Who issued a proof.",
        fields: &[
            field("platform", Text, Always, "Who served the model."),
            field("account", Text, Optional, "A non-secret label of the account."),
            field("api", Text, Always, "The dialect."),
            field("model", Text, Always, "The model's full name."),
        ],
    },
    Shape {
        name: "source_user",
        about: "A person.",
        fields: &[field("kind", Exactly("user"), Always, "Who produced it.")],
    },
    Shape {
        name: "source_model",
        about: "A model.",
        fields: &[
            field("kind", Exactly("model"), Always, "Who produced it."),
            field("platform", Text, Always, "Who served it."),
            field("api", Text, Always, "The dialect."),
            field("model", Text, Always, "The model's full name."),
            field("account", Text, Optional, "A non-secret label of the account."),
        ],
    },
    Shape {
        name: "source_tool",
        about: "A tool.",
        fields: &[
            field("kind", Exactly("tool"), Always, "Who produced it."),
            field("call_id", Text, Always, "The call it answers."),
        ],
    },
    Shape {
        name: "source_runtime",
        about: "The runtime.",
        fields: &[
            field("kind", Exactly("runtime"), Always, "Who produced it."),
            field("what", Text, Always, "Which part of it."),
        ],
    },
    Shape {
        name: "usage",
        about: "Tokens; the four counts are disjoint.",
        fields: &[
            field("input_tokens", Count, Written, "Uncached input."),
            field("output_tokens", Count, Written, "Output, thinking included."),
            field("cache_creation_input_tokens", Count, Written, "Input written to the cache."),
            field("cache_read_input_tokens", Count, Written, "Input read from the cache."),
        ],
    },
    Shape {
        name: "stop",
        about: "How a reply ended.",
        fields: &[
            field(
                "kind",
                OneOf(&["stop", "tool-calls", "max-tokens", "aborted", "error"]),
                Always,
                "Which end it was.",
            ),
            field("native", Text, Optional, "The provider's own word."),
            field("failure", Any, Optional, "What failed."),
            field(
                "dropped_calls",
                List(&Named("dropped_call")),
                Optional,
                "Calls that were cut off, and never run.",
            ),
        ],
    },
    Shape {
        name: "dropped_call",
        about: "A call that was being written when the reply ended.",
        fields: &[field("name", Text, Written, "The tool, as far as it was written.")],
    },
    Shape {
        name: "meta",
        about: "What a message is for.",
        fields: &[field(
            "kind",
            Text,
            Optional,
            "user_prompt, compact_boundary, skill_snapshot, skill_catalog, task_notification, ambient, system_change, or another.",
        )],
    },
    Shape {
        name: "spoken",
        about: "A message of a compaction.",
        fields: &[
            field("role", OneOf(&["user", "assistant"]), Always, "Who says it."),
            field("content", Text, Always, "The text."),
        ],
    },
    Shape {
        name: "block_ref",
        about: "The place of a block.",
        fields: &[
            field("row", Text, Always, "The entry of the message."),
            field("block", Count, Always, "Index into its blocks."),
        ],
    },
    Shape {
        name: "retraction",
        about: "What is taken out: a block, a whole message or entry, or a compaction.",
        fields: &[
            field("row", Text, Optional, "The entry."),
            field("block", Count, Optional, "Index into its blocks; absent for the whole entry."),
            field("compaction", Text, Optional, "A compaction's entry, in place of row."),
        ],
    },
    Shape {
        name: "head_declaration",
        about: "What a request carries ahead of its messages.",
        fields: &[
            field(
                "tools",
                List(&AnyObject),
                Written,
                "Tools in advertised order, as the wire writes them.",
            ),
            field("system", List(&Text), Written, "System texts in order."),
        ],
    },
    Shape {
        name: "target",
        about: "Where a request goes.",
        fields: &[
            field("dialect", Text, Always, "The dialect."),
            field("platform", Text, Always, "Who serves the model."),
            field("model", Text, Always, "The model's full name."),
            field("account", Text, Optional, "A non-secret label of the account."),
        ],
    },
    Shape {
        name: "digests",
        about: "Digests of a request, cache marks taken out.",
        fields: &[
            field("head", Digest, Always, "Tools and system text."),
            field("authority", Digest, Optional, "The current authority block."),
            field("parameters", Digest, Optional, "The parameters that are part of the prompt."),
            field(
                "checkpoints",
                List(&Named("checkpoint")),
                Always,
                "At the end, and at the last 2, 4, 8, … messages.",
            ),
        ],
    },
    Shape {
        name: "checkpoint",
        about: "The digest of everything up to a message's last block.",
        fields: &[
            field("messages", Count, Always, "How many messages are covered."),
            field("blocks", Count, Always, "How many content blocks of the last one."),
            field("digest", Digest, Always, "Rolling over the units."),
        ],
    },
    Shape {
        name: "gap",
        about: "A stand-in for an unanswered call.",
        fields: &[
            field("fill", Exactly("gap"), Always, "The kind of fill."),
            field("row", Text, Always, "The entry of the message."),
            field("block", Count, Always, "Index into its blocks."),
            field(
                "wording",
                Either(&[OneOf(&["running", "not_started", "unknown"]), Named("said")]),
                Always,
                "The words.",
            ),
        ],
    },
    Shape {
        name: "said",
        about: "Words of another build.",
        fields: &[field("text", Text, Always, "Word for word.")],
    },
    Shape {
        name: "thinking_out",
        about: "No thought of these rows is sent again.",
        fields: &[
            field("fill", Exactly("thinking_out"), Always, "The kind of fill."),
            field("from", Text, Always, "The first row."),
            field("to", Text, Always, "The last row."),
            field("reason", Text, Always, "Why."),
        ],
    },
    Shape {
        name: "image_out",
        about: "An image is left out.",
        fields: &[
            field("fill", Exactly("image_out"), Always, "The kind of fill."),
            field("row", Text, Always, "The entry of the message."),
            field("block", Count, Always, "Index into its blocks."),
            field("image", Count, Written, "Which image of the block."),
            field("reason", Text, Always, "The words of the marker."),
        ],
    },
    Shape {
        name: "call_id",
        about: "A call's id on the wire.",
        fields: &[
            field("fill", Exactly("call_id"), Always, "The kind of fill."),
            field("row", Text, Always, "The entry of the message."),
            field("block", Count, Always, "Index into its blocks."),
            field("wire_id", Text, Always, "The id it was sent under."),
        ],
    },
    Shape {
        name: "continue",
        about: "A continuation prompt stands after a row.",
        fields: &[
            field("fill", Exactly("continue"), Always, "The kind of fill."),
            field("after", Text, Always, "The row."),
        ],
    },
    Shape {
        name: "change_form",
        about: "The form a system change was first sent in.",
        fields: &[
            field("fill", Exactly("change_form"), Always, "The kind of fill."),
            field("row", Text, Always, "The change row."),
            field("part", Text, Always, "Which part of it."),
            field("form", Text, Always, "The form."),
        ],
    },
    Shape {
        name: "change_off",
        about: "A part of changes the target refused.",
        fields: &[
            field("fill", Exactly("change_off"), Always, "The kind of fill."),
            field("part", Text, Always, "Which part."),
            field("refusal", Text, Always, "The provider's words."),
        ],
    },
    Shape {
        name: "recovery",
        about: "The rung a refusal led to.",
        fields: &[
            field("fill", Exactly("recovery"), Always, "The kind of fill."),
            field("rung", OneOf(&["drop_block", "strip"]), Always, "Which rung."),
        ],
    },
    Shape {
        name: "origin",
        about: "Where an imported entry came from.",
        fields: &[
            field("format", Text, Always, "The foreign format."),
            field("lines", List(&Named("source_line")), Always, "Its lines, in file order."),
        ],
    },
    Shape {
        name: "source_line",
        about: "A line of a foreign file, byte for byte.",
        fields: &[
            field("n", Count, Always, "Line number, from 1."),
            field("text", Text, Optional, "The line without its line feed."),
            field("base64", Text, Optional, "Or its bytes, where they are not UTF-8."),
            field("ended", Flag, Optional, "False where no line feed followed."),
        ],
    },
];
