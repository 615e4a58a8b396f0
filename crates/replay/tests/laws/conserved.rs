//! Conserved: what is stored is on the wire once, in its own role and form, or named in the
//! report; what is on the wire is stored, or a wording of the table on the user side.

use std::collections::{HashMap, HashSet};

use record::{Block, EntryId, MessageKind, Role};
use replay::{Change, ChangeKind, Effect, Prepared};
use serde_json::Value;
use testkit::text::markers;
use testkit::{AGENTS, Api, Played, Request, Script, TARGETS};

use crate::body::{Body, Unit};
use crate::chat::file_told;
use crate::stored::{Place, Stored, View, What};
use crate::wording;

pub(crate) fn check(_: &Script, played: &Played) -> Result<(), String> {
    let stored = Stored::of(&played.path);
    let last = played.requests.last().map(|request| request.number);
    for request in &played.requests {
        let Ok(prepared) = &request.outcome else { continue };
        // Requests of one history have much in common: the last and half of the others will do.
        if request.number % 2 == 0 && Some(request.number) != last {
            continue;
        }
        let judged = Judge::new(played, request, &stored).judge(prepared);
        judged.map_err(|words| {
            format!(
                "{words}\nat request e{}\n{}",
                request.number,
                String::from_utf8_lossy(&prepared.request.body().to_vec())
            )
        })?;
    }
    Ok(())
}

pub(crate) struct Judge<'p> {
    pub(crate) played: &'p Played,
    pub(crate) request: &'p Request,
    pub(crate) stored: &'p Stored<'p>,
    view: View,
    /// How often each marker is on the wire.
    counts: HashMap<u64, usize>,
    images: HashMap<String, usize>,
    /// Markers inside results of calls.
    pub(crate) bound: HashSet<u64>,
    /// Signatures of blank texts that are on the wire.
    pub(crate) blank_signed: HashSet<String>,
    pub(crate) calls: usize,
}

