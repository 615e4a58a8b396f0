//! The head: tools and system text, as recorded for an agent.

use std::sync::Arc;

use json::{Doc, Kind, Raw, Text};

use crate::entry::{EntryId, Rest};

/// A tool as the wire writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDefinition {
    name: Text,
    wire: Raw,
}

impl ToolDefinition {
    /// A definition of this wire form; `None` where it is no object or has no string `name`.
    pub fn new(wire: Raw) -> Option<ToolDefinition> {
        let doc = Doc::parse_str(wire.as_str()).ok()?;
        if doc.root().kind() != Kind::Object {
            return None;
        }
        let name = doc.root().get("name")?.to_text()?;
        drop(doc);
        Some(ToolDefinition { name, wire })
    }

    /// The tool's name.
    pub fn name(&self) -> &Text {
        &self.name
    }

    /// The definition as it is written.
    pub fn wire(&self) -> &Raw {
        &self.wire
    }

    /// Its type, where it is no function of the caller's: a provider runs it, or one API alone has
    /// its form.
    pub fn typed(&self) -> Option<Text> {
        let doc = self.wire.doc();
        let kind = doc.root().get("type").and_then(|kind| kind.to_text());
        kind.filter(|kind| kind.as_str() != "custom")
    }
}

/// What a request carries ahead of its messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeadDeclaration {
    /// Tools in advertised order.
    pub tools: Vec<ToolDefinition>,
    /// System texts in order; the current authority is not among them.
    pub system: Vec<Text>,
}

/// An agent's recorded head moved: one entry is the whole move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Whose head it is.
    pub agent: Text,
    /// The head; `None` where it was retired.
    pub head: Option<Arc<HeadDeclaration>>,
    /// The agent's own change rows up to here are folded in.
    pub folds_through: Option<EntryId>,
    /// Whose rows count as the agent's own, on a child's first head.
    pub owners: Option<Vec<Text>>,
    /// Why it moved.
    pub reason: Text,
    /// Members this build has no field for.
    pub rest: Rest,
}
