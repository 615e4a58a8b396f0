//! Walks a value against a closed schema: unknown keys, missing keys, wrong types and words.
//!
//! The schema itself is [`super::shapes`]. Paths are built as the provider builds them: the tag of
//! a shape that was chosen by `type` is a step of its own (`messages.0.content.1.tool_use.id`).

use std::borrow::Cow;
use std::fmt::Write;

use json::{Kind, Value};

use super::limits::{CALLED_NAME_CHARS_MAX, TOOL_NAME_CHARS_DOCUMENTED, TOOL_NAME_CHARS_MAX};
use crate::report::{Report, one_of};

/// The pattern of tool ids.
pub(super) const ID_PATTERN: &str = "^[a-zA-Z0-9_-]+$";
/// The pattern of server tool ids.
pub(super) const SERVER_ID_PATTERN: &str = "^srvtoolu_[a-zA-Z0-9_]+$";
/// The pattern of declared tool names.
pub(super) const TOOL_NAME_PATTERN: &str = "^[a-zA-Z0-9_-]{1,128}$";

/// What a value has to be.
#[derive(Clone, Copy)]
pub(super) enum Is {
    /// Anything.
    Any,
    /// A string.
    Text,
    /// `true` or `false`.
    Flag,
    /// A whole number, not below this.
    Whole(u64),
    /// A number.
    Number,
    /// An object with any keys.
    Map,
    /// One of these strings.
    Word(&'static [&'static str]),
    /// An id or a name with an alphabet or a length of its own.
    Name(Name),
    /// An object of this shape.
    Object(&'static Shape),
    /// An object of the shape its `type` names.
    Tagged(&'static Tagged),
    /// An array of these.
    List(&'static Is),
    /// A string or an array of these.
    TextOr(&'static Is),
    /// An array of these, or one of those.
    ListOr(&'static Is, &'static Is),
    /// This word or one of these.
    WordOr(&'static str, &'static Is),
    /// A message, by its role.
    Message { system: &'static Shape, other: &'static Shape },
}

/// The kinds of ids and names.
#[derive(Clone, Copy)]
pub(super) enum Name {
    /// A tool id.
    Id,
    /// A server tool's id.
    ServerId,
    /// The name of a called tool.
    Called,
    /// The name of a declared tool.
    Tool,
}

/// A choice of shapes by `type`.
pub(super) struct Tagged {
    pub(super) shapes: &'static [&'static Shape],
    /// The tag of an object without `type`, if one may do without.
    pub(super) untagged: Option<&'static str>,
    /// The rule an unknown tag, or no tag, breaks.
    pub(super) rule: &'static str,
    /// An unknown tag may be newer than this table.
    pub(super) open: bool,
}

/// An object: its tag and the groups of its fields.
pub(super) struct Shape {
    pub(super) tag: &'static str,
    pub(super) fields: &'static [&'static [Field]],
    pub(super) beta: Beta,
}

/// Prefixes of beta names, one of which has to be sent, and the rule that asks for it.
#[derive(Clone, Copy)]
pub(super) struct Beta {
    pub(super) any_of: &'static [&'static str],
    pub(super) rule: &'static str,
}

/// No beta is needed.
pub(super) const NO_BETA: Beta = Beta { any_of: &[], rule: "A-003" };

/// One key of an object.
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) is: Is,
    pub(super) required: bool,
    /// The rule that a missing or wrong value breaks.
    pub(super) rule: &'static str,
    pub(super) beta: Beta,
}

/// A key that has to be there.
pub(super) const fn must(name: &'static str, is: Is) -> Field {
    Field { name, is, required: true, rule: "A-003", beta: NO_BETA }
}

/// A key that may be missing or null.
pub(super) const fn may(name: &'static str, is: Is) -> Field {
    Field { name, is, required: false, rule: "A-003", beta: NO_BETA }
}

impl Field {
    /// The same field under another rule.
    pub(super) const fn rule(self, rule: &'static str) -> Field {
        Field { rule, ..self }
    }

    /// The same field behind a beta.
    pub(super) const fn beta(self, any_of: &'static [&'static str], rule: &'static str) -> Field {
        Field { beta: Beta { any_of, rule }, ..self }
    }
}

enum Step<'t> {
    Key(Cow<'t, str>),
    Index(usize),
}

/// A walk over one body.
pub(super) struct Walk<'w, 't> {
    report: &'w mut Report,
    betas: &'w [Cow<'w, str>],
    path: Vec<Step<'t>>,
}

