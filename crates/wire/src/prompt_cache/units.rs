//! A body as the parts that a prompt cache reads, in the order in which it reads them.
//!
//! Tools, then system text, then messages; a parameter on which the cache of one of them hangs
//! stands ahead of it. What marks a cache breakpoint is no part of a unit: marks move along with a
//! conversation.

use std::collections::BTreeSet;

use json::{Kind, Value, canonical};

use super::rules::{self, Api, Level};

/// Members that mark where a cached prefix ends.
const MARKS: [&str; 2] = ["cache_control", "prompt_cache_breakpoint"];

/// The block that does, over Bedrock Converse.
const CACHE_POINT: &str = "cachePoint";

/// Lists of messages, by API.
const LISTS: [&str; 3] = ["messages", "input", "contents"];

/// Members that hold system text, by API; the last two are one.
const SYSTEMS: [&str; 4] = ["system", "instructions", "systemInstruction", "system_instruction"];

/// Both spellings of the list of functions in one of Gemini's tools.
const DECLARED: [&str; 2] = ["functionDeclarations", "function_declarations"];

/// Whose message is one that does not say.
const ROLE_OMITTED: &str = "\"user\"";

/// Members of a message that hold its blocks.
const CONTENTS: [&str; 2] = ["content", "parts"];

/// Members of a message that hold what the model thought.
const THOUGHTS: [&str; 4] = ["reasoning_content", "reasoning", "reasoning_details", "thinking"];

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A parameter of the request.
    Parameter,
    /// A tool.
    Tool,
    /// A piece of system text.
    System,
    /// Whose message it is.
    Role,
    /// A content block, or an item that is one.
    Block,
    /// A thought.
    Thought,
    /// A call or an image, in a list beside the content.
    Item,
    /// Another member of a message.
    Member,
}

/// How long what is cached up to a mark is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ttl {
    /// As the provider does where nothing is said.
    Default,
    /// An hour or longer.
    Long,
}

/// A part of a body, as it is compared.
#[derive(Clone, Debug)]
pub struct Unit<'d, 't> {
    /// `tools[0]`, `system[1]`, `messages[2].content[0]`.
    pub name: String,
    /// Which part of the cache it belongs to.
    pub level: Level,
    /// What it is.
    pub part: Part,
    /// What stands there; none where a parameter is not given.
    pub value: Option<Value<'d, 't>>,
    /// Where it stands in the body, where that is written otherwise than its name.
    pub written: Option<String>,
    /// What its API takes it for where it is not given, as canonical JSON; else empty.
    pub omitted: &'static str,
    /// The cache breakpoint at its end.
    pub mark: Option<Ttl>,
}

impl Unit<'_, '_> {
    /// Where it stands in the body.
    pub fn path(&self) -> &str {
        self.written.as_deref().unwrap_or(&self.name)
    }

    /// Whether not giving it says the same as this.
    pub fn is_omitted(&self, given: Value<'_, '_>) -> bool {
        !self.omitted.is_empty() && canonical::of(given) == self.omitted
    }

    /// Whether a look-back counts it: what a breakpoint can stand on.
    pub fn is_block(&self) -> bool {
        match self.part {
            Part::Tool | Part::System | Part::Block | Part::Thought | Part::Item => true,
            Part::Parameter | Part::Role | Part::Member => false,
        }
    }
}

/// The units of a body.
pub fn of<'d, 't>(body: Value<'d, 't>, api: &Api<'_>) -> Vec<Unit<'d, 't>> {
    let mut reading = Reading { units: Vec::new(), level: Level::Model };
    reading.push("model".to_owned(), Part::Parameter, body.get("model"));
    reading.parameters(body, api, Level::Tools);
    let tools = body.get("tools").map(|tools| ("tools", tools));
    let config = body.get("toolConfig").and_then(|config| config.get("tools"));
    if let Some((name, tools)) = tools.or(config.map(|tools| ("toolConfig.tools", tools))) {
        reading.tools(name, tools);
    }
    reading.parameters(body, api, Level::System);
    for name in SYSTEMS {
        if let Some(system) = body.get(name).filter(|system| !system.is_null()) {
            reading.system(name, system);
        }
    }
    let list = list_of(body);
    let messages = list.into_iter().flat_map(|(name, list)| list.items().map(move |m| (name, m)));
    let messages: Vec<_> = messages.enumerate().collect();
    // Where system text is a message, those that lead are what it is elsewhere.
    let lead = messages.iter().take_while(|(_, (_, message))| is_system(*message)).count();
    let (system, rest) = messages.split_at(lead);
    reading.messages(system, Part::System);
    reading.parameters(body, api, Level::Messages);
    reading.messages(rest, Part::Block);
    if let Some((name, text)) = list.filter(|(_, text)| text.kind() == Kind::String) {
        // A text alone is what a user says.
        reading.push(format!("{name}[0].role"), Part::Role, None);
        reading.push(format!("{name}[0].content[0]"), Part::Block, Some(text));
        reading.written(name.to_owned());
    }
    if let Some(mark) = mark_of(body) {
        reading.mark_last(mark);
    }
    reading.units
}

