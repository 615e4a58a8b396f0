//! Lines that name the line before them: read one by one, then put into a tree.
//!
//! In: lines, and what a format makes of each. Out: a record whose paths hold the view, every other
//! line beside it, and a ref for every end. Chains pass through lines that are no part of the view.
//! Where a line names none, or one that is not in the file, file order stands in.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use json::{Text, Value};
use record::{Entry, EntryId, Fact, FindingKind, OpaqueFact, Record, RefMove, Rest, SourceLine};

use crate::Format;
use crate::anthropic::main_ref;
use crate::lines::Lines;
use crate::origin;
use crate::report::{Place, Report};
use crate::source::number;

/// Which line a line says it follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// It says that it follows none.
    Root,
    /// It says nothing: file order counts.
    FileOrder,
    /// The line of this id.
    To(Box<str>),
}

impl Link {
    /// What the member that names the parent says.
    pub(crate) fn of(parent: Option<Value<'_, '_>>) -> Link {
        match parent {
            Some(parent) if parent.is_null() => Link::Root,
            Some(parent) => parent.as_str().map_or(Link::FileOrder, |id| Link::To(id.into())),
            None => Link::FileOrder,
        }
    }
}

/// What a line says of itself.
pub(crate) struct Line {
    pub(crate) id: Option<Text>,
    pub(crate) link: Link,
    pub(crate) time: Option<Text>,
    /// The side chain it stands in.
    pub(crate) lane: Option<Text>,
    pub(crate) place: Place,
}

impl Line {
    /// A line that says nothing.
    pub(crate) fn silent(place: Place) -> Line {
        Line { id: None, link: Link::FileOrder, time: None, lane: None, place }
    }
}

/// An entry in the making.
pub(crate) struct Node {
    pub(crate) entry: Entry,
    pub(crate) place: Place,
    link: Link,
    lane: Option<Text>,
    /// Part of the view; else a line the chain passes through.
    view: bool,
    /// Where what follows this line hangs: itself, or what the chain passed last.
    anchor: Option<usize>,
    placed: bool,
    has_child: bool,
}

/// The lines of a file, as nodes.
pub(crate) struct Chain {
    pub(crate) report: Report,
    pub(crate) nodes: Vec<Node>,
    /// Nodes by the id of their line, and by the name made up for one without.
    pub(crate) ids: HashMap<Arc<str>, usize>,
    format: Arc<str>,
    /// Nodes, a parent before its child.
    order: Vec<usize>,
    /// Where the last placed line of each lane ends.
    newest: HashMap<Option<Text>, Option<usize>>,
}

/// A format whose lines are a chain.
pub(crate) trait Links {
    /// The nodes so far.
    fn chain(&mut self) -> &mut Chain;

    /// Whether a whole object found in a damaged line is a line of this format.
    fn is_line(root: Value<'_, '_>) -> bool;

    /// Reads one object and gives its node.
    fn line(&mut self, root: Value<'_, '_>, place: Place) -> usize;
}

impl<L: Links> Lines for L {
    fn report(&mut self) -> &mut Report {
        &mut self.chain().report
    }

    fn is_line(root: Value<'_, '_>) -> bool {
        <L as Links>::is_line(root)
    }

    fn line(&mut self, root: Value<'_, '_>, place: Place) -> usize {
        Links::line(self, root, place)
    }

    fn aside(&mut self, kind: Text, place: Place) -> usize {
        self.chain().aside(kind, Line::silent(place))
    }

    fn lines_of(&mut self, node: usize) -> Option<&mut Vec<SourceLine>> {
        self.chain().lines_of(node)
    }
}

impl Chain {
    pub(crate) fn new(file: &str, format: Format) -> Chain {
        Chain {
            report: Report::new(file),
            nodes: Vec::new(),
            ids: HashMap::new(),
            format: format.name().into(),
            order: Vec::new(),
            newest: HashMap::new(),
        }
    }

    /// Adds a message, a compaction or a head.
    pub(crate) fn view(&mut self, fact: Fact, line: Line) -> usize {
        self.push(fact, line, true)
    }

    /// Adds a line that is no part of the view.
    pub(crate) fn aside(&mut self, kind: Text, line: Line) -> usize {
        self.push(Fact::Opaque(OpaqueFact { kind, raw: None }), line, false)
    }

    /// Whether a part of the view has this id already; then the line is kept aside, and reported.
    pub(crate) fn is_duplicate(&mut self, line: &Line) -> bool {
        let Some(id) = &line.id else { return false };
        let holder = self.ids.get(id.as_str()).and_then(|holder| self.nodes.get(*holder));
        let duplicate = holder.is_some_and(|holder| holder.view);
        if duplicate {
            let detail = format!("a second line of id {id}; the first counts");
            self.report.add(FindingKind::DuplicateRow, line.place, detail);
        }
        duplicate
    }

    fn push(&mut self, fact: Fact, line: Line, view: bool) -> usize {
        let index = self.nodes.len();
        let Line { id, link, time, lane, place } = line;
        let name = self.name(id.as_deref(), view, place, index);
        let rest = Rest::default();
        let id = EntryId::new(name);
        let entry = Entry { id, parent: None, seq: 0, time, fact, origin: None, rest };
        let (anchor, placed, has_child) = (None, false, false);
        self.nodes.push(Node { entry, place, link, lane, view, anchor, placed, has_child });
        index
    }

