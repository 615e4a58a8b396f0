//! Lines read into entries: every line, in file order.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use json::{Kind, Text, Value};
use record::{
    Entry, EntryId, Fact, Head, HeadDeclaration, Issuer, OpaqueFact, Record, RefMove, Rest,
    SourceLine, Usage,
};

use super::PLATFORM;
use super::login::Logins;
use crate::anthropic::main_ref;
use crate::lines::Lines;
use crate::openai_responses::API;
use crate::origin;
use crate::report::{Place, Report};
use crate::source::number;
use crate::{Format, Imported};

/// Line types that are the harness's own bookkeeping and were never shown to a model.
const BOOKKEEPING: [&str; 3] =
    ["turn_context", "world_state", "inter_agent_communication_metadata"];

/// A reply that more items may belong to.
pub(super) struct Response {
    pub(super) entry: usize,
    pub(super) has_calls: bool,
    /// Its calls that have no result yet.
    pub(super) calls: Vec<Text>,
}

/// A message that an event shows, and that an item should say.
struct Shown {
    kind: Text,
    text: u64,
    place: Place,
}

/// A rollout being read.
pub(super) struct Rollout {
    pub(super) report: Report,
    pub(super) entries: Vec<Entry>,
    /// What each of them hangs off.
    parents: Vec<Option<usize>>,
    /// The last entry of the path.
    pub(super) tip: Option<usize>,
    pub(super) response: Option<Response>,
    /// The last reply, for the tokens that are counted after it.
    pub(super) reply: Option<usize>,
    pub(super) names: HashMap<Text, Text>,
    pub(super) issuer: Arc<Issuer>,
    /// Messages of the person's side on the path: the hash of their content, and their entry.
    said: Vec<(u64, usize)>,
    /// Their entries by that hash, ascending.
    pub(super) said_in: HashMap<u64, Vec<usize>>,
    /// Texts of messages, by hash.
    pub(super) texts: HashMap<u64, usize>,
    shown: Vec<Shown>,
    /// What each turn hangs off.
    turns: Vec<Option<usize>>,
    /// Ends of turns that were rolled back.
    dropped: Vec<usize>,
    /// The last entry that was put on a path.
    last: Option<usize>,
    has_meta: bool,
    logins: Logins,
    title: Option<String>,
    format: Arc<str>,
}

impl Lines for Rollout {
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
        Rollout::aside(self, kind, None, place)
    }

    fn lines_of(&mut self, entry: usize) -> Option<&mut Vec<SourceLine>> {
        Some(origin::lines_of(self.entries.get_mut(entry)?, &self.format))
    }
}

impl Rollout {
    pub(super) fn new(file: &str) -> Rollout {
        Rollout {
            report: Report::new(file),
            entries: Vec::new(),
            parents: Vec::new(),
            tip: None,
            response: None,
            reply: None,
            names: HashMap::new(),
            issuer: Arc::new(Issuer {
                platform: PLATFORM.into(),
                account: None,
                api: API.into(),
                model: Text::default(),
            }),
            said: Vec::new(),
            said_in: HashMap::new(),
            texts: HashMap::new(),
            shown: Vec::new(),
            turns: Vec::new(),
            dropped: Vec::new(),
            last: None,
            has_meta: false,
            logins: Logins::new(),
            title: None,
            format: Format::Codex.name().into(),
        }
    }

    /// Reads one object and returns the entry it belongs to.
    fn row(&mut self, line: Value<'_, '_>, place: Place) -> usize {
        let time = line.get("timestamp").and_then(Value::to_text);
        let kind = line.get("type").and_then(Value::to_text).unwrap_or_default();
        let Some(payload) = line.get("payload").filter(|payload| payload.kind() == Kind::Object)
        else {
            return self.bare(line, kind, time, place);
        };
        match &*kind {
            "session_meta" => self.meta(payload, time, place),
            "response_item" => self.item(payload, time, place),
            "compacted" => self.compacted(payload, time, place),
            "event_msg" => self.event(payload, time, place),
            _ => {
                if &*kind == "turn_context" {
                    self.turn_context(payload);
                } else if !BOOKKEEPING.contains(&&*kind) {
                    self.report.keep_aside(&format!("unknown type {kind:?}"), place);
                }
                self.aside(kind, time, place)
            }
        }
    }

