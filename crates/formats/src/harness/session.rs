//! A session being read: rows put into a tree, calls paired with their results.

use std::collections::HashMap;
use std::sync::Arc;

use json::{Text, Value};
use record::{
    Block, Compaction, CompactionKind, Entry, EntryId, Fact, Finding, FindingKind, Head,
    HeadDeclaration, Issuer, Message, OpaqueFact, Record, Rest, Role, Source as Speaker,
    ToolDefinition, ToolResult,
};

use super::{DOCUMENT, Harness};
use crate::anthropic::block::CallNames;
use crate::chain::{self, Chain, Line, Link};
use crate::report::Place;
use crate::source::document_lines;

/// Whose head it is taken to be.
const AGENT: &str = "main";

/// The id of the entry that keeps a document.
const DOCUMENT_ID: &str = "document";

/// A call without a result so far.
struct Open {
    node: usize,
    block: usize,
    id: Text,
    name: Text,
}

/// A session being read.
pub(crate) struct Session {
    harness: &'static Harness,
    pub(crate) chain: Chain,
    pub(crate) title: Option<String>,
    /// Who answers, where a message does not say.
    pub(crate) platform: Text,
    pub(crate) model: Text,
    /// Names of calls by id.
    pub(crate) names: CallNames,
    /// The entry that lines are still adding to.
    pub(crate) step: Option<usize>,
    /// Replies by the id of the response that their lines name.
    pub(crate) responses: HashMap<Text, usize>,
    open: Vec<Open>,
    /// The head in force.
    head: Option<usize>,
    /// The view so far: entries of the conversation, in order.
    path: Vec<usize>,
    spoke: bool,
    conversations: usize,
    /// What the next row follows.
    next: Link,
    is_document: bool,
}

impl chain::Links for Session {
    fn chain(&mut self) -> &mut Chain {
        &mut self.chain
    }

    fn is_line(root: Value<'_, '_>) -> bool {
        super::HARNESSES.iter().any(|harness| (harness.is_line)(root))
    }

    fn line(&mut self, root: Value<'_, '_>, place: Place) -> usize {
        let before = self.chain.nodes.len();
        let belongs_to = (self.harness.line)(self, root, place);
        if belongs_to.is_none() && self.chain.nodes.len() == before {
            self.aside("line".into(), Line::silent(place));
        }
        // Every entry of a line is the file's, though the first alone keeps the line.
        for node in before..self.chain.nodes.len() {
            self.chain.lines_of(node);
        }
        belongs_to.unwrap_or(before)
    }
}

impl Session {
    pub(super) fn new(harness: &'static Harness, file: &str) -> Session {
        Session {
            harness,
            chain: Chain::new(file, harness.format),
            title: None,
            platform: Text::default(),
            model: Text::default(),
            names: CallNames::new(),
            step: None,
            responses: HashMap::new(),
            open: Vec::new(),
            head: None,
            path: Vec::new(),
            spoke: false,
            conversations: 0,
            next: Link::FileOrder,
            is_document: false,
        }
    }

    /// The entry that keeps the document; what is read of it follows.
    pub(super) fn begin_document(&mut self, bytes: &[u8]) {
        self.is_document = true;
        let fact = Fact::Opaque(OpaqueFact { kind: DOCUMENT.into(), raw: None });
        let mut line = Line::silent(Place::default());
        line.id = Some(DOCUMENT_ID.into());
        let node = self.chain.view(fact, line);
        if let Some(lines) = self.chain.lines_of(node) {
            *lines = document_lines(bytes);
        }
    }

    /// Another conversation begins; from the second on that is said.
    pub(super) fn begin_conversation(&mut self, name: &str, place: Place) {
        self.conversations += 1;
        if self.conversations > 1 {
            let detail = format!("{name} begins here, as a branch of its own");
            self.chain.report.add(FindingKind::SeveralConversations, place, detail);
        }
        self.next = if self.is_document { Link::To(DOCUMENT_ID.into()) } else { Link::Root };
        (self.spoke, self.head, self.step) = (false, None, None);
        self.path.clear();
        self.open.clear();
        self.names.clear();
    }

    pub(super) fn finish(mut self) -> (Record, Vec<Finding>, Option<String>) {
        self.chain.place();
        let (record, report) = self.chain.into_record();
        (record, report.finish(), self.title)
    }

    /// Who issued what a model said here, over this dialect.
    pub(super) fn issuer(&self, api: &str) -> Arc<Issuer> {
        let (platform, model) = (self.platform.clone(), self.model.clone());
        Arc::new(Issuer { platform, account: None, api: api.into(), model })
    }

