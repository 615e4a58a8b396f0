//! Rolling digests of the conversation, by which the first place that moved is found.

use record::{Checkpoint, Digest};
use wire::pages::Chain;

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
    /// Bytes hashed so far.
    pub(crate) fn hashed(&self) -> u64 {
        self.hashed
    }

    /// Hashes on to each of these ends, which ascend, and gives the digest there.
    pub(crate) fn hash_to(&mut self, conversation: &Chain<u8>, ends: &[End]) -> Vec<Checkpoint> {
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
