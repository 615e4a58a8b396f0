//! Nodes given their parents: chains through other lines, joined responses, results in one line.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use json::Text;
use record::{Block, FindingKind, Record};

use super::file::{Node, Part, Session};
use super::line::Link;
use crate::report::Report;
use crate::source::number;

/// What is known of a node once it has its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    /// The node itself where it is part of the view, else the last one its chain passed.
    anchor: Option<usize>,
    /// The newest child on the same lane.
    pub(super) last_child: Option<usize>,
    /// What later children of this node hang from instead.
    redirect: Option<usize>,
    /// The end of this response's line, where it was last looked for.
    tail: Option<usize>,
    /// 0 is the conversation; others are side chains.
    lane: usize,
    /// A response of which a result has been placed.
    answered: bool,
}

/// The walk that gives every node its parent.
pub(crate) struct Tree {
    pub(super) session: Session,
    pub(super) placed: Vec<Placed>,
    /// Nodes in the order they were placed: file order, a parent before its child.
    pub(super) order: Vec<usize>,
    /// The newest view node of each lane.
    newest: Vec<Option<usize>>,
    /// Names of side chains, by lane.
    pub(super) lanes: Vec<Text>,
    lane_of_agent: HashMap<Text, usize>,
    /// The response that waits for the result of a call.
    open_calls: HashMap<Text, usize>,
    /// No line names a line of this file: file order is all there is.
    linear: bool,
}

impl Tree {
    pub(crate) fn new(mut session: Session) -> Tree {
        let main = |node: &Node| node.part == Part::View && !node.sidechain;
        if !session.nodes.iter().any(main) {
            // A file of its own for a side chain: there it is the conversation.
            for node in &mut session.nodes {
                node.sidechain = false;
            }
        }
        let known = |node: &Node| match &node.link {
            Link::To(uuid) => session.ids.contains_key(&**uuid),
            Link::Root | Link::FileOrder => false,
        };
        let linear = !session.nodes.iter().any(known);
        Tree {
            placed: vec![Placed::default(); session.nodes.len()],
            order: Vec::with_capacity(session.nodes.len()),
            newest: vec![None],
            lanes: vec!["main".into()],
            lane_of_agent: HashMap::new(),
            open_calls: HashMap::new(),
            linear,
            session,
        }
    }

    /// Places every node and gives the record.
    pub(crate) fn into_record(mut self) -> (Record, Report) {
        self.report_linear();
        for index in 0..self.session.nodes.len() {
            self.place_with_ancestors(index);
        }
        self.report_several();
        self.report_summaries();
        self.resolve_kept();
        self.resolve_cleared();
        let refs = self.refs();
        let mut record = Record { entries: Vec::with_capacity(self.order.len()), refs };
        let mut nodes: Vec<Option<Node>> = self.session.nodes.into_iter().map(Some).collect();
        for index in self.order {
            if let Some(node) = nodes.get_mut(index).and_then(Option::take) {
                record.entries.push(Arc::new(node.entry));
            }
        }
        number(&mut record);
        (record, self.session.report)
    }

    pub(super) fn node(&self, index: usize) -> Option<&Node> {
        self.session.nodes.get(index)
    }

    pub(super) fn is_view(&self, index: usize) -> bool {
        self.node(index).is_some_and(|node| node.part == Part::View)
    }

    pub(super) fn lane(&self, index: usize) -> usize {
        self.placed.get(index).map_or(0, |placed| placed.lane)
    }

    fn place_of(&mut self, index: usize) -> Option<&mut Placed> {
        self.placed.get_mut(index)
    }

    fn report_linear(&mut self) {
        let mut views = self.session.nodes.iter().filter(|node| node.part == Part::View);
        if let (true, Some(first), Some(_)) = (self.linear, views.next(), views.next()) {
            let place = first.place;
            let detail = "no line names the line before it; file order stands in";
            self.session.report.add(FindingKind::Assumed, place, detail);
        }
    }

    /// The node a node says it follows.
    fn target(&self, index: usize) -> Option<usize> {
        match &self.node(index)?.link {
            Link::To(uuid) => self.session.ids.get(&**uuid).copied(),
            Link::Root | Link::FileOrder => None,
        }
    }

