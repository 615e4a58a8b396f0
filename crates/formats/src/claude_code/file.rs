//! Lines read into nodes: every line, in file order, joined where they are one message.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use json::{Text, Value};
use record::{Entry, EntryId, Fact, FindingKind, Issuer, OpaqueFact, Rest, SourceLine};

use super::compaction::Kept;
use super::line::{Line, Link};
use super::message::Response;
use super::queue::Queue;
use crate::Format;
use crate::anthropic::block::{CallNames, PLATFORM, issuer};
use crate::lines::Lines;
use crate::origin;
use crate::report::{Place, Report};

/// Line types that are the harness's own bookkeeping and were never shown to a model.
const BOOKKEEPING: [&str; 14] = [
    "agent-name",
    "ai-title",
    "custom-title",
    "file-history-snapshot",
    "frame-link",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "progress",
    "queue-operation",
    "relocated",
    "summary",
    "worktree-state",
];

/// What a node is to the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Part of the view: a message or a compaction.
    View,
    /// A line the chain passes through.
    Aside,
}

/// An entry in the making.
pub(crate) struct Node {
    pub(crate) entry: Entry,
    pub(crate) link: Link,
    pub(crate) part: Part,
    pub(crate) sidechain: bool,
    pub(crate) agent: Option<Text>,
    pub(crate) session: Option<Text>,
    pub(crate) place: Place,
}

impl Node {
    /// The last line it was made of.
    pub(crate) fn last_line(&self) -> u64 {
        let lines = self.entry.origin.as_ref().and_then(|origin| origin.lines.last());
        lines.map_or(self.place.line, |line| line.number)
    }
}

/// A session file being read.
pub(crate) struct Session {
    pub(crate) report: Report,
    pub(crate) nodes: Vec<Node>,
    /// Nodes by uuid, and by the id made up for a line without one.
    pub(crate) ids: HashMap<Arc<str>, usize>,
    pub(crate) kept: Vec<Kept>,
    /// Microcompactions with the ids of the calls whose results they cleared.
    pub(crate) cleared: Vec<(usize, Vec<Text>)>,
    /// What summaries say they follow, when a boundary has their place.
    pub(crate) summaries: Vec<(Box<str>, Place)>,
    /// Prompts that wait, as their node and text.
    pub(crate) queue: Queue,
    pub(super) responses: HashMap<(Option<Text>, Text), Response>,
    /// Hashes of the blocks of joined responses, by node.
    pub(super) blocks_seen: HashSet<(usize, u64)>,
    pub(super) names: CallNames,
    pub(super) issuer: Arc<Issuer>,
    /// A boundary whose summary has not been seen.
    pub(super) boundary: Option<usize>,
    titles: [Option<Text>; 3],
    format: Arc<str>,
}

impl Lines for Session {
    fn report(&mut self) -> &mut Report {
        &mut self.report
    }

    fn is_line(root: Value<'_, '_>) -> bool {
        root.get("type").is_some()
    }

    fn line(&mut self, root: Value<'_, '_>, place: Place) -> usize {
        self.row(root, place)
    }

    fn aside(&mut self, kind: Text, place: Place) -> usize {
        Session::aside(self, kind, None, place)
    }

    fn lines_of(&mut self, node: usize) -> Option<&mut Vec<SourceLine>> {
        let node = self.nodes.get_mut(node)?;
        Some(origin::lines_of(&mut node.entry, &self.format))
    }
}

impl Session {
    pub(crate) fn new(file: &str) -> Session {
        Session {
            report: Report::new(file),
            nodes: Vec::new(),
            ids: HashMap::new(),
            kept: Vec::new(),
            cleared: Vec::new(),
            summaries: Vec::new(),
            queue: Queue::default(),
            responses: HashMap::new(),
            blocks_seen: HashSet::new(),
            names: CallNames::new(),
            issuer: issuer(PLATFORM.into(), Text::default()),
            boundary: None,
            titles: [None, None, None],
            format: Format::ClaudeCode.name().into(),
        }
    }

    /// The title a person gave it, else the one a model did, else the first summary.
    pub(crate) fn title(&self) -> Option<String> {
        self.titles.iter().flatten().next().map(|title| title.as_str().to_owned())
    }

    /// A boundary at the end of the file has no summary.
    pub(crate) fn end(&mut self) {
        if let Some(node) = self.boundary.take() {
            self.boundary_without_summary(node);
        }
    }

    /// Reads one object and returns the node it belongs to.
    pub(super) fn row(&mut self, root: Value<'_, '_>, place: Place) -> usize {
        let line = Line::of(root);
        match (line.kind.as_str(), line.subtype.as_deref()) {
            ("user", _) => self.user(line, place),
            ("assistant", _) => self.assistant(line, place),
            ("system", Some("compact_boundary")) => self.compact_boundary(line, place),
            ("system", Some("microcompact_boundary")) => self.micro_boundary(line, place),
            ("attachment", _) => self.attachment(line, place),
            ("queue-operation", _) => self.queue_operation(line, place),
            _ => self.bookkeeping(line, place),
        }
    }