impl<'p> Judge<'p> {
    fn new(played: &'p Played, request: &'p Request, stored: &'p Stored<'p>) -> Judge<'p> {
        Judge {
            played,
            request,
            stored,
            view: View::at(played, request),
            counts: HashMap::new(),
            images: HashMap::new(),
            bound: HashSet::new(),
            blank_signed: HashSet::new(),
            calls: 0,
        }
    }

    fn judge(mut self, prepared: &Prepared) -> Result<(), String> {
        let api = TARGETS[self.request.target].api;
        let body = Body::of(prepared, api)?;
        let system = match api {
            Api::Gemini => &body.root["systemInstruction"]["parts"],
            // Looked at with the rest: it may say that there are no tools.
            Api::Converse => &Value::Null,
            Api::Claude | Api::Chat | Api::Responses => &body.root["system"],
        };
        for text in system.as_array().into_iter().flatten() {
            self.system(text["text"].as_str().unwrap_or_default())?;
        }
        match api {
            Api::Chat => self.chat(&body)?,
            Api::Responses => self.responses(&body)?,
            Api::Converse => self.converse(&body)?,
            Api::Claude | Api::Gemini => {
                for unit in body.units() {
                    match api {
                        Api::Gemini => self.gemini_part(&unit)?,
                        Api::Claude | Api::Chat | Api::Responses | Api::Converse => {
                            self.unit(&unit)?;
                        }
                    }
                }
            }
        }
        for tool in body.root["tools"].as_array().into_iter().flatten() {
            self.count(&tool.to_string());
        }
        let changes: Vec<&Change> = prepared.request.report().changes().collect();
        self.calls += changes.iter().filter(|change| change.kind == ChangeKind::CallTold).count();
        self.conserved(&changes)
    }

    pub(crate) fn count(&mut self, text: &str) {
        for marker in markers(text) {
            *self.counts.entry(marker).or_default() += 1;
        }
    }

    /// The stored thing a text's first marker names, if it was stored when the request was made.
    pub(crate) fn place(&self, text: &str) -> Option<Place<'p>> {
        let marker = *markers(text).first()?;
        self.stored.marked.get(&marker)?.iter().copied().find(|place| place.at < self.request.at)
    }

    /// A text of the top-level `system`, or of a system message.
    fn system(&mut self, text: &str) -> Result<(), String> {
        self.count(text);
        let known = match self.place(text).map(|place| place.what) {
            Some(What::Text(Role::System, stored)) => text == stored,
            Some(What::HeadText(stored)) => text == stored,
            _ => text.starts_with(wording::AUTHORITY),
        };
        if known { Ok(()) } else { Err(format!("system text nobody stored: {text:?}")) }
    }

    fn unit(&mut self, unit: &Unit<'_>) -> Result<(), String> {
        let (role, value) = (unit.role, unit.value);
        let kind = value["type"].as_str().unwrap_or_default();
        let text = value["text"].as_str().unwrap_or_default();
        match (role, kind) {
            ("system", "text") => self.system(text),
            ("user", "text") => self.user_text(text),
            ("assistant", "text") => self.speech(text),
            ("assistant", "thinking" | "redacted_thinking") => self.thought(value),
            ("assistant", "tool_use") => self.call(value),
            ("user", "tool_result") => self.result(value),
            ("user", "image") => self.image(value),
            _ => self.verbatim(value),
        }
    }

    pub(crate) fn user_text(&mut self, text: &str) -> Result<(), String> {
        self.count(text);
        let known = match self.place(text).map(|place| place.what) {
            Some(What::Text(Role::User | Role::Tool, stored)) => text == stored,
            Some(What::Text(Role::System, stored)) => {
                text.strip_prefix(wording::SYSTEM_NOTE) == Some(stored)
            }
            Some(What::Continuation(stored)) => text == stored,
            Some(What::Handoff(compaction)) => {
                compaction.handoff_by_user && compaction.handoff.as_deref() == Some(text)
            }
            Some(What::Result(result)) => {
                wording::evidence(text).is_some_and(|output| output == result.output())
            }
            Some(What::Opaque(part)) => file_told(part).as_deref() == Some(text),
            Some(_) => false,
            None => {
                wording::is_note(text)
                    || wording::evidence(text)
                        .is_some_and(|output| output.split('\n').all(wording::is_result))
            }
        };
        if known { Ok(()) } else { Err(format!("user text nobody stored: {text:?}")) }
    }

    pub(crate) fn speech(&mut self, text: &str) -> Result<(), String> {
        self.count(text);
        let known = match self.place(text).map(|place| place.what) {
            Some(What::Text(Role::Assistant, stored)) => text == stored,
            Some(What::Handoff(compaction)) => {
                !compaction.handoff_by_user && compaction.handoff.as_deref() == Some(text)
            }
            _ => false,
        };
        if known { Ok(()) } else { Err(format!("speech nobody stored: {text:?}")) }
    }

    pub(crate) fn thought(&mut self, value: &Value) -> Result<(), String> {
        let text = value["thinking"].as_str().unwrap_or_default();
        self.count(text);
        let sealed = value["signature"].as_str().or(value["data"].as_str()).unwrap_or_default();
        let known = self.stored.sealed.get(sealed).is_some_and(|thought| {
            value["type"] == "redacted_thinking" || thought.reasoning.as_str() == text
        });
        if known { Ok(()) } else { Err(format!("thought nobody had: {value}")) }
    }

    fn call(&mut self, value: &Value) -> Result<(), String> {
        let name = value["name"].as_str().unwrap_or_default();
        let rewritten = name.starts_with("call_") || name == "unnamed";
        self.called(name, rewritten, &value["input"])
    }

    /// A call of this name, made or not, with these arguments.
    pub(crate) fn called(
        &mut self,
        name: &str,
        rewritten: bool,
        input: &Value,
    ) -> Result<(), String> {
        self.calls += 1;
        let raw = input.get("_unparsed_arguments").and_then(Value::as_str);
        let text = raw.map_or_else(|| input.to_string(), str::to_owned);
        self.count(&text);
        let Some(place) = self.place(&text) else {
            let empty = input.as_object().is_some_and(serde_json::Map::is_empty);
            return if empty { Ok(()) } else { Err(format!("call nobody made: {input}")) };
        };
        let What::Call(call) = place.what else {
            return Err(format!("call that was stored as something else: {input}"));
        };
        let same_input = match raw {
            Some(raw) => raw == call.input.text().as_str(),
            None => same_json(call.input.text(), input),
        };
        if same_input && (name == call.name.as_str() || rewritten) {
            Ok(())
        } else {
            Err(format!("call that was made otherwise: {name} {input}"))
        }
    }

    fn result(&mut self, value: &Value) -> Result<(), String> {
        let content = &value["content"];
        if let Some(text) = content.as_str() {
            return self.output(text);
        }
        for part in content.as_array().into_iter().flatten() {
            match part["type"].as_str().unwrap_or_default() {
                "text" => self.output(part["text"].as_str().unwrap_or_default())?,
                "image" => self.image(part)?,
                _ => self.verbatim(part)?,
            }
        }
        Ok(())
    }

    fn output(&mut self, text: &str) -> Result<(), String> {
        self.count(text);
        self.bound.extend(markers(text));
        let known = match self.place(text).map(|place| place.what) {
            Some(What::Result(result)) => result.content.iter().any(|part| match part {
                record::ResultPart::Text(stored) => stored.as_str() == text,
                record::ResultPart::Opaque(part) => file_told(part).as_deref() == Some(text),
                record::ResultPart::Image(_) => false,
            }),
            Some(What::Opaque(part)) => file_told(part).as_deref() == Some(text),
            Some(_) => false,
            None => text.split('\n').all(wording::is_result),
        };
        if known { Ok(()) } else { Err(format!("result nobody returned: {text:?}")) }
    }

    fn image(&mut self, value: &Value) -> Result<(), String> {
        let source = &value["source"];
        let key = ["data", "url", "file_id"].iter().find_map(|name| source[*name].as_str());
        self.image_of(key.unwrap_or_default(), value)
    }

    pub(crate) fn image_of(&mut self, key: &str, value: &Value) -> Result<(), String> {
        *self.images.entry(key.to_owned()).or_default() += 1;
        let known = self
            .stored
            .images
            .get(key)
            .is_some_and(|places| places.iter().any(|(at, _)| *at < self.request.at));
        if known { Ok(()) } else { Err(format!("image nobody stored: {value}")) }
    }

    /// A block that goes back as it was stored.
    pub(crate) fn verbatim(&mut self, value: &Value) -> Result<(), String> {
        let text = value.to_string();
        self.count(&text);
        let known = match self.place(&text).map(|place| place.what) {
            Some(What::Opaque(opaque)) => {
                let mut raw: Value =
                    serde_json::from_str(opaque.raw.as_str()).map_err(|e| e.to_string())?;
                if let Value::Object(members) = &mut raw {
                    members.remove("cache_control");
                }
                raw == *value
            }
            // A server's refusal has no text of its own.
            _ => text.contains("web_search_tool_result") && markers(&text).is_empty(),
        } || self.crossed(value);
        if known { Ok(()) } else { Err(format!("block nobody stored: {value}")) }
    }

    /// Whether a part says a file that was stored in the form of another API: its bytes, or its
    /// text, which may stand in base64 here.
    fn crossed(&mut self, value: &Value) -> bool {
        let mut leaves = vec![value];
        let mut known = false;
        while let Some(value) = leaves.pop() {
            match value {
                Value::Object(members) => leaves.extend(members.values()),
                Value::Array(items) => leaves.extend(items),
                Value::String(text) => {
                    let decoded = wire::media::text_of(text);
                    self.count(decoded.as_deref().unwrap_or_default());
                    // A document's name is told without the signs that Converse has no place for.
                    let named = markers(text).is_empty().then(|| format!("@@{text}@@"));
                    self.count(named.as_deref().unwrap_or_default());
                    // Bytes have no marker; the file's name, which had one, may be lost and named.
                    let bytes = decoded.as_ref().filter(|_| markers(text).is_empty());
                    known |= bytes.is_some() && self.is_in_a_file(text);
                    for text in [Some(text.clone()), decoded, named].into_iter().flatten() {
                        known |= matches!(self.place(&text).map(|place| place.what),
                            Some(What::Opaque(part)) if part.raw.as_str().contains(&text));
                    }
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        known
    }

    fn is_in_a_file(&self, bytes: &str) -> bool {
        let mut stored = self.stored.marked.values().flatten();
        stored.any(|place| {
            place.at < self.request.at
                && matches!(place.what, What::Opaque(part) if part.raw.as_str().contains(bytes))
        })
    }

    /// Every stored thing is there once or is named; what is not in the view is not there.
    fn conserved(&self, changes: &[&Change]) -> Result<(), String> {
        let mut named: HashSet<(&EntryId, u32)> = HashSet::new();
        let mut omitted: HashSet<(&EntryId, u32)> = HashSet::new();
        for change in changes {
            if let (Some(row), Some(block)) = (&change.row, change.block) {
                named.insert((row, block));
                let partly =
                    matches!(change.kind, ChangeKind::BlankText | ChangeKind::ToolMemberOmitted);
                if change.kind.effect() == Effect::Omitted && !partly {
                    omitted.insert((row, block));
                }
            }
        }
        for (marker, places) in &self.stored.marked {
            let count = self.counts.get(marker).copied().unwrap_or_default();
            self.marked(*marker, places, count, &named, &omitted)?;
        }
        let shows_renditions = TARGETS[self.request.target].api == Api::Claude;
        for (key, places) in &self.stored.images {
            if !shows_renditions && self.stored.renditions.contains(key) {
                continue;
            }
            let count = self.images.get(key).copied().unwrap_or_default();
            let due: Vec<_> = places
                .iter()
                .filter(|(at, block)| *at < self.request.at && self.is_due(*at, *block))
                .collect();
            let named = due
                .iter()
                .filter(|(at, block)| named.contains(&(&self.played.path[*at].id, *block)))
                .count();
            if count > due.len() || count + named < due.len() {
                let places: Vec<_> =
                    places.iter().map(|(at, block)| (&self.played.path[*at].id, block)).collect();
                return Err(format!("image of {places:?}: {count} times on the wire"));
            }
        }
        self.unmarked(&named)?;
        self.results_are_bound()
    }

    /// A result that came while nothing of its call's agent stood between stands with its call,
    /// whatever others said meanwhile.
    fn results_are_bound(&self) -> Result<(), String> {
        let path = &self.played.path[..self.request.at];
        // What a compaction had left out may have been told as a gap.
        if path.iter().any(|entry| matches!(entry.fact, record::Fact::Compaction(_))) {
            return Ok(());
        }
        let mut calls: HashMap<&str, (usize, usize)> = HashMap::new();
        let mut results: HashMap<&str, usize> = HashMap::new();
        for (at, entry) in path.iter().enumerate() {
            let blocks = entry.message().map(|message| message.blocks.as_slice());
            for block in blocks.unwrap_or_default() {
                match block {
                    Block::ToolUse(call) => {
                        calls
                            .entry(&call.id)
                            .and_modify(|(_, times)| *times += 1)
                            .or_insert((at, 1));
                    }
                    Block::ToolResult(result) => {
                        *results.entry(&result.tool_use_id).or_default() += 1;
                    }
                    _ => {}
                }
            }
        }
        for (marker, places) in &self.stored.marked {
            let [place] = places.as_slice() else { continue };
            let What::Result(result) = place.what else { continue };
            let id = result.tool_use_id.as_str();
            let Some((called, 1)) = calls.get(id) else { continue };
            let by_operator = |at: usize| {
                self.played.path[at].message().is_some_and(|row| row.role == Role::System)
            };
            let due = place.at < self.request.at
                && !by_operator(place.at)
                && results.get(id) == Some(&1)
                && self.is_due(place.at, place.block)
                && self.view.holds[*called]
                && self.counts.contains_key(marker);
            if due && !self.bound.contains(marker) && self.stays_open(*called, place.at) {
                return Err(format!("@@k{marker}@@ is told apart from its call {id:?}"));
            }
        }
        Ok(())
    }

    /// Whether a round is open from its call to here, as this reader sees it.
    fn stays_open(&self, called: usize, until: usize) -> bool {
        let path = &self.played.path;
        let Some(call) = path[called].message() else { return false };
        let Some(author) = call.author.as_ref().filter(|_| call.role == Role::Assistant) else {
            return false;
        };
        let reader = AGENTS[self.request.agent];
        // A reply of the same agent that was stored while this one was under way follows it.
        let before = path[..called].iter().rev();
        let overtaken = before
            .take_while(|entry| !matches!(&entry.fact, record::Fact::Sent(_)))
            .any(|entry| entry.message().is_some_and(|m| m.role == Role::Assistant));
        called < until
            && !overtaken
            && path[called + 1..until].iter().all(|entry| match &entry.fact {
                record::Fact::Sent(sent) => sent.agent != *author && sent.agent.as_str() != reader,
                record::Fact::Message(message) => {
                    message.role != Role::Assistant
                        || message.author.as_ref().is_some_and(|other| other != author)
                }
                record::Fact::Compaction(_) | record::Fact::Retracted(_) => false,
                _ => true,
            })
    }

    /// Whether a row's block is in the view and not retracted.
    fn is_due(&self, at: usize, block: u32) -> bool {
        let entry = &self.played.path[at];
        let boundary = entry
            .message()
            .is_some_and(|message| message.kind == Some(MessageKind::CompactBoundary));
        self.view.holds[at] && !boundary && !self.view.is_retracted(&entry.id, block)
    }

    fn marked(
        &self,
        marker: u64,
        places: &[Place<'_>],
        count: usize,
        named: &HashSet<(&EntryId, u32)>,
        omitted: &HashSet<(&EntryId, u32)>,
    ) -> Result<(), String> {
        let (mut due, mut excused, mut said_gone) = (0, 0, 0);
        for place in places.iter().filter(|place| place.at < self.request.at) {
            if matches!(place.what, What::Tool) {
                // Which tools are in force is the head's business.
                return Ok(());
            }
            let key = (&self.played.path[place.at].id, place.block);
            if self.is_wanted(place) {
                due += 1;
                excused += usize::from(named.contains(&key));
                said_gone += usize::from(omitted.contains(&key));
            }
        }
        if count + said_gone <= due && count + excused >= due {
            return Ok(());
        }
        let places: Vec<_> =
            places.iter().map(|place| (&self.played.path[place.at].id, place.block)).collect();
        Err(format!(
            "@@k{marker}@@ of {places:?}: {count} times on the wire, {due} in the view, {excused} \
             named, {said_gone} named as left out"
        ))
    }

    /// Whether a stored thing is in the view.
    fn is_wanted(&self, place: &Place<'_>) -> bool {
        let applies = self.view.boundary == Some(place.at);
        match place.what {
            What::Tool => false,
            What::HeadText(_) => self.view.head == Some(place.at),
            What::Handoff(_) => applies,
            What::Continuation(_) => {
                let by_user = matches!(&self.played.path[place.at].fact,
                    record::Fact::Compaction(compaction) if compaction.handoff_by_user);
                applies && !by_user
            }
            What::Text(..)
            | What::Call(_)
            | What::Result(_)
            | What::Thought(_)
            | What::Opaque(_) => self.is_due(place.at, place.block),
        }
    }

    /// Blocks without a marker: each is named or is a call; calls are all there.
    fn unmarked(&self, named: &HashSet<(&EntryId, u32)>) -> Result<(), String> {
        let mut calls = 0;
        for (at, entry) in self.played.path[..self.request.at].iter().enumerate() {
            let Some(message) = entry.message() else { continue };
            for (block, index) in message.blocks.iter().zip(0u32..) {
                if !self.is_due(at, index) {
                    continue;
                }
                let is_named = named.contains(&(&entry.id, index));
                let fine = match block {
                    Block::Text(text) => {
                        let sealed = text.proof.as_ref().map(|proof| proof.sealed.as_str());
                        let signed = sealed.is_some_and(|s| self.blank_signed.contains(s));
                        !record::blank::is_blank(&text.text) || is_named || signed
                    }
                    Block::ToolUse(_) if message.role == Role::Assistant => {
                        calls += 1;
                        true
                    }
                    Block::ToolUse(_) => is_named,
                    Block::ToolResult(result) => !result.content.is_empty() || is_named,
                    Block::Reasoning(_)
                    | Block::Image(_)
                    | Block::SystemChange(_)
                    | Block::Opaque(_) => true,
                };
                if !fine {
                    return Err(format!("{}.{index} is neither there nor named", entry.id));
                }
            }
        }
        if calls == self.calls {
            return Ok(());
        }
        Err(format!("{} calls on the wire, {calls} in the view", self.calls))
    }
}

/// Whether a stored text, lone surrogates replaced, is this value.
pub(crate) fn same_json(stored: &str, value: &Value) -> bool {
    let Ok(raw) = json::Raw::parse(stored) else { return false };
    let clean = raw.without_lone_surrogates().unwrap_or(raw);
    serde_json::from_str::<Value>(clean.as_str()).is_ok_and(|stored| stored == *value)
}