    /// Places a node after what it follows, wherever in the file that stands.
    fn place_with_ancestors(&mut self, index: usize) {
        if self.target(index).is_none_or(|target| self.is_placed(target)) {
            if !self.is_placed(index) {
                self.place(index);
            }
            return;
        }
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
            self.place(node);
        }
    }

    pub(super) fn is_placed(&self, index: usize) -> bool {
        self.placed.get(index).is_some_and(|placed| placed.tail.is_some())
    }

    pub(super) fn place(&mut self, index: usize) {
        let target = self.target(index).filter(|target| self.is_placed(*target));
        let lane = self.lane_for(index, target);
        let follows = match (target, self.node(index).map(|node| &node.link)) {
            (Some(target), _) => self.placed.get(target).and_then(|placed| placed.anchor),
            (None, Some(Link::To(_))) => {
                self.report_dangling(index);
                self.newest_of(lane)
            }
            (None, Some(Link::Root)) if !self.linear => None,
            (None, _) => self.newest_of(lane),
        };
        self.order.push(index);
        if let Some(placed) = self.place_of(index) {
            placed.lane = lane;
            placed.tail = Some(index);
        }
        if !self.is_view(index) {
            self.hang(index, follows);
            return;
        }
        let follows = follows.map(|parent| self.redirected(parent));
        let follows = self.after_results(index, follows);
        self.hang(index, follows);
        self.note_calls(index);
        if let Some(newest) = self.newest.get_mut(lane) {
            *newest = Some(index);
        }
        let tail = self.kept_tail(index);
        if let Some(placed) = tail.and_then(|tail| self.place_of(tail)) {
            placed.redirect = Some(index);
        }
    }

    pub(super) fn hang(&mut self, index: usize, parent: Option<usize>) {
        let view = self.is_view(index);
        let id = parent.and_then(|parent| self.node(parent)).map(|node| node.entry.id.clone());
        if let Some(node) = self.session.nodes.get_mut(index) {
            node.entry.parent = id;
        }
        if let Some(placed) = self.place_of(index) {
            placed.anchor = if view { Some(index) } else { parent };
        }
        let Some(parent) = parent.filter(|_| view) else { return };
        if self.lane(parent) == self.lane(index)
            && let Some(placed) = self.place_of(parent)
        {
            placed.last_child = Some(index);
        }
    }

    fn newest_of(&self, lane: usize) -> Option<usize> {
        self.newest.get(lane).copied().flatten()
    }

    fn report_dangling(&mut self, index: usize) {
        let Some(Node { link: Link::To(uuid), place, .. }) = self.node(index) else { return };
        let detail =
            format!("its parent {uuid} is not before it in the file; file order stands in");
        let place = *place;
        self.session.report.add(FindingKind::DanglingParent, place, detail);
    }

    /// The lane of a node: side chains by agent, those without one by their root.
    fn lane_for(&mut self, index: usize, target: Option<usize>) -> usize {
        let Some(node) = self.session.nodes.get(index).filter(|node| node.sidechain) else {
            return 0;
        };
        if let Some(agent) = node.agent.clone() {
            if let Some(lane) = self.lane_of_agent.get(&agent) {
                return *lane;
            }
            let lane = self.new_lane(agent.clone());
            self.lane_of_agent.insert(agent, lane);
            return lane;
        }
        match target.map(|target| self.lane(target)) {
            Some(lane) if lane != 0 => lane,
            Some(_) | None => self.new_lane(self.lanes.len().to_string().into()),
        }
    }

    fn new_lane(&mut self, name: Text) -> usize {
        self.lanes.push(format!("sidechain:{name}").into());
        self.newest.push(None);
        self.lanes.len() - 1
    }

    /// Where children of a node hang since something was put behind it.
    fn redirected(&mut self, from: usize) -> usize {
        let mut end = from;
        while let Some(next) = self.placed.get(end).and_then(|placed| placed.redirect) {
            end = next;
        }
        if end != from
            && let Some(placed) = self.place_of(from)
        {
            placed.redirect = Some(end);
        }
        end
    }

    /// A child of a response that has results stands behind them, not beside them.
    fn after_results(&mut self, index: usize, follows: Option<usize>) -> Option<usize> {
        let response = follows?;
        if self.lane(response) != self.lane(index) {
            return follows;
        }
        let results = self.results(index);
        let opens = |id: &Text| self.open_calls.get(id) == Some(&response);
        let belongs = match results.as_slice() {
            [] => self.placed.get(response).is_some_and(|placed| placed.answered),
            ids => ids.iter().any(opens),
        };
        let tail = if belongs { self.tail(response) } else { response };
        if tail != response
            && let Some(placed) = self.place_of(tail)
        {
            placed.redirect = Some(index);
        }
        Some(tail)
    }

    /// The end of the line that begins at a response.
    pub(super) fn tail(&mut self, response: usize) -> usize {
        let start = self.placed.get(response).and_then(|placed| placed.tail).unwrap_or(response);
        let (mut tail, mut walked) = (start, vec![response]);
        while let Some(child) = self.placed.get(tail).and_then(|placed| placed.last_child) {
            walked.push(tail);
            tail = self.placed.get(child).and_then(|placed| placed.tail).unwrap_or(child);
        }
        // Whoever was passed ends here too: no line is walked twice.
        for node in walked {
            if let Some(placed) = self.place_of(node) {
                placed.tail = Some(tail);
            }
        }
        tail
    }

    pub(super) fn blocks(&self, index: usize) -> &[Block] {
        let message = self.node(index).and_then(|node| node.entry.message());
        message.map_or(&[], |message| message.blocks.as_slice())
    }

    /// The ids of the results a node holds.
    pub(super) fn results(&self, index: usize) -> Vec<Text> {
        let results = self.blocks(index).iter().filter_map(Block::as_tool_result);
        results.map(|result| result.tool_use_id.clone()).collect()
    }

    fn note_calls(&mut self, index: usize) {
        for id in self.results(index) {
            let response = self.open_calls.remove(&id);
            if let Some(placed) = response.and_then(|response| self.place_of(response)) {
                placed.answered = true;
            }
        }
        let calls = self.blocks(index).iter().filter_map(Block::as_tool_use);
        let calls: Vec<Text> = calls.map(|call| call.id.clone()).collect();
        self.open_calls.extend(calls.into_iter().map(|id| (id, index)));
    }
}
