//! Compactions: a boundary and its summary, what they kept, and microcompactions.

use std::collections::{HashMap, HashSet};

use json::{Kind, Raw, Text, Value};
use record::{Block, BlockRef, Compaction, CompactionKind, Fact, FindingKind, Rest};

use super::file::{Node, Part, Session};
use super::line::{Line, Link};
use super::tree::Tree;
use crate::report::Place;

/// What a boundary says it kept, by uuid.
pub(crate) struct Kept {
    pub(crate) node: usize,
    pub(crate) messages: Vec<Box<str>>,
    pub(crate) head: Option<Box<str>>,
    pub(crate) tail: Option<Box<str>>,
}

impl Session {
    pub(super) fn compact_boundary(&mut self, mut line: Line<'_, '_>, place: Place) -> usize {
        if let Some(earlier) = self.boundary.take() {
            self.boundary_without_summary(earlier);
        }
        match line.logical_parent.take() {
            Some(parent) => line.link = Link::To(parent),
            None if line.link == Link::Root => line.link = Link::FileOrder,
            None => {}
        }
        let metadata = line.compact_metadata;
        let mut compaction = boundary();
        if let Some(trigger) = metadata.and_then(|metadata| metadata.get("trigger")) {
            compaction.rest.push("reason".into(), Raw::of(trigger));
        }
        let fact = Fact::Compaction(Box::new(compaction));
        let node = self.push(fact, Part::View, Some(line), place);
        if let Some(metadata) = metadata {
            self.kept.push(kept(metadata, node));
        }
        self.boundary = Some(node);
        node
    }

    pub(super) fn boundary_without_summary(&mut self, node: usize) {
        let place = self.nodes.get(node).map(|node| node.place).unwrap_or_default();
        let detail = "a compaction boundary without a summary applies nothing";
        self.report.add(FindingKind::CompactionPairInvalid, place, detail);
    }

    pub(super) fn compact_summary(&mut self, line: Line<'_, '_>, place: Place) -> usize {
        let content = line.message.and_then(|message| message.get("content"));
        let handoff = content.and_then(handoff_of);
        if handoff.is_none() {
            let detail = "a compaction summary without text applies nothing";
            self.report.add(FindingKind::CompactionPairInvalid, place, detail);
        }
        let Some(index) = self.boundary.take() else {
            let detail = "a compaction summary without its boundary is taken as the boundary";
            self.report.add(FindingKind::Assumed, place, detail);
            let mut compaction = boundary();
            compaction.handoff_by_user = handoff.is_some();
            compaction.handoff = handoff;
            let fact = Fact::Compaction(Box::new(compaction));
            return self.push(fact, Part::View, Some(line), place);
        };
        if let Some(node) = self.nodes.get_mut(index)
            && let Fact::Compaction(compaction) = &mut node.entry.fact
        {
            compaction.handoff_by_user = handoff.is_some();
            compaction.handoff = handoff;
        }
        if let Some(uuid) = &line.uuid {
            self.ids.insert(uuid.as_str().into(), index);
        }
        if let Link::To(parent) = line.link {
            self.summaries.push((parent, place));
        }
        index
    }

    pub(super) fn micro_boundary(&mut self, line: Line<'_, '_>, place: Place) -> usize {
        let ids = line.micro_metadata.and_then(|metadata| metadata.get("compactedToolIds"));
        let ids = ids.into_iter().flat_map(Value::items).filter_map(Value::to_text).collect();
        let mut compaction = boundary();
        compaction.kind = CompactionKind::Micro;
        let fact = Fact::Compaction(Box::new(compaction));
        let node = self.push(fact, Part::View, Some(line), place);
        self.cleared.push((node, ids));
        node
    }
}

impl Tree {
    /// A summary stands at its boundary, whatever it follows; what it says is still looked at.
    pub(super) fn report_summaries(&mut self) {
        for (parent, place) in std::mem::take(&mut self.session.summaries) {
            if !self.session.ids.contains_key(&*parent) {
                let detail = format!(
                    "the parent {parent} of a summary is not in the file; its boundary stands in"
                );
                self.session.report.add(FindingKind::DanglingParent, place, detail);
            }
        }
    }

