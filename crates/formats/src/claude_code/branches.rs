//! Branches: where `main` ends, what the other leaves are called, and what waits in the queue.

use std::collections::HashSet;

use json::Text;
use record::{Block, EntryId, FindingKind, RefMove, Rest};

use super::file::Part;
use super::message::said;
use super::tree::Tree;
use crate::anthropic::main_ref;

impl Tree {
    /// Roots of other sessions are other conversations.
    pub(super) fn report_several(&mut self) {
        let roots = self.session.nodes.iter().enumerate().filter(|(index, node)| {
            node.part == Part::View && node.entry.parent.is_none() && self.lane(*index) == 0
        });
        let mut roots = roots.map(|(_, node)| (&node.session, node.place));
        let Some((first, _)) = roots.next() else { return };
        let others: Vec<_> = roots.filter(|(session, _)| *session != first).collect();
        if let Some((_, place)) = others.first() {
            let detail = format!("{} more conversations, as branches of their own", others.len());
            let place = *place;
            self.session.report.add(FindingKind::SeveralConversations, place, detail);
        }
    }

    /// `main` ends where the file ends; what still waits in the queue follows it.
    pub(super) fn refs(&mut self) -> Vec<RefMove> {
        let main = self
            .order
            .iter()
            .copied()
            .filter(|index| self.is_view(*index) && self.lane(*index) == 0);
        let last = main.max_by_key(|index| self.node(*index).map_or(0, |node| node.last_line()));
        let tip = last.map(|last| self.tail(last));
        let mut refs = self.other_refs(tip);
        let tip = self.append_queue(tip);
        let id = tip.and_then(|tip| self.node(tip)).map(|node| node.entry.id.clone());
        if id.is_some() {
            refs.insert(0, main_ref(id));
        }
        refs
    }

    fn other_refs(&self, tip: Option<usize>) -> Vec<RefMove> {
        let mut leaves_of_lane = vec![0usize; self.lanes.len()];
        let mut refs = Vec::new();
        for index in self.order.iter().copied().filter(|index| self.is_view(*index)) {
            let placed = self.placed.get(index);
            if Some(index) == tip || placed.is_some_and(|placed| placed.last_child.is_some()) {
                continue;
            }
            let lane = self.lane(index);
            let Some(leaves) = leaves_of_lane.get_mut(lane) else { continue };
            *leaves += 1;
            let branch = match (lane, self.lanes.get(lane), *leaves) {
                (0, _, leaves) => format!("branch-{}", leaves + 1),
                (_, name, 1) => name.map(Text::to_string).unwrap_or_default(),
                (_, name, leaves) => {
                    format!("{}-{leaves}", name.map(Text::as_str).unwrap_or_default())
                }
            };
            let tip = self.node(index).map(|node| node.entry.id.clone());
            let (branch, reason, rest) = (branch.into(), "import".into(), Rest::default());
            refs.push(RefMove { branch, tip, reason, time: None, rest });
        }
        refs
    }

    fn append_queue(&mut self, tip: Option<usize>) -> Option<usize> {
        let queue: Vec<(usize, Text)> =
            std::mem::take(&mut self.session.queue).into_waiting().collect();
        let queued: HashSet<usize> = queue.iter().map(|(index, _)| *index).collect();
        self.order.retain(|index| !queued.contains(index));
        let mut tip = tip;
        for (index, text) in queue {
            let parent: Option<EntryId> =
                tip.and_then(|tip| self.node(tip)).map(|node| node.entry.id.clone());
            let Some(node) = self.session.nodes.get_mut(index) else { continue };
            node.entry.parent = parent;
            node.entry.fact = said(vec![Block::text(text)]);
            self.order.push(index);
            tip = Some(index);
        }
        tip
    }
}
