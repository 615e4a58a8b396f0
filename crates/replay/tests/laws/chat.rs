//! Conserved, over Chat Completions: the same judge reads messages whose texts are joined.
//!
//! A text on this wire may be several stored ones with words of the table between. Each stored text
//! is taken out of it whole; what is left has to be of the table, line by line.

use record::{Message, Source};
use serde_json::Value;
use testkit::text::markers;
use testkit::{Api, TARGETS, target};

use crate::body::Body;
use crate::conserved::{Judge, same_json};
use crate::stored::What;
use crate::wording;

/// On whose side a text stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    System,
    User,
    Assistant,
    Tool,
}

/// What lines of a record after an item's first begin with.
const INDENT: &str = "    ";

/// Digits of a hash that a name which was made ends with.
const HASH_DIGITS: usize = 8;

impl<'p> Judge<'p> {
    /// Looks at every message of a body.
    pub(crate) fn chat(&mut self, body: &Body) -> Result<(), String> {
        for message in body.root["messages"].as_array().into_iter().flatten() {
            self.message(message)?;
        }
        Ok(())
    }

    fn message(&mut self, message: &Value) -> Result<(), String> {
        let side = match message["role"].as_str().unwrap_or_default() {
            "system" | "developer" => Side::System,
            "user" => Side::User,
            "assistant" => Side::Assistant,
            "tool" => Side::Tool,
            role => return Err(format!("a role nobody has: {role:?}")),
        };
        match &message["content"] {
            Value::String(text) => self.said(text, side)?,
            Value::Array(parts) => {
                for part in parts {
                    self.part(part, side)?;
                }
            }
            Value::Null if side == Side::Assistant || message.get("images").is_some() => {}
            other => return Err(format!("content that is none: {other}")),
        }
        for image in message["images"].as_array().into_iter().flatten() {
            self.image_of(image.as_str().unwrap_or_default(), image)?;
        }
        for key in ["reasoning_content", "reasoning", "thinking"] {
            if let Some(text) = message[key].as_str() {
                self.thoughts(text)?;
            }
        }
        if let Some(details) = message.get("reasoning_details") {
            self.details(details)?;
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            self.chat_call(&call["function"])?;
        }
        Ok(())
    }

    fn part(&mut self, part: &Value, side: Side) -> Result<(), String> {
        match part["type"].as_str().unwrap_or_default() {
            "text" => self.said(part["text"].as_str().unwrap_or_default(), side),
            "image_url" if matches!(side, Side::User | Side::Tool) => {
                let url = part["image_url"]["url"].as_str().unwrap_or_default();
                let key = url.split_once(";base64,").map_or(url, |(_, data)| data);
                self.image_of(key, part)
            }
            "thinking" if side == Side::Assistant => {
                self.thoughts(part["thinking"][0]["text"].as_str().unwrap_or_default())
            }
            _ => self.verbatim(part),
        }
    }

    /// A text: stored ones, and between them words of the table.
    pub(crate) fn said(&mut self, text: &str, side: Side) -> Result<(), String> {
        self.count(text);
        let mut rest = text.to_owned();
        if let Some((_, record)) = text.split_once(wording::ACTIONS) {
            self.bound.extend(markers(record));
        }
        for marker in markers(text) {
            let stored = self.texts_of(marker, side);
            let found = stored.iter().find_map(|stored| {
                let set_in = stored.replace('\n', &format!("\n{INDENT}"));
                [stored.clone(), set_in].into_iter().find(|text| rest.contains(text.as_str()))
            });
            let Some(found) = found else {
                // It may have been taken out with the one before: a text of several markers.
                if rest.contains(&testkit::text::marker(marker)) {
                    return Err(format!("{side:?} text nobody stored: {text:?}"));
                }
                continue;
            };
            rest = rest.replacen(&found, "", 1);
        }
        let authority = rest.find(wording::AUTHORITY).filter(|_| side != Side::Assistant);
        let lines = rest.get(..authority.unwrap_or(rest.len())).unwrap_or_default();
        for line in lines.split('\n').filter(|line| !record::blank::is_blank(line)) {
            let known = match side {
                Side::Assistant => false,
                Side::System => line == wording::NO_TOOLS || line == wording::NO_INSTRUCTIONS,
                Side::Tool => {
                    let line = line.strip_prefix("Error: ").unwrap_or(line);
                    line.is_empty() || wording::is_result(line) || line == wording::IMAGE_BEHIND
                }
                Side::User => is_user_line(line),
            };
            if !known {
                return Err(format!("{side:?} line nobody stored: {line:?} of {text:?}"));
            }
        }
        Ok(())
    }