    fn bookkeeping(&mut self, mut line: Line<'_, '_>, place: Place) -> usize {
        let slot = match line.kind.as_str() {
            "custom-title" => self.titles.first_mut(),
            "ai-title" => self.titles.get_mut(1),
            "summary" => self.titles.get_mut(2).filter(|title| title.is_none()),
            _ => None,
        };
        if let (Some(slot), Some(title)) = (slot, line.title.take()) {
            *slot = Some(title);
        }
        match (line.kind.as_str(), line.subtype.as_deref()) {
            ("system", Some("local_command")) => {
                self.report.keep_aside("system local_command", place);
            }
            ("system", _) => {}
            (kind, _) if BOOKKEEPING.contains(&kind) => {}
            (kind, _) => self.report.keep_aside(&format!("unknown type {kind:?}"), place),
        }
        self.aside(line.kind.clone(), Some(line), place)
    }

    /// A line that is no part of the view.
    pub(super) fn aside(&mut self, kind: Text, line: Option<Line<'_, '_>>, place: Place) -> usize {
        self.push(Fact::Opaque(OpaqueFact { kind, raw: None }), Part::Aside, line, place)
    }

    pub(super) fn push(
        &mut self,
        fact: Fact,
        part: Part,
        line: Option<Line<'_, '_>>,
        place: Place,
    ) -> usize {
        let index = self.nodes.len();
        let (uuid, link, time) = match &line {
            Some(line) => (line.uuid.clone(), line.link.clone(), line.time.clone()),
            None => (None, Link::FileOrder, None),
        };
        let id = self.name(uuid.as_deref(), part, place, index);
        let entry = Entry {
            id: EntryId::new(id),
            parent: None,
            seq: 0,
            time,
            fact,
            origin: None,
            rest: Rest::default(),
        };
        let (sidechain, agent, session) = match line {
            Some(line) => (line.sidechain, line.agent, line.session),
            None => (false, None, None),
        };
        self.nodes.push(Node { entry, link, part, sidechain, agent, session, place });
        index
    }

    /// The id of a new node: its uuid where that is free. A message takes a uuid from a line that
    /// is none, so that its children find it.
    pub(super) fn name(
        &mut self,
        uuid: Option<&str>,
        part: Part,
        place: Place,
        index: usize,
    ) -> Arc<str> {
        let Some(uuid) = uuid else {
            return self.free_name(format!("line:{}", place.line), index);
        };
        match self.ids.get(uuid).copied() {
            None => self.free_name(uuid.to_owned(), index),
            Some(holder) => {
                if part == Part::View && self.part(holder) == Some(Part::Aside) {
                    self.ids.insert(uuid.into(), index);
                }
                self.free_name(format!("{uuid}#{}", place.line), index)
            }
        }
    }

    fn free_name(&mut self, mut name: String, index: usize) -> Arc<str> {
        while self.ids.contains_key(name.as_str()) {
            name.push('\'');
        }
        let name: Arc<str> = name.into();
        self.ids.insert(Arc::clone(&name), index);
        name
    }

    pub(super) fn part(&self, node: usize) -> Option<Part> {
        self.nodes.get(node).map(|node| node.part)
    }

    /// Whether a message of this uuid is there already; then this one is kept aside.
    pub(super) fn is_duplicate(&mut self, line: &Line<'_, '_>, place: Place) -> bool {
        let holder = line.uuid.as_deref().and_then(|uuid| self.ids.get(uuid).copied());
        let duplicate = holder.and_then(|holder| self.part(holder)) == Some(Part::View);
        if duplicate {
            let uuid = line.uuid.as_deref().unwrap_or_default();
            let detail = format!("a second message of uuid {uuid}; the first counts");
            self.report.add(FindingKind::DuplicateRow, place, detail);
        }
        duplicate
    }

    pub(super) fn unread(&mut self, line: Line<'_, '_>, place: Place) -> usize {
        let detail = format!("{} line without a message that can be read", line.kind);
        self.report.add(FindingKind::UnreadField, place, detail);
        self.aside(line.kind.clone(), Some(line), place)
    }

    /// What is put into the queue waits; what leaves it was said elsewhere, or taken back.
    fn queue_operation(&mut self, line: Line<'_, '_>, place: Place) -> usize {
        let text = line.content.and_then(Value::to_text);
        let operation = line.operation.clone().unwrap_or_default();
        let node = self.aside(line.kind.clone(), Some(line), place);
        match (operation.as_str(), text) {
            ("enqueue", Some(text)) => self.queue.add(node, text),
            ("popAll", _) => self.queue = Queue::default(),
            ("dequeue" | "remove", text) => self.queue.take(text.as_ref()),
            _ => {}
        }
        node
    }
}
