//! Several request bodies in one file: where each stops extending the one before.
//!
//! A provider caches a prefix: tools, then system, then messages. The first unit that differs is
//! where a cache is lost, and a thought that is bound to its prefix with it. Cache marks move along
//! with a conversation and are taken out before comparing.

use stenograph::json::{Doc, Kind, Object, Raw, Value, escape};

/// Bytes of both sides that are shown from the first difference on.
const EXCERPT_BYTES: usize = 32;

/// The member that marks where a cached prefix ends.
const CACHE_MARK: &str = "cache_control";

/// Where a request first differs from the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the request, from 1.
    pub request: usize,
    /// The unit: `model`, `tools[0]`, `system[1]`, `messages[2].content[0]`,
    /// `messages[3].tool_calls[0]`.
    pub unit: String,
    /// Byte in the unit at which it differs.
    pub byte: usize,
    /// Byte offset of the unit in the file.
    pub offset: usize,
    /// What stood there, from a little before the difference on.
    pub before: String,
    /// What stands there now.
    pub after: String,
}

/// The requests of a file, if it holds several: `{"requests":[..]}`, an array of bodies, or one
/// body a line.
pub fn differences(bytes: &[u8]) -> Option<(usize, Vec<Difference>)> {
    let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}');
    let skipped = bytes.len() - text.len();
    let first_line = text.lines().find(|line| !line.trim().is_empty())?;
    if let Ok(doc) = Doc::parse_str(first_line)
        && first_line.trim().len() < text.trim().len()
    {
        return is_body(doc.root()).then(|| of_lines(text, skipped)).flatten();
    }
    let doc = Doc::parse_str(text).ok()?;
    let root = doc.root();
    let list = match root.get("requests") {
        Some(list) => list,
        None if root.kind() == Kind::Array => root,
        None => return None,
    };
    let bodies: Vec<Value<'_, '_>> = list.items().collect();
    if bodies.len() < 2 || !bodies.iter().copied().all(is_body) {
        return None;
    }
    Some(compared(bodies.into_iter().map(|body| units(body, skipped))))
}

fn of_lines(text: &str, skipped: usize) -> Option<(usize, Vec<Difference>)> {
    let mut bodies = Vec::new();
    let mut start = skipped;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            let doc = Doc::parse_str(line).ok()?;
            bodies.push(is_body(doc.root()).then(|| units(doc.root(), start))?);
        }
        start += line.len();
    }
    Some(compared(bodies.into_iter()))
}

/// A message of a history has a role; a body has messages and none.
fn is_body(value: Value<'_, '_>) -> bool {
    let list = |name: &str| value.get(name).is_some_and(|list| list.kind() == Kind::Array);
    list("messages") && value.get("role").is_none() && value.get("type").is_none()
}

/// A part of the prefix, as it is compared.
#[derive(Debug, PartialEq, Eq)]
struct Unit {
    name: String,
    offset: usize,
    text: String,
}

/// The units of a body in the order in which a provider caches them.
fn units(body: Value<'_, '_>, start: usize) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut push = |name: String, value: Value<'_, '_>| {
        units.push(Unit { name, offset: start + value.offset(), text: without_marks(value) });
    };
    if let Some(model) = body.get("model") {
        push("model".to_owned(), model);
    }
    for (index, tool) in body.get("tools").into_iter().flat_map(Value::items).enumerate() {
        push(format!("tools[{index}]"), tool);
    }
    if let Some(system) = body.get("system") {
        parts("system", system, &mut push);
    }
    for (index, message) in body.get("messages").into_iter().flat_map(Value::items).enumerate() {
        of_message(&format!("messages[{index}]"), message, &mut push);
    }
    units
}

/// The units of a message: its role, its content, and by name whatever else it holds (calls, the
/// call a result is of, reasoning). A member that is null says nothing.
fn of_message<'d, 't>(
    name: &str,
    message: Value<'d, 't>,
    push: &mut impl FnMut(String, Value<'d, 't>),
) {
    let Some(role) = message.get("role") else { return push(name.to_owned(), message) };
    push(format!("{name}.role"), role);
    if let Some(content) = message.get("content").filter(|content| !content.is_null()) {
        parts(&format!("{name}.content"), content, push);
    }
    let members = message.members().filter(|(_, member)| !member.is_null());
    let named = members.filter_map(|(key, member)| Some((key.as_str()?, member)));
    let is_more = |key: &str| !["role", "content", CACHE_MARK].contains(&key);
    let mut more: Vec<_> = named.filter(|(key, _)| is_more(key)).collect();
    more.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (key, member) in more {
        let name = format!("{name}.{key}");
        match member.kind() {
            Kind::Array => parts(&name, member, push),
            _ => push(name, member),
        }
    }
}

/// The blocks of a content; a string is one text block.
fn parts<'d, 't>(name: &str, content: Value<'d, 't>, push: &mut impl FnMut(String, Value<'d, 't>)) {
    if content.kind() != Kind::Array {
        return push(format!("{name}[0]"), content);
    }
    for (index, block) in content.items().enumerate() {
        push(format!("{name}[{index}]"), block);
    }
}

/// A unit's text: a bare string as the text block it stands for, no cache marks.
fn without_marks(value: Value<'_, '_>) -> String {
    if value.kind() == Kind::Object && value.get(CACHE_MARK).is_some() {
        let mut object = Object::new();
        for (key, member) in value.members() {
            let key = key.as_str().unwrap_or_default();
            if key != CACHE_MARK {
                object.raw(&key, &Raw::of(member));
            }
        }
        return text_of(object.finish().doc().root());
    }
    text_of(value)
}