    /// The stored texts with this marker that may stand on this side, in their wire form.
    fn texts_of(&mut self, marker: u64, side: Side) -> Vec<String> {
        use record::Role;
        let places = self.stored.marked.get(&marker).cloned().unwrap_or_default();
        let mut texts = Vec::new();
        for place in places.into_iter().filter(|place| place.at < self.request.at) {
            match (side, place.what) {
                (Side::User, What::Text(Role::User | Role::Tool | Role::System, text))
                | (Side::System, What::Text(Role::System, text) | What::HeadText(text))
                | (Side::User, What::HeadText(text) | What::Continuation(text))
                | (Side::Assistant, What::Text(Role::Assistant, text)) => {
                    texts.push(text.to_owned());
                }
                (Side::User | Side::Assistant, What::Handoff(compaction)) => {
                    let by_user = side == Side::User;
                    let handoff = compaction.handoff.as_deref();
                    let fits = compaction.handoff_by_user == by_user;
                    texts.extend(handoff.filter(|_| fits).map(str::to_owned));
                }
                (Side::User | Side::Tool, What::Result(result)) => {
                    if side == Side::Tool {
                        self.bound.insert(marker);
                    }
                    for part in &result.content {
                        match part {
                            record::ResultPart::Text(text) => texts.push(text.as_str().to_owned()),
                            record::ResultPart::Opaque(part) => {
                                texts.extend(file_told(part));
                                texts.extend(file_text(part));
                            }
                            record::ResultPart::Image(_) => {}
                        }
                    }
                }
                (Side::User | Side::Tool, What::Opaque(opaque)) => {
                    texts.extend(file_told(opaque));
                    texts.extend(file_text(opaque));
                }
                (Side::User, What::Call(call)) => {
                    texts.push(call.input.text().as_str().to_owned());
                }
                _ => {}
            }
        }
        if matches!(TARGETS[self.request.target].api, Api::Chat | Api::Responses) {
            let wire = |text: &mut String| *text = text.replace('\0', "\u{fffd}");
            texts.iter_mut().for_each(wire);
        }
        // The one that holds the marker, the longest first.
        texts.retain(|text| markers(text).contains(&marker));
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        texts
    }

    /// Reasoning: thoughts of replies of this very target, whole.
    fn thoughts(&mut self, text: &str) -> Result<(), String> {
        self.count(text);
        let mut rest = text.to_owned();
        for marker in markers(text) {
            let stored = self.thought_of(marker)?;
            let wire = stored.reasoning.as_str();
            if !rest.contains(wire) {
                return Err(format!("a thought that was another: {text:?}"));
            }
            rest = rest.replacen(wire, "", 1);
        }
        if rest.trim().is_empty() { Ok(()) } else { Err(format!("words in a thought: {rest:?}")) }
    }

    /// Typed reasoning: as it was stored.
    fn details(&mut self, details: &Value) -> Result<(), String> {
        if details.as_array().is_some_and(Vec::is_empty) {
            return Ok(());
        }
        let text = details.to_string();
        self.count(&text);
        let marker = *markers(&text).first().ok_or("typed reasoning nobody stored")?;
        let stored = self.thought_of(marker)?;
        let sealed = stored.proof.as_ref().map(|proof| &proof.sealed);
        let raw = sealed.or_else(|| stored.rest.get("reasoning_details"));
        let same = raw.is_some_and(|raw| same_json(raw.as_str(), details));
        if same { Ok(()) } else { Err(format!("typed reasoning that was another: {details}")) }
    }

