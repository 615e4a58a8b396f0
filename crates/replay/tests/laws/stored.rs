//! What a record holds, found by marker, and which of it one reader's view holds.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use record::{
    Block, BlockRef, Compaction, CompactionKind, Entry, EntryId, Fact, Image, ImageSource,
    OpaqueBlock, Reasoning, ResultPart, Role, ToolResult, ToolUse,
};
use testkit::text::markers;
use testkit::{AGENTS, Played, Request};

/// A stored text, thought, call or block.
#[derive(Clone, Copy)]
pub(crate) enum What<'p> {
    Text(Role, &'p str),
    Call(&'p ToolUse),
    Result(&'p ToolResult),
    Thought(&'p Reasoning),
    Opaque(&'p OpaqueBlock),
    Continuation(&'p str),
    Handoff(&'p Compaction),
    HeadText(&'p str),
    Tool,
}

/// Where it is stored.
#[derive(Clone, Copy)]
pub(crate) struct Place<'p> {
    pub(crate) what: What<'p>,
    /// Position of the entry on the path.
    pub(crate) at: usize,
    pub(crate) block: u32,
}

/// Everything that has a marker, and every image.
#[derive(Default)]
pub(crate) struct Stored<'p> {
    /// A result that was stored twice has its marker in both places.
    pub(crate) marked: HashMap<u64, Vec<Place<'p>>>,
    pub(crate) images: HashMap<String, Vec<(usize, u32)>>,
    /// Smaller forms of images that some targets are shown instead.
    pub(crate) renditions: HashSet<String>,
    pub(crate) sealed: HashMap<&'p str, &'p Reasoning>,
}

impl<'p> Stored<'p> {
    pub(crate) fn of(path: &'p [Arc<Entry>]) -> Stored<'p> {
        let mut stored = Stored::default();
        for (at, entry) in path.iter().enumerate() {
            match &entry.fact {
                Fact::Message(message) => {
                    for (block, index) in message.blocks.iter().zip(0u32..) {
                        stored.block(at, index, message.role, block);
                    }
                }
                Fact::Compaction(compaction) => {
                    if let Some(text) = &compaction.continuation {
                        stored.add(text, What::Continuation(text), at, 0);
                    }
                    if let Some(text) = &compaction.handoff {
                        stored.add(text, What::Handoff(compaction), at, 0);
                    }
                }
                Fact::Head(head) => {
                    for text in head.head.iter().flat_map(|head| &head.system) {
                        stored.add(text, What::HeadText(text), at, 0);
                    }
                    for tool in head.head.iter().flat_map(|head| &head.tools) {
                        stored.add(tool.wire().as_str(), What::Tool, at, 0);
                    }
                }
                _ => {}
            }
        }
        stored
    }

    fn add(&mut self, text: &str, what: What<'p>, at: usize, block: u32) {
        for marker in markers(text) {
            self.marked.entry(marker).or_default().push(Place { what, at, block });
        }
    }

    fn block(&mut self, at: usize, index: u32, role: Role, block: &'p Block) {
        match block {
            Block::Text(text) => self.add(&text.text, What::Text(role, &text.text), at, index),
            Block::ToolUse(call) => self.add(call.input.text(), What::Call(call), at, index),
            Block::ToolResult(result) => {
                for part in &result.content {
                    match part {
                        ResultPart::Text(text) => self.add(text, What::Result(result), at, index),
                        ResultPart::Image(image) => self.image(image, at, index),
                        ResultPart::Opaque(opaque) => {
                            self.add(opaque.raw.as_str(), What::Opaque(opaque), at, index);
                        }
                    }
                }
            }
            Block::Reasoning(thought) => {
                self.add(&thought.reasoning, What::Thought(thought), at, index);
                let sealed = thought.proof.as_ref().map(|proof| &proof.sealed);
                let typed = sealed.or_else(|| thought.rest.get("reasoning_details"));
                if let Some(raw) = typed.filter(|_| thought.reasoning.is_empty()) {
                    self.add(raw.as_str(), What::Thought(thought), at, index);
                }
                if let Some(proof) = &thought.proof {
                    self.sealed.insert(proof.sealed.as_str().trim_matches('"'), thought);
                }
            }
            Block::Image(image) => self.image(image, at, index),
            Block::SystemChange(change) => {
                for text in &change.add_system {
                    self.add(text, What::Text(Role::System, text), at, index);
                }
                for tool in &change.define_tools {
                    self.add(tool.wire().as_str(), What::Tool, at, index);
                }
            }
            Block::Opaque(opaque) => {
                self.add(opaque.raw.as_str(), What::Opaque(opaque), at, index);
            }
        }
    }

    /// An image, and the smaller form it may go out in.
    fn image(&mut self, image: &Image, at: usize, block: u32) {
        if let Some(rendition) = image.rendition() {
            self.image(&rendition, at, block);
            if let ImageSource::Base64(key) = rendition.source() {
                self.renditions.insert(key.as_str().to_owned());
            }
        }
        let (ImageSource::Base64(key)
        | ImageSource::Blob(key)
        | ImageSource::Url(key)
        | ImageSource::File(key)) = image.source();
        if !key.is_empty() {
            self.images.entry(key.as_str().to_owned()).or_default().push((at, block));
        }
    }
}

/// What one reader's view of a path holds.
pub(crate) struct View {
    /// By position: whether the entry's content is in the view.
    pub(crate) holds: Vec<bool>,
    pub(crate) retracted: HashSet<BlockRef>,
    /// The boundary that applies.
    pub(crate) boundary: Option<usize>,
    /// The reader's newest head.
    pub(crate) head: Option<usize>,
}

impl View {
    /// The view at a request.
    pub(crate) fn at(played: &Played, request: &Request) -> View {
        let elsewhere = &played.elsewhere[..request.elsewhere];
        View::of(&played.path[..request.at], elsewhere, AGENTS[request.agent])
    }

    fn of(path: &[Arc<Entry>], elsewhere: &[Arc<Entry>], agent: &str) -> View {
        let mut retracted = HashSet::new();
        let mut gone = HashSet::new();
        for entry in path.iter().chain(elsewhere) {
            if let Fact::Retracted(what) = &entry.fact {
                retracted.extend(what.blocks.iter().cloned());
                gone.extend(what.entries.iter().cloned());
            }
        }
        for entry in path.iter().filter(|entry| gone.contains(&entry.id)) {
            let blocks = entry.message().map(|message| message.blocks.len()).unwrap_or_default();
            for block in 0..blocks as u32 {
                retracted.insert(BlockRef { row: entry.id.clone(), block });
            }
        }
        let sees: Vec<bool> = path
            .iter()
            .map(|entry| {
                let audience = entry.message().and_then(|message| message.audience.as_ref());
                audience.is_none_or(|list| list.iter().any(|name| name.as_str() == agent))
            })
            .collect();
        let boundary = path.iter().rposition(|entry| match &entry.fact {
            Fact::Compaction(compaction) => {
                compaction.kind == CompactionKind::Boundary
                    && !gone.contains(&entry.id)
                    && (!compaction.handoff_by_user || compaction.split_as_found)
                    && compaction
                        .handoff
                        .as_ref()
                        .is_some_and(|text| !record::blank::is_blank(text))
            }
            _ => false,
        });
        let head = path
            .iter()
            .rposition(|e| matches!(&e.fact, Fact::Head(head) if head.agent.as_str() == agent));
        let holds = holds(path, &sees, boundary);
        View { holds, retracted, boundary, head }
    }

    pub(crate) fn is_retracted(&self, row: &EntryId, block: u32) -> bool {
        self.retracted.contains(&BlockRef { row: row.clone(), block })
    }
}

/// Rows the view holds: all that are seen, or what the newest valid boundary leaves.
fn holds(path: &[Arc<Entry>], sees: &[bool], boundary: Option<usize>) -> Vec<bool> {
    let mut holds = sees.to_vec();
    let Some(at) = boundary else { return holds };
    let Fact::Compaction(compaction) = &path[at].fact else { return holds };
    let place = |id: &EntryId| path[..at].iter().rposition(|entry| entry.id == *id);
    let start = compaction.retained_from.as_ref().and_then(place).unwrap_or(at);
    let kept: Vec<usize> = compaction.retained.iter().filter_map(place).collect();
    let mut leading = true;
    for (index, entry) in path.iter().enumerate().take(start) {
        let Some(message) = entry.message() else { continue };
        if kept.contains(&index) {
            continue;
        }
        leading &= message.role == Role::System || !sees[index];
        holds[index] &= leading || message.is_change_row();
    }
    holds
}