fn text_of(value: Value<'_, '_>) -> String {
    let is_text = value.get("type").is_some_and(|kind| kind.is_str("text"));
    let text = value.get("text").filter(|_| is_text && value.members().count() == 2);
    match text.unwrap_or(value).as_str() {
        // Both spellings of a text are one.
        Some(text) => escape::literal(&text),
        None => value.raw().to_owned(),
    }
}

fn compared(bodies: impl Iterator<Item = Vec<Unit>>) -> (usize, Vec<Difference>) {
    let bodies: Vec<Vec<Unit>> = bodies.collect();
    let neighbours = bodies.iter().zip(bodies.iter().skip(1)).enumerate();
    let differences =
        neighbours.filter_map(|(at, (before, after))| difference(at + 2, before, after));
    (bodies.len(), differences.collect())
}

/// The first unit of `before` that `after` does not repeat. A request that ends early repeats all
/// it has.
fn difference(request: usize, before: &[Unit], after: &[Unit]) -> Option<Difference> {
    let mut pairs = before.iter().zip(after);
    let (old, new) = pairs.find(|(old, new)| old.name != new.name || old.text != new.text)?;
    let same = old.text.bytes().zip(new.text.bytes()).take_while(|(old, new)| old == new).count();
    let (unit, byte) = if old.name == new.name {
        (new.name.clone(), same)
    } else {
        (format!("{}, where {} stood", new.name, old.name), 0)
    };
    let (before, after) = (around(&old.text, byte), around(&new.text, byte));
    Some(Difference { request, unit, byte, offset: new.offset, before, after })
}

/// A piece of a text, from a little before a byte on.
fn around(text: &str, byte: usize) -> String {
    let mut from = byte.saturating_sub(EXCERPT_BYTES / 2).min(text.len());
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    let mut to = (byte + EXCERPT_BYTES).min(text.len());
    while !text.is_char_boundary(to) {
        to += 1;
    }
    let cut = |yes: bool| if yes { "..." } else { "" };
    let piece = text.get(from..to).unwrap_or_default();
    format!("{}{piece}{}", cut(from > 0), cut(to < text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Difference> {
        differences(text.as_bytes()).expect("several requests").1
    }

    #[test]
    fn the_first_byte_that_differs_is_named() {
        let text = r#"{"requests":[{"system":"You are A.","messages":["m1"]},
            {"system":"You are B.","messages":["m1","m2"]}]}"#;
        let found = found(text);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].request, found[0].unit.as_str(), found[0].byte), (2, "system[0]", 9));
        assert!(text[found[0].offset..].starts_with("\"You are B.\""));
        assert_eq!(found[0].before, "\"You are A.\"");
    }

    #[test]
    fn what_is_only_spelled_otherwise_or_marked_does_not_differ() {
        let first = r#"{"tools":[],"system":"s","messages":[{"role":"user","content":"a"}]}"#;
        let second = r#"{"system":[{"type":"text","text":"s"}],"messages":[{"role":"user",
            "content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]},
            {"role":"assistant","content":"b"}]}"#
            .replace('\n', " ");
        assert_eq!(found(&format!("{first}\n{second}\n")), []);
        assert_eq!(found(&format!("[{second},{first}]")), []);
    }

    #[test]
    fn a_tool_more_and_another_order_are_named_by_their_unit() {
        let body = |tools: &str| format!(r#"{{"tools":[{tools}],"system":"s","messages":[]}}"#);
        let found = found(&[body("1"), body("1,2"), body("2,1")].join("\n"));
        let units: Vec<&str> = found.iter().map(|found| found.unit.as_str()).collect();
        assert_eq!(units, ["tools[1], where system[0] stood", "tools[0]"]);
    }

    #[test]
    fn calls_results_and_reasoning_of_chat_completions_are_compared() {
        let body = |thought: &str, id: &str, of: &str, content: &str| {
            format!(
                r#"{{"messages":[{{"role":"user","content":"a"}},{{"role":"assistant",{content}
                "reasoning_content":"{thought}","tool_calls":[{{"id":"{id}","type":"function",
                "function":{{"name":"ls","arguments":"{{}}"}}}}]}},
                {{"role":"tool","tool_call_id":"{of}","content":"x"}}]}}"#
            )
            .replace('\n', "")
        };
        let first = body("hm", "a", "a", "\"content\":null,");
        for (other, unit) in [
            (body("ah", "a", "a", ""), "messages[1].reasoning_content"),
            (body("hm", "b", "a", ""), "messages[1].tool_calls[0]"),
            (body("hm", "a", "b", ""), "messages[2].tool_call_id"),
            (body("hm", "a", "a", r#""content":"b","#), "messages[1].content[0], where"),
        ] {
            let found = found(&format!("{first}\n{other}"));
            assert_eq!(found.len(), 1, "{other}");
            assert!(found[0].unit.starts_with(unit), "{}", found[0].unit);
        }
        assert_eq!(found(&format!("{first}\n{}", body("hm", "a", "a", ""))), []);
    }

    #[test]
    fn a_session_or_one_body_is_not_several_requests() {
        for text in [
            "",
            "not JSON",
            r#"{"messages":[]}"#,
            r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#,
            "{\"type\":\"user\",\"messages\":[]}\n{\"messages\":[]}",
        ] {
            assert_eq!(differences(text.as_bytes()), None, "{text}");
        }
    }
}