impl<'w, 't> Walk<'w, 't> {
    pub(super) fn new(report: &'w mut Report, betas: &'w [Cow<'w, str>]) -> Walk<'w, 't> {
        Walk { report, betas, path: Vec::new() }
    }

    /// Judges a value.
    pub(super) fn value(&mut self, value: Value<'_, 't>, is: Is, rule: &'static str) {
        match is {
            Is::Any => {}
            Is::Text => self.expect(value, Kind::String, rule, "a valid string"),
            Is::Flag => self.expect(value, Kind::Bool, rule, "a valid boolean"),
            Is::Number => self.expect(value, Kind::Number, rule, "a valid number"),
            Is::Map => self.expect(value, Kind::Object, rule, "a valid dictionary"),
            Is::Whole(least) => self.whole(value, least, rule),
            Is::Word(words) => self.word(value, words, rule),
            Is::Name(name) => self.name(value, name, rule),
            Is::Object(shape) => self.object(value, shape, rule),
            Is::Tagged(tagged) => self.tagged(value, tagged),
            Is::List(item) => self.list(value, *item, rule),
            Is::TextOr(item) if value.kind() != Kind::String => self.list(value, *item, rule),
            Is::TextOr(_) => {}
            Is::ListOr(item, _) if value.kind() == Kind::Array => self.list(value, *item, rule),
            Is::ListOr(_, other) => self.value(value, *other, rule),
            Is::Message { system, other } => {
                let is_system = value.get("role").is_some_and(|role| role.is_str("system"));
                self.object(value, if is_system { system } else { other }, "A-001");
            }
            Is::WordOr(word, other) => {
                if !value.is_str(word) {
                    self.value(value, *other, rule);
                }
            }
        }
    }

    fn expect(&mut self, value: Value<'_, 't>, kind: Kind, rule: &'static str, what: &str) {
        if value.kind() != kind {
            self.say(rule, value, &format!("Input should be {what}"));
        }
    }

    fn whole(&mut self, value: Value<'_, 't>, least: u64, rule: &'static str) {
        let whole = value.as_f64().filter(|number| number.fract() == 0.0);
        match (whole, value.as_u64()) {
            (None, _) => self.say(rule, value, "Input should be a valid integer"),
            (Some(number), _) if number < least as f64 => {
                self.say(rule, value, &format!("Input should be greater than or equal to {least}"));
            }
            (Some(_), _) => {}
        }
    }

    fn word(&mut self, value: Value<'_, 't>, words: &[&str], rule: &'static str) {
        let text = value.as_str();
        if !text.is_some_and(|text| words.contains(&text.as_ref())) {
            self.say(rule, value, &format!("Input should be {}", one_of(words)));
        }
    }

    fn name(&mut self, value: Value<'_, 't>, name: Name, rule: &'static str) {
        let Some(text) = value.as_str() else {
            return self.say(rule, value, "Input should be a valid string");
        };
        let tail = text.strip_prefix("srvtoolu_").unwrap_or_default();
        let characters = text.chars().count();
        match name {
            Name::Id if !is_id(&text) => self.pattern(value, ID_PATTERN, rule),
            Name::ServerId if !is_id(tail) || tail.contains('-') => {
                self.pattern(value, SERVER_ID_PATTERN, rule);
            }
            Name::Called if text.is_empty() => {
                self.say(rule, value, "String should have at least 1 character");
            }
            Name::Called if characters > CALLED_NAME_CHARS_MAX => {
                let max = CALLED_NAME_CHARS_MAX;
                self.say(rule, value, &format!("String should have at most {max} characters"));
            }
            Name::Tool if !is_id(&text) || characters > TOOL_NAME_CHARS_MAX => {
                self.pattern(value, TOOL_NAME_PATTERN, rule);
            }
            Name::Tool if characters > TOOL_NAME_CHARS_DOCUMENTED => {
                let path = self.render();
                let words =
                    format!("{path}: String should match pattern '^[a-zA-Z0-9_-]{{1,64}}$'");
                self.report.warn_say(rule, path, value.offset(), words);
            }
            Name::Id | Name::ServerId | Name::Called | Name::Tool => {}
        }
    }

    fn pattern(&mut self, value: Value<'_, 't>, pattern: &str, rule: &'static str) {
        self.say(rule, value, &format!("String should match pattern '{pattern}'"));
    }

    fn list(&mut self, value: Value<'_, 't>, item: Is, rule: &'static str) {
        self.expect(value, Kind::Array, rule, "a valid list");
        for (index, element) in value.items().enumerate() {
            self.path.push(Step::Index(index));
            self.value(element, item, rule);
            self.path.pop();
        }
    }

    fn tagged(&mut self, value: Value<'_, 't>, tagged: &'static Tagged) {
        let rule = tagged.rule;
        if value.kind() != Kind::Object {
            return self.say(rule, value, "Input should be an object");
        }
        let tag = match value.get("type") {
            Some(tag) if tagged.untagged.is_none() || !tag.is_null() => {
                let Some(text) = tag.as_str() else {
                    self.path.push(Step::Key(Cow::Borrowed("type")));
                    self.say(rule, tag, "Input should be a valid string");
                    self.path.pop();
                    return;
                };
                text
            }
            Some(_) | None => match tagged.untagged {
                Some(tag) => Cow::Borrowed(tag),
                None => return self.missing(value, "type", rule),
            },
        };
        let Some(shape) = tagged.shapes.iter().find(|shape| shape.tag == tag) else {
            return self.unknown_tag(value, &tag, tagged);
        };
        if !self.has(shape.beta) {
            let rule = shape.beta.rule;
            return self.say(rule, value, &tag_words(&tag, tagged, Some(shape)));
        }
        self.path.push(Step::Key(Cow::Borrowed(shape.tag)));
        self.object(value, shape, rule);
        self.path.pop();
    }

    fn unknown_tag(&mut self, value: Value<'_, 't>, tag: &str, tagged: &'static Tagged) {
        let path = self.render();
        let words = format!("{path}: {}", tag_words(tag, tagged, None));
        if tagged.open {
            self.report.warn_say(tagged.rule, path, value.offset(), words);
        } else {
            self.report.say(tagged.rule, path, value.offset(), words);
        }
    }

    fn object(&mut self, value: Value<'_, 't>, shape: &'static Shape, rule: &'static str) {
        if value.kind() != Kind::Object {
            return self.say(rule, value, "Input should be an object");
        }
        let mut seen = 0u64;
        for (key, member) in value.members() {
            let name = key.as_str().unwrap_or_default();
            let fields = shape.fields.iter().flat_map(|group| group.iter());
            match fields.enumerate().find(|(_, field)| field.name == name) {
                Some((index, field)) => {
                    seen |= 1 << index;
                    self.path.push(Step::Key(Cow::Borrowed(field.name)));
                    self.field(member, field);
                    self.path.pop();
                }
                None if name == "type" && !shape.tag.is_empty() => {}
                None => {
                    // A mark on thinking has a rule of its own.
                    let rule = if is_thought(shape.tag) { "A-050" } else { "A-003" };
                    self.path.push(Step::Key(name));
                    self.say(rule, key, "Extra inputs are not permitted");
                    self.path.pop();
                }
            }
        }
        for (index, field) in shape.fields.iter().flat_map(|group| group.iter()).enumerate() {
            if field.required && seen & (1 << index) == 0 {
                self.missing(value, field.name, field.rule);
            }
        }
    }

    fn field(&mut self, value: Value<'_, 't>, field: &'static Field) {
        if !field.required && value.is_null() {
            return;
        }
        if self.has(field.beta) {
            self.value(value, field.is, field.rule);
        } else {
            self.say(field.beta.rule, value, "Extra inputs are not permitted");
        }
    }

    fn missing(&mut self, value: Value<'_, 't>, name: &'static str, rule: &'static str) {
        self.path.push(Step::Key(Cow::Borrowed(name)));
        self.say(rule, value, "Field required");
        self.path.pop();
    }

    fn has(&self, beta: Beta) -> bool {
        let sent = |prefix: &&str| self.betas.iter().any(|beta| beta.starts_with(*prefix));
        beta.any_of.is_empty() || beta.any_of.iter().any(sent)
    }

    fn say(&mut self, rule: &str, value: Value<'_, 't>, words: &str) {
        let path = self.render();
        let words = if path.is_empty() { words.to_owned() } else { format!("{path}: {words}") };
        self.report.say(rule, path, value.offset(), words);
    }

    fn render(&self) -> String {
        let mut out = String::new();
        for step in &self.path {
            if !out.is_empty() {
                out.push('.');
            }
            match step {
                Step::Key(key) => out.push_str(key),
                Step::Index(index) => {
                    let _ = write!(out, "{index}");
                }
            }
        }
        out
    }
}

fn is_thought(tag: &str) -> bool {
    tag == "thinking" || tag == "redacted_thinking"
}

fn tag_words(tag: &str, tagged: &Tagged, without: Option<&Shape>) -> String {
    let tags = tagged.shapes.iter().map(|shape| shape.tag);
    let known = tags.filter(|known| Some(*known) != without.map(|shape| shape.tag));
    let tags: Vec<String> = known.map(|tag| format!("'{tag}'")).collect();
    let expected = tags.join(", ");
    format!(
        "Input tag '{tag}' found using 'type' does not match any of the expected tags: {expected}"
    )
}

/// Whether a text is a tool id: letters, digits, `_` and `-`, at least one.
pub(super) fn is_id(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !text.is_empty() && text.bytes().all(allowed)
}
