//! Declare: the head that is in force, and the system texts that lead the conversation.
//!
//! In: `head` entries, leading system rows, change rows. Out: tools and system text of this view.
//! A tool change cannot be said in mid-conversation yet, so it is folded into this view's head.

use std::collections::{BTreeMap, BTreeSet};
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
        let mut tools: Vec<Option<&ToolDefinition>> = recorded.map(Some).collect();
        // Where the tools of each name stand: several of one, where the recorded head has them.
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (tool, place) in tools.iter().flatten().zip(0..) {
            places.entry(tool.name()).or_default().push(place);
        }
        for change in &self.folded {
            let defined: BTreeSet<&str> =
                change.define_tools.iter().map(|tool| tool.name().as_str()).collect();
            for name in change.remove_tools.iter().filter(|name| !defined.contains(name.as_str())) {
                for place in places.remove(name.as_str()).into_iter().flatten() {
                    tools.get_mut(place).map(Option::take);
                }
            }
            for tool in &change.define_tools {
                let places = places.entry(tool.name()).or_default();
                match places.first().and_then(|place| tools.get_mut(*place)) {
                    Some(place) => *place = Some(tool),
                    None => {
                        places.push(tools.len());
                        tools.push(Some(tool));
                    }
                }
            }
        }
        tools.into_iter().flatten().collect()
    }

    /// Whether a turn that waits for these server tools can be resumed.
    pub(crate) fn can_resume(&self, waits_for: &[Text]) -> bool {
        let mut offered: BTreeSet<&str> = BTreeSet::new();
        for tool in self.tools() {
            if tool.wire().doc().root().get("type").is_some() {
                offered.insert(tool.name());
            }
        }
        waits_for.iter().all(|tool| {
            // The code execution tool runs under several names.
            let family = tool.ends_with("code_execution") && offered.contains("code_execution");
            family || offered.contains(tool.as_str())
        })
    }

    /// System texts in force.
    pub(crate) fn system(&self) -> impl Iterator<Item = &Text> {
        self.recorded.iter().flat_map(|head| &head.system).chain(self.leading.iter())
    }
}