    /// The line's id where that is free. A part of the view takes an id from a line that is none,
    /// so that its children find it.
    fn name(&mut self, id: Option<&str>, view: bool, place: Place, index: usize) -> Arc<str> {
        let Some(id) = id.filter(|id| !id.is_empty()) else {
            return self.free_name(format!("line:{}", place.line), index);
        };
        let Some(holder) = self.ids.get(id).copied() else {
            return self.free_name(id.to_owned(), index);
        };
        if view && self.nodes.get(holder).is_some_and(|holder| !holder.view) {
            self.ids.insert(id.into(), index);
        }
        self.free_name(format!("{id}#{}", place.line), index)
    }

    fn free_name(&mut self, mut name: String, index: usize) -> Arc<str> {
        while self.ids.contains_key(name.as_str()) {
            name.push('\'');
        }
        let name: Arc<str> = name.into();
        self.ids.insert(Arc::clone(&name), index);
        name
    }

    pub(crate) fn lines_of(&mut self, node: usize) -> Option<&mut Vec<SourceLine>> {
        let node = self.nodes.get_mut(node)?;
        Some(origin::lines_of(&mut node.entry, &self.format))
    }

    /// Gives every node its parent.
    pub(crate) fn place(&mut self) {
        for index in 0..self.nodes.len() {
            let mut waiting = Vec::new();
            let mut on_the_way = HashSet::new();
            let mut next = Some(index);
            while let Some(node) = next.filter(|node| !self.is_placed(*node)) {
                // A chain that leads back to itself is cut where it does.
                if !on_the_way.insert(node) {
                    break;
                }
                waiting.push(node);
                next = self.target(node);
            }
            while let Some(node) = waiting.pop() {
                self.place_one(node);
            }
        }
    }

    fn is_placed(&self, node: usize) -> bool {
        self.nodes.get(node).is_some_and(|node| node.placed)
    }

    fn target(&self, node: usize) -> Option<usize> {
        match &self.nodes.get(node)?.link {
            Link::To(id) => self.ids.get(&**id).copied(),
            Link::Root | Link::FileOrder => None,
        }
    }

    fn place_one(&mut self, index: usize) {
        let target = self.target(index).filter(|target| self.is_placed(*target));
        let Some(node) = self.nodes.get(index) else { return };
        let (place, view, lane) = (node.place, node.view, node.lane.clone());
        let follows = match (target, &node.link) {
            (Some(target), _) => self.nodes.get(target).and_then(|target| target.anchor),
            (None, Link::Root) => None,
            (None, Link::FileOrder) => self.leaf(&None),
            (None, Link::To(id)) => {
                let detail =
                    format!("its parent {id} is not before it in the file; file order stands in");
                self.report.add(FindingKind::DanglingParent, place, detail);
                self.leaf(&None)
            }
        };
        // A side chain is a line of its own, in file order.
        let parent = if lane.is_some() { self.leaf(&lane) } else { follows };
        let anchor = if view && lane.is_none() { Some(index) } else { follows };
        let parent_id =
            parent.and_then(|parent| self.nodes.get(parent)).map(|p| p.entry.id.clone());
        if let Some(parent) = parent.filter(|_| view).and_then(|at| self.nodes.get_mut(at)) {
            parent.has_child = true;
        }
        if let Some(node) = self.nodes.get_mut(index) {
            node.entry.parent = parent_id;
            node.anchor = anchor;
            node.placed = true;
        }
        if lane.is_some() && view {
            self.newest.insert(lane, Some(index));
        }
        self.newest.insert(None, anchor);
        self.order.push(index);
    }

    fn leaf(&self, lane: &Option<Text>) -> Option<usize> {
        self.newest.get(lane).copied().flatten()
    }

    /// For each of these lines the part of the view that it is, or that follows it.
    pub(crate) fn views_from(&self, lines: HashSet<usize>) -> HashMap<usize, usize> {
        let mut found = HashMap::new();
        if lines.is_empty() {
            return found;
        }
        // By what they hang from, the nearest behind the line that is looked at.
        let mut following: HashMap<Option<usize>, usize> = HashMap::new();
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if lines.contains(&index) {
                let view = if node.view { Some(&index) } else { following.get(&node.anchor) };
                found.extend(view.map(|view| (index, *view)));
            }
            if node.view {
                let parent = node.entry.parent.as_ref();
                let parent = parent.and_then(|id| self.ids.get(id.as_str())).copied();
                following.insert(parent, index);
            }
        }
        found
    }

    /// The record. `main` ends where the last line of the file leads.
    pub(crate) fn into_record(self) -> (Record, Report) {
        let tip = self.nodes.last().and_then(|node| node.anchor);
        let refs = self.refs(tip);
        let mut record = Record { entries: Vec::with_capacity(self.order.len()), refs };
        let mut nodes: Vec<Option<Node>> = self.nodes.into_iter().map(Some).collect();
        for index in self.order {
            if let Some(node) = nodes.get_mut(index).and_then(Option::take) {
                record.entries.push(Arc::new(node.entry));
            }
        }
        number(&mut record);
        (record, self.report)
    }

    fn refs(&self, tip: Option<usize>) -> Vec<RefMove> {
        let id = |index: usize| self.nodes.get(index).map(|node| node.entry.id.clone());
        let mut refs = Vec::new();
        if let Some(tip) = tip.and_then(id) {
            refs.push(main_ref(Some(tip)));
        }
        let mut branches = 1;
        for index in self.order.iter().copied() {
            let Some(node) = self.nodes.get(index).filter(|node| node.view && !node.has_child)
            else {
                continue;
            };
            let branch = match &node.lane {
                Some(lane) => format!("sidechain:{lane}"),
                None if Some(index) == tip => continue,
                None => {
                    branches += 1;
                    format!("branch-{branches}")
                }
            };
            let (branch, reason, rest) = (branch.into(), "import".into(), Rest::default());
            refs.push(RefMove { branch, tip: id(index), reason, time: None, rest });
        }
        refs
    }
}
