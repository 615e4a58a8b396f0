//! Plays a script as a harness would: appends, asks, appends what the request asks for.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use record::{Block, BlockRef, Entry, EntryId, Fact, Rest, Sent};
use replay::{Intent, Now, Prepared, Reader, Refusal, Replayer, RuntimePrincipal};

use crate::principal;
use crate::script::{AGENTS, Choice, Op, OpKind, Script, agent, op_id, target};

/// A request that was asked for.
#[derive(Debug)]
pub struct Request {
    /// The step that asked.
    pub number: u32,
    /// Entries on the path when it was asked for.
    pub at: usize,
    /// Entries on the path after it.
    pub after: usize,
    /// Retractions on other branches that were known.
    pub elsewhere: usize,
    /// Index into [`AGENTS`].
    pub agent: usize,
    /// Index into [`crate::TARGETS`].
    pub target: usize,
    /// What it was asked with.
    pub choice: Choice,
    /// The same, as the fold takes it.
    pub now: Now,
    /// What came of it.
    pub outcome: Result<Prepared, Refusal>,
    /// The same asked for once more after what it asked for was appended.
    pub again: Option<Result<Prepared, Refusal>>,
}

/// What a script comes to.
#[derive(Debug, Default)]
pub struct Played {
    /// The path.
    pub path: Vec<Arc<Entry>>,
    /// What was retracted on other branches, in order.
    pub elsewhere: Vec<Arc<Entry>>,
    /// The requests, in order.
    pub requests: Vec<Request>,
}

/// The state of playing.
#[derive(Debug, Default)]
pub struct Player {
    played: Played,
    replayers: Vec<(usize, usize, Replayer)>,
    /// Steps that appended nothing because the request before them had the same bytes.
    aliases: Vec<(EntryId, EntryId)>,
}

/// Plays a whole script.
pub fn play(script: &Script) -> Played {
    let mut player = Player::default();
    for op in &script.ops {
        player.step(op);
    }
    player.played
}

impl Player {
    /// Plays one step.
    pub fn step(&mut self, op: &Op) {
        match &op.kind {
            OpKind::Entry(fact) => {
                let mut fact = fact.clone();
                if let Fact::Message(message) = &mut *fact
                    && let Some(answers) = &mut message.answers
                    && let Some((_, sent)) = self.aliases.iter().find(|(id, _)| id == answers)
                {
                    *answers = sent.clone();
                }
                self.append(op_id(op.number), *fact);
            }
            OpKind::Imported { target: index } => {
                let sent = Sent {
                    agent: agent(0),
                    target: target(*index).to,
                    covers: self.played.path.last().map(|entry| entry.id.clone()),
                    fills: Vec::new(),
                    no_vision: false,
                    digests: None,
                    build: replay::BUILD,
                    rest: Rest::default(),
                };
                self.append(op_id(op.number), Fact::Sent(Box::new(sent)));
            }
            OpKind::RetractElsewhere(what) => {
                let entry = Entry {
                    id: op_id(op.number),
                    parent: None,
                    seq: 0,
                    time: None,
                    fact: Fact::Retracted(what.clone()),
                    origin: None,
                    rest: Rest::default(),
                };
                self.played.elsewhere.push(Arc::new(entry));
            }
            OpKind::Send { agent, target, choice } => {
                self.send(op.number, *agent, *target, choice);
            }
        }
    }

    fn append(&mut self, id: EntryId, fact: Fact) {
        let tip = self.played.path.last();
        let entry = Entry {
            id,
            parent: tip.map(|tip| tip.id.clone()),
            seq: tip.map_or(0, |tip| tip.seq + 1),
            time: None,
            fact,
            origin: None,
            rest: Rest::default(),
        };
        self.played.path.push(Arc::new(entry));
    }

    fn send(&mut self, number: u32, agent: usize, to: usize, choice: &Choice) {
        let at = self.played.path.len();
        let now = now(&self.played.path, choice, Some(op_id(number)));
        let known = self.replayers.iter().position(|(a, t, _)| (*a, *t) == (agent, to));
        let known = known.unwrap_or_else(|| {
            let replayer = Replayer::new(Reader::plain(AGENTS[agent]), target(to));
            self.replayers.push((agent, to, replayer));
            self.replayers.len() - 1
        });
        let replayer = &mut self.replayers[known].2;
        // What stands elsewhere may be told before or after what is new here.
        if number.is_multiple_of(3) {
            replayer.feed(&self.played.path);
        }
        replayer.retract(&self.played.elsewhere);
        replayer.feed(&self.played.path);
        let outcome = replayer.prepare(&now);
        let mut again = None;
        if let Ok(prepared) = &outcome {
            if prepared.append().is_empty() {
                let sent = self.played.path.last().map(|entry| entry.id.clone());
                self.aliases.extend(sent.map(|sent| (op_id(number), sent)));
            }
            self.played.path.extend(prepared.append().iter().cloned().map(Arc::new));
            // Half of the requests are asked for once more; all of them would hide what only an
            // undisturbed continuation shows.
            if number.is_multiple_of(2) {
                replayer.feed(&self.played.path);
                again = Some(replayer.prepare(&Now { id: Some("again".into()), ..now.clone() }));
            }
        }
        let after = self.played.path.len();
        let choice = choice.clone();
        self.played.requests.push(Request {
            number,
            at,
            after,
            elsewhere: self.played.elsewhere.len(),
            agent,
            target: to,
            choice,
            now,
            outcome,
            again,
        });
    }
}

/// The arguments of a request after this path.
pub fn now(path: &[Arc<Entry>], choice: &Choice, id: Option<EntryId>) -> Now {
    let mut now = Now {
        id,
        principal: principal_of(choice.principal),
        no_continue: choice.no_continue,
        recovery: choice.recovery,
        ..Now::default()
    };
    now.parameters.thinking = choice.thinking;
    now.parameters.max_tokens = choice.max_tokens;
    let raw = |text: &str| json::Raw::parse(text).unwrap();
    now.parameters.tool_choice = choice.tool_choice.map(raw);
    let extra = choice.extra.iter().map(|(name, value)| ((*name).into(), raw(value)));
    now.parameters.extra = extra.collect();
    now.limits.images_max = choice.images_max;
    now.limits.body_bytes_max = choice.body_bytes_max;
    if choice.running {
        now.running = unanswered(path);
    }
    now
}

/// Calls of the last reply with calls that have no result on the path.
fn unanswered(path: &[Arc<Entry>]) -> Vec<BlockRef> {
    let mut open = Vec::new();
    for entry in path {
        let Some(message) = entry.message() else { continue };
        for (at, block) in message.blocks.iter().enumerate() {
            match block {
                Block::ToolUse(call) => {
                    let place = BlockRef { row: entry.id.clone(), block: at as u32 };
                    open.push((call.id.clone(), place));
                }
                Block::ToolResult(result) => {
                    open.retain(|(id, _)| *id != result.tool_use_id);
                }
                Block::Text(_)
                | Block::Reasoning(_)
                | Block::Image(_)
                | Block::SystemChange(_)
                | Block::Opaque(_) => {}
            }
        }
    }
    open.into_iter().map(|(_, place)| place).collect()
}

fn principal_of(which: u8) -> Option<RuntimePrincipal> {
    (which > 0).then(|| RuntimePrincipal {
        intent: if which == 2 { Intent::BorrowedUser } else { Intent::Dedicated },
        ..principal(700 + u32::from(which))
    })
}
