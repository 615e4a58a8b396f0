//! A history as a list of steps: what is stored, and when a request is made.

use json::Text;
use record::{EntryId, Fact, Retracted, Rung};
use replay::{Target, ThinkingChoice};

use crate::tag::Tags;

/// Who asks, by index.
pub const AGENTS: [&str; 2] = ["main", "other"];

/// Models and whether they are let see images, by index.
pub const TARGETS: [(&str, bool); 8] = [
    ("claude-opus-5-5", true),
    ("claude-opus-4-8", true),
    ("claude-sonnet-4-5", true),
    ("claude-haiku-4-5", true),
    ("claude-opus-5", true),
    ("model-nobody-knows", true),
    ("claude-opus-5-5", false),
    ("claude-sonnet-4-5", false),
];

/// The target of an index.
pub fn target(index: usize) -> Target {
    let (model, vision) = TARGETS[index];
    Target { vision, ..Target::anthropic(model) }
}

/// The id of the entry a step appends.
pub fn op_id(number: u32) -> EntryId {
    EntryId::new(format!("e{number}"))
}

/// What differs between requests besides the history.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// Which set of authority facts; 0 is none.
    pub principal: u8,
    /// Whether to think.
    pub thinking: ThinkingChoice,
    /// The calls that no result was stored for are running.
    pub running: bool,
    /// Refuse instead of continuing.
    pub no_continue: bool,
    /// Images allowed, where not the model's.
    pub images_max: Option<u32>,
    /// Bytes allowed, where not the provider's.
    pub body_bytes_max: Option<u64>,
    /// `max_tokens`, where not the model's.
    pub max_tokens: Option<u64>,
    /// `tool_choice`, as the wire writes it.
    pub tool_choice: Option<&'static str>,
    /// Further parameters: name and JSON.
    pub extra: Vec<(&'static str, &'static str)>,
    /// The rung of recovery.
    pub recovery: Option<Rung>,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum OpKind {
    /// Appends an entry of this fact.
    Entry(Box<Fact>),
    /// Makes a request and appends what it asks for.
    Send {
        /// Index into [`AGENTS`].
        agent: usize,
        /// Index into [`TARGETS`].
        target: usize,
        /// The rest.
        choice: Choice,
    },
    /// Takes something out on another branch.
    RetractElsewhere(Retracted),
    /// Appends a `sent` without digests that covers all that is there: an imported raw request.
    Imported {
        /// Index into [`TARGETS`].
        target: usize,
    },
}

/// A step, with the number its entry is named by.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    /// Unique in the script; references name it.
    pub number: u32,
    /// What it does.
    pub kind: OpKind,
}

/// A history to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// What it was made from.
    pub seed: u64,
    /// The target most requests go to.
    pub primary: usize,
    /// Another one.
    pub secondary: usize,
    /// The steps.
    pub ops: Vec<Op>,
    /// What is extreme about it.
    pub tags: Tags,
}

/// An agent's name.
pub(crate) fn agent(index: usize) -> Text {
    AGENTS[index].into()
}
