//! Several request bodies in one file: where each stops extending the one before.

use std::ops::Range;

use stenograph::json::{Doc, Kind, ParseError};
use stenograph::wire::prompt_cache::{Api, Comparison, Move, compare};

use crate::bodies::is_body;
use crate::to::To;

/// Where a request first differs from the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the request, from 1.
    pub request: usize,
    /// What moved; offsets are those of the file.
    pub moved: Move,
}

/// Where the requests of a file stand in it, if it holds several: `{"requests":[..]}`, an array of
/// bodies, or one body a line.
pub fn spans(bytes: &[u8]) -> Option<Vec<Range<usize>>> {
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
    let bodies = list.items().map(|body| {
        let start = skipped + body.offset();
        is_body(body).then(|| start..start + body.raw().len())
    });
    bodies.collect::<Option<Vec<_>>>().filter(|bodies| bodies.len() > 1)
}

fn of_lines(text: &str, skipped: usize) -> Option<Vec<Range<usize>>> {
    let mut bodies = Vec::new();
    let mut start = skipped;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            let doc = Doc::parse_str(line).ok()?;
            bodies.push(is_body(doc.root()).then(|| start..start + line.len())?);
        }
        start += line.len();
    }
    Some(bodies)
}

/// The first line that is no body, counted from one, where the first of a file's lines is one.
pub fn line_that_is_none(bytes: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}');
    let is_none = |line: &str| !Doc::parse_str(line).is_ok_and(|doc| is_body(doc.root()));
    let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let (first, _) = lines.next()?;
    if is_none(first) {
        return None;
    }
    lines.find(|(line, _)| is_none(line)).map(|(_, number)| number)
}

/// A body, and where it stands in its file.
#[derive(Clone, Copy, Debug)]
pub struct Body<'s> {
    /// The body alone.
    pub bytes: &'s [u8],
    /// Offset of its first byte.
    pub start: usize,
}

/// Compares two bodies; offsets are those of their files.
pub fn compared(
    before: Body<'_>,
    after: Body<'_>,
    api: &Api<'_>,
) -> Result<Comparison, ParseError> {
    let (own, other) = (Doc::parse(before.bytes)?, Doc::parse(after.bytes)?);
    let mut compared = compare(own.root(), other.root(), api);
    for moved in &mut compared.moves {
        for (side, body) in [(&mut moved.before, before), (&mut moved.after, after)] {
            if let Some(side) = side {
                side.offset += body.start;
                side.unit_offset += body.start;
            }
        }
    }
    Ok(compared)
}

/// The model a body names.
pub fn model_of(body: &[u8]) -> Option<String> {
    let doc = Doc::parse(body).ok()?;
    doc.root().get_str("model").map(std::borrow::Cow::into_owned)
}

/// How many requests a file holds, if it holds several, and where each stops extending the one
/// before.
pub fn differences(bytes: &[u8]) -> Option<(usize, Vec<Difference>)> {
    let spans = spans(bytes)?;
    let body =
        |span: &Range<usize>| Some(Body { bytes: bytes.get(span.clone())?, start: span.start });
    let bodies: Vec<Body<'_>> = spans.iter().filter_map(body).collect();
    let mut differences = Vec::new();
    for (request, (before, after)) in (2..).zip(bodies.iter().zip(bodies.iter().skip(1))) {
        let to = To::of_body(after.bytes, None).unwrap_or(To::Anthropic);
        let model = model_of(after.bytes).unwrap_or_default();
        let api = Api { dialect: to.dialect(), model: &model, tokens: None };
        let moved = compared(*before, *after, &api).ok()?.moves.into_iter().next();
        differences.extend(moved.map(|moved| Difference { request, moved }));
    }
    Some((bodies.len(), differences))
}

/// What moved, as a unit and what it stood in for.
pub fn unit_of(moved: &Move) -> String {
    match &moved.instead_of {
        Some(other) => format!("{}, where {other} stood", moved.unit),
        None => moved.unit.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Difference> {
        differences(text.as_bytes()).expect("several requests").1
    }

    fn units(text: &str) -> Vec<String> {
        found(text).iter().map(|found| unit_of(&found.moved)).collect()
    }

    #[test]
    fn the_first_byte_that_differs_is_named_in_the_file() {
        let text = r#"{"requests":[{"system":"You are A.","messages":["m1"]},
            {"system":"You are B.","messages":["m1","m2"]}]}"#;
        let found = found(text);
        assert_eq!(
            (found.len(), found[0].request, found[0].moved.unit.as_str()),
            (1, 2, "system[0]")
        );
        let after = found[0].moved.after.as_ref().expect("one");
        assert!(text[after.unit_offset..].starts_with("\"You are B.\""));
        assert!(text[after.offset..].starts_with("B."));
        let before = found[0].moved.before.as_ref().expect("one");
        assert!(text[before.offset..].starts_with("A."));
    }

    #[test]
    fn requests_are_told_apart_in_a_list_and_in_lines() {
        let first = r#"{"tools":[],"system":"s","messages":[{"role":"user","content":"a"}]}"#;
        let second = r#"{"system":"s","messages":[{"role":"user","content":"a"},
            {"role":"assistant","content":"b"}]}"#
            .replace('\n', " ");
        assert_eq!(found(&format!("{first}\n{second}\n")), []);
        assert_eq!(units(&format!("[{second},{first}]")), ["messages[1].role"]);
        let contents = r#"{"contents":["a"]}"#;
        assert_eq!(units(&format!("{contents}\n{}", contents.replace('a', "b"))), ["contents[0]"]);
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
            let units = units(&format!("{first}\n{other}"));
            assert_eq!(units.len(), 1, "{other}");
            assert!(units[0].starts_with(unit), "{}", units[0]);
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