/// The list of messages of a body, and its name.
fn list_of<'d, 't>(body: Value<'d, 't>) -> Option<(&'static str, Value<'d, 't>)> {
    LISTS.into_iter().find_map(|name| Some((name, body.get(name)?)))
}

/// The members of a body that are read as units or mark, as paths.
pub fn read(body: Value<'_, '_>, api: &Api<'_>) -> BTreeSet<Vec<&'static str>> {
    let mut read: BTreeSet<_> = MARKS.into_iter().chain(SYSTEMS).map(|name| vec![name]).collect();
    read.insert(vec!["model"]);
    let tools: &[&str] =
        if body.get("tools").is_some() { &["tools"] } else { &["toolConfig", "tools"] };
    read.insert(tools.to_vec());
    read.extend(list_of(body).map(|(name, _)| vec![name]));
    let parameters = Level::ALL.into_iter().flat_map(|level| rules::parameters(api, level));
    read.extend(parameters.map(<[_]>::to_vec));
    read
}

/// Whether a member marks a cache breakpoint.
pub fn is_mark(name: Value<'_, '_>) -> bool {
    MARKS.iter().any(|mark| name.is_str(mark))
}

/// Whether a block does nothing but mark one.
pub fn is_mark_block(block: Value<'_, '_>) -> bool {
    block.kind() == Kind::Object && block.get(CACHE_POINT).is_some()
}

struct Reading<'d, 't> {
    units: Vec<Unit<'d, 't>>,
    level: Level,
}

impl<'d, 't> Reading<'d, 't> {
    fn push(&mut self, name: String, part: Part, value: Option<Value<'d, 't>>) {
        if value.is_some_and(is_mark_block) {
            return self.mark_last(value.map_or(Ttl::Default, ttl_of_point));
        }
        let mark = value.and_then(mark_of).or_else(|| value.and_then(mark_within));
        let level = self.level;
        let omitted = if part == Part::Role { ROLE_OMITTED } else { "" };
        self.units.push(Unit { name, level, part, value, written: None, omitted, mark });
    }

    /// Says where the last unit stands, where that is not its name.
    fn written(&mut self, path: String) {
        if let Some(last) = self.units.last_mut() {
            last.written = Some(path).filter(|path| *path != last.name);
        }
    }

    fn mark_last(&mut self, mark: Ttl) {
        if let Some(last) = self.units.iter_mut().rev().find(|unit| unit.is_block()) {
            last.mark = Some(mark);
        }
    }

    /// The parameters on which the cache of a level hangs. Each is a unit, given or not, so that
    /// one that comes or goes is met at its place.
    fn parameters(&mut self, body: Value<'d, 't>, api: &Api<'_>, level: Level) {
        self.level = level;
        for path in rules::parameters(api, level) {
            let start = Some(body);
            let value = path.iter().fold(start, |value, name| value.and_then(|v| v.get(name)));
            let given = value.filter(|value| !value.is_null());
            self.push(path.join("."), Part::Parameter, given);
            if let Some(last) = self.units.last_mut() {
                last.omitted = rules::omitted(api, path);
            }
        }
    }

    fn tools(&mut self, name: &str, tools: Value<'d, 't>) {
        for (index, tool) in tools.items().enumerate() {
            let name = format!("{name}[{index}]");
            let list = DECLARED.into_iter().find_map(|list| Some((list, tool.get(list)?)));
            let Some((member, list)) = list else {
                self.push(name, Part::Tool, Some(tool));
                continue;
            };
            for (at, declared) in list.items().enumerate() {
                self.push(format!("{name}.{}[{at}]", DECLARED[0]), Part::Tool, Some(declared));
                self.written(format!("{name}.{member}[{at}]"));
            }
            for (key, beside) in tool.members() {
                let key = key.as_str().filter(|key| *key != member);
                if let Some(key) = key {
                    self.push(format!("{name}.{key}"), Part::Tool, Some(beside));
                }
            }
        }
    }

    /// System text; both spellings of Gemini's are one member.
    fn system(&mut self, written: &str, system: Value<'d, 't>) {
        let name = if written == SYSTEMS[3] { SYSTEMS[2] } else { written };
        let from = self.units.len();
        match system.get("parts") {
            Some(list) => self.blocks(&format!("{name}.parts"), list, Part::System),
            None => self.blocks(name, system, Part::System),
        }
        for unit in self.units.iter_mut().skip(from).filter(|_| written != name) {
            unit.written = unit.path().strip_prefix(name).map(|rest| format!("{written}{rest}"));
        }
    }

    fn messages(&mut self, list: &[(usize, (&str, Value<'d, 't>))], part: Part) {
        for (index, (name, message)) in list {
            self.message(&format!("{name}[{index}]"), *message, part);
        }
    }

    /// A message: its role, its content, and by name whatever else it holds (calls, the call a
    /// result is of, reasoning). A member that is null says nothing.
    fn message(&mut self, name: &str, message: Value<'d, 't>, part: Part) {
        let role = message.get("role");
        if role.is_none() && message.get("parts").is_none() {
            return self.push(name.to_owned(), part_of(message), Some(message));
        }
        self.push(format!("{name}.role"), Part::Role, role);
        let mut more: Vec<(String, Value<'d, 't>)> = Vec::new();
        for (key, member) in message.members().filter(|(_, member)| !member.is_null()) {
            let Some(key) = key.as_str() else { continue };
            if CONTENTS.contains(&&*key) {
                self.blocks(&format!("{name}.{key}"), member, part);
            } else if key != "role" && !MARKS.contains(&&*key) && !is_type(&key, member) {
                more.push((key.into_owned(), member));
            }
        }
        more.sort_by(|(one, _), (other, _)| one.cmp(other));
        for (key, member) in more {
            let thought = THOUGHTS.contains(&key.as_str());
            let part = |other| if thought { Part::Thought } else { other };
            let name = format!("{name}.{key}");
            match member.kind() {
                // Calls, images.
                Kind::Array => self.blocks(&name, member, part(Part::Item)),
                _ => self.push(name, part(Part::Member), Some(member)),
            }
        }
        if let Some(mark) = mark_of(message) {
            self.mark_last(mark);
        }
    }

    /// The blocks of a content; a string is one text block.
    fn blocks(&mut self, name: &str, content: Value<'d, 't>, part: Part) {
        if content.kind() != Kind::Array {
            self.push(format!("{name}[0]"), part, Some(content));
            return self.written(name.to_owned());
        }
        for (index, block) in content.items().enumerate() {
            let own = if part == Part::Block { part_of(block) } else { part };
            self.push(format!("{name}[{index}]"), own, Some(block));
        }
    }
}

fn is_system(message: Value<'_, '_>) -> bool {
    message.get("role").is_some_and(|role| role.is_str("system") || role.is_str("developer"))
}

/// Whether a member says of a message that it is one.
fn is_type(name: &str, member: Value<'_, '_>) -> bool {
    name == "type" && member.is_str("message")
}

/// A thought is told from other blocks, in whichever form its API has.
fn part_of(block: Value<'_, '_>) -> Part {
    const KINDS: [&str; 3] = ["thinking", "redacted_thinking", "reasoning"];
    if block.kind() != Kind::Object {
        return Part::Block;
    }
    let kind = block.get_str("type");
    let is_kind = kind.is_some_and(|kind| KINDS.contains(&&*kind));
    let is_part = block.get("thought").and_then(Value::as_bool) == Some(true);
    let is_thought = is_kind || is_part || block.get("reasoningContent").is_some();
    if is_thought { Part::Thought } else { Part::Block }
}

fn mark_of(value: Value<'_, '_>) -> Option<Ttl> {
    let mark = MARKS.iter().find_map(|mark| value.get(mark)).filter(|mark| !mark.is_null())?;
    Some(ttl(mark))
}

/// A mark on a block inside a result or a document.
fn mark_within(value: Value<'_, '_>) -> Option<Ttl> {
    let document = value.get("source").and_then(|source| source.get("content"));
    let lists = [value.get("content"), value.get("output"), document].into_iter().flatten();
    lists.flat_map(Value::items).filter_map(mark_of).last()
}

fn ttl_of_point(block: Value<'_, '_>) -> Ttl {
    block.get(CACHE_POINT).map_or(Ttl::Default, ttl)
}

fn ttl(mark: Value<'_, '_>) -> Ttl {
    let long = mark.get_str("ttl").is_some_and(|ttl| ttl.ends_with('h'));
    if long { Ttl::Long } else { Ttl::Default }
}