    /// The stored thought of a marker, which has to be of a reply of this request's target.
    fn thought_of(&self, marker: u64) -> Result<&'p record::Reasoning, String> {
        let places = self.stored.marked.get(&marker).map(Vec::as_slice).unwrap_or_default();
        let place = places.iter().find(|place| place.at < self.request.at);
        let place = place.ok_or_else(|| format!("a thought nobody had: @@k{marker}@@"))?;
        let What::Thought(thought) = place.what else {
            return Err(format!("@@k{marker}@@ is told as a thought"));
        };
        let entry = &self.played.path[place.at];
        let own = entry.message().is_some_and(|message| self.is_own(message));
        let sealed_elsewhere = thought
            .proof
            .as_ref()
            .is_some_and(|proof| proof.issuer.model != target(self.request.target).to.model);
        if own && !sealed_elsewhere {
            Ok(thought)
        } else {
            Err(format!("the thought @@k{marker}@@ of another is told"))
        }
    }

    fn is_own(&self, message: &Message) -> bool {
        let to = target(self.request.target).to;
        matches!(&message.source, Some(Source::Model { platform, api, model, .. })
            if *platform == to.platform && *api == to.dialect && *model == to.model)
    }

    pub(crate) fn chat_call(&mut self, function: &Value) -> Result<(), String> {
        self.calls += 1;
        // An object, where the wire takes one.
        let object = function["arguments"].as_object().map(|_| function["arguments"].to_string());
        let text = object.as_deref().or(function["arguments"].as_str()).unwrap_or_default();
        let input: Option<Value> = serde_json::from_str(text).ok();
        let raw = input.as_ref().and_then(|input| input.get("_unparsed_arguments"));
        let raw = raw.and_then(Value::as_str);
        self.count(raw.unwrap_or(text));
        let Some(place) = self.place(raw.unwrap_or(text)) else {
            return if text == "{}" {
                Ok(())
            } else {
                Err(format!("call nobody made: {function}"))
            };
        };
        let What::Call(call) = place.what else {
            return Err(format!("call that was stored as something else: {function}"));
        };
        let stored = call.input.text().as_str();
        let same_input = raw.unwrap_or(text).replace('\u{fffd}', "\0")
            == stored.replace('\u{fffd}', "\0")
            || ((call.input.has_lone_surrogate() || object.is_some())
                && input.is_some_and(|input| {
                    // A NUL of an object is an escape there.
                    same_json(&stored.replace("\\u0000", "\\ufffd"), &input)
                }));
        let name = function["name"].as_str().unwrap_or_default();
        if same_input && (name == call.name.as_str() || is_made(name)) {
            Ok(())
        } else {
            Err(format!("call that was made otherwise: {function}"))
        }
    }
}

/// Whether a name may be one that was made.
pub(crate) fn is_made(name: &str) -> bool {
    let hash = name.len().checked_sub(HASH_DIGITS).and_then(|from| name.get(from..));
    let hashed = hash.is_some_and(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
    name == "unnamed" || hashed
}

/// A line of the user side that is of the table.
fn is_user_line(line: &str) -> bool {
    let result = |line: &str| wording::is_result(line) || line == wording::IMAGE_BEHIND;
    let item = |line: &str| {
        ["  result: ", "  error: ", "  did not complete: "].iter().any(|begins| {
            line.strip_prefix(begins).is_some_and(|rest| rest.trim().is_empty() || result(rest))
        })
    };
    let evidence = |line: &str| {
        let label = line.starts_with("Result (") || line.starts_with("Error (");
        label && line.split_once("): ").is_some_and(|(_, rest)| rest.is_empty() || result(rest))
    };
    let called = line.starts_with("- ") && line.contains(" was called with ");
    wording::is_note(line)
        || result(line.trim_start())
        || item(line)
        || evidence(line)
        || called
        || line == wording::ACTIONS
        || line == wording::SYSTEM_NOTE
        || line == wording::NO_TOOLS
        || line == format!("{}{}", wording::SYSTEM_NOTE, wording::NO_TOOLS)
        || wording::is_late(line)
}

/// A file that is text, or a search result, as it is told in words.
pub(crate) fn file_told(part: &record::OpaqueBlock) -> Option<String> {
    let raw: Value = serde_json::from_str(part.raw.as_str()).ok()?;
    let text = file_text(part)?;
    let result = if raw["searchResult"].is_object() { &raw["searchResult"] } else { &raw };
    let told = match (result["title"].as_str(), result["source"].as_str()) {
        (Some(title), Some(source)) => {
            let (title, source) = (Value::from(title), Value::from(source));
            format!(
                "[Record note: a search result was given here: {title}, from {source}. It says:]"
            )
        }
        _ => {
            let names =
                [&raw["title"], &raw["document"]["name"], &raw["inlineData"]["displayName"]];
            let name =
                names.into_iter().find_map(|name| name.as_str().filter(|name| !name.is_empty()));
            let called = name.map(|name| format!(" called {}", Value::from(name)));
            let called = called.unwrap_or_default();
            format!("[Record note: a text file{called} was given here. It says:]")
        }
    };
    Some(format!("{told}\n{text}"))
}

/// What a file says that is text, or a search result.
pub(crate) fn file_text(part: &record::OpaqueBlock) -> Option<String> {
    let raw: Value = serde_json::from_str(part.raw.as_str()).ok()?;
    let found = raw["content"].as_array().or(raw["searchResult"]["content"].as_array());
    let texts = found.map(|texts| {
        let texts = texts.iter().map(|text| text["text"].as_str().unwrap_or_default());
        texts.collect::<Vec<_>>().join("\n")
    });
    let data = [&raw["document"]["source"]["bytes"], &raw["inlineData"]["data"]];
    let decoded = data.into_iter().find_map(|data| wire::media::text_of(data.as_str()?));
    texts.or(decoded).or_else(|| raw["source"]["data"].as_str().map(str::to_owned))
}
