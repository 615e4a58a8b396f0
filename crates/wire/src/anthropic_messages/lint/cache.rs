//! Cache marks: how many, in which order, in agreement with the automatic one.

use std::borrow::Cow;

use json::{Kind, Value};

use super::Body;
use super::limits::CACHE_MARKS_MAX;
use crate::report::{Fill, Report};

struct Mark<'t> {
    path: String,
    offset: usize,
    ttl: Cow<'t, str>,
}

///
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    let mut marks = Vec::new();
    for part in ["tools", "system"] {
        for (index, value) in body.param(part).into_iter().flat_map(|part| part.items()).enumerate()
        {
            collect(value, &|| format!("{part}.{index}"), &mut marks);
        }
    }
    for block in body.conversation.all() {
        collect(block.value, &|| block.path(), &mut marks);
    }
    let top = body.param("cache_control");
    let count = marks.len() + usize::from(top.is_some());
    if count > CACHE_MARKS_MAX {
        let extra = marks.get(CACHE_MARKS_MAX).map(|mark| (mark.path.clone(), mark.offset));
        let top = || ("cache_control".to_owned(), top.map_or(0, Value::offset));
        let (path, offset) = extra.unwrap_or_else(top);
        report.add("A-080", path, offset, &[("count", &count)]);
    }
    let first_short = marks.iter().position(|mark| mark.ttl != "1h").unwrap_or(marks.len());
    for mark in marks.iter().skip(first_short).filter(|mark| mark.ttl == "1h") {
        report.add("A-081", mark.path.clone(), mark.offset, &[]);
    }
    if let Some(top) = top {
        automatic(body, top, report);
    }
}

/// the automatic mark falls on the last block.
fn automatic(body: &Body<'_, '_>, top: Value<'_, '_>, report: &mut Report) {
    let Some(target) = body.conversation.all().last() else { return };
    let Some(own) = target.value.get("cache_control").filter(|mark| !mark.is_null()) else {
        return;
    };
    let (top_ttl, own_ttl) = (ttl(top), ttl(own));
    if top_ttl != own_ttl {
        let fill: Fill<'_> = &[("top", &top_ttl), ("own", &own_ttl)];
        report.add("A-082", "cache_control".to_owned(), top.offset(), fill);
    }
}

/// The marks of a block and of the blocks inside it, in order.
fn collect<'t>(value: Value<'_, 't>, path: &dyn Fn() -> String, marks: &mut Vec<Mark<'t>>) {
    let content = value.get("content");
    let source = value.get("source").and_then(|source| source.get("content"));
    for inner in [content, source].into_iter().flatten() {
        if inner.kind() == Kind::Array {
            for (index, item) in inner.items().enumerate() {
                collect(item, &|| format!("{}.content.{index}", path()), marks);
            }
        } else if inner.kind() == Kind::Object {
            collect(inner, &|| format!("{}.content", path()), marks);
        }
    }
    let references = value.get("tool_references");
    for item in references.into_iter().flat_map(|list| list.items()) {
        collect(item, path, marks);
    }
    if let Some(mark) = value.get("cache_control").filter(|mark| !mark.is_null()) {
        marks.push(Mark { path: path(), offset: mark.offset(), ttl: ttl(mark) });
    }
}

fn ttl<'t>(mark: Value<'_, 't>) -> Cow<'t, str> {
    mark.get_str("ttl").unwrap_or(Cow::Borrowed("5m"))
}
