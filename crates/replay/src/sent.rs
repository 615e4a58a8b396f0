//! The `sent` of a request: what it covers, its fills, its digests.

use std::sync::{Arc, OnceLock};

use record::{Checkpoint, Digests, Entry, EntryId, Fact, Fill, Rest, Sent};
use wire::pages::Bytes;

use crate::digest::{self, Hashed, Places};
use crate::fold::Closed;
use crate::now::{Now, ThinkingChoice};
use crate::replayer::Replayer;

/// A request that was prepared and may be appended.
#[derive(Debug)]
pub(crate) struct Proposal {
    /// Its `sent`, without checkpoints, and without an id where none was given.
    sent: Entry,
    is_named: bool,
    /// The tip, where it is a `sent`.
    tip: Option<Arc<Entry>>,
    conversation: Bytes,
    places: Places,
    /// What was hashed before.
    hashed: Hashed,
    digested: OnceLock<Digested>,
}

/// What hashing a proposal's conversation gives.
#[derive(Debug)]
pub(crate) struct Digested {
    /// The `sent` to append; nothing where the last entry says all of it.
    pub(crate) append: Vec<Entry>,
    pub(crate) hashed: Hashed,
}

impl Proposal {
    /// Entries to append before the first byte leaves.
    pub(crate) fn append(&self) -> &[Entry] {
        &self.digested().append
    }

    /// Whether this may be the proposal's `sent`: all is equal that can be told without hashing.
    pub(crate) fn may_be(&self, entry: &Entry) -> bool {
        let (Fact::Sent(own), Fact::Sent(other)) = (&self.sent.fact, &entry.fact) else {
            return false;
        };
        self.sent.parent == entry.parent
            && (!self.is_named || self.sent.id == entry.id)
            && own.agent == other.agent
            && own.target == other.target
            && own.fills == other.fills
    }

    /// Messages of the conversation.
    pub(crate) fn messages(&self) -> u64 {
        self.places.messages()
    }

    pub(crate) fn digested(&self) -> &Digested {
        self.digested.get_or_init(|| self.digest())
    }

    fn digest(&self) -> Digested {
        let mut hashed = self.hashed.clone();
        let checkpoints = hashed.advance(&self.conversation, &self.places);
        // The first checkpoint is of the whole conversation; the others follow from it.
        let said = self.with(checkpoints.first().copied().into_iter().collect());
        if self.tip.as_ref().is_some_and(|tip| is_retry(tip, &said)) {
            return Digested { append: Vec::new(), hashed };
        }
        let id = if self.is_named { said.id } else { derived_id(&said) };
        Digested { append: vec![Entry { id, ..self.with(checkpoints) }], hashed }
    }

    /// Its `sent` with these checkpoints.
    fn with(&self, checkpoints: Vec<Checkpoint>) -> Entry {
        let mut sent = self.sent.clone();
        if let Fact::Sent(fact) = &mut sent.fact
            && let Some(digests) = &mut fact.digests
        {
            digests.checkpoints = checkpoints;
        }
        sent
    }
}

impl Replayer {
    /// The request that was just closed, as it may be appended.
    pub(crate) fn propose(&self, now: &Now, closed: &Closed, digests: Digests) -> Proposal {
        let tip = self.path.last();
        let covers = tip.map(|tip| tip.id.clone());
        let mut rest = Rest::default();
        if now.parameters.thinking == ThinkingChoice::AsRecorded
            && let Some(off) = self.inherited_thinking()
        {
            rest.push("thinking".into(), off.clone());
        }
        let sent = Sent {
            agent: self.reader.agent.clone(),
            target: self.target.to.clone(),
            covers: covers.clone(),
            fills: self.fills(now),
            no_vision: !self.target.vision,
            digests: Some(digests),
            build: crate::BUILD,
            rest,
        };
        let sent = Entry {
            id: now.id.clone().unwrap_or_else(|| "sent".into()),
            parent: covers,
            seq: tip.map_or(0, |tip| tip.seq + 1),
            time: now.time.clone(),
            fact: Fact::Sent(Box::new(sent)),
            origin: None,
            rest: Rest::default(),
        };
        Proposal {
            sent,
            is_named: now.id.is_some(),
            tip: tip.filter(|tip| matches!(tip.fact, Fact::Sent(_))).cloned(),
            conversation: closed.conversation.clone(),
            places: closed.places.clone(),
            hashed: self.fold.hashed().clone(),
            digested: OnceLock::new(),
        }
    }

    fn fills(&self, now: &Now) -> Vec<Fill> {
        let conversation = self.fold.conversation();
        let mut fills = conversation.fills.clone();
        fills.extend(self.proposed.iter().cloned());
        for (from, to) in &conversation.unproven {
            let ends = (self.path.get(*from as usize), self.path.get(*to as usize));
            if let (Some(from), Some(to)) = ends {
                let (from, to) = (from.id.clone(), to.id.clone());
                fills.push(Fill::ThinkingOut { from, to, reason: "unknown-prefix".into() });
            }
        }
        let rung = now.recovery.filter(|rung| self.edits.rung != Some(*rung));
        fills.extend(rung.map(|rung| Fill::Recovery { rung }));
        fills
    }
}

/// An id made of everything else the entry says: equal requests have equal ids.
fn derived_id(entry: &Entry) -> EntryId {
    let written = record::jsonl::write_entry(entry);
    let text = written.as_ref().map_or("", |raw| raw.as_str());
    let hash = digest::of(text.as_bytes()).to_string();
    EntryId::new(format!("sent-{}", hash.get(..24).unwrap_or_default()))
}

/// Whether `tip` says of a request all that `sent` would.
fn is_retry(tip: &Entry, sent: &Entry) -> bool {
    let (Fact::Sent(told), Fact::Sent(sent)) = (&tip.fact, &sent.fact) else { return false };
    let (Some(told_digests), Some(digests)) = (&told.digests, &sent.digests) else { return false };
    sent.fills.is_empty()
        && told.agent == sent.agent
        && told.target == sent.target
        && told_digests.head == digests.head
        && told_digests.authority == digests.authority
        && told_digests.parameters == digests.parameters
        && told_digests.checkpoints.first() == digests.checkpoints.first()
}