    /// A line without envelope: an item, or the first line of an older file.
    fn bare(&mut self, line: Value<'_, '_>, kind: Text, time: Option<Text>, place: Place) -> usize {
        let has = |name: &str| line.get(name).is_some();
        if has("record_type") {
            self.aside("record_type".into(), time, place)
        } else if !kind.is_empty() || has("role") {
            self.item(line, time, place)
        } else if has("id") && (has("instructions") || has("git")) {
            self.meta(line, time, place)
        } else {
            self.report.keep_aside("a line without a type", place);
            self.aside(kind, time, place)
        }
    }

    fn meta(&mut self, meta: Value<'_, '_>, time: Option<Text>, place: Place) -> usize {
        self.response = None;
        if self.has_meta {
            // A fork holds the first lines of what it was forked from; its own come first.
            self.report.keep_aside("session_meta of another session", place);
            return self.aside("session_meta".into(), time, place);
        }
        self.has_meta = true;
        if let Some(platform) = meta.get("model_provider").and_then(Value::to_text) {
            self.set_issuer(|issuer| issuer.platform = platform);
        }
        let base = meta.get("base_instructions").and_then(|base| base.get("text"));
        let text = base.or(meta.get("instructions")).and_then(Value::to_text);
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return self.aside("session_meta".into(), time, place);
        };
        let head = HeadDeclaration { tools: Vec::new(), system: vec![text] };
        let fact = Fact::Head(Box::new(Head {
            agent: "main".into(),
            head: Some(Arc::new(head)),
            folds_through: None,
            owners: None,
            reason: "imported".into(),
            rest: Rest::default(),
        }));
        self.view(fact, time, place)
    }

    fn set_issuer(&mut self, change: impl FnOnce(&mut Issuer)) {
        change(Arc::make_mut(&mut self.issuer));
    }

    fn turn_context(&mut self, context: Value<'_, '_>) {
        self.response = None;
        self.logins.turn(self.entries.len());
        if let Some(model) = context.get("model").and_then(Value::to_text)
            && self.issuer.model != model
        {
            self.set_issuer(|issuer| issuer.model = model);
        }
    }

    /// Events are no history, but they say where a response ends.
    fn event(&mut self, event: Value<'_, '_>, time: Option<Text>, place: Place) -> usize {
        let kind = event.get("type").and_then(Value::to_text).unwrap_or_default();
        let text = |name: &str| event.get(name).and_then(Value::to_text);
        match &*kind {
            "token_count" => self.token_count(event),
            "user_message" | "agent_message" => {
                if let Some(text) = text("message") {
                    if &*kind == "user_message" {
                        self.turn(&text);
                    }
                    self.shown.push(Shown { kind: kind.clone(), text: hash(&text), place });
                }
            }
            "thread_name_updated" => self.title = text("thread_name").map(|name| name.to_string()),
            "task_started" => {
                self.response = None;
                self.logins.turn(self.entries.len());
            }
            "task_complete" | "turn_aborted" => self.response = None,
            "thread_rolled_back" => {
                self.roll_back(event.get("num_turns").and_then(Value::as_u64).unwrap_or(0));
            }
            _ => {}
        }
        self.aside(kind, time, place)
    }

    /// A response ends where its tokens are counted.
    fn token_count(&mut self, event: Value<'_, '_>) {
        self.response = None;
        self.logins.counted(event);
        let last = event.get("info").and_then(|info| info.get("last_token_usage"));
        let (Some(last), Some(reply)) = (last, self.reply.take()) else { return };
        let count = |name: &str| last.get(name).and_then(Value::as_u64).unwrap_or(0);
        let (read, written) = (count("cached_input_tokens"), count("cache_write_input_tokens"));
        let usage = Usage {
            input_tokens: count("input_tokens").saturating_sub(read).saturating_sub(written),
            output_tokens: count("output_tokens"),
            cache_creation_input_tokens: written,
            cache_read_input_tokens: read,
        };
        if let Some(Entry { fact: Fact::Message(message), .. }) = self.entries.get_mut(reply) {
            message.usage = Some(usage);
        }
    }

    /// A turn begins before the message an event shows, whichever of the two comes first.
    fn turn(&mut self, text: &str) {
        self.logins.turn(self.entries.len());
        let last = self.said.last().filter(|(_, entry)| Some(*entry) == self.tip);
        let said = last.is_some_and(|(_, entry)| self.texts.get(&hash(text)) == Some(entry));
        let parent = self.tip.and_then(|tip| self.parents.get(tip).copied().flatten());
        self.turns.push(if said { parent } else { self.tip });
    }

    fn roll_back(&mut self, turns: u64) {
        self.response = None;
        let kept = self.turns.len().saturating_sub(usize::try_from(turns).unwrap_or(usize::MAX));
        let Some(before) = self.turns.get(kept).copied() else { return };
        self.turns.truncate(kept);
        self.dropped.extend(self.last.filter(|_| self.tip == self.last && self.tip != before));
        let gone = |(_, entry): &mut (u64, usize)| before.is_none_or(|before| *entry > before);
        while let Some((content, _)) = self.said.pop_if(gone) {
            self.said_in.get_mut(&content).map(Vec::pop);
        }
        self.tip = before;
    }

    /// Somebody on the person's side said this, by the hash of its content.
    pub(super) fn was_said(&mut self, content: u64, entry: usize) {
        self.said.push((content, entry));
        self.said_in.entry(content).or_default().push(entry);
    }

    /// A line that is no part of the view.
    pub(super) fn aside(&mut self, kind: Text, time: Option<Text>, place: Place) -> usize {
        self.push(Fact::Opaque(OpaqueFact { kind, raw: None }), time, place)
    }

    /// An entry of the path.
    pub(super) fn view(&mut self, fact: Fact, time: Option<Text>, place: Place) -> usize {
        let entry = self.push(fact, time, place);
        self.tip = Some(entry);
        self.last = self.tip;
        entry
    }

    fn push(&mut self, fact: Fact, time: Option<Text>, place: Place) -> usize {
        let index = self.entries.len();
        // Objects recovered from one line share its number.
        let taken = self.entries.iter().rev().take_while(|entry| {
            entry.id.as_str().strip_prefix("line:").and_then(|id| id.split('.').next())
                == Some(place.line.to_string().as_str())
        });
        let id = match taken.count() {
            0 => format!("line:{}", place.line),
            count => format!("line:{}.{count}", place.line),
        };
        let parent = self.tip.and_then(|tip| self.entries.get(tip)).map(|entry| entry.id.clone());
        let (id, rest) = (EntryId::new(id), Rest::default());
        self.parents.push(self.tip);
        self.entries.push(Entry { id, parent, seq: 0, time, fact, origin: None, rest });
        index
    }

    pub(super) fn finish(mut self) -> Imported {
        for Shown { kind, text, place } in std::mem::take(&mut self.shown) {
            if !self.texts.contains_key(&text) {
                self.report.keep_aside(&format!("{kind} that no item says"), place);
            }
        }
        self.logins.name(&mut self.entries);
        let id = |entry: usize| self.entries.get(entry).map(|entry| entry.id.clone());
        let mut refs: Vec<RefMove> =
            self.last.map(|_| main_ref(self.tip.and_then(id))).into_iter().collect();
        for (index, tip) in self.dropped.iter().enumerate() {
            let branch = format!("branch-{}", index + 2).into();
            let (reason, rest) = ("import".into(), Rest::default());
            refs.push(RefMove { branch, tip: id(*tip), reason, time: None, rest });
        }
        let entries = self.entries.into_iter().map(Arc::new).collect();
        let mut record = Record { entries, refs };
        number(&mut record);
        let (findings, title) = (self.report.finish(), self.title);
        Imported { format: Format::Codex, record, findings, title }
    }
}

pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
