//! Rolling digests of the conversation, by which the first place that moved is found.

use record::{Checkpoint, Digest};
use wire::pages::Bytes;

/// The digest of some bytes.
pub(crate) fn of(bytes: &[u8]) -> Digest {
    Digest(*blake3::hash(bytes).as_bytes())
}

/// A hash of the conversation's first bytes, carried on as it grows.
#[derive(Clone, Default)]
pub(crate) struct Rolling {
    hasher: blake3::Hasher,
    hashed: u64,
}

impl std::fmt::Debug for Rolling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rolling").field("hashed", &self.hashed).finish_non_exhaustive()
    }
}

/// The end of a message's last block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// Messages up to and with it.
    pub(crate) messages: u64,
    /// Blocks of the last one.
    pub(crate) blocks: u64,
    /// Bytes of the conversation.
    pub(crate) bytes: u64,
}

impl Rolling {
    /// Hashes on to each of these ends, which ascend, and gives the digest there.
    fn hash_to(&mut self, conversation: &Bytes, ends: &[End]) -> Vec<Checkpoint> {
        let mut runs = conversation.runs_from(self.hashed).into_iter();
        let mut run: &[u8] = runs.next().unwrap_or_default();
        let mut checkpoints = Vec::with_capacity(ends.len());
        for end in ends {
            while self.hashed < end.bytes {
                if run.is_empty() {
                    let Some(next) = runs.next() else { break };
                    run = next;
                }
                let wanted = (end.bytes - self.hashed).min(run.len() as u64) as usize;
                let (now, later) = run.split_at(wanted);
                self.hasher.update(now);
                self.hashed += wanted as u64;
                run = later;
            }
            checkpoints.push(Checkpoint {
                messages: end.messages,
                blocks: end.blocks,
                digest: Digest(*self.hasher.finalize().as_bytes()),
            });
        }
        checkpoints
    }
}

/// Where a conversation has its checkpoints, ascending.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Before its end.
    before: Vec<End>,
    /// Up to where it is not touched again.
    settled: End,
    end: End,
}

impl Places {
    /// At the end, and before it at about the last 1, 2, 4, ... messages.
    ///
    /// Before the end they stand at multiples of 1, 2, 4, ... of what is settled: what a longer
    /// conversation asks for was asked for by the shorter one, so they do not depend on when that
    /// was.
    pub(crate) fn new(ends: &[End], settled: End, end: End) -> Places {
        let mut before = Vec::new();
        let mut step = 1u64;
        while step < settled.messages {
            let at = (settled.messages - 1) / step * step;
            let end = at.checked_sub(1).and_then(|at| ends.get(at as usize).copied());
            before.extend(end.filter(|end| before.last() != Some(end)));
            step *= 2;
        }
        before.reverse();
        Places { before, settled, end }
    }

    /// Messages of the whole conversation.
    pub(crate) fn messages(&self) -> u64 {
        self.end.messages
    }
}

/// What was hashed of a conversation: all that is settled, and the checkpoints in it that can be
/// asked for again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hashed {
    rolling: Rolling,
    /// Ascending.
    checkpoints: Vec<Checkpoint>,
}

impl Hashed {
    /// Hashes on to the places, and gives the checkpoints there, the end's first.
    pub(crate) fn advance(&mut self, conversation: &Bytes, places: &Places) -> Vec<Checkpoint> {
        let Places { before, settled, end } = places;
        let hashed = self.rolling.hashed;
        let fresh: Vec<End> = before
            .iter()
            .copied()
            .filter(|end| end.bytes > hashed && end.bytes <= settled.bytes)
            .chain((settled.bytes > hashed).then_some(*settled))
            .collect();
        for checkpoint in self.rolling.hash_to(conversation, &fresh) {
            if self.checkpoints.last() != Some(&checkpoint) {
                self.checkpoints.push(checkpoint);
            }
        }
        let mut out = self.rolling.clone().hash_to(conversation, &[*end]);
        out.extend(before.iter().rev().filter_map(|end| self.at(end)));
        // A place that is asked for no more is never asked for again.
        let newest = before.last().map_or(0, |end| end.messages);
        self.checkpoints.retain(|own| own.messages >= newest || out.contains(own));
        out
    }

    fn at(&self, end: &End) -> Option<Checkpoint> {
        let place = |c: &Checkpoint| (c.messages, c.blocks);
        let at = self.checkpoints.partition_point(|c| place(c) < (end.messages, end.blocks));
        self.checkpoints
            .get(at)
            .copied()
            .filter(|checkpoint| place(checkpoint) == (end.messages, end.blocks))
    }
}
