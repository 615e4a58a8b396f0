//! Edits of the view: compactions, clearings, retractions.

use record::{BlockRef, Compaction, CompactionKind, Fact, Rest, Retracted};

use crate::generate::Gen;
use crate::script::op_id;
use crate::tag::Tag;
use crate::text::blank;

impl Gen {
    fn any_row(&mut self) -> Option<(u32, usize)> {
        (!self.rows.is_empty()).then(|| *self.rng.pick(&self.rows))
    }

    pub(crate) fn compaction(&mut self) {
        self.tags.add(Tag::Compaction);
        let handoff = match self.rng.below(10) {
            0 => {
                self.tags.add(Tag::InvalidCompaction);
                None
            }
            1 => {
                self.tags.add(Tag::InvalidCompaction);
                Some(blank(&mut self.rng))
            }
            _ => Some(self.text()),
        };
        let continuation = self.rng.one_in(2).then(|| self.text());
        let mut compaction = Compaction {
            kind: CompactionKind::Boundary,
            continuation,
            handoff,
            handoff_by_user: self.rng.one_in(6),
            retained_from: None,
            retained: Vec::new(),
            split_as_found: self.rng.one_in(4),
            cleared: Vec::new(),
            rest: Rest::default(),
        };
        if compaction.handoff_by_user {
            self.tags.add(Tag::HandoffByUser);
        }
        if compaction.split_as_found {
            self.tags.add(Tag::SplitAsFound);
        }
        // A person's row is a fair cut, any row is not.
        let from = if self.rng.one_in(4) {
            self.any_row().map(|(row, _)| row)
        } else if self.user_rows.is_empty() || self.rng.one_in(2) {
            None
        } else {
            Some(*self.rng.pick(&self.user_rows))
        };
        if let Some(row) = from {
            self.tags.add(Tag::RetainedSuffix);
            compaction.retained_from = Some(op_id(row));
        }
        if self.rng.one_in(8)
            && let Some((row, _)) = self.any_row()
        {
            compaction.retained.push(op_id(row));
        }
        let number = self.fact(Fact::Compaction(Box::new(compaction)));
        self.compactions.push(number);
        if self.rng.one_in(2) {
            self.person();
        }
    }

    pub(crate) fn microcompaction(&mut self) {
        self.tags.add(Tag::Microcompaction);
        let mut cleared = Vec::new();
        for _ in 0..1 + self.rng.below(3) {
            if let Some((row, blocks)) = self.any_row() {
                let block = self.rng.below(blocks.max(1)) as u32;
                cleared.push(BlockRef { row: op_id(row), block });
            }
        }
        self.fact(Fact::Compaction(Box::new(Compaction {
            kind: CompactionKind::Micro,
            continuation: None,
            handoff: None,
            handoff_by_user: false,
            retained_from: None,
            retained: Vec::new(),
            split_as_found: false,
            cleared,
            rest: Rest::default(),
        })));
    }

    pub(crate) fn retraction(&mut self) {
        let mut retracted =
            Retracted { blocks: Vec::new(), entries: Vec::new(), reason: "asked".into() };
        if self.rng.one_in(6)
            && let Some(compaction) = self.compactions.last()
        {
            self.tags.add(Tag::RetractedCompaction);
            retracted.entries.push(op_id(*compaction));
        }
        if let Some((row, blocks)) = self.any_row() {
            if self.rng.one_in(3) {
                self.tags.add(Tag::RetractedRow);
                retracted.entries.push(op_id(row));
            } else {
                self.tags.add(Tag::RetractedBlock);
                let block = self.rng.below(blocks.max(1)) as u32;
                retracted.blocks.push(BlockRef { row: op_id(row), block });
            }
        }
        if self.rng.one_in(4) {
            self.tags.add(Tag::RetractedElsewhere);
            self.retract_elsewhere(retracted);
        } else {
            self.fact(Fact::Retracted(retracted));
        }
    }
}