    /// Adds a message, its results paired with their calls.
    pub(super) fn row(&mut self, mut message: Message, line: Line) -> usize {
        let said = |block: &Block| !matches!(block, Block::ToolResult(_));
        if message.role == Role::User && message.blocks.iter().any(said) {
            self.open.retain(|call| !call.id.is_empty());
        }
        for block in &mut message.blocks {
            if let Block::ToolResult(result) = block {
                self.settle(result);
            }
        }
        if message.role == Role::Tool
            && let [Block::ToolResult(result)] = message.blocks.as_slice()
        {
            message.source = Some(Speaker::Tool { call_id: result.tool_use_id.clone() });
        }
        let calls = message.blocks.iter().enumerate();
        let calls = calls.filter_map(|(block, call)| Some((block, call.as_tool_use()?)));
        let calls: Vec<_> =
            calls.map(|(block, call)| (block, call.id.clone(), call.name.clone())).collect();
        self.spoke = true;
        let node = self.view(Fact::Message(Box::new(message)), line);
        for (block, id, name) in calls {
            self.called(node, block, id, name);
        }
        node
    }

    fn called(&mut self, node: usize, block: usize, id: Text, name: Text) {
        if !id.is_empty() {
            self.names.insert(id.clone(), name.clone());
        }
        self.open.push(Open { node, block, id, name });
    }

    /// Adds a part of the view: after the last, or where the conversation was taken back to.
    fn view(&mut self, fact: Fact, mut line: Line) -> usize {
        let next = std::mem::replace(&mut self.next, Link::FileOrder);
        if line.link == Link::FileOrder {
            line.link = next;
        }
        let node = self.chain.view(fact, line);
        self.path.push(node);
        node
    }

    /// Takes back what stands in the view from this place on; it stays, as a branch.
    pub(super) fn take_back(&mut self, from: usize) {
        self.path.truncate(from);
        let last = self.path.last().and_then(|last| self.chain.nodes.get(*last));
        self.next = match last {
            Some(last) => Link::To(last.entry.id.as_str().into()),
            None if self.is_document => Link::To(DOCUMENT_ID.into()),
            None => Link::Root,
        };
        (self.step, self.spoke) = (None, self.path.len() > usize::from(self.head.is_some()));
        self.open.clear();
    }

    /// Messages of the view so far, with their places in it.
    pub(super) fn messages(&self) -> Vec<(usize, &Entry)> {
        let entries = self.path.iter().enumerate();
        let entries =
            entries.filter_map(|(at, node)| Some((at, &self.chain.nodes.get(*node)?.entry)));
        entries.filter(|(_, entry)| entry.message().is_some()).collect()
    }

    /// The entry of this id, where that is a message.
    pub(super) fn known(&self, id: &str) -> Option<usize> {
        let node = self.chain.ids.get(id).copied()?;
        self.chain.nodes.get(node)?.entry.message().map(|_| node)
    }

    /// The system text a harness says again with every change; nothing where it is as it was.
    pub(super) fn set_system(&mut self, text: Text, line: Line) -> usize {
        let head = self.head.and_then(|head| self.chain.nodes.get(head));
        let known = head.is_some_and(|node| match &node.entry.fact {
            Fact::Head(head) => {
                head.head.as_ref().is_some_and(|head| head.system == [text.clone()])
            }
            _ => false,
        });
        if known {
            return self.aside("system".into(), line);
        }
        if !self.spoke {
            self.head = None;
        }
        self.head_of(vec![text], Vec::new(), line)
    }

    /// Tools that were sent with the head in force, where it has none.
    pub(super) fn set_tools(&mut self, tools: Vec<ToolDefinition>) {
        let node = self.head.and_then(|head| self.chain.nodes.get_mut(head));
        if let Some(Fact::Head(head)) = node.map(|node| &mut node.entry.fact) {
            let head = Arc::make_mut(head.head.get_or_insert_default());
            if head.tools.is_empty() {
                head.tools = tools;
            }
        }
    }

    /// Finds the call of a result: by its id, else the first that has none, which then has this.
    fn settle(&mut self, result: &mut ToolResult) {
        let id = &result.tool_use_id;
        let named = self.open.iter().position(|call| call.id == *id);
        let nameless = || self.open.iter().position(|call| call.id.is_empty());
        let known = self.names.contains_key(id);
        let at = named.or_else(|| if known { None } else { nameless() });
        let call = at.map(|at| self.open.remove(at));
        if let Some(call) = &call
            && call.id.is_empty()
            && !id.is_empty()
        {
            self.name_call(call, id.clone());
        }
        if result.tool_name.is_empty() {
            let name = call.map(|call| call.name).or_else(|| self.names.get(id).cloned());
            result.tool_name = name.unwrap_or_default();
        }
    }

