//! Content blocks: one enum, no wildcard over it anywhere.

#![deny(clippy::wildcard_enum_match_arm)]

use json::{Raw, Text};

use crate::entry::Rest;
use crate::head::ToolDefinition;
use crate::image::Image;
use crate::input::Input;
use crate::proof::Proof;

/// One block of a message. Serialised with the tag `type`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// `text`: visible speech of the message's role.
    Text(TextBlock),
    /// `tool_use`: a call.
    ToolUse(ToolUse),
    /// `tool_result`: what a call returned.
    ToolResult(ToolResult),
    /// `reasoning`: a thought. Never speech.
    Reasoning(Reasoning),
    /// `image`
    Image(Image),
    /// `system_change`: a declared change of the head.
    SystemChange(SystemChange),
    /// A kind this build does not know, or one only its provider can read.
    Opaque(OpaqueBlock),
}

/// The kinds of [`Block`], for tests that range over all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// [`Block::Text`]
    Text,
    /// [`Block::ToolUse`]
    ToolUse,
    /// [`Block::ToolResult`]
    ToolResult,
    /// [`Block::Reasoning`]
    Reasoning,
    /// [`Block::Image`]
    Image,
    /// [`Block::SystemChange`]
    SystemChange,
    /// [`Block::Opaque`]
    Opaque,
}

impl BlockKind {
    /// Every kind.
    pub const ALL: [BlockKind; 7] = [
        BlockKind::Text,
        BlockKind::ToolUse,
        BlockKind::ToolResult,
        BlockKind::Reasoning,
        BlockKind::Image,
        BlockKind::SystemChange,
        BlockKind::Opaque,
    ];
}

impl Block {
    /// The kind of this block.
    pub fn kind(&self) -> BlockKind {
        match self {
            Block::Text(_) => BlockKind::Text,
            Block::ToolUse(_) => BlockKind::ToolUse,
            Block::ToolResult(_) => BlockKind::ToolResult,
            Block::Reasoning(_) => BlockKind::Reasoning,
            Block::Image(_) => BlockKind::Image,
            Block::SystemChange(_) => BlockKind::SystemChange,
            Block::Opaque(_) => BlockKind::Opaque,
        }
    }

    /// The text block this is, if it is one.
    pub fn as_text(&self) -> Option<&TextBlock> {
        if let Block::Text(text) = self { Some(text) } else { None }
    }

    /// The call this is, if it is one.
    pub fn as_tool_use(&self) -> Option<&ToolUse> {
        if let Block::ToolUse(call) = self { Some(call) } else { None }
    }

    /// The result this is, if it is one.
    pub fn as_tool_result(&self) -> Option<&ToolResult> {
        if let Block::ToolResult(result) = self { Some(result) } else { None }
    }

    /// The thought this is, if it is one.
    pub fn as_reasoning(&self) -> Option<&Reasoning> {
        if let Block::Reasoning(thought) = self { Some(thought) } else { None }
    }

    /// A text block without proof.
    pub fn text(text: impl Into<Text>) -> Block {
        Block::Text(TextBlock { text: text.into(), proof: None, rest: Rest::default() })
    }
}

/// Visible speech.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextBlock {
    /// What was said.
    pub text: Text,
    /// What its provider signed or named it with.
    pub proof: Option<Box<Proof>>,
    /// Members this build has no field for.
    pub rest: Rest,
}

/// A call the model made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolUse {
    /// The id its result names.
    pub id: Text,
    /// The tool's name, as the model wrote it.
    pub name: Text,
    /// The arguments, as the model wrote them.
    pub input: Input,
    /// What its provider signed or named it with.
    pub proof: Option<Box<Proof>>,
    /// Members this build has no field for.
    pub rest: Rest,
}

/// What a call returned, exactly as the model was given it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolResult {
    /// The id of the call it answers.
    pub tool_use_id: Text,
    /// The tool's name; empty where the source has none.
    pub tool_name: Text,
    /// What was returned, part by part. Serialised as `output` and `images` where that says it all.
    pub content: Vec<ResultPart>,
    /// The tool reported an error.
    pub is_error: bool,
    /// Members this build has no field for.
    pub rest: Rest,
}

impl ToolResult {
    /// The text parts, joined by line feeds.
    pub fn output(&self) -> String {
        let mut out = String::new();
        let mut first = true;
        for part in &self.content {
            if let ResultPart::Text(text) = part {
                if !first {
                    out.push('\n');
                }
                first = false;
                out.push_str(text);
            }
        }
        out
    }
}

/// A part of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultPart {
    /// Text.
    Text(Text),
    /// An image.
    Image(Image),
    /// A part only its provider can read, such as a tool reference.
    Opaque(OpaqueBlock),
}

/// A thought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasoning {
    /// The thought's text; empty where it was redacted or not displayed.
    pub reasoning: Text,
    /// The signature or sealed payload without which no provider takes it back.
    pub proof: Option<Box<Proof>>,
    /// Members this build has no field for.
    pub rest: Rest,
}

/// A declared change of the head, alone in its message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemChange {
    /// Tools added, or redefined by name.
    pub define_tools: Vec<ToolDefinition>,
    /// Names of tools removed.
    pub remove_tools: Vec<Text>,
    /// System texts added.
    pub add_system: Vec<Text>,
    /// Members this build has no field for.
    pub rest: Rest,
}

/// A block kept verbatim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpaqueBlock {
    /// The `type` the source gave it.
    pub kind: Text,
    /// The whole block.
    pub raw: Raw,
    /// Who can read it back.
    pub proof: Option<Box<Proof>>,
}