    /// The last message a boundary kept: what follows it in its chain follows the boundary.
    pub(super) fn kept_tail(&self, index: usize) -> Option<usize> {
        let at = self.session.kept.binary_search_by_key(&index, |kept| kept.node).ok()?;
        let kept = self.session.kept.get(at)?;
        let tail = kept.tail.as_ref().or(kept.messages.last())?;
        let tail = self.session.ids.get(&**tail).copied()?;
        (tail != index && self.is_view(tail) && self.is_placed(tail)).then_some(tail)
    }

    /// The entries a boundary names as kept.
    pub(super) fn resolve_kept(&mut self) {
        for Kept { node: index, messages, head, .. } in std::mem::take(&mut self.session.kept) {
            let named = if messages.is_empty() { head.as_slice().len() } else { messages.len() };
            let mut seen = HashSet::new();
            let mut found = 0;
            let mut retained = Vec::new();
            for uuid in messages.iter().chain(head.iter().filter(|_| messages.is_empty())) {
                let Some(kept) = self.session.ids.get(&**uuid).copied() else { continue };
                found += 1;
                let message = self.node(kept).filter(|node| node.entry.message().is_some());
                if let Some(id) =
                    message.map(|node| node.entry.id.clone()).filter(|_| seen.insert(kept))
                {
                    retained.push(id);
                }
            }
            let Some(node) = self.session.nodes.get_mut(index) else { continue };
            let Fact::Compaction(compaction) = &mut node.entry.fact else { continue };
            if messages.is_empty() {
                compaction.retained_from = retained.pop();
            } else {
                compaction.retained = retained;
            }
            if found < named {
                let detail =
                    format!("{} of {named} kept messages are not in the file", named - found);
                let place = node.place;
                self.session.report.add(FindingKind::DanglingParent, place, detail);
            }
        }
    }

    /// The results a microcompaction cleared: of each call the last one before it.
    pub(super) fn resolve_cleared(&mut self) {
        if self.session.cleared.is_empty() {
            return;
        }
        let mut results: HashMap<Text, Vec<(usize, u32)>> = HashMap::new();
        for index in 0..self.session.nodes.len() {
            for (at, block) in self.blocks(index).iter().enumerate() {
                if let Block::ToolResult(result) = block {
                    let places = results.entry(result.tool_use_id.clone()).or_default();
                    places.push((index, at as u32));
                }
            }
        }
        for (index, ids) in std::mem::take(&mut self.session.cleared) {
            let before = |id: &Text| {
                let places = results.get(id)?;
                places.iter().rev().find(|(node, _)| *node < index).copied()
            };
            let cleared: Vec<BlockRef> = ids
                .iter()
                .filter_map(before)
                .filter_map(|(node, block)| {
                    Some(BlockRef { row: self.node(node)?.entry.id.clone(), block })
                })
                .collect();
            if let Some(Node { entry, .. }) = self.session.nodes.get_mut(index)
                && let Fact::Compaction(compaction) = &mut entry.fact
            {
                compaction.cleared = cleared;
            }
        }
    }
}

fn boundary() -> Compaction {
    Compaction {
        kind: CompactionKind::Boundary,
        continuation: None,
        handoff: None,
        handoff_by_user: false,
        retained_from: None,
        retained: Vec::new(),
        split_as_found: true,
        cleared: Vec::new(),
        rest: Rest::default(),
    }
}

fn kept(metadata: Value<'_, '_>, node: usize) -> Kept {
    let segment = metadata.get("preservedSegment");
    let end = |name: &str| segment.and_then(|segment| segment.get_str(name)).map(Into::into);
    let messages = metadata.get("preservedMessages").and_then(|kept| kept.get("uuids"));
    let messages = messages.into_iter().flat_map(Value::items).filter_map(Value::as_str);
    Kept {
        node,
        messages: messages.map(Into::into).collect(),
        head: end("headUuid"),
        tail: end("tailUuid"),
    }
}

/// The text of a summary: a string, or its text blocks.
fn handoff_of(content: Value<'_, '_>) -> Option<Text> {
    if content.kind() == Kind::String {
        return content.to_text();
    }
    let mut texts = content.items().filter_map(|block| block.get("text")?.to_text());
    let first = texts.next()?;
    let rest: String = texts.map(|text| format!("\n{text}")).collect();
    Some(if rest.is_empty() { first } else { Text::from(format!("{first}{rest}")) })
}