    fn name_call(&mut self, call: &Open, id: Text) {
        self.names.insert(id.clone(), call.name.clone());
        let fact = self.chain.nodes.get_mut(call.node).map(|node| &mut node.entry.fact);
        if let Some(Fact::Message(message)) = fact
            && let Some(Block::ToolUse(block)) = message.blocks.get_mut(call.block)
        {
            block.id = id;
        }
    }

    /// Whether something was said in this conversation.
    pub(super) fn has_spoken(&self) -> bool {
        self.spoke
    }

    /// The message an entry holds, to be gone on with.
    pub(super) fn message_of(&mut self, node: usize) -> Option<&mut Message> {
        match &mut self.chain.nodes.get_mut(node)?.entry.fact {
            Fact::Message(message) => Some(message),
            _ => None,
        }
    }

    /// Adds a block to the message of an entry.
    pub(super) fn add(&mut self, node: usize, block: Block) {
        let call = block.as_tool_use().map(|call| (call.id.clone(), call.name.clone()));
        let Some(message) = self.message_of(node) else { return };
        let at = message.blocks.len();
        message.blocks.push(block);
        if let Some((id, name)) = call {
            self.called(node, at, id, name);
        }
    }

    /// System text: of the head before anything was said, else a message.
    pub(super) fn system(&mut self, text: Text, line: Line) -> usize {
        if self.spoke {
            return self.row(Message::new(Role::System, vec![Block::text(text)]), line);
        }
        self.head_of(vec![text], Vec::new(), line)
    }

    /// Adds system text and tools to the head.
    pub(super) fn head_of(
        &mut self,
        system: Vec<Text>,
        tools: Vec<ToolDefinition>,
        line: Line,
    ) -> usize {
        let head = self.head.filter(|_| !self.spoke);
        let known = head.and_then(|at| Some((at, self.chain.nodes.get_mut(at)?)));
        if let Some((at, node)) = known
            && let Fact::Head(head) = &mut node.entry.fact
        {
            let head = Arc::make_mut(head.head.get_or_insert_default());
            head.system.extend(system);
            head.tools.extend(tools);
            return at;
        }
        let head = Head {
            agent: AGENT.into(),
            head: Some(Arc::new(HeadDeclaration { tools, system })),
            folds_through: None,
            owners: None,
            reason: "imported".into(),
            rest: Rest::default(),
        };
        let node = self.view(Fact::Head(Box::new(head)), line);
        self.head = Some(node);
        node
    }

    /// What its harness sent in place of everything before, but for what is kept.
    pub(super) fn compaction(
        &mut self,
        handoff: Option<Text>,
        retained: Vec<EntryId>,
        line: Line,
    ) -> usize {
        let handoff = handoff.filter(|text| !record::blank::is_blank(text));
        if handoff.is_none() {
            let detail = "a compaction without a summary applies nothing";
            self.chain.report.add(FindingKind::CompactionPairInvalid, line.place, detail);
        }
        let compaction = Compaction {
            kind: CompactionKind::Boundary,
            continuation: None,
            handoff_by_user: handoff.is_some(),
            handoff,
            retained_from: None,
            retained,
            split_as_found: true,
            cleared: Vec::new(),
            rest: Rest::default(),
        };
        self.view(Fact::Compaction(Box::new(compaction)), line)
    }

    /// A compaction that is whole.
    pub(super) fn compacted(&mut self, compaction: Compaction, line: Line) -> usize {
        self.view(Fact::Compaction(Box::new(compaction)), line)
    }

    /// A line that is no part of the view. In a document the document itself keeps it.
    pub(super) fn aside(&mut self, kind: Text, line: Line) -> usize {
        if self.is_document { 0 } else { self.chain.aside(kind, line) }
    }

    /// A line whose id the view has already: said, and beside that one.
    pub(super) fn is_duplicate(&mut self, line: &mut Line) -> bool {
        let is_duplicate = self.chain.is_duplicate(line);
        if is_duplicate && let Some(id) = line.id.take() {
            line.link = Link::To(id.as_str().into());
        }
        is_duplicate
    }

    /// A line beside the view, said in a finding.
    pub(super) fn keep_aside(&mut self, what: &str, line: Line) -> usize {
        self.chain.report.keep_aside(what, line.place);
        self.aside(what.into(), line)
    }

    /// Something of an unknown shape.
    pub(super) fn unread(&mut self, what: &str, line: Line) -> usize {
        let detail = format!("{what} of an unknown shape is kept as it is");
        self.chain.report.add(FindingKind::UnreadField, line.place, detail);
        self.aside(what.into(), line)
    }
}

impl Session {
    /// A block of a kind or a shape that is not known.
    pub(super) fn unread_block(&mut self, kind: &str, place: Place) {
        let detail = format!("a block of type {kind:?} is kept as it is");
        self.chain.report.add(FindingKind::UnreadField, place, detail);
    }
}
