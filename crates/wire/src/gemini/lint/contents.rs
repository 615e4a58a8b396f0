//! The contents of a body as a flat list, and whether they are contents at all.

use json::{Kind, Value};

use super::Body;
use super::shapes::{member, same_name};
use super::verdict::Verdict;
use crate::takes::Takes;

/// Who a content is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    User,
    Model,
    Other,
}

/// The data members a part may have, as this linter tells them apart.
pub(super) const DATA: &[&str] = &[
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
];

/// One part.
#[derive(Clone, Copy)]
pub(super) struct Part<'d, 't> {
    pub(super) value: Value<'d, 't>,
    /// Index in the content.
    pub(super) index: usize,
    /// The first of its data members, by its name in [`DATA`], and what it holds.
    pub(super) data: Option<(&'static str, Value<'d, 't>)>,
}

impl<'d, 't> Part<'d, 't> {
    /// What the data member of this name holds.
    pub(super) fn get(&self, name: &str) -> Option<Value<'d, 't>> {
        self.data.filter(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// The signature's literal, if there is one.
    pub(super) fn signature(&self) -> Option<Value<'d, 't>> {
        member(self.value, "thoughtSignature").filter(|value| !value.is_str(""))
    }
}

/// One content.
pub(super) struct Content<'d, 't> {
    pub(super) value: Value<'d, 't>,
    pub(super) role: Role,
    /// Index in `contents`.
    pub(super) index: usize,
    pub(super) parts: Vec<Part<'d, 't>>,
}

impl<'d, 't> Content<'d, 't> {
    /// `contents[N]` and what follows.
    pub(super) fn path(&self, rest: &str) -> String {
        format!("contents[{}]{rest}", self.index)
    }

    /// The place of a part, and what follows.
    pub(super) fn part_path(&self, part: &Part<'_, '_>, rest: &str) -> String {
        self.path(&format!(".parts[{}]{rest}", part.index))
    }

    /// The parts with this data member, and what it holds.
    pub(super) fn all(
        &self,
        name: &'static str,
    ) -> impl Iterator<Item = (&Part<'d, 't>, Value<'d, 't>)> {
        self.parts.iter().filter_map(move |part| Some((part, part.get(name)?)))
    }

    /// Whether there is a part with this data member.
    pub(super) fn has(&self, name: &'static str) -> bool {
        self.all(name).next().is_some()
    }
}

/// Reads `contents`; what is not of the expected type reads as nothing.
pub(super) fn read<'d, 't>(contents: Option<Value<'d, 't>>) -> Vec<Content<'d, 't>> {
    let items = contents.into_iter().flat_map(Value::items).enumerate();
    items
        .map(|(index, value)| {
            let role = match value.get_str("role").as_deref() {
                Some("user" | "") => Role::User,
                Some("model") => Role::Model,
                None if value.get("role").is_none_or(Value::is_null) => Role::User,
                Some(_) | None => Role::Other,
            };
            let parts = value.get("parts").into_iter().flat_map(Value::items).enumerate();
            let parts = parts.map(|(index, value)| Part { value, index, data: data(value) });
            Content { value, role, index, parts: parts.collect() }
        })
        .collect()
}

fn data<'d, 't>(part: Value<'d, 't>) -> Option<(&'static str, Value<'d, 't>)> {
    part.members().find_map(|(name, value)| {
        let name = name.as_str().unwrap_or_default();
        let known = DATA.iter().find(|known| same_name(known, &name))?;
        (!value.is_null()).then_some((*known, value))
    })
}

/// G-001, G-002 and G-003.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    match body.root.get("contents") {
        Some(contents) if contents.kind() != Kind::Array => {
            let words = format!("Invalid value at 'contents' (type), {}", contents.raw());
            verdict.say(Takes::No, "G-006", "contents".to_owned(), contents.offset(), words);
        }
        contents if body.contents.is_empty() => {
            let at = contents.map_or(body.root.offset(), Value::offset);
            verdict.refuse("G-001", "contents".to_owned(), at, &[]);
        }
        _ => {}
    }
    for content in &body.contents {
        if content.role == Role::Other {
            verdict.refuse("G-002", content.path(".role"), content.value.offset(), &[]);
        }
        if content.parts.is_empty() {
            verdict.refuse("G-003", content.path(""), content.value.offset(), &[]);
        }
    }
}
