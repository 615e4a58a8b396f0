//! Declare: the head that is in force, and the system texts that lead the conversation.
//!
//! In: `head` entries, leading system rows, change rows. Out: tools and system text of this view.
//! A tool change cannot be said in mid-conversation yet, so it is folded into this view's head.

use std::sync::Arc;

use json::Text;
use record::{
    Block, BlockRef, Entry, Head, HeadDeclaration, Message, Role, SystemChange, ToolDefinition,
};

use crate::fold::View;
use crate::read::Reader;

/// The head of the view so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declare {
    recorded: Option<Arc<HeadDeclaration>>,
    leading: Arc<Vec<Text>>,
    /// Change rows since the recorded head, folded: definitions in order, and names removed.
    folded: Vec<Arc<SystemChange>>,
    /// Raised whenever something above changes, so that the rendered head can be reused.
    pub(crate) version: u64,
}

impl Declare {
    /// A recorded head of this reader's agent.
    pub(crate) fn head(&mut self, head: &Head, reader: &Reader) {
        if head.agent != reader.agent {
            return;
        }
        self.recorded = head.head.clone();
        self.folded.clear();
        self.version += 1;
    }

    /// A retracted head reads as retired.
    pub(crate) fn retire(&mut self, head: &Head, reader: &Reader) {
        self.head(&Head { head: None, ..head.clone() }, reader);
    }

    /// A system text before the first message.
    pub(crate) fn leading_system(&mut self, text: Text) {
        Arc::make_mut(&mut self.leading).push(text);
        self.version += 1;
    }

    /// The tools of a row's declared changes. They hold from the row's place on the path on,
    /// wherever its texts stand.
    pub(crate) fn changes(&mut self, view: View<'_>, entry: &Entry, message: &Message) {
        if message.role == Role::Assistant {
            return;
        }
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if let Block::SystemChange(change) = block {
                let at = BlockRef { row: entry.id.clone(), block: index };
                if !view.edits.retracted.contains(&at) {
                    self.fold(change);
                }
            }
        }
    }

    fn fold(&mut self, change: &SystemChange) {
        if change.define_tools.is_empty() && change.remove_tools.is_empty() {
            return;
        }
        self.folded.push(Arc::new(change.clone()));
        self.version += 1;
    }

    /// Tools in force, in order: a redefinition stands where the first definition stood.
    pub(crate) fn tools(&self) -> Vec<&ToolDefinition> {
        let recorded = self.recorded.iter().flat_map(|head| &head.tools);
        let mut tools: Vec<&ToolDefinition> = recorded.collect();
        for change in &self.folded {
            tools.retain(|tool| {
                !change.remove_tools.contains(tool.name())
                    || change.define_tools.iter().any(|defined| defined.name() == tool.name())
            });
            for defined in &change.define_tools {
                match tools.iter_mut().find(|tool| tool.name() == defined.name()) {
                    Some(tool) => *tool = defined,
                    None => tools.push(defined),
                }
            }
        }
        tools
    }

    /// Whether a turn that waits for this server tool can be resumed.
    pub(crate) fn can_resume(&self, tool: &str) -> bool {
        // The code execution tool runs under several names.
        let family = if tool.ends_with("code_execution") { "code_execution" } else { tool };
        self.tools().iter().any(|offered| {
            let typed = offered.wire().doc().root().get("type").is_some();
            typed && (offered.name().as_str() == tool || offered.name().as_str() == family)
        })
    }

    /// System texts in force.
    pub(crate) fn system(&self) -> impl Iterator<Item = &Text> {
        self.recorded.iter().flat_map(|head| &head.system).chain(self.leading.iter())
    }
}
