//! The `sent` of a request: what it covers, its fills, its digests.

use record::{Digests, Entry, EntryId, Fact, Fill, Rest, Sent};

use crate::digest;
use crate::now::{Now, ThinkingChoice};
use crate::read::Reader;
use crate::replayer::{Proposal, Replayer};
use crate::target::Target;

impl Replayer {
    /// The `sent` to append; nothing where the last entry is one of equal bytes.
    pub(crate) fn append(&mut self, now: &Now, digests: Digests) -> Vec<Entry> {
        let fills = self.fills(now);
        let tip = self.path.last();
        if fills.is_empty()
            && tip.is_some_and(|tip| is_retry(tip, &self.reader, &self.target, &digests))
        {
            return Vec::new();
        }
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
            fills,
            digests: Some(digests),
            build: crate::BUILD,
            rest,
        };
        let mut entry = Entry {
            id: now.id.clone().unwrap_or_else(|| "sent".into()),
            parent: covers,
            seq: tip.map_or(0, |tip| tip.seq + 1),
            time: now.time.clone(),
            fact: Fact::Sent(Box::new(sent)),
            origin: None,
            rest: Rest::default(),
        };
        if now.id.is_none() {
            entry.id = derived_id(&entry);
        }
        self.last = Some(Proposal { sent: entry.clone() });
        vec![entry]
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
    let mut entry = entry.clone();
    // The first checkpoint is of the whole conversation; the others follow from it.
    if let Fact::Sent(sent) = &mut entry.fact
        && let Some(digests) = &mut sent.digests
    {
        digests.checkpoints.truncate(1);
    }
    let written = record::jsonl::write_entry(&entry);
    let text = written.as_ref().map_or("", |raw| raw.as_str());
    let hash = digest::of(text.as_bytes()).to_string();
    EntryId::new(format!("sent-{}", hash.get(..24).unwrap_or_default()))
}

/// Whether an entry is a request of the same bytes.
fn is_retry(tip: &Entry, reader: &Reader, target: &Target, digests: &Digests) -> bool {
    match &tip.fact {
        Fact::Sent(sent) => {
            sent.agent == reader.agent
                && sent.target == target.to
                && sent.digests.as_ref().is_some_and(|told| {
                    told.head == digests.head
                        && told.authority == digests.authority
                        && told.parameters == digests.parameters
                        && told.checkpoints.first() == digests.checkpoints.first()
                })
        }
        Fact::Message(_)
        | Fact::CallStarted(_)
        | Fact::Compaction(_)
        | Fact::Head(_)
        | Fact::Retracted(_)
        | Fact::Opaque(_) => false,
    }
}
